"""Initial value problems for the references of the tests: Gragg-Bulirsch-Stoer extrapolation in doubles, and the linear
systems in it. Nothing here is shared with dalembert."""


def solve(k):
    """Gaussian elimination with row pivoting of the augmented matrix k."""
    n = len(k)
    for c in range(n):
        p = max(range(c, n), key=lambda r: abs(k[r][c]))
        k[c], k[p] = k[p], k[c]
        for r in range(c + 1, n):
            w = k[r][c] / k[c][c]
            if w:
                for j in range(c, n + 1):
                    k[r][j] -= w * k[c][j]
    x = [0.0] * n
    for c in reversed(range(n)):
        x[c] = (k[c][n] - sum(k[c][j] * x[j] for j in range(c + 1, n))) / k[c][c]
    return x


def extrapolate(f, y, t0, t1, steps, columns=9):
    """y' = f(t, y): Gragg's modified midpoint rule with 2, 4, 6, ... substeps, and Neville's table in h^2."""
    H = (t1 - t0) / steps
    for k in range(steps):
        begin, table = t0 + k * H, []
        f0 = f(begin, y)
        for j in range(columns):
            m = 2 * (j + 1)
            h = H / m
            a, b = y, [u + h * w for u, w in zip(y, f0)]
            for i in range(1, m):
                a, b = b, [u + 2 * h * w for u, w in zip(a, f(begin + i * h, b))]
            row = [[(u + x + h * w) / 2 for u, x, w in zip(a, b, f(begin + H, b))]]
            for i in range(j):
                r = ((j + 1) / (j - i)) ** 2
                row.append([u + (u - x) / (r - 1) for u, x in zip(row[i], table[i])])
            table = row
        y = table[-1]
    return y
