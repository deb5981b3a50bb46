/* few_rows.c - the residual of the smallest systems: one sample point, a curve of degree
 * one, and so few rows that loops in vectors cost more to begin than they save. This file is
 * compiled without them. */
#include "mech/equations/chord.h"
#include "mech/equations/equations.h"

bool few_residual(const equations *eq, unsigned want, sys_values *out, const double *y, double *r)
{
    const samples *set = &eq->rule;
    double         bad = 0; /* x - x is NaN where x is not finite */
    set->point->t = eq->t + set->x[eq->mirrored][0] * eq->h;
    chord_place(set->q, set->v, eq->q, eq->q_low, y, set->at[eq->mirrored].l[1], set->slope[1],
                eq->n);
    if (eq->sys->eval(eq->sys->self, want, 1, set->point, out)) return false;
    chord_sum(r, eq->p, eq->p_low, eq->c.w[0], out->Lw, eq->c.q[0], out->Lq,
              eq->want.residual & WANT_FORCE ? out->f : NULL, eq->n);
    for (int j = 0; j < eq->n; j++) bad += r[j] - r[j];
    return bad == 0;
}
