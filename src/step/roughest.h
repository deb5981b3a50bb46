/* roughest.h - where the steps are the least smooth: where a second difference of increments,
 * D = |z - 2 z' + z''|, is the largest beside its mean; of explicit steps, that of a force, which is
 * the next of these: D = |F_1 - F_0|.                                     theory.md [RESOLUTION] */

/* The roughest begins at (q, p) and goes as far as z. */
WITHIN void keep_roughest(roughness *of, const int n, long k, const number *q, const number *p,
                          const number *z)
{
    of->k = k;
    for (int j = 0; j < n; j++) {
        of->from[j] = q[j];
        of->from[n + j] = p[j];
        of->from[2 * n + j] = z[j];
    }
}

/* The k-th step has moved the state by z from (q0, p0); what is kept is where z' began. */
WITHIN void note_roughness(roughness *of, const int n, long k, const number *q0, const number *p0,
                           const number *z)
{
    const int counts = of->seen >= 2;
    number    most = of->most, *const z1 = of->z, *const z2 = of->z + n;
    for (int j = 0; j < n; j++) {
        const number D = ABS((z[j] - z1[j]) - (z1[j] - z2[j]));
        if (counts) {
            of->sum[j] += D;
            most = LARGER(most, D * of->weight[j]);
        }
        z2[j] = z1[j];
        z1[j] = z[j];
    }
    if (most > of->most) keep_roughest(of, n, k - 1, of->last, of->last + n, z2);
    of->most = most;
    for (int j = 0; j < n; j++) {
        of->last[j] = q0[j];
        of->last[n + j] = p0[j];
    }
    of->known += counts;
    of->seen++;
}

enum { KICKS_APART = 16 }; /* explicit steps of which one counts in the means */

/* The k-th step, by z from (q0, p0), has met the force F0 where it began, F1 where it ends. Means are
 * of those steps that count. */
WITHIN void note_forces(roughness *of, const int n, long k, const number *q0, const number *p0,
                        const number *z, const number *F0, const number *F1)
{
    const int counts = k % KICKS_APART == 0;
    number    most = of->most;
    for (int j = 0; j < n; j++) most = LARGER(most, ABS(F1[j] - F0[j]) * of->weight[j]);
    if (most > of->most) keep_roughest(of, n, k, q0, p0, z);
    of->most = most;
    for (int j = 0; counts && j < n; j++) of->sum[j] += ABS(F1[j] - F0[j]);
    of->known += counts;
}
