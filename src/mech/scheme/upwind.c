/* upwind.c - the functions that damping is tested with: those of the curve, turned towards the end
 * of the step by as much as makes a step L-stable.                          theory.md [DAMPING] */
#include "mech/scheme/scheme.h"

bool scheme_upwinds(const scheme *sch)
{
    return sch->curve == CURVE_POLYNOMIAL && sch->rule.s == sch->degree && sch->degree >= 2 &&
           sch->rule.order == 2 * sch->degree && sch->substeps == 1 && !sch->own_force_rule;
}

int scheme_order(const scheme *sch, bool damped)
{
    if (!scheme_upwinds(sch) || (!damped && !sch->damps)) return sch->order;
    return 2 * sch->degree - damped;
}

/*     (k+1) P_{k+1} = (2k+1) (2x-1) P_k - k P_{k-1}   on [0, 1] */
static long double legendre_polynomial(int n, long double x)
{
    long double before = 0, P = 1;
    for (int k = 0; k < n; k++) {
        const long double next = ((2 * k + 1) * (2 * x - 1) * P - k * before) / (k + 1);
        before = P, P = next;
    }
    return P;
}

/* phi = sqrt(2s-1) P_{s-1} is orthonormal, beta = 1/(4s-2); the root is squared in u. */
double *upwind_new(mem *m, const basis *at, const double *x, const double *b)
{
    const int         s = at->points, N = at->d + 1;
    const long double beta = 1.0L / (4 * s - 2), square = 2 * s - 1;
    double           *u = mem_array(m, s * N, double);
    for (int nu = 0; nu < N; nu++) {
        long double d = 0;
        for (int i = 0; i < s; i++)
            d += b[i] * legendre_polynomial(s - 1, x[i]) * (long double)at->dl[i * N + nu];
        for (int i = 0; i < s; i++)
            u[i * N + nu] = (double)(beta * square * d * legendre_polynomial(s - 1, x[i]));
    }
    return u;
}

static double chi(int s, double x)
{
    return (double)((legendre_polynomial(s - 1, x) + legendre_polynomial(s, x)) / 2);
}

upwind_end *upwind_end_new(mem *m, const basis *at, const double *b)
{
    const int   d = at->d, N = d + 1;
    quadrature  control;
    upwind_end *end = mem_array(m, 1, upwind_end);
    end->node = mem_array(m, N, double);
    end->w = mem_array(m, d, double), end->q = mem_array(m, d, double);
    quadrature_lobatto(&control, N);
    for (int nu = 1; nu <= d; nu++) {
        end->node[nu] = nu < d ? chi(d, control.c[nu]) : 1;
        for (int i = 0; i < d; i++) {
            end->w[i] += b[i] * end->node[nu] * at->dl[i * N + nu];
            end->q[i] += b[i] * end->node[nu] * at->l[i * N + nu];
        }
    }
    return end;
}
