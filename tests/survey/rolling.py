"""Wheels, skates and other relations of velocities, by quasi-velocities where these are known."""
from equations import *


def disk_on_incline():
    """m R^2 w' + I w' = - m s R sin(psi) - c w, and psi turns uniformly."""
    def f(t, y):
        x, z, phi, psi, w = y
        return [0.5 * math.cos(psi) * w, 0.5 * math.sin(psi) * w, w, 0.7, (-2 * 0.5 * math.sin(psi) - 0.05 * w) / (0.25 + 0.125)]
    ode('disk_on_incline', 6, [0, 0, 0, 0, 2], f,
        lambda t, y: {'x': y[0], 'y': y[1], 'phi': y[2], 'psi': y[3], 'p(phi)': 0.125 * y[4], 'p(psi)': 0.0625 * 0.7, 'p(x)': 0.5 * math.cos(y[3]) * y[4]})


def snakeboard():
    x, y, th, ps, ph = coordinates('x y th ps ph')
    m, l, Jr, Jw = 2, R(4, 10), R(8, 100), R(1, 100)
    lagrange('snakeboard', 5, {x: 0, y: 0, th: 0, ps: 0, ph: 0.5},
             R(m, 2) * (d(x)**2 + d(y)**2) + m * l**2 / 2 * d(th)**2 + Jr / 2 * d(ps)**2 + Jr * d(ps) * d(th) + Jw * d(ph)**2,
             {ps: R(3, 10) * cos(2 * t), ph: R(2, 100) * cos(2 * t) - R(5, 100) * (ph - R(1, 2)) - R(2, 100) * d(ph)},
             rows=[-sin(th + ph) * d(x) + cos(th + ph) * d(y) - l * cos(ph) * d(th), -sin(th - ph) * d(x) + cos(th - ph) * d(y) + l * cos(ph) * d(th)])


def sleigh_pump():
    """Forward speed v and turning rate w: momentum along the blade, and about the contact."""
    m, I, a, mu, b = 1, 0.4, 0.3, 0.5, 0.2

    def f(t, y):
        x, z, th, v, w = y
        s, s1, s2 = 0.4 * math.sin(3 * t), 1.2 * math.cos(3 * t), -3.6 * math.sin(3 * t)
        # body frame, mass m at (a, 0), mass mu at (s, b); acceleration of a point (X, Y) with relative velocity (s1, 0):
        #   along: v' - w' Y - w^2 X + s2,  across: v w + w' X - w^2 Y + 2 w s1
        # along: m(v' - w^2 a) + mu(v' - w' b - w^2 s + s2) = 0
        # about the contact: I w' + m a (v w + w' a) + mu (s (v w + w' s - w^2 b + 2 w s1) - b (v' - w' b - w^2 s + s2)) = -0.1 w
        A, B, C = m + mu, -mu * b, I + m * a * a + mu * (s * s + b * b)
        r1 = m * w * w * a + mu * (w * w * s - s2)
        r2 = -0.1 * w - m * a * v * w - mu * (s * (v * w - w * w * b + 2 * w * s1) - b * (-w * w * s + s2))
        D = A * C - B * B
        return [v * math.cos(th), v * math.sin(th), w, (C * r1 - B * r2) / D, (A * r2 - B * r1) / D]
    ode('sleigh_pump', 6, [0, 0, 0, 0.5, 1], f, lambda t, y: {'x': y[0], 'y': y[1], 'th': y[2]})


def two_trailers():
    x, y, a, b, c = coordinates('x y a[1..3]')
    X1, Y1 = x - R(7, 10) * cos(b), y - R(7, 10) * sin(b)
    X2, Y2 = X1 - cos(c) / 2, Y1 - sin(c) / 2
    lagrange('two_trailers', 5, {x: 0, y: 0, a: 0, b: 0, c: 0, d(x): 0.8},
             (d(x)**2 + d(y)**2) / 2 + R(3, 10) * (d(X1)**2 + d(Y1)**2) + R(2, 10) * (d(X2)**2 + d(Y2)**2) + d(a)**2 / 10 + d(b)**2 / 20 + d(c)**2 / 20,
             {a: R(2, 10) * cos(t) - d(a) / 10, x: R(4, 10) * cos(a), y: R(4, 10) * sin(a)},
             rows=[sin(a) * d(x) - cos(a) * d(y), sin(b) * d(X1) - cos(b) * d(Y1), sin(c) * d(X2) - cos(c) * d(Y2)])


def turntable_skate():
    """x' = -W y + u cos(th), y' = W x + u sin(th); the equation of motion along the blade has no reaction."""
    W, I = 0.8, 0.2

    def f(t, s):
        x, y, th, w, u = s
        c, z = math.cos(th), math.sin(th)
        vx, vy = -W * y + u * c, W * x + u * z
        # x'' = -W y' + u' c - u w z, y'' = W x' + u' z + u w c; c x'' + z y'' = -c x - z y
        return [vx, vy, w, 0.1 * math.sin(t) / I, -c * x - z * y + W * (c * vy - z * vx)]

    def out(t, s):
        x, y, th, w, u = s
        return {'x': x, 'y': y, 'th': th, 'p(x)': -W * y + u * math.cos(th), 'p(y)': W * x + u * math.sin(th), 'p(th)': I * w}
    ode('turntable_skate', 5, [1, 0, 0, 0.6, 0.5], f, out)


def knife_drag():
    """v' = 3 cos(th) - 0.3 |v| v along the edge."""
    def f(t, y):
        x, z, th, w, v = y
        return [v * math.cos(th), v * math.sin(th), w, -0.2 * w / 0.3, 3 * math.cos(th) - 0.3 * math.sqrt(v * v + 0.04) * v]
    ode('knife_drag', 5, [0, 0, 0.2, 2, 0.5], f,
        lambda t, y: {'x': y[0], 'y': y[1], 'th': y[2], 'p(th)': 0.3 * y[3], 'p(x)': y[4] * math.cos(y[2]), 'p(y)': y[4] * math.sin(y[2])})


def heisenberg():
    """(1 + y^2) x'' + y y' x' = -x - y z^3"""
    def f(t, s):
        x, y, z, u, v = s
        return [u, v, y * u, (-x - y * z**3 - y * v * u) / (1 + y * y), -y]
    ode('heisenberg', 8, [0.5, 1, -0.3, 0.4, -0.2], f,
        lambda t, s: {'x': s[0], 'y': s[1], 'z': s[2], 'p(x)': s[3], 'p(y)': s[4], 'p(z)': s[1] * s[3]})


def roller_racer():
    x, y, th, ph = coordinates('x y th ph')
    l1, l2 = R(1, 2), R(3, 10)
    X, Y = x + l1 * cos(th) + l2 * cos(th + ph), y + l1 * sin(th) + l2 * sin(th + ph)
    lagrange('roller_racer', 5, {x: 0, y: 0, th: 0, ph: 0.4, d(x): 0.3, d(th): 0.3 * math.sin(0.4) / (0.5 * math.cos(0.4) + 0.3)},
             (d(x)**2 + d(y)**2) / 2 + R(15, 100) * d(th)**2 + R(25, 1000) * (d(th) + d(ph))**2, {ph: R(2, 10) * cos(3 * t) - R(3, 10) * ph - d(ph) / 20},
             rows=[sin(th) * d(x) - cos(th) * d(y), sin(th + ph) * d(X) - cos(th + ph) * d(Y)])


def suslov():
    """I w' = I w x w + reaction along the third axis: the first two components of Euler's equations with w3 = 0."""
    A, B, D, E = 1, 2, 0.4, 0.3

    def f(t, y):
        F, th, ps, a, b = y
        # M = I w = (A a, B b, D a + E b); M x w = (M2 w3 - M3 w2, M3 w1 - M1 w3) = (-M3 b, M3 a)
        M3 = D * a + E * b
        return [(a * math.sin(ps) + b * math.cos(ps)) / math.sin(th), a * math.cos(ps) - b * math.sin(ps),
                -math.cos(th) * (a * math.sin(ps) + b * math.cos(ps)) / math.sin(th), -M3 * b / A, M3 * a / B]
    s, c = math.sin(0.3), math.cos(0.3)
    ode('suslov', 4, [0, 1.3, 0.3, 0.5 * math.sin(1.3) * s + 0.4 * c, 0.5 * math.sin(1.3) * c - 0.4 * s], f,
        lambda t, y: {'f': y[0], 'th': y[1], 'ps': y[2], 'u1': y[3], 'u2': y[4]})


def drifting_skate():
    """0.8 v = force along the blade"""
    def f(t, y):
        x, z, th, w = y
        c, s = math.cos(th), math.sin(th)
        v = -((x - 1) * c + 2 * z * s) / 0.8
        return [v * c, v * s, w, 0.2 * math.sin(t) / 0.3]
    ode('drifting_skate', 5, [0, 0, 0.3, 0.5], f, lambda t, y: {'x': y[0], 'y': y[1], 'th': y[2], 'p(th)': 0.3 * y[3]})


def turning_inertia():
    """Along e: u' = F e - c u; across, by n: u th' = F n - c w; and th'' = u w."""
    def f(t, y):
        x, z, th, u, turn = y
        c, s = math.cos(th), math.sin(th)
        w = (x * s - 2 * z * c - u * turn) / 0.5
        return [u * c - w * s, u * s + w * c, turn, -x * c - 2 * z * s - 0.5 * u, u * w]
    ode('turning_inertia', 3, [1, 0, 0.3, 0, 0.7], f, lambda t, y: {
        'x': y[0], 'y': y[1], 'th': y[2], 'p(x)': y[3] * math.cos(y[2]), 'p(y)': y[3] * math.sin(y[2]), 'p(th)': y[4]})


for motion in (disk_on_incline, snakeboard, sleigh_pump, two_trailers, turntable_skate, knife_drag, heisenberg, roller_racer,
               suslov, drifting_skate, turning_inertia):
    motion()
