/* event_slide.c - a step along which contacts slide: the force is -mu N d, with N and d of both
 * ends of the step itself.                                                       theory.md [EVENTS]
 */
#include "mech/stepper/stepper.h"
#include "model/closed.h"
#include "run/events.h"
#include "run/simulation.h"

#include <math.h>

/* Sliding friction of contacts takes their reactions within the step. */
bool events_slides(const dal_sim *s)
{
    const events *x = s->events;
    for (int k = 0; k < x->count; k++)
        if (x->at[k].rubs && x->closed[x->at[k].row] && !x->closed[x->at[k].row + 1]) return true;
    return false;
}

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
dal_status events_slide(dal_sim *s, double h, double *work)
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
