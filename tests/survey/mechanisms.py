"""Linkages, cams, gears, pendulums, bodies."""
from equations import *

g = R(981, 100)


def offset_crank():
    """One degree of freedom: the rod and the piston as functions of the crank."""
    th, = coordinates('th')
    r, l, e, J, I, m, M = R(1, 2), R(13, 10), R(1, 5), R(6, 10), R(1, 10), R(7, 10), R(11, 10)
    ps = sp.asin((e - r * sin(th)) / l)
    x = r * cos(th) + l * cos(ps)
    X, Y = r * cos(th) + l / 2 * cos(ps), r * sin(th) + l / 2 * sin(ps)
    L = J / 2 * d(th)**2 + I / 2 * d(ps)**2 + m / 2 * (d(X)**2 + d(Y)**2) + M / 2 * d(x)**2 - R(8, 10) / (R(22, 10) - x)
    lagrange('offset_crank', 5, {th: 0.4, d(th): 1}, L, {th: R(9, 10) - R(15, 100) * d(th)}, out={'th': th, 'ps': ps, 'x': x, 'p(x)': M * d(x)})


def five_bar():
    u, v, x, y = coordinates('u v x y')
    D, a, b, k, c = R(12, 10), 1, R(3, 2), 30, 2
    y0 = float(a * sin(2) + sqrt(b**2 - (D / 2 - a * cos(2))**2))
    lagrange('five_bar', 4, {u: 2, v: math.pi - 2, x: 0.6, y: y0},
             (d(u)**2 + d(v)**2) / 5 + (d(x)**2 + d(y)**2) / 2 - g * y,
             {u: k * (2 + R(3, 10) * sin(2 * t) - u) - c * d(u), v: k * (pi - 2 + R(2, 10) * sin(3 * t) - v) - c * d(v)},
             holonomic=[(x - a * cos(u))**2 + (y - a * sin(u))**2 - b**2, (x - D - a * cos(v))**2 + (y - a * sin(v))**2 - b**2])


def scotch_yoke():
    th, = coordinates('th')
    x = R(4, 10) * cos(th)
    L = R(15, 100) * d(th)**2 + d(x)**2 - R(5, 2) * x**2 - 3 * x**4
    lagrange('scotch_yoke', 6, {th: 0.3, d(th): 2}, L, {th: cos(t) / 2 - R(6, 10) * d(x) * sp.diff(x, th)}, out={'th': th, 'x': x, 'p(x)': 2 * d(x), 'p(th)': R(3, 10) * d(th)})


def watt():
    a, b, c = coordinates('a b c')
    h = R(6, 10)
    xa, ya, xb, yb = -1 + cos(a), sin(a), 1 - cos(b), -h + sin(b)
    X, Y = (xa + xb) / 2, (ya + yb) / 2
    F = -R(3, 10) - R(2, 10) * d(Y)
    lagrange('watt', 4, {a: 0, b: 0, c: 0, d(a): 0.5, d(b): 0.5},
             (d(a)**2 + d(b)**2) / 6 + d(c)**2 / 20 + (d(X)**2 + d(Y)**2) / 2 - 2 * Y**2,
             {a: F * sp.diff(Y, a), b: F * sp.diff(Y, b)}, holonomic=[xb - xa - h * sin(c), ya - yb - h * cos(c)])


def pantograph():
    """Three angles instead of six coordinates."""
    a, b, c = coordinates('a b c')
    xa, ya, xb, yb = sin(a), -cos(a), R(1, 10) - R(7, 10) * sin(b), -R(7, 10) * cos(b)
    xp, yp = xa + R(7, 10) * sin(c), ya - R(7, 10) * cos(c)
    L = (d(xa)**2 + d(ya)**2) / 2 + R(4, 10) * (d(xb)**2 + d(yb)**2) + R(2, 10) * (d(xp)**2 + d(yp)**2) \
        - g * (ya + R(8, 10) * yb + R(4, 10) * yp) - 10 * ((xp - xb)**2 + (yp - yb)**2)
    q = dict(xa=xa, ya=ya, xb=xb, yb=yb, xp=xp, yp=yp)
    mass = dict(a=1, b=R(8, 10), p=R(4, 10))
    lagrange('pantograph', 2, {a: 0.5, b: 0.3, c: 0.2}, L, out={**q, **{'p(%s)' % k: mass[k[1]] * d(e) for k, e in q.items()}})


def cam():
    th, y = coordinates('th y')
    m = R(8, 10)
    lift = lambda a: 1 + R(3, 10) * cos(a) + R(8, 100) * cos(3 * a + R(4, 10))
    lagrange('cam', 4, {th: 0.2, d(th): 6, y: lift(0.2), d(y): 6 * sp.diff(lift(th), th).subs(th, 0.2)}, d(th)**2 / 4 + m / 2 * d(y)**2 - 6 * (y - R(1, 2))**2 - g * m * y,
             {th: R(4, 10) - d(th) / 10}, holonomic=[y - lift(th)],
             out={'th': th, 'y': y, 'p(y)': m * d(y), 'p(th)': d(th) / 2, 'push': lam[0]})


def planetary():
    """Two speeds: the sun's and the carrier's; both relations are linear with constant coefficients."""
    rs, rp = R(1), R(6, 10)
    s, c = coordinates('s c')
    p = ((rs + rp) * c - rs * s) / rp
    r = (2 * (rs + rp) * c - rs * s) / (rs + 2 * rp)
    shift = -p.subs({s: 0, c: R(1, 2)})
    start = r.subs({s: 0, c: R(1, 2)})
    p, r = p + shift, r - start
    L = R(3, 10) * d(s)**2 + d(p)**2 / 20 + R(7, 10) * d(c)**2 + R(4, 10) * d(r)**2 - R(3, 2) * r**2 - cos(c) / 2
    lagrange('planetary', 5, {s: 0, c: 0.5, d(s): 1, d(c): 0.2}, L, {s: R(8, 10) * sin(t), c: -R(3, 10) * d(c)},
             out={'s': s, 'c': c, 'p': p, 'r': r, 'p(s)': R(6, 10) * d(s), 'p(c)': R(14, 10) * d(c)})


def belt():
    r1, r2, k, c = 0.3, 0.5, 40, 0.4

    def f(t, y):
        a, b, u, v = y
        T = 2 * k * (r1 * a - r2 * b) + 2 * c * (r1 * u - r2 * v)
        return [u, v, (2 * (1 - u / 12) - r1 * T) / 0.2, (r2 * T - 0.15 * 9.81 * math.cos(b)) / 0.6]
    ode('belt', 6, [0] * 4, f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': 0.2 * y[2], 'p(b)': 0.6 * y[3]})


def furuta():
    """The equations of motion of Cazzolato and Prime for a point mass."""
    I, m, r, l = 0.3, 0.4, 0.8, 0.5

    def f(t, y):
        a, b, u, v = y
        s, c = math.sin(b), math.cos(b)
        A, B, C = I + m * r * r + m * l * l * s * s, m * r * l * c, m * l * l
        ra = 0.3 * math.sin(2 * t) - 0.05 * u - 2 * m * l * l * s * c * u * v + m * r * l * s * v * v
        rb = -0.02 * v + m * l * l * s * c * u * u + m * 9.81 * l * s
        D = A * C - B * B
        return [u, v, (C * ra - B * rb) / D, (A * rb - B * ra) / D]

    def out(t, y):
        a, b, u, v = y
        s, c = math.sin(b), math.cos(b)
        A, B, C = I + m * r * r + m * l * l * s * s, m * r * l * c, m * l * l
        return {'a': a, 'b': b, 'p(a)': A * u + B * v, 'p(b)': B * u + C * v}
    ode('furuta', 3, [0, 0.6, 1, 0], f, out)


def acrobot():
    """The manipulator equations of Spong, with moments of inertia m l^2/12."""
    l1, l2, gg = 1.0, 1.1, 9.81
    i2 = l2 * l2 / 4 + 1 / 12

    def matrix(y):
        k = l1 * l2 / 2 * math.cos(y[1])
        return l1 * l1 / 4 + 1 / 12 + l1 * l1 + i2 + 2 * k, i2 + k, i2

    def f(t, y):
        a, b, u, v = y
        A, B, C = matrix(y)
        h = l1 * l2 / 2 * math.sin(b)
        tau = 2 * math.atan(u) - 3 * b - 0.3 * v
        w2 = gg * l2 / 2 * math.sin(a + b)
        ra = h * (2 * u * v + v * v) - gg * (l1 / 2 + l1) * math.sin(a) - w2
        rb = tau - h * u * u - w2
        D = A * C - B * B
        return [u, v, (C * ra - B * rb) / D, (A * rb - B * ra) / D]

    def out(t, y):
        A, B, C = matrix(y)
        return {'q[1]': y[0], 'q[2]': y[1], 'p(q[1])': A * y[2] + B * y[3], 'p(q[2])': B * y[2] + C * y[3]}
    ode('acrobot', 4, [0.3, 0.1, 0, 0], f, out)


def cart_poles():
    x, a, b = coordinates('x long.th short.th')
    L = d(x)**2 - R(2, 10) * g * cos(a) - R(1, 10) * g * R(3, 10) * cos(b)
    for m, l, q in ((R(2, 10), 1, a), (R(1, 10), R(3, 10), b)):
        L += m / 2 * (d(x + l * sin(q))**2 + d(l * cos(q))**2)
    lagrange('cart_poles', 3, {x: 0, a: 0.1, b: -0.15}, L, {x: 30 * a + 10 * d(a) - 5 * x - 8 * d(x), a: -d(a) / 100, b: -d(b) / 100},
             out={'x': x, 'long.x': x, 'long.th': a, 'short.th': b, 'p(long.th)': sp.diff(L, d(a)), 'p(short.th)': sp.diff(L, d(b))})


def rod_chain():
    """Three angles; the tension of the first rod from the motion of the first ball and the rods above and below."""
    a = coordinates('a b c')
    x, y = [], []
    for q, l in zip(a, (1, R(8, 10), R(8, 10))):
        x.append((x[-1] if x else 0) + l * sin(q))
        y.append((y[-1] if y else 0) - l * cos(q))
    L = sum(d(u)**2 + d(w)**2 for u, w in zip(x, y)) / 2 - g * sum(y)
    f = {q: (R(1, 2) - R(2, 10) * d(x[2])) * sp.diff(x[2], q) - R(2, 10) * d(y[2]) * sp.diff(y[2], q) for q in a}
    out = {}
    for k in range(3):
        out.update({'x[%d]' % (k + 1): x[k], 'y[%d]' % (k + 1): y[k], 'p(x[%d])' % (k + 1): d(x[k]), 'p(y[%d])' % (k + 1): d(y[k])})
    lagrange('rod_chain', 2, dict(zip(a, (math.atan2(0.6, 0.8), 0, math.pi / 2))), L, f, out=out)


def shaken_hoop():
    a, = coordinates('a')
    w, A, W = 4, R(1, 10), 7
    x, y, z = sin(a) * cos(w * t), sin(a) * sin(w * t), -cos(a) + A * sin(W * t)
    lagrange('shaken_hoop', 3, {a: 0.5, d(a): 0.4}, (d(x)**2 + d(y)**2 + d(z)**2) / 2 - g * z, {a: -R(2, 10) * (d(z) - A * W * cos(W * t)) * sin(a)},
             out={'x': x, 'y': y, 'z': z, 'p(x)': d(x), 'p(y)': d(y), 'p(z)': d(z)})


def swing():
    """(l^2 th')' = - g l sin th - c th'"""
    def length(t):
        return 2 * (1 + 0.15 * math.sin(4.4 * t))
    ode('swing', 8, [0.2, 0], lambda t, y: [y[1] / length(t)**2, -9.81 * length(t) * math.sin(y[0]) - 0.02 * y[1] / length(t)**2],
        lambda t, y: {'th': y[0], 'p(th)': y[1]})


def atwood():
    M, m, I = 2.4, 1, 0.1 / 0.04

    def f(t, y):
        r, a, u, v = y
        return [u, v, (r * m * v * v - 9.81 * (M - m * math.cos(a))) / (M + m + I), -2 * u * v / r - 9.81 * math.sin(a) / r]
    ode('atwood', 1.5, [1, 1.2, 0, 0], f, lambda t, y: {'r': y[0], 'th': y[1], 'p(r)': (M + m + I) * y[2], 'p(th)': m * y[0]**2 * y[3]})


def sliding_ladder():
    th, x, y = coordinates('th x y')
    m = R(3, 2)
    F = -R(3, 10) * (d(x) + d(sin(th)))
    lagrange('sliding_ladder', 0.6, {th: 0.3, x: math.sin(0.3), y: math.cos(0.3)}, m / 2 * (d(x)**2 + d(y)**2) + m / 6 * d(th)**2 - m * g * y,
             {x: F, th: F * cos(th)}, holonomic=[x - sin(th), y - cos(th)],
             out={'th': th, 'x': x, 'y': y, 'p(th)': m / 3 * d(th), 'p(x)': m * d(x), 'p(y)': m * d(y), 'fw': lam[0], 'ff': lam[1]})


def cardan():
    """b = atan(cos(beta) tan(a)) as a function of the first angle, so one equation."""
    k = math.cos(0.6)

    def f(t, y):
        a, u, b = y
        D = math.cos(a)**2 + k * k * math.sin(a)**2
        n = k / D                                                    # b' = n a'
        dn = -k / D**2 * (k * k - 1) * math.sin(2 * a)
        return [u, (1 + n * (-0.2 * n * u - 0.3 * math.sin(b)) - 0.5 * n * dn * u * u) / (0.8 + 0.5 * n * n), n * u]

    def out(t, y):
        a, u, b = y
        n = k / (math.cos(a)**2 + k * k * math.sin(a)**2)
        return {'a': a, 'b': b, 'p(a)': 0.8 * u, 'p(b)': 0.5 * n * u}
    ode('cardan', 6, [0, 2, 0], f, out)


def peaucellier():
    """One angle: of the line through the origin, c and d; d stays on x = (L^2 - s^2)/(2 p)."""
    a, = coordinates('a')
    near, far = cos(a), R(161, 100) / cos(a)
    M = (near + far) / 2
    h = sqrt(R(9, 4) - M**2)
    q = dict(xa=M * cos(a) - h * sin(a), ya=M * sin(a) + h * cos(a), xb=M * cos(a) + h * sin(a), yb=M * sin(a) - h * cos(a),
             xc=near * cos(a), yc=near * sin(a), xd=R(161, 100), yd=far * sin(a))
    mass = dict(a=1, b=1, c=R(6, 10), d=2)
    L = sum(mass[k[1]] * d(e)**2 for k, e in q.items()) / 2 - 2 * q['yd']
    lagrange('peaucellier', 2, {a: 0.4}, L, out={**q, 'line': R(161, 100), **{'p(%s)' % k: mass[k[1]] * d(e) for k, e in q.items()}})


def pulleys():
    a, b, c, w = coordinates('a b c load')
    L = (2 * d(a)**2 + R(3, 2) * d(b)**2 + d(c)**2 / 2 + 3 * d(w)**2) / 2 + g * (2 * a + R(3, 2) * b + c / 2 + 3 * w) - 25 * (w - c - R(4, 10))**2
    lagrange('pulleys', 2, {a: 1, b: 1, c: 1, w: 1.7}, L, {b: -d(b) / 2 * sqrt(R(1, 100) + d(b)**2)}, holonomic=[a + 2 * c + b - 4],
             out={'a': a, 'b': b, 'c': c, 'load': w, 'p(a)': 2 * d(a), 'p(load)': 3 * d(w), 'tension': -lam[0]})


def tumbling():
    """Euler's equations and q' = q w/2."""
    A, B, C = 1, 2, 3

    def f(t, y):
        a, b, c, e, u, v, w = y
        return [(-b * u - c * v - e * w) / 2, (a * u + c * w - e * v) / 2, (a * v - b * w + e * u) / 2, (a * w + b * v - c * u) / 2,
                ((B - C) * v * w + 0.1) / A, (C - A) * w * u / B, (A - B) * u * v / C]

    def out(t, y):
        a, b, c, e, u, v, w = y
        U, V, W = 2 * A * u, 2 * B * v, 2 * C * w
        return {'q0': a, 'q1': b, 'q2': c, 'q3': e, 'u1': u, 'u2': v, 'u3': w,
                'p(q0)': -b * U - c * V - e * W, 'p(q1)': a * U - e * V + c * W, 'p(q2)': e * U + a * V - b * W, 'p(q3)': -c * U + b * V + a * W}
    ode('tumbling', 4, [1, 0, 0, 0, 0.01, 2, 0.02], f, out)


def dumbbell():
    """The centre of mass and the angle of the rod."""
    X, Y, a = coordinates('X Y a')
    l = R(3, 10)
    x1, y1, x2, y2 = X + l / 3 * cos(a), Y + l / 3 * sin(a), X - 2 * l / 3 * cos(a), Y - 2 * l / 3 * sin(a)
    L = (d(x1)**2 + d(y1)**2) / 2 + 1 / sqrt(x1**2 + y1**2) + (d(x2)**2 + d(y2)**2) / 4 + 1 / (2 * sqrt(x2**2 + y2**2))
    # at t = 0 the rod points from the second, at 1.3, to the first, at 1
    lagrange('dumbbell', 6, {X: 1.1, Y: 0, a: math.pi, d(Y): (1.05 + 0.4) / 1.5, d(a): (0.8 - 1.05) / 0.3}, L,
             out={'x[1]': x1, 'y[1]': y1, 'x[2]': x2, 'y[2]': y2, 'p(x[1])': d(x1), 'p(y[1])': d(y1), 'p(x[2])': d(x2) / 2, 'p(y[2])': d(y2) / 2})


def pearl():
    x, = coordinates('x')
    u = x - R(3, 10) * sin(R(17, 10) * t)
    z = u**2 / 2 - u**4 / 8
    lagrange('pearl', 4, {x: 0.8, d(x): 0.51}, (d(x)**2 + d(z)**2) / 2 - g * z, out={'x': x, 'z': z, 'p(x)': d(x), 'p(z)': d(z)})


def three_cranks():
    """One angle; two of the six relations repeat others."""
    a, = coordinates('a')
    x, y = cos(a), sin(a)
    lagrange('three_cranks', 2, {a: 0.5, d(a): 1}, R(45, 100) * d(a)**2 + (d(x)**2 + d(y)**2) / 2 - g * y,
             out={'a': a, 'b': a, 'c': a, 'x': x, 'y': y, 'p(x)': d(x), 'p(y)': d(y), 'p(a)': R(3, 10) * d(a), 'p(c)': R(3, 10) * d(a)})


def scaled_rods():
    """A triple pendulum in its own units of length and time."""
    angles = coordinates('a b c')
    x, y = [], []
    for q, l in zip(angles, (1, R(8, 10), R(8, 10))):
        x.append((x[-1] if x else 0) + l * sin(q))
        y.append((y[-1] if y else 0) - l * cos(q))
    out = {'X[%d]' % (k + 1): x[k] for k in range(3)}
    out.update({'Y[%d]' % (k + 1): y[k] for k in range(3)})
    lagrange('nano_rods', 2, dict(zip(angles, (math.atan2(0.6, 0.8), 0, math.pi / 2))),
             sum(d(u)**2 + d(w)**2 for u, w in zip(x, y)) / 2 - g * sum(y), out=out)
    own = MODELS['nano_rods']
    for name, second in (('nano_rods', 1e-9), ('giga_rods', 1e4)):
        MODELS[name] = lambda second=second: (lambda T, values, error: (T * second, values, error))(*own())


def trusses():
    a, = coordinates('a')
    out = {}
    for k in (1, 2, 3):
        out.update({'x[%d]' % k: k + sin(a), 'y[%d]' % k: -cos(a), 'p(x[%d])' % k: d(sin(a)), 'p(y[%d])' % k: d(-cos(a))})
    lagrange('trusses', 2, {a: 1}, R(3, 2) * d(a)**2 + 3 * g * cos(a), out=out)


for motion in (offset_crank, five_bar, scotch_yoke, watt, pantograph, cam, planetary, belt, furuta, acrobot, cart_poles,
               rod_chain, shaken_hoop, swing, atwood, sliding_ladder, cardan, peaucellier, pulleys, tumbling, dumbbell, pearl,
               scaled_rods, three_cranks, trusses):
    motion()
