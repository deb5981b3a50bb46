/* shorter.c - a step could not be solved: can a shorter one, from the same state? Said in the
 * message, beside what the iteration met. The state stays as it is. */
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 10, SIZE_MOST = 2000 /* unknowns of a step that is tried again */ };

/* Everything that belongs to the past of another step. */
static void forget(stepper *st)
{
    if (st->history) st->history->count = 0;
    newton_forget(&st->nw);
    picard_forget(st);
}

/* From the state, or back to it. */
static void keep(stepper *st, double *kept, bool back)
{
    const size_t bytes = (size_t)st->turn.width * sizeof *kept;
    double      *state[] = {st->q, st->q_low, st->p, st->p_low};
    for (int k = 0; k < 4 && bytes; k++)
        memcpy(back ? state[k] : kept + k * st->turn.width, back ? kept + k * st->turn.width : state[k],
               bytes);
}

/* The longest of h/2, h/4, ... that can be solved; 0: none. */
static double longest_solved(stepper *st, double *kept, double t, double h)
{
    double made = 0;
    for (int k = 1; k <= HALVINGS && made == 0; k++) {
        forget(st);
        if (stepper_substep(st, t, ldexp(h, -k), h < 0, st->history)) made = ldexp(h, -k);
        keep(st, kept, true);
    }
    forget(st);
    return made;
}

/* Not where a step is more than one curve between two grid points. */
static bool is_tried(const stepper *st)
{
    return !st->energy && !st->explicitly.fits && !st->eq.shot &&
           !st->massless.ends.fits && !st->massless.bent && st->sch.substeps == 1 && st->eq.size <= SIZE_MOST;
}

/* What nobody but the next step may see of it is put back; NaN: it is not tried. */
static double shorter_step(stepper *st, double t, double h)
{
    if (!is_tried(st)) return (double)NAN;
    const newton_statistics count = st->nw.count;
    const double            work = st->work;
    const bool              asked = st->watch.asked;
    double *kept = mem_resize(st->m, NULL, (size_t)(4 * st->turn.width + 1) * sizeof *kept);
    keep(st, kept, false);
    st->watch.asked = false;
    const double made = longest_solved(st, kept, t, h);
    st->watch.asked = asked, st->nw.count = count, st->work = work;
    mem_drop(st->m, kept);
    return fabs(made);
}

void shorter_step_advise(stepper *st, double t, double h, double stable, text *why)
{
    const double made = shorter_step(st, t, h);
    if (stable > 0)
        text_printf(why, ": try a step of %.2g", made > 0 ? fmin(stable, made) : stable);
    else if (isnan(made)) text_add(why, "; try a smaller step, or another scheme");
    else if (made > 0)
        text_printf(why, "; try a smaller step: from here one of %.3g can be solved", made);
    else
        text_printf(why, "; from here no shorter step can be solved either, down to %.2g: %s",
                    fabs(ldexp(h, -HALVINGS)),
                    st->eq.relations ? "the relations may have no solution beyond this state, as "
                                       "at the limit of a mechanism"
                                     : "the motion may end here, as at a discontinuity or where a "
                                       "force is not defined");
}
