"""Circuits, by their state equations."""
from equations import *
from fields import named


def bridge():
    """Node voltages: B between resistor and capacitor, D between coil and resistor."""
    def f(t, y):
        q, il, ia = y[:3]
        V, B, D = math.sin(2 * t), q / 0.4, 0.8 * (il + ia)
        return [(V - B) / 1.5 - ia, (V - D) / 0.7, (B - D) / 0.5, il, ia]
    ode('bridge', 6, [0.3, 0, 0, 0, 0], f,
        lambda t, y: {'c.q': y[0], 'l.q': y[3], 'across.q': y[4], 'r2.q': y[3] + y[4], 'p(l.q)': 0.7 * y[1], 'p(across.q)': 0.5 * y[2]})


def coupled_coils():
    L1, L2, M = 1, 0.5, 0.4

    def f(t, y):
        a, b, u, v = y
        p, q = math.cos(2 * t) - 0.1 * u - a / 0.2, -0.6 * v - b / 0.5
        D = L1 * L2 - M * M
        return [u, v, (L2 * p - M * q) / D, (L1 * q - M * p) / D]
    ode('coupled_coils', 6, [0] * 4, f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': L1 * y[2] + M * y[3], 'p(b)': M * y[2] + L2 * y[3]})


def gyrated():
    """r b' = -(voltage of C1), r a' = voltage of C2"""
    ode('gyrated', 6, [0.4, 0.1, 0], lambda t, y: [y[1] / 0.3 / 0.8, -(y[0] - y[2]) / 0.5 / 0.8, (y[0] - y[2]) / 0.5 / 6],
        lambda t, y: {'a': y[0], 'b': y[1], 'd': y[2]})


def varactor_line():
    def f(t, y):
        q, v = y[:12] + [0], y[12:]
        u = [(s + s * s / 2) for s in (q[k] - q[k + 1] for k in range(12))]
        return v + [(2 * math.exp(-(t - 2)**2) if k == 0 else u[k - 1]) - u[k] - (v[k] if k == 11 else 0) for k in range(12)]
    ode('varactor_line', 8, [0] * 24, f, lambda t, y: named(dict(q=y[:12]), dict(q=y[12:])))


def chua():
    def f(t, y):
        a, b, u, v = y
        return [u, v, v - u + 1.15 * u - 0.06 * u**3, (u - v - b / 0.667) / 9.5]
    ode('chua', 12, [0, 0, 0.2, 0.1], f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': y[2], 'p(b)': 9.5 * y[3]})


def josephson():
    def f(t, y):
        a, b, u, v = y
        i = 0.3 * (a - b)
        return [u, v, 1.1 + 0.4 * math.sin(1.5 * t) - 0.3 * u - math.sin(a) - i, (i - 0.2 * v - 0.7 * math.sin(b)) / 0.8]
    ode('josephson', 12, [0] * 4, f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': y[2], 'p(b)': 0.8 * y[3]})


def negative_resistor():
    def f(t, y):
        a, b, u, v = y
        return [u, v, 1.5 * math.tanh(2 * u) - u - 0.3 * (u - v) - a, 1.2 * math.tanh(2 * v) - v - 0.3 * (v - u) - 1.2 * b]
    ode('negative_resistor', 8, [0.5, 0, 0, 0.2], f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': y[2], 'p(b)': y[3]})


def capacitor_loop():
    """a + c = l1 and b - c = l2 from the start; a/Ca = b/Cb + c/Cc fixes c."""
    def share(y):
        c = (y[0] / 0.5 - y[1] / 1) / (1 / 0.5 + 1 + 1 / 0.25)
        return y[0] - c, y[1] + c, c

    def f(t, y):
        a, b, c = share(y)
        return [y[2], y[3], math.sin(1.5 * t) - 0.2 * y[2] - a / 0.5, (-0.1 * y[3] - b) / 0.6]

    def out(t, y):
        a, b, c = share(y)
        return {'l1': y[0], 'l2': y[1], 'a': a, 'b': b, 'c': c, 'p(l1)': y[2], 'p(l2)': 0.6 * y[3]}
    ode('capacitor_loop', 6, [0, 0, 0.4, -0.2], f, out)


def coil_cutset():
    def voltage(t, y):
        a, b, c, u, v = y
        w = -u - v
        return (2 * a + b / 0.21 - (math.cos(3 * t) - 0.5 * w) / 0.4) / (1 + 1 / 0.7 + 1 / 0.4)

    def f(t, y):
        a, b, c, u, v = y
        e = voltage(t, y)
        return [u, v, -u - v, e - 2 * a, (e - b / 0.3) / 0.7]
    ode('coil_cutset', 6, [0.5, 0, 0, 0.2, -0.5], f,
        lambda t, y: {'a': y[0], 'b': y[1], 'c': y[2], 'p(a)': y[3], 'p(b)': 0.7 * y[4], 'p(c)': 0.4 * (-y[3] - y[4]), 'voltage': voltage(t, y)})


def rc_line():
    def f(t, y):
        q = y + [0]
        u = [(q[k] - q[k + 1]) / 0.5 for k in range(6)]
        return [(1 + math.sin(t) if k == 0 else u[k - 1]) - u[k] for k in range(6)]
    ode('rc_line', 5, [0] * 6, f, lambda t, y: named(dict(q=y)))


def rectifier():
    def f(t, y):
        a, b, u, v = y
        i = 0.01 * (math.exp((u - v) / 0.2) - 1)
        return [u, v, (-(a + math.cos(2 * t)) / 0.3 - i) / 0.2, (i - v / 3) / 2]
    ode('rectifier', 6, [0] * 4, f, lambda t, y: {'a': y[0], 'b': y[1], 'p(a)': 0.2 * y[2], 'p(b)': 2 * y[3]})


def memristor():
    ode('memristor', 8, [0, 0], lambda t, y: [y[1], (1.5 * math.sin(t) - (1 + 3 * y[0]**2) * y[1] - y[0]) / 0.5],
        lambda t, y: {'q': y[0], 'p(q)': 0.5 * y[1]})


def microphone():
    def f(t, y):
        x, q, u, i = y
        return [u, i, (0.2 * math.sin(3 * t) - 0.1 * u - 4 * x + q * q / 2) / 0.5, (1 - 0.5 * i - q * (1 - x)) / 0.2]
    ode('microphone', 6, [0] * 4, f, lambda t, y: {'x': y[0], 'q': y[1], 'p(x)': 0.5 * y[2], 'p(q)': 0.2 * y[3]})


def levitation():
    """(L i)' = V - R i, x'' = g + L'(x) i^2/2"""
    L = lambda x: 0.5 + 0.3 / (0.2 + x)

    def f(t, y):
        x, q, u, flux = y
        i = flux / L(x)
        return [u, i, 2 - 0.15 / (0.2 + x)**2 * i * i, 1.5 + 1.2 * (x - 0.5) + 0.5 * u - i]
    ode('levitation', 2, [0.5, 0, 0, L(0.5)], f, lambda t, y: {'x': y[0], 'q': y[1], 'p(x)': y[2], 'p(q)': y[3]})


def picofarads():
    """capacitor_loop in units of its own: the same numbers at the same time in units of sqrt(L C)."""
    def make():
        T, values, error = MODELS['capacitor_loop']()
        return T * 3.1622776601683795e-11, {k.upper(): values[k] for k in 'abc'}, error
    MODELS['picofarads'] = make


def nonlinear_rc():
    """The currents from a v + b v^3 = voltage."""
    def current(a, b, voltage):
        v = voltage / a
        for _ in range(60):
            v -= (a * v + b * v**3 - voltage) / (a + 3 * b * v * v)
        return v

    def f(t, y):
        u = (y[0] - y[1]) / 0.5
        return [current(1, 0.4, math.sin(2 * t) + 0.5 - u), current(0.7, 0.3, u - y[1] / 0.8)]
    ode('nonlinear_rc', 5, [0, 0], f, lambda t, y: {'a': y[0], 'b': y[1]})


for motion in (bridge, coupled_coils, gyrated, varactor_line, chua, josephson, negative_resistor, capacitor_loop, coil_cutset,
               rc_line, rectifier, memristor, microphone, levitation, picofarads, nonlinear_rc):
    motion()
