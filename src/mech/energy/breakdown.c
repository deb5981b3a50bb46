/* breakdown.c - why the energy principle allows no further step, and what to try.
 *                                                                          theory.md [BREAKDOWN] */
#include "mech/energy/adaptive.h"

#include <math.h>

/* The slope is lost in roundoff: is it so at longer steps too? Then the scheme has no error along
 * this motion; else the step is too short for its order. */
step_outcome adaptive_diagnose(adaptive *a, const double *y)
{
    static const int LONGEST = 256;
    const double    *none[2] = {0}, h = a->h[0];
    for (int k = 4; k <= LONGEST; k *= 4) {
        equations_set_step(a->eq, k * h, a->eq->mirrored);
        for (int j = 0; j < a->eq->size; j++) a->kept[j] = k * y[j];
        if (!newton_damped(a->nw, a->kept, none) || !adaptive_assemble(a, a->kept)) break;
        if (adaptive_noise(a) < 1e-3) return STEP_DROWNED;
    }
    return STEP_ANY;
}

/* Lobatto points and asymmetric ones have a remedy in another scheme, a hump has none. */
static void say_undecided(const adaptive *a, const scheme *sch, text *why)
{
    text_printf(why,
                "nothing determines the next step: it obeys h^%d e = const, and e, "
                "the leading error of %s along the motion, goes through 0 here "
                "(the last step was %.6g); ",
                a->order + 1, sch->name, a->h[0]);
    if (sch->rule.c[0] == 0 && sch->rule.symmetric)
        text_printf(why,
                    "with Lobatto points that happens on every oscillator: gauss(%d) has the same "
                    "order, and its e keeps its sign in a well",
                    (a->order + 1) / 2);
    else if (!sch->rule.symmetric)
        text_printf(why,
                    "with asymmetric points e changes sign along the motion: use "
                    "gauss(%d)",
                    (a->order + 1) / 2);
    else
        text_printf(why, "that happens where a potential bends downward, as on a hump, or where "
                         "forces outweigh it: use principle = dirac+, or go on with "
                         "--on-breakdown fixed or reset");
}

static void say_cause(const adaptive *a, const scheme *sch, text *why)
{
    const double h = fabs(a->tried);
    switch (a->outcome) {
    case STEP_UNDECIDED: say_undecided(a, sch, why); break;
    case STEP_ANY:
        text_printf(why,
                    "every step keeps the energy: %s has no error along this motion, as "
                    "in free motion, and the energy cannot determine h; use principle = "
                    "dirac+",
                    sch->name);
        break;
    case STEP_DROWNED:
        text_printf(why,
                    "the step is too short for order %d: with h = %.6g the energy "
                    "determines it only to within roundoff; use a longer step or a "
                    "scheme of lower order",
                    a->order, fabs(a->h[0]));
        break;
    case STEP_TOO_LONG:
        text_printf(why, "the next step would be %.6g, longer than h_max = %.6g; ", h,
                    a->bounds.most);
        if (a->eq->sys->forced)
            text_printf(why, "damping makes steps grow: a time-dependent lagrangian instead of the "
                             "force keeps them bounded, or --on-breakdown fixed");
        else
            text_printf(why,
                        "they are long where e of h^%d e = const is small: a shorter first "
                        "step makes all steps shorter",
                        a->order + 1);
        break;
    case STEP_TOO_SHORT:
        text_printf(why,
                    "the next step would be %.6g, shorter than h_min = %.6g; a longer first step "
                    "makes all steps longer",
                    h, a->bounds.least);
        break;
    default:
        text_printf(why,
                    "no step between %.6g and %.6g has the energy that the balance asks for: L or "
                    "f jumps here, or steps are too long for them; use a shorter first step, "
                    "--on-breakdown reset, or principle = dirac+",
                    fabs(a->h[0]) / 8, fabs(a->h[0]) * 8);
    }
}

dal_status adaptive_explain(const adaptive *a, double t, const scheme *sch, text *why)
{
    text_printf(why, "t = %.10g: the energy principle breaks down: ", t);
    say_cause(a, sch, why);
    return DAL_BREAKDOWN;
}
