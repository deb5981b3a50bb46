/* chord.h - rows of equations with one sample point on a curve of degree one: the point, the sum,
 * and the change of momentum. Compiled in vectors for many rows (residual.c), and without for few
 * (few_rows.c). */
#ifndef MECH_EQUATIONS_CHORD_H
#define MECH_EQUATIONS_CHORD_H

/*     q = q_0 + l z,   v = (l'/h) z                                            theory.md [CURVE] */
static inline void chord_place(double *restrict q, double *restrict v, const double *restrict base,
                               const double *restrict low, const double *restrict z, double l,
                               double slope, int n)
{
    for (int j = 0; j < n; j++) q[j] = base[j] + (low[j] + l * z[j]), v[j] = slope * z[j];
}

/*     r = p_0 + cw L_w + cq (L_q + f):   p_0 and L_w nearly cancel, so they come first. f may be
 * NULL. */
static inline void chord_sum(double *restrict r, const double *restrict p,
                             const double *restrict p_low, double cw, const double *restrict Lw,
                             double cq, const double *restrict Lq, const double *restrict f, int n)
{
    if (f)
        for (int j = 0; j < n; j++) r[j] = ((p[j] + cw * Lw[j]) + cq * (Lq[j] + f[j])) + p_low[j];
    else
        for (int j = 0; j < n; j++) r[j] = ((p[j] + cw * Lw[j]) + cq * Lq[j]) + p_low[j];
}

/*     p^- - p_0 = h b (L_q + f) */
static inline void chord_momentum(double *restrict dp, double      b, const double *restrict Lq,
                                  const double *restrict f, double h, int n)
{
    if (f)
        for (int j = 0; j < n; j++) dp[j] = (b * Lq[j] + b * f[j]) * h;
    else
        for (int j = 0; j < n; j++) dp[j] = b * Lq[j] * h;
}

#endif
