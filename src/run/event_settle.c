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
    vec_push(&s->m, x->past.log, ((event_record){events_run(s)->t, which, how, impulse, energy}));
}

/* May it have to close? A contact that touches; a row of velocities whose rate is 0, or less. */
static bool may_close(const dal_sim *s, const event *e)
{
    const events *x = s->events;
    const int     row = e->row;
    if (row < 0 || x->closed[row] || x->refused[row]) return false;
    if (e->kind == EVENT_CONTACT) /* one that approaches is an impact */
        return x->try.row[row] <= events_near(s, row) && x->try.rate[row] >= -events_slow(s, row);
    return e->kind == EVENT_ONE_SIDED && x->try.rate[row] <= events_slow(s, row);
}

/* Does a short step lead to the other side? */
static bool comes_back(const dal_sim *s, const event *e)
{
    const events *x = s->events;
    const int     row = e->row;
    const bool    leads_back = x->end.row[row] < -4 * x->end.rest[row] - DBL_MIN;
    return leads_back || (e->kind == EVENT_ONE_SIDED && x->try.rate[row] < -events_slow(s, row));
}

/* A short step ahead shows which rows have to close; where there is none, since too little is held,
 * all do that may. */
static dal_status short_flights(dal_sim *s, unsigned char *back)
{
    events *x = s->events;
    bool    any = false;
    for (int k = 0; k < x->count; k++) back[k] = may_close(s, &x->at[k]), any |= back[k];
    if (!any) return DAL_OK;
    events_keep(s);
    const dal_status bad = events_along(s, SHORT * s->plan.h);
    if (bad) text_clear(&s->why);
    else {
        events_read(s, &x->end);
        for (int k = 0; k < x->count; k++) back[k] = back[k] && comes_back(s, &x->at[k]);
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
    if (!bad)
        events_note(s, k, impulse, reading_energy(events_run(s)) - energy,
                    row == x->at[k].row ? EVENT_CLOSES : EVENT_STICKS);
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

/* Two tangents. -------------------------------------------------------------------------------- */

/* In which direction a contact slips, of length 1; how fast. */
static double direction_of(const dal_sim *s, const event *e, double d[2])
{
    const double *rate = &s->events->try.rate[e->row + 1], speed = hypot(rate[0], rate[1]);
    for (int i = 0; i < 2; i++) d[i] = speed > 0 ? rate[i] / speed : 0;
    return speed;
}

static void set_direction(dal_sim *s, const event *e, double d0, double d1)
{
    s->val.parameter[slip_parameter(s->md, e->row + 1)] = d0;
    s->val.parameter[slip_parameter(s->md, e->row + 2)] = d1;
}

/* A slip that friction would end within a short step ends now: what it does then is the same
 * impulse. */
static dal_status stops_soon(dal_sim *s, const event *e, const double d[2], bool *soon)
{
    events *x = s->events;
    *soon = false;
    set_direction(s, e, d[0], d[1]);
    if (!x->now || !x->now->closed[e->row]) return events_refresh(s);
    s->val.parameter[reaction_parameter(s->md, e->row)] = x->try.reaction[e->row];
    events_keep(s);
    dal_status bad = events_renew(s);
    if (!bad) bad = events_along(s, SHORT * s->plan.h);
    if (bad) return bad;
    events_read(s, &x->end);
    const double *rate = &x->end.rate[e->row + 1];
    *soon = d[0] * rate[0] + d[1] * rate[1] < 0;
    bad = events_along(s, 0);
    events_read(s, &x->try);
    return bad;
}

/* Both rates become 0, by impulses in turn. */
static dal_status stop_both(dal_sim *s, int k)
{
    enum { ROUNDS = 8 };
    events      *x = s->events;
    const int    row = x->at[k].row + 1;
    const double energy = reading_energy(events_run(s));
    double       sum[2] = {0, 0};
    dal_status   bad = DAL_OK;
    for (int i = 0; i < 2 * ROUNDS && !bad; i++) {
        double impulse = 0;
        if (i) events_read(s, &x->try);
        if (fabs(x->try.rate[row + i % 2]) <= DBL_EPSILON * x->speed[row + i % 2]) continue;
        bad = events_strike(s, row + i % 2, 0, &impulse);
        sum[i % 2] += impulse;
    }
    set_direction(s, &x->at[k], 0, 0);
    x->closed[row] = x->closed[row + 1] = 1;
    if (!bad)
        events_note(s, k, hypot(sum[0], sum[1]), reading_energy(events_run(s)) - energy,
                    EVENT_STICKS);
    return bad;
}

/* Slips in the direction of its rates; sticks, if it can, where both are 0. */
static dal_status try_two(dal_sim *s, int k, bool *changed)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const int    row = e->row + 1;
    double       d[2];
    if (x->closed[row] || x->refused[row]) return DAL_OK;
    if (direction_of(s, e, d) > events_slow(s, row) + events_slow(s, row + 1)) {
        static const double ALIKE = 0.5;
        const double        was = d[0] * s->val.parameter[slip_parameter(s->md, row)] +
                           d[1] * s->val.parameter[slip_parameter(s->md, row + 1)];
        bool       soon;
        dal_status bad = stops_soon(s, e, d, &soon);
        if (bad || !soon) return *changed |= was < ALIKE, bad;
    }
    *changed = true;
    return stop_both(s, k);
}

static dal_status close_rows(dal_sim *s, unsigned char *back, bool *changed)
{
    events    *x = s->events;
    dal_status bad = short_flights(s, back);
    for (int k = 0; k < x->count && !bad; k++) {
        const event *e = &x->at[k];
        const int    row = e->row;
        if (row < 0) continue;
        if (back[k]) bad = stop(s, k, row), *changed = true;
        else if (e->kind == EVENT_FRICTION) bad = try_friction(s, k, row, changed);
        if (!bad && e->rubs && x->closed[row] && x->try.asked[e->asked + 1] > 0)
            bad = e->rubs == 1 ? try_friction(s, k, row + 1, changed) : try_two(s, k, changed);
        if (*changed && !bad) events_read(s, &x->try);
    }
    return bad;
}

void events_release(dal_sim *s, const event *contact)
{
    events *x = s->events;
    x->closed[contact->row] = 0;
    s->val.parameter[reaction_parameter(s->md, contact->row)] = 0;
    for (int r = contact->row + 1; r <= contact->row + contact->rubs; r++)
        x->closed[r] = 0, s->val.parameter[slip_parameter(s->md, r)] = 0;
}

/* Friction slips against its reaction. */
static void begin_slip(dal_sim *s, const event *e, int row)
{
    events       *x = s->events;
    const double *by = &x->try.reaction[row];
    x->closed[row] = 0, x->refused[row] = 1;
    if (e->rubs < 2) {
        s->val.parameter[slip_parameter(s->md, row)] = by[0] > 0 ? -1 : 1;
        return;
    }
    const double size = hypot(by[0], by[1]);
    x->closed[row + 1] = 0, x->refused[row + 1] = 1;
    set_direction(s, e, size > 0 ? -by[0] / size : 1, size > 0 ? -by[1] / size : 0);
}

static void open_row(dal_sim *s, int k, int row)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const bool   rubs = row != e->row; /* its contact stays closed */
    if (rubs || e->kind == EVENT_FRICTION) begin_slip(s, e, row);
    else {
        x->closed[row] = 0, x->refused[row] = 1;
        if (e->rubs) events_release(s, e);
    }
    /* what closed at this very instant has not changed */
    const event_record *last = x->past.log.n ? &x->past.log.at[x->past.log.n - 1] : NULL;
    if (last && last->event == k && last->how == (rubs ? EVENT_STICKS : EVENT_CLOSES) &&
        last->t == events_run(s)->t)
        x->past.log.n--;
    else events_note(s, k, 0, 0, rubs ? EVENT_SLIPS : EVENT_OPENS);
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

static dal_status no_rest(dal_sim *s, int which)
{
    events   *x = s->events;
    const int k = which < 0 ? 0 : which % x->count;
    x->blamed = x->at[k].at;
    text_printf(&s->why, "at t = %.10g rows close and open again without end, the last ",
                events_run(s)->t);
    model_name(s->md, MEMBER_EVENT, k, &s->why);
    return DAL_DIVERGED;
}

dal_status events_settle(dal_sim *s, int opens)
{
    enum { MOST = 200 };
    events    *x = s->events;
    dal_status bad = DAL_OK;
    int        last = -1;
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
        last = k;
    }
    return bad ? bad : no_rest(s, last);
}
