/* extend.c - a new end for a run that has begun. No step depends on where the run ends, so the
 * motion is that of a run with this end from the beginning. */
#include "run/simulation.h"

#include <math.h>

static dal_status wrong(dal_sim *s, const source *of, const char *what)
{
    return diag_error(s->ds, DAL_INVALID, source_span(of), NULL, "%s", what);
}

static dal_status too_early(dal_sim *s, const source *of)
{
    return diag_error(s->ds, DAL_INVALID, source_span(of), NULL,
                      "the run is at step %ld, t = %.10g already: a later end is needed", s->k,
                      s->t);
}

/* A row off the grid of rows was written since the run ended there. */
static bool has_spare_row(const dal_sim *s, long steps)
{
    const long every = s->plan.record;
    if (s->times && s->times->exact == s->k) return false;
    if (pace_is_beyond(s) || (s->times && s->times->own)) /* within a step that follows a pace */
        return s->recorded == s->k;
    return s->recorded == s->k && s->k > 0 && s->k < steps && (!every || s->k % every);
}

/* Counted from the beginning of the run, not from now. */
static dal_status by_steps(dal_sim *s, const source *of, plan *p)
{
    double n;
    if (!text_is_number(of->text, &n) || n != floor(n) || !(n >= 0) || !(n <= 1e15))
        return wrong(s, of, "the number of steps from the beginning is needed here");
    p->steps = (long)n, p->timed = p->by_time = false;
    return DAL_OK;
}

/* Behind the beginning, in the direction in which the run goes. */
static dal_status by_time(dal_sim *s, const source *of, plan *p)
{
    double until;
    if (!text_is_number(of->text, &until) || !isfinite(until))
        return wrong(s, of, "a time is needed here");
    if ((until - p->from) / p->h < 0)
        return wrong(s, of, "the run goes in the other direction of time");
    return plan_until(p, until, source_span(of), s->ds);
}

/* How far it has got, in steps or, where they choose their length, in time. */
static bool is_past(const dal_sim *s, const plan *p)
{
    if (!p->timed) return s->k > p->steps;
    return (p->h < 0 ? p->until - s->t : s->t - p->until) > fabs(p->h);
}

/* Nothing is changed where the new end is refused. */
dal_status simulation_extend(dal_sim *s, bool time, const source *of, bool *spare)
{
    plan       moved = s->plan;
    dal_status bad = time ? by_time(s, of, &moved) : by_steps(s, of, &moved);
    if (bad) return bad;
    if (is_past(s, &moved)) return too_early(s, of);
    *spare = has_spare_row(s, moved.timed ? s->k + 1 : moved.steps);
    if (*spare) s->recorded = -1;
    s->plan = moved;
    return DAL_OK;
}
