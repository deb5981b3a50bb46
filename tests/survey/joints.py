"""Bodies in space with joints, in angles of the joints: matrices by the cosines and sines of these, angular velocities from their rates."""
import cmath
import xml.etree.ElementTree
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


def planar_arm():
    """The arm of tests/urdf/planar.urdf, a damped double pendulum; tests/cli/import.sh has its values."""
    a, b = coordinates('shoulder.q elbow.q')
    end = lambda q, l: (-l * sin(q), -l * cos(q))
    (x, z), (X, Z), (u, w) = end(a, R(1, 4)), end(a, R(1, 2)), end(a + b, R(1, 5))
    L = R(6, 10) * (d(x)**2 + d(z)**2) + R(25, 2000) * d(a)**2 + R(4, 10) * (d(X + u)**2 + d(Z + w)**2) + R(6, 1000) * (d(a) + d(b))**2 \
        - g * (R(12, 10) * z + R(8, 10) * (Z + w))
    lagrange('planar_arm', 1, {a: R(1, 2), b: R(2, 5)}, L, {a: -R(1, 10) * d(a), b: -R(5, 100) * d(b)})


def urdf(name, T, start):
    """The robot of tests/urdf/NAME.urdf, read once more: M(q) from the velocities of its links, its derivatives by complex steps,
    M v' = f - (dM/dt) v + d(v M v/2 - V)/dq."""
    file = xml.etree.ElementTree.parse(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'urdf', name + '.urdf')).getroot()
    listed = lambda words: [float(x) for x in words.split()]
    times = lambda A, B: [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]
    on = lambda A, x: [sum(a * b for a, b in zip(row, x)) for row in A]
    plus = lambda a, b: [x + y for x, y in zip(a, b)]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))

    def turned(n, q):
        c, s = cmath.cos(q), cmath.sin(q)
        K = [[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]]
        return [[(i == j) * c + s * K[i][j] + (1 - c) * n[i] * n[j] for j in range(3)] for i in range(3)]

    def pose(e):
        o = e.find('origin')
        xyz, rpy = ([0] * 3, [0] * 3) if o is None else (listed(o.get(k, '0 0 0')) for k in ('xyz', 'rpy'))
        return xyz, times(times(turned([0, 0, 1], rpy[2]), turned([0, 1, 0], rpy[1])), turned([1, 0, 0], rpy[0]))
    moving = [j.get('name') for j in file.findall('joint') if j.get('type') != 'fixed']
    n = len(moving)

    def frames(q, v):
        """Place, axes, velocity and spin of every link; the joints of these files stand in order."""
        frame = {file.find('link').get('name'): ([0] * 3, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0] * 3, [0] * 3)}
        for j in file.findall('joint'):
            at, turn = pose(j)
            x, A, u, w = frame[j.find('parent').get('link')]
            arm = on(A, at)
            x, A, u = plus(x, arm), times(A, turn), plus(u, cross(w, arm))
            if j.get('name') in moving:
                k = moving.index(j.get('name'))
                axis = listed(j.find('axis').get('xyz'))
                axis = [a / math.sqrt(dot(axis, axis)) for a in axis]
                N = on(A, axis)
                if j.get('type') == 'prismatic':
                    arm = [q[k] * a for a in N]
                    x, u = plus(x, arm), plus(plus(u, cross(w, arm)), [v[k] * a for a in N])
                else:
                    A, w = times(A, turned(axis, q[k])), plus(w, [v[k] * a for a in N])
            frame[j.find('child').get('link')] = x, A, u, w
        return frame

    def bodies(q, v):
        frame = frames(q, v)
        for l in file.findall('link'):
            i = l.find('inertial')
            if i is None:
                continue
            c, turn = pose(i)
            x, A, u, w = frame[l.get('name')]
            arm, E = on(A, c), times(A, turn)
            J = [[float(i.find('inertia').get('i' + 'xyz'[min(a, b)] + 'xyz'[max(a, b)])) for b in range(3)] for a in range(3)]
            yield float(i.find('mass').get('value')), J, plus(x, arm), plus(u, cross(w, arm)), on(list(zip(*E)), w)

    def matrix(q):
        M = [[0] * n for _ in range(n)]
        columns = [list(bodies(q, [float(k == i) for k in range(n)])) for i in range(n)]
        for i in range(n):
            for k in range(n):
                for (m, J, _, u, W), (_, _, _, u2, W2) in zip(columns[i], columns[k]):
                    M[i][k] += m * dot(u, u2) + dot(W, on(J, W2))
        return M

    height = lambda q: sum(m * float(g) * x[2] for m, _, x, _, _ in bodies(q, [0] * n))
    damping = [0 if j.find('dynamics') is None else float(j.find('dynamics').get('damping'))
               for j in file.findall('joint') if j.get('name') in moving]

    def rates(time, y):
        q, v, h = list(y[:n]), list(y[n:]), 1e-100
        f, slopes = [-c * x for c, x in zip(damping, v)], []
        for k in range(n):
            moved = [x + 1j * h * (i == k) for i, x in enumerate(q)]
            slopes.append([[x.imag / h for x in row] for row in matrix(moved)])
            f[k] += dot(v, on(slopes[k], v)) / 2 - height(moved).imag / h
        turned_along = [sum(slopes[k][i][l] * v[k] * v[l] for k in range(n) for l in range(n)) for i in range(n)]
        return v + solve([[x.real for x in row] + [b - c] for row, b, c in zip(matrix(q), f, turned_along)])

    def values(time, y):
        p = on(matrix(list(y[:n])), y[n:])
        return {**{k + '.q': x for k, x in zip(moving, y)}, **{'p(%s.q)' % k: x.real for k, x in zip(moving, p)}}
    ode(name, T, [start[k][0] for k in moving] + [start[k][1] for k in moving], rates, values, steps=2)


urdf('crooked', 0.5, dict(turn=(0.3, 1), extend=(0.1, 0.5), tilt=(-0.2, 2)))
riders(), planar_arm(), hinges(), chain(), balls(), four_bar()
