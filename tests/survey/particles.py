"""Charges, vortices, guiding centres, spins, bodies that attract."""
from equations import *
from fields import named


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def mirror():
    """The force of Lorentz, v' = v x B with B = rot A, A = (1 + z^2)/2 (-y, x, 0)."""
    def f(t, y):
        x, z, v = y[:2], y[2], y[3:]
        return v + cross(v, [-x[0] * z, -x[1] * z, 1 + z * z])

    def out(t, s):
        x, y, z, u, v, w = s
        a = (1 + z * z) / 2
        return {'x': x, 'y': y, 'z': z, 'p(x)': u - a * y, 'p(y)': v + a * x, 'p(z)': w}
    ode('mirror', 8, [0.5, 0, 0, 0, 0.6, 0.5], f, out)


def penning():
    B, w = 5, 1.2

    def f(t, s):
        r, v = [s[0:3], s[3:6]], [s[6:9], s[9:12]]
        e = [a - b for a, b in zip(*r)]
        k = 0.5 / math.sqrt(sum(a * a for a in e))**3
        acc = []
        for i, sign in ((0, 1), (1, -1)):
            m = cross(v[i], [0, 0, B])
            trap = [w * w / 2 * r[i][0], w * w / 2 * r[i][1], -w * w * r[i][2]]
            acc += [m[j] + trap[j] + sign * k * e[j] for j in range(3)]
        return s[6:] + acc

    def out(t, s):
        q = dict(x=[s[0], s[3]], y=[s[1], s[4]], z=[s[2], s[5]])
        return named(q, dict(x=[s[6] - B / 2 * s[1], s[9] - B / 2 * s[4]], y=[s[7] + B / 2 * s[0], s[10] + B / 2 * s[3]], z=[s[8], s[11]]))
    ode('penning', 5, [1, 0, 0.3, -0.8, 0, -0.1, 0, 0.4, 0, 0, 0, 0], f, out)


def strained_vortices():
    """Each moves with the velocity that the others induce, G/(2 pi r), and the strain (-s x, s y), here s = 0.1 sin t."""
    G = [1, -0.7, 0.5, 0.9]

    def f(t, y):
        z = [complex(a, b) for a, b in zip(y[:4], y[4:])]
        s = 0.1 * math.sin(t)
        r = [sum(1j * G[j] / (2 * math.pi) / (z[k] - z[j]).conjugate() for j in range(4) if j != k) for k in range(4)]
        return [u.real - s * a.real for u, a in zip(r, z)] + [u.imag + s * a.imag for u, a in zip(r, z)]
    ode('strained_vortices', 6, [0, 1, -0.5, 0.3, 0, 0.2, 0.8, -1], f, lambda t, y: named(dict(x=y[:4], y=y[4:])))


def predator_logs():
    """x' = x (y - 0.8), y' = y (1 - 1.5 x)"""
    ode('predator_logs', 9, [0.6, 1.4], lambda t, y: [y[0] * (y[1] - 0.8), y[1] * (1 - 1.5 * y[0])],
        lambda t, y: {'q': math.log(y[0]), 'p(q)': math.log(y[1]), 'prey': y[0], 'hunters': y[1]})


def drift_waves():
    """L = x y' - H: y' = H_x, x' = -H_y"""
    def f(t, s):
        x, y = s
        w = math.cos(2 * x - y - 0.7 * t)
        return [math.cos(x) * math.sin(y) + 0.3 * w, -math.sin(x) * math.cos(y) + 0.6 * w]
    ode('drift_waves', 10, [0.8, 0.3], f, lambda t, y: {'x': y[0], 'y': y[1]})


def spins():
    """S' = (dH/dS) x S up to its sign, in vectors; H = -J sum S_i S_k - D z^2 - 0.2 field . S"""
    J, D = 0.8, 0.3
    z, a = [0.1, 0.3, -0.2, 0.4], [0, 1, 2.5, -1]

    def f(t, y):
        S = [y[3 * k:3 * k + 3] for k in range(4)]
        r = []
        for k in range(4):
            n, m = S[k - 1], S[(k + 1) % 4]
            G = [-J * (n[j] + m[j]) for j in range(3)]
            G[2] -= 2 * D * S[k][2]
            G[0] -= 0.2 * math.cos(2 * t)
            G[1] -= 0.2 * math.sin(2 * t)
            r += cross(G, S[k])  # {f, z} = 1 of z f': f' = dH/dz
        return r
    y = []
    for h, b in zip(z, a):
        s = math.sqrt(1 - h * h)
        y += [s * math.cos(b), s * math.sin(b), h]

    def out(t, y):
        turn = lambda angle, near: angle + 2 * math.pi * round((near - angle) / (2 * math.pi))
        return named(dict(z=y[2::3], f=[turn(math.atan2(y[3 * k + 1], y[3 * k]), last[k]) for k in range(4)]))
    last = [0, 1, 2.5, -1]
    ode('spins', 2, y, f, out)


def laser_electron():
    """p' = q (E + v x B) with A_y = 0.8 cos(t - x) + 0.3 x and charge 1: E_y = -dA_y/dt, B_z = dA_y/dx."""
    def f(t, s):
        x, y, a, b = s
        g = math.sqrt(1 + a * a + b * b)
        E = 0.8 * math.sin(t - x)
        B = 0.8 * math.sin(t - x) + 0.3
        return [a / g, b / g, b / g * B, E - a / g * B]
    ode('laser_electron', 8, [0, 0, 0, 0.1 / math.sqrt(0.99)], f,
        lambda t, s: {'x': s[0], 'y': s[1], 'p(x)': s[2], 'p(y)': s[3] + 0.8 * math.cos(t - s[0]) + 0.3 * s[0]})


def bodies(name, T, m, x, y, u, v, pull):
    """Accelerations along the lines between the bodies: pull(r^2) m_i m_j (x_j - x_i)."""
    n = len(m)

    def f(t, s):
        a, b = [0.0] * n, [0.0] * n
        for i in range(n):
            for j in range(i):
                dx, dy = s[j] - s[i], s[n + j] - s[n + i]
                k = pull(dx * dx + dy * dy)
                a[i] += m[j] * k * dx
                b[i] += m[j] * k * dy
                a[j] -= m[i] * k * dx
                b[j] -= m[i] * k * dy
        return s[2 * n:] + a + b
    ode(name, T, x + y + u + v, f, lambda t, s: named(dict(x=s[:n], y=s[n:2 * n]), dict(
        x=[a * b for a, b in zip(m, s[2 * n:3 * n])], y=[a * b for a, b in zip(m, s[3 * n:])])))


def figure_eight():
    bodies('figure_eight', 6, [1, 1.01, 0.99], [0.97000436, -0.97000436, 0], [-0.24308753, 0.24308753, 0],
           [0.466203685, 0.466203685, -0.93240737], [0.43236573, 0.43236573, -0.86473146], lambda s: s**-1.5)


def argon():
    # -dV/dr / r with V = 4 (r^-12 - r^-6): towards the other, 24 (r^-8 - 2 r^-14)
    bodies('argon', 2, [1] * 4, [0, 1.1, 0.6, 1.7], [0, 0.1, 1, 0.9], [0.8, 0, 0, 0], [0, -0.5, 0, 0], lambda s: 24 * (s**-4 - 2 * s**-7))


def betatron():
    """v' = B v x e_z + (B'/2)(y, -x)"""
    def f(t, s):
        x, y, u, v = s
        B, b = 2 + math.tanh(t - 2), (1 - math.tanh(t - 2)**2) / 2
        return [u, v, B * v + b * y, -B * u - b * x]

    def out(t, s):
        B = 2 + math.tanh(t - 2)
        return {'x': s[0], 'y': s[1], 'p(x)': s[2] - B / 2 * s[1], 'p(y)': s[3] + B / 2 * s[0]}
    ode('betatron', 6, [1, 0, 0, -1.5], f, out)


for motion in (mirror, penning, strained_vortices, predator_logs, drift_waves, spins, laser_electron, figure_eight, argon,
               betatron):
    motion()
