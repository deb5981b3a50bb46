/* energy_report.c - what a stepper reports about the energy principle.        theory.md [ENERGY] */
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

void stepper_hold(stepper *st)
{
    if (st->energy) st->energy->held = true, st->energy->outcome = STEP_DECIDED;
}

/* The first step after this is one of the last length, or of that which is given if the last one
 * was begun anew too, and its energy is kept from then on. */
void stepper_reset(stepper *st)
{
    if (st->energy) st->energy->anew = true, st->energy->outcome = STEP_DECIDED;
}

/* Balance, past lengths and branch; not what was evaluated at the last curve. */
void stepper_adopt_energy(stepper *st, const stepper *from)
{
    adaptive       *a = st->energy;
    const adaptive *b = from->energy;
    if (!a || !b) return;
    a->E = b->E, a->E_low = b->E_low, a->shift = b->shift;
    memcpy(a->h, b->h, sizeof a->h);
    a->sign = b->sign, a->held = b->held, a->anew = b->anew, a->noise = b->noise;
}

/* These stay what they were when a step fails, as the state does. */
double stepper_length(const stepper *st)
{
    if (st->energy) return st->energy->h[0];
    return st->stepped ? st->last_h : 0;
}

double stepper_discrete_energy(const stepper *st)
{
    return st->energy && st->energy->h[0] != 0 ? st->energy->chord : (double)NAN;
}

double stepper_balance_error(const stepper *st)
{
    const adaptive *a = st->energy;
    return a && a->h[0] != 0 ? fabs((a->chord - a->E) - a->E_low) : 0;
}

double stepper_length_noise(stepper *st)
{
    stepper_synchronise(st);
    return st->energy && st->stepped ? st->energy->noise : 0;
}

double stepper_condition(stepper *st)
{
    if (!st->energy || !st->stepped) return (double)NAN;
    compiled_border(st);
    return adaptive_condition(st->energy, st->m);
}

double stepper_error_coefficient(stepper *st, double *noise)
{
    const bool known = st->energy && st->stepped;
    stepper_synchronise(st);
    *noise = known ? adaptive_noise(st->energy) : HUGE_VAL;
    return known ? adaptive_coefficient(st->energy) : 0;
}
