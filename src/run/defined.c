/* defined.c - an energy or an output without a finite value ends the run before it is written: the
 * message names the expression, its place in the text and the values of its variables. */
#include "run/simulation.h"

#include <math.h>

/* NULL: there is nothing to look at. */
static bool all_are_finite(const double *x, int n)
{
    for (int i = 0; x && i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Where velocities, momenta or reactions are not known there is another message. */
static bool state_is_known(dal_sim *s)
{
    const int n = s->sys->n;
    return all_are_finite(state_q(s), n) && all_are_finite(state_v(s), n) &&
           all_are_finite(state_p(s), n) &&
           all_are_finite(reading_multipliers(s), s->sys->m + s->sys->r);
}

/* DAL_OK: the state itself is not known, and that is said elsewhere. */
dal_status output_undefined(dal_sim *s, int i)
{
    const dal_column *shown = &s->shown[i];
    if (!state_is_known(s)) return DAL_OK;
    text_clear(&s->why);
    text_printf(&s->why, "t = %.10g: %s '%s' has no value", s->t,
                shown->kind == DAL_COLUMN_OUTPUT ? "output" : "the momentum of", shown->name);
    text nonfinite_source = text_new(&s->m);
    if (bound_outputs_nonfinite_source(s->bound, s->t, state_q(s), state_v(s), state_p(s),
                                       reading_multipliers(s), &nonfinite_source))
        text_printf(&s->why, ": %s", text_str(&nonfinite_source));
    text_drop(&nonfinite_source);
    s->mon.sum.error = simulation_reason(s);
    return diag_error(s->ds, DAL_DIVERGED, span_none(),
                      "the state itself is finite: without this column the run would "
                      "continue",
                      "step %ld: %s", s->k, text_str(&s->why));
}

/* Steps need derivatives only, and log(x) has one for x < 0. */
dal_status energy_undefined(dal_sim *s)
{
    if (!state_is_known(s)) return DAL_OK;
    text nonfinite_source = text_new(&s->m);
    bool known = reading_nonfinite_source(s, &nonfinite_source);
    text_clear(&s->why);
    text_printf(&s->why, "t = %.10g: the energy is not finite%s%s", s->t, known ? ": " : "",
                known ? text_str(&nonfinite_source) : "");
    text_drop(&nonfinite_source);
    s->mon.sum.error = simulation_reason(s);
    text        beyond = text_new(&s->m);
    const char *hint = "the model is not defined where the motion starts: start elsewhere";
    if (s->k)
        hint = "the motion has left the region where the model is defined; a smaller step may keep "
               "it inside";
    if (s->k && stability_explain(s, &beyond)) hint = text_str(&beyond);
    dal_status bad =
        diag_error(s->ds, DAL_DIVERGED, span_none(), hint, "step %ld: %s", s->k, text_str(&s->why));
    text_drop(&beyond);
    return bad;
}
