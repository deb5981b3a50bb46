/* warnings.c - warnings about runs whose numbers are doubtful although every step was solved. The
 * limits are far from what a sound run reaches, so that a warning means something. */
#include "run/simulation.h"

#include <math.h>

static const double ITERATIONS = 8; /* of Newton's method a step; 2 to 4 are common */

/* What should have changed the energy, and by how much. */
static void say_work(const dal_sim *s, double work, text *out)
{
    if (s->mon.defect.want)
        text_printf(out, ", and forces, time and moving relations account for %.3g of it", work);
    else if (state_solved(s)->forced)
        text_printf(out, ", and the work of the forces is %.3g", work);
    else text_add(out, ", although it should be conserved");
}

/* Energy that nothing accounts for is an error of the steps.                theory.md [DEFECT] */
static void doubt_energy(dal_sim *s)
{
    const dal_range *e = &s->mon.sum.energy;
    const double     change = e->last - e->first;
    if (!isfinite(change) || defect_judge(s) != DEFECT_LARGE) return; /* an error said so */
    if (reliable_rests(s)) return;
    text work = text_new(&s->m);
    say_work(s, s->mon.defect.work + s->mon.defect.gained, &work);
    diag_warning(
        s->ds, span_none(),
        "try a smaller step, and see whether the motion changes; near a pole of angles, "
        "write Cartesian coordinates with a holonomic constraint",
        "the energy changed by %.3g, from %.6g to between %.6g and %.6g%s: the step is too "
        "large for this scheme, or a singularity was crossed",
        change, e->first, e->min, e->max, text_str(&work));
    text_drop(&work);
}

/* A step of the energy principle is solved twice: for the predicted length, and for the length
 * itself. */
static void doubt_iterations(dal_sim *s)
{
    stepper                 *st = pace_stepper(s);
    const newton_statistics *count = stepper_statistics(st);
    const int                solves = s->mon.sum.is_adaptive ? 2 : s->plan.scheme.substeps;
    double                   solved = (double)count->steps * solves * stepper_solves(st);
    double                   each = (double)count->iterations / fmax(solved, 1);
    if (each > ITERATIONS && !stepper_keeps_jacobian(st) && !stepper_simplifies(st))
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
/* theory.md [ROTATION] */
static void doubt_turns(dal_sim *s)
{
    static const double HALF = 3.14159265358979323846;
    if (stepper_turned(s->st) > HALF)
        diag_warning(s->ds, span_none(), "try a smaller step",
                     "a step turned by %.3g rad, which is more than half a turn",
                     stepper_turned(s->st));
}

void warnings_at_end(dal_sim *s)
{
    if (s->sys->turns) doubt_turns(s);
    doubt_energy(s);
    resolution_warn(s);
    accuracy_judge(s);
    reliable_warn(s);
    pace_warn(s);
    doubt_iterations(s);
}
