#!/usr/bin/env python3
"""Truth for the models beside this file: the index-reduced equations of motion of the same physics, often written in
other coordinates, integrated as those of ../examples/reference.py are. Nothing here is shared with dalembert.

Run it (needs python3-sympy) to make expected.csv anew:  ./reference.py > expected.csv
"""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'examples'))
from math import sin, cos, tan, sqrt, exp, pi
import sympy as sp
from reference import derive, end_of, extrapolate, solve, t, s, c

HEADER = 'model,scheme,step,until,quantity,value,tolerance'
FINE = 'gauss(5)'


def motion(q, v, T, steps=200, **parts):
    """End of a motion from q, v (dictionaries by name), with the difference of two step sizes as its error."""
    names = list(q)
    acc = derive(names, **parts)
    start = [float(q[k]) for k in names], [float(v.get(k, 0)) for k in names]
    fine, rates = end_of(acc, *start, T, steps)
    coarse, _ = end_of(acc, *start, T, steps * 3 // 4)
    return dict(zip(names, fine)), dict(zip(names, rates)), max(abs(a - b) for a, b in zip(fine, coarse))


def expect(model, T, values, error=0.0, scheme=FINE, step=0.02, tolerance=2e-11, size=1):
    for name, value in values.items():
        print('%s,%s,%g,%g,%s,%.15g,%.1e' % (model, scheme, step, T, name, value,
                                             tolerance * max(size, abs(value)) + 10 * error), flush=True)


def mirrored():
    q, _, e = motion(dict(a=0.3), {}, 2,
                     lagrangian=lambda e: e['a_v']**2 + e['a_v']**2 - 2 * 9.81 * s(e['a']) - 3)
    for scheme in ('midpoint', 'gauss(3)', FINE):
        expect('mirrored', 2, dict(a=q['a'], b=q['a'], c=0), e, scheme=scheme, tolerance=2e-3 if scheme == 'midpoint' else 2e-9)


def phase_pendulum():
    q, v, e = motion(dict(th=pi / 2), {}, 1, lagrangian=lambda e: e['th_v']**2 / 2 + 9.81 * c(e['th']))
    x, y = sin(q['th']), -cos(q['th'])
    values = {'x': x, 'y': y, 'p(x)': -y * v['th'], 'p(y)': x * v['th'], 'rod': (-v['th']**2 + 9.81 * y) / 2}
    expect('phase_pendulum', 1, values, e, scheme='lobatto(5)', step=0.01)
    expect('phase_pendulum', 1, values, e, scheme='lobatto(4)', step=0.001)


def molecule():
    """In units of 1e-10 m and 1e-13 s, and by the angle of the bond; k/m = 500/1.66e-27 1e-26."""
    k = 5e-24 / 1.66e-27
    q, v, e = motion(dict(x=0, y=0, a=0), dict(y=0, a=1), 10, steps=400, lagrangian=lambda e:
                     (e['x_v']**2 + e['y_v']**2 + e['D'](e['x'] + c(e['a']))**2 + e['D'](e['y'] + s(e['a']))**2) / 2
                     - k * e['x']**2 / 2)
    unit, speed = 1e-10, 1.66e-27 * 1e3
    expect('molecule', 1e-12, {'x': unit * q['x'], 'y': unit * q['y'], 'z': unit * (q['x'] + cos(q['a']))}, unit * e,
           scheme='lobatto(5)', step=1e-15, tolerance=1e-9, size=unit)
    expect('molecule', 1e-12, {'p(x)': speed * v['x'], 'p(y)': speed * v['y']}, speed * e,
           scheme='lobatto(5)', step=1e-15, tolerance=1e-9, size=speed)


def pole():
    q, v, e = motion(dict(th=0), dict(th=1), 2, lagrangian=lambda e: e['th_v']**2 / 2 + 9.81 * c(e['th']))
    expect('pole', 2, {'theta': q['th'], 'phi': 0, 'speed': v['th'], 'energy': 0.5 - 9.81}, e)


def e_(text):
    """An expression of the names of a model, of x_v for x' and of D(e), the total time derivative."""
    words = dict(sin=sp.sin, cos=sp.cos, exp=sp.exp, sqrt=sp.sqrt, t=t)
    return lambda e: sp.sympify(eval(text, words, e))


def direct(model, q, v, T, L, F={}, rows=(), holonomic=(), names={}, **how):
    """A model whose coordinates are those of its reference, but for their names."""
    steps = how.pop('steps', 200)
    end, _, error = motion(q, v, T, steps, lagrangian=e_(L), forces=lambda e: {k: e_(f)(e) for k, f in F.items()},
                           rows=[e_(r) for r in rows], holonomic=[e_(h) for h in holonomic])
    expect(model, T, {names.get(k, k): x for k, x in end.items()}, error, **how)


def relativistic():
    direct('relativistic', dict(x=0), dict(x=0.8), 2, '-2*sqrt(1-x_v**2)-x**2/2')


def growing_mass():
    direct('growing_mass', dict(x=1), {}, 3, 'exp(0.3*t)*(x_v**2/2-2*x**2)')


def kapitza():
    direct('kapitza', dict(th=3), {}, 2, '(D(sin(th))**2+D(-cos(th)+0.05*cos(40*t))**2)/2-9.81*(-cos(th)+0.05*cos(40*t))',
           steps=800, step=0.005)


def elastic_pendulum():
    direct('elastic_pendulum', dict(r=1.2, th=0.7), {}, 3, '(r_v**2+r**2*th_v**2)/2+9.81*r*cos(th)-10*(r-1)**2',
           names=dict(th='θ'))


def three_bodies():
    m, at = [1, 0.5, 0.25], [[1, 0, 0], [-1, 0, 0.3], [0, 2, 0]]
    q = {'x%d%d' % (i + 1, k + 1): at[i][k] for i in range(3) for k in range(3)}
    L = '+'.join('%g/2*%s_v**2' % (m[int(k[1]) - 1], k) for k in q)
    for i, j in ((1, 2), (1, 3), (2, 3)):
        L += '+%g/sqrt(%s)' % (m[i-1] * m[j-1], '+'.join('(x%d%d-x%d%d)**2' % (i, k, j, k) for k in (1, 2, 3)))
    direct('three_bodies', q, dict(x12=0.5, x22=-0.7, x31=0.4), 1, L, step=0.01,
           names={k: 'x[%s][%s]' % (k[1], k[2]) for k in q})


def magnetic():
    direct('magnetic', dict(x=1, y=0, z=0.1), dict(x=0.1, y=0.5, z=0.3), 3,
           '(x_v**2+y_v**2+z_v**2)/2+(1+z**2)*(x*y_v-y*x_v)')


def toda():
    direct('toda', dict(x1=0, x2=0, x3=0, x4=0), dict(x1=1, x4=-0.5), 3,
           '(x1_v**2+x2_v**2+x3_v**2+x4_v**2)/2-exp(x1-x2)-exp(x2-x3)-exp(x3-x4)',
           names={'x%d' % k: 'x[%d]' % k for k in (1, 2, 3, 4)})


def fput():
    u = ['0'] + ['u%d' % k for k in range(1, 6)] + ['0']
    L = '+'.join('%s_v**2/2' % k for k in u[1:6])
    for a, b in zip(u, u[1:]):
        L += '-(%s-%s)**2/2-(%s-%s)**3/12' % (b, a, b, a)
    direct('fput', {'u%d' % k: sin(pi * k / 6) for k in range(1, 6)}, {}, 4, L,
           names={'u%d' % k: 'u[%d]' % k for k in range(1, 6)})


def ladder():
    """By its angle alone; the pressures are m x'' and m (y'' + g)."""
    q, v, e = motion(dict(th=0.2), {}, 0.6, lagrangian=e_('2/3*th_v**2-9.81*cos(th)'))
    th, w, a = q['th'], v['th'], 0.75 * 9.81 * sin(q['th'])
    wall, floor = cos(th) * a - sin(th) * w**2, -sin(th) * a - cos(th) * w**2 + 9.81
    expect('ladder', 0.6, dict(th=th, x=sin(th), y=cos(th), wall=wall, floor=floor), e)


def triple_pendulum():
    names = {a + str(k): '%s[%d]' % (a, k) for k in (1, 2, 3) for a in 'xy'}
    L = '+'.join('(x%d_v**2+y%d_v**2)/2-9.81*y%d' % (k, k, k) for k in (1, 2, 3))
    direct('triple_pendulum', dict(x1=1, y1=0, x2=2, y2=0, x3=3, y3=0), {}, 1, L, F=dict(x1='-0.1*x1_v'),
           holonomic=['x1**2+y1**2-1', '(x2-x1)**2+(y2-y1)**2-1', '(x3-x2)**2+(y3-y2)**2-1'], names=names, step=0.01)


def closed(u, v, w):
    """The nearest v, w that close the linkage at u: the least change of both, as Newton's iteration of least norm."""
    for _ in range(50):
        g = cos(u) + 2.5 * cos(v) - 2.2 - 2 * cos(w), sin(u) + 2.5 * sin(v) - 2 * sin(w)
        a, b, c_, d = -2.5 * sin(v), 2 * sin(w), 2.5 * cos(v), -2 * cos(w)
        det = a * d - b * c_
        v, w = v - (d * g[0] - b * g[1]) / det, w - (a * g[1] - c_ * g[0]) / det
    return v, w


def four_bar():
    v, w = closed(1.2, 0.5, 1.5)
    L = ('(D(cos(u)/2)**2+D(sin(u)/2)**2+D(cos(u)+1.25*cos(v))**2+D(sin(u)+1.25*sin(v))**2+D(cos(w))**2+D(sin(w))**2)/2'
         '+(u_v**2+v_v**2+w_v**2)/24-9.81*(1.5*sin(u)+1.25*sin(v)+sin(w))')
    direct('four_bar', dict(u=1.2, v=v, w=w), {}, 1, L, F=dict(u='2-0.3*u_v'),
           holonomic=['cos(u)+2.5*cos(v)-2.2-2*cos(w)', 'sin(u)+2.5*sin(v)-2*sin(w)'])


def trailer():
    L = ('(x_v**2+y_v**2)/2+0.15*th_v**2+0.025*steer_v**2+0.2*(D(x-0.8*cos(ps))**2+D(y-0.8*sin(ps))**2)+0.05*ps_v**2')
    direct('trailer', dict(x=0, y=0, th=0, steer=0.2, ps=0), dict(x=1, th=tan(0.2)), 2, L,
           F=dict(steer='0.2*cos(2*t)-0.05*steer_v', x='0.5*cos(th)', y='0.5*sin(th)'),
           rows=['-sin(th)*x_v+cos(th)*y_v', '-sin(th+steer)*x_v+cos(th+steer)*y_v+cos(steer)*th_v',
                 '-sin(ps)*D(x-0.8*cos(ps))+cos(ps)*D(y-0.8*sin(ps))'])


def turntable():
    turn = 2 * 2 / 7  # rate times until = 1; the start is v = (0, 1)
    r = 7 / 4
    expect('turntable', 1, {'x': 1 - r * (1 - cos(turn)), 'y': r * sin(turn), 'p(x)': -sin(turn), 'p(y)': cos(turn)})


def driven_edge():
    direct('driven_edge', dict(x=0, y=0, phi=0), dict(x=0.5, phi=1.3), 3, '(x_v**2+y_v**2)/2+phi_v**2/4+0.3*x',
           rows=['sin(phi)*x_v-cos(phi)*y_v', 'phi_v-1.3-0.1*sin(t)'])


def shaken():
    direct('shaken', dict(y=0.5), {}, 3, 'y_v**2/2-2*(y-sin(3*t)/10)**2-(y-sin(3*t)/10)**4')


def not_separable():
    direct('not_separable', dict(q=0.5), dict(q=1.2), 2, 'q_v**2/(2*(1+q**2))-q**2/2-q**4/4', F=dict(q='-0.3*q_v+0.2*cos(t)'))


def logistic():
    grown = 0.1 * exp(2) / (0.9 + 0.1 * exp(2))
    expect('logistic', 2, {'x': grown, 'p(x)': 0.09 / (grown * (1 - grown))})


def two_kinds():
    q, v, e = motion(dict(x=1), dict(x=0.5), 3, lagrangian=e_('1.5*x_v**2-x**2/2-x**4/4'), forces=lambda e: dict(x=-0.1 * e['x_v']))
    expect('two_kinds', 3, {'a.x': q['x'], 'b.y': q['x'], 'p(a.x)': v['x'], 'p(b.y)': 2 * v['x']}, e)


def flow(f, y, T, steps):
    """The end of y' = f(t, y), by the classical Runge-Kutta method."""
    h = T / steps
    for k in range(steps):
        a = f(k * h, y)
        b = f((k + 0.5) * h, [u + h / 2 * w for u, w in zip(y, a)])
        c_ = f((k + 0.5) * h, [u + h / 2 * w for u, w in zip(y, b)])
        d = f((k + 1) * h, [u + h * w for u, w in zip(y, c_)])
        y = [u + h / 6 * (p + 2 * q + 2 * r + w) for u, p, q, r, w in zip(y, a, b, c_, d)]
    return y


def lorenz():
    end = flow(lambda _, y: [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]], [1, 1, 1], 2, 40000)
    expect('lorenz', 2, dict(zip('xyz', end)), step=0.005, tolerance=1e-10)


def loop():
    end = flow(lambda _, y: [y[1], -4 * y[0] + 1.5 * y[2] - 0.1 * y[1], (1 - y[0] - y[2]) / 0.3], [0.2, 0, 0], 4, 20000)
    expect('loop', 4, dict(zip(('plant.x', 'p(plant.x)', 'f.z'), end)))


def parallel():
    end = flow(lambda time, y: [sin(time) - y[1] - y[0], y[0] / 0.5], [0, 0], 3, 20000)
    expect('parallel', 3, {'c.q': end[0], 'p(l.q)': end[1], 'source': 1 - cos(3)})


def gyroscope():
    direct('gyroscope', dict(a=0, b=0.5, c=0), dict(c=20, a=1), 1,
           '0.35*(b_v**2+sin(b)**2*a_v**2)+0.2*(c_v+a_v*cos(b))**2-3*cos(b)', steps=400, step=0.01,
           names=dict(a='ϕ', b='θ', c='ψ'))


def earth():
    """In units of 1.496e11 m and 86400 s."""
    r, day = 1.496e11, 86400.0
    gm = 6.674e-11 * 1.989e30 * day**2 / r**3
    q, _, e = motion(dict(x=1, y=0), dict(y=2.978e4 * day / r), 365, steps=600,
                     lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2 + gm / sp.sqrt(e['x']**2 + e['y']**2))
    expect('earth', 365 * day, {k: r * x for k, x in q.items()}, r * e, step=day, tolerance=1e-10, size=r)


def vortices():
    """About their centre (2/3, 0) with the rate -(G1 + G2)/(2 pi d^2)."""
    w = -3 / (2 * pi)
    values = {'x[1]': 2 / 3 - 2 / 3 * cos(5 * w), 'y[1]': -2 / 3 * sin(5 * w), 'x[2]': 2 / 3 + cos(5 * w) / 3,
              'y[2]': sin(5 * w) / 3, 'speed': w * cos(5 * w) / 3}
    expect('vortices', 5, values, step=0.05)
    expect('vortices', 5, values, scheme='midpoint', step=0.05, tolerance=1e-3)


def words():
    w2, w6, rt2 = cos(4), cos(2 * sqrt(6)), sqrt(2)
    expect('words', 2, {'force': 0.5 + w2 / 2, 'input': 0.5 - w2 / 2, 'd': 2 * cos(2 * rt2), 'p': w6,
                        'e': sin(2 * rt2) / rt2, 'sum': cos(2 * rt2), 'min': 0})


def morse():
    """In units of 1e-10 m and 1e-15 s; the momentum is that of the mass 1.6267e-27."""
    k = 7.31e-19 / 1.6267e-27 * 1e-10
    q, v, e = motion(dict(r=1.5), {}, 50, steps=400, lagrangian=lambda e:
                     e['r_v']**2 / 2 - k * (1 - sp.exp(-1.8677 * (e['r'] - 1.2746)))**2)
    for scheme, tolerance in ((FINE, 1e-10), ('lobatto(4)', 1e-6)):
        expect('morse', 5e-14, {'r': 1e-10 * q['r']}, 1e-10 * e, scheme, 1e-16, tolerance, size=1e-10)
        expect('morse', 5e-14, {'p(r)': 1.6267e-22 * v['r']}, 1e-22 * e, scheme, 1e-16, tolerance, size=1e-23)


def first_order(names, start, theta, energy, T, steps=400):
    """L = theta(q) q' - H(q): the motion (d_i theta_j - d_j theta_i) q'_j = d_i H, by extrapolation."""
    q = sp.symbols(names)
    form = sp.Matrix(len(q), len(q), lambda i, j: sp.diff(theta(*q)[j], q[i]) - sp.diff(theta(*q)[i], q[j]))
    slope = sp.lambdify(q, [list(form.row(i)) + [sp.diff(energy(*q), q[i])] for i in range(len(q))], 'math')
    rate = lambda time, y: solve([list(row) for row in slope(*y)])
    ends = [extrapolate(rate, list(start), 0, T, n, columns=7) for n in (steps, steps * 3 // 4)]
    return dict(zip(names.split(), ends[0])), max(abs(a - b) for a, b in zip(*ends))


def predators():
    q, e = first_order('x y', (1.5, 1.2), lambda x, y: (sp.log(y) / x, 0), lambda x, y: x - sp.log(x) + y - sp.log(y), 7)
    for scheme, tolerance in ((FINE, 2e-11), ('gauss(3)', 1e-9), ('gauss(2)', 1e-6), ('midpoint', 1e-3)):
        expect('predators', 7, q, e, scheme, 0.05, tolerance)


def guiding_centre():
    B = lambda x: sp.sqrt((x / 5)**2 + (1 + x**2 / 10)**2)
    q, e = first_order('x y z u', (0.5, 0.2, 0, 0.4),
                       lambda x, y, z, u: (0, x + x**3 / 30 + u * x / 5 / B(x), u * (1 + x**2 / 10) / B(x) - x**2 / 10, 0),
                       lambda x, y, z, u: u**2 / 2 + B(x) / 10 + y**2 / 20 + z**2 / 50, 4)
    for scheme, tolerance in ((FINE, 2e-11), ('gauss(2)', 1e-8)):
        expect('guiding_centre', 4, q, e, scheme, 0.05, tolerance)


def gyrator():
    """The voltage u of C + L/r^2 behind R, in closed form."""
    V, R, C, L, r, T = 1, 0.5, 0.2, 0.3, 0.7, 1
    all = C + L / r**2
    lost = 1 - exp(-T / (R * all))
    u = V * lost
    q = dict(s=all * u, c=C * u, a=L / r**2 * u, b=(V * T - V * R * all * lost) / r)
    for scheme, step, tolerance in ((FINE, 0.02, 2e-11), (FINE, 0.0005, 2e-11), ('gauss(3)', 0.05, 2e-11), ('gauss(2)', 0.05, 2e-7),
                                    ('midpoint', 0.02, 1e-4)):
        expect('gyrator', T, q, 0, scheme, step, tolerance)


def controlled():
    """y follows from x and x' by Newton's iteration."""
    def pointer(x, v):
        y = 0.5
        for _ in range(50):
            y -= (x - 2 * y - y**3 + 0.8 * v * (1 + 0.1 * x)) / (-2 - 3 * y**2)
        return y
    ends = [end_of(lambda time, y: [pointer(*y) - 2 * y[0]], [1.0], [0.5], 2, n) for n in (200, 150)]
    (x,), (v,) = ends[0]
    for scheme, tolerance in ((FINE, 2e-11), ('gauss(3)', 1e-9), ('gauss(2)', 1e-6), ('midpoint', 1e-2)):
        expect('controlled', 2, dict(x=x, y=pointer(x, v)), abs(x - ends[1][0][0]), scheme, 0.05, tolerance)


def main():
    print(HEADER)
    for name, model in list(globals().items()):
        if callable(model) and os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.dal')):
            model()


if __name__ == '__main__':
    main()
