/* dead_point.c - warns of a place where relations lose rank: a run that passes it may have taken
 * another way than the mechanism would.                                               theory.md
 * [RELIABLE] */
#include "run/simulation.h"

void dead_point_warn(dal_sim *s)
{
    enum { SHOWN = 8 };
    const dal_system *sys = state_solved(s);
    text              of = text_new(&s->m), at = text_new(&s->m);
    double            t;
    const double     *q = stepper_dead_point(s->st, &t, &of);
    for (int i = 0; q && i < sys->n && i < SHOWN; i++) {
        text_add(&at, i ? ", " : "");
        if (sys->coordinate_name) sys->coordinate_name(sys->self, i, &at);
        else text_printf(&at, "coordinate %d", i + 1);
        text_printf(&at, " = %.4g", q[i]);
    }
    if (q)
        diag_warning(
            s->ds, span_none(),
            "compare with a smaller step and with a start nearby; a spring or a further "
            "relation can decide",
            "t = %.10g: the relations %s pass a dead point, where they depend on each other "
            "and the motion can go on in more than one way, or one step is too long to "
            "resolve how near they come to it, at %s%s",
            t, text_str(&of), text_str(&at), sys->n > SHOWN ? ", ..." : "");
    text_drop(&of), text_drop(&at);
}
