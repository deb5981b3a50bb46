/* events.c - a step with events: up to the first, what it changes, and the rest of the step. */
#include "run/events.h"

#include "mech/start/start.h"
#include "mech/stepper/stepper.h"
#include "model/branches.h"
#include "model/closed.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* At the start. -------------------------------------------------------------------------------- */

static event_values room_for_values(mem *m, const model *md)
{
    const int n = md->event.n, rows = md->event_row.n;
    return (event_values){.f = mem_array(m, 2 * n + 1, double),
                          .row = mem_array(m, rows + 1, double),
                          .rate = mem_array(m, rows + 1, double),
                          .size = mem_array(m, rows + 1, double),
                          .reaction = mem_array(m, rows + 1, double),
                          .rest = mem_array(m, rows + 1, double),
                          .asked = mem_array(m, md->asked + 1, double)};
}

/* The system that is read to find events. */
static void make_system(dal_sim *s, events *x)
{
    mem   *m = &s->m;
    model *md = mem_array(m, 1, model);
    model_of_events(m, s->md, md);
    const compiled *c = compile(m, md);
    x->bound = bound_new(m, c, s->val.parameter, s->val.input);
    x->sys = bound_system(x->bound);
    const int rows = x->sys->m + x->sys->r;
    x->room.e = mem_array(m, rows + 1, double), x->room.g = mem_array(m, x->sys->r + 1, double);
    x->room.A = mem_array(m, pattern_count(&x->sys->A) + 1, double);
    x->none = mem_array(m, rows + 1, double);
    x->reach = mem_array(m, x->rows + 1, double), x->speed = mem_array(m, x->rows + 1, double);
    x->row_at = mem_array(m, x->rows + s->md->relations + 1, int);
    x->of_row = mem_array(m, x->rows + 1, int);
    for (int r = 0; r < x->rows; r++) x->row_at[r] = compiled_row(c, s->md->relations + r);
    for (int a = 0; a < s->md->relations; a++) x->row_at[x->rows + a] = compiled_row(c, a);
    for (int k = 0; k < x->count; k++) {
        if (x->at[k].row < 0) continue;
        x->of_row[x->at[k].row] = k;
        for (int i = 1; i <= x->at[k].rubs; i++) x->of_row[x->at[k].row + i] = k;
    }
}

static void make_room(dal_sim *s, events *x)
{
    mem      *m = &s->m;
    const int n = s->sys->n, width = turning_width(s->sys->turns, n) + 1;
    double  **of_state[] = {&x->q, &x->p,     &x->v,        &x->q0,       &x->p0,        &x->v0,
                            &x->w, &x->hit.n, &x->hit.t[0], &x->hit.t[1], &x->hit.struck};
    for (size_t k = 0; k < sizeof of_state / sizeof *of_state; k++)
        *of_state[k] = mem_array(m, width, double);
    x->between = mem_array(m, 3 * width, double);
    x->sample = mem_array(m, EVENT_PLACES * x->count + 1, double);
    x->lam = mem_array(m, s->sys->m + s->sys->r + 1, double);
    x->closed = mem_array(m, x->rows + 1, unsigned char);
    x->refused = mem_array(m, x->rows + 1, unsigned char);
    x->is_true = mem_array(m, x->count + 1, unsigned char);
    x->back = mem_array(m, x->count + 1, unsigned char);
    x->slip = mem_array(m, x->count + 1, event_slip);
    x->begin = room_for_values(m, s->md), x->end = room_for_values(m, s->md);
    x->try = room_for_values(m, s->md);
    for (int k = 0; k < x->count; k++) x->conditions |= x->at[k].kind != EVENT_CONTACT;
}

static dal_status refuse(dal_sim *s, const char *what, const char *hint)
{
    return diag_error(s->ds, DAL_INVALID, s->events->at[0].at, hint,
                      "events are not located with %s", what);
}

static dal_status suits(dal_sim *s, const request *r)
{
    const plan *p = &s->plan;
    if (p->method.principle == ENERGY)
        return refuse(s, "principle = energy", "take principle = dirac+");
    if (p->h < 0) return refuse(s, "steps back in time", "run forwards: impacts have no inverse");
    if (p->method.momentum == MOMENTUM_PAPERS) return refuse(s, "momentum = papers", NULL);
    if (s->joint) return refuse(s, "interconnection = forces", "take multipliers");
    if (s->pace) return refuse(s, "a pace", "take steps of one length");
    if (p->exponents) return refuse(s, "Lyapunov exponents", NULL);
    if (r->ledger) return refuse(s, "a ledger", NULL);
    if (p->times.every != 0 || p->times.count)
        return refuse(s, "record = times", "record = every 1");
    return DAL_OK;
}

static const char *name_of(dal_sim *s, int k)
{
    events *x = s->events;
    if (!x->past.name) x->past.name = mem_array(&s->m, x->count + 1, const char *);
    if (!x->past.name[k]) {
        text word = text_new(&s->m);
        model_name(s->md, MEMBER_EVENT, k, &word);
        x->past.name[k] = mem_printf(&s->m, "%s", text_str(&word));
        text_drop(&word);
    }
    return x->past.name[k];
}

/* A number of an event that cannot be: its message. */
static dal_status judge_number(dal_sim *s, int k, double x, double most, const char *what)
{
    const event *e = &s->events->at[k];
    if (x >= 0 && x <= most) return DAL_OK;
    if (isnan(x)) /* some write its sign */
        return diag_error(s->ds, DAL_INVALID, e->at, NULL, "%s of %s is no number", what,
                          name_of(s, k));
    return diag_error(s->ds, DAL_INVALID, e->at,
                      most < HUGE_VAL ? "0 to 1 can be" : "0 or more can be", "%s of %s is %g",
                      what, name_of(s, k), x);
}

/* Is a tangent of a contact its normal? By their rows, where they were read last. */
static bool is_normal(const events *x, int row, int tangent)
{
    static const double ALIKE = 1e-12;
    const pattern      *A = &x->sys->A;
    const int           a = x->row_at[row], b = x->row_at[tangent];
    double              nn = 0, nt = 0, tt = 0;
    for (int i = 0; i < x->sys->n; i++) x->hit.n[i] = 0;
    for (int e = A->start[a]; e < A->start[a + 1]; e++) x->hit.n[A->column[e]] += x->room.A[e];
    for (int i = 0; i < x->sys->n; i++) nn += x->hit.n[i] * x->hit.n[i];
    for (int e = A->start[b]; e < A->start[b + 1]; e++)
        nt += x->room.A[e] * x->hit.n[A->column[e]], tt += x->room.A[e] * x->room.A[e];
    return tt > 0 && fabs(nt * nt - nn * tt) <= ALIKE * nn * tt;
}

static dal_status judge_tangents(dal_sim *s, const event *e)
{
    for (int i = 1; i <= e->rubs; i++)
        if (is_normal(s->events, e->row, e->row + i))
            return diag_error(s->ds, DAL_INVALID, e->at,
                              "name the directions in which the point that touches may slip",
                              "the contact rubs along its own normal");
    return DAL_OK;
}

static dal_status judge_numbers(dal_sim *s)
{
    const events *x = s->events;
    const double *asked = x->begin.asked;
    dal_status    bad = DAL_OK;
    for (int k = 0; k < x->count && !bad; k++) {
        const event *e = &x->at[k];
        if (e->kind == EVENT_CONTACT) {
            bad = judge_number(s, k, asked[e->asked], 1, "the restitution");
            if (!bad) bad = judge_number(s, k, asked[e->asked + 1], HUGE_VAL, "the friction");
            if (!bad) bad = judge_tangents(s, e);
            if (!bad && x->begin.row[e->row] < -events_near(s, e->row))
                bad = diag_error(s->ds, DAL_INVALID, e->at, "start where the inequality holds",
                                 "%s is violated at the start, by %g", name_of(s, k),
                                 -x->begin.row[e->row]);
        } else if (e->kind == EVENT_FRICTION) {
            bad = judge_number(s, k, asked[e->asked], HUGE_VAL, "the limit");
            if (!bad) bad = judge_number(s, k, asked[e->asked + 1], HUGE_VAL, "the force of slip");
            if (!bad && asked[e->asked + 1] > asked[e->asked])
                bad = diag_error(s->ds, DAL_INVALID, e->at, "the first number is the larger one",
                                 "%s slips with %g, more than the %g that it holds", name_of(s, k),
                                 asked[e->asked + 1], asked[e->asked]);
        }
    }
    return bad;
}

/* What changes at an instant. ------------------------------------------------------------------ */

/* All rows open, while a reset is made: `held` are those that were closed. */
static dal_status let_go(dal_sim *s, unsigned char *held)
{
    events *x = s->events;
    memcpy(held, x->closed, (size_t)x->rows);
    if (!x->now) return DAL_OK;
    memset(x->closed, 0, (size_t)x->rows);
    return events_enter(s);
}

/* Rows that a reset has not moved hold on; contacts and friction decide about the others later. */
static dal_status hold_again(dal_sim *s, const unsigned char *held)
{
    events *x = s->events;
    bool    any = false;
    events_read(s, &x->try);
    for (int r = 0; r < x->rows; r++) {
        const event *e = &x->at[x->of_row[r]];
        const bool   tangent = r != e->row;
        if (!held[r]) continue;
        x->closed[r] = fabs(x->try.rate[r]) <= events_slow(s, r) &&
                       (!tangent || x->closed[e->row]) &&
                       (e->kind != EVENT_CONTACT || tangent || x->try.row[r] <= events_near(s, r));
        any |= x->closed[r];
        if (!x->closed[r] && !tangent) events_note(s, x->of_row[r], 0, 0, EVENT_OPENS);
    }
    return any ? events_enter(s) : DAL_OK;
}

static dal_status blame(dal_sim *s, const event_reset *r, const char *words, double x)
{
    s->events->blamed = r->at;
    text_printf(&s->why, words, x);
    return DAL_DIVERGED;
}

/* What was asked for is what it has become; relations may have moved it. */
static dal_status is_kept(dal_sim *s, const event *e, const start *at, const double *asked)
{
    static const double MOVED = 1e-9;
    for (int k = 0; k < e->resets; k++) {
        const event_reset *r = &s->md->reset.at[e->reset + k];
        if (r->kind == RESET_PARAMETER || s->sys->turns) continue;
        const double *of = r->kind == RESET_Q ? at->q : r->kind == RESET_V ? at->v : at->p;
        if (fabs(of[r->index] - asked[k]) > MOVED * (fabs(of[r->index]) + fabs(asked[k])))
            return blame(s, r,
                         "a reset contradicts the relations, which make it %.10g: change all that "
                         "they bind, together",
                         of[r->index]);
    }
    return DAL_OK;
}

/* Resets are simultaneous: from what was before. The rest of the state follows as it does at a
 * start; relations are kept. */
static dal_status reset_all(dal_sim *s, const event *e)
{
    events        *x = s->events;
    const int      n = s->sys->n;
    mem           *m = mem_child(&s->m);
    start          at = {.t = events_run(s)->t,
                         .q = copy_of(m, events_q(s), turning_width(s->sys->turns, n)),
                         .v = copy_of(m, events_v(s), n),
                         .p = copy_of(m, events_p(s), n),
                         .project = true};
    unsigned char *given = mem_array(m, n + 1, unsigned char),
                  *held = mem_array(m, x->rows + 1, unsigned char);
    double    *asked = mem_array(m, e->resets + 1, double);
    bool       moved = false, changed = false;
    dal_status bad = DAL_OK;
    for (int i = 0; i < n; i++)
        given[i] = GIVEN_Q | (s->sys->hamiltonian && s->sys->hamiltonian[i] ? GIVEN_P : GIVEN_V);
    for (int k = 0; k < e->resets && !bad; k++) {
        const event_reset *r = &s->md->reset.at[e->reset + k];
        const double       value = asked[k] = x->try.asked[r->asked];
        if (!isfinite(value)) bad = blame(s, r, "a reset is not finite: %g", fabs(value));
        if (r->kind == RESET_PARAMETER) {
            changed |= s->val.parameter[r->index] != value, s->val.parameter[r->index] = value;
            continue;
        }
        moved = true;
        if (r->kind == RESET_Q) at.q[r->index] = value;
        else if (r->kind == RESET_V) at.v[r->index] = value, given[r->index] = GIVEN_Q | GIVEN_V;
        else at.p[r->index] = value, given[r->index] = GIVEN_Q | GIVEN_P;
    }
    at.given = given;
    if (!bad && changed) bad = events_refresh(s);
    if (!bad && moved) bad = let_go(s, held);
    if (!bad && moved) bad = start_complete(m, events_run(s)->sys, &at, &s->why);
    if (!bad && moved) bad = is_kept(s, e, &at, asked);
    if (!bad && moved) events_put(s, at.t, at.q, at.p, at.v);
    if (!bad && moved) bad = hold_again(s, held);
    mem_free(m);
    return bad;
}

static dal_status fire(dal_sim *s, int k)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const double energy = reading_energy(events_run(s));
    x->is_true[k] = 1;
    if (e->kind == EVENT_STOP) x->stopped = true;
    const dal_status bad = reset_all(s, e);
    if (!bad) events_note(s, k, 0, reading_energy(events_run(s)) - energy, EVENT_FIRES);
    return bad;
}

/* Conditions that have become true, in the order in which they are written; what one changes may
 * make another true. first: that has just done so. */
static dal_status fire_all(dal_sim *s, int first)
{
    enum { ROUNDS = 100 };
    events    *x = s->events;
    dal_status bad = DAL_OK;
    int        k = first;
    events_read(s, &x->try);
    for (int round = 0; round < ROUNDS && !bad; round++) {
        if (k >= 0) bad = fire(s, k);
        if (bad || x->stopped) return bad;
        events_read(s, &x->try);
        int next = -1;
        for (int j = 0; j < x->count; j++) {
            const event *e = &x->at[j];
            if (e->kind != EVENT_WHEN && e->kind != EVENT_STOP) continue;
            const bool now = x->try.asked[e->asked + 1] != 0;
            if (now && !x->is_true[j] && next < 0) next = j;
            /* at its root, which may be that of others too, the sign is roundoff */
            if (x->try.asked[e->asked] < -x->grain[j]) x->is_true[j] = 0;
        }
        if (next < 0) return DAL_OK;
        k = next;
    }
    if (bad) return bad;
    x->blamed = x->at[k].at;
    text_add(&s->why, "conditions make each other true for ever at this instant, the last ");
    model_name(s->md, MEMBER_EVENT, k, &s->why);
    return DAL_DIVERGED;
}

/* What has inertia stays the same: it decides what a step is. */
static dal_status set_branch(dal_sim *s, int flag, double value)
{
    const dal_status bad = events_set(s, flag, value);
    return bad || stepper_keeps_inertia(events_run(s)->st, &s->why) ? bad : DAL_SINGULAR;
}

/* On the other side, or on the next stretch. */
static dal_status leave_branch(dal_sim *s, int k)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const double flag = s->val.parameter[e->flag], phi = x->try.asked[e->asked];
    x->past.switched++;
    return set_branch(s, e->flag, !e->counts ? -flag : phi - flag > 0.5 ? flag + 1 : flag - 1);
}

/* Branches that f tells to be left, beside roundoff; true: some were. */
static bool take_branches(dal_sim *s)
{
    events *x = s->events;
    bool    any = false;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_SWITCH || !(x->try.f[k] < -x->grain[k])) continue;
        s->val.parameter[e->flag] = switch_flag(e, x->try.asked[e->asked]), any = true;
    }
    return any;
}

/* Branches that a jump has left, and those that hold another that was left. */
static dal_status follow_branches(dal_sim *s)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    events_read(s, &x->try);
    for (int round = 0; round <= x->count && !bad && take_branches(s); round++) {
        bad = events_refresh(s);
        events_read(s, &x->try);
    }
    return bad;
}

static dal_status happen(dal_sim *s, int k)
{
    events    *x = s->events;
    const int  of = k % x->count;
    dal_status bad = DAL_OK;
    events_read(s, &x->try);
    const event *e = &x->at[of];
    if (e->row < 0 && x->is_true[of]) return x->is_true[of] = 0, DAL_OK; /* it holds no longer */
    if (e->kind == EVENT_SWITCH) bad = leave_branch(s, of);
    else if (e->kind == EVENT_WHEN || e->kind == EVENT_STOP) bad = fire_all(s, of);
    else if (e->kind == EVENT_CONTACT && k < x->count && !x->closed[e->row])
        bad = events_impacts(s);
    if (!bad) bad = follow_branches(s);
    if (bad || x->stopped) return bad;
    const int row = e->row < 0 ? -1 : k < x->count ? e->row : e->row + 1;
    return events_settle(s, row >= 0 && x->closed[row] ? row : -1);
}

/* A step. -------------------------------------------------------------------------------------- */

/* Conditions that hold no longer. */
static void rearm(events *x, const event_values *at)
{
    for (int k = 0; k < x->count; k++)
        if ((x->at[k].kind == EVENT_WHEN || x->at[k].kind == EVENT_STOP) &&
            at->asked[x->at[k].asked] < 0)
            x->is_true[k] = 0;
}

static bool not_finite(dal_sim *s, const event_values *at)
{
    const events *x = s->events;
    for (int k = 0; k < x->count; k++) {
        const bool asks = x->at[k].row < 0; /* also while its condition holds */
        if (!isnan(at->f[k]) && !(asks && isnan(at->asked[x->at[k].asked]))) continue;
        s->events->blamed = x->at[k].at;
        text_printf(&s->why,
                    "the function of an event is not finite at t = %.10g: ", events_run(s)->t);
        model_name(s->md, MEMBER_EVENT, k, &s->why);
        return true;
    }
    return false;
}

/* Sliding friction of contacts takes their reactions within the step. */
static bool slides(const dal_sim *s)
{
    const events *x = s->events;
    for (int k = 0; k < x->count; k++)
        if (x->at[k].rubs && x->closed[x->at[k].row] && !x->closed[x->at[k].row + 1]) return true;
    return false;
}

/* What is read of closed rows by outputs and by friction. */
static void tell_reactions(dal_sim *s)
{
    events *x = s->events;
    bool    changed = slides(s);
    for (int r = 0; r < x->rows; r++) {
        double *to = &s->val.parameter[reaction_parameter(s->md, r)];
        changed |= *to != x->end.reaction[r], *to = x->end.reaction[r];
    }
    if (changed) bound_refresh(s->bound);
}

static dal_status too_many(dal_sim *s, int which)
{
    const events *x = s->events;
    const event  *e = &x->at[which % x->count];
    s->events->blamed = e->at;
    text_printf(&s->why,
                "more than %d times within one step, at t = %.10g at last: ", EVENTS_IN_STEP,
                events_run(s)->t);
    model_name(s->md, MEMBER_EVENT, (int)(e - x->at), &s->why);
    if (e->kind == EVENT_SWITCH)
        text_add(&s->why,
                 ": both branches lead back to where they meet; dry friction that holds is "
                 "written with 'friction'");
    else if (e->kind == EVENT_WHEN)
        text_add(&s->why, "; what it changes must make it false, and for a while");
    return DAL_DIVERGED;
}

/* A contact that is struck without end. */
static bool is_struck(const events *x, int which)
{
    return which < x->count && x->at[which].kind == EVENT_CONTACT && !x->closed[x->at[which].row] &&
           x->met[which] < 2 * EVENTS_IN_STEP;
}

static dal_status end_impacts(dal_sim *s)
{
    dal_status bad = events_impacts(s);
    if (!bad) bad = events_collapse(s, 1e-3);
    return bad ? bad : events_settle(s, -1);
}

/* Sliding friction of contacts. ---------------------------------------------------------------- */

/*     N = (N0 + N1)/2, the mean of the reactions at both ends; how much it changed */
static double take_normals(dal_sim *s, const double *N0, const double *N1)
{
    const events *x = s->events;
    double        by = 0, size = 0;
    for (int k = 0; k < x->count; k++) {
        const int row = x->at[k].row;
        if (!x->at[k].rubs || !x->closed[row]) continue;
        double      *to = &s->val.parameter[reaction_parameter(s->md, row)];
        const double N = (N0[row] + N1[row]) / 2;
        by = fmax(by, fabs(N - *to)), size = fmax(size, fabs(N));
        *to = N;
    }
    return size > 0 ? by / size : by;
}

/* Does this one slide in two directions? */
static bool slides_freely(const events *x, int k)
{
    const event *e = &x->at[k];
    return e->rubs == 2 && x->closed[e->row] && !x->closed[e->row + 1];
}

static double *direction_at(dal_sim *s, int k, int i)
{
    return &s->val.parameter[slip_parameter(s->md, s->events->at[k].row + 1 + i)];
}

/* From where the step begins, with the parameters as they are now. */
static dal_status step_again(dal_sim *s, double h)
{
    dal_status bad = events_renew(s);
    if (!bad) bad = events_along(s, h);
    if (!bad) events_read(s, &s->events->end);
    return bad;
}

/*     m = (s0 + s1)/2, the mean velocity of slip */
static void mean_slip(const events *x, int k, double m[2])
{
    const int row = x->at[k].row + 1;
    for (int i = 0; i < 2; i++) m[i] = (x->begin.rate[row + i] + x->end.rate[row + i]) / 2;
}

/* Directions d as they are where the step begins, and m of a step without friction. */
static dal_status begin_directions(dal_sim *s, double h)
{
    events    *x = s->events;
    bool       any = false;
    dal_status bad = DAL_OK;
    for (int k = 0; k < x->count; k++) {
        if (!slides_freely(x, k)) continue;
        const double *rate = &x->begin.rate[x->at[k].row + 1], speed = hypot(rate[0], rate[1]);
        const double  slow = events_slow(s, x->at[k].row + 1);
        for (int i = 0; i < 2; i++) {
            if (speed > slow) *direction_at(s, k, i) = rate[i] / speed;
            x->slip[k].free[i] = *direction_at(s, k, i), *direction_at(s, k, i) = 0;
        }
        any = true, x->slip[k].passes = false, x->slip[k].ease = -1;
    }
    if (any) bad = step_again(s, h);
    for (int k = 0; k < x->count && any && !bad; k++) {
        if (!slides_freely(x, k)) continue;
        double m[2];
        mean_slip(x, k, m);
        for (int i = 0; i < 2; i++)
            *direction_at(s, k, i) = x->slip[k].free[i], x->slip[k].free[i] = m[i];
    }
    return bad;
}

/*     d = (m + r d)/|m + r d|:  d lies along m, where r = |dm/dd| makes a short way of it
 * A slip that ends within the step has the direction in which it began, and so have all where they
 * would go on turning each other. How much d changed. */
static double take_direction(dal_sim *s, int k)
{
    events       *x = s->events;
    event_slip   *of = &x->slip[k];
    const int     row = x->at[k].row + 1;
    const double *s0 = &x->begin.rate[row], *s1 = &x->end.rate[row], speed = hypot(s0[0], s0[1]);
    double        m[2], d[2], by[2];
    mean_slip(x, k, m);
    for (int i = 0; i < 2; i++) d[i] = *direction_at(s, k, i);
    if (of->ease < 0) of->ease = hypot(m[0] - of->free[0], m[1] - of->free[1]);
    const bool moves = speed > events_slow(s, row);
    of->passes |= moves && s0[0] * s1[0] + s0[1] * s1[1] <= 0;
    if (of->passes && !moves) return 0;
    for (int i = 0; i < 2; i++) by[i] = of->passes ? s0[i] : m[i] + of->ease * d[i];
    const double size = hypot(by[0], by[1]), scale = x->speed[row] + x->speed[row + 1];
    if (!(size > events_slow(s, row))) return 0;
    for (int i = 0; i < 2; i++) *direction_at(s, k, i) = by[i] / size;
    return hypot(by[0] / size - d[0], by[1] / size - d[1]) * fmin(1, size / scale);
}

static double take_directions(dal_sim *s, int round)
{
    enum { PATIENCE = 12, ENOUGH = 48 };
    events *x = s->events;
    double  by = 0;
    for (int k = 0; k < x->count; k++) {
        if (!slides_freely(x, k)) continue;
        x->slip[k].passes |= round >= ENOUGH;
        by = fmax(by, take_direction(s, k));
        if (round % PATIENCE == PATIENCE - 1) x->slip[k].ease *= 2;
    }
    return by;
}

/* A step whose friction is mu N against the slip, with N and the slip of its own ends: repeated
 * until they agree. Of order 2 where N or the direction varies. */
static dal_status slide(dal_sim *s, double h, double *work)
{
    enum { MOST = 100 };
    static const double ROUNDOFF = 1e-14;
    events             *x = s->events;
    double              by = HUGE_VAL;
    take_normals(s, x->begin.reaction, x->begin.reaction);
    dal_status bad = begin_directions(s, h);
    for (int k = 0; k < MOST && by > ROUNDOFF && !bad; k++) {
        bad = step_again(s, h);
        if (bad) break;
        by = take_normals(s, x->begin.reaction, x->end.reaction);
        by = fmax(by, take_directions(s, k));
    }
    events_again(s, &x->begin);
    *work = stepper_work(events_run(s)->st);
    if (bad || by <= ROUNDOFF) return bad;
    text_add(&s->why, "friction and reaction of a contact that slides do not settle: it jams");
    return DAL_DIVERGED;
}

/* Branches that meet. -------------------------------------------------------------------------- */

/* Both lead back to where they meet: the factor lies between both signs from now on. */
static bool catch (dal_sim *s, int k)
{
    events *x = s->events;
    if (k >= x->count || !x->at[k].blends || x->caught[k]) return false;
    x->caught[k] = 1, x->catches = true;
    return true;
}

/* phi at the end of a step with this factor. */
static dal_status end_with(dal_sim *s, int k, double factor, double h, double *phi)
{
    events *x = s->events;
    s->val.parameter[x->at[k].flag] = factor;
    dal_status bad = events_renew(s);
    if (!bad) bad = events_along(s, h);
    if (!bad) events_read(s, &x->end), *phi = x->end.asked[x->at[k].asked];
    return bad;
}

/* The factor s with which phi is 0 where the step ends, by secants from both signs; a branch that
 * leads away from there is taken. */
static dal_status hold_one(dal_sim *s, int k, double h)
{
    enum { MOST = 60 };
    events    *x = s->events;
    double     a = -1, b = 1, fa, fb;
    dal_status bad = end_with(s, k, a, h, &fa);
    if (!bad) bad = end_with(s, k, b, h, &fb);
    if (bad) return bad;
    if (!(fa > 0 && fb < 0)) { /* on the side where it is, it stays */
        x->caught[k] = 0;
        return end_with(s, k, fb > 0 ? 1 : -1, h, &fb);
    }
    const double size = fa - fb;
    for (int i = 0; i < MOST && !bad; i++) {
        double       f = 0;
        const double c = i % 3 == 2 ? (a + b) / 2 : a + (b - a) * fa / (fa - fb);
        bad = end_with(s, k, c, h, &f);
        if (fabs(f) <= 8 * DBL_EPSILON * size || b - a <= 4 * DBL_EPSILON) break;
        if (f > 0) a = c, fa = f;
        else b = c, fb = f;
    }
    return bad;
}

/* Several, one after the other, until none moves another. */
static dal_status hold(dal_sim *s, double h, double *work)
{
    enum { ROUNDS = 50 };
    events    *x = s->events;
    dal_status bad = DAL_OK;
    int        held = 0;
    for (int round = 0; round < ROUNDS && !bad; round++) {
        held = 0;
        for (int k = 0; k < x->count && !bad; k++)
            if (x->caught[k]) bad = hold_one(s, k, h), held++;
        if (held < 2) break;
    }
    x->catches = held > 0;
    *work = stepper_work(events_run(s)->st);
    return bad;
}

dal_status events_step(dal_sim *s, double *work)
{
    events      *x = s->events;
    const double end = s->plan.from + (double)(s->k + 1) * s->plan.h;
    dal_status   bad = DAL_OK;
    memset(x->met, 0, 2 * (size_t)x->count);
    x->broken = x->catches || slides(s);
    for (int made = 0;; made++) {
        dal_sim     *run = events_run(s);
        const double left = end - run->t;
        int          which;
        double       theta;
        if (!(left > 4 * DBL_EPSILON * (fabs(end) + fabs(s->plan.h)))) break;
        events_keep(s);
        events_read(s, &x->begin);
        const double      before = reading_energy(run);
        const steps_asked one = {.from = run->t, .h = made ? left : s->plan.h, .count = 1};
        steps_made        out = {0};
        bad = x->catches  ? hold(s, one.h, &out.work)
              : slides(s) ? slide(s, one.h, &out.work)
                          : stepper_advance(run->st, &one, &out, &s->why);
        if (bad == DAL_SINGULAR && events_is_no_time(s, one.h)) bad = events_along(s, one.h);
        if (bad) return bad;
        events_arrive(run, end);
        bad = events_first(s, one.h, &which, &theta);
        if (!bad && not_finite(s, &x->end)) bad = DAL_DIVERGED;
        if (bad) return events_along(s, 0), bad;
        const double done = which < 0 ? out.work : theta > 0 ? stepper_work(run->st) : 0;
        *work += done;
        if (run != s && x->sys->rheonomic) defect_jump(s, reading_energy(run) - before - done);
        if (which < 0) {
            rearm(x, &x->end);
            break;
        }
        if (++x->met[which] > EVENTS_IN_STEP) {
            if (is_struck(x, which)) bad = end_impacts(s);
            else if (!catch (s, which)) return too_many(s, which);
            else bad = events_along(s, 0);
            if (bad) return bad;
            continue;
        }
        const double energy = reading_energy(run);
        x->broken = true;
        bad = happen(s, which);
        if (bad) return bad;
        defect_jump(s, reading_energy(events_run(s)) - energy);
        if (x->stopped) break;
    }
    s->t = x->stopped ? events_run(s)->t : end;
    s->k++;
    if (!x->stopped) events_arrive(events_run(s), end);
    events_read(s, &x->end);
    if (events_part(s, &x->end)) {
        bad = events_enter(s);
        if (bad) return bad;
        events_read(s, &x->end);
    }
    tell_reactions(s);
    events_show(s);
    return DAL_OK;
}

/* What a method does not locate branches with; NULL: it does. */
static const char *passes_over(const plan *p, const request *r)
{
    return p->method.principle == ENERGY           ? "principle = energy"
           : p->h < 0                              ? "steps back in time"
           : p->method.momentum == MOMENTUM_PAPERS ? "momentum = papers"
           : p->joined >= FORCES                   ? "interconnection = forces"
           : p->pace.given                         ? "a pace"
           : p->exponents                          ? "Lyapunov exponents"
           : p->times.every != 0 || p->times.count ? "record = times"
           : r->ledger                             ? "a ledger"
                                                   : NULL;
}

/* Each is located by itself: of very many that is not what a large system is for. */
enum { SWITCHES_MOST = 64 };

const char *events_passed(const plan *p, const request *r, long count)
{
    if (!p->located) return "";
    if (p->insists_located) return NULL;
    return count > SWITCHES_MOST ? "so many of them (switches = located does)" : passes_over(p, r);
}

const subject *events_subject(dal_sim *s, const subject *of, const request *r)
{
    const long  count = of->md ? model_switches(&s->m, of->md) : 0;
    const char *passed = events_passed(&s->plan, r, count);
    if (!count || (passed && !*passed)) return of;
    if (passed) {
        diag_note(s->ds, span_none(), NULL,
                  "branches are not located with %s: steps pass over them", passed);
        return of;
    }
    const model *md = model_frozen(&s->m, of->md);
    if (md == of->md) return of;
    subject *as = mem_array(&s->m, 1, subject);
    *as = *of;
    as->md = s->md = md;
    as->compiled = compile(&s->m, md);
    solved_forms_new(&s->m, md, as->solved);
    double *all = mem_array(&s->m, md->parameters + 1, double);
    for (int i = 0; i < of->md->parameters; i++) all[i] = s->val.parameter[i];
    s->val.parameter = all;
    model_begin_branches(&s->m, md, s->plan.from, &s->val);
    return as;
}

/* Opening. ------------------------------------------------------------------------------------- */

/* Branches, resets, impacts and rows at the start. */
static dal_status begin(dal_sim *s)
{
    events    *x = s->events;
    dal_status bad = follow_branches(s);
    events_read(s, &x->begin);
    if (!bad) bad = judge_numbers(s);
    if (bad) return bad;
    bad = fire_all(s, -1);
    if (!bad) bad = events_impacts(s);
    if (!bad) bad = follow_branches(s);
    if (!bad) bad = events_settle(s, -1);
    if (bad)
        return diag_error(s->ds, bad, x->blamed.of ? x->blamed : x->at[0].at, NULL, "%s",
                          text_str(&s->why));
    events_read(s, &x->end);
    tell_reactions(s);
    events_show(s);
    s->now.have = 0;
    return DAL_OK;
}

dal_status events_open(dal_sim *s, const request *r)
{
    if (!s->md || !s->md->event.n) return DAL_OK;
    events *x = s->events = mem_array(&s->m, 1, events);
    x->count = s->md->event.n, x->rows = s->md->event_row.n, x->at = s->md->event.at;
    dal_status bad = suits(s, r);
    if (bad) return bad;
    x->known.asked = events_request(&s->m, r);
    make_system(s, x);
    make_room(s, x);
    x->grain = mem_array(&s->m, x->count + 1, double);
    x->caught = mem_array(&s->m, x->count + 1, unsigned char);
    x->met = mem_array(&s->m, 2 * x->count + 1, unsigned char);
    return begin(s);
}

span events_place(const dal_sim *s)
{
    return s->events ? s->events->blamed : span_none();
}

const dal_event *events_list(dal_sim *s, size_t *count)
{
    static const char *const what[] = {"hits", "closes", "opens", "fires"};
    events                  *x = s->events;
    *count = x ? (size_t)x->past.log.n : 0;
    for (int k = x ? x->past.told.n : 0; x && k < x->past.log.n; k++) {
        const event_record *r = &x->past.log.at[k];
        vec_push(&s->m, x->past.told,
                 ((dal_event){r->t, name_of(s, r->event), what[r->how], r->impulse, r->energy}));
    }
    return x ? x->past.told.at : NULL;
}

void events_end(dal_sim *s)
{
    if (!s->events) return;
    for (int i = 0; i < s->events->known.at.n; i++) simulation_end(s->events->known.at.at[i]->run);
    s->events = NULL;
}
