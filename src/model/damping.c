/* damping.c - forces that hold velocities, declared as damping whatever they were written as. */
#include "model/damping.h"

/* The momentum of a Hamiltonian coordinate counts as its velocity. */
static bool holds_velocity(const element *el)
{
    for (int k = 0; k < el->slots; k++)
        if (el->slot[k].kind == SLOT_V || el->slot[k].kind == SLOT_P) return true;
    return false;
}

static bool turns(const model *md, const element *el)
{
    return el->kind == EL_FORCE && !el->damping && holds_velocity(el) &&
           !element_is_of_state(md, el);
}

const model *model_damped(mem *m, const model *md)
{
    int count = 0;
    for (int e = 0; e < md->elements.n; e++) count += turns(md, &md->elements.at[e]);
    if (!count) return md;
    model *out = mem_array(m, 1, model);
    *out = *md;
    out->elements.at = mem_array(m, md->elements.n, element);
    for (int e = 0; e < md->elements.n; e++) {
        out->elements.at[e] = md->elements.at[e];
        out->elements.at[e].damping |= turns(md, &md->elements.at[e]);
    }
    return out;
}
