/* settle.h - the small linear system of moves along directions without inertia.
 *                                                                       theory.md [DEGENERATE] */

/* x <- a^-1 x of K unknowns, by elimination with rows exchanged; the largest of them, or a number
 * that is not finite where there is none. */
static inline real settled_by(int K, real *a, real *x)
{
    real most = 0;
    for (int k = 0; k < K; k++) {
        int best = k;
        for (int i = k + 1; i < K; i++)
            if (ABS(a[i * K + k]) > ABS(a[best * K + k])) best = i;
        for (int j = 0; j < K; j++) {
            const real z = a[k * K + j];
            a[k * K + j] = a[best * K + j];
            a[best * K + j] = z;
        }
        const real z = x[k];
        x[k] = x[best];
        x[best] = z;
        if (!(ABS(a[k * K + k]) > 0)) return HUGE_VALUE;
        for (int i = k + 1; i < K; i++) {
            const real by = a[i * K + k] / a[k * K + k];
            for (int j = k; j < K; j++) a[i * K + j] -= by * a[k * K + j];
            x[i] -= by * x[k];
        }
    }
    for (int k = K - 1; k >= 0; k--) {
        for (int j = k + 1; j < K; j++) x[k] -= a[k * K + j] * x[j];
        x[k] /= a[k * K + k];
        most = larger(most, x[k]);
    }
    return most;
}
