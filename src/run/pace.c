/* pace.c - the pace as a function of the state, and steps of tau:
 *
 *     density:    z_{1/2} = 1/g0 + (e/2) G0,   h = e/z,   z += e G,     G = -(d/dt) ln g
 *     canonical:  a step of the model in tau;  t += e sum_i b_i g(q_i)
 *
 * with e the step of tau.                                                    theory.md [PACE] */
#include "run/pace.h"

#include "mech/stepper/stepper.h"
#include "model/paced.h"
#include "run/paced_run.h"
#include "run/simulation.h"
#include "step/words.h"

#include "step/sum.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double FAST =
    0.5; /* of |d ln g/dt| h: the pace follows what the steps should resolve */

/* The pace. ------------------------------------------------------------------------------------ */

double pace_at(const dal_sim *s, double t, const double *q, const double *v)
{
    const pace    *p = s->pace;
    const element *g = &p->g;
    for (int i = 0; i < g->slots; i++) {
        const slot x = g->slot[i];
        p->values[i] = x.kind == SLOT_TIME        ? t
                       : x.kind == SLOT_Q         ? q[x.base]
                       : x.kind == SLOT_V         ? v[x.base]
                       : x.kind == SLOT_PARAMETER ? s->val.parameter[x.base]
                       : x.kind == SLOT_DATA      ? p->into->data.at[x.base]
                                                  : 0;
    }
    return expr_eval_dense(&g->g, g->root[0], p->values, p->scratch);
}

/*     g_t + g_q v + g_v a, at the state that was measured last */
static double rate_at(const dal_sim *s, const double *v, const double *a)
{
    const pace *p = s->pace;
    double      sum = 0;
    for (int k = 0; k < p->moving; k++) {
        const slot   x = p->g.slot[p->moves[k]];
        const double by = x.kind == SLOT_TIME ? 1 : x.kind == SLOT_Q ? v[x.base] : a[x.base];
        sum += expr_eval(&p->g.g, p->slope[k], p->values, p->scratch) * by;
    }
    return sum;
}

static bool pace_holds(const pace *p, slot_kind kind)
{
    for (int k = 0; k < p->moving; k++)
        if (p->g.slot[p->moves[k]].kind == kind) return true;
    return false;
}

bool pace_is_positive(dal_sim *s, double g, double t)
{
    if (g > 0 && isfinite(g)) return true;
    s->pace->lost = true;
    text_printf(&s->why, "at t = %.10g the pace is %.6g, and it must be positive and finite", t, g);
    return false;
}

static void take_slopes(dal_sim *s)
{
    pace    *p = s->pace;
    element *g = &p->g;
    p->moves = mem_array(&s->m, g->slots + 1, int);
    for (int i = 0; i < g->slots; i++) {
        const slot_kind kind = g->slot[i].kind;
        if (kind == SLOT_TIME || kind == SLOT_Q || kind == SLOT_V) p->moves[p->moving++] = i;
    }
    p->slope = mem_array(&s->m, p->moving + 1, expr);
    expr_gradient(&g->g, g->root[0], p->moves, p->moving, p->slope);
    p->values = mem_array(&s->m, g->slots + 1, double);
    double **room[] = {&p->v, &p->w, &p->f, &p->D};
    for (int k = 0; k < 4; k++) *room[k] = mem_array(&s->m, s->sys->n + 1, double);
    p->scratch = mem_array(&s->m, g->g.nodes.n + 1, double);
}

/* Which way. ----------------------------------------------------------------------------------- */

/* Why there is no model in tau; NULL: there is one. */
static const char *not_in_tau(const dal_sim *s)
{
    enum { SMALL = 64 };
    const dal_system *sys = s->sys;
    if (sys->turns) return "it does not know rotations and directions";
    if (s->plan.scheme.curve != CURVE_POLYNOMIAL) return "it needs a polynomial curve";
    if (s->plan.scheme.own_force_rule) return "forces have a rule of their own";
    if (pace_holds(s->pace, SLOT_V)) return "the pace holds velocities";
    if (s->follow.n) return "inputs follow a file";
    if (sys->n > SMALL) return "it is for systems of up to 64 coordinates";
    return NULL;
}

/* Why the motion in tau is not that of a Lagrangian. With s > d points t' = g at all of them would
 * hold t too often. */
static const char *not_canonical(const dal_sim *s)
{
    const dal_system *sys = s->sys;
    const scheme     *sch = &s->plan.scheme;
    if (sys->damped) return "damping has points of its own";
    if (sys->state) return "states have no momentum";
    if (inputs_of(s)) return "inputs may change the energy";
    if (s->pace->clock && (sch->rule.s != sch->degree || sch->rule.order != 2 * sch->rule.s))
        return "time is a coordinate where something depends on it, and that needs gauss(s)";
    return not_in_tau(s);
}

/* Where forces do work, or reactions change the symplectic form, E - E0 is no error of a step but
 * of all before: canonical steps are made if they are asked for. */
static const char *not_conservative(const dal_sim *s)
{
    if (s->sys->forced || s->sys->damped) return "forces do work";
    return s->sys->m ? "a constraint on velocities keeps no symplectic form" : NULL;
}

static dal_status choose(dal_sim *s)
{
    pace       *p = s->pace;
    const plan *of = &s->plan;
    p->clock = model_reads_time(p->into) || pace_holds(p, SLOT_TIME) ||
               (of->pacing == PACING_CANONICAL && not_conservative(s));
    const char *why_not = not_canonical(s);
    p->how = of->pacing;
    p->why_not = not_conservative(s) ? not_conservative(s) : why_not;
    if (p->how == PACING_BEST) p->how = p->why_not ? PACING_DENSITY : PACING_CANONICAL;
    if (p->how == PACING_PLAIN) why_not = not_in_tau(s);
    if (p->how != PACING_DENSITY && why_not)
        return diag_error(s->ds, DAL_INVALID, of->pace.at, "pacing = density, or leave it out",
                          "pacing = %s cannot be: %s", pace_word(s), why_not);
    if (p->how == PACING_DENSITY && pace_holds(p, SLOT_V) && s->sys->hamiltonian)
        return diag_error(s->ds, DAL_INVALID, of->pace.at, "write it in positions",
                          "the pace holds velocities, and a Hamiltonian has no accelerations");
    return DAL_OK;
}

static dal_status refuse(dal_sim *s, const request *r)
{
    const char *what = !s->md              ? "a system of functions"
                       : s->joint          ? "interconnection = forces"
                       : r->ledger         ? "a ledger, which adds up powers in time"
                       : s->plan.exponents ? "lyapunov, which measures steps of one length"
                                           : NULL;
    if (!what) return DAL_OK;
    return diag_error(s->ds, DAL_INVALID, s->plan.pace.at, "leave out the pace, or that",
                      "a pace does not go with %s", what);
}

/* Density. ------------------------------------------------------------------------------------- */

/* Accelerations of the whole. */
static const double *accelerations(dal_sim *s)
{
    if (!pace_holds(s->pace, SLOT_V)) return NULL;
    return s->full ? full_system_rates(s->full, s->st) : stepper_rates(s->st);
}

/*     G = -(d/dt) ln g; false: there is no pace */
static bool density_rate(dal_sim *s, double *G)
{
    const double *v = state_v(s), g = pace_at(s, s->t, state_q(s), v);
    if (!pace_is_positive(s, g, s->t)) return false;
    *G = -rate_at(s, v, accelerations(s)) / g, s->pace->last = g;
    return isfinite(*G) || pace_is_positive(s, *G, s->t);
}

/* Steps of the length of the first, in a run to a time: a guess. */
static void guess_steps(dal_sim *s)
{
    plan        *p = &s->plan;
    const double steps = fabs((p->until - p->from) / (p->h * s->pace->g0));
    if (p->timed) p->steps = steps < 1e15 ? (long)steps + 1 : (long)1e15;
}

static dal_status begin(dal_sim *s, const pace_errors *keeps)
{
    pace  *p = s->pace;
    double G;
    text_clear(&s->why);
    p->g0 = pace_at(s, s->t, state_q(s), state_v(s));
    if (!pace_is_positive(s, p->g0, s->t) || !density_rate(s, &G))
        return diag_error(s->ds, DAL_INVALID, s->plan.pace.at, NULL, "%s", text_str(&s->why));
    p->z = 1 / p->g0 + keeps->density + s->plan.h / 2 * G;
    p->low = 0, p->length = s->plan.h * p->g0, p->fastest = 0;
    p->least = p->g0 / 4;
    guess_steps(s);
    return DAL_OK;
}

static void note_step(dal_sim *s, double h, double rate)
{
    pace *p = s->pace;
    p->length = h;
    if (!(fabs(rate * h) <= p->fastest)) p->fastest = fabs(rate * h), p->then = s->t;
    monitor_length(s, fabs(h));
}

static dal_status density_step(dal_sim *s, double *work)
{
    pace        *p = s->pace;
    const double h = s->plan.h / p->z;
    double       G;
    steps_asked  one = {.from = s->t, .h = h, .count = 1};
    steps_made   out = {.work = *work};
    if (!(p->z > 0) || !isfinite(h)) {
        text_printf(&s->why,
                    "at t = %.10g the pace changes within a step by more than itself: take a "
                    "smaller step, or a pace that varies more slowly than the fastest motion",
                    s->t);
        return DAL_DIVERGED;
    }
    dal_status bad = stepper_advance(s->st, &one, &out, &s->why);
    if (bad) return bad;
    *work = out.work, s->k++, s->now.have = 0;
    add(&s->t, &p->low, h);
    if (!density_rate(s, &G)) return DAL_DIVERGED;
    p->z += s->plan.h * G;
    note_step(s, h, G);
    return DAL_OK;
}

/* Steps. --------------------------------------------------------------------------------------- */

static bool is_past_end(const dal_sim *s)
{
    const plan *p = &s->plan;
    return p->timed && (p->h < 0 ? s->t - p->until : p->until - s->t) <= plan_rest(p);
}

/* The pace of the motion itself, by its own steps, a time `ahead` of the present state. */
static bool pace_ahead(dal_sim *s, double ahead, double *g)
{
    enum { PARTS = 8 };
    if (times_show_ahead(s, ahead, PARTS)) return false;
    *g = pace_at(s, s->t, state_q(s), state_v(s));
    times_hide(s);
    return true;
}

/* Steps of tau never pass g = 0: they shrink, or are thrown back, as g (E - E0) stays what it is
 * there, too. Each time g has halved, the motion is followed to where g would be -g if it fell on
 * as it does now. */
static dal_status goes_to_zero(dal_sim *s)
{
    pace *p = s->pace;
    if (!(p->last < p->least / 2)) return DAL_OK;
    p->least = p->last;
    if (p->run) paced_run_adopt(s);
    const double *v = state_v(s), g = pace_at(s, s->t, state_q(s), v),
                 zero = -g / rate_at(s, v, accelerations(s)), to = s->t + zero;
    double there;
    if (!isfinite(zero) || !(zero * s->plan.h > 0) || !pace_ahead(s, 2 * zero, &there) ||
        !(fabs(there + g) < g / 2) || (s->plan.timed && (s->plan.until - to) * s->plan.h < 0))
        return DAL_OK;
    p->lost = true;
    text_printf(&s->why,
                "at t = %.10g the pace is %.6g, and at t = %.6g the pace goes to 0: it must stay "
                "positive",
                s->t, g, to);
    return DAL_DIVERGED;
}

/* A pace that goes to 0 brings time to a stand. */
static dal_status stands_still(dal_sim *s, double before)
{
    static const double LITTLE = 1e-14; /* of the run */
    const plan         *p = &s->plan;
    const double        h = fabs(s->t - before);
    if (h > 4 * DBL_EPSILON * fabs(s->t) && !(p->timed && h < LITTLE * fabs(p->until - p->from)))
        return DAL_OK;
    s->pace->lost = true;
    text_printf(&s->why, "at t = %.10g steps have become as short as %.2g: the pace goes to 0",
                s->t, h);
    return DAL_DIVERGED;
}

/* Those of the model in tau are shown where somebody may look. */
dal_status pace_steps(dal_sim *s, long most, double *work)
{
    dal_status bad = DAL_OK;
    double     asked;
    times_hide(s);
    s->pace->lost = false;
    for (long made = 0; made < most && !bad; made++) {
        const double before = s->t;
        if (s->times) times_keep(s);
        bad = s->pace->run ? paced_run_step(s, work) : density_step(s, work);
        if (!bad) bad = stands_still(s, before);
        if (!bad) bad = goes_to_zero(s);
        if (times_due(s, &asked) || is_past_end(s)) break;
    }
    if (s->pace->run) paced_run_adopt(s);
    return bad;
}

span pace_place(const dal_sim *s)
{
    return s->pace && s->pace->lost ? s->plan.pace.at : span_none();
}

bool pace_is_beyond(const dal_sim *s)
{
    return s->pace && is_past_end(s) && !times_is_now(s, s->plan.until);
}

dal_status pace_arrive(dal_sim *s)
{
    return pace_is_beyond(s) ? times_show(s, s->plan.until, true) : DAL_OK;
}

stepper *pace_stepper(const dal_sim *s)
{
    if (s->pace && s->pace->run) return s->pace->run->st;
    return s->times && s->times->own ? s->times->own : s->st;
}

void pace_archive(dal_sim *s, archive *r)
{
    pace *p = s->pace;
    if (!p) return;
    archive_section(r, "pace.");
    archive_double(r, "z", &p->z);
    archive_double(r, "low", &p->low);
    archive_double(r, "length", &p->length);
    archive_double(r, "fastest", &p->fastest);
    archive_double(r, "then", &p->then);
    archive_double(r, "E0", &p->E0);
    archive_double(r, "g0", &p->g0);
    archive_double(r, "least", &p->least);
    archive_double(r, "last", &p->last);
}

const char *pace_word(const dal_sim *s)
{
    static const char *const words[] = {
        [PACING_CANONICAL] = "canonical", [PACING_PLAIN] = "plain", [PACING_DENSITY] = "density"};
    return s->pace ? words[s->pace->how] : NULL;
}

/* No doubt about a run whose positions are known to be right. */
void pace_warn(dal_sim *s)
{
    static const double SOUND = 0.1; /* of the amplitude */
    const pace         *p = s->pace;
    static const char   hint[] = "a pace must vary slowly on the fastest time scale of the motion";
    static const char   words[] = "t = %.6g: within a step the pace changes by %.0f %%: it follows "
                                  "a vibration, and steps of one length would do better";
    if (!p || !(p->fastest > FAST)) return;
    const span at = p->how == PACING_BEST ? span_none() : s->plan.pace.at;
    if (s->mon.sum.error_estimate < SOUND)
        diag_note(s->ds, at, hint, words, p->then, 100 * p->fastest);
    else diag_warning(s->ds, at, hint, words, p->then, 100 * p->fastest);
}

/* Making. -------------------------------------------------------------------------------------- */

/* What is written, or the model's own. */
static dal_status read_pace(dal_sim *s, const request *r)
{
    static const double ROUND = 6.283185307179586;
    pace               *p = s->pace;
    const plan         *of = &s->plan;
    const double whole = fabs(of->by_time ? of->until - of->from : (double)of->steps * of->h);
    model       *into = mem_array(&s->m, 1, model);
    model_copy(&s->m, compiled_model(s->compiled), into);
    if (!strcmp(of->pace.words, "auto")) {
        const bool by_speed = s->sys->forced || s->sys->damped;
        if (!model_own_pace(&s->m, into, whole > 0 ? ROUND / whole : 1, by_speed, &p->g))
            return diag_error(s->ds, DAL_INVALID, of->pace.at, "write an expression",
                              "pace = auto needs coordinates with inertia");
    } else {
        source *words = mem_array(&s->m, 1, source);
        *words = (source){"--pace", of->pace.words, strlen(of->pace.words)};
        const dal_status bad =
            s->md->by->express(s->md, &r->over, words, s->ds, into, &s->m, &p->g);
        if (bad) return bad;
    }
    p->into = into;
    return DAL_OK;
}

static const pace_errors none = {0, 0};

dal_status pace_open(dal_sim *s, const request *r)
{
    if (!s->plan.pace.given) return DAL_OK;
    dal_status bad = refuse(s, r);
    if (bad) return bad;
    s->pace = mem_array(&s->m, 1, pace);
    bad = read_pace(s, r);
    if (!bad) take_slopes(s), bad = choose(s);
    if (!bad) bad = begin(s, &none);
    if (!bad && s->pace->how != PACING_DENSITY) bad = paced_run_open(s, r);
    s->st->options.paced = s->pace->how == PACING_DENSITY;
    return bad;
}

pace_errors pace_gathered(dal_sim *s)
{
    const pace *p = s->pace;
    double      G;
    if (!p) return none;
    if (p->run) return (pace_errors){.energy = paced_run_error(s)};
    if (s->times->own) return none; /* z is that of the step beyond */
    if (!density_rate(s, &G)) return text_clear(&s->why), none;
    return (pace_errors){.density = p->z - s->plan.h / 2 * G - 1 / p->last};
}

dal_status pace_restart(dal_sim *s, const pace_errors *keeps)
{
    if (!s->pace) return DAL_OK;
    if (!keeps) keeps = &none;
    dal_status bad = begin(s, keeps);
    return !bad && s->pace->run ? paced_run_begin(s, keeps->energy) : bad;
}

void pace_end(dal_sim *s)
{
    if (s->pace && s->pace->run) simulation_end(s->pace->run);
    s->pace = NULL;
}
