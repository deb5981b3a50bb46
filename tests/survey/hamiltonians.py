"""Hamiltonians, mostly as second-order equations or in another frame."""
from equations import *
from fields import named


def well_mass():
    def f(t, y):
        q, p = y
        m = 1 + q * q
        return [p / m + 0.3 * q, p * p * q / m**2 - q**3 - math.sin(2 * q) - 0.3 * p]
    ode('well_mass', 6, [0.5, 0.4], f, lambda t, y: {'q': y[0], 'p(q)': y[1]})


def calogero():
    """Olshanetsky and Perelomov: the positions are the eigenvalues of Q cos t + L sin t, with Lax's L; no integration at all."""
    import mpmath

    def make():
        mpmath.mp.dps = 30
        x, p, g, T = [-2, mpmath.mpf('-0.5'), mpmath.mpf('0.6'), mpmath.mpf('1.7')], [mpmath.mpf('0.3'), 0, mpmath.mpf('-0.4'), 0], mpmath.mpf(1) / 2, 3
        L = mpmath.matrix(4, 4)
        for i in range(4):
            for j in range(4):
                L[i, j] = p[i] if i == j else 1j * g / (x[i] - x[j])
        Q = mpmath.diag(x)
        E, U = mpmath.eighe(Q * mpmath.cos(T) + L * mpmath.sin(T))
        V = U.transpose_conj() * (L * mpmath.cos(T) - Q * mpmath.sin(T)) * U
        return T, named(dict(x=[float(e) for e in E]), dict(x=[float(V[k, k].real) for k in range(4)])), 1e-15
    MODELS['calogero'] = make


def hill():
    """x'' = 2 y' + 3 x - x/r^3, y'' = -2 x' - y/r^3, z'' = -z - z/r^3"""
    def f(t, s):
        x, y, z, u, v, w = s
        k = (x * x + y * y + z * z)**-1.5
        return [u, v, w, 2 * v + 3 * x - k * x, -2 * u - k * y, -z - k * z]
    ode('hill', 3, [0.4, 0, 0, 0, 1.6, 0.5], f,
        lambda t, s: {'x': s[0], 'y': s[1], 'z': s[2], 'p(x)': s[3] - s[1], 'p(y)': s[4] + s[0], 'p(z)': s[5]})


def trojan():
    """In the frame at rest, where both primaries move on circles."""
    mu = 0.01

    def f(t, s):
        c, z = math.cos(t), math.sin(t)
        a, b = [0, 0], (((-mu * c, -mu * z), 1 - mu), (((1 - mu) * c, (1 - mu) * z), mu))
        for (X, Y), m in b:
            dx, dy = X - s[0], Y - s[1]
            k = m * (dx * dx + dy * dy)**-1.5
            a[0] += k * dx
            a[1] += k * dy
        return s[2:] + a

    def out(t, s):
        c, z = math.cos(t), math.sin(t)
        turn = lambda a, b: (c * a + z * b, c * b - z * a)
        (x, y), (u, v) = turn(*s[:2]), turn(*s[2:])
        return {'x': x, 'y': y, 'p(x)': u, 'p(y)': v}
    ode('trojan', 10, [0.5, 0.85, -0.86, 0.5], f, out)


def fast_comet():
    """gamma m v = p, p' = -0.3 r/|r|^3"""
    def f(t, s):
        x, y, a, b = s
        g, k = math.sqrt(1 + a * a + b * b), -0.3 * (x * x + y * y)**-1.5
        return [a / g, b / g, k * x, k * y]
    ode('fast_comet', 8, [1, 0, 0, 0.45], f, lambda t, s: {'x': s[0], 'y': s[1], 'p(x)': s[2], 'p(y)': s[3]})


def torus():
    """Clairaut's integral (R + r cos v)^2 u' = const."""
    R0, r, k = 2, 0.7, 1.5

    def f(t, y):
        w = R0 + r * math.cos(y[1])
        return [k / w**2, y[2], -k * k * math.sin(y[1]) / (r * w**3)]
    ode('torus', 8, [0, 0.3, 0.6 / r**2], f, lambda t, y: {'u': y[0], 'v': y[1], 'p(u)': k, 'p(v)': r * r * y[2]})


def two_waves():
    ode('two_waves', 12, [1, 0.3], lambda t, y: [y[1], 0.6 * math.sin(y[0]) + 0.4 * math.sin(y[0] - t)], lambda t, y: {'x': y[0], 'p(x)': y[1]})


def abc_flow():
    """q' = X(q), p' = -(dX/dq)^T p"""
    def f(t, s):
        x, y, z, a, b, c = s
        return [math.sin(z) + 0.5 * math.cos(y), 0.8 * math.sin(x) + math.cos(z), 0.5 * math.sin(y) + 0.8 * math.cos(x),
                -b * 0.8 * math.cos(x) + c * 0.8 * math.sin(x), a * 0.5 * math.sin(y) - c * 0.5 * math.cos(y), -a * math.cos(z) + b * math.sin(z)]
    ode('abc_flow', 5, [0.4, 0.2, 1, 1, 0.5, 0], f,
        lambda t, s: {'x': s[0], 'y': s[1], 'z': s[2], 'p(x)': s[3], 'p(y)': s[4], 'p(z)': s[5]})


def black_hole():
    """r'^2 = E^2 - (1 - 2/r)(m^2 + l^2/r^2), differentiated"""
    E, l, a = 0.97, 4, 0.75
    m2 = E * E / a - a * 0.01 - l * l / 64

    def f(t, y):
        T, r, f, u = y
        return [E / (1 - 2 / r), u, l / r**2, -(m2 + l * l / r**2) / r**2 + (1 - 2 / r) * l * l / r**3]
    ode('black_hole', 40, [0, 8, 0, -0.1 * a], f,
        lambda t, y: {'T': y[0], 'r': y[1], 'f': y[2], 'p(T)': -E, 'p(r)': y[3] / (1 - 2 / y[1]), 'p(f)': l})


def hamilton_rods():
    """Two angles; the field does no work on a rod of fixed length, but enters the momenta."""
    a, b = coordinates('a b')
    x, y = sin(a), -cos(a)
    u, v = x + R(7, 10) * sin(b), y - R(7, 10) * cos(b)
    B = R(3, 2)
    lagrange('hamilton_rods', 2, {a: math.atan2(0.6, 0.8), b: math.pi / 2}, (d(x)**2 + d(y)**2 + d(u)**2 + d(v)**2) / 2 + B * (x * d(y) - y * d(x)) - R(981, 100) * (y + v),
             out={'x': x, 'y': y, 'u': u, 'v': v, 'p(x)': d(x) - B * y, 'p(y)': d(y) + B * x, 'p(u)': d(u), 'p(v)': d(v)})


def bent_contact():
    x, y, z = coordinates('x y z')
    lagrange('bent_contact', 4, {x: 0.5, y: 0.8, z: 0, d(x): 0.3, d(y): 0.4, d(z): 0.3 * math.sin(0.8) + 0.2},
             ((1 + x**2) * d(x)**2 + d(y)**2 + (2 + cos(y)) * d(z)**2) / 2 - x**2 / 2 - y**4 / 4 - z, {x: -d(x) / 10},
             rows=[d(z) - sin(y) * d(x) - R(2, 10)])


for motion in (well_mass, calogero, hill, trojan, fast_comet, torus, two_waves, abc_flow, black_hole, hamilton_rods,
               bent_contact):
    motion()
