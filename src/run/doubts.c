/* doubts.c - what makes the numbers of a finished run doubtful although every step was solved. The
 * limits lie far from what a sound run does, so that a warning means something. */
#include "run/simulation.h"

#include <math.h>

static const double ENERGY_CHANGE = 0.1; /* of the largest |p v| + |E| */
static const double ITERATIONS = 8;      /* of Newton's method a step; 2 to 4 are common */

/* Without forces, time and moving relations the energy is conserved. */
static bool is_conservative(const dal_system *sys)
{
    return sys->autonomous && !sys->forced && !sys->rheonomic;
}

static void doubt_energy(dal_sim *s)
{
    const dal_range *e = &s->mon.sum.energy;
    double           change = e->max - e->min;
    if (!is_conservative(s->sys) || !(change > ENERGY_CHANGE * s->mon.energy_size)) return;
    diag_warning(s->ds, span_none(), "try a smaller step, and see whether the motion changes",
                 "the energy changed by %.3g, from %.6g to between %.6g and %.6g, though nothing "
                 "changes it: the step is too large for this scheme, or a singularity was crossed",
                 change, e->first, e->min, e->max);
}

/* A step that chooses its length is solved twice: for the length that is predicted, and for it. */
static void doubt_iterations(dal_sim *s)
{
    const newton_statistics *newton = stepper_statistics(s->st);
    const int                solves = s->mon.sum.is_adaptive ? 2 : s->plan.scheme.substeps;
    double                   solved = (double)newton->steps * solves;
    double                   each = (double)newton->iterations / fmax(solved, 1);
    if (each > ITERATIONS && !stepper_keeps_jacobian(s->st))
        diag_warning(s->ds, span_none(), "try a smaller step",
                     "Newton's method took %.1f iterations a step on average, where 2 to 4 are "
                     "common: the step is too large, or the equations are not smooth",
                     each);
}

void doubts_tell(dal_sim *s)
{
    doubt_energy(s);
    doubt_iterations(s);
}
