/* event_settle.c - which rows hold from this state on. A contact closes if its next flight would be
 * shorter than a thousandth of a step; a row of velocities and friction where their rate is 0; and
 * all open again whose reaction would pull, or exceeds its limit.           theory.md [EVENTS] */
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SHORT = 1e-3; /* of a step: a flight that is none */

/* Beside what the row and its rate have been so far. */
double events_near(const dal_sim *s, int row)
{
    const events *x = s->events;
    return 1e-9 * x->speed[row] * fabs(s->plan.h) + 1e-12 * x->reach[row];
}

double events_slow(const dal_sim *s, int row)
{
    const events *x = s->events;
    return 1e-10 * x->speed[row] + 1e-12 * x->reach[row] / fabs(s->plan.h);
}

/* Beside the force that would stop all within a step. */
double events_pull(const dal_sim *s)
{
    const double *p = events_p(s);
    double        most = 0;
    for (int i = 0; i < s->sys->n; i++) most = fmax(most, fabs(p[i]));
    return 1e-13 * most / fabs(s->plan.h);
}

void events_note(dal_sim *s, int which, double impulse, double energy, event_change how)
{
    events *x = s->events;
    vec_push(&s->m, x->log, ((event_record){events_run(s)->t, which, how, impulse, energy}));
}

/* Contacts that touch and do not leave: a short step ahead shows whether they come back. */
static dal_status short_flights(dal_sim *s, unsigned char *back)
{
    events *x = s->events;
    bool    any = false;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        back[k] = e->kind == EVENT_CONTACT && !x->closed[e->row] && !x->refused[e->row] &&
                  x->try.row[e->row] <= events_near(s, e->row);
        any |= back[k];
    }
    if (!any) return DAL_OK;
    events_keep(s);
    const dal_status bad = events_along(s, SHORT * s->plan.h);
    if (bad) return bad;
    events_read(s, &x->end);
    for (int k = 0; k < x->count; k++) {
        const int row = x->at[k].row;
        if (back[k]) back[k] = x->end.row[row] < -4 * x->end.rest[row] - DBL_MIN;
    }
    const dal_status again = events_along(s, 0);
    events_read(s, &x->try);
    return again;
}

/* The rate of a row that closes becomes 0, by an impulse if it is not. */
static dal_status stop(dal_sim *s, int k, int row)
{
    events      *x = s->events;
    double       impulse = 0;
    const double energy = reading_energy(events_run(s));
    dal_status   bad = DAL_OK;
    if (fabs(x->try.rate[row]) > DBL_EPSILON * x->speed[row])
        bad = events_strike(s, row, 0, &impulse);
    x->closed[row] = 1;
    if (!bad) events_note(s, k, impulse, reading_energy(events_run(s)) - energy, EVENT_CLOSES);
    return bad;
}

/* Slips in the direction of its rate; sticks, if it can, where that is 0. */
static dal_status try_friction(dal_sim *s, int k, int row, bool *changed)
{
    events      *x = s->events;
    const int    flag = slip_parameter(s->md, row);
    const double rate = x->try.rate[row];
    if (x->closed[row] || x->refused[row]) return DAL_OK;
    if (fabs(rate) > events_slow(s, row)) {
        const double sign = rate > 0 ? 1 : -1;
        if (s->val.parameter[flag] == sign) return DAL_OK;
        *changed = true;
        return events_set(s, flag, sign);
    }
    *changed = true;
    s->val.parameter[flag] = 0;
    return stop(s, k, row);
}

static dal_status close_rows(dal_sim *s, unsigned char *back, bool *changed)
{
    events    *x = s->events;
    dal_status bad = short_flights(s, back);
    for (int k = 0; k < x->count && !bad; k++) {
        const event *e = &x->at[k];
        const int    row = e->row;
        if (row < 0) continue;
        if (e->kind == EVENT_CONTACT && back[k]) bad = stop(s, k, row), *changed = true;
        else if (e->kind == EVENT_ONE_SIDED && !x->closed[row] && !x->refused[row] &&
                 x->try.rate[row] <= events_slow(s, row))
            bad = stop(s, k, row), *changed = true;
        else if (e->kind == EVENT_FRICTION) bad = try_friction(s, k, row, changed);
        if (!bad && e->rubs && x->closed[row]) bad = try_friction(s, k, row + 1, changed);
        if (*changed && !bad) events_read(s, &x->try);
    }
    return bad;
}

/* A row opens; friction then slips against its reaction. */
static void open_row(dal_sim *s, int k, int row)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const bool   slips = e->kind == EVENT_FRICTION || row != e->row;
    x->closed[row] = 0, x->refused[row] = 1;
    if (slips) s->val.parameter[slip_parameter(s->md, row)] = x->try.reaction[row] > 0 ? -1 : 1;
    else if (e->rubs) {
        x->closed[row + 1] = 0;
        s->val.parameter[slip_parameter(s->md, row + 1)] = 0;
        s->val.parameter[reaction_parameter(s->md, row)] = 0;
    }
    /* what closed at this very instant has not changed */
    const event_record *last = x->log.n ? &x->log.at[x->log.n - 1] : NULL;
    if (last && last->event == k && last->how == EVENT_CLOSES && last->t == events_run(s)->t)
        x->log.n--;
    else events_note(s, k, 0, 0, EVENT_OPENS);
}

/* The one that is worst, beside what reactions are: f < 0 of closed rows. -1: none. */
static int worst_row(const dal_sim *s)
{
    const events *x = s->events;
    int           which = -1;
    double        largest = 0, worst = 0;
    for (int r = 0; r < x->rows; r++) largest = fmax(largest, fabs(x->try.reaction[r]));
    worst = -1e-12 * largest - events_pull(s);
    for (int k = 0; k < 2 * x->count; k++) {
        const event *e = &x->at[k % x->count];
        const int    row = k < x->count ? e->row : e->row + 1;
        if (e->row < 0 || (k >= x->count && !e->rubs) || !x->closed[row]) continue;
        if (x->try.f[k] < worst) worst = x->try.f[k], which = k;
    }
    return which;
}

dal_status events_settle(dal_sim *s, int opens)
{
    enum { MOST = 200 };
    events    *x = s->events;
    dal_status bad = DAL_OK;
    if (!x->rows) return DAL_OK;
    memset(x->refused, 0, (size_t)x->rows);
    if (opens >= 0) {
        events_read(s, &x->try);
        open_row(s, x->of_row[opens], opens);
        bad = events_enter(s);
    }
    for (int round = 0; round < MOST && !bad; round++) {
        bool changed = false;
        events_read(s, &x->try);
        bad = close_rows(s, x->back, &changed);
        if (!bad && changed) bad = events_enter(s);
        if (bad) return bad;
        events_read(s, &x->try);
        const int k = worst_row(s);
        if (k >= 0) {
            const event *e = &x->at[k % x->count];
            open_row(s, k % x->count, k < x->count ? e->row : e->row + 1);
            bad = events_enter(s);
        } else if (!changed) return DAL_OK;
    }
    return bad;
}
