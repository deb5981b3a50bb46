"""Independent reference for the models of this folder; nothing here is shared with dalembert.

Each motion is written down once more, where possible in other variables than the model has: one angle instead of a closed
loop, state equations instead of a circuit, the vector equation instead of canonical coordinates. `ode` takes the equations
of motion as they stand in textbooks; `lagrange` derives them with sympy, relations differentiated to accelerations,

    [ L_vv  -A^T ] [ a   ]   [ L_q + f - L_vq v - L_vt ]
    [ A      0   ] [ lam ] = [ -(A' v + b')            ]

Both are integrated by Gragg-Bulirsch-Stoer extrapolation of order 18 in doubles. The number of steps is doubled until the
values change by less than 1e-12, or by roundoff; the last change is stored as the error of the reference.
"""
import math
import os
import sys
import sympy as sp
from sympy import sin, cos, sqrt, pi, Rational as R
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from extrapolation import extrapolate, solve

t = sp.Symbol('t')
velocity = {}  # of each coordinate


def coordinates(names):
    """Symbols of these names, `x[1..3]` is three; d(x) is the velocity of x."""
    symbols = []
    for name in names.split():
        base, _, count = name.partition('[1..')
        for full in ['%s[%d]' % (base, k + 1) for k in range(int(count[:-1]))] if count else [name]:
            symbols.append(sp.Symbol(full))
            velocity.setdefault(symbols[-1], sp.Symbol(full + "'"))
    return symbols


def d(e):
    """The total time derivative of an expression of t and coordinates."""
    e = sp.sympify(e)
    return sp.diff(e, t) + sum(sp.diff(e, s) * velocity[s] for s in e.free_symbols if s in velocity)


lam = list(sp.symbols('lam:20'))  # multipliers


def adapt(f, y, t0, t1, tolerance):
    """Extrapolation with steps that are halved until both halves agree with the whole; for close encounters."""
    t, H = t0, (t1 - t0) / 64
    while t < t1:
        H = min(H, t1 - t)
        try:
            once, twice = extrapolate(f, y, t, t + H, 1), extrapolate(f, y, t, t + H, 2)
            error = max(abs(a - b) / max(1, abs(b)) for a, b in zip(once, twice))
        except (OverflowError, ZeroDivisionError, ValueError):
            error = math.inf
        if not error < tolerance:
            H /= 2
            continue
        t, y = t + H, twice
        if error < tolerance / 1000:
            H *= 2
    return y


MODELS = {}


def compute(f, y, T, out, steps):
    """Values at T, and by how much they changed when the steps were halved; steps 0: by `adapt`, with two tolerances."""
    if not steps:
        rough, now = (out(T, adapt(f, y, 0, T, e)) for e in (1e-7, 1e-9))
        return now, max(abs(now[k] - rough[k]) / max(1, abs(now[k])) for k in now)
    before, error = None, math.inf
    while True:
        try:
            now = out(T, extrapolate(f, y, 0, T, steps))
        except (OverflowError, ZeroDivisionError, ValueError):
            now = None
        if now and before:
            last, error = error, max(abs(now[k] - before[k]) / max(1, abs(now[k])) for k in now)
            if error < 1e-12:
                return now, error
            if error > last / 4 and last < 1e-10:  # roundoff
                return before, last
        before, steps = now, 2 * steps


def ode(name, T, y, f, out, steps=16):
    """y' = f(t, y); out(t, y) gives the values of the model by name."""
    MODELS[name] = lambda: (T,) + compute(f, [float(x) for x in y], T, out, steps)


def lagrange(name, T, start, L, f={}, rows=(), holonomic=(), out=None, steps=16):
    """start: {x: 1, d(x): 2}, all coordinates in it. f: {x: force}. rows: expressions, linear in velocities, that vanish.
    out: {name: expression} of coordinates, velocities and multipliers lam[k]; by default all q and p = dL/dv."""
    def make():
        q = [s for s in start if s in velocity]
        v = [velocity[s] for s in q]
        n, m = len(q), len(rows) + len(holonomic)
        Lv = [sp.diff(L, y) for y in v]
        relations = [sp.sympify(r) for r in rows] + [d(h) for h in holonomic]
        A = [[sp.diff(e, y) for y in v] for e in relations]
        along = lambda e: sp.diff(e, t) + sum(sp.diff(e, x) * y for x, y in zip(q, v))
        force = [sp.diff(L, x) + f.get(x, 0) - along(p) for x, p in zip(q, Lv)]
        flat = []
        for i in range(n):
            flat += [sp.diff(Lv[i], y) for y in v] + [-A[a][i] for a in range(m)] + [force[i]]
        for a in range(m):
            flat += A[a] + [0] * m + [-along(relations[a])]
        fun = sp.lambdify([t] + q + v, flat, modules='math', cse=True)
        w = n + m + 1

        def accelerations(time, y):
            z = fun(time, *y)
            return solve([list(z[i * w:(i + 1) * w]) for i in range(n + m)])

        def rates(time, y):
            return list(y[n:]) + accelerations(time, y)[:n]
        wanted = out or {**{str(x): x for x in q}, **{'p(%s)' % x: p for x, p in zip(q, Lv)}}
        last = sp.lambdify([t] + q + v + lam[:m], list(wanted.values()), modules='math')

        def values(time, y):
            return dict(zip(wanted, (float(x) for x in last(time, *y, *accelerations(time, y)[n:]))))
        y = [float(start[x]) for x in q] + [float(start.get(x, 0)) for x in v]
        off = [float(e.subs(t, 0).subs(dict(zip(q + v, y)))) for e in relations + [sp.sympify(h) for h in holonomic]]
        assert all(abs(e) < 1e-12 for e in off), (name, 'the start violates a relation', off)
        return (T,) + compute(rates, y, T, values, steps)
    MODELS[name] = make
