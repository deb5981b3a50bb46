/* engine.c - what makes the steps of a simulation: the general stepper, or a function compiled for
 * its model and scheme, where the run is long enough to repay the compilation. */
#include "fuse/fuse.h"
#include "run/simulation.h"

/* The numbers that the solved system reads. */
const double *engine_parameters(const dal_sim *s)
{
    return s->whole ? s->whole->parameter : s->val.parameter;
}

fused_numbers engine_numbers(dal_sim *s)
{
    fused_numbers of = {.par = engine_parameters(s), .u = s->val.input};
    if (s->follow.n) of.input_at = tracks_at, of.inputs = &s->follow;
    return of;
}

const compiled *engine_model(const dal_sim *s)
{
    return s->whole ? s->whole->form->compiled : s->compiled;
}

static bool is_wanted(dal_sim *s)
{
    const plan *p = &s->plan;
    const bool  possible =
        s->md && !s->joint && p->method.jacobian != JACOBIAN_BROYDEN && !p->method.map;
    if (!possible || p->backend == BACKEND_VM) return false;
    return p->backend == BACKEND_NATIVE || backend_repays_step(s);
}

/* The whole step as one function, or else at least the programs that it runs. */
void engine_choose(dal_sim *s)
{
    const bool          asked = s->plan.backend == BACKEND_NATIVE;
    const fused_numbers of = engine_numbers(s);
    text                why = text_new(&s->m);
    if (stepper_native(s->st)) { /* a large system: its stepper has compiled passes */
        s->mon.sum.backend = "native", s->mon.sum.is_fused = 1;
        return;
    }
    if (is_wanted(s) && fuse_attach(&s->m, s->st, engine_model(s), s->plan.h, &of, &why)) {
        s->mon.sum.backend = "native", s->mon.sum.is_fused = 1;
        if (asked && why.n) diag_warning(s->ds, span_none(), NULL, "%s", text_str(&why));
    } else if (backend_choose(s) && asked && why.n) {
        diag_note(s->ds, span_none(), NULL, "the step is not compiled as a whole: %s",
                  text_str(&why));
    }
    text_drop(&why);
}
