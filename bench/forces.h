/* forces.h - the right-hand sides q'' = F(q, v) of the small problems, for loops that inline
 * them. */
#ifndef BENCH_FORCES_H
#define BENCH_FORCES_H

#include <math.h>

/* The double well, q'' = q - 2 q^3. */
static inline void well_force(const double *q, const double *v, double *F)
{
    (void)v;
    F[0] = q[0] - 2 * q[0] * q[0] * q[0];
}
static inline void well_slopes(const double *q, const double *v, double *Fq, double *Fv)
{
    (void)v;
    Fq[0] = 1 - 6 * q[0] * q[0], Fv[0] = 0;
}

/* Kepler's problem, q'' = -q/|q|^3. */
static inline void kepler_force(const double *q, const double *v, double *F)
{
    (void)v;
    double r2 = q[0] * q[0] + q[1] * q[1], i3 = 1 / (r2 * sqrt(r2));
    F[0] = -q[0] * i3, F[1] = -q[1] * i3;
}
static inline void kepler_slopes(const double *q, const double *v, double *Fq, double *Fv)
{
    (void)v;
    double r2 = q[0] * q[0] + q[1] * q[1], i3 = 1 / (r2 * sqrt(r2)), i5 = 3 * i3 / r2;
    Fq[0] = i5 * q[0] * q[0] - i3, Fq[1] = Fq[2] = i5 * q[0] * q[1], Fq[3] = i5 * q[1] * q[1] - i3;
    Fv[0] = Fv[1] = Fv[2] = Fv[3] = 0;
}

/* Two coupled van der Pol oscillators: epsilon = 0.5, rho = 0.02, lambda = 0.8. */
static inline void vdp_force(const double *q, const double *v, double *F)
{
    double d = 1.6 * (q[0] - q[1]);
    F[0] = -q[0] - d + (0.5 - q[0] * q[0]) * v[0],
    F[1] = -1.02 * q[1] + d + (0.5 - q[1] * q[1]) * v[1];
}
static inline void vdp_slopes(const double *q, const double *v, double *Fq, double *Fv)
{
    Fq[0] = -2.6 - 2 * q[0] * v[0], Fq[1] = Fq[2] = 1.6, Fq[3] = -2.62 - 2 * q[1] * v[1];
    Fv[0] = 0.5 - q[0] * q[0], Fv[1] = Fv[2] = 0, Fv[3] = 0.5 - q[1] * q[1];
}

#endif
