/* reliable.c - what the steps before a state that is looked at have left of their identities:
 * beyond what roundoff and conditioning explain, the run ends there.                theory.md
 * [RELIABLE] */
#include "mech/stepper/stepper.h"
#include "run/events.h"
#include "run/simulation.h"

#include <math.h>

static const double UNEXPLAINED = 1e-6; /* of the terms of a relation, of momenta              */
static const double APART = 0.1;        /* the same, of connections that are forces            */
static const double DRIFTED = 0.01;     /* the same, that is warned of                         */
static const double DEFECT = 0.1;       /* of momenta, where a scheme leaves some               */

static const char SHORTER[] = "try a smaller step, or another scheme";

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* sum_j |A_aj| */
static double weight_of(const dal_sim *s, int a)
{
    double sum = 0;
    for (int e = s->sys->A.start[a]; e < s->sys->A.start[a + 1]; e++) sum += fabs(s->now.room.A[e]);
    return sum;
}

static double length_of_step(const dal_sim *s)
{
    return fabs(s->pace ? s->pace->length : s->plan.h);
}

/* What forces would move in a step if no relation held it. */
static double displacement(const dal_sim *s)
{
    const stepper *st = s->events ? events_stepper(s) : pace_stepper(s);
    return s->k && st && st->y && st->eq.values ? newton_displacement(&st->nw, st->y) : 0;
}

/* The largest position, no less than what moves in a step, or would if nothing held it. */
static double positions(dal_sim *s)
{
    const double v = largest(state_v(s), s->sys->n), q = largest(state_q(s), s->sys->n);
    return fmax(fmax(q, displacement(s)), length_of_step(s) * v);
}

bool reliable_rests(const dal_sim *s)
{
    static const double ROUNDOFF = 1e-14;
    const accuracy     *of = &s->mon.accurate;
    if (!of->least) return false;
    const double noise = ROUNDOFF * displacement(s);
    for (int j = 0; j < state_solved(s)->n; j++)
        if (!(of->most[j] - of->least[j] <= noise)) return false;
    return noise > 0;
}

/* The relation that is off the most, relative to its coefficients and the largest position, or
 * velocity; velocities count as no less than the roundoff of positions in a step; -1: none is. */
static int farthest_relation(dal_sim *s, double *by)
{
    static const double GRAIN = 1e-9; /* of a position, moved in a step */
    const int           m = s->sys->m, rows = m + s->sys->r;
    const double        q = positions(s), v = largest(state_v(s), s->sys->n);
    int                 worst = -1;
    *by = UNEXPLAINED;
    reading_constraints(s);
    for (int a = 0; a < rows && q > 0; a++) {
        const double all = weight_of(s, a), moved = all * (v + GRAIN * q / length_of_step(s));
        const double e = fabs(s->now.room.e[a]), g = a < m ? 0 : fabs(s->now.room.g[a - m]);
        if (e > *by * moved) *by = e / moved, worst = a;
        if (g > *by * all * q) *by = g / (all * q), worst = a;
    }
    return worst;
}

/* The largest impulse of a reaction in a step, where relations hold everything: elsewhere nothing
 * may be computed for this that a checkpoint would tell. */
static double impulses(dal_sim *s)
{
    const int     rows = s->sys->m + s->sys->r;
    const double *lam = rows && rows >= s->sys->n ? state_multipliers(s) : NULL;
    double        most = 0;
    for (int a = 0; a < rows && lam; a++) most = fmax(most, fabs(lam[a]) * weight_of(s, a));
    return length_of_step(s) * most;
}

/* Momenta, and what forces and reactions change of them in a step: energy over positions. */
static double momenta(dal_sim *s)
{
    const double q = positions(s), p = largest(state_p(s), s->sys->n);
    reading_energy(s);
    return p + impulses(s) + (q > 0 ? length_of_step(s) * s->now.energy_size / q : 0);
}

/* What relations make of positions, or these themselves. */
static double displacements(dal_sim *s)
{
    double most = 1;
    for (int a = 0; a < s->sys->m + s->sys->r; a++) most = fmax(most, weight_of(s, a));
    return most * positions(s);
}

static dal_status end_run(dal_sim *s, const char *reason)
{
    text_clear(&s->why);
    text_printf(&s->why, "t = %.10g: %s", s->t, reason);
    s->mon.sum.error = simulation_reason(s);
    return diag_error(s->ds, DAL_DIVERGED, span_none(), NULL, "step %ld: %s", s->k,
                      s->mon.sum.error);
}

static dal_status judge_relations(dal_sim *s, double allowed)
{
    double     by;
    const int  a = farthest_relation(s, &by);
    dal_status bad = DAL_OK;
    text       called = text_new(&s->m);
    if (a >= 0 && by > allowed) {
        s->sys->relation_name(s->sys->self, a, &called);
        bad = end_run(s, mem_printf(&s->m, "relation '%s' is off by %.2g of its terms; %s",
                                    text_str(&called), by, SHORTER));
    }
    text_drop(&called);
    return bad;
}

/* Connections that are forces and have come apart are a measure of the error of the whole motion.
 */
void reliable_warn(dal_sim *s)
{
    double by;
    if (!s->joint || s->mon.sum.status || !s->mon.sum.constraints) return;
    const int a = farthest_relation(s, &by);
    if (a < 0 || by <= DRIFTED) return;
    text called = text_new(&s->m);
    s->sys->relation_name(s->sys->self, a, &called);
    diag_warning(s->ds, span_none(), "try a smaller step, or --interconnection multipliers",
                 "relation '%s', which acts as a force, is off by %.2g of its terms at the end",
                 text_str(&called), by);
    text_drop(&called);
}

/* Resistance that is 0 at the start is not seen there: such directions are taken for algebraic. */
static dal_status judge_momenta(dal_sim *s, double of_scheme, double roundoff)
{
    const double defect = s->mon.sum.momentum_defect;
    if (!(defect > fmax(of_scheme, roundoff))) return DAL_OK;
    return end_run(s,
                   mem_printf(&s->m,
                              "along directions without inertia, which can have no momentum, "
                              "there is %.2g of it; %s",
                              defect,
                              of_scheme > 0 ? SHORTER
                                            : "where resistance along them is 0 at the start and "
                                              "comes on later, give it a small value instead"));
}

/* Largest values over the run are known; they are judged when they have doubled, at a
 * state that was looked at: then nothing is computed that others would find changed. */
dal_status reliable_judge(dal_sim *s)
{
    const dal_summary *sum = &s->mon.sum;
    if (s->mon.last != s->k || !s->mon.grown) return DAL_OK;
    if (momenta(s) + displacements(s) == 0) return DAL_OK; /* at rest there is nothing to compare */
    s->mon.grown = false,
    s->mon.judged = sum->constraint_residual + sum->dirac_residual + sum->momentum_defect;
    /* connections that are forces hold up to the error of the scheme */
    dal_status bad = sum->constraints ? judge_relations(s, s->joint ? APART : UNEXPLAINED) : DAL_OK;
    if (bad || s->allows.scheme) return bad;
    const double p = momenta(s), roundoff = UNEXPLAINED * (p + displacements(s));
    if (sum->dirac_residual > roundoff)
        return end_run(s,
                       mem_printf(&s->m, "the step is off the discrete Dirac structure by %.2g; %s",
                                  sum->dirac_residual, SHORTER));
    const bool bends = stepper_bends_stiff(pace_stepper(s)), energy = sum->is_adaptive,
               papers = s->plan.method.momentum == MOMENTUM_PAPERS;
    return judge_momenta(s, bends || energy || papers ? DEFECT * p : 0, roundoff);
}
