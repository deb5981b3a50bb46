"""Chains, lattices, and equations of fields on a grid."""
from equations import *


def named(q, p=None):
    """{'u[1]': ..} of lists by name, with momenta."""
    values = {'%s[%d]' % (n, k + 1): x for n, xs in q.items() for k, x in enumerate(xs)}
    values.update({'p(%s[%d])' % (n, k + 1): x for n, xs in (p or {}).items() for k, x in enumerate(xs)})
    return values


def chain(name, T, u, v, force, key):
    """u'' = force(t, u, v) with unit masses."""
    n = len(u)
    ode(name, T, u + v, lambda t, y: y[n:] + force(t, y[:n], y[n:]), lambda t, y: named({key: y[:n]}, {key: y[n:]}))


def fput_ring():
    def force(t, q, v):
        s = [q[(k + 1) % 16] - q[k] for k in range(16)]
        s = [x + 0.7 * x**3 for x in s]
        return [s[k] - s[k - 1] for k in range(16)]
    chain('fput_ring', 8, [float(k == 3) for k in range(16)], [0.5 * (k == 8) for k in range(16)], force, 'q')


def breather():
    h, w, n = 0.4, 0.6, 39
    e = math.sqrt(1 - w * w)

    def f(t, y):
        u = [0] + y[:n] + [0]
        return y[n:] + [(u[k - 1] - 2 * u[k] + u[k + 1]) / h**2 - math.sin(u[k]) for k in range(1, n + 1)]
    ode('breather', 5, [4 * math.atan(e / w / math.cosh(e * h * (k - 20))) for k in range(1, n + 1)] + [0] * n, f,
        lambda t, y: named(dict(u=y[:n]), dict(u=[h * v for v in y[n:]])))


def dnls():
    """i psi' = -(psi[k-1] + psi[k+1]) - g |psi|^2 psi with psi = a + i b"""
    def f(t, y):
        z = [complex(a, b) for a, b in zip(y[:8], y[8:])]
        r = [1j * (z[k - 1] + z[(k + 1) % 8] + 1.5 * abs(z[k])**2 * z[k]) for k in range(8)]
        return [u.real for u in r] + [u.imag for u in r]
    ode('dnls', 3, [1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, -0.4, 0, 0, 0], f,
        lambda t, y: {**named(dict(a=y[:8], b=y[8:])), 'norm': 1 + 0.25 + 0.09 + 0.16})


def membrane():
    n, b = 5, 0.4

    def f(t, y):
        u = lambda i, j: y[n * i + j] if 0 <= i < n and 0 <= j < n else None
        acc = []
        for i in range(n):
            for j in range(n):
                s = 0
                for p, q in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    o = u(i + p, j + q)
                    e = (0 if o is None else o) - u(i, j)
                    s += e + (0 if o is None else b * e**3)
                acc.append(s)
        return y[n * n:] + acc
    y = [0] * 50
    y[n * 1 + 2], y[25 + n * 3 + 3] = 1, -1
    ode('membrane', 4, y, f, lambda t, y: {'%s' % (s % (k // n + 1, k % n + 1)): y[m + k] for k in range(25) for s, m in (('u[%d][%d]', 0), ('p(u[%d][%d])', 25))})


def peridynamic():
    def force(t, u, v):
        a = [-0.02 * x for x in v]
        a[0] -= u[0]
        for m in (1, 2, 3):
            for k in range(20 - m):
                s = (u[k + m] - u[k]) / m
                T = (0.2 if k == 9 else 1) * (s + s * s / 2) / m
                a[k] += T
                a[k + m] -= T
        return a
    chain('peridynamic', 6, [0.5 * (k == 19) for k in range(20)], [0.3 * (k == 14) for k in range(20)], force, 'u')


def beam():
    def force(t, y, v):
        w = [0, 0] + y
        z = [0, 0] + v
        a = [0.0] * 12
        for k in range(1, 11):   # the moment at w[k]; clamped: two points at rest before the first
            inner = k >= 3       # no damping at the clamp
            M = 8 * (w[k + 1] - 2 * w[k] + w[k - 1]) + (0.02 * (z[k + 1] - 2 * z[k] + z[k - 1]) if inner else 0)
            a[k + 1] -= M
            a[k] += 2 * M
            a[k - 1] -= M
        a[11] += math.exp(-(t - 1)**2 * 4)
        return a[2:]
    chain('beam', 4, [0.0] * 10, [0.0] * 10, force, 'y')


def exact(name, T, values):
    """A motion that is known in closed form."""
    MODELS[name] = lambda: (T, values, 1e-15)


def soliton():
    """Toda: q_n = log((1 + E(n - 1))/(1 + E(n))), E(n) = exp(-2 k (n - c) + 2 sinh(k) t)"""
    k, c, T, q, p = 0.2, 1500.3, 10, {}, {}
    E = lambda n: math.exp(-2 * k * (n - c) + 2 * math.sinh(k) * T)
    rate = lambda n: 2 * math.sinh(k) * E(n) / (1 + E(n))
    for n in list(range(1498, 1525)) + [3, 1024, 2048, 2998]:
        q['q[%d]' % n] = math.log((1 + E(n - 1)) / (1 + E(n)))
        p['p(q[%d])' % n] = rate(n - 1) - rate(n)
    exact('soliton', T, {**q, **p})


def modes():
    """w = 2 sin(m pi / (2 (N + 1)))"""
    N, T, values = 2000, 8, {}
    wave = lambda m, n: math.sin(m * n * math.pi / (N + 1))
    rate = lambda m: 2 * math.sin(m * math.pi / 2 / (N + 1))
    for n in (1, 2, 3, 511, 512, 513, 1000, 1024, 1999, 2000):
        a, b, c = rate(400), rate(1100), rate(1900)
        values['x[%d]' % n] = wave(400, n) * math.cos(a * T) + 0.5 * wave(1100, n) * math.cos(b * T) + 0.3 * wave(1900, n) * math.sin(c * T) / c
        values['p(x[%d])' % n] = -a * wave(400, n) * math.sin(a * T) - 0.5 * b * wave(1100, n) * math.sin(b * T) + 0.3 * wave(1900, n) * math.cos(c * T)
    exact('modes', T, values)


def drum():
    N, T, values = 30, 6, {}
    wave = lambda m, n: math.sin(m * n * math.pi / (N + 1))
    rate = lambda m, n: 2 * math.hypot(math.sin(m * math.pi / 2 / (N + 1)), math.sin(n * math.pi / 2 / (N + 1)))
    for i, j in ((1, 1), (1, 30), (2, 7), (15, 15), (16, 17), (30, 30), (23, 4)):
        a, b = rate(7, 12), rate(20, 3)
        A, B = wave(7, i) * wave(12, j), 0.5 * wave(20, i) * wave(3, j)
        values['u[%d][%d]' % (i, j)] = A * math.cos(a * T) + B * math.sin(b * T) / b
        values['p(u[%d][%d])' % (i, j)] = -a * A * math.sin(a * T) + B * math.cos(b * T)
    exact('drum', T, values)


def toda_ring():
    def force(t, q, v):
        e = [math.exp(q[k] - q[(k + 1) % 7]) for k in range(7)]
        return [e[k - 1] - e[k] - (0.2 * v[k] if k == 2 else 0) for k in range(7)]
    chain('toda_ring', 6, [0.5, -0.3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0], force, 'q')


for motion in (fput_ring, breather, dnls, membrane, peridynamic, beam, soliton, modes, drum, toda_ring):
    motion()
