"""Encounters with centres, tips, poles and walls, close and wide; more of them than in passages.py."""
from equations import *
from sympy import exp, log

x, y, z, r, q, f = coordinates('x y z r q f')
v2 = d(x)**2 + d(y)**2
R_ = sqrt(x**2 + y**2)
lagrange('spring_centre', 4, {r: 1, q: 0, d(q): 0.02}, (d(r)**2+r**2*d(q)**2)/2-4*r**2/2, steps=0)
lagrange('cone', 4, {r: 1, f: 0, d(f): 0.05}, (2*d(r)**2+r**2*d(f)**2)/2-9.81*r, steps=0)
lagrange('sphere_free', 4, {q: 1.2, f: 0, d(q): -1, d(f): 0.01}, (d(q)**2+sin(q)**2*d(f)**2)/2, steps=0)
lagrange('quartic_centre', 6, {x: 1, y: 0, d(y): 0.05}, v2/2-R_**4, steps=0)
lagrange('yukawa', 4, {x: 1, y: 0, d(y): 0.15}, v2/2+exp(-R_)/R_, steps=0)
lagrange('two_centres', 5, {x: 0.1, y: 1}, v2/2+1/sqrt((x-0.5)**2+y**2+0.0025)+1/sqrt((x+0.5)**2+y**2+0.0025), steps=0)
lagrange('bottle', 10, {x: 1, y: 0, z: 0, d(y): 1, d(z): 0.5}, (v2+d(z)**2)/2+(1+z**2)*(x*d(y)-y*d(x)), steps=0)
lagrange('torus_geo', 8, {q: 1, f: 0, d(q): 0.3, d(f): 0.8}, (d(q)**2+(2+cos(q))**2*d(f)**2)/2, steps=0)
lagrange('varactor_hard', 10, {x: 4}, d(x)**2/2-(exp(x)-x-1), steps=0)
lagrange('morse_hit', 6, {r: 6, d(r): -2}, d(r)**2/2-10*(1-exp(-2*(r-1)))**2, steps=0)
lagrange('charges_line', 3, {x: -1, y: 1.2, d(x): 2, d(y): -2.5}, v2/2-0.05/(y-x), steps=0)
lagrange('relativistic_spring', 10, {x: 3}, -sqrt(1-d(x)**2)-x**2/2, steps=0)
lagrange('wire_cos', 6, {x: 0.2, d(x): 2}, (1+9*sin(3*x)**2)*d(x)**2/2-9.81*cos(3*x), steps=0)
lagrange('limit_cycle', 20, {x: 0.1}, d(x)**2/2-x**2/2, {x: 5*(1-x**2)*d(x)}, steps=0)
lagrange('barrier', 4, {x: -1, d(x): 1}, d(x)**2/2-0.45*exp(-(x/0.02)**2), steps=0)
lagrange('barrier_wide', 4, {x: -1, d(x): 1}, d(x)**2/2-0.45*exp(-(x/0.3)**2), steps=0)
lagrange('pulse_wide', 6, {x: 0.5}, d(x)**2/2+cos(x), {x: 3*exp(-((t-3)/0.3)**2)}, steps=0)
lagrange('apo_comet', 8, {x: 1.97, y: 0, d(y): sqrt(0.03/1.97)}, v2/2+1/R_, steps=0)
lagrange('apo_comet_drag', 8, {x: 1.97, y: 0, d(y): sqrt(0.03/1.97)}, v2/2, {x: -x/R_**3-0.01*d(x), y: -y/R_**3-0.01*d(y)}, steps=0)
lagrange('rotating_frame', 6, {x: 0.5, y: 0, d(y): 0.9}, v2/2+(x*d(y)-y*d(x))+(x**2+y**2)/2+0.7/sqrt((x+0.3)**2+y**2)+0.3/sqrt((x-0.7)**2+y**2), steps=0)
lagrange('log_well', 6, {x: 1, y: 0, d(y): 0.02}, v2/2-log(x**2+y**2+0.0001)/2, steps=0)
lagrange('perihelion', 50, {x: 0.4, y: 0, d(y): 2}, v2/2 + 1/R_, steps=0)
