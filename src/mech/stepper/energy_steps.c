/* energy_steps.c - the data that steps of the energy principle exchange with generated steps: the
 * balance, the last step lengths, and which root of the energy equation the motion is on. The
 * border of the last step is evaluated on demand. */
#include "mech/stepper/stepper.h"

#include <string.h>

_Static_assert(sizeof((step_energy *)0)->h == sizeof((adaptive *)0)->h, "as many lengths");

/* Of a step that is given its length there is nothing to decide, and before it no branch. */
bool compiled_decides(const stepper *st)
{
    const adaptive *a = st->energy;
    return a->h[0] != 0 && !a->held && !a->anew && a->sign;
}

/* In the direction of the run: is what is left to `until` within `rest`? */
bool compiled_ended(const stepper *st)
{
    const step_energy *e = &st->compiled->energy;
    const double       t = st->compiled->s.from;
    return (st->compiled->backward ? t - e->until : e->until - t) <= e->rest;
}

/* What the next lengths are found from: bounds, branch, balance, and past lengths. */
void compiled_energy_begin(stepper *st, const steps_asked *along)
{
    const adaptive *a = st->energy;
    step_energy    *e = &st->compiled->energy;
    e->least = a->bounds.least, e->most = a->bounds.most, e->sign = a->sign;
    e->slope = a->slope, e->E = a->E, e->E_low = a->E_low, e->shift = a->shift;
    e->until = along->until, e->rest = along->rest;
    memcpy(e->h, a->h, sizeof e->h);
}

/* Its steps were decided, or it would have given them back. */
void compiled_energy_take(stepper *st, steps_made *out)
{
    const step_energy *e = &st->compiled->energy;
    adaptive          *a = st->energy;
    a->E = e->E, a->E_low = e->E_low, a->chord = e->chord;
    memcpy(a->h, e->h, sizeof a->h);
    a->slope = e->slope, a->size = e->size, a->noise = e->noise, a->tried = e->h[0];
    a->chose = true, a->outcome = STEP_DECIDED;
    st->t = st->compiled->s.from, st->history_h = e->h[0], st->compiled->unbordered = true;
    out->shortest = e->shortest, out->longest = e->longest, out->error = e->error;
}

/* What the step itself said of its slope and its size stays: later steps go by it. */
void compiled_border(stepper *st)
{
    adaptive *a = st->energy;
    stepper_synchronise(st);
    if (!st->compiled || !st->compiled->unbordered) return;
    const adaptive          kept = *a;
    const newton_statistics count = st->nw.count;
    adaptive_assemble(a, st->y);
    a->slope = kept.slope, a->size = kept.size, a->iterations = kept.iterations;
    st->nw.count = count, st->compiled->unbordered = false;
}
