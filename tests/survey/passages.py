"""Poles, walls and close encounters, and motions of few steps a period: which steps resolve them?"""
from equations import *
from sympy import exp, log, tan


def bodies():
    x, y = coordinates('x y')
    v2 = d(x)**2 + d(y)**2
    r = sqrt(x**2 + y**2)
    X = coordinates('x1 y1 x2 y2 x3 y3')
    m = [3, 4, 5]
    far = lambda i, j: sqrt((X[2 * i] - X[2 * j])**2 + (X[2 * i + 1] - X[2 * j + 1])**2)
    lagrange('three_body_close', 3, dict(zip(X, (1, 3, -2, -1, 1, -1))),
             sum(m[k // 2] * d(X[k])**2 for k in range(6)) / 2 + sum(m[i] * m[j] / far(i, j) for i in range(3) for j in range(i)), steps=0)
    a, b = ((x + 0.5)**2 + y**2)**1.5, ((x - 0.5)**2 + y**2)**1.5
    lagrange('force_three', 6, {x: 0.2, y: 1}, v2 / 2, {x: -(x + 0.5) / a - (x - 0.5) / b, y: -y / a - y / b}, steps=0)
    lagrange('relativistic_comet', 10, {x: 1, y: 0, d(y): 0.35}, -100 * sqrt(1 - v2 / 100) + 1 / r, steps=0)
    lagrange('coulomb_scatter', 4, {x: -2, y: 0.02, d(x): 1}, v2 / 2 + 1 / r, steps=0)
    lagrange('coulomb_repelled', 5, {x: -3, y: 0.02, d(x): 1.5}, v2 / 2 - 1 / r, steps=0)
    lagrange('soft_centre', 20, {x: 1, y: 0, d(y): 0.1}, v2 / 2 + 1 / sqrt(x**2 + y**2 + 0.04), steps=0)
    lagrange('hard_centre', 4, {x: 1, y: 0, d(y): 0.01}, v2 / 2 + 1 / sqrt(x**2 + y**2 + 0.000004), steps=0)
    lagrange('henon_chaos', 60, {x: 0.1, y: 0.1, d(x): 0.55}, v2 / 2 - (x**2 + y**2) / 2 - x**2 * y + y**3 / 3, steps=0)
    low = v2 / 2 + 1 / r
    lagrange('low_perihelion', 100, {x: 1, y: 0, d(y): 0.3}, low, {x: 0.001 * sin(t)}, steps=0)
    lagrange('force_comet', 20, {x: 1, y: 0, d(y): 0.05}, v2 / 2, {x: -x / r**3, y: -y / r**3}, steps=0)


def charges():
    x, y, z = coordinates('x y z')
    T = (d(x)**2 + d(y)**2 + d(z)**2) / 2
    lagrange('magnetic_pole', 3, {x: 1, y: 0.001, z: 0, d(x): -1}, T - 0.3 * log(x**2 + y**2) / 2 * d(z), steps=0)
    lagrange('dipole_field', 20, {x: 1, y: 0, z: 0, d(x): 0.1, d(z): 0.05}, T + (x * d(y) - y * d(x)) / (x**2 + y**2 + z**2)**1.5, steps=0)
    lagrange('toda_pair', 10, {x: 0, y: 0, z: 0, d(x): 2, d(y): -1, d(z): -1}, T - exp(x - y) - exp(y - z) - exp(z - x), steps=0)


def on_a_line():
    x, r = coordinates('x r')
    w, u = d(x), d(r)
    lagrange('exp_wall', 3, {x: 1, w: -1}, w**2 / 2 - exp(-x / 0.01), steps=0)
    lagrange('exp_wall_force', 3, {x: 1, w: -1}, w**2 / 2, {x: exp(-x / 0.01) / 0.01 - 0.01 * w}, steps=0)
    lagrange('lennard_jones', 3, {r: 3, u: -3}, u**2 / 2 - 4 * (r**-12 - r**-6), steps=0)
    lagrange('morse_escape', 20, {r: 0, u: 1.6}, u**2 / 2 - (1 - exp(-r))**2, steps=0)
    lagrange('mathieu_strong', 40, {x: 1}, w**2 / 2 - (1 + 0.3 * cos(2 * t)) * x**2 / 2, steps=0)
    lagrange('kicked_narrow', 6, {x: 0.5}, w**2 / 2 + cos(x), {x: 1000 * exp(-((t - 3.3) / 0.001)**2)}, steps=0)
    lagrange('duffing_hard', 30, {x: 1}, w**2 / 2 - x**2 / 2 - x**4 / 4, {x: 0.3 * cos(1.2 * t) - 0.1 * w}, steps=0)
    lagrange('vdp_stiff', 40, {x: 2}, w**2 / 2 - x**2 / 2, {x: 20 * (1 - x**2) * w}, steps=0)
    lagrange('stiff_damper_late', 6, {x: -2, w: 2}, w**2 / 2 - x**2 / 2, {x: -exp(3 * x) * w}, steps=0)
    lagrange('rayleigh_oscillator', 40, {x: 0.1}, w**2 / 2 - x**2 / 2, {x: 0.5 * (1 - w**2) * w}, steps=0)
    q, = coordinates('q')
    lagrange('pendulum_over_top', 20, {q: 0, d(q): 2.0001}, d(q)**2 / 2 + cos(q), steps=0)


def in_angles():
    r, q, f = coordinates('r q f')
    lagrange('swinging_atwood', 5, {r: 1, q: 1.5}, (4 * d(r)**2 + r**2 * d(q)**2) / 2 - 9.81 * (3 * r - r * cos(q)), steps=0)
    lagrange('swinging_near_centre', 2, {r: 1, q: 0.05, d(r): 2.5}, (2.2 * d(r)**2 + r**2 * d(q)**2) / 2 - 9.81 * (1.2 * r - r * cos(q)), steps=0)
    # a free body goes straight on
    ode('polar_free', 2, [1, 0, -1, 0.005], lambda t, y: y[2:] + [0, 0],
        lambda t, y: {'r': math.hypot(y[0], y[1]), 'f': math.atan2(y[1], y[0]), 'p(r)': (y[0] * y[2] + y[1] * y[3]) / math.hypot(y[0], y[1]), 'p(f)': 0.005})
    th, = coordinates('th')
    lagrange('over_the_pole', 4, {th: 1, f: 0, d(f): 0.01}, (d(th)**2 + sin(th)**2 * d(f)**2) / 2 + 9.81 * cos(th), steps=0)
    a, b, c = coordinates('a b c')
    lagrange('euler_angles', 2, {a: 0, b: 1, c: 0, d(b): -1, d(a): 0.004, d(c): 0.02},
             (1.1 * (d(b) * cos(c) + d(a) * sin(b) * sin(c))**2 + 1.5 * (d(a) * sin(b) * cos(c) - d(b) * sin(c))**2 + 2 * (d(c) + d(a) * cos(b))**2) / 2, steps=0)
    x, y = coordinates('x y')
    R_ = sqrt(x**2 + y**2)
    lagrange('stiff_spring_pendulum', 2, {x: 1, y: 0}, (d(x)**2 + d(y)**2) / 2 - 9.81 * y - 5000 * (R_ - 1)**2, steps=0)
    lagrange('beads_on_parabola', 5, {x: 1, y: 1}, (d(x)**2 + d(y)**2) / 2 - 9.81 * y + 2 * x**2, holonomic=[y - x**2], out={'x': x, 'y': y}, steps=0)
    e = lambda a, b: 0.001 * (exp((a - b) / 0.05) - 1)
    lagrange('diode_late', 3, {a: 0, b: 0}, 0.2 * d(a)**2 / 2 + d(b)**2 / 2 - (a - t**2 / 4)**2 / 0.6,
             {a: -e(d(a), d(b)), b: e(d(a), d(b)) - d(b) / 3}, steps=0)
    ode('log_spiral', 10, [2, 0], lambda t, y: [math.exp(y[1]) - 1, 1 - math.exp(y[0])], lambda t, y: {'u': y[0], 'p(u)': y[1]}, steps=0)


for group in (bodies, charges, on_a_line, in_angles):
    group()
