/* times.c - the state at a time T between t0 and t1, the ends of the last step: by a step of length
 * T - t0 from where it began, or, where the scheme is of low order and nothing but q and v makes
 * the state, by the polynomial that joins both ends:
 *
 *     q(x) = q0 + x h v0 + x^2 (3A - B) + x^3 (B - 2A),      x = (T - t0)/h
 *     A = q1 - q0 - h v0,   B = h (v1 - v0)
 *
 * for order 2; with the accelerations too for order 4.                       theory.md [TIMES] */
#include "run/times.h"

#include "mech/stepper/stepper.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double size_of_rest(const dal_sim *s)
{
    return 64 * DBL_EPSILON * fmax(fabs(s->t), fabs(s->plan.from)) + plan_rest(&s->plan);
}

/* Is the time a not before b, in the direction of the run? */
static bool reached(const dal_sim *s, double a, double b)
{
    return (s->plan.h < 0 ? b - a : a - b) >= -size_of_rest(s);
}

/* Number k of the requested ones. */
static bool requested(const dal_sim *s, long k, double *t)
{
    const requested_times *of = &s->plan.times;
    if (of->every == 0 && k >= of->count) return false;
    *t = of->every != 0 ? s->plan.from + (double)(k + 1) * of->every : of->at[k];
    return true;
}

bool times_is_now(const dal_sim *s, double t)
{
    return fabs(t - s->t) <= size_of_rest(s);
}

/* Where reactions, momenta or rotations belong to a state, it is made by a step. */
static int joins(const dal_sim *s)
{
    const dal_system *sys = state_solved(s);
    const int         order = stepper_order(s->st);
    if (sys->m || sys->r || sys->hamiltonian || sys->turns || sys->state || sys->damped) return 0;
    if (s->pace && s->pace->run) return 0;
    if (stepper_massless(s->st, NULL) || s->plan.scheme.curve != CURVE_POLYNOMIAL) return 0;
    return order <= 2 ? 1 : order <= 4 ? 2 : 0;
}

static dal_status refuse(dal_sim *s)
{
    const bool papers = s->plan.method.momentum == MOMENTUM_PAPERS;
    const bool energy = s->plan.method.principle == ENERGY;
    if (!papers && !energy && !s->joint) return DAL_OK;
    return diag_error(s->ds, DAL_INVALID, s->val.simulate, "record = every 1",
                      "record = times does not go with %s, whose states are those of grid points",
                      papers   ? "momentum = papers"
                      : energy ? "principle = energy"
                               : "interconnection = forces");
}

dal_status times_open(dal_sim *s)
{
    const requested_times *of = &s->plan.times;
    if (of->every == 0 && !of->count && !s->pace) return DAL_OK;
    dal_status bad = refuse(s);
    if (bad) return bad;
    const int    width = s->st->turn.width + 1;
    shown_times *x = s->times = mem_array(&s->m, 1, shown_times);
    double     **array[] = {&x->q0, &x->p0, &x->v0, &x->a0, &x->q, &x->p, &x->v};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = mem_array(&s->m, width, double);
    x->Lq = sys_room(&s->m, state_solved(s), false, width);
    x->joined = joins(s);
    step_options alike = s->plan.method;
    alike.choose = NULL, alike.threads = 0, alike.solver = s->st->options.solver;
    bad = stepper_new(&s->m, state_solved(s), &s->plan.scheme, &alike, &x->aside, &s->why);
    times_restart(s);
    return bad ? diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why)) : DAL_OK;
}

/* The first state is recorded in any case. */
void times_restart(dal_sim *s)
{
    shown_times *x = s->times;
    double       t;
    if (!x) return;
    times_hide(s);
    for (x->next = 0, x->exact = -1; requested(s, x->next, &t) && times_is_now(s, t);) x->next++;
}

void times_end(dal_sim *s)
{
    if (!s->times) return;
    times_hide(s);
    stepper_free(s->times->aside);
    s->times = NULL;
}

/* Where the last step began is kept: a run may be left with some of its times still to be shown. */
void times_archive(dal_sim *s, archive *r)
{
    shown_times *x = s->times;
    const size_t n = x ? (size_t)s->st->turn.width : 0;
    double      *array[] = {x ? x->q0 : NULL, x ? x->p0 : NULL, x ? x->v0 : NULL, x ? x->a0 : NULL};
    static const char *const word[] = {"before_q", "before_p", "before_v", "before_a"};
    const char              *before = r->where;
    if (!x) return;
    archive_section(r, "times.");
    archive_long(r, "next", &x->next);
    archive_long(r, "exact", &x->exact);
    archive_double(r, "before", &x->t0);
    for (int k = 0; k < 4; k++) archive_doubles(r, word[k], array[k], n);
    archive_section(r, before);
}

long times_ahead(const dal_sim *s, long most)
{
    double t;
    if (!s->times || !requested(s, s->times->next, &t)) return most;
    const double steps = floor((t - s->t) / s->plan.h - 1e-6);
    return steps < 1 ? 0 : steps < (double)most ? (long)steps : most;
}

/* Are the steps those of the model in tau, whose velocities are others? */
static bool is_in_tau(const dal_sim *s)
{
    return s->pace && s->pace->run;
}

void times_keep(dal_sim *s)
{
    shown_times *x = s->times;
    const size_t bytes = (size_t)s->st->sys->n * sizeof(double);
    x->t0 = s->t;
    const stepper *st = pace_stepper(s);
    memcpy(x->q0, st->q, (size_t)s->st->turn.width * sizeof(double));
    memcpy(x->p0, st->p, bytes);
    if (!is_in_tau(s)) memcpy(x->v0, stepper_v(s->st), bytes);
    if (x->joined > 1) memcpy(x->a0, stepper_rates(s->st), bytes);
}

bool times_due(const dal_sim *s, double *t)
{
    return s->times && requested(s, s->times->next, t) && reached(s, s->t, *t) &&
           !(s->plan.timed && !reached(s, s->plan.until, *t)) &&
           !(pace_is_beyond(s) && reached(s, *t, s->plan.until)); /* that is where it arrives */
}

/* One coordinate between both ends: q, and its derivative in x. */
static double join(double q0, double hv0, double A, double B, double x, double *slope)
{
    const double c2 = 3 * A - B, c3 = B - 2 * A;
    *slope = hv0 + x * (2 * c2 + 3 * c3 * x);
    return q0 + x * (hv0 + x * (c2 + c3 * x));
}

/*     q(x) = q0 + x h v0 + x^2 h^2 a0/2 + x^3 (c3 + c4 x + c5 x^2),   C = h^2 (a1 - a0)
 * with A and B less what a0 contributes */
static double join_bends(double q0, double hv0, double ha0, const double by[3], double x,
                         double *slope)
{
    const double A = by[0], B = by[1], C = by[2];
    const double c3 = 10 * A - 4 * B + C / 2, c4 = -15 * A + 7 * B - C, c5 = 6 * A - 3 * B + C / 2;
    *slope = hv0 + x * (ha0 + x * (3 * c3 + x * (4 * c4 + 5 * c5 * x)));
    return q0 + x * (hv0 + x * (ha0 / 2 + x * (c3 + x * (c4 + c5 * x))));
}

/* p = L_v there. */
static bool join_ends(dal_sim *s, double t)
{
    shown_times  *w = s->times;
    dal_system   *sys = state_solved(s);
    const double *v1 = stepper_v(s->st), *a1 = w->joined > 1 ? stepper_rates(s->st) : NULL;
    const double  h = s->t - w->t0, x = (t - w->t0) / h;
    for (int i = 0; i < sys->n; i++) {
        const double hv = h * w->v0[i], A = s->st->q[i] - w->q0[i] - hv, B = h * (v1[i] - w->v0[i]);
        const double ha = a1 ? h * h * w->a0[i] : 0;
        const double by[3] = {A - ha / 2, B - ha, a1 ? h * h * (a1[i] - w->a0[i]) : 0};
        w->q[i] = a1 ? join_bends(w->q0[i], hv, ha, by, x, &w->v[i])
                     : join(w->q0[i], hv, A, B, x, &w->v[i]);
        w->v[i] /= h;
    }
    const sys_point at = {.t = t, .q = w->q, .w = w->v, .v = w->v};
    sys_values      room = {.Lq = w->Lq, .Lw = w->p};
    if (sys->eval(sys->self, WANT_GRADIENT, 1, &at, &room)) return false;
    stepper_set(w->aside, t, w->q, w->p, w->v);
    return true;
}

static void forget_whole(dal_sim *s)
{
    s->now.have = 0;
    if (s->full) s->full->at_q = s->full->at_v = s->full->at_p = s->full->at_lam = -1;
}

static void show_aside(dal_sim *s, double t)
{
    shown_times *x = s->times;
    x->own = s->st, x->t = s->t;
    s->st = x->aside, s->t = t;
    forget_whole(s);
}

dal_status times_show(dal_sim *s, double t, bool by_step)
{
    shown_times *x = s->times;
    dal_status   bad = DAL_OK;
    monitor_balances(s);
    for (int i = 0; i < s->st->sys->n && is_in_tau(s); i++)
        x->v0[i] = (s->st->q[i] - x->q0[i]) / (s->t - x->t0);
    if (by_step || !x->joined || !join_ends(s, t)) {
        stepper_set(x->aside, x->t0, x->q0, x->p0, x->v0);
        bad = stepper_step(x->aside, x->t0, t - x->t0, &s->why);
    }
    if (bad)
        return diag_error(s->ds, bad, span_none(), NULL, "the state at t = %.10g: %s", t,
                          text_str(&s->why));
    show_aside(s, t);
    return DAL_OK;
}

dal_status times_show_ahead(dal_sim *s, double by, int parts)
{
    stepper   *st = s->times->aside;
    dal_status bad = DAL_OK;
    stepper_set(st, s->t, s->st->q, s->st->p, stepper_v(s->st));
    for (int k = 0; k < parts && !bad; k++)
        bad = stepper_step(st, s->t + k * by / parts, by / parts, &s->why);
    if (bad) text_clear(&s->why);
    else show_aside(s, s->t + by);
    return bad;
}

void times_exchange(dal_sim *s)
{
    shown_times *x = s->times;
    if (!x || !x->own) return;
    stepper     *st = s->st;
    const double t = s->t;
    s->st = x->own, x->own = st, s->t = x->t, x->t = t;
    forget_whole(s);
}

void times_hide(dal_sim *s)
{
    shown_times *x = s->times;
    if (!x || !x->own) return;
    s->st = x->own, s->t = x->t, x->own = NULL;
    forget_whole(s);
}
