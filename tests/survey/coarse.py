"""Mechanisms, circuits and rates that go on for many periods: how far off is a run whose every step is too long?"""
from equations import *
from driven import second


def plain(name, T, y, names, f):
    """Rates, of states of these names."""
    ode(name, T, y, f, lambda t, s: dict(zip(names, s)))


def mechanisms():
    second('wilberforce', 60, [1, 0, 0, 0], ('z', 'th'), (1, 0.05), lambda t, q, v: [-4 * q[0] - 0.03 * q[1], -(0.2 * q[1] + 0.03 * q[0]) / 0.05])

    def springs(t, q, v):
        a, b, x, y = q
        r, s = math.hypot(a, b), math.hypot(x - a, y - b)
        R, S = 20 * (r - 1) / r, 16 * (s - 1) / s
        return [-R * a + S * (x - a), -R * b + S * (y - b) - 2, -2 * S * (x - a), -2 * S * (y - b) - 2]
    second('two_on_springs', 10, [0.6, -0.9, 1.5, -1.2, 0, 0, 0, 0], 'abxy', (1, 1, 0.5, 0.5), springs)
    ode('spring_pendulum_polar', 20, [1.1 * math.sin(1), -1.1 * math.cos(1), 0, 0],
        lambda t, y: [y[2], y[3], -30 * y[0] * (1 - 1 / math.hypot(y[0], y[1])), -30 * y[1] * (1 - 1 / math.hypot(y[0], y[1])) - 2],
        lambda t, y: {'r': math.hypot(y[0], y[1])})

    def cart(t, y):
        x, th, u, w = y
        c, s = math.cos(th), math.sin(th)
        F, G = s * w * w - 8 * x - 0.02 * u, -3 * s
        a = (F - c * G) / (3 - c * c)
        return [u, w, a, G - c * a]
    ode('sprung_cart', 30, [0, 1.5, 0, 0], cart, lambda t, y: {'x': y[0], 'th': y[1]})
    second('kapitza', 20, [0.3, 0], ('th',), (1,), lambda t, q, v: [(1 - 4.5 * math.cos(15 * t)) * math.sin(q[0])])
    second('bead_on_hoop', 40, [0.2, 0], ('th',), (1,), lambda t, q, v: [(4 * math.cos(q[0]) - 1) * math.sin(q[0])])
    J = (0.3 + math.sin(0.8)**2) * 2.5
    ode('governor', 30, [0.8, 0, 0], lambda t, y: [y[1], math.sin(y[0]) * math.cos(y[0]) * (J / (0.3 + math.sin(y[0])**2))**2 - 3 * math.sin(y[0]), J / (0.3 + math.sin(y[0])**2)],
        lambda t, y: {'th': y[0], 'phi': y[2]})
    ode('trammel', 20, [0, 3], lambda t, y: [y[1], -2 * math.cos(y[0])], lambda t, y: {'x': math.cos(y[0]), 'y': math.sin(y[0])})
    second('bead_on_rod', 40, [0.4, 0], 'r', (1,), lambda t, q, v: [q[0] - 6 * (q[0] - 1) - 0.05 * v[0]])
    g = lambda s: s + 4 * s**3
    second('cubic_trio', 20, [1, 0, 0, 0, 0, -0.5], 'xyz', (1, 1, 1), lambda t, q, v: [
        -g(q[0]) + g(q[1] - q[0]), -g(q[1] - q[0]) + g(q[2] - q[1]), -g(q[2] - q[1]) - g(q[2])])

    def rotors(t, q, v):
        s = q[0] - q[1]
        F = 4 * s + 12 * s**3
        return [(-F + 0.2 * math.sin(0.7 * t)) / 2, 2 * F]
    second('geared_rotors', 20, [0, 0, 1, -1], 'ab', (2, 0.5), rotors)
    second('absorber', 150, [0, 0, 0, 0], 'xy', (1, 0.1), lambda t, q, v: [
        -q[0] + 0.1 * (q[1] - q[0]) + 0.3 * math.cos(1.1 * t) - 0.1 * v[0] + 0.02 * (v[1] - v[0]), -(q[1] - q[0]) - 0.2 * (v[1] - v[0])])
    second('isolator', 120, [0, 0], 'x', (1,), lambda t, q, v: [-q[0] - 0.8 * q[0]**3 + 0.5 * math.cos(0.8 * t) - 0.3 * v[0]])
    second('shaken_pendulum', 15, [0.5, 0], ('th',), (1,), lambda t, q, v: [0.24 * 5.29 * math.cos(2.3 * t) * math.cos(q[0]) - math.sin(q[0]) - 0.05 * v[0]])

    def crane(t, y):
        l = 2 - 0.1 * t
        return [y[1], (0.2 * l * y[1] - 9.81 * l * math.sin(y[0]) - 2 * l * math.sin(1.2 * t) * math.cos(y[0])) / l**2]
    ode('crane', 15, [0, 0], crane, lambda t, y: {'th': y[0]})
    x, y = coordinates('x y')
    lagrange('bowl', 40, {x: 1, y: 0.2, d(y): 0.5}, (d(x)**2 + d(y)**2 + (x * d(x) + 2 * y * d(y))**2) / 2 - (x**2 + 2 * y**2) / 2)
    ode('tethered', 40, [0.6, 0], lambda t, y: [y[1], (0.2 * math.sin(t) * (y[1] + 1) - 1.5 * math.sin(2 * y[0])) / (1 + 0.1 * math.cos(t))], lambda t, y: {'th': y[0]})
    second('soft_floor', 30, [2, 0], 'x', (1,), lambda t, q, v: [-1 + 10 * math.exp(-5 * q[0])])
    second('foucault', 60, [1, 0, 0, 0], 'xy', (1, 1), lambda t, q, v: [
        0.4 * v[1] - q[0] * (1 + 0.4 * (q[0]**2 + q[1]**2)), -0.4 * v[0] - q[1] * (1 + 0.4 * (q[0]**2 + q[1]**2))], more=lambda t, q, v: {'p(x)': v[0] - 0.2 * q[1], 'p(y)': v[1] + 0.2 * q[0]})
    second('crossed_fields', 30, [0, 0, 0, 1], 'xy', (1, 1), lambda t, q, v: [3 * v[1] - 0.4 - 0.2 * q[0], -3 * v[0]],
           more=lambda t, q, v: {'p(x)': v[0] - 1.5 * q[1], 'p(y)': v[1] + 1.5 * q[0]})

    def five(t, q, v):
        x = [0] + q + [0]
        F = [s + 0.75 * s**2 + 0.5 * s**3 for s in (x[k + 1] - x[k] for k in range(6))]
        return [F[k + 1] - F[k] for k in range(5)]
    second('five_masses', 30, [1, 0, 0, 0, 0, 0, 0, 1, 0, 0], ['x[%d]' % k for k in range(1, 6)], [1] * 5, five)
    ode('rocking_plank', 30, [0.5, 0], lambda t, y: [y[1], (-y[0] * y[1]**2 - y[0] * math.cos(y[0]) - (1 - 1.1) * math.sin(y[0])) / (0.3 + y[0]**2)], lambda t, y: {'th': y[0]})

    def double(t, y):
        a, b, u, w = y
        c, s = math.cos(a - b), math.sin(a - b)
        F, G = -s * w * w - 2 * math.sin(a), s * u * u - math.sin(b)
        return [u, w, (F - c * G) / (2 - c * c), (2 * G - c * F) / (2 - c * c)]
    ode('double_long', 60, [0.3, -0.2, 0, 0], double, lambda t, y: {'a': y[0], 'b': y[1]})

    def spinning(t, q, v):
        x, y, r = q[0] - q[2], q[1] - q[3], math.hypot(q[0] - q[2], q[1] - q[3])
        k = 10 * (r - 1) / r
        return [-k * x, -k * y, k * x / 2, k * y / 2]
    second('two_bodies_spring', 20, [1, 0, 0, 0, 0, 1, 0.2, -0.4], 'xyuv', (1, 1, 2, 2), spinning)
    second('stiff_bond', 10, [1.3, 0.1, 0, 0], 'xy', (1, 1), lambda t, q, v: [-400 * (q[0] - q[1] - 1) - q[0], 400 * (q[0] - q[1] - 1) - q[1]**3])
    ode('hamilton_quartic', 40, [1, 0.5, 0, 0.3], lambda t, y: [y[2], 2 * y[3], -y[0]**3 - 0.4 * y[0] * y[1]**2, -2 * y[1]**3 - 0.4 * y[0]**2 * y[1]],
        lambda t, y: {'x': y[0], 'y': y[1], 'p(x)': y[2], 'p(y)': y[3]})


def circuits():
    def tanks(t, y):
        q, r, i, j = y
        D = 0.8 - 0.04
        return [i, j, (-0.8 * q + 0.28 * r) / D, (-1.4 * r + 0.2 * q) / D]
    ode('tank_pair', 60, [1, 0, 0, 0], tanks, lambda t, y: {'q': y[0], 'r': y[1]})
    second('driven_rlc', 100, [0, 0], 'q', (1,), lambda t, q, v: [-4 * q[0] + 0.7 * math.sin(1.3 * t) - 0.15 * v[0]])
    second('varicap', 60, [0, 0], 'q', (1,), lambda t, q, v: [1 - math.exp(q[0]) - 0.05 * v[0] + 0.6 * math.cos(0.9 * t)])
    second('junction', 40, [0, 0], 'f', (1,), lambda t, q, v: [1.3 - math.sin(q[0]) - 0.4 * v[0]])
    second('squid', 40, [1.5, 0, 0, 0], 'ab', (1, 1), lambda t, q, v: [
        0.4 - math.sin(q[0]) - 0.1 * v[0] - (q[0] - q[1] - 1), 0.4 - math.sin(q[1]) - 0.1 * v[1] + (q[0] - q[1] - 1)])

    def ladder(t, q, v):
        u = [2 * (q[k] - q[k + 1]) for k in range(3)] + [2 * q[3]]
        return [math.sin(0.5 * t) - u[0], u[0] - u[1], u[1] - u[2], u[2] - u[3] - 0.5 * v[3]]
    second('lc_ladder', 60, [1, 0, 0, 0, 0, 0, 0, 0], ['q[%d]' % k for k in range(1, 5)], [1] * 4, ladder)
    second('triode', 60, [0.1, 0], 'q', (1,), lambda t, q, v: [-q[0] + 1.5 * (1 - q[0]**2) * v[0]])
    second('locked_triode', 100, [1, 0], 'q', (1,), lambda t, q, v: [-q[0] + 0.4 * (1 - q[0]**2) * v[0] + 0.5 * math.cos(1.05 * t)])
    ode('saturated_coil', 30, [0.8, 0], lambda t, y: [y[1] / math.sqrt(1 - y[1]**2), -y[0]], lambda t, y: {'q': y[0], 'p(q)': y[1]})
    second('pumped_tank', 60, [0.5, 0], 'q', (1,), lambda t, q, v: [-(1 + 0.25 * math.cos(2 * t)) * q[0] - 0.08 * q[0]**3 - 0.05 * v[0]])
    ode('gyrator_ring', 60, [1, 0, 0, 0, 0, 0.5], lambda t, y: y[3:] + [0.6 * y[4] - y[0], -0.6 * y[3] + 0.4 * y[5] - 2 * y[1], -0.4 * y[4] - 3 * y[2]],
        lambda t, y: dict(zip('qrs', y)))

    def lamp(t, y):
        q, r, i, j, T = y
        F, G = math.sin(1.5 * t) - q, -(0.3 + 0.5 * T) * j
        return [i, j, (F - 0.6 * G) / 0.64, (G - 0.6 * F) / 0.64, 2 * j * j - 0.5 * T]
    ode('transformer_load', 40, [0] * 5, lamp, lambda t, y: {'q': y[0], 'r': y[1], 'T': y[4]})


def rates():
    plain('clipper', 30, [0], 'v', lambda t, y: [2 * math.sin(3 * t) - y[0] - 0.1 * math.expm1(2 * y[0])])
    plain('wien', 40, [0.1, 0], 'xy', lambda t, y: [1.3 * math.tanh(3 * (y[0] - y[1])) - y[0] - 0.2 * y[1], y[0] - 0.4 * y[1]])
    plain('lotka', 60, [2, 1], 'xy', lambda t, y: [y[0] * (1 - y[1]), 1.5 * y[1] * (y[0] - 1)])
    plain('brusselator', 40, [1, 2], 'xy', lambda t, y: [1 + y[0]**2 * y[1] - 4 * y[0], 3 * y[0] - y[0]**2 * y[1]])
    plain('fitzhugh', 150, [-1, 1], 'vw', lambda t, y: [y[0] - y[0]**3 / 3 - y[1] + 0.5, 0.1 * (y[0] + 0.7 - 0.8 * y[1])])
    plain('lorenz_short', 6, [1, 1, 20], 'xyz', lambda t, y: [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 * y[2] / 3])
    plain('rossler', 40, [1, -3, 0], 'xyz', lambda t, y: [-y[1] - y[2], y[0] + 0.2 * y[1], 0.2 + y[2] * (y[0] - 5)])
    plain('selkov', 80, [1, 1], 'xy', lambda t, y: [-y[0] + 0.08 * y[1] + y[0]**2 * y[1], 0.6 - 0.08 * y[1] - y[0]**2 * y[1]])
    plain('chemostat', 40, [4, 0.1], 'sx', lambda t, y: [0.3 * (4 - y[0]) - 2 * y[0] * y[1] / (1 + y[0]), y[1] * (y[0] / (1 + y[0]) - 0.3)])
    own = (1, 1.2, 0.7, 2.1)
    plain('kuramoto', 40, [0, 1, 2, 3], 'abcd', lambda t, y: [w + 0.2 * sum(math.sin(b - a) for b in y) for w, a in zip(own, y)])
    plain('repressilator', 60, [1, 0.5, 0], 'xyz', lambda t, y: [5 / (1 + y[k - 1]**4) - y[k] for k in range(3)])
    plain('labyrinth', 60, [1, 0.3, 0], 'xyz', lambda t, y: [math.sin(y[(k + 1) % 3]) - 0.2 * y[k] for k in range(3)])
    plain('spinning_states', 40, [1, 0.5, 1], 'xyz', lambda t, y: [2 * y[1] * y[2], -3 * y[2] * y[0], y[0] * y[1]])
    plain('bloch', 30, [0, 0, 1], 'xyz', lambda t, y: [4 * y[1] - 0.1 * y[0], -4 * y[0] + y[2] - 0.1 * y[1], -y[1] - 0.05 * (y[2] - 1)])
    plain('three_levels', 100, [0.5, 0.4, 0.2], 'ghl', lambda t, y: [
        y[0] * (1 - y[0] - y[1]), y[1] * (2 * y[0] - 0.4 - y[2] / (1 + y[1])), y[2] * (0.8 * y[1] / (1 + y[1]) - 0.1)])
    plain('drug', 20, [0, 0], 'ab', lambda t, y: [1 + math.sin(2 * t) - 3 * y[0] + y[1], 2 * y[0] - 1.5 * y[1]])


mechanisms()
circuits()
rates()
