/* energy.c - what a stepper tells of the energy principle.  theory.md [ENERGY] */
#include "mech/stepper.h"

#include <math.h>

enum { CONDITION_MOST = 200 }; /* unknowns of which the condition is measured */

void stepper_hold(stepper *st)
{
    if (st->energy) st->energy->held = true, st->energy->outcome = STEP_DECIDED;
}

/* These stay what they were when a step fails, as the state does. */
double stepper_length(const stepper *st)
{
    if (st->energy) return st->energy->h[0];
    return st->stepped ? st->last_h : 0;
}

double stepper_discrete_energy(const stepper *st)
{
    return st->energy && st->energy->h[0] ? st->energy->chord : (double)NAN;
}

double stepper_balance_error(const stepper *st)
{
    const adaptive *a = st->energy;
    return a && a->h[0] ? fabs((a->chord - a->E) - a->E_low) : 0;
}

double stepper_condition(stepper *st)
{
    adaptive *a = st->energy;
    const int N = st->eq.size + 1;
    if (!a || !st->stepped || N > CONDITION_MOST) return (double)NAN;
    double *K = mem_resize(st->m, NULL, (size_t)N * (size_t)N * sizeof *K);
    adaptive_matrix(a, K);
    double condition = dense_condition(st->m, K, N);
    mem_drop(st->m, K);
    return condition;
}

double stepper_error_coefficient(const stepper *st, double *noise)
{
    const bool known = st->energy && st->stepped;
    *noise = known ? adaptive_noise(st->energy) : HUGE_VAL;
    return known ? adaptive_coefficient(st->energy) : 0;
}
