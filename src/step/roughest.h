/* roughest.h - where the steps are the least smooth: where a second difference of increments,
 * D = |z - 2 z' + z''|, is the largest beside its mean.                  theory.md [RESOLUTION] */

enum { EACH = 64, APART = 16 }; /* steps that all count in the means; then one of these does */

/* Coordinate j of the roughest step begins at (q, p), and goes by z. */
WITHIN void keep_roughest(const roughness *of, const int n, const int j, const mask where,
                          const real q, const real p, const real z, const real D)
{
    of->from[j] = CHOOSE(where, q, of->from[j]);
    of->from[n + j] = CHOOSE(where, p, of->from[n + j]);
    of->from[2 * n + j] = CHOOSE(where, z, of->from[2 * n + j]);
    of->from[3 * n + j] = CHOOSE(where, D, of->from[3 * n + j]);
}

/* 1 / mean of D */
#define WEIGHT(known, sum) CHOOSE((sum) > 0, (known) / (sum), REAL(0))

/*     z - 2 z' + z'' */
#define DIFFERENCE(j) (((q[j] - q0[j]) - z1[j]) - (z1[j] - z2[j]))

/* The largest |z - 2 z' + z''| beside its mean; of many coordinates, by several that do not wait
 * for each other. */
WITHIN real largest_difference(const int n, const real *q, const real *q0, const real *z1,
                               const real *z2, const real *weight)
{
    enum { ABREAST = 8 };
    real most = REAL(0);
    int  j = 0;
    if (n >= ABREAST) {
        real r[ABREAST];
        for (int i = 0; i < ABREAST; i++) r[i] = REAL(0);
        for (; j + ABREAST <= n; j += ABREAST)
            for (int i = 0; i < ABREAST; i++)
                r[i] = LARGER(ABS(DIFFERENCE(j + i)) * weight[j + i], r[i]);
        for (int i = 0; i < ABREAST; i++) most = LARGER(r[i], most);
    }
    for (; j < n; j++) most = LARGER(ABS(DIFFERENCE(j)) * weight[j], most);
    return most;
}

/* A step from (q0, p0) at t has led to q; the first of the three that D is made of is kept. */
WITHIN void note_roughness(roughness *of, const int n, const mask on, const number t,
                           const number h, const real *q0, const real *p0, const real *q)
{
    const int   counts = of->noted < EACH || !(of->noted & (APART - 1));
    const mask  follows = on & (*of->seen >= 2), fresh = on & NOT(follows);
    const real  none = REAL(0);
    real        most = *of->most;
    real *const z1 = of->z, *const z2 = z1 + n, *const p1 = of->p, *const p2 = p1 + n;
    if (counts) {
        *of->known += CHOOSE(follows, REAL(1), none);
        most = none;
        for (int j = 0; j < n; j++) {
            of->sum[j] += CHOOSE(follows, ABS(DIFFERENCE(j)), none);
            of->weight[j] = WEIGHT(*of->known, of->sum[j]);
            most = LARGER(of->from[3 * n + j] * of->weight[j], most);
        }
    }
    const real r = largest_difference(n, q, q0, z1, z2, of->weight);
    const mask risen = follows & (r > most);
    if (ANY(risen)) {
        *of->t = CHOOSE(risen, REAL(t - 2 * h), *of->t);
        for (int j = 0; j < n; j++)
            keep_roughest(of, n, j, risen, q0[j] - z1[j] - z2[j], p2[j], z2[j], ABS(DIFFERENCE(j)));
    }
    *of->most = CHOOSE(risen, r, most);
    for (int j = 0; j < n; j++) {
        z2[j] = CHOOSE(on, z1[j], z2[j]);
        z1[j] = CHOOSE(on, q[j] - q0[j], z1[j]);
        p2[j] = CHOOSE(on, p1[j], p2[j]);
        p1[j] = CHOOSE(on, p0[j], p1[j]);
    }
    if (ANY(fresh)) *of->seen += CHOOSE(fresh, REAL(1), none);
    of->noted++;
}
#undef DIFFERENCE
