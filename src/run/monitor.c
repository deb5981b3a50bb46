/* monitor.c - what a run conserves and what it loses: energy, momenta, constraints, work and power,
 * measured at about a thousand states; energy also where it is recorded. */
#include "run/simulation.h"

#include <math.h>

/* Declared symmetries first, then momenta of cyclic coordinates. */
static double momentum_value(dal_sim *s, int i)
{
    const monitor *mon = &s->mon;
    if (i < mon->symmetries) return reading_outputs(s)[s->md->outputs + mon->declared[i]];
    return state_p(s)[mon->cyclic[i - mon->symmetries]];
}

static const char *momentum_name(dal_sim *s, int i)
{
    text word = text_new(&s->m);
    bool declared = i < s->mon.symmetries;
    if (declared) model_name(s->md, MEMBER_SYMMETRY, s->mon.declared[i], &word);
    else s->sys->coordinate_name(s->sys->self, s->mon.cyclic[i - s->mon.symmetries], &word);
    const char *shown = mem_printf(&s->m, declared ? "%s" : "p(%s)", text_str(&word));
    text_drop(&word);
    return shown;
}

/* Diagnostics of a large system cost as much as a dozen of its explicit steps or of compiled
 * implicit ones, or some hundred compiled explicit ones: several times as many steps lie between
 * two of them, unless that leaves too few to tell anything. */
static void space_out(dal_sim *s)
{
    enum { LARGE = 5000, APART = 100, FAR_APART = 400, FARTHEST = 2000, LEAST = 16 };
    const bool large = s->sys->n >= LARGE, by_rows = s->engine.name < COMPILED && s->engine.native;
    long       apart = APART;
    if (!large && !by_rows) return;
    if (by_rows && s->engine.name == LEAPFROG) apart = large ? FARTHEST : FAR_APART;
    if (!large && s->plan.steps >= 0 && apart > s->plan.steps / LEAST)
        apart = s->plan.steps / LEAST;
    if (s->plan.spaced && s->plan.monitor < apart) s->plan.monitor = apart;
    if (s->plan.sample < apart) s->plan.sample = apart;
}

/* Measures nothing yet: the first state is taken after the engine is chosen. */
void monitor_init(dal_sim *s, const int *cyclic, int count)
{
    monitor *mon = &s->mon;
    int      all = s->md ? s->md->symmetries : 0, symmetries = 0;
    *mon = (monitor){.declared = mem_array(&s->m, all + 1, int),
                     .cyclic = cyclic,
                     .last = -1,
                     .last_energy = -1};
    for (int k = 0; k < all; k++)
        if (!symmetry_is_finite(s->md, k)) mon->declared[symmetries++] = k;
    mon->symmetries = symmetries;
    space_out(s);
    mon->momentum = mem_array(&s->m, symmetries + count, dal_momentum);
    mon->sum = (dal_summary){.model = s->title,
                             .file = s->md ? s->md->file : "",
                             .principle = s->plan.principle,
                             .scheme = s->plan.scheme.title,
                             .order = stepper_order(s->st),
                             .from = s->plan.from,
                             .step = fabs(s->plan.h),
                             .momenta = (size_t)(symmetries + count),
                             .momentum = mon->momentum,
                             .constraints = (size_t)(s->sys->m + s->sys->r),
                             .backend = "vm",
                             .solver = stepper_solver(s->st),
                             .is_explicit = stepper_explicit(s->st),
                             .is_linear = stepper_linear(s->st),
                             .is_adaptive = s->plan.method.principle == ENERGY,
                             .pacing = pace_word(s)};
    for (int i = 0; i < symmetries + count; i++) mon->momentum[i].name = momentum_name(s, i);
}

/* Ranges and drifts begin anew; what the run is, and what it took to set it up, stays. */
void monitor_restart(dal_sim *s)
{
    monitor    *mon = &s->mon;
    dal_summary was = mon->sum;
    was.from = s->plan.from;
    was.energy = was.length = was.condition = was.condition_papers = (dal_range){0};
    was.constraint_residual = was.dirac_residual = was.momentum_defect = 0;
    was.work = was.power_error = was.discrete_energy = was.balance_error = was.held_from = 0;
    was.is_held = 0, was.length_noise = 0, was.resets = 0, was.reset_first = 0;
    was.status = DAL_OK, was.error = NULL;
    mon->sum = was, mon->last = mon->last_energy = -1, mon->warned = mon->owed = false;
    for (size_t i = 0; i < was.momenta; i++)
        mon->momentum[i] = (dal_momentum){.name = mon->momentum[i].name};
    monitor_take(s);
    defect_restart(s);
    resolution_restart(s);
    accuracy_restart(s);
}

/* the larger one; NaN, once seen, stays */
static void keep_largest(double *most, double x)
{
    if (!(x <= *most)) *most = x;
}

/* first, last, least and largest of what was seen */
static void take_range(dal_range *r, double x, bool first)
{
    if (first) *r = (dal_range){x, x, x, x};
    r->last = x;
    if (x < r->min) r->min = x;
    if (x > r->max) r->max = x;
}

/* Of a step that was not decided there is none. */
static void take_condition(dal_range *r, double condition)
{
    if (isfinite(condition)) take_range(r, condition, r->max == 0);
}

/* What is reported may have no value although the step has one: said once, not at every state. */
static void warn_unknown(dal_sim *s)
{
    s->mon.warned = stepper_end(s->st, &s->why) != DAL_OK;
    if (s->mon.warned)
        diag_warning(s->ds, span_none(), NULL, "t = %.10g: velocities cannot be reported: %s", s->t,
                     text_str(&s->why));
    text_clear(&s->why);
}

/* Of the last step: owed since its points need an evaluation, made before the state is left. */
void monitor_balances(dal_sim *s)
{
    dal_summary *sum = &s->mon.sum;
    if (!s->mon.owed) return;
    s->mon.owed = false;
    if (s->events && (s->events->broken || s->events->now)) return;
    const step_balances left = stepper_balances(pace_stepper(s));
    keep_largest(&sum->power_error, fabs(left.power));
    keep_largest(&sum->dirac_residual, left.membership);
    keep_largest(&sum->momentum_defect, left.momentum);
    s->mon.grown =
        sum->constraint_residual + sum->dirac_residual + sum->momentum_defect > 2 * s->mon.judged;
}

/* At most once for a step. */
void monitor_energy(dal_sim *s)
{
    monitor *mon = &s->mon;
    if (mon->last_energy == s->k) return;
    take_range(&mon->sum.energy, reading_energy(s), mon->last_energy < 0);
    if (!isfinite(s->now.energy_size) && !mon->warned) warn_unknown(s);
    mon->last_energy = s->k;
}

/* At most once for a step. */
void monitor_take(dal_sim *s)
{
    dal_summary *sum = &s->mon.sum;
    bool         first = s->mon.last < 0;
    if (s->mon.last == s->k) return;
    monitor_energy(s);
    for (size_t i = 0; i < sum->momenta; i++) {
        dal_momentum *J = &s->mon.momentum[i];
        double        now = momentum_value(s, (int)i);
        if (first) J->first = now;
        keep_largest(&J->max_drift, fabs(now - J->first));
    }
    if (sum->constraints) keep_largest(&sum->constraint_residual, reading_constraints(s));
    if (sum->is_adaptive) {
        take_condition(&sum->condition, stepper_condition(s->st, false));
        take_condition(&sum->condition_papers, stepper_condition(s->st, true));
        keep_largest(&sum->length_noise, stepper_length_noise(s->st));
    }
    s->mon.owed = s->k > 0, s->mon.last = s->k;
    if (!s->mon.still) monitor_balances(s);
}

/* Of the energy principle: lengths and balances. */
void monitor_lengths(dal_sim *s, const steps_made *made)
{
    dal_summary *sum = &s->mon.sum;
    const bool   first = s->k == made->made;
    if (first) sum->discrete_energy = stepper_discrete_energy(s->st);
    take_range(&sum->length, made->shortest, first);
    take_range(&sum->length, made->longest, false);
    take_range(&sum->length, fabs(stepper_length(s->st)), false);
    keep_largest(&sum->balance_error, made->error);
}

void monitor_length(dal_sim *s, double h)
{
    take_range(&s->mon.sum.length, h, s->mon.sum.length.max == 0);
}

/* What solved the steps: the words that stand in the JSON. Before the first, what will. */
static const char *solved_by(const dal_summary *sum, const stepper *st)
{
    if (sum->is_explicit) return "explicit";
    if (sum->fixed_point_sweeps)
        return sum->newton_iterations ? "fixed point and newton" : "fixed point";
    if (sum->is_linear && !sum->is_adaptive) return "linear";
    return stepper_keeps_jacobian(st) ? "broyden" : "newton";
}

/* Counts and times are brought up to date; the summary stays in the simulation. */
const dal_summary *monitor_summary(dal_sim *s)
{
    dal_summary             *sum = &s->mon.sum;
    const stepper           *st = pace_stepper(s);
    const newton_statistics *count = stepper_statistics(st);
    monitor_balances(s);
    sum->t = s->t, sum->steps = s->k;
    sum->newton_iterations = count->iterations;
    sum->newton_failures = count->failures;
    sum->newton_max_iterations = count->max_iterations;
    sum->fixed_point_sweeps = count->fixed_point;
    sum->fixed_point_max_sweeps = count->max_fixed_point;
    sum->solved_by = solved_by(sum, st);
    const bool without = sum->is_explicit || (count->fixed_point && !count->iterations);
    sum->solver = without ? "none" : stepper_solver_used(st);
    return sum;
}
