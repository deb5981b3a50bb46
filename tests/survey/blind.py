#!/usr/bin/env python3
"""Makes blind.json and the models it names: motions of another survey, none of which a rule of dalembert was made for.

Each is written twice, as a model and as equations that SciPy integrates (DOP853, 1e-12): mechanisms by sympy from L and forces,
rates as they stand, bodies by Euler's equations and quaternions, relations in the one angle that is left or in closed form.
Stored are the values at the end and the amplitude of each (half its range; of an attitude half the largest angle from the start). Run it (needs python3-sympy, python3-scipy) to make them anew.
"""
import json
import os
import re
import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
t=sp.Symbol('t')
M={}
def lag(name,co,L,F,st,T,kind='mechanism'):
    q=[sp.Symbol(c) for c in co]; v=[sp.Symbol(c+'d') for c in co]
    ns={c:s for c,s in zip(co,q)}; ns.update({c+'d':s for c,s in zip(co,v)}); ns['t']=t
    def make():
        l=sp.sympify(L,locals=ns); Lv=[sp.diff(l,x) for x in v]
        Mm=sp.Matrix([[sp.diff(p,x) for x in v] for p in Lv])
        b=sp.Matrix([sp.diff(l,q[i])+sp.sympify(F.get(co[i],'0'),locals=ns)-sum(sp.diff(Lv[i],q[j])*v[j] for j in range(len(q)))-sp.diff(Lv[i],t) for i in range(len(q))])
        fM=sp.lambdify([t]+q+v,Mm,'numpy'); fb=sp.lambdify([t]+q+v,b,'numpy'); n=len(q)
        return lambda tt,y: np.concatenate([y[n:],np.linalg.solve(np.array(fM(tt,*y),float),np.array(fb(tt,*y),float).ravel())])
    def dal(s):
        for c in co: s=re.sub(r'\b%sd\b'%c,c+"'",s)
        return s.replace('**','^')
    txt='system S {\n  coordinate '+', '.join(co)+'\n  lagrangian '+dal(L)+'\n'+''.join('  force %s: %s\n'%(c,dal(e)) for c,e in F.items())+'  start '+', '.join(dal(k)+' = '+repr(x) for k,x in st.items())+'\n}\n'
    y0=[st[c] for c in co]+[st[c+'d'] for c in co]
    M[name]=(kind,txt,T,make,y0,co)
def first(name,co,R,y0,T,kind='rates'):
    def make():
        s=[sp.Symbol(c) for c in co]; ns={c:x for c,x in zip(co,s)}; ns['t']=t
        f=sp.lambdify([t]+s,[sp.sympify(r,locals=ns) for r in R],'numpy')
        return lambda tt,y: np.array(f(tt,*y),float)
    txt='system S {\n'+''.join("  state %s' = %s\n"%(c,r.replace('**','^')) for c,r in zip(co,R))+'  start '+', '.join('%s = %r'%(c,x) for c,x in zip(co,y0))+'\n}\n'
    M[name]=(kind,txt,T,make,y0,co)
# mechanisms
lag('atwood_wide',['r','a'],'(3.5*rd**2 + r**2*ad**2)/2 - 2.5*9.8*r + 9.8*r*cos(a)',{},dict(r=1.0,a=1.6,rd=0,ad=0),10)
lag('rocking_disc',['a'],'(1.5 + 0.36 - 1.2*cos(a))*ad**2/2 + 5.9*cos(a)',{'a':'-0.02*ad'},dict(a=0,ad=5.5),20)
lag('ring_of_five',['u','v','w','x','y'],'(ud**2+vd**2+wd**2+xd**2+yd**2)/2 - (u-v)**2/2-(v-w)**2/2-(w-x)**2/2-(x-y)**2/2-(y-u)**2/2-(u-v)**4-(v-w)**4-(w-x)**4-(x-y)**4-(y-u)**4-u**2/2',{},dict(u=1,v=0,w=-0.5,x=0,y=0,ud=0,vd=0,wd=0,xd=1,yd=0),20)
lag('wedge_and_bob',['x','a','s'],'(2*xd**2 + (xd + ad*cos(a))**2 + (ad*sin(a))**2 + (xd + 0.8*sd)**2 + 0.36*sd**2)/2 + 9.8*cos(a) - 5*s**2 - 2*x**2',{'s':'-0.05*sd'},dict(x=0,a=1.3,s=0.4,xd=0,ad=0,sd=0),20)
lag('falling_upright',['a'],'ad**2/2 - cos(a)',{'a':'-0.1*ad'},dict(a=1e-4,ad=0),30)
lag('restricted_three',['x','y'],'(xd**2+yd**2)/2 + (x*yd - y*xd) + (x**2+y**2)/2 + 0.9/sqrt((x+0.1)**2+y**2) + 0.1/sqrt((x-0.9)**2+y**2)',{},dict(x=0.4,y=0,xd=0,yd=1.0),12)
lag('torsion_gear',['a','b'],'(ad**2 + 3*bd**2)/2 - 12*(1 - cos(a - b)) - 2*b**2',{'a':'1.5*sin(2.2*t) - 0.1*ad'},dict(a=0.5,b=-0.5,ad=0,bd=0),40)
lag('bouncing_soft',['x','y'],'(xd**2+yd**2)/2 - 9.8*y - 0.01*exp(-12*(y - 0.1*sin(3*x)))',{},dict(x=0,y=1.0,xd=0.7,yd=0),8)
# circuits
lag('varactor_ladder',['a','b','c','d'],'(ad**2+bd**2+cd**2+dd**2)/2 - a**2/2 - (a-b)**2/2 - (a-b)**4/4 - (b-c)**2/2 - (b-c)**4/4 - (c-d)**2/2 - d**2/2',{'a':'sin(0.9*t)','d':'-0.4*dd'},dict(a=0,b=0,c=0,d=0,ad=0,bd=0,cd=0,dd=0),40,'circuit')
lag('junction_driven',['f'],'fd**2/2 + cos(f)',{'f':'0.5 + 0.8*sin(1.3*t) - 0.6*fd'},dict(f=0,fd=0),40,'circuit')
lag('saturating_choke',['q'],'sqrt(1 + qd**2) - q**2/2',{'q':'0.4*sin(0.7*t) - 0.05*qd'},dict(q=0.8,qd=0),60,'circuit')
first('peak_detector',['i','u'],['(5*sin(2*t) - u - 0.1*i)/0.5','i/(1 + exp(-20*i)) - u/3'],[0.0,0.0],20)
first('ring_oscillator',['a','b','c','d','e'],['-tanh(3*e) - a','-tanh(3*a) - b','-tanh(3*b) - c','-tanh(3*c) - d','-tanh(3*d) - e'],[0.1,0.0,-0.2,0.3,0.0],60)
# rates
first('hindmarsh',['x','y','z'],['y - x**3 + 3*x**2 - z + 1.2','1 - 5*x**2 - y','0.02*(4*(x + 1.6) - z)'],[-1.0,-4.0,2.0],80)
first('seasonal',['s','i'],['0.02 - 4*(1 + 0.3*cos(6.2831853*t))*s*i*10 - 0.02*s','4*(1 + 0.3*cos(6.2831853*t))*s*i*10 - 20*i'],[0.5,0.01],5)
first('two_landau',['x','y','u','v'],['x - 2*y - x*(x**2+y**2) + 0.2*(u-x)','y + 2*x - y*(x**2+y**2) + 0.2*(v-y)','u - 3*v - u*(u**2+v**2) + 0.2*(x-u)','v + 3*u - v*(u**2+v**2) + 0.2*(y-v)'],[1.0,0.0,0.3,-0.5],40)
first('goodwin',['x','y','z'],['2/(1 + z**10) - 0.3*x','x - 0.3*y','y - 0.3*z'],[0.5,0.5,0.5],80)
first('euler_rates',['a','b','c'],['b*c*0.5','-2*c*a','1.5*a*b'],[0.05,1.5,0.05],40)
# bodies: state = quaternion (w,x,y,z) and body rates, or n and n'
def qmul(a,b):
    w,x,y,z=a; W,X,Y,Z=b
    return np.array([w*W-x*X-y*Y-z*Z,w*X+x*W+y*Z-z*Y,w*Y-x*Z+y*W+z*X,w*Z+x*Y-y*X+z*W])
def mat(q):
    w,x,y,z=q/np.linalg.norm(q)
    return np.array([[1-2*(y*y+z*z),2*(x*y-w*z),2*(x*z+w*y)],[2*(x*y+w*z),1-2*(x*x+z*z),2*(y*z-w*x)],[2*(x*z-w*y),2*(y*z+w*x),1-2*(x*x+y*y)]])
def body(name,J,torque_body,W0,T,txt,extra=None,x0=()):
    J=np.array(J,float)
    def make():
        def f(tt,y):
            q,W=y[:4],y[4:7]; R=mat(q)
            tb,xr=torque_body(tt,R,W,y[7:])
            return np.concatenate([0.5*qmul(q,np.concatenate([[0],W])),(np.cross(J*W,W)+tb)/J,xr])
        return f
    M[name]=('body',txt,T,make,[1,0,0,0]+list(W0)+list(x0),['R']+(['x'] if len(x0) else []))
e3=np.array([0,0,1.])
body('tumbling_free',[1,2,3],lambda t,R,W,x:(np.zeros(3),[]),[0.02,1.5,0.01],30,'system S {\n  parameter J[3] = [1, 2, 3]\n  coordinate R : rotation\n  lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2\n  start bodyspin(R) = [0.02, 1.5, 0.01]\n}\n')
a=np.array([0.2,0.3,1.0])
body('lopsided_top',[1.2,1.0,0.5],lambda t,R,W,x:(np.cross(a,R.T@(-3*e3)),[]),[0.5,0,4.0],15,'system S {\n  parameter J[3] = [1.2, 1.0, 0.5], a[3] = [0.2, 0.3, 1]\n  coordinate R : rotation\n  lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2 - 3*(R*a)[3]\n  start bodyspin(R) = [0.5, 0, 4]\n}\n')
b=np.array([1.0,0,0])
body('driven_compass',[1.0,1.5,2.0],lambda t,R,W,x:(np.cross(b,R.T@(2*np.array([np.cos(1.1*t),np.sin(1.1*t),0.5])))-0.1*W,[]),[0,0.3,1.0],30,'system S {\n  parameter J[3] = [1, 1.5, 2], b[3] = [1, 0, 0]\n  coordinate R : rotation\n  lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2 + 2*dot(R*b, [cos(1.1*t), sin(1.1*t), 0.5])\n  force R: -0.1*spin(R)\n  start bodyspin(R) = [0, 0.3, 1]\n}\n')
c=np.array([0.5,0,0.2])
def hung(t,R,W,x):
    p,v=x[:3],x[3:]; s=p+R@c
    Fs=-8*s
    return np.cross(c,R.T@Fs),np.concatenate([v,Fs-9.8*e3*0.2])
body('hung_by_spring',[0.3,0.4,0.5],hung,[1.0,-0.5,2.0],12,'system S {\n  parameter J[3] = [0.3, 0.4, 0.5], c[3] = [0.5, 0, 0.2]\n  coordinate x[3], R : rotation\n  lagrangian dot(x\', x\')/2 + dot(bodyspin(R), diag(J)*bodyspin(R))/2 - 4*dot(x + R*c, x + R*c) - 1.96*x[3]\n  start x = [0.3, 0, -0.4], x\' = [0, 0.5, 0], bodyspin(R) = [1, -0.5, 2]\n}\n',x0=[0.3,0,-0.4,0,0.5,0])
def direction(name,force,n0,v0,T,txt):
    def make():
        def f(tt,y):
            n,v=y[:3],y[3:]; F=force(tt,n,v); F=F-n*(n@F)
            return np.concatenate([v,F-n*(v@v)])
        return f
    M[name]=('body',txt,T,make,list(n0)+list(v0),['n'])
direction('conical',lambda t,n,v:-9.8*e3-0.05*v,[0.8,0,-0.6],[0,1.5,0],20,"system S {\n  coordinate n : direction\n  lagrangian dot(n', n')/2 - 9.8*n[3]\n  force n: -0.05*n'\n  start n = [0.8, 0, -0.6], n' = [0, 1.5, 0]\n}\n")
direction('dipole',lambda t,n,v:np.array([3*np.cos(t),0,1.5])+np.cross(n,v)*-2.0,[0,1,0],[0.5,0,0.2],25,"system S {\n  coordinate n : direction\n  lagrangian dot(n', n')/2 + 3*cos(t)*n[1] + 1.5*n[3]\n  force n: -2*cross(n, n')\n  start n = [0, 1, 0], n' = [0.5, 0, 0.2]\n}\n")
# relations: minimal coordinates beside
def rel(name,txt,T,f,y0,cols,out):
    M[name]=('relations',txt,T,lambda:f,y0,(cols,out))
# slider crank with a heavy slider and a spring: angle a, x = cos a + sqrt(4 - sin^2 a)
A=sp.Symbol('a'); W_=sp.Symbol('w'); X=sp.cos(A)+sp.sqrt(4-sp.sin(A)**2); Xa=sp.diff(X,A)
I=1+2*Xa**2; V=3*(X-2)**2/2
fc=sp.lambdify([A,W_],(-sp.diff(I,A)*W_**2/2-sp.diff(V,A))/I,'numpy'); fx=sp.lambdify(A,X,'numpy')
rel('crank_slider',"system S {\n  coordinate a, x\n  lagrangian a'^2/2 + x'^2 - 3*(x - 2)^2/2\n  holonomic rod: (x - cos(a))^2 + sin(a)^2 = 4\n  start a = 0.3, a' = 2, x = cos(0.3) + sqrt(4 - sin(0.3)^2), x' = -2*sin(0.3)*(1 + cos(0.3)/sqrt(4 - sin(0.3)^2))\n}\n",20,lambda tt,y:np.array([y[1],fc(*y)]),[0.3,2.0],['a','x'],lambda Y:np.array([Y[0],fx(Y[0])]))
# knife edge on an incline, turning at a constant rate
w,gs=1.5,4.0
rel('skate',"system S {\n  coordinate x, y, a\n  lagrangian (x'^2 + y'^2 + a'^2)/2 + 4*x\n  constraint x'*sin(a) - y'*cos(a) = 0\n  start a = 0, a' = 1.5\n}\n",15,None,None,['x','y','a'],lambda ts:np.array([gs/(2*w*w)*np.sin(w*ts)**2,gs/(2*w*w)*(w*ts-np.sin(2*w*ts)/2),w*ts]))
# pendulum on two rods (double pendulum in Cartesian coordinates)
def dp(tt,y):
    p,q,u,v=y; c,s=np.cos(p-q),np.sin(p-q)
    return np.concatenate([[u,v],np.linalg.solve([[2,c],[c,1]],[-s*v*v-2*9.8*np.sin(p),s*u*u-9.8*np.sin(q)])])
rel('two_rods',"system S {\n  coordinate x, y, u, v\n  lagrangian (x'^2 + y'^2 + u'^2 + v'^2)/2 - 9.8*(y + v)\n  holonomic one: x^2 + y^2 = 1\n  holonomic two: (u - x)^2 + (v - y)^2 = 1\n  start x = sin(0.9), y = -cos(0.9), u = sin(0.9) + sin(0.4), v = -cos(0.9) - cos(0.4)\n}\n",8,dp,[0.9,0.4,0,0],['x','y','u','v'],lambda Y:np.array([np.sin(Y[0]),-np.cos(Y[0]),np.sin(Y[0])+np.sin(Y[1]),-np.cos(Y[0])-np.cos(Y[1])]))


# sweeps: the same with a number that varies
FAMILIES = {'josephson_drive': ('c', [0.3, 0.6, 0.9, 1.2]), 'quartic_pair': ('c', [0.5, 2.0, 8.0, 32.0])}


def family(name, value):
    if name == 'josephson_drive':
        lag(name, ['f'], 'fd**2/2 + cos(f)', {'f': '0.4 + %r*sin(1.3*t) - 0.6*fd' % value}, dict(f=0, fd=0), 40)
    else:
        lag(name, ['x', 'y'], '(xd**2 + yd**2)/2 - x**4/4 - y**2/2 - %r*(x - y)**4/4' % value, {}, dict(x=1, y=0, xd=0, yd=0.5), 30)
    return M.pop(name)


def angle(a, b):
    """Between quaternions as attitudes, or between directions."""
    if len(a) == 4:
        return 2 * np.arccos(min(1, abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)))
    return np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)


def integrate(f, y0, T):
    return solve_ivp(f, (0, T), np.array(y0, float), method='DOP853', rtol=1e-12, atol=1e-12, dense_output=True, max_step=0.05).sol(np.linspace(0, T, 2001))


def compared(kind, co, Y):
    """[columns, values at the end, amplitude] of all that is compared."""
    rows, one = [], lambda c, y: [[c], [y[-1]], (y.max() - y.min()) / 2]
    if kind != 'body':
        return [one(c, y) for c, y in zip(co, Y)]
    turned, n = (['R.w', 'R.x', 'R.y', 'R.z'], 4) if co[0] == 'R' else (['n[1]', 'n[2]', 'n[3]'], 3)
    widest = max(angle(y, Y[:n, 0]) for y in Y[:n, ::4].T)
    rows = [[turned, list(Y[:n, -1]), min(widest, np.pi) / 2]]
    return rows + [one('x[%d]' % (k + 1), Y[7 + k]) for k in range(3 if 'x' in co else 0)]


def entry(model):
    kind, text, T, make, y0, co = model
    if kind == 'relations':
        columns, out = co
        Y = out(np.linspace(0, T, 2001)) if y0 is None else out(integrate(make(), y0, T))
        return dict(kind=kind, until=T, values=compared(kind, columns, Y))
    return dict(kind=kind, until=T, values=compared(kind, co, integrate(make(), y0, T)))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    stored = {}
    for name, model in list(M.items()):
        stored[name] = entry(model)
        with open(os.path.join(here, 'models', name + '.dal'), 'w') as file:
            file.write(model[1])
    for name, (parameter, values) in FAMILIES.items():
        members = [family(name, v) for v in values]
        stored[name] = dict(kind='sweep', until=members[0][2], parameter=parameter, members=[dict(value=v, **entry(m)) for v, m in zip(values, members)])
        text = members[0][1].replace(repr(values[0]) + '*', parameter + '*', 1).replace('{\n', '{\n  parameter %s = %r\n' % (parameter, values[0]), 1)
        with open(os.path.join(here, 'models', name + '.dal'), 'w') as file:
            file.write(text)
    with open(os.path.join(here, 'blind.json'), 'w') as file:
        file.write('{\n' + ',\n'.join('"%s": %s' % (k, json.dumps(v)) for k, v in stored.items()) + '\n}\n')


if __name__ == '__main__':
    main()
