"""Bodies in space with joints, in angles of the joints: matrices by the cosines and sines of these, angular velocities from their rates."""
from equations import *

g = R(981, 100)
V = lambda *x: sp.Matrix(x)


def about(axis, q):
    """The matrix that turns by q about an axis."""
    n = V(*axis) / sqrt(sum(sp.Integer(1) * x * x for x in axis))
    K = sp.Matrix([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return sp.eye(3) + sin(q) * K + (1 - cos(q)) * K * K


rate = lambda M: M.applyfunc(d)


def spin(A):
    """In body axes: A^T A'."""
    W = A.T * rate(A)
    return V(W[2, 1], W[0, 2], W[1, 0])


def body(m, J, x, A):
    """T - V of a body with its centre at x, axes A and moments J."""
    W, v = spin(A), rate(x)
    return m * v.dot(v) / 2 + sum(j * w * w for j, w in zip(J, W)) / 2 - m * g * x[2]


def vector(name, x):
    return {'%s[%d]' % (name, k + 1): x[k] for k in range(3)}


def hinges():
    """Two rods in a plane: a driven, damped double pendulum with a spring whose rest moves."""
    a, b = coordinates('a b')  # b relative to a
    r2, J = R(5, 100)**2, R(1, 12) + R(5, 100)**2 / 4
    X, Z = sin(a) / 2, -cos(a) / 2
    X2, Z2 = 2 * X + sin(a + b) / 2, 2 * Z - cos(a + b) / 2
    L = (d(X)**2 + d(Z)**2 + d(X2)**2 + d(Z2)**2) / 2 + J / 2 * (d(a)**2 + (d(a) + d(b))**2) - g * (Z + Z2) - (b - sin(t))**2 / 4
    lagrange('hinges', 3, {a: 1, b: R(-1, 2)}, L, {a: -R(1, 10) * d(a), b: R(3, 10) - R(1, 5) * d(b)},
             out={'shoulder': a, 'elbow': b, 'upper.x[2]': X, 'upper.x[3]': Z, 'lower.x[2]': X2, 'lower.x[3]': Z2})


def chain():
    """Slider, universal joint, weld and hinge: s, u, v, q."""
    s, u, v, q = coordinates('s u v q')
    c = R(1, 10)
    n = V(2, 0, 1) / sqrt(5)
    A = about((1, 0, 0), u) * about((0, 1, 0), v)
    C = A * about((1, 1, 0), q)
    x1 = s * n
    x2 = x1 + V(c, 0, -R(1, 2)) - A * V(0, c, R(1, 2))
    x3 = x2 + A * V(0, 0, -R(3, 10)) - A * V(c, 0, R(1, 5))
    x4 = x3 + A * V(0, 0, -R(3, 10)) - C * V(c, 0, R(1, 5))
    light = (R(2, 100), R(3, 100), R(3, 100))
    L = body(R(13, 10), (c, c, c), x1, sp.eye(3)) + body(1, (c, R(15, 100), R(1, 5)), x2, A) + body(R(4, 10), light, x3, A) + body(R(4, 10), light, x4, C)
    L += -R(3, 2) * s**2 - R(1, 5) * (u**2 + v**2) - (q - R(3, 10))**2 / 2
    f = {s: sin(t) - R(3, 10) * d(s), u: R(3, 10) - c * d(u), v: -R(1, 5) - c * d(v), q: -R(5, 100) * d(q)}
    out = {'s': s, 'u': u, 'v': v, 'q': q, **vector('place', x4), 'side': (C * V(1, 0, 0))[1]}
    for name in ('joints', 'links'):
        lagrange(name, 1, {s: 0, u: 0, v: R(1, 2), q: 0, d(u): 1}, L, f, out=out, steps=8)


def balls():
    """Two bodies on ball joints with springs, friction and a motor, the first on a point that moves: angles about x, y, z of each."""
    a = coordinates('a1 a2 a3')
    b = coordinates('b1 b2 b3')
    turn = lambda q: about((1, 0, 0), q[0]) * about((0, 1, 0), q[1]) * about((0, 0, 1), q[2])
    A, B = turn(a), turn(b)
    J, K = (R(1, 10), R(12, 100), R(5, 100)), (R(8, 100), R(5, 100), R(9, 100))
    pivot = V(sin(3 * t) / 10, 0, cos(2 * t) / 20)
    x = pivot - A * V(R(1, 10), 0, R(1, 2))
    y = x + A * V(0, 0, -R(1, 2)) - B * V(0, R(1, 10), R(4, 10))
    S = A.T * B
    L = body(1, J, x, A) + body(R(7, 10), K, y, B) - R(3, 10) * (3 - S.trace()) / 2
    wa, wb = A * spin(A), B * spin(B)
    torque = A * V(R(1, 10), 0, R(5, 100)) - R(2, 100) * (wb - wa)
    f = {q: torque.dot((wb - wa).diff(velocity[q])) for q in a + b}
    start = {a[0]: R(1, 2), a[1]: 0, a[2]: 0, b[0]: 0, b[1]: -R(3, 10), b[2]: 0, d(b[2]): 1}
    lagrange('balls', 1, start, L, f, out={**vector('first.x', x), **vector('second.x', y), **vector('axis', B * V(1, 0, 0))}, steps=8)


def four_bar():
    """In the plane, by three angles and a closed loop."""
    th, ph, ps = coordinates('th ph ps')
    bars = ((1, R(3, 10)), (2, R(9, 10)), (R(3, 2), R(7, 10)))
    e = lambda q, l: V(l * cos(q), l * sin(q))
    (m1, a), (m2, b), (m3, c) = bars
    centre = [e(th, a) / 2, e(th, a) + e(ph, b) / 2, V(1, 0) + e(ps, c) / 2]
    L = 0
    for (m, l), x, q in zip(bars, centre, (th, ph, ps)):
        L += m / sp.Integer(2) * (d(x[0])**2 + d(x[1])**2) + m * (l**2 + R(1, 400)) / 24 * d(q)**2 - m * g * x[1]
    gap = e(th, a) + e(ph, b) - V(1, 0) - e(ps, c)
    D, tilt = math.hypot(1, 0.3), -math.atan2(0.3, 1)
    along = (0.81 - 0.49 + D * D) / (2 * D)
    f = tilt + math.acos(along / 0.9)
    end = (0.9 * math.cos(f), 0.3 + 0.9 * math.sin(f))
    lagrange('four_bar', 2, {th: math.pi / 2, ph: f, ps: math.atan2(end[1], end[0] - 1)}, L, {th: R(3, 2) - R(1, 2) * d(th)},
             holonomic=list(gap), out={'crank.x[1]': centre[0][0], 'crank.x[3]': centre[0][1], 'coupler.x[1]': centre[1][0],
                                       'coupler.x[3]': centre[1][1], 'rocker.x[1]': centre[2][0], 'rocker.x[3]': centre[2][1]})


def riders():
    """What floats falls on a parabola and, where it is a ball, keeps its spin, however its carrier moves; all else vanishes."""
    n = V(0, 1, 2) / sqrt(5)
    F = sp.Matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]])  # axes of the slide in space, and of what floats in the carrier
    E = about((1, 1, R(3, 10)), R(4, 10))
    v = F * V(1, 0, 0)                                 # of the carrier's origin; w: its spin
    w = F * n
    arm = V(0, 0, R(4, 10))
    x = V(R(1, 10), R(2, 10), R(4, 10)) + F * arm + F * F * E * V(R(1, 10), 0, 0)
    spun = w + F * F * E * V(1, 2, 3)
    moved = v + w.cross(F * arm) + F * F * V(R(3, 10), 0, 2) + spun.cross(F * F * E * V(R(1, 10), 0, 0))
    T = R(1, 2)
    fallen = x + moved * T - V(0, 0, g) * T**2 / 2
    values = {**vector('place', fallen), **vector('whirl', spun)}
    for name in 'v1 v2 v3 w1 w2 w3 u2 u3'.split():
        values.update(vector(name, V(0, 0, 0)))
    values.update(h1=0, h2=0, h3=0)
    MODELS['riders'] = lambda: (float(T), {k: float(x) for k, x in values.items()}, 1e-15)


riders(), hinges(), chain(), balls(), four_bar()
