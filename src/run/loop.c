/* loop.c - from the present state to the end: steps, rows, diagnostics, and the observer's word
 * after each. */
#include "run/simulation.h"

#include <math.h>
#include <time.h>

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Where the energy decides no step any more, it goes on with the first one's length for good, or
 * with the last one's for one step, and says so at the first time. */
static dal_status step_on(dal_sim *s, const steps_asked *along, steps_made *out)
{
    const bool   reset = s->plan.breakdown == BREAKDOWN_RESETS;
    dal_summary *sum = &s->mon.sum;
    if (!sum->resets)
        diag_warning(s->ds, span_none(), NULL, "step %ld: %s; going on with %sh = %.10g", s->k + 1,
                     text_str(&s->why), reset ? "one more step of " : "",
                     fabs(reset ? stepper_length(s->st) : s->plan.h));
    text_clear(&s->why);
    if (reset && sum->resets++ == 0) sum->reset_first = s->t;
    if (reset) stepper_reset(s->st);
    else sum->held_from = s->t, sum->is_held = 1, stepper_hold(s->st);
    return stepper_advance(s->st, along, out, &s->why);
}

const char *simulation_reason(dal_sim *s)
{
    return mem_printf(&s->m, "%s", text_str(&s->why));
}

/* With the energy principle time is the sum of the lengths. */
static steps_asked steps_to_choose(const dal_sim *s, long most)
{
    const plan  *p = &s->plan;
    const double never = p->h < 0 ? -HUGE_VAL : HUGE_VAL;
    return (steps_asked){.from = s->t,
                         .h = p->h,
                         .count = most,
                         .until = p->timed ? p->until : never,
                         .rest = plan_rest(p)};
}

/* A step that has no solution may be too long for what is fast. Of reactions that was said. */
static void add_stability(dal_sim *s)
{
    text also = text_new(&s->m);
    if (!stability_has_reactions(state_solved(s)) && stability_explain(s, &also))
        text_printf(&s->why, "; %s", text_str(&also));
    text_drop(&also);
}

/* At least one step unless it fails; s->k and s->t tell how many were made. With exponents one
 * at a time, as each step has its tangent. */
dal_status simulation_some(dal_sim *s, long most)
{
    const plan *p = &s->plan;
    const bool  chooses = p->method.principle == ENERGY;
    /* of a call that failed before */
    if (s->why.n || s->mon.sum.error) text_clear(&s->why), s->mon.sum.error = NULL;
    if (s->mon.owed) monitor_balances(s);
    if (s->mon.defect.input) defect_inputs(s);
    dal_status bad = s->mon.grown ? reliable_judge(s) : DAL_OK;
    if (bad) return bad;
    if (s->exponents) bad = lyapunov_carry(s);
    if (bad) return s->mon.sum.error = simulation_reason(s), bad;
    if (s->exponents) most = 1;
    steps_made  out = {.work = s->mon.sum.work};
    steps_asked along = {.from = p->from, .h = p->h, .k = s->k, .count = most};
    if (chooses) along = steps_to_choose(s, most);
    if (s->pace) bad = pace_steps(s, most, &out.work);
    else if (s->events) bad = events_step(s, &out.work);
    else bad = stepper_advance(s->st, &along, &out, &s->why);
    if (bad == DAL_BREAKDOWN && p->breakdown != BREAKDOWN_STOPS) bad = step_on(s, &along, &out);
    s->k += out.made, s->now.have = 0, s->mon.sum.work = out.work;
    if (!s->pace && !s->events)
        s->t = chooses ? stepper_time(s->st) : p->from + (double)s->k * p->h;
    if (chooses && out.made) monitor_lengths(s, &out);
    if (bad == DAL_DIVERGED && !(s->pace && s->pace->lost)) add_stability(s);
    if (bad) {
        s->mon.sum.error = simulation_reason(s);
        return diag_error(s->ds, bad, s->pace ? pace_place(s) : events_place(s), NULL,
                          "step %ld: %s", s->k + 1, s->mon.sum.error);
    }
    return s->exponents ? lyapunov_renew(s) : DAL_OK;
}

/* All or up to the one that fails, whose message is in s->ds. */
dal_status simulation_advance(dal_sim *s, long count)
{
    const long end = s->k + count;
    dal_status bad = DAL_OK;
    while (s->k < end && !bad) bad = simulation_some(s, end - s->k);
    return bad;
}

/* The clock may take as long as a row does: of many rows, some are timed, and count for all. */
static dal_status record(dal_sim *s, const dal_observer *o)
{
    enum { ALL = 256, ONE_OF = 31 };
    const long stands_for = s->rows < ALL ? 1 : s->rows % ONE_OF ? 0 : ONE_OF;
    s->recorded = s->k, s->rows++;
    if (!o || !o->row) return DAL_OK;
    if (!stands_for) return o->row(o->self, s);
    const double     begin = now_seconds();
    const dal_status bad = o->row(o->self, s);
    s->mon.sum.record_seconds += (double)stands_for * (now_seconds() - begin);
    return bad;
}

/* What somebody wants of the present state: the run is judged by it, or it is recorded. */
static dal_status look(dal_sim *s, const dal_observer *o, bool judges, bool records)
{
    records &= s->recorded != s->k;
    const bool energy = judges || (records && s->stretch.energy);
    if (judges) monitor_take(s);
    else if (energy) monitor_energy(s);
    dal_status bad = energy && !isfinite(reading_energy(s)) ? energy_undefined(s) : DAL_OK;
    const int  undefined = !bad && records ? column_undefined(s) : -1;
    if (undefined >= 0) bad = output_undefined(s, undefined); /* ends the run */
    return bad || !records ? bad : record(s, o);
}

/* A state between two grid points, which is recorded only. */
static dal_status show(dal_sim *s, const dal_observer *o, double t)
{
    dal_status bad = times_show(s, t, false);
    const long last = s->recorded;
    if (bad) return bad;
    const int undefined = column_undefined(s);
    if (undefined >= 0) bad = output_undefined(s, undefined);
    s->times->next++;
    if (!bad) bad = record(s, o);
    s->recorded = last;
    times_hide(s);
    return bad;
}

/* Requested times that the last step has reached, in their order. */
static dal_status show_times(dal_sim *s, const dal_observer *o)
{
    dal_status bad = DAL_OK;
    for (double t; !bad && times_due(s, &t);) {
        if (!times_is_now(s, t)) bad = show(s, o, t);
        else s->times->next++, s->times->exact = s->k, bad = look(s, o, false, true);
    }
    return bad;
}

/* Steps to the next state that somebody looks at; not so many that an interrupt has to wait. 0: the
 * run is over. One that chooses its steps ends with the first time at or past the end. */
static long steps_to_look(const dal_sim *s, const dal_observer *o)
{
    enum { AT_A_TIME = 1 << 14 };
    const plan *p = &s->plan;
    long        most = p->timed ? AT_A_TIME : p->steps - s->k;
    long        due = p->monitor - s->k % p->monitor;
    if (s->events && s->events->stopped) return 0;
    if (p->timed && (p->h < 0 ? s->t - p->until : p->until - s->t) <= plan_rest(p)) return 0;
    if (most <= 0) return 0;
    if (o && o->step) return 1;
    if (due < most) most = due;
    due = s->mon.defect.next > s->k ? s->mon.defect.next - s->k : 1;
    if (due < most) most = due;
    due = p->record ? p->record - s->k % p->record : most;
    if (due < most) most = due;
    due = s->pace || !s->times ? most : times_ahead(s, most);
    if (due < most) most = due ? due : 1;
    return most < AT_A_TIME ? most : AT_A_TIME;
}

dal_status loop_run(dal_sim *s, const dal_observer *o)
{
    if (s->plan.steps < 0)
        return diag_error(s->ds, DAL_INVALID, s->val.simulate,
                          "put until = 10 into simulate { }, or add --until 10 or --steps 1000",
                          "no end is given");
    double begin = now_seconds();
    s->call.pausing = false;
    times_hide(s);
    dal_status bad = s->k == 0 ? look(s, o, true, true) : DAL_OK;
    if (!bad && s->times) bad = show_times(s, o); /* that a run before has left */
    if (!bad && s->pace && s->k && s->recorded < 0 && !pace_is_beyond(s))
        bad = look(s, o, false, s->plan.record && s->k % s->plan.record == 0);
    for (long most; !bad && (most = steps_to_look(s, o)) > 0;) {
        if (s->times && !s->pace && most == 1) times_keep(s);
        bad = simulation_some(s, most);
        if (!bad && s->k >= s->mon.defect.next)
            defect_take(s), resolution_take(s), accuracy_take(s);
        if (!bad && s->mon.back.asked) stability_follow(s);
        /* the end lies within this step, and is shown */
        const bool beyond = s->pace && pace_is_beyond(s);
        const bool records = s->plan.record && s->k % s->plan.record == 0 && !beyond;
        const bool judges = s->k % s->plan.monitor == 0 && !beyond;
        if (!bad && (records || judges)) bad = look(s, o, judges, records);
        if (!bad && s->times) bad = show_times(s, o);
        if (!bad && o && o->step) bad = o->step(o->self, s);
        if (!bad && o && o->wait) bad = o->wait(o->self, s);
    }
    if (!bad && s->pace) bad = pace_arrive(s);
    /* the last good state is kept, however the run ended; if writing is what failed, nothing more
     * is written */
    if (bad != DAL_IO) {
        dal_status last = look(s, o, true, !s->call.pausing);
        defect_take(s), accuracy_take(s);
        monitor_balances(s);
        if (!last) last = bad ? bad : reliable_judge(s);
        if (!bad) bad = last;
    }
    s->mon.sum.run_seconds += now_seconds() - begin;
    s->mon.sum.status = bad;
    if (!s->call.pausing) warnings_at_end(s), dead_point_warn(s);
    return bad;
}
