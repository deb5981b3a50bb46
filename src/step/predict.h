/* predict.h - the initial guess of a step: its last solutions, newest first, continued as a
 * polynomial in the step number by backward differences.                        theory.md [PREDICT]
 *
 *     D_0 = y_k,   D_j = D_{j-1} - (D_{j-1} of the step before)
 *
 * Differences are used by pairs as long as they shrink, for then the omitted ones are smaller
 * still; noise and rough motion end them early. Past solutions that do not exist are numbers that
 * do not count. */

/* Newest number a0 first; D[j] is the j-th difference at a0. */
WITHIN void take_differences(real a0, real a1, real a2, real a3, real a4, real a5, real *D)
{
    const real b0 = a0 - a1, b1 = a1 - a2, b2 = a2 - a3, b3 = a3 - a4, b4 = a4 - a5;
    const real c0 = b0 - b1, c1 = b1 - b2, c2 = b2 - b3, c3 = b3 - b4;
    const real d0 = c0 - c1, d1 = c1 - c2, d2 = c2 - c3;
    const real e0 = d0 - d1, e1 = d1 - d2;
    D[0] = a0, D[1] = b0, D[2] = c0, D[3] = d0, D[4] = e0, D[5] = e0 - e1;
}

/* One number: D_0 + ... + D_3, and D_4 + D_5 if these are smaller than the two before. One may
 * vanish by accident, two hardly. The sum of all six is written out for one system, so that it
 * waits for the newest number once. */
WITHIN real continued(const int known, real a0, real a1, real a2, real a3, real a4, real a5)
{
    real D[HISTORY];
    take_differences(a0, a1, a2, a3, a4, a5, D);
    const real b = known > 1 ? D[1] : REAL(0), c = known > 2 ? D[2] : REAL(0);
    const real d = known > 3 ? D[3] : REAL(0), few = a0 + (b + (c + d));
    const real six =
        LANES > 1 ? few + (D[4] + D[5]) : 6 * a0 + ((20 * a2 - 15 * (a1 + a3)) + (6 * a4 - a5));
    const mask all = ABS(D[4]) + ABS(D[5]) < ABS(D[2]) + ABS(D[3]);
    return known == HISTORY ? CHOOSE(all, six, few) : few;
}

/* Curves of degree d of n coordinates: of each two, four or six differences, as long as the last
 * shrink at the middle and the end, and the last continued along its curve,
 *
 *     Z <- sum_{i<j} D_i + X D_j,   X_mu,nu = l_nu(1 + x_mu) - l_nu(1), by rows nu
 *
 * D: room for (6 n + 1) d numbers. */
WITHIN void continue_curves(const int known, const int n, const int d, const real *const *a,
                            const number *X, real *RESTRICT D, real *RESTRICT y)
{
    const int   count = n * d;
    real *const x2 = D, *const x4 = D + count, *const x6 = D + 2 * count;
    real *const s2 = D + 3 * count, *const s4 = D + 4 * count, *const s6 = D + 5 * count;
    real *const z = D + 6 * count;
    for (int k = 0; k < count; k++) {
        real e[HISTORY];
        take_differences(a[0][k], a[1][k], a[2][k], a[3][k], a[4][k], a[5][k], e);
        /* x: the difference that is continued along its curve, s: the sum of those before it,
         * for two, four and six differences */
        x2[k] = known > 1 ? e[1] : e[0], x4[k] = e[3], x6[k] = e[5];
        s2[k] = known > 1 ? e[0] : REAL(0), s4[k] = (e[0] + e[1]) + e[2];
        s6[k] = s4[k] + (e[3] + e[4]);
    }
    for (int j = 0; j < n; j++) {
        /* nodes in the middle and at the end, at which differences are compared */
        const int  m = (d / 2 - 1) * n + j, e = (d - 1) * n + j;
        const real z2 = ABS(x2[m]) + ABS(x2[e]), z4 = ABS(x4[m]) + ABS(x4[e]);
        mask       four = z4 < z2, six = four & (ABS(x6[m]) + ABS(x6[e]) < z4);
        if (known < 4) four = NOT(EVERYWHERE);
        if (known < HISTORY) six = NOT(EVERYWHERE);
#if LANES == 1
        const real *const x = (six ? x6 : four ? x4 : x2) + j;
        const real *const sum = (six ? s6 : four ? s4 : s2) + j;
#else
        for (int k = j; k < count && ANY(four); k += n) {
            x2[k] = CHOOSE(six, x6[k], CHOOSE(four, x4[k], x2[k]));
            s2[k] = CHOOSE(six, s6[k], CHOOSE(four, s4[k], s2[k]));
        }
        const real *const x = x2 + j, *const sum = s2 + j;
#endif
        for (int k = 0; k < d; k++) z[k] = X[k] * x[0] + X[d + k] * x[n];
        for (int nu = 2; nu + 1 < d; nu += 2)
            for (int k = 0; k < d; k++)
                z[k] += X[nu * d + k] * x[nu * n] + X[(nu + 1) * d + k] * x[(nu + 1) * n];
        for (int k = 0; k < d && d % 2; k++) z[k] += X[(d - 1) * d + k] * x[(d - 1) * n];
        for (int k = 0; k < d; k++) y[k * n + j] = sum[k * n] + z[k];
    }
}

#ifdef N /* in generated code, where sizes are constants and past solutions stand in one array */

/* All unknowns; past solutions that do not exist yet are read, but do not count. */
WITHIN void continue_all(const int known, const real *a, real *RESTRICT y)
{
    const real *const history[HISTORY] = {a, a + N, a + 2 * N, a + 3 * N, a + 4 * N, a + 5 * N};
#if DEGREE > 1
    enum { CURVES = COORDINATES * DEGREE };
    real D[6 * CURVES + DEGREE];
    continue_curves(known, COORDINATES, DEGREE, history, CONTINUED, D, y);
#else
    enum { CURVES = 0 };
#endif
    for (int k = CURVES; k < N; k++)
        y[k] = continued(known, history[0][k], history[1][k], history[2][k], history[3][k],
                         history[4][k], history[5][k]);
}

#if DEGREE > 1
PIECE void predict(int known, const real *a, real *y)
{
    continue_all(known, a, y);
}
#else
RARE void predict_early(int known, const real *a, real *y)
{
    continue_all(known, a, y);
}

PIECE void predict(int known, const real *a, real *y)
{
    if (known == HISTORY) continue_all(HISTORY, a, y);
    else predict_early(known, a, y);
}
#endif
#endif
