/* event_reset.c - conditions that have become true, and what they change, all at once from what was
 * before:
 *
 *     x, x', p, numbers  <-  values,   the rest of the state as at a start     theory.md [EVENTS]
 */
#include "mech/start/start.h"
#include "run/events.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

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
dal_status events_fire(dal_sim *s, int first)
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
