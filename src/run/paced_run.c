/* paced_run.c - the simulation of the model in tau, and what its state is in t:
 *
 *     q and p are the same,   v = (dq/dtau)/g,   t += e sum_i b_i g(q_i),   or t is a coordinate */
#include "run/paced_run.h"

#include "mech/stepper/stepper.h"
#include "model/paced.h"
#include "run/simulation.h"
#include "step/words.h"

#include "step/sum.h"

#include <math.h>
#include <string.h>

/* The model. ----------------------------------------------------------------------------------- */

typedef struct {
    model    md; /* first: evaluate is given it */
    dal_sim *of;
} paced_model;

/* Settings that are asked of steps are those of the first; its end is a guess. */
static void settings_in_tau(const dal_sim *s, values *out)
{
    for (int k = 0; k < SETTINGS; k++)
        if (k != SET_SCHEME && k != SET_SUMMATION) out->set[k].given = false;
    out->set[SET_STEP] = (setting){.given = true, .number = fabs(s->plan.h)};
    out->set[SET_FROM] = (setting){.given = true, .number = 0};
    out->set[SET_UNTIL] = (setting){.given = true, .number = (double)s->plan.steps * s->plan.h};
    out->columns_given = false;
}

/* Numbers of the first, E0 behind its parameters; the start is where that one is. */
static dal_status evaluate_paced(const model *md, const overrides *over, diags *ds, mem *m,
                                 values *out)
{
    const dal_sim *s = ((const paced_model *)md)->of;
    const pace    *p = s->pace;
    const int      n = s->sys->n, all = n + p->clock;
    (void)over, (void)ds;
    *out = s->val;
    out->parameter = mem_array(m, md->parameters + 1, double);
    for (int i = 0; i < s->md->parameters; i++) out->parameter[i] = s->val.parameter[i];
    if (md->parameters > s->md->parameters) out->parameter[s->md->parameters] = p->E0;
    out->q = mem_array(m, all + 1, double), out->p = mem_array(m, all + 1, double);
    out->v = mem_array(m, all + 1, double), out->given = mem_array(m, all + 1, unsigned char);
    out->start_at = mem_array(m, all + 1, span), out->rate_at = mem_array(m, all + 1, span);
    for (int i = 0; i < n; i++) {
        const bool phase = s->sys->hamiltonian && s->sys->hamiltonian[i];
        out->q[i] = state_q(s)[i], out->p[i] = state_p(s)[i], out->v[i] = state_v(s)[i] * p->g0;
        out->given[i] = GIVEN_Q | (phase ? GIVEN_P : GIVEN_V);
    }
    if (p->clock) {
        out->q[n] = s->t, out->v[n] = p->g0, out->p[n] = p->how == PACING_PLAIN ? 0 : -p->E0;
        out->given[n] = GIVEN_Q | (p->how == PACING_PLAIN ? GIVEN_V : GIVEN_P);
    }
    settings_in_tau(s, out);
    return DAL_OK;
}

static const model_functions by_pace = {.evaluate = evaluate_paced};

static const model *paced_model_new(dal_sim *s)
{
    const pace      *p = s->pace;
    const paced_form as = {&p->g, p->how == PACING_PLAIN, p->clock};
    paced_model     *x = mem_array(&s->m, 1, paced_model);
    x->md = *p->into, x->of = s;
    x->md.parameters += !as.plain && !as.clock, x->md.by = &by_pace;
    model_pace(&s->m, &x->md, &as);
    return &x->md;
}

/* The simulation. ------------------------------------------------------------------------------ */

/* What is asked of the steps is asked of those in tau; what of the run, of the first. */
static request in_tau(const request *r)
{
    request                  out = {.kept = r->kept,
                                    .jacobian = r->jacobian,
                                    .solver = r->solver,
                                    .backend = r->backend,
                                    .interconnection = r->interconnection,
                                    .insist = r->insist};
    static const setting_key same[] = {SET_SCHEME, SET_SUMMATION};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        out.over.setting[same[k]] = r->over.setting[same[k]];
    return out;
}

static const char *first_error(const diags *ds)
{
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].kind == DIAG_ERROR) return ds->list.at[i].message;
    return "it cannot be run";
}

/* From one point of a step to the next. */
static void note_change(pace *p, double before, double g, double t)
{
    const double by = fabs(g - before) / fmin(g, before);
    if (by > p->fastest) p->fastest = by, p->then = t;
}

/* The time of a curve. */
static void add_time(dal_sim *s, stepper *st)
{
    pace     *p = s->pace;
    const int count = stepper_place(st);
    double    t = 0;
    for (int i = 0; i < count; i++) {
        double        weight;
        const double *z = stepper_placed(st, i, &weight),
                     *q = s->full ? full_system_spread(p->run->full, z) : z;
        const double g = pace_at(s, s->t, q, NULL);
        if (!s->why.n) pace_is_positive(s, g, s->t);
        t += weight * g;
        note_change(p, i ? p->last : g, g, s->t);
        p->last = g;
    }
    add(&s->t, &p->low, t);
}

/*     sum_i e b_i f(q_i, q'_i/g).q'_i,   with the forces of the model itself */
static void add_work(dal_sim *s, stepper *st)
{
    pace       *p = s->pace;
    dal_system *sys = state_solved(s);
    const int   count = stepper_points(st, POINTS_OF_L);
    sys_values  room = {.f = p->f, .D = p->D};
    for (int i = 0; i < count; i++) {
        const curve_point x = stepper_point(st, POINTS_OF_L, i);
        const double     *q = s->full ? full_system_spread(p->run->full, x.at->q) : x.at->q;
        const double      t = p->clock ? x.at->q[sys->n] : s->t, g = pace_at(s, t, q, NULL);
        const sys_point   at = {.t = t, .q = x.at->q, .w = p->w, .v = p->v};
        for (int j = 0; j < sys->n; j++) {
            const bool phase = sys->hamiltonian && sys->hamiltonian[j];
            p->v[j] = x.at->v[j] / g, p->w[j] = phase ? x.at->w[j] : p->v[j];
        }
        if (sys->eval(sys->self, WANT_FORCE, 1, &at, &room)) continue;
        for (int j = 0; j < sys->n; j++)
            p->work += x.weight * (p->f[j] + (sys->damped ? p->D[j] : 0)) * x.at->v[j];
    }
}

static bool does_work(const dal_sim *s)
{
    return state_solved(s)->forced || state_solved(s)->damped;
}

static void after_curve(void *sim, stepper *st)
{
    dal_sim *s = sim;
    if (does_work(s)) add_work(s, st);
    if (!s->pace->clock) add_time(s, st);
}

dal_status paced_run_open(dal_sim *s, const request *r)
{
    pace         *p = s->pace;
    subject      *of = mem_array(&s->m, 1, subject);
    diags        *later = mem_array(&s->m, 1, diags);
    const request mine = in_tau(r);
    p->E0 = reading_energy(s);
    *of = (subject){.md = paced_model_new(s), .title = s->title};
    of->compiled = compile(&s->m, of->md);
    solved_forms_new(&s->m, of->md, of->solved);
    dal_sim *x = p->run = mem_array(&s->m, 1, dal_sim);
    mem_init(&x->m, s->m.heap);
    diags_init(later, &s->m);
    x->m.guard = s->m.guard, x->ds = later, x->cx = s->cx, x->engine.preview = s->engine.preview;
    const dal_status bad = simulation_start(x, of, &mine);
    if (bad)
        return diag_error(s->ds, bad, s->plan.pace.at, "pacing = density", "pacing = %s: %s",
                          pace_word(s), first_error(later));
    x->plan.h = s->plan.h;
    if (s->plan.scheme.substeps > 1 && (!p->clock || does_work(s)))
        stepper_watch(x->st, after_curve, s);
    return paced_run_begin(s, 0);
}

void paced_run_tell(dal_sim *s)
{
    const dal_summary *of = &s->pace->run->mon.sum;
    dal_summary       *sum = &s->mon.sum;
    s->engine = s->pace->run->engine;
    sum->backend = of->backend, sum->is_fused = of->is_fused, sum->is_linear = of->is_linear;
    sum->is_explicit = of->is_explicit;
}

/* -p(t), or E0. */
static double energy_of_start(const dal_sim *s)
{
    const pace    *p = s->pace;
    const stepper *st = p->run->st;
    const int      clock = st->sys->n - 1;
    return p->clock ? -(st->p[clock] + st->p_low[clock]) : p->E0;
}

double paced_run_error(dal_sim *s)
{
    return s->pace->how == PACING_PLAIN ? 0 : reading_energy(s) - energy_of_start(s);
}

/* Parameters of s, and E0. */
static dal_status take_parameters(dal_sim *s, mem *m)
{
    dal_sim  *x = s->pace->run;
    const int own = s->md->parameters;
    for (int i = 0; i < own; i++) x->val.parameter[i] = s->val.parameter[i];
    if (x->md->parameters > own) x->val.parameter[own] = s->pace->E0;
    bound_refresh(x->bound);
    dal_status bad = x->full ? full_system_parameters(x->full, m, x->val.parameter, s->ds) : DAL_OK;
    if (!bad && x->full) full_system_look(x->full, x->val.q);
    return bad;
}

/* With the state in all its digits. */
dal_status paced_run_begin(dal_sim *s, double error)
{
    pace     *p = s->pace;
    dal_sim  *x = p->run;
    const int n = x->st->sys->n - p->clock;
    mem      *m = mem_child(&s->m);
    double   *q = copy_of(m, s->st->q, n + 1), *of_p = copy_of(m, s->st->p, n + 1),
           *v = copy_of(m, stepper_v(s->st), n + 1);
    p->E0 = reading_energy(s) - error, p->last = p->g0;
    for (int i = 0; i < n; i++) v[i] *= p->g0;
    if (p->clock) q[n] = s->t, v[n] = p->g0, of_p[n] = p->how == PACING_PLAIN ? 0 : -p->E0;
    const dal_status bad = take_parameters(s, m);
    if (!bad) stepper_set(x->st, 0, q, of_p, v);
    mem_free(m);
    return bad;
}

/* Positions of the whole at the end of the last step. */
static const double *positions(const dal_sim *x)
{
    return x->full ? full_system_spread(x->full, x->st->q) : x->st->q;
}

/* The time of a step is that of its curves, or a coordinate. */
static bool take_time(dal_sim *s, double before)
{
    pace          *p = s->pace;
    const stepper *st = p->run->st;
    const int      clock = st->sys->n - 1;
    if (s->plan.scheme.substeps == 1) after_curve(s, p->run->st);
    if (p->clock) s->t = st->q[clock], p->low = st->q_low[clock];
    p->length = s->t - before;
    monitor_length(s, fabs(p->length));
    if (!p->clock) return !s->why.n;
    const double g = pace_at(s, s->t, positions(p->run), NULL);
    note_change(p, p->last, g, s->t);
    p->last = g;
    return pace_is_positive(s, g, s->t);
}

dal_status paced_run_step(dal_sim *s, double *work)
{
    dal_sim          *x = s->pace->run;
    const double      before = s->t;
    const steps_asked one = {.from = 0, .h = s->plan.h, .k = s->k, .count = 1};
    steps_made        out = {0};
    s->pace->work = 0;
    dal_status bad = stepper_advance(x->st, &one, &out, &s->why);
    if (bad) return bad;
    s->k++;
    const bool goes_on = take_time(s, before);
    *work += s->pace->work;
    return goes_on ? DAL_OK : DAL_DIVERGED;
}

/* Velocities are solved for when somebody asks, from where the curve ends. */
void paced_run_adopt(dal_sim *s)
{
    pace         *p = s->pace;
    stepper      *st = p->run->st;
    const double *rate = stepper_slope(st), g = pace_at(s, s->t, positions(p->run), NULL);
    for (int i = 0; i < s->st->sys->n; i++) p->v[i] = rate[i] / g;
    stepper_move(s->st, s->t, st->q, st->p, p->v);
    s->now.have = 0;
    if (s->full) s->full->at_q = s->full->at_v = s->full->at_p = s->full->at_lam = -1;
}

void paced_run_resume(dal_sim *s)
{
    mem *m = mem_child(&s->m);
    take_parameters(s, m);
    mem_free(m);
    paced_run_adopt(s);
}
