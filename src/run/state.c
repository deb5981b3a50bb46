/* state.c - the state of a simulation: the stepper's own, or the whole's that follows from it. */
#include "run/simulation.h"

#include <math.h>

bool state_joint_reactions(dal_sim *s)
{
    const int     rows = s->sys->m + s->sys->r;
    const double *v = stepper_v(s->st), *p = stepper_p(s->st);
    for (int i = 0; i < s->sys->n; i++)
        s->joint_w[i] = s->sys->hamiltonian && s->sys->hamiltonian[i] ? p[i] : v[i];
    if (interaction_reactions(s->joint, s->t, stepper_q(s->st), s->joint_w, v, s->joint_lam, NULL))
        return true;
    for (int a = 0; a < rows; a++) s->joint_lam[a] = (double)NAN;
    return false;
}

const double *state_q(const dal_sim *s)
{
    return s->full ? full_system_q(s->full, s->st, s->k) : stepper_q(s->st);
}

const double *state_v(const dal_sim *s)
{
    return s->full ? full_system_v(s->full, s->st, s->k) : stepper_v(s->st);
}

/* The papers' momenta are those of polynomial curves. */
const double *state_p(const dal_sim *s)
{
    const bool polynomial = s->plan.scheme.curve == CURVE_POLYNOMIAL;
    momentum   shown = polynomial ? s->plan.method.momentum : MOMENTUM_PROJECTED;
    return s->full ? full_system_p(s->full, s->st, s->k, s->t, shown) : stepper_p(s->st);
}

const double *state_multipliers(dal_sim *s)
{
    if (s->joint) return state_joint_reactions(s), s->joint_lam;
    return s->full ? full_system_multipliers(s->full, s->st, s->k, s->t)
                   : stepper_multipliers(s->st);
}

dal_system *state_solved(const dal_sim *s)
{
    if (s->joint) return interaction_system(s->joint);
    return s->full ? full_system_solved(s->full) : s->sys;
}
