#!/usr/bin/env python3
"""Orders above 8, where doubles cannot show them: the Galerkin step in 60 digits, on a forced, time-dependent
oscillator with a mass that depends on its position.

    L = (1 + x^2/2) x'^2/2 - x^4/4,   f = -(1 + x^2) x'/5 + cos(2 t)/2,   x(0) = 1/2, x'(0) = 0, t = 0 .. 1

Nothing is shared with dalembert: nodes from Legendre polynomials by mpmath, the step from theory.md [GALERKIN].
Prints, per scheme, the orders observed under halving, and the end of two steps of length 2, where the schemes differ by
far more than roundoff: tests/api/test_api_high_order.c holds those, so that the orders seen here are those of the program.
"""
from mpmath import mp, mpf, cos, matrix, lu_solve, polyroots, log

mp.dps = 60
Lv = lambda t, x, v: (1 + x * x / 2) * v
F = lambda t, x, v: x * v * v / 2 - x**3 - (1 + x * x) * v / 5 + cos(2 * t) / 2
dF = lambda t, x, v: (v * v / 2 - 3 * x * x - 2 * x * v / 5, x * v - (1 + x * x) / 5)


def legendre_coefficients(n):
    a, b = [mpf(1)], [mpf(0), mpf(1)]
    if n == 0:
        return a
    for k in range(1, n):
        c = [mpf(0)] + [(2 * k + 1) * z / (k + 1) for z in b]
        for i, z in enumerate(a):
            c[i] -= k * z / (k + 1)
        a, b = b, c
    return b


def roots(c):
    return sorted(r.real if hasattr(r, 'real') else r for r in polyroots(c[::-1], maxsteps=500, extraprec=400))


def gauss_nodes(s):
    return [(1 + r) / 2 for r in roots(legendre_coefficients(s))]


def lobatto_nodes(s):
    c = legendre_coefficients(s - 1)
    inner = roots([k * c[k] for k in range(1, len(c))]) if s > 2 else []
    return [mpf(0)] + [(1 + r) / 2 for r in inner] + [mpf(1)]


def weights(c):
    s = len(c)
    A = matrix(s, s)
    for k in range(s):
        for i in range(s):
            A[k, i] = c[i]**k
    return list(lu_solve(A, matrix([mpf(1) / (k + 1) for k in range(s)])))


def basis(x, at):
    """values and derivatives of the Lagrange polynomials of nodes x at the points"""
    l, dl = [], []
    for p in at:
        row, drow = [], []
        for n in range(len(x)):
            others = [m for m in range(len(x)) if m != n]
            value, slope = mpf(1), mpf(0)
            for m in others:
                slope = slope * (p - x[m]) / (x[n] - x[m]) + value / (x[n] - x[m])
                value = value * (p - x[m]) / (x[n] - x[m])
            row.append(value), drow.append(slope)
        l.append(row), dl.append(drow)
    return l, dl


def scheme(kind, s):
    c = gauss_nodes(s) if kind == 'gauss' else lobatto_nodes(s)
    d = s if kind == 'gauss' else s - 1
    return d, c, weights(c), basis(lobatto_nodes(d + 1), c)


def step(sch, t, q, p, h):
    d, c, b, (l, dl) = sch
    v0 = p / (1 + q * q / 2)
    Z = [v0 * h * x for x in lobatto_nodes(d + 1)]
    for _ in range(60):
        G, J = [mpf(0)] * (d + 1), matrix(d, d)
        for i in range(len(c)):
            x, v, ti = q + sum(l[i][n] * Z[n] for n in range(d + 1)), sum(dl[i][n] * Z[n] for n in range(d + 1)) / h, t + c[i] * h
            lv, f, (fx, fv) = Lv(ti, x, v), F(ti, x, v), dF(ti, x, v)
            for n in range(d + 1):
                G[n] += b[i] * (dl[i][n] * lv + h * l[i][n] * f)
                if n < d:
                    for k in range(1, d + 1):
                        J[n, k - 1] += b[i] * (dl[i][n] * (l[i][k] * x * v + dl[i][k] * (1 + x * x / 2) / h)
                                               + h * l[i][n] * (l[i][k] * fx + dl[i][k] / h * fv))
        r = matrix([-(G[n] + (p if n == 0 else 0)) for n in range(d)])
        D = lu_solve(J, r)
        for k in range(d):
            Z[k + 1] += D[k]
        if max(abs(D[k]) for k in range(d)) < mpf(10)**-45:
            break
    return q + Z[d], G[d]          # G at the last Z but one correction, which is below 1e-45


def run(sch, N, T=1):
    q, p, h = mpf(1) / 2, mpf(0), mpf(T) / N
    for k in range(N):
        q, p = step(sch, k * h, q, p, h)
    return q, p


if __name__ == '__main__':
    best = scheme('gauss', 11)
    far = run(best, 64, 4)
    reference, check = run(best, 32), run(best, 24)
    print('# reference: gauss(11) in 32 steps; in 24 it parts by %s' % mp.nstr(max(abs(a - b) for a, b in zip(reference, check)), 3))
    for kind, s, order in [('gauss', 4, 8), ('gauss', 5, 10), ('gauss', 6, 12), ('gauss', 7, 14), ('gauss', 8, 16),
                           ('lobatto', 5, 8), ('lobatto', 6, 10), ('lobatto', 7, 12), ('lobatto', 8, 14), ('lobatto', 9, 16)]:
        sch = scheme(kind, s)
        ends = {N: run(sch, N) for N in (4, 8, 16)}
        e = {N: [abs(a - b) for a, b in zip(ends[N], reference)] for N in ends}
        o = ['%.2f' % log(e[N][i] / e[2 * N][i], 2) for i in (0, 1) for N in (4, 8)]
        long = run(sch, 2, 4)
        print('{"%s(%d)", %d, %s, %s}, /* orders q %s %s p %s %s; error of the two steps %s */' % (
            (kind, s, order, mp.nstr(long[0], 20), mp.nstr(long[1], 20)) + tuple(o)
            + (mp.nstr(max(abs(a - b) for a, b in zip(long, far)), 2),)), flush=True)
