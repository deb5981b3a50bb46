/* predict.h - the initial guess of a step: its last solutions, newest first, continued as a
 * polynomial in the step number by backward differences.                        theory.md [PREDICT]
 *
 *     D_0 = y_k,   D_j = D_{j-1} - (D_{j-1} of the step before)
 *
 * Differences are used as long as they shrink, for then the omitted ones are smaller still; noise
 * and rough motion end them early. Past solutions that do not exist are numbers that do not
 * count. */

WITHIN void take_differences(real a0, real a1, real a2, real a3, real a4, real a5, real *D)
{
    const real b0 = a0 - a1, b1 = a1 - a2, b2 = a2 - a3, b3 = a3 - a4, b4 = a4 - a5;
    const real c0 = b0 - b1, c1 = b1 - b2, c2 = b2 - b3, c3 = b3 - b4;
    const real d0 = c0 - c1, d1 = c1 - c2, d2 = c2 - c3;
    const real e0 = d0 - d1, e1 = d1 - d2;
    D[0] = a0, D[1] = b0, D[2] = c0, D[3] = d0, D[4] = e0, D[5] = e0 - e1;
}

/* One number: D_0 + ... + D_3, and D_4 + D_5 if these are smaller than the two before. One may
 * vanish by accident, two hardly. The sum of all six is written out, so that it waits for the
 * newest number once. */
WITHIN real continued(const int known, real a0, real a1, real a2, real a3, real a4, real a5)
{
    real D[PAST];
    take_differences(a0, a1, a2, a3, a4, a5, D);
    const int  all = known == PAST && ABS(D[4]) + ABS(D[5]) < ABS(D[2]) + ABS(D[3]);
    const real six = 6 * a0 + ((20 * a2 - 15 * (a1 + a3)) + (6 * a4 - a5));
    const real b = known > 1 ? D[1] : 0, c = known > 2 ? D[2] : 0, d = known > 3 ? D[3] : 0;
    return all ? six : a0 + (b + (c + d));
}

/* The smallest of the known differences, by their sizes z: the best of pairs, then of those,
 * without unpredictable branches. */
WITHIN int smallest(const int known, real z0, real z1, real z2, real z3, real z4, real z5)
{
    const int  l0 = known > 1 && z1 < z0 ? 1 : 0, l2 = known > 3 && z3 < z2 ? 3 : 2;
    const int  l4 = known > 5 && z5 < z4 ? 5 : 4;
    const real m0 = l0 ? z1 : z0, m2 = known > 2 ? (l2 == 3 ? z3 : z2) : HUGE_VALUE;
    const real m4 = known > 4 ? (l4 == 5 ? z5 : z4) : HUGE_VALUE;
    const int  l = m2 < m0 ? l2 : l0;
    return m4 < (m2 < m0 ? m2 : m0) ? l4 : l;
}

/* One curve of degree d, whose node nu is unknown first + nu * stride: the differences up to the
 * smallest, by their middle and their end, and that one continued along its curve,
 *     Z <- sum_{i<j} D_i + X D_j,   X_mu,nu = l_nu(1 + x_mu) - l_nu(1), by rows nu
 * D: room for 2 * PAST * width numbers. */
WITHIN void continue_curve(const int known, const int d, const int stride, const int width,
                           const real *const *a, const int first, const real *X, real *RESTRICT D,
                           real *RESTRICT y)
{
    real *const sums = D + PAST * width; /* of the differences before each */
    for (int k = 0; k < d; k++) {
        const int at = first + k * stride;
        real      e[PAST];
        take_differences(a[0][at], a[1][at], a[2][at], a[3][at], a[4][at], a[5][at], e);
        const real s2 = e[0] + e[1], s3 = s2 + e[2], s4 = s3 + e[3];
        D[k] = e[0], D[width + k] = e[1], D[2 * width + k] = e[2];
        D[3 * width + k] = e[3], D[4 * width + k] = e[4], D[5 * width + k] = e[5];
        sums[k] = 0, sums[width + k] = e[0], sums[2 * width + k] = s2;
        sums[3 * width + k] = s3, sums[4 * width + k] = s4, sums[5 * width + k] = s4 + e[4];
    }
    const real *const m = D + d / 2 - 1, *const n = D + d - 1;
    const int j =
        smallest(known, ABS(m[0]) + ABS(n[0]), ABS(m[width]) + ABS(n[width]),
                 ABS(m[2 * width]) + ABS(n[2 * width]), ABS(m[3 * width]) + ABS(n[3 * width]),
                 ABS(m[4 * width]) + ABS(n[4 * width]), ABS(m[5 * width]) + ABS(n[5 * width]));
    const real *const x = D + j * width, *const sum = sums + j * width;
    for (int k = 0; k < d; k++) y[first + k * stride] = sum[k];
    for (int nu = 0; nu + 1 < d; nu += 2)
        for (int k = 0; k < d; k++)
            y[first + k * stride] += X[nu * d + k] * x[nu] + X[(nu + 1) * d + k] * x[nu + 1];
    for (int k = 0; k < d && d % 2; k++) y[first + k * stride] += X[(d - 1) * d + k] * x[d - 1];
}

#ifdef N /* in generated code, where sizes are constants and past solutions stand in one array */

WITHIN void continue_all(const int known, const real *a, real *RESTRICT y)
{
    const real *const past[PAST] = {a, a + N, a + 2 * N, a + 3 * N, a + 4 * N, a + 5 * N};
#if DEGREE > 1
    enum { CURVES = COORDINATES * DEGREE, WIDTH = (DEGREE + 3) / 4 * 4 };
    real D[2 * PAST * WIDTH];
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
