/* dirac.c - checks of a step that was made, from the values left at its points: is it in the
 * discrete Dirac structure, and does its power balance? Both are identities of the method, at
 * roundoff unless the solver failed. */
#include "mech/stepper.h"

#include <math.h>

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/*     G_d = sum_i b_i [l'_d L_w + h l_d (L_q + f)]^i */
static double end_momentum(const stepper *st, int j)
{
    const equations *eq = &st->eq;
    const int        N = eq->d + 1, side = eq->mirrored;
    double           sum = 0;
    for (int i = 0; i < eq->s; i++) {
        const sys_values *out = &eq->rule.out[i];
        bool              phase = eq->phase_number[j] >= 0;
        double            stage = phase ? eq->rule.w[i * eq->n + j] : out->Lw[j];
        double            force = out->Lq[j] + (eq->residual_mask & WANT_FORCE ? out->f[j] : 0);
        sum += eq->rule.b[i] * (eq->rule.at[side].dl[i * N + eq->d] * stage +
                                eq->h * eq->rule.at[side].l[i * N + eq->d] * force);
    }
    for (int i = 0; i < eq->force.count; i++)
        sum += eq->h * eq->force.b[i] * eq->force.at[side].l[i * N + eq->d] * eq->force.out[i].f[j];
    return sum;
}

/* p^- as the step made it, before the state was settled. */
static double made_momentum(const stepper *st, int j)
{
    return stepper_settles(st) ? end_momentum(st, j) : st->p[j] + st->p_low[j];
}

/* ((q_0,p_0),(q_1,p_1)) is in the discrete Dirac structure when p_0 + G_0 is in im A^T(q_0),
 * p^- = G_d, the stages agree, and the relations hold; the largest of what is left.
 *                                                                         theory.md [MEMBERSHIP] */
double stepper_dirac_residual(stepper *st)
{
    const equations *eq = &st->eq;
    double           most = 0;
    if (!st->stepped) return 0;
    stepper_complete(st);
    for (int k = 0; k < eq->size; k++) {
        double c = k >= eq->lam && k < eq->P ? fabs(eq->h) : 1; /* relations as displacements */
        most = larger(c * fabs(st->nw.r[k]), most);
    }
    for (int j = 0; j < eq->n && !eq->shot; j++)
        most = larger(fabs(end_momentum(st, j) - made_momentum(st, j)), most);
    return most;
}

/* Velocity of the curve at its control nodes: (1/h) sum_mu l'_mu(x_nu) Z^mu. */
static double control_velocity(const stepper *st, int nu, int j)
{
    const equations *eq = &st->eq;
    const double    *dl = eq->control.at[0].dl + nu * (eq->d + 1);
    double           sum = 0;
    for (int mu = 1; mu <= eq->d; mu++) sum += dl[mu] * st->y[(mu - 1) * eq->n + j];
    return sum / eq->h;
}

/* q'' at a point of the rule; q' has lower degree than the basis, which therefore
 * differentiates it exactly. */
static double acceleration(const stepper *st, int i, int j)
{
    const equations *eq = &st->eq;
    const double    *dl = eq->rule.at[eq->mirrored].dl + i * (eq->d + 1);
    double           sum = 0;
    for (int nu = 0; nu <= eq->d; nu++) sum += dl[nu] * control_velocity(st, nu, j);
    return sum / eq->h;
}

static double power_of_curve(const stepper *st, int j)
{
    const equations *eq = &st->eq;
    double           sum = 0;
    for (int i = 0; i < eq->s; i++) {
        const sys_values *out = &eq->rule.out[i];
        bool              phase = eq->phase_number[j] >= 0;
        double            stage = phase ? eq->rule.w[i * eq->n + j] : out->Lw[j];
        double            force = out->Lq[j] + (eq->residual_mask & WANT_FORCE ? out->f[j] : 0);
        sum += eq->rule.b[i] * (force * eq->rule.v[i * eq->n + j] + stage * acceleration(st, i, j));
    }
    for (int i = 0; i < eq->force.count; i++)
        sum += eq->force.b[i] * eq->force.out[i].f[j] * eq->force.v[i * eq->n + j];
    return eq->h * sum;
}

static double power_of_reactions(const stepper *st)
{
    const equations *eq = &st->eq;
    const pattern   *A = &eq->sys->A;
    double           sum = 0;
    for (int nu = 0; nu < eq->d; nu++)
        for (int a = 0; a < eq->relations; a++)
            for (int k = A->start[a]; k < A->start[a + 1]; k++)
                sum += eq->impulse[nu] * st->y[eq->lam + nu * eq->relations + a] *
                       eq->control.out[nu].A[k] * control_velocity(st, nu, A->column[k]);
    return sum;
}

/* q' is an admissible variation:                                                 theory.md [POWER]
 *     p^-.q'(1) - p_0.q'(0) = h sum_i b_i [(L_q + f).v + L_w.q'']^i
 *                             + sum_{nu<d} h w_nu lam^nu.A q'(x_nu) */
double stepper_power_defect(const stepper *st)
{
    double sum = 0;
    if (st->eq.shot) return (double)NAN; /* q' is no variation of a curve that is shot */
    if (!st->stepped) return 0;
    stepper_complete(st);
    for (int j = 0; j < st->eq.n; j++) {
        sum += made_momentum(st, j) * control_velocity(st, st->eq.d, j);
        sum -= (st->p0[j] + st->p0_low[j]) * control_velocity(st, 0, j);
        sum -= power_of_curve(st, j);
    }
    if (st->eq.relations) sum -= power_of_reactions(st);
    return sum;
}
