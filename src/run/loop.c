/* loop.c - from the present state to the end: steps, rows, diagnostics, and the observer's word
 * after each. */
#include "run/simulation.h"

#include <time.h>

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dal_status watch(dal_sim *s)
{
    monitor_take(s);
    return energy_defined(s);
}

static dal_status record(dal_sim *s, const dal_observer *o)
{
    if (s->recorded == s->k) return DAL_OK;
    dal_status undefined = watch(s);
    if (!undefined) undefined = outputs_defined(s);
    if (undefined) return undefined;
    s->recorded = s->k;
    if (!o || !o->row) return DAL_OK;
    double     begin = now_seconds();
    dal_status bad = o->row(o->self, s);
    s->mon.sum.record_seconds += now_seconds() - begin;
    return bad;
}

/* Steps to the next state that somebody looks at; not so many that an interrupt has to wait. */
static long steps_to_look(const dal_sim *s, const dal_observer *o)
{
    enum { AT_A_TIME = 1 << 14 };
    const plan *p = &s->plan;
    long        most = p->timed ? AT_A_TIME : p->steps - s->k;
    long        due = p->monitor - s->k % p->monitor;
    if (o && o->step) return 1;
    if (due < most) most = due;
    due = p->record ? p->record - s->k % p->record : most;
    if (due < most) most = due;
    return most < AT_A_TIME ? most : AT_A_TIME;
}

static dal_status advance(dal_sim *s, const dal_observer *o)
{
    dal_status bad = simulation_some(s, steps_to_look(s, o));
    if (bad) return bad;
    if (s->k % s->plan.monitor == 0) bad = watch(s);
    if (!bad && s->plan.record && s->k % s->plan.record == 0) bad = record(s, o);
    if (!bad && o && o->step) bad = o->step(o->self, s);
    if (!bad && o && o->wait) bad = o->wait(o->self, s);
    return bad;
}

/* A run that chooses its steps ends with the first time at or past the end. */
static bool finished(const dal_sim *s)
{
    const plan *p = &s->plan;
    if (!p->timed) return s->k >= p->steps;
    double rest = p->h < 0 ? s->t - p->until : p->until - s->t;
    return rest <= plan_rest(p);
}

dal_status loop_run(dal_sim *s, const dal_observer *o)
{
    if (s->plan.steps < 0)
        return diag_error(s->ds, DAL_INVALID, span_none(),
                          "simulate { until = 10 } in the file, --until 10 or --steps 1000",
                          "no end is given");
    double begin = now_seconds();
    s->pausing = false;
    dal_status bad = s->k == 0 ? record(s, o) : DAL_OK;
    while (!bad && !finished(s)) bad = advance(s, o);
    /* the last good state is kept, however the run ended; if writing is what failed, nothing more
     * is written */
    if (bad != DAL_IO) {
        dal_status last = record(s, o);
        if (!bad) bad = last;
    }
    s->mon.sum.run_seconds += now_seconds() - begin;
    s->mon.sum.status = bad;
    if (!s->pausing) warnings_at_end(s);
    return bad;
}
