/* event_step.c - a step with events: up to the first, what it changes, and the rest of the step. */
#include "mech/stepper/stepper.h"
#include "model/closed.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static dal_status happen(dal_sim *s, int k)
{
    events    *x = s->events;
    const int  of = k % x->count;
    dal_status bad = DAL_OK;
    events_read(s, &x->try);
    const event *e = &x->at[of];
    if (e->row < 0 && x->is_true[of]) return x->is_true[of] = 0, DAL_OK; /* it holds no longer */
    if (e->kind == EVENT_SWITCH) bad = events_leave(s, of);
    else if (e->kind == EVENT_WHEN || e->kind == EVENT_STOP) bad = events_fire(s, of);
    else if (e->kind == EVENT_CONTACT && k < x->count && !x->closed[e->row])
        bad = events_impacts(s);
    if (!bad) bad = events_follow(s);
    if (bad || x->stopped) return bad;
    const int row = e->row < 0 ? -1 : k < x->count ? e->row : e->row + 1;
    return events_settle(s, row >= 0 && x->closed[row] ? row : -1);
}

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

/* What is read of closed rows by outputs and by friction. */
void events_tell(dal_sim *s)
{
    events *x = s->events;
    bool    changed = events_slides(s);
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

/* What has kept a step busy: what happened most often in it, or what is held or slides. */
static int busiest(const events *x)
{
    int which = -1, most = 0;
    for (int k = 0; k < 2 * x->count; k++)
        if (x->met[k] > most) most = x->met[k], which = k % x->count;
    for (int k = 0; k < x->count && which < 0; k++)
        if (x->caught[k] || (x->at[k].rubs && x->closed[x->at[k].row])) which = k;
    return which < 0 ? 0 : which;
}

dal_status events_spend(dal_sim *s)
{
    events    *x = s->events;
    const long most = (1L + x->count) * SOLVES_IN_STEP;
    if (++x->solves <= most) return DAL_OK;
    const int k = busiest(x);
    x->blamed = x->at[k].at;
    text_clear(&s->why);
    text_printf(&s->why, "more than %ld solves within one step, at t = %.10g at last, for ", most,
                events_run(s)->t);
    model_name(s->md, MEMBER_EVENT, k, &s->why);
    text_printf(&s->why, ", which happened %d times in it: take a shorter step", x->met[k]);
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

dal_status events_step(dal_sim *s, double *work)
{
    events      *x = s->events;
    const double end = s->plan.from + (double)(s->k + 1) * s->plan.h;
    dal_status   bad = DAL_OK;
    memset(x->met, 0, 2 * (size_t)x->count);
    x->solves = 0;
    x->broken = x->catches || events_slides(s);
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
        bad = x->catches         ? events_hold(s, one.h, &out.work)
              : events_slides(s) ? events_slide(s, one.h, &out.work)
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
            else if (!events_catch(s, which)) return too_many(s, which);
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
    events_tell(s);
    events_show(s);
    return DAL_OK;
}
