/* events.c - those of a run: room for them, what they do not go with, what cannot be at the start,
 * and the list of what has happened.                                         theory.md [EVENTS] */
#include "run/events.h"

#include "model/closed.h"
#include "model/turning.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

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
        return refuse(s, "principle = energy",
                      "take principle = dirac+: energy chooses the length of each step");
    if (p->h < 0) return refuse(s, "steps back in time", "run forwards: impacts have no inverse");
    if (p->method.momentum == MOMENTUM_PAPERS)
        return refuse(s, "momentum = papers",
                      "leave it out: these momenta are those of steps of one length");
    if (s->joint)
        return refuse(s, "interconnection = forces",
                      "take multipliers: what an event changes has to respect all relations");
    if (s->pace)
        return refuse(s, "a pace",
                      "take steps of one length: events divide steps in t, not in tau");
    if (p->exponents)
        return refuse(s, "Lyapunov exponents", "leave them out: tangents would pass over events");
    if (r->ledger)
        return refuse(s, "a ledger", "leave it out: it books powers, and impacts have none");
    if (p->times.every != 0 || p->times.count)
        return refuse(s, "record = times",
                      "take record = every 1: a step aside would pass over events");
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

/* Branches, resets, impacts and rows at the start. */
static dal_status begin(dal_sim *s)
{
    events    *x = s->events;
    dal_status bad = events_follow(s);
    events_read(s, &x->begin);
    if (!bad) bad = judge_numbers(s);
    if (bad) return bad;
    bad = events_fire(s, -1);
    if (!bad) bad = events_impacts(s);
    if (!bad) bad = events_follow(s);
    if (!bad) bad = events_settle(s, -1);
    if (bad)
        return diag_error(s->ds, bad, x->blamed.of ? x->blamed : x->at[0].at, NULL, "%s",
                          text_str(&s->why));
    events_read(s, &x->end);
    events_tell(s);
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
    static const char *const what[] = {
        [EVENT_HITS] = "hits",   [EVENT_CLOSES] = "closes", [EVENT_OPENS] = "opens",
        [EVENT_FIRES] = "fires", [EVENT_STICKS] = "sticks", [EVENT_SLIPS] = "slips"};
    events *x = s->events;
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
