/* warnings.c - warnings about runs whose numbers are doubtful although every step was solved. The
 * limits are far from what a sound run reaches, so that a warning means something. */
#include "run/simulation.h"

#include <math.h>

static const double ENERGY_CHANGE = 0.1; /* of the largest |p v| + |E| */
static const double ITERATIONS = 8;      /* of Newton's method a step; 2 to 4 are common */

/* Without time and moving relations nothing but forces changes the energy. */
static bool only_forces_work(const dal_system *sys)
{
    return sys->autonomous && !sys->rheonomic;
}

/* Conserved by the equations: a large change is an error of the step. */
static void doubt_energy(dal_sim *s)
{
    const dal_range *e = &s->mon.sum.energy;
    double           change = e->max - e->min;
    if (!only_forces_work(s->sys) || s->sys->forced ||
        !(change > ENERGY_CHANGE * s->mon.energy_size))
        return;
    diag_warning(s->ds, span_none(),
                 "try a smaller step, and see whether the motion changes; near a pole of angles, write "
                 "Cartesian coordinates with a holonomic constraint",
                 "the energy changed by %.3g, from %.6g to between %.6g and %.6g, "
                 "although it should be conserved: the step is too large for this "
                 "scheme, or a singularity was crossed",
                 change, e->first, e->min, e->max);
}

/* Of forces the work is known, and the energy must have changed by it. */
static void doubt_work(dal_sim *s)
{
    const dal_summary *sum = &s->mon.sum;
    const double       change = sum->energy.last - sum->energy.first, lost = change - sum->work;
    if (!only_forces_work(s->sys) || !s->sys->forced ||
        !(fabs(lost) > ENERGY_CHANGE * s->mon.energy_size))
        return;
    diag_warning(s->ds, span_none(), "try a smaller step, and see whether the motion changes",
                 "the energy changed by %.3g, and the work of the forces is %.3g: the step is too "
                 "large for this scheme, or a singularity was crossed",
                 change, sum->work);
}

/* A step of the energy principle is solved twice: for the predicted length, and for the length
 * itself. */
static void doubt_iterations(dal_sim *s)
{
    const newton_statistics *newton = stepper_statistics(s->st);
    const int                solves = s->mon.sum.is_adaptive ? 2 : s->plan.scheme.substeps;
    double                   solved = (double)newton->steps * solves * stepper_solves(s->st);
    double                   each = (double)newton->iterations / fmax(solved, 1);
    if (each > ITERATIONS && !stepper_keeps_jacobian(s->st))
        diag_warning(s->ds, span_none(), "try a smaller step",
                     "Newton's method took %.1f iterations a step on average, where 2 to 4 are "
                     "common: the step is too large, or the equations are not smooth",
                     each);
}

/* Velocities along directions without inertia are not part of the state: they follow from the
 * forces. A given one may differ from that of the motion. */
void warnings_at_start(dal_sim *s)
{
    static const double TOLERATED = 1e-9;
    text                along = text_new(&s->m), of = text_new(&s->m);
    double              most = 0;
    if (s->md && stepper_massless(s->st, &along)) {
        const double *v = state_v(s);
        for (int i = 0; i < s->sys->n; i++) most = fmax(most, fabs(s->val.v[i]));
        for (int i = 0; i < s->sys->n; i++) {
            if (!(s->val.given[i] & GIVEN_V) || !isfinite(v[i])) continue;
            if (fabs(v[i] - s->val.v[i]) <= TOLERATED * fmax(most, fabs(v[i]))) continue;
            s->sys->coordinate_name(s->sys->self, i, &of);
            diag_warning(s->ds, span_none(),
                         "leave such velocities out, or give all of them the values that "
                         "follow from the forces",
                         "the start gives %s' = %.10g, and the motion begins with %.10g: along %s "
                         "there is no inertia, and velocities there follow from the forces",
                         text_str(&of), s->val.v[i], v[i], text_str(&along));
            break;
        }
    }
    text_drop(&along), text_drop(&of);
}

/* A run that failed is doubted too, for what it did before. */
void warnings_at_end(dal_sim *s)
{
    doubt_energy(s);
    doubt_work(s);
    doubt_iterations(s);
}
