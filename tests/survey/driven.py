"""Time in the equations, friction, controllers, machines made of parts."""
from equations import *
from fields import named


def second(name, T, y, names, mass, acceleration, more=None):
    """Coordinates of these names with constant masses; acceleration(t, q, v)."""
    n = len(names)

    def out(t, s):
        values = {**dict(zip(names, s)), **{'p(%s)' % k: m * v for k, m, v in zip(names, mass, s[n:])}}
        return {**values, **(more(t, s[:n], s[n:]) if more else {})}
    ode(name, T, y, lambda t, s: s[n:] + acceleration(t, s[:n], s[n:]), out)


def mathieu():
    second('mathieu', 10, [0.3, 0, 0, 0.2], 'xy', (1, 1), lambda t, q, v: [
        -(1 + 0.4 * math.cos(2 * t)) * q[0] - 0.1 * q[1] - 0.05 * v[0], -(1.3 + 0.2 * math.sin(2 * t)) * q[1] - 0.1 * q[0]])


def moving_wall():
    second('moving_wall', 6, [1, 1.5], 'x', (1,), lambda t, q, v: [8 * math.exp(-8 * q[0]) - 8 * math.exp(8 * (q[0] - 2 - 0.3 * math.sin(3 * t)))])


def ramped():
    """th'' = -g(t) sin(th) - s'' cos(th), with x = s + sin(th)"""
    def ramp(t):
        k = math.tanh(2 * (t - 2))
        return 1 + k, 2 * (1 - k * k), -8 * k * (1 - k * k)

    def f(t, y):
        return [y[1], -9.81 * (1 + 0.1 * t) * math.sin(y[0]) - ramp(t)[2] * math.cos(y[0])]

    def out(t, y):
        (s, u, _), (c, z) = ramp(t), (math.cos(y[0]), math.sin(y[0]))
        return {'x': s + z, 'y': -c, 's': s, 'p(x)': u + c * y[1], 'p(y)': z * y[1], 'p(s)': u / 2}
    ode('ramped', 4, [0.4, 0], f, out)


def rocket():
    """m v' = b c - m g - k v^2"""
    ode('rocket', 4, [0, 0], lambda t, y: [y[1], (0.3 * 60 - 0.01 * y[1]**2) / (2 - 0.3 * t) - 9.81],
        lambda t, y: {'z': y[0], 'p(z)': (2 - 0.3 * t) * y[1]})


def rayleigh():
    def f(t, q, v):
        c = 0.1 * (q[1] - q[0]) + 0.05 * (v[1] - v[0])
        return [-q[0] + 1.2 * (1 - v[0]**2 / 3) * v[0] + c, -c / 0.1]
    second('rayleigh', 8, [0.5, 0, 0, 0], 'xy', (1, 0.1), f)


def stick_slip():
    def f(t, q, v):
        s = 0.5 - v[0]
        return [-4 * q[0] + math.tanh(20 * s) * (0.8 + 0.4 * math.exp(-4 * s * s))]
    second('stick_slip', 5, [0, 0], 'x', (1,), f)


def golf():
    def f(t, q, v):
        x, y, w = v
        s = math.hypot(x, y)
        return [-0.03 * s * x - 0.02 * w * y, -0.03 * s * y + 0.02 * w * x - 9.81, -0.01 * w / 0.04]
    second('golf', 2, [0, 0, 0, 20, 12, 15], 'xyf', (1, 1, 0.04), f)


def maxwell():
    """0.8 a' = 3 (x - a)"""
    ode('maxwell', 6, [0.5, 0.1, 0], lambda t, y: [y[2], 3 * (y[0] - y[1]) / 0.8, math.sin(2 * t) - 3 * (y[0] - y[1]) - y[0] - 1.2 * y[0]**3],
        lambda t, y: {'x': y[0], 'a': y[1], 'p(x)': y[2]})


def pd_arm():
    """The compensated gravity cancels: M(q) q'' + C = PD, for unit masses at the ends of links of 1 and 0.8."""
    def torques(t, s):
        a, b, u, v = s
        return 40 * (0.6 * math.sin(t) - a) - 12 * u, 30 * (0.4 * math.cos(2 * t) - b) - 6 * v

    def matrix(b):
        k = 0.8 * math.cos(b)
        return 2 + 0.64 + 2 * k, 0.64 + k, 0.64

    def f(t, s):
        a, b, u, v = s
        (A, B, C), (p, q), h = matrix(b), torques(t, s), 0.8 * math.sin(b)
        p, q = p + h * (2 * u * v + v * v), q - h * u * u
        D = A * C - B * B
        return [u, v, (C * p - B * q) / D, (A * q - B * p) / D]

    def out(t, s):
        a, b, u, v = s
        (A, B, C), (p, q) = matrix(b), torques(t, s)
        p += 9.81 * (2 * math.cos(a) + 0.8 * math.cos(a + b))
        q += 9.81 * 0.8 * math.cos(a + b)
        return {'q[1]': a, 'q[2]': b, 'p(q[1])': A * u + B * v, 'p(q[2])': B * u + C * v, 'torque': p, 'power': p * u + q * v}
    ode('pd_arm', 3, [0, 0.4, 0, 0], f, out)


def integral_control():
    ode('integral_control', 8, [0, 0, 0], lambda t, y: [y[2], 1 - y[0], (3 * (1 - y[0]) + 1.5 * y[1] - 2 * y[2] - 0.5 - 0.3 * y[0]**3) / 2],
        lambda t, y: {'x': y[0], 'z': y[1], 'p(x)': 2 * y[2]})


def observer():
    def f(t, s):
        x, v, e, w = s
        F, r = -0.8 * w + 0.2, x + 0.05 * math.sin(9 * t) - e
        return [v, -x - x**3 + F, w + 3 * r, -e - e**3 + F + 4 * r]
    ode('observer', 6, [1, 0, 0, 0], f, lambda t, s: {'plant.x': s[0], 'p(plant.x)': s[1], 'est.e': s[2], 'est.w': s[3]})


def quarter_car():
    road = lambda t: 0.1 * math.sin(5 * t) + 0.2 / 12 * math.sin(12 * t)

    def f(t, q, v):
        s = q[1] - q[0]
        F = 20 * s + 30 * s**3 + 2 * (v[1] - v[0])
        return [(120 * (road(t) - q[0]) + F) / 0.8, -F / 4]
    second('quarter_car', 5, [0] * 4, ('wheel.x', 'body.x'), (0.8, 4), f, more=lambda t, q, v: {'tyre.a': road(t), 'spring.b': q[1]})


def drivetrain():
    """The gear turns the other way, a third as fast."""
    def f(t, y):
        q, a, b, i, u, v = y
        T = 30 * (b + a / 3)          # twist of the shaft, from the gear at -a/3 to the load
        return [i, u, v, (6 + 2 * math.sin(t) - 0.5 * i - 0.6 * u) / 0.2, (0.6 * i - T / 3) / 0.05, (-T - 0.3 * v - 0.2 * 9.81 * math.sin(b)) / 0.7]
    ode('drivetrain', 4, [0] * 6, f, lambda t, y: {'motor.q': y[0], 'motor.phi': y[1], 'gear.b': -y[1] / 3, 'load.phi': y[2], 'p(load.phi)': 0.5 * y[5], 'arm.phi': y[2]})


def cell_ring():
    n = 6

    def f(t, q, v):
        x, y = q[:n], q[n:]
        a, b = [], []
        for k in range(n):
            s, r = y[k] - x[k], v[n + k] - v[k]
            T = (1.2 + 0.2 * k) * s + 0.2 * s**3 + 0.1 * r
            a.append((x[k - 1] - 2 * x[k] + x[(k + 1) % n] + T) / (1.1 + 0.1 * k))
            b.append((-T + (0.5 * math.cos(2 * t) if k == 1 else 0)) / 0.3)
        return a + b
    y = [0.0] * 24
    y[0], y[12 + 6 + 3] = 0.5, 1
    second('cell_ring', 6, y, ['c[%d].x' % (k + 1) for k in range(n)] + ['c[%d].y' % (k + 1) for k in range(n)],
           [1.1 + 0.1 * k for k in range(n)] + [0.3] * n, f)


def two_halves():
    """x = sin(f)/2: one degree of freedom."""
    f, = coordinates('f')
    x = sin(f) / 2
    m = 1 + R(3, 10) * cos(f)**2
    lagrange('two_halves', 5, {f: 0, d(f): 2}, m * d(f)**2 / 2 + d(x)**2 / 2 - 2 * x**2, {f: R(2, 10) - d(x) / 10 * cos(f) / 2},
             out={'a.f': f, 'b.x': x, 'p(a.f)': m * d(f), 'p(b.x)': d(x)})


def pieces(name, T, y, corners, part, out):
    """part(begin, end) gives the right-hand side between two corners, where it is smooth."""
    def run(steps):
        z, times = [float(x) for x in y], [0] + [c for c in corners if 0 < c < T] + [T]
        for a, b in zip(times, times[1:]):
            z = extrapolate(part(a, b), z, a, b, steps)
        return out(z)

    def make():
        one, two = run(20), run(40)
        return T, two, max(abs(one[k] - two[k]) for k in two)
    MODELS[name] = make


def measured_load():
    rows = [(0, 0), (0.5, 2), (1.2, -1), (1.2, 1), (2, 1), (3, -0.5), (5, 0)]

    def part(a, b):
        (s, x), (e, y) = next((r, n) for r, n in zip(rows, rows[1:]) if r[0] <= a and b <= n[0] and r[0] < n[0])
        return lambda t, q: [q[1], (x + (y - x) * (t - s) / (e - s) - 9 * q[0] - 4 * q[0]**3 - 0.3 * q[1]) / 2]
    pieces('measured_load', 4, [0, 0], sorted({r[0] for r in rows}), part, lambda y: {'x': y[0], 'p(x)': 2 * y[1]})


def kicked():
    pieces('kicked', 5, [0, 0], [1.234], lambda a, b: lambda t, y: [y[1], (1 if b <= 1.234 else 0) - y[0]], lambda y: {'x': y[0], 'p(x)': y[1]})


def square_wave():
    def part(a, b):
        side = math.copysign(1, math.sin(3 * (a + b) / 2))
        return lambda t, y: [y[1], side - 0.1 * y[1] - 4 * y[0]]
    pieces('square_wave', 5, [0, 0], [k * math.pi / 3 for k in range(1, 6)], part, lambda y: {'x': y[0], 'p(x)': y[1]})


def triangle():
    def part(a, b):
        k = round(3 * (a + b) / 2 / math.pi)  # asin(sin(u)) = (-1)^k (u - k pi)
        return lambda t, y: [y[1], (-1)**k * (3 * t - k * math.pi) - y[0] - y[0]**3]
    pieces('triangle', 5, [0, 0], [(k + 0.5) * math.pi / 3 for k in range(6)], part, lambda y: {'x': y[0], 'p(x)': y[1]})


def follower_column():
    a, b = coordinates('a b')
    P = R(26, 10)
    x, y = cos(a) + cos(b), sin(a) + sin(b)
    work = lambda q: -P * (cos(b) * sp.diff(x, q) + sin(b) * sp.diff(y, q))
    lagrange('follower_column', 8, {a: 0.05, b: 0.02}, (3 * d(a)**2 + d(b)**2 + 2 * cos(a - b) * d(a) * d(b)) / 2 - a**2 / 2 - (b - a)**2 / 2,
             {a: work(a) - d(a) / 20, b: work(b)})


def bicycle():
    """M q'' + v C q' + (g K0 + v^2 K2) q = 0, of Meijaard and others, in round numbers"""
    v, g = 5, 9.81
    A, B, C = 80.8, 2.32, 0.298

    def f(t, y):
        p, q, u, w = y
        a = -v * 33.87 * w - g * (-80.95 * p - 2.6 * q) - v * v * 76.6 * q
        b = v * 0.85 * u - v * 1.685 * w - g * (-2.6 * p - 0.803 * q) - v * v * 2.65 * q
        D = A * C - B * B
        return [u, w, (C * a - B * b) / D, (A * b - B * a) / D]
    ode('bicycle', 2, [0.05, 0, 0, 0], f, lambda t, y: {'f': y[0], 'd': y[1], 'p(f)': A * y[2] + B * y[3], 'p(d)': B * y[2] + C * y[3]})


def epidemic():
    ode('epidemic', 12, [0.95, 0.05, 0], lambda t, y: [-1.4 * y[0] * y[1] + 0.05 * y[2], 1.4 * y[0] * y[1] - 0.4 * y[1], 0.4 * y[1] - 0.05 * y[2]],
        lambda t, y: {'s': y[0], 'i': y[1], 'r': y[2]})


def nerve():
    ode('nerve', 10, [-1, 0.5, 0, 0], lambda t, y: [y[0] - y[0]**3 / 3 - y[1] + 0.5, 0.3 * (y[0] + 0.7 - 0.8 * y[1]), y[3], -y[2] + 0.5 * y[0] - 0.2 * y[3]],
        lambda t, y: {'v': y[0], 'w': y[1], 'x': y[2], 'p(x)': y[3]})


def guided_pendulum():
    """The lower angle alone; the torque from the equation of the upper one."""
    law = lambda t: (0.7 * math.sin(2 * t) + 0.1 * t * t, 1.4 * math.cos(2 * t) + 0.2 * t, -2.8 * math.sin(2 * t) + 0.2)
    l, g = 0.8, 9.81

    def bend(t, b):
        a, u, w = law(t)
        return (-math.cos(b - a) * w - math.sin(b - a) * u * u - g * math.sin(b)) / l

    def out(t, y):
        (a, u, w), (b, v) = law(t), y
        c, s = math.cos(a - b), math.sin(a - b)
        return {'a': a, 'b': b, 'p(a)': 3 * u + l * c * v, 'p(b)': l * l * v + l * c * u,
                'torque': 3 * w + l * c * bend(t, b) + l * s * v * v + 3 * g * math.sin(a)}
    ode('guided_pendulum', 3, [0.3, 0], lambda t, y: [y[1], bend(t, y[0])], out)


def milli_sleigh():
    """Forward speed and turning rate in units of the sleigh."""
    T = 1e-3

    def f(t, y):
        x, z, th, v, w = y
        return [v * math.cos(th), v * math.sin(th), w, 0.3 * w * w, (0.3 * math.cos(2 * t) - 0.1 * w - 0.3 * v * w) / (0.4 + 0.09)]

    def make():
        values, error = compute(f, [0, 0, 0, 0.5, 1], 5, lambda t, y: {'X1': y[0], 'Y1': y[1], 'th': y[2]}, 16)
        return 5 * T, values, error
    MODELS['milli_sleigh'] = make


def factory():
    """Seven points in a row, six springs."""
    mass, k = [1, 3, 3, 3, 3, 3, 2], [1, 1, 2, 2, 3, 3]

    def f(t, y):
        x, v = y[:7], y[7:]
        T = [k[j] * (x[j + 1] - x[j]) + 0.4 * (x[j + 1] - x[j])**3 for j in range(6)]
        F = [(T[j] if j < 6 else 0) - (T[j - 1] if j else 0) for j in range(7)]
        F[6] += math.cos(t) - 0.2 * v[6]
        return v + [a / m for a, m in zip(F, mass)]
    ode('factory', 5, [0.5] + [0] * 13, f, lambda t, y: {
        'c[1].p[1].a': y[0], 'c[1].p[2].a': y[1], 'c[2].p[1].a': y[2], 'c[2].p[2].a': y[3], 'c[3].p[1].b': y[5], 'c[3].p[2].b': y[6],
        'p(c[1].p[1].a)': y[7], 'total': y[6] - y[0], 'middle': y[4] - y[2]})


def spun_body():
    """Euler's equations with torques about the first and third axis."""
    A, B, C = 1, 1.5, 2

    def f(t, y):
        F, th, ps, u, v, w = y
        turn = (u * math.sin(ps) + v * math.cos(ps)) / math.sin(th)
        return [turn, u * math.cos(ps) - v * math.sin(ps), w - math.cos(th) * turn,
                ((B - C) * v * w + 0.4 * math.cos(t)) / A, (C - A) * w * u / B, ((A - B) * u * v + 0.3 - 0.1 * w) / C]
    ode('spun_body', 4, [0, 1.2, 0, 0, 0.5 * math.sin(1.2), 0.5 * math.cos(1.2) + 1], f,
        lambda t, y: {'f': y[0], 'th': y[1], 'ps': y[2], 'u1': y[3], 'u2': y[4], 'u3': y[5]})


def sampled_valve():
    held = [1, 0.2, -0.6, -0.1, 0.8, 0.3, 0]

    def part(a, b):
        u = held[int(a + b)]  # samples at every half
        return lambda t, y: [y[1], (u - 0.4 * y[1] - 3 * y[0] - y[0]**2) / 0.5]
    pieces('sampled_valve', 3, [0, 0], [0.5, 1, 1.5, 2, 2.5], part, lambda y: {'x': y[0], 'p(x)': 0.5 * y[1]})


def winch():
    """A pendulum, seen from a hook that rises uniformly."""
    ode('winch', 4, [0.5, 0], lambda t, y: [y[1], -9.81 * math.sin(y[0])],
        lambda t, y: {'x': math.sin(y[0]), 'y': 0.3 * t - math.cos(y[0]), 'p(x)': math.cos(y[0]) * y[1], 'p(y)': 0.3 + math.sin(y[0]) * y[1]})


for motion in (mathieu, moving_wall, ramped, rocket, rayleigh, stick_slip, golf, maxwell, pd_arm, integral_control, observer,
               quarter_car, drivetrain, cell_ring, two_halves, measured_load, kicked, square_wave, triangle, follower_column,
               bicycle, epidemic, nerve, guided_pendulum, milli_sleigh, factory, spun_body, sampled_valve, winch):
    motion()
