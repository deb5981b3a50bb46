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
    real D[PAST];
    take_differences(a0, a1, a2, a3, a4, a5, D);
    const real b = known > 1 ? D[1] : REAL(0), c = known > 2 ? D[2] : REAL(0);
    const real d = known > 3 ? D[3] : REAL(0), few = a0 + (b + (c + d));
    const real six =
        LANES > 1 ? few + (D[4] + D[5]) : 6 * a0 + ((20 * a2 - 15 * (a1 + a3)) + (6 * a4 - a5));
    const mask all = ABS(D[4]) + ABS(D[5]) < ABS(D[2]) + ABS(D[3]);
    return known == PAST ? CHOOSE(all, six, few) : few;
}

/* One curve of degree d, whose node nu is unknown first + nu * stride: two, four or six
 * differences, as long as the last shrink at the middle and the end, and the last continued along
 * its curve, Z <- sum_{i<j} D_i + X D_j,   X_mu,nu = l_nu(1 + x_mu) - l_nu(1), by rows nu D: room
 * for 6 * width numbers. */
WITHIN void continue_curve(const int known, const int d, const int stride, const int width,
                           const real *const *a, const int first, const number *X, real *RESTRICT D,
                           real *RESTRICT y)
{
    real *const x2 = D, *const x4 = D + width, *const x6 = D + 2 * width;
    real *const s2 = D + 3 * width, *const s4 = D + 4 * width, *const s6 = D + 5 * width;
    /* nodes in the middle and at the end, at which differences are compared */
    const int m = d / 2 - 1, n = d - 1;
    for (int k = 0; k < d; k++) {
        const int at = first + k * stride;
        real      e[PAST];
        take_differences(a[0][at], a[1][at], a[2][at], a[3][at], a[4][at], a[5][at], e);
        /* x: the difference that is continued along its curve, s: the sum of those before it,
         * for two, four and six differences */
        x2[k] = known > 1 ? e[1] : e[0], x4[k] = e[3], x6[k] = e[5];
        s2[k] = known > 1 ? e[0] : REAL(0), s4[k] = (e[0] + e[1]) + e[2];
        s6[k] = s4[k] + (e[3] + e[4]);
    }
    const real z2 = ABS(x2[m]) + ABS(x2[n]), z4 = ABS(x4[m]) + ABS(x4[n]);
    mask       four = z4 < z2, six = four & (ABS(x6[m]) + ABS(x6[n]) < z4);
    if (known < 4) four = NOT(EVERYWHERE);
    if (known < PAST) six = NOT(EVERYWHERE);
#if LANES == 1
    const real *const x = six ? x6 : four ? x4 : x2, *const sum = six ? s6 : four ? s4 : s2;
#else
    for (int k = 0; k < d && ANY(four); k++) {
        x2[k] = CHOOSE(six, x6[k], CHOOSE(four, x4[k], x2[k]));
        s2[k] = CHOOSE(six, s6[k], CHOOSE(four, s4[k], s2[k]));
    }
    const real *const x = x2, *const sum = s2;
#endif
    for (int k = 0; k < d; k++) y[first + k * stride] = sum[k];
    for (int nu = 0; nu + 1 < d; nu += 2)
        for (int k = 0; k < d; k++)
            y[first + k * stride] += X[nu * d + k] * x[nu] + X[(nu + 1) * d + k] * x[nu + 1];
    for (int k = 0; k < d && d % 2; k++) y[first + k * stride] += X[(d - 1) * d + k] * x[d - 1];
}

#ifdef N /* in generated code, where sizes are constants and past solutions stand in one array */

/* All unknowns; past solutions that do not exist yet are read, but do not count. */
WITHIN void continue_all(const int known, const real *a, real *RESTRICT y)
{
    const real *const past[PAST] = {a, a + N, a + 2 * N, a + 3 * N, a + 4 * N, a + 5 * N};
#if DEGREE > 1
    enum { CURVES = COORDINATES * DEGREE, WIDTH = (DEGREE + 3) / 4 * 4 };
    real D[6 * WIDTH];
    for (int j = 0; j < CURVES; j += DEGREE)
        continue_curve(known, DEGREE, 1, WIDTH, past, j, CONTINUED, D, y);
#else
    enum { CURVES = 0 };
#endif
    for (int k = CURVES; k < N; k++)
        y[k] = continued(known, past[0][k], past[1][k], past[2][k], past[3][k], past[4][k],
                         past[5][k]);
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
    if (known == PAST) continue_all(PAST, a, y);
    else predict_early(known, a, y);
}
#endif
#endif
