/* energy_report.c - what a stepper reports about the energy principle.        theory.md [ENERGY] */
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

void stepper_hold(stepper *st)
{
    if (st->energy) st->energy->held = true, st->energy->outcome = STEP_DECIDED;
}

/* The first step after this is one of the last length, or of that which is given if the last one
 * was begun anew too, and its energy is kept from then on. */
void stepper_reset(stepper *st)
{
    if (st->energy) st->energy->anew = true, st->energy->outcome = STEP_DECIDED;
}

/* Balance, past lengths and branch; not what was evaluated at the last curve. */
void stepper_adopt_energy(stepper *st, const stepper *from)
{
    adaptive       *a = st->energy;
    const adaptive *b = from->energy;
    if (!a || !b) return;
    a->E = b->E, a->E_low = b->E_low, a->shift = b->shift;
    memcpy(a->h, b->h, sizeof a->h);
    a->sign = b->sign, a->held = b->held, a->anew = b->anew, a->noise = b->noise;
}

/* These stay what they were when a step fails, as the state does. */
double stepper_length(const stepper *st)
{
    if (st->energy) return st->energy->h[0];
    return st->stepped ? st->last_h : 0;
}

double stepper_discrete_energy(const stepper *st)
{
    return st->energy && st->energy->h[0] != 0 ? st->energy->chord : (double)NAN;
}

double stepper_balance_error(const stepper *st)
{
    const adaptive *a = st->energy;
    return a && a->h[0] != 0 ? fabs((a->chord - a->E) - a->E_low) : 0;
}

double stepper_length_noise(stepper *st)
{
    stepper_synchronise(st);
    return st->energy && st->stepped ? st->energy->noise : 0;
}

double stepper_condition(stepper *st, bool papers)
{
    if (!st->energy || !st->stepped) return (double)NAN;
    compiled_border(st);
    return adaptive_condition(st->energy, st->m, papers ? st->y : NULL);
}

double stepper_error_coefficient(stepper *st, double *noise)
{
    const bool known = st->energy && st->stepped;
    stepper_synchronise(st);
    *noise = known ? adaptive_noise(st->energy) : HUGE_VAL;
    return known ? adaptive_coefficient(st->energy) : 0;
}

/*     x^T M^-1 x, M as entries of K */
static double over_inertia(stepper *st, const double *on_K, const double *x)
{
    const pattern *K = &st->sys->K;
    const int      n = st->sys->n;
    double        *M = mem_resize(st->m, NULL, (size_t)n * (size_t)(n + 1) * sizeof *M);
    double        *y = M + (size_t)n * (size_t)n, sum = 0;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int i = 0; i < n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) M[i * n + K->column[k]] = on_K[k];
    dense_least_norm(st->m, M, n, n, x, 1e-13, y);
    for (int j = 0; j < n; j++) sum += x[j] * y[j];
    mem_drop(st->m, M);
    return sum;
}

/*     e = (v^T V'' v + V'^T M^-1 V' - F^T M^-1 F)/24,   F = f + A^T lam    theory.md [BREAKDOWN] */
double stepper_midpoint_coefficient(stepper *st)
{
    enum { LARGE = 200 };
    equations        *eq = &st->eq;
    const dal_system *sys = st->sys;
    const pattern    *K = &sys->K, *A = &sys->A;
    sys_values       *at = &eq->rule.out[0], *of_f = &force_points(eq)->out[0];
    if (sys->varies[F_LWW] == FIELD_VARIES || sys->varies[F_LQW] != FIELD_ZERO || eq->phase ||
        sys->n > LARGE || stepper_end(st, &(text){.m = st->m}))
        return (double)NAN;
    const double   *v = stepper_v(st), *lam = eq->relations ? stepper_multipliers(st) : NULL;
    const sys_point here = {.t = st->t, .q = st->q, .w = v, .v = v};
    double         *F = mem_resize(st->m, NULL, (size_t)sys->n * sizeof *F), curved = 0;
    int             bad = sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &here, at);
    memset(F, 0, (size_t)sys->n * sizeof *F);
    if (!bad && sys->forced) {
        bad = sys->eval(sys->self, WANT_FORCE, 1, &here, of_f);
        memcpy(F, of_f->f, (size_t)sys->n * sizeof *F);
    }
    if (!bad && lam) bad = sys->eval(sys->self, WANT_RELATIONS, 1, &here, &eq->control.out[0]);
    for (int a = 0; lam && !bad && a < eq->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++)
            F[A->column[k]] += lam[a] * eq->control.out[0].A[k];
    for (int i = 0; i < sys->n && sys->varies[F_LQQ] != FIELD_ZERO; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            curved -= v[i] * at->on_K[F_LQQ][k] * v[K->column[k]];
    const double e = (curved + over_inertia(st, at->on_K[F_LWW], at->Lq) -
                      over_inertia(st, at->on_K[F_LWW], F)) /
                     24;
    mem_drop(st->m, F);
    return bad ? (double)NAN : e;
}
