/* event_meet.c - branches that both lead back to where they meet: the factor between both signs
 * that holds the motion there,
 *
 *     phi(t1, q1(s), v1(s)) = 0,   -1 < s < 1                                theory.md [EVENTS] */
#include "mech/stepper/stepper.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>

/* Both lead back to where they meet: the factor lies between both signs from now on. */
bool events_catch(dal_sim *s, int k)
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

/* All once, one after the other; by how much their factors change, and how many there are. */
static dal_status hold_all(dal_sim *s, double h, double *by, int *held)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    *held = 0, *by = 0;
    for (int k = 0; k < x->count && !bad; k++) {
        if (!x->caught[k]) continue;
        const double *factor = &s->val.parameter[x->at[k].flag], before = *factor;
        bad = hold_one(s, k, h);
        *by = fmax(*by, fabs(*factor - before)), ++*held;
    }
    return bad;
}

/* Several, until none moves another. */
dal_status events_hold(dal_sim *s, double h, double *work)
{
    enum { ROUNDS = 50 };
    static const double SETTLED = 1e-14, LOST = 1e-6;
    events             *x = s->events;
    double              by = HUGE_VAL;
    dal_status          bad = DAL_OK;
    int                 held = 2;
    for (int k = 0; k < ROUNDS && held > 1 && by > SETTLED && !bad; k++)
        bad = hold_all(s, h, &by, &held);
    x->catches = held > 0;
    *work = stepper_work(events_run(s)->st);
    if (bad || held < 2 || by <= LOST) return bad;
    text_add(&s->why, "branches that meet, and hold the motion there, do not settle");
    return DAL_DIVERGED;
}
