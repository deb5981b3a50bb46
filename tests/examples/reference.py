#!/usr/bin/env python3
"""Independent reference for the examples: the index-reduced equations of motion, integrated by extrapolation.

Nothing here is shared with dalembert: the equations are derived by sympy from the Lagrangian as it stands in each
example, the constraints are differentiated once more,

    [ L_vv  -A^T ] [ a   ]   [ L_q + f - L_vq v - L_vt  ]
    [ A      0   ] [ lam ] = [ -(dA v) v - A_t v - ...  ]

and the initial value problem is solved by Gragg-Bulirsch-Stoer extrapolation (order 14, fixed steps, doubles).
Each row is computed with two step sizes; their difference is printed as the error of the reference.

Run it (needs python3-sympy) to make expected.csv anew:  (./reference.py && ./events.py) > expected.csv
With names of bodies in space it prints these alone.
"""
import math
import os
import sys
import sympy as sp
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from extrapolation import extrapolate, solve

t = sp.Symbol('t')
g_ = 9.81


def derive(names, lagrangian, forces=None, rows=(), holonomic=()):
    """rows: expressions e(t,q,v) = 0 linear in v; holonomic: g(t,q) = 0. Returns a(t, q, v)."""
    q = [sp.Symbol(n) for n in names]
    v = [sp.Symbol(n + '_v') for n in names]
    n = len(q)
    total = lambda e: sp.diff(e, t) + sum(sp.diff(e, x) * y for x, y in zip(q, v))
    env = dict(zip(names, q)); env.update({n + '_v': s for n, s in zip(names, v)})
    env.update(t=t, D=total, **{f: getattr(sp, f) for f in ('sin', 'cos', 'sqrt', 'exp', 'tanh')}, pi=sp.pi)
    L = lagrangian(env)
    f = [sp.Integer(0)] * n
    for k, e in (forces(env) if forces else {}).items():
        f[names.index(k)] = f[names.index(k)] + e
    e_rows = [r(env) for r in rows] + [total(h(env)) for h in holonomic]
    Lv = [sp.diff(L, y) for y in v]
    M = [[sp.diff(a, y) for y in v] for a in Lv]
    F = [sp.diff(L, x) + fi - sum(sp.diff(a, z) * y for z, y in zip(q, v)) - sp.diff(a, t)
         for x, fi, a in zip(q, f, Lv)]
    A = [[sp.diff(e, y) for y in v] for e in e_rows]
    b = [-(sp.diff(e, t) + sum(sp.diff(e, x) * y for x, y in zip(q, v))) for e in e_rows]
    m = len(e_rows)
    K = [[M[i][j] for j in range(n)] + [-A[a][i] for a in range(m)] for i in range(n)]
    K += [[A[a][j] for j in range(n)] + [0] * m for a in range(m)]
    flat = [x for row in K for x in row] + F + b
    fun = sp.lambdify([t] + q + v, flat, modules='math', cse=True)
    N = n + m

    def acceleration(time, y):
        z = fun(time, *y)
        k = [list(z[i * N:(i + 1) * N]) + [z[N * N + i]] for i in range(N)]
        return solve(k)[:n]
    return acceleration


def end_of(acc, q, v, T, steps):
    """Positions and velocities at T of q'' = acc(t, (q, v)), by order 14."""
    n = len(q)
    y = extrapolate(lambda s, y: list(y[n:]) + acc(s, y), list(q) + list(v), 0, T, steps, columns=7)
    return y[:n], y[n:]


EXAMPLES = {}


def example(name, T, q, v, steps, **parts):
    names = list(q)
    EXAMPLES[name] = (T, names, [q[k] for k in names], [v.get(k, 0.0) for k in names], steps, parts)


s, c = sp.sin, sp.cos
R = sp.Rational

example('oscillator', 20, dict(x=1.0), {}, 200,
        lagrangian=lambda e: e['x_v']**2 / 2 - 2 * e['x']**2,
        forces=lambda e: dict(x=-R(1, 10) * e['x_v'] + s(2 * t + sp.pi / 2)))
example('pendulum', 10, dict(theta=math.pi / 2), {}, 300,
        lagrangian=lambda e: e['theta_v']**2 / 2 + g_ * c(e['theta']))
example('kepler', 20, dict(x=0.4, y=0.0), dict(y=2.0), 600,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2 + 1 / sp.sqrt(e['x']**2 + e['y']**2))


def double_pendulum(e):
    a, b, D = e['a'], e['b'], e['D']
    x1, y1 = s(a), -c(a)
    x2, y2 = x1 + 0.7 * s(b), y1 - 0.7 * c(b)
    return (D(x1)**2 + D(y1)**2) / 2 + 0.25 * (D(x2)**2 + D(y2)**2) - g_ * (y1 + 0.5 * y2)


def double_pendulum_forces(e):
    joint = -0.05 * (e['b_v'] - e['a_v'])
    return dict(a=-0.05 * e['a_v'] + 2 * c(3 * t) - joint, b=joint)


example('double_pendulum', 5, dict(a=1.0, b=-0.5), {}, 300, lagrangian=double_pendulum, forces=double_pendulum_forces)
example('van_der_pol', 10, dict(q1=-0.5, q2=-0.25), dict(q2=4.0), 300,
        lagrangian=lambda e: (e['q1_v']**2 + e['q2_v']**2) / 2 - e['q1']**2 / 2 - 1.02 * e['q2']**2 / 2
        - 0.8 * (e['q1'] - e['q2'])**2,
        forces=lambda e: {k: (0.5 - e[k]**2) * e[k + '_v'] for k in ('q1', 'q2')})
example('charged_particle', 10, dict(x=1.0, y=0.0), dict(x=0.5, y=0.5), 500,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2
        + (2.5 + (e['x']**2 + e['y']**2) / 4) * (e['x'] * e['y_v'] - e['y'] * e['x_v']))
example('henon_heiles', 20, dict(x=0.0, y=0.1), dict(x=0.49), 200,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2
        - ((e['x']**2 + e['y']**2) / 2 + e['x']**2 * e['y'] - e['y']**3 / 3))
example('spherical_pendulum', 10, dict(theta=1.0, phi=0.0), dict(phi=2.0), 400,
        lagrangian=lambda e: (e['theta_v']**2 + s(e['theta'])**2 * e['phi_v']**2) / 2 + g_ * c(e['theta']))


bodies = ['x[%d]' % k for k in (1, 2, 3)]
weights = (1, 1, 0.3)


def three_bodies(e):
    place = [[e['%s[%d]' % (b, i)] for i in (1, 2, 3)] for b in bodies]
    L = sum(m / 2 * e['%s[%d]_v' % (b, i)]**2 for b, m in zip(bodies, weights) for i in (1, 2, 3))
    for j in range(3):
        for k in range(j + 1, 3):
            L += weights[j] * weights[k] / sp.sqrt(sum((a - b)**2 for a, b in zip(place[j], place[k])))
    return L


def flat(rows):
    return {'%s[%d]' % (b, i + 1): float(row[i]) for b, row in zip(bodies, rows) for i in range(3)}


example('three_bodies', 10, flat([(0.5, 0, 0), (-0.5, 0, 0), (0, 3, 0)]),
        flat([(0, 0.7, 0), (0, -0.7, 0), (0.8 * -0.8, 0, 0.8 * 0.6)]), 1000, lagrangian=three_bodies)
example('top', 5, dict(theta=0.6, phi=0.0, psi=0.0), dict(psi=10.0), 400,
        lagrangian=lambda e: (e['theta_v']**2 + s(e['theta'])**2 * e['phi_v']**2) / 2
        + 0.3 * (e['psi_v'] + c(e['theta']) * e['phi_v'])**2 - 2 * c(e['theta']))


def links(e):
    th, D, L = [e['th[%d]' % k] for k in range(1, 6)], e['D'], 0
    for k in range(1, 6):
        X, Y = sum(s(a) for a in th[:k]), -sum(c(a) for a in th[:k])
        L += (D(X)**2 + D(Y)**2) / 2 - g_ * Y
    return L


example('links', 2, {'th[%d]' % k: 0.5 for k in range(1, 6)}, {}, 200, lagrangian=links,
        forces=lambda e: {'th[%d]' % k: 0.1 * s(t) * c(e['th[%d]' % k]) for k in range(1, 6)})


def cart(e):
    x, th, D = e['cart.x'], e['cart.th'], e['D']
    return e['cart.x_v']**2 / 2 + 0.05 * (D(x + 0.5 * s(th))**2 + D(0.5 * c(th))**2) - 0.05 * g_ * c(th)


example('cart', 5, {'cart.x': 0.0, 'cart.th': 0.2}, {}, 400, lagrangian=cart,
        forces=lambda e: {'cart.x': 2 * e['cart.x'] + 4 * e['cart.x_v'] + 35 * e['cart.th'] + 9 * e['cart.th_v']})
example('double_well', 20, dict(q=0.995), {}, 200,
        lagrangian=lambda e: e['q_v']**2 / 2 - (e['q']**4 - e['q']**2) / 2)
example('knife_edge', 10, dict(x=0.0, y=0.0, phi=0.0), dict(phi=1.0), 200,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2 + e['phi_v']**2 / 4 + math.sin(0.5) * e['x'],
        rows=[lambda e: s(e['phi']) * e['x_v'] - c(e['phi']) * e['y_v']])


def sleigh(m, I, a):
    def L(e):
        D, th = e['D'], e['th']
        return m * (D(e['x'] + a * c(th))**2 + D(e['y'] + a * s(th))**2) / 2 + I * e['th_v']**2 / 2
    return L


example('chaplygin_sleigh', 10, dict(x=0.0, y=0.0, th=0.0), dict(x=0.2, th=1.0), 200, lagrangian=sleigh(1, 0.4, 0.3),
        rows=[lambda e: -s(e['th']) * e['x_v'] + c(e['th']) * e['y_v']])
example('rolling_disk', 21, dict(x=0.0, y=0.0, theta=0.0, phi=0.0), dict(theta=1.0, phi=0.3, x=1.0), 200,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2 + e['theta_v']**2 / 4 + e['phi_v']**2 / 8,
        rows=[lambda e: e['x_v'] - c(e['phi']) * e['theta_v'], lambda e: e['y_v'] - s(e['phi']) * e['theta_v']])


def roll(sign, wheel):
    return lambda e: (c(e['th']) * e['x_v'] + s(e['th']) * e['y_v'] + sign * 0.2 * e['th_v'] - 0.1 * e[wheel + '_v'])


example('robot', 10, dict(x=0.0, y=0.0, th=0.0, left=0.0, right=0.0), {}, 400,
        lagrangian=lambda e: sleigh(8, 0.3, 0.05)(e) + 0.005 * (e['left_v']**2 + e['right_v']**2),
        rows=[lambda e: -s(e['th']) * e['x_v'] + c(e['th']) * e['y_v'], roll(-1, 'left'), roll(1, 'right')],
        forces=lambda e: dict(left=0.4 - 0.05 * e['left_v'], right=0.5 - 0.05 * e['right_v']))
example('cartesian_pendulum', 5, dict(x=1.0, y=0.0), {}, 400,
        lagrangian=lambda e: (e['x_v']**2 + e['y_v']**2) / 2 - g_ * e['y'],
        holonomic=[lambda e: e['x']**2 + e['y']**2 - 1])
ex0, ey0 = 0.3 * math.cos(0.5), 0.3 * math.sin(0.5)
s0 = ex0 + math.sqrt(1 - ey0**2)
example('slider_crank', 3, dict(a=0.5, x=(ex0 + s0) / 2, y=ey0 / 2, s=s0), {}, 300,
        lagrangian=lambda e: 0.05 * e['a_v']**2 + (e['x_v']**2 + e['y_v']**2) / 2 + e['s_v']**2 - g_ * e['y'],
        holonomic=[lambda e: (e['s'] - 0.3 * c(e['a']))**2 + (0.3 * s(e['a']))**2 - 1,
                   lambda e: 2 * e['x'] - 0.3 * c(e['a']) - e['s'], lambda e: 2 * e['y'] - 0.3 * s(e['a'])],
        forces=lambda e: dict(a=1 - 0.2 * e['a_v']))
example('rlc', 10, dict(qL=1.0, qR=1.0, qC=1.0), {}, 100,
        lagrangian=lambda e: 0.375 * e['qL_v']**2 - e['qC']**2 / 6,
        rows=[lambda e: e['qL_v'] - e['qR_v'], lambda e: e['qR_v'] - e['qC_v']],
        forces=lambda e: dict(qR=-0.1 * e['qR_v']))
example('nonlinear_circuit', 20, dict(qL=0.0, qR=0.0, qC=0.0), {}, 300,
        lagrangian=lambda e: e['qL_v']**2 / 2 + 0.2 / 12 * e['qL_v']**4 - e['qC']**2 / 2 - 0.5 / 4 * e['qC']**4,
        rows=[lambda e: e['qL_v'] - e['qR_v'], lambda e: e['qR_v'] - e['qC_v']],
        forces=lambda e: dict(qR=-0.1 * e['qR_v'], qC=0.5 * c(1.2 * t)))


# Systems of parts: the relations between them as rows, or, where that is plain, their motion in fewer coordinates.
example('motor', 2, {'battery.q': 0.0, 'motor.q': 0.0, 'motor.phi': 0.0, 'gear.a': 0.0, 'gear.b': 0.0, 'arm.phi': 0.0}, {}, 400,
        lagrangian=lambda e: 0.025 * e['motor.q_v']**2 + 0.005 * e['motor.phi_v']**2 + 0.2 * e['motor.q_v'] * e['motor.phi']
        + 0.5 * e['arm.phi_v']**2 + 2 * g_ * c(e['arm.phi']),
        forces=lambda e: {'battery.q': 12, 'motor.q': -0.5 * e['motor.q_v'], 'motor.phi': -0.001 * e['motor.phi_v']},
        rows=[lambda e: e['battery.q_v'] - e['motor.q_v'], lambda e: e['motor.phi_v'] - e['gear.a_v'],
              lambda e: e['gear.a_v'] + 20 * e['gear.b_v'], lambda e: e['gear.b_v'] - e['arm.phi_v']])
coils = ['cell[%d].coil.q' % k for k in range(1, 9)]
example('rlc_ladder', 20, dict.fromkeys(coils, 0.0), {}, 300,
        lagrangian=lambda e: sum(e[k + '_v']**2 / 2 for k in coils) - e[coils[7]]**2 / 2
        - sum((e[a] - e[b])**2 / 2 for a, b in zip(coils, coils[1:])),
        forces=lambda e: {k: -0.05 * e[k + '_v'] + (1 - c(t) if k == coils[0] else 0) for k in coils})
masses = ['mass[%d].x' % k for k in range(1, 7)]


def hardening(e):
    ends = [0] + [e[k] for k in masses]
    return sum(e[k + '_v']**2 / 2 for k in masses) - sum(2 * (b - a)**2 + (b - a)**4 / 4 for a, b in zip(ends, ends[1:]))


example('spring_chain', 10, dict.fromkeys(masses, 0.0), {'mass[6].x': 2.0}, 300, lagrangian=hardening)
example('lever', 10, {'lever.a': 1.0, 'lever.b': -1 / 3, 'pan.x': 1.0, 'load.x': -1 / 3, 'spring.b': 1.0, 'damper.b': 1.0}, {}, 200,
        lagrangian=lambda e: e['pan.x_v']**2 / 2 + 4.5 * e['load.x_v']**2 - e['spring.b']**2 - e['spring.b']**4 / 4,
        forces=lambda e: {'damper.b': -0.1 * e['damper.b_v']},
        rows=[lambda e: e['lever.a_v'] / 3 + e['lever.b_v'], lambda e: e['pan.x_v'] - e['lever.a_v'],
              lambda e: e['load.x_v'] - e['lever.b_v'], lambda e: e['spring.b_v'] - e['lever.a_v'],
              lambda e: e['damper.b_v'] - e['lever.a_v']])
example('transformer', 10, {'mains.q': 0.0, 'coil.q': 0.0, 'core.q1': 0.0, 'core.q2': 0.0, 'plate.q': 0.0, 'burden.q': 0.0}, {}, 200,
        lagrangian=lambda e: e['coil.q_v']**2 - e['plate.q']**2 / 8,
        forces=lambda e: {'mains.q': s(2 * t), 'burden.q': -0.05 * e['burden.q_v']},
        rows=[lambda e: e['mains.q_v'] - e['coil.q_v'], lambda e: e['coil.q_v'] - e['core.q1_v'],
              lambda e: 3 * e['core.q1_v'] + e['core.q2_v'], lambda e: e['core.q2_v'] - e['plate.q_v'],
              lambda e: e['plate.q_v'] - e['burden.q_v']])


def rods(e):
    D, (a, b) = e['D'], (e['upper.phi'], e['lower.phi'])
    x, y = s(a), -c(a)
    points = [(x / 2, y / 2), (x + s(b) / 2, y - c(b) / 2)]
    return sum((D(X)**2 + D(Y)**2) / 2 - g_ * Y for X, Y in points) + (e['upper.phi_v']**2 + e['lower.phi_v']**2) / 24


example('pendulum_links', 3, {'upper.phi': 1.0, 'lower.phi': 0.5}, {}, 300, lagrangian=rods)


def lattice(N=12, beta=0.5):
    """The forces of the lattice written out by hand: sympy has no need to see 144 coordinates."""
    pairs = [(N * i + j, N * (i + 1) + j) for i in range(N - 1) for j in range(N)]
    pairs += [(N * i + j, N * i + j + 1) for i in range(N) for j in range(N - 1)]

    def acceleration(time, u):
        a = [0.0] * (N * N)
        for i, j in pairs:
            d = u[j] - u[i]
            tension = d + beta * d**3
            a[i] += tension
            a[j] -= tension
        return a
    return acceleration


example('lattice', 4, {'u[%d][%d]' % (i + 1, j + 1): 0.0 for i in range(12) for j in range(12)}, {'u[6][6]': 2.0}, 40,
        acceleration=lattice())


def body(J, torque):
    """Euler's equations with a quaternion: q' = q (0, W)/2, (J W)' = (J W) x W + torque(R^T e_3), all in body axes."""
    def rate(time, y):
        w, x, y_, z = y[:4]
        W = [m / j for m, j in zip(y[4:], J)]
        up = [2 * (x * z - w * y_), 2 * (y_ * z + w * x), w * w - x * x - y_ * y_ + z * z]
        m, f = y[4:], torque(up)
        return [(-x * W[0] - y_ * W[1] - z * W[2]) / 2, (w * W[0] + y_ * W[2] - z * W[1]) / 2,
                (w * W[1] + z * W[0] - x * W[2]) / 2, (w * W[2] + x * W[1] - y_ * W[0]) / 2] + [
                    m[(i + 1) % 3] * W[(i + 2) % 3] - m[(i + 2) % 3] * W[(i + 1) % 3] + f[i] for i in range(3)]
    return rate


def cross(a, b):
    return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]


half, axis = 0.35, [x / math.sqrt(6) for x in (1, 2, -1)]
tilted = [math.cos(half)] + [math.sin(half) * x for x in axis]
BODIES = {
    'free_body': (10, body([1, 2, 3], lambda up: [0, 0, 0]), tilted + [0.05, 4, 0.06], 400),
    # L = -(R a)_3: the torque is up x a
    'heavy_top': (10, body([1, 2, 2.6], lambda up: cross(up, [0.3, 0.2, 1])), tilted + [0.4, -0.6, 3.9], 400),
}


def first_integral(x, k2):
    """F with sn F = x: x R_F(1 - x^2, 1 - k^2 x^2, 1), by Carlson's duplication."""
    a = [1 - x * x, 1 - k2 * x * x, 1.0]
    while max(a) - min(a) > 1e-4 * min(a):
        r = [math.sqrt(b) for b in a]
        shift = r[0] * r[1] + r[0] * r[2] + r[1] * r[2]
        a = [(b + shift) / 4 for b in a]
    mean = sum(a) / 3
    X, Y = (1 - b / mean for b in a[:2])
    second, third = X * Y - (X + Y)**2, -X * Y * (X + Y)
    return x * (1 - second / 10 + third / 14 + second**2 / 24 - 3 * second * third / 44) / math.sqrt(mean)


def sn(x, k2):
    """By the arithmetic-geometric mean."""
    a, b, c = [1.0], math.sqrt(1 - k2), [math.sqrt(k2)]
    while abs(c[-1]) > 1e-17:
        a.append((a[-1] + b) / 2), c.append((a[-2] - b) / 2)
        b = math.sqrt(a[-2] * b)
    angle = 2**(len(a) - 1) * a[-1] * x
    for n in range(len(a) - 1, 0, -1):
        angle = (angle + math.asin(c[n] / a[n] * math.sin(angle))) / 2
    return math.sin(angle)


def lagrange_top(T, J1, J3, mgl, tilt, W, panels=400):
    """u = cos(theta) = u1 + (u2 - u1) sn^2(nu t + x0);  phi' = (b - a u)/(1 - u^2), psi' = W3 - u phi'."""
    u0 = math.cos(tilt)
    a, b = J3 * W[2] / J1, W[1] * math.sin(tilt) + J3 * W[2] * u0 / J1
    alpha, beta = W[0]**2 + W[1]**2 + 2 * mgl * u0 / J1, 2 * mgl / J1
    cubic = lambda u: (alpha - beta * u) * (1 - u * u) - (b - a * u)**2
    def root(low, high):
        for _ in range(200):
            mid = (low + high) / 2
            low, high = (low, mid) if (cubic(low) > 0) != (cubic(mid) > 0) else (mid, high)
        return (low + high) / 2
    u1, u2 = root(-1, u0), root(u0, 1)
    u3 = (alpha + a * a) / beta - u1 - u2           # the sum of all roots
    k2, nu = (u2 - u1) / (u3 - u1), math.sqrt(beta * (u3 - u1)) / 2
    x0 = -math.copysign(first_integral(math.sqrt((u0 - u1) / (u2 - u1)), k2), W[0])   # u' = -sin(tilt) W_1
    height = lambda t: u1 + (u2 - u1) * sn(nu * t + x0, k2)**2
    phi = psi = 0.0
    for k in range(panels):                         # Gauss' rule of five points
        for x, w in ((0, 128 / 225), (math.sqrt(5 - 2 * math.sqrt(10 / 7)) / 3, (322 + 13 * math.sqrt(70)) / 900),
                     (math.sqrt(5 + 2 * math.sqrt(10 / 7)) / 3, (322 - 13 * math.sqrt(70)) / 900)):
            for side in (1, -1) if x else (1,):
                u = height(T / panels * (k + (1 + side * x) / 2))
                rate = (b - a * u) / (1 - u * u)
                phi, psi = phi + w / 2 * T / panels * rate, psi + w / 2 * T / panels * (W[2] - u * rate)
    half = math.acos(height(T)) / 2
    return [math.cos(half) * math.cos((phi + psi) / 2), math.sin(half) * math.cos((phi - psi) / 2),
            math.sin(half) * math.sin((phi - psi) / 2), math.cos(half) * math.sin((phi + psi) / 2)]


def print_lagrange():
    fine, coarse = (lagrange_top(10, 1, 0.6, 2, 0.6, [0.8, -0.9, 8], n) for n in (400, 300))
    for k, a, b in zip('wxyz', fine, coarse):
        print('lagrange_top,10,R.%s,%.15g,%.1e' % (k, a, abs(a - b)), flush=True)


def on_sphere(time, y):
    """n'' = -g (e_3 - n_3 n) - |n'|^2 n"""
    n, v = y[:3], y[3:]
    stretch = g_ * n[2] - sum(x * x for x in v)
    return [stretch * n[0], stretch * n[1], stretch * n[2] - g_]


example('sphere', 10, {'n[1]': 0.6, 'n[2]': 0.0, 'n[3]': -0.8}, {'n[2]': 0.3}, 400, acceleration=on_sphere)
example('turntable', 10, {'x[1]': 0.3, 'x[2]': 0.1}, {'x[1]': 0.2, 'x[2]': -0.4}, 100,
        acceleration=lambda time, y: [-4 / 7 * y[3], 4 / 7 * y[2]])


# Bodies in space: quaternions and spins in body axes. SPACE[name] = T, y' = rate(t, y), y at 0, steps, values by name. ----------

dot = lambda a, b: sum(x * y for x, y in zip(a, b))
on = lambda M, a: [dot(row, a) for row in M]
add = lambda *vectors: [sum(x) for x in zip(*vectors)]
times = lambda k, a: [k * x for x in a]
transposed = lambda M: [list(row) for row in zip(*M)]
diag = lambda J: [[J[i] if i == k else 0.0 for k in range(3)] for i in range(3)]
linear = lambda M, b: solve([list(row) + [x] for row, x in zip(M, b)])


def turned(axis, angle):
    n = times(1 / math.sqrt(dot(axis, axis)), axis)
    return [math.cos(angle / 2)] + times(math.sin(angle / 2), n)


def turning(q, W):
    w, x, y, z = q
    return [(-x * W[0] - y * W[1] - z * W[2]) / 2, (w * W[0] + y * W[2] - z * W[1]) / 2,
            (w * W[1] + z * W[0] - x * W[2]) / 2, (w * W[2] + x * W[1] - y * W[0]) / 2]


def matrix(q):
    w, x, y, z = q
    return [[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]]


def spatial(name, a):
    return {'%s[%d]' % (name, k + 1): x for k, x in enumerate(a)}


def quaternion(name, q):
    return {name + '.' + k: x for k, x in zip('wxyz', q)}


def satellite(time, y, J=(1, 1.2, 0.8), I=0.05, k=0.4):
    """Angular momentum m of all and p of the wheels about their axes: m' = m x W, p' = k W."""
    q, m, p = y[:4], y[4:7], y[7:10]
    W = [(a - b) / j for a, b, j in zip(m, p, J)]
    return turning(q, W) + cross(m, W) + times(k, W) + [a / I - w for a, w in zip(p, W)]


def suslov(time, y, J=((1, 0.1, 0.3), (0.1, 1.4, -0.2), (0.3, -0.2, 2))):
    """Euler's equations without the third, in which W_3 = 0 has its torque."""
    W = y[4:6] + [0.0]
    b = cross(on(J, W), W)
    return turning(y[:4], W) + linear([J[0][:2], J[1][:2]], b[:2])


def quadrotor(time, y, m=1.2, J=(0.02, 0.021, 0.04), arm=0.2, drag=0.02):
    q, W, x, v = y[:4], y[4:7], y[7:10], y[10:]
    Q = matrix(q)
    wanted = [-0.25 * x[0] - 0.3 * v[0], -0.25 * x[1] - 0.3 * v[1], 1.0]
    lift = m * (g_ + 2 * (1 - x[2]) - 2 * v[2]) / 4
    M = add(times(1.5, cross([0, 0, 1], on(transposed(Q), wanted))), times(-0.25, W), [0, 0, -0.2 * Q[1][0]])
    T = [lift - M[1] / (2 * arm) + M[2] / (4 * drag), lift + M[0] / (2 * arm) - M[2] / (4 * drag),
         lift + M[1] / (2 * arm) + M[2] / (4 * drag), lift - M[0] / (2 * arm) - M[2] / (4 * drag)]
    torque = [arm * (T[1] - T[3]), arm * (T[2] - T[0]), drag * (T[0] - T[1] + T[2] - T[3])]
    JW = [j * w for j, w in zip(J, W)]
    force = add(times(sum(T), [row[2] for row in Q]), times(-0.1, v), [0, 0, -m * g_])
    return turning(q, W) + [a / j for a, j in zip(add(torque, cross(JW, W)), J)] + v + times(1 / m, force)


def rattleback(time, y, m=1.0, B=(0.04, 0.01, 0.0025), J=((0.0026, -0.0012, 0), (-0.0012, 0.0084, 0), (0, 0, 0.01))):
    """In body axes: the contact at a does not slip, V = a x W; F = m (V' + W x V) + m g up, J W' + W x J W = a x F."""
    q, W = y[:4], y[4:7]
    Q = matrix(q)
    up = Q[2]
    up_rate = cross(up, W)
    low, low_rate = [b * u for b, u in zip(B, up)], [b * u for b, u in zip(B, up_rate)]
    s = math.sqrt(dot(up, low))
    s_rate = dot(up, low_rate) / s
    a, a_rate = times(-1 / s, low), [-u / s + x * s_rate / s**2 for u, x in zip(low_rate, low)]
    V = cross(a, W)
    known = add(times(m, add(cross(a_rate, W), cross(W, V))), times(m * g_, up))
    right = add(cross(a, known), cross(on(J, W), W))
    M = [[J[i][k] + m * (dot(a, a) * (i == k) - a[i] * a[k]) for k in range(3)] for i in range(3)]
    return turning(q, W) + linear(M, right) + on(Q, V)


def rod_chain(time, y, N=5, l=1.0, m=1.0):
    """Centres at -l (n_1 + ... + n_k/2): sums of all n_j'', and a multiplier for the length of each."""
    n, v = [y[3 * k:3 * k + 3] for k in range(N)], [y[3 * N + 3 * k:3 * N + 3 * k + 3] for k in range(N)]
    arm = [[l if j < k else l / 2 if j == k else 0.0 for j in range(N)] for k in range(N)]
    rows = []
    for j in range(N):
        for i in range(3):
            row = [0.0] * (4 * N)
            for k in range(N):
                row[3 * k + i] = sum(m * arm[r][j] * arm[r][k] for r in range(N)) + (m * l * l / 12 if j == k else 0)
            row[3 * N + j] = n[j][i]
            rows.append(row + [sum(m * g_ * arm[r][j] for r in range(N)) if i == 2 else 0.0])
    for j in range(N):
        row = [0.0] * (4 * N)
        row[3 * j:3 * j + 3] = n[j]
        rows.append(row + [-dot(v[j], v[j])])
    return y[3 * N:] + solve(rows)[:3 * N]


two = ((1.0, (0.1, 0.12, 0.05), [0.1, 0, -0.5]), (0.7, (0.08, 0.05, 0.09), [0, 0.1, 0.4]))


def two_bodies(time, y):
    """The force in the joint, from the accelerations of its two sides."""
    q, W, x, v = (y[0:4], y[4:8]), (y[8:11], y[11:14]), (y[14:17], y[17:20]), (y[20:23], y[23:26])
    Q = [matrix(a) for a in q]

    def rates(F):
        out = []
        for k, (m, J, a) in enumerate(two):
            f = times(1 - 2 * k, F)
            JW = [j * w for j, w in zip(J, W[k])]
            spun = [b / j for b, j in zip(add(cross(a, on(transposed(Q[k]), f)), cross(JW, W[k])), J)]
            out.append((times(1 / m, f), spun, add(times(1 / m, f), on(Q[k], add(cross(spun, a), cross(W[k], cross(W[k], a)))))))
        return out
    gap = lambda F: add(rates(F)[0][2], times(-1, rates(F)[1][2]))
    zero = gap([0, 0, 0])
    columns = [add(gap([float(i == k) for i in range(3)]), times(-1, zero)) for k in range(3)]
    (a, A, _), (b, B, _) = rates(linear(transposed(columns), times(-1, zero)))
    return turning(q[0], W[0]) + turning(q[1], W[1]) + A + B + v[0] + v[1] + a + b


def four_bar():
    """In the plane, by three angles and a closed loop; returns the start and the acceleration."""
    bars = ((1, R(3, 10)), (2, R(9, 10)), (R(3, 2), R(7, 10)))
    joints = lambda e: [(0, 0), (bars[0][1] * c(e['th']), bars[0][1] * s(e['th'])), (1, 0)]

    def lagrangian(e):
        L = 0
        for (m, l), (x, z), q in zip(bars, joints(e), ('th', 'ph', 'ps')):
            X, Z = x + l / 2 * c(e[q]), z + l / 2 * s(e[q])
            L += m * (e['D'](sp.sympify(X))**2 + e['D'](sp.sympify(Z))**2) / 2 + m * (l**2 + R(1, 400)) / 24 * e[q + '_v']**2 - m * g_ * Z
        return L
    gap = lambda f, end: lambda e: bars[0][1] * f(e['th']) + bars[1][1] * f(e['ph']) - end - bars[2][1] * f(e['ps'])
    acc = derive(['th', 'ph', 'ps'], lagrangian, lambda e: dict(th=6 - R(6, 10) * e['th_v']), holonomic=[gap(c, 1), gap(s, 0)])
    far, tilt = math.hypot(1, 0.3), -math.atan2(0.3, 1)
    f = tilt + math.acos((0.81 - 0.49 + far * far) / (2 * far) / 0.9)
    start = [math.pi / 2, f, math.atan2(0.3 + 0.9 * math.sin(f), 0.9 * math.cos(f) - 1), 0.0, 0.0, 0.0]
    return start, lambda time, y: list(y[3:]) + acc(time, y)


def four_bar_places(y):
    at = [(0, 0, 0.3), (0.3 * math.cos(y[0]), 0.3 * math.sin(y[0]), 0.9), (1, 0, 0.7)]
    return {name + '.x[%d]' % k: a + l / 2 * f(q) for name, q, (x, z, l) in zip(('crank', 'coupler', 'rocker'), y, at)
            for k, a, f in ((1, x, math.cos), (3, z, math.sin))}


# each joint: its place, axis, stiffness, friction, rest; mass, centre and moments of what it carries
arm_joints = [
    ([0, 0, 0.3], 2, 80, 8, lambda t: 0.8 * math.sin(t), 6, [0, 0, 0], (0.05, 0.05, 0.04)),
    ([0.05, 0, 0.1], 1, 300, 20, lambda t: 0.5 + 0.3 * math.sin(t), 4, [0, 0, 0.2], (0.06, 0.06, 0.01)),
    ([0, 0, 0.4], 1, 150, 10, lambda t: 1.2 * math.cos(t), 2.5, [0, 0, 0.15], (0.02, 0.02, 0.004)),
    ([0, 0, 0.35], 2, 8, 0.4, lambda t: math.sin(2 * t), 0, [0, 0, 0], (0, 0, 0)),
    ([0, 0, 0], 1, 12, 0.5, lambda t: 0.7, 0.8, [0, 0, 0.05], (0.002, 0.002, 0.001)),
    ([0, 0, 0.1], 2, 2, 0.1, lambda t: t, 1.5, [0.05, 0, 0.08], (0.003, 0.003, 0.003))]


def arm(time, y):
    """Newton and Euler from the ground to the hand and back, once for the forces at no acceleration and once for each column of M."""
    n = len(arm_joints)
    q, v = y[:n], y[n:]

    def torques(accelerations, rates, weight):
        w, dw, a, down, felt = [0.0] * 3, [0.0] * 3, [0.0, 0.0, weight], [], []
        for k, (at, i, _, _, _, m, centre, J) in enumerate(arm_joints):
            e = [float(i == j) for j in range(3)]
            cs, sn = math.cos(q[k]), math.sin(q[k])
            Q = [[cs, -sn, 0], [sn, cs, 0], [0, 0, 1]] if i == 2 else [[cs, 0, sn], [0, 1, 0], [-sn, 0, cs]]
            back = transposed(Q)
            a = on(back, add(a, cross(dw, at), cross(w, cross(w, at))))
            w, dw = on(back, w), on(back, dw)
            dw = add(dw, times(accelerations[k], e), times(rates[k], cross(w, e)))
            w = add(w, times(rates[k], e))
            F = times(m, add(a, cross(dw, centre), cross(w, cross(w, centre))))
            JW = [j * x for j, x in zip(J, w)]
            down.append((Q, at, e))
            felt.append((F, add([j * x for j, x in zip(J, dw)], cross(w, JW), cross(centre, F))))
        F, M, out = [0.0] * 3, [0.0] * 3, [0.0] * n
        for k in reversed(range(n)):
            F, M = add(F, felt[k][0]), add(M, felt[k][1])
            Q, at, e = down[k]
            out[k] = dot(M, e)
            F = on(Q, F)
            M = add(on(Q, M), cross(at, F))
        return out
    zero = [0.0] * n
    bias = torques(zero, v, g_)
    columns = [torques([float(i == k) for i in range(n)], zero, 0.0) for k in range(n)]
    drive = [stiff * (rest(time) - x) - c * u for (_, _, stiff, c, rest, _, _, _), x, u in zip(arm_joints, q, v)]
    return list(v) + linear(transposed(columns), add(drive, times(-1, bias)))


def two_start():
    q, W = [turned([1, 0.3, 0], 0.8), turned([0.2, 1, 0.4], -0.5)], [[0.5, -0.4, 2], [-1, 0.6, 0.8]]
    Q = [matrix(a) for a in q]
    place = add(on(Q[0], two[0][2]), times(-1, on(Q[1], two[1][2])))
    speed = add(on(Q[0], cross(W[0], two[0][2])), times(-1, on(Q[1], cross(W[1], two[1][2]))))
    return q[0] + q[1] + W[0] + W[1] + [0.0] * 3 + place + [0.0] * 3 + speed


hung = [[0.28 * math.cos(k), 0.28 * math.sin(k), 0.96] for k in range(1, 6)]
low = math.sqrt((0.2 * math.sin(0.02))**2 + (0.05 * math.cos(0.02))**2)
bar_start, bar_rates = four_bar()
SPACE = {
    'satellite': (10, satellite, tilted + [0.525, -0.375, 0.68] + [0.025, -0.015, 0.04] + [0.0] * 3, 300,
                  lambda y: {**quaternion('R', y), **spatial('th', y[10:])}),
    'suslov': (10, suslov, [1.0, 0, 0, 0, -1.2, -0.7], 300, lambda y: quaternion('R', y)),
    'quadrotor': (4, quadrotor, turned([1, 2, -1], 1) + [0.0] * 3 + [1, -0.5, 0.5] + [0.0] * 3, 400,
                  lambda y: {**quaternion('drone.R', y), **spatial('drone.x', y[7:10])}),
    'rattleback': (2, rattleback, turned([0, 1, 0], 0.02) + [-3 * math.sin(0.02), 0, 3 * math.cos(0.02)] + [0, 0, low], 400,
                   lambda y: {**quaternion('R', y), **spatial('x', y[7:])}),
    'rod_chain': (0.5, rod_chain, sum(hung, []) + [0.0] * 15, 24,
                  lambda y: {'rod[%d].n[%d]' % (k + 1, i + 1): y[3 * k + i] for k in range(5) for i in range(3)}),
    'two_bodies': (5, two_bodies, two_start(), 150,
                   lambda y: {**quaternion('a.R', y), **quaternion('b.R', y[4:]), **spatial('b.x', y[17:20])}),
    'four_bar': (0.5, bar_rates, bar_start, 60, four_bar_places),
    'arm': (1, arm, [0, 0.5, 1.2, 0, 0.7, 0] + [0.0] * 6, 160, lambda y: {'j%d.q' % (k + 1): y[k] for k in range(6)}),
}


def print_space(names):
    for name in names or SPACE:
        T, rate, y, steps, out = SPACE[name]
        fine, coarse = (out(extrapolate(rate, y, 0, T, n, columns=7)) for n in (steps, steps * 3 // 4))
        for k in fine:
            print('%s,%g,%s,%.15g,%.1e' % (name, T, k, fine[k], abs(fine[k] - coarse[k])), flush=True)


def print_bodies():
    for name, (T, rate, y, steps) in BODIES.items():
        fine, coarse = (extrapolate(rate, y, 0, T, n, columns=7) for n in (steps, steps * 3 // 4))
        for k, a, b in zip('wxyz', fine, coarse):
            print('%s,%g,R.%s,%.15g,%.1e' % (name, T, k, a, abs(a - b)), flush=True)


def main():
    print('example,until,coordinate,value,error')
    for name, (T, names, q, v, steps, parts) in EXAMPLES.items():
        acc = parts['acceleration'] if 'acceleration' in parts else derive(names, **parts)
        fine, _ = end_of(acc, q, v, T, steps)
        coarse, _ = end_of(acc, q, v, T, steps * 3 // 4)
        for k, x, y in zip(names, fine, coarse):
            print('%s,%g,%s,%.15g,%.1e' % (name, T, k, x, abs(x - y)), flush=True)
    print_bodies()
    print_lagrange()
    print_space([])


if __name__ == '__main__':
    print_space(sys.argv[1:]) if sys.argv[1:] else main()
