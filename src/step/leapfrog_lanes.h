/* leapfrog_lanes.h - explicit steps of stretches in lanes (leapfrog.h): the arrays of such a
 * stretch, and how positions drift.
 *
 * Before it: leapfrog.h, the number of lanes L. */

struct lanes {
    const double        *c, *still;
    const double *const *moving;
    double              *q, *q_low, *p, *p_low, *kick;
    const double        *drift, *resistance; /* in lanes; NULL: those of all are the same */
    double               same, same_resistance, *force, *work;
};

/*     q += drift (p + k),  of rows in arrays that begin with row `from` */
static inline void drift_lanes(const struct lanes *x, double *restrict Q, double *restrict Q_low,
                               const double *restrict P, const double *restrict P_low,
                               const double *restrict K, int from, int rows)
{
    const double *restrict drift = x->drift ? x->drift + from * L : 0, same = x->same, *c = x->c;
    (void)Q_low, (void)P_low, (void)K, (void)c;
    if (!drift)
        for (int e = 0; e < rows * L; e++) ADD(Q[e], Q_low[e], BY(same) * MIDDLE(P[e], P_low[e], K[e]));
    else
        for (int e = 0; e < rows * L; e++)
            ADD(Q[e], Q_low[e], BY(drift[e]) * MIDDLE(P[e], P_low[e], K[e]));
}
