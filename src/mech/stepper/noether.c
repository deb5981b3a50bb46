/* noether.c - the discrete Noether balance of one curve. */
#include "mech/stepper/noether.h"

#include "mech/stepper/stepper.h"

#include <string.h>

int stepper_nodes(const stepper *st)
{
    return st->eq.shot ? 0 : st->eq.d + 1;
}

double stepper_node(const stepper *st, int nu, double *q)
{
    const equations *eq = &st->eq;
    const double    *Z = st->y + (nu - 1) * eq->n, x = eq->control.x[0][nu];
    for (int j = 0; j < eq->n; j++) q[j] = eq->q[j] + (eq->q_low[j] + (nu ? Z[j] : 0));
    return eq->t + eq->h * x;
}

bool stepper_moves_between(const stepper *st)
{
    return st->massless.projects || st->massless.ends.fits || st->massless.bent;
}

double stepper_carried_along(const stepper *st, const double *xi)
{
    double sum = 0;
    for (int j = 0; j < st->eq.n; j++)
        if (!is_state(&st->eq, j)) sum += (st->p[j] + st->p_low[j]) * xi[j];
    return sum;
}

/*     sum_nu c_nu (xi^nu - xi^0)_j,   where l_nu have the sum 1, and l'_nu and u_nu the sum 0 */
static double blend(const equations *eq, const double *c, const double *xi, int j)
{
    double sum = 0;
    for (int nu = 1; nu <= eq->d; nu++) sum += c[nu] * (xi[nu * eq->n + j] - xi[j]);
    return sum;
}

/*     f.eta - D.zeta,   at one point */
static double pushed(const equations *eq, const samples *set, int i, const double *xi)
{
    const int     from = i * (eq->d + 1);
    const double *l = set->at[eq->mirrored].l + from, *f = set->out[i].f;
    const double *D = eq->c.d ? set->out[i].D : NULL;
    double        sum = 0;
    for (int j = 0; j < eq->n; j++) {
        if (is_state(eq, j)) continue;
        sum += f[j] * (xi[j] + blend(eq, l, xi, j));
        if (D) sum -= D[j] * blend(eq, eq->upwind.at[eq->mirrored] + from, xi, j);
    }
    return sum;
}

/*     h L_q.eta + L_w.eta',   at one point; of a Hamiltonian coordinate with its momentum */
static double turned(const equations *eq, int i, const double *xi)
{
    const samples *set = &eq->rule;
    const int      from = i * (eq->d + 1);
    const double  *l = set->at[eq->mirrored].l + from, *dl = set->at[eq->mirrored].dl + from;
    double         sum = 0;
    for (int j = 0; j < eq->n; j++) {
        if (is_state(eq, j)) continue;
        const bool   phase = eq->phase_number[j] >= 0;
        const double p = phase ? set->w[i * eq->n + j] : set->out[i].Lw[j];
        sum += eq->h * set->out[i].Lq[j] * (xi[j] + blend(eq, l, xi, j)) + p * blend(eq, dl, xi, j);
    }
    return sum;
}

/*     lam_a A_a . x,   of relations that act inside, or of those at the nodes */
static double held(const equations *eq, bool inside, const double *A, const double *lam,
                   const double *x)
{
    const pattern *of = &eq->sys->A;
    double         sum = 0;
    for (int a = 0; a < eq->relations; a++)
        for (int k = of->start[a]; k < of->start[a + 1] && acts_inside(eq, a) == inside; k++)
            sum += lam[a] * A[k] * x[of->column[k]];
    return sum;
}

static double reactions(const equations *eq, const double *y, const double *xi)
{
    double sum = 0;
    for (int nu = 0; nu < eq->d && eq->relations; nu++)
        sum += eq->impulse[nu] * held(eq, false, eq->control.out[nu].A,
                                      y + eq->lam + nu * eq->relations, xi + nu * eq->n);
    for (int i = 0; i < eq->d && eq->inside; i++) {
        const double *l = eq->gauss.at[eq->mirrored].l + i * (eq->d + 1);
        for (int j = 0; j < eq->n; j++) eq->scratch[j] = xi[j] + blend(eq, l, xi, j);
        sum += eq->h * eq->gauss.b[i] *
               held(eq, true, eq->gauss.out[i].A, y + eq->lam + i * eq->relations, eq->scratch);
    }
    return sum;
}

momentum_change stepper_along(stepper *st, const double *xi)
{
    equations      *eq = &st->eq;
    momentum_change out = {0};
    stepper_complete(st);
    const samples *of_f = force_points(eq);
    for (int i = 0; i < of_f->count && eq->sys->forced; i++)
        out.forces += eq->h * of_f->b[i] * pushed(eq, of_f, i, xi);
    for (int i = 0; i < eq->s; i++) out.lagrangian += eq->rule.b[i] * turned(eq, i, xi);
    out.relations = reactions(eq, st->y, xi);
    for (int j = 0; j < eq->n; j++)
        if (!is_state(eq, j)) out.first += (eq->p[j] + eq->p_low[j]) * xi[j];
    out.last = out.first + out.forces + out.relations + out.lagrangian;
    return out;
}
