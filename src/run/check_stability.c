/* check_stability.c - the fastest oscillation and the strongest damping at the start, and how long
 * a step of the scheme may be for them.                                    theory.md [STABILITY] */
#include "run/check.h"
#include "run/stability.h"

#include <math.h>

static void begin_line(text *out, bool first)
{
    text_printf(out, "  %-12s ", first ? "stability" : "");
}

static bool has_states_alone(const dal_system *sys)
{
    for (int i = 0; i < sys->n; i++)
        if (!sys->state || !sys->state[i]) return false;
    return true;
}

/* Of oscillations and damping, for which equations of first order are held. */
static void say_modes(const stability *is, text *out)
{
    if (is->unknown) text_printf(out, "what is fastest at the start is not known: %s", is->unknown);
    else if (is->omega > 0)
        text_printf(out, "the fastest oscillation at the start has the angular frequency %.4g",
                    is->omega);
    else text_add(out, "nothing oscillates about the start");
    if (is->c > 0) text_printf(out, ", the strongest damping the rate %.4g", is->c);
    if (!is->held || is->unknown) return;
    text_printf(out, ", with %s held\n", is->idle > 0 ? "what has no inertia" : "states");
    begin_line(out, false);
}

/* Of these; and of all together, where that is faster. */
static void say_first_order(const stability *is, text *out)
{
    static const double MORE = 1.01;
    const double        apart = fmax(fmax(is->omega, is->c), fmax(is->state, is->idle));
    text_printf(out, "%s rates up to %.4g at the start",
                is->idle > 0 ? "what has no inertia has" : "states have",
                fmax(is->state, is->idle));
    if (is->joint > MORE * apart) text_printf(out, "; all together have %.4g", is->joint);
}

static void say_rates(const stability_question *ask, const stability *is, text *out)
{
    begin_line(out, true);
    if (is->unknown || !has_states_alone(ask->sys)) say_modes(is, out);
    if (is->held && !is->unknown) say_first_order(is, out);
    text_add(out, "\n");
}

/* What is stiff, and damped all the same. */
static void say_stiff(const stability_question *ask, const char *what, const char *them,
                      double rate, text *out)
{
    if (!(fabs(ask->h) * rate > 1)) return;
    begin_line(out, false);
    text_printf(out, "%s stiff, h times the rate %.4g is %.4g: %s damps %s\n", what, rate,
                fabs(ask->h) * rate, ask->sch->name, them);
}

/* What has no inertia and resists is a state to all but the step. */
static void say_idle(const stability_question *ask, double rate, text *out)
{
    if (!(fabs(ask->h) * rate > 1)) return;
    begin_line(out, false);
    text_printf(out,
                "what has no inertia has rates up to %.4g, which times h is %.4g: %s does not damp "
                "that, but would if it were written as a 'state'\n",
                rate, fabs(ask->h) * rate, ask->sch->name);
}

static void say_limit(const stability_question *ask, fast_part of, double rate, text *out)
{
    const double limit = stability_limit(ask->m, ask->sch, of);
    if (!isfinite(limit)) return;
    begin_line(out, false);
    text_printf(out, "%s is stable while h times the %s is below %.4g", ask->sch->name,
                of == FAST_DAMPING ? "rate of damping" : "frequency", limit);
    if (rate > 0) text_printf(out, ": for h below %.4g", limit / rate);
    text_add(out, "\n");
}

static void say_limits(const stability_question *ask, const stability *is, text *out)
{
    const bool backward = ask->sch->substeps > 1; /* substeps, which stiff damping does not bear */
    if (scheme_is_gauss(ask->sch) && (!backward || !(is->c > 0))) {
        begin_line(out, false);
        text_printf(out, "%s is stable%s at any step\n", ask->sch->name,
                    is->taut > 0 ? " for potentials" : "");
    } else {
        say_limit(ask, FAST_OSCILLATION, is->omega, out);
        if (is->c > 0) say_limit(ask, FAST_DAMPING, is->c, out);
    }
    if (!(is->lasting > 0)) say_stiff(ask, "its damping is", "it", is->c, out);
    say_stiff(ask, "its states are", "them", is->state, out);
    say_idle(ask, is->idle, out);
    if (!(is->taut > 0)) return;
    begin_line(out, false);
    text_printf(out,
                "constraint forces make oscillations of frequencies up to %.4g: h below %.4g\n",
                is->taut, is->slack);
}

void check_stability(const description *d, const check_case *c)
{
    mem                     *m = mem_child(d->m);
    text                     why = text_new(m);
    stepper                 *st = NULL;
    bool                     moved;
    const plan              *p = &c->plan;
    const stability_question ask = {m, check_solved(c), &p->scheme, p->from, p->h, true};
    if (!check_begin(c, m, &p->scheme, &st, &why) &&
        !stepper_balance(st, d->asked->project_start, &moved, &why)) {
        const stability is = stability_of(&ask, st);
        say_rates(&ask, &is, d->out);
        say_limits(&ask, &is, d->out);
        stability_tell(&ask, &is, d->ds);
    }
    stepper_free(st);
    mem_free(m);
}
