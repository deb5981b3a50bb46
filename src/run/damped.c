/* damped.c - the model with its forces declared as damping, compiled for who asks. */
#include "run/damped.h"

#include "model/damping.h"

const subject *subject_for(mem *m, const subject *of, const scheme *sch)
{
    if (!sch->damps || !of->md) return of;
    const model *run = compiled_model(of->compiled), *damped = model_damped(m, run);
    if (damped == run) return of;
    subject *as = mem_array(m, 1, subject);
    *as = *of;
    as->compiled = compile(m, damped);
    solved_forms_new(m, damped, as->solved);
    return as;
}

span damping_place(const compiled *c)
{
    const model *md = c ? compiled_model(c) : NULL;
    for (int e = 0; md && e < md->elements.n; e++)
        if (md->elements.at[e].damping) return md->elements.at[e].at;
    return span_none();
}
