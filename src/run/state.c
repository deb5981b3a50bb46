/* state.c - the state of a simulation: the stepper's own, or the whole's that follows from it. */
#include "run/simulation.h"

const double *state_q(const dal_sim *s)
{
    return s->whole ? whole_q(s->whole, s->st, s->k) : stepper_q(s->st);
}

const double *state_v(const dal_sim *s)
{
    return s->whole ? whole_v(s->whole, s->st, s->k) : stepper_v(s->st);
}

const double *state_p(const dal_sim *s)
{
    return s->whole ? whole_p(s->whole, s->st, s->k, s->t, s->plan.method.momentum) : stepper_p(s->st);
}

const double *state_multipliers(dal_sim *s)
{
    return s->whole ? whole_multipliers(s->whole, s->st, s->k, s->t) : stepper_multipliers(s->st);
}

dal_system *state_solved(const dal_sim *s)
{
    return s->whole ? whole_solved(s->whole) : s->sys;
}
