/* express.c - an expression that stands in no file, read by the rules of the language in the system
 * that runs. */
#include "lang/emit.h"
#include "lang/language.h"

/* The graph as it was emitted; every variable reads one thing. */
static element element_of_sheet(const sheet *s, expr root, span at, mem *m)
{
    element el = {
        .kind = EL_OUTPUT, .at = at, .instances = 1, .g = s->g, .slots = s->slots.n, .roots = 1};
    el.slot = mem_array(m, el.slots, slot);
    for (int i = 0; i < el.slots; i++)
        el.slot[i] = (slot){.kind = s->slots.at[i].kind, .base = s->slots.at[i].index};
    el.root = mem_array(m, 1, expr);
    el.root[0] = root;
    return el;
}

/* DAL_SYNTAX: it cannot be read; DAL_INVALID: it holds what may not stand in a potential. */
dal_status language_express(const model *md, const overrides *over, const source *words, diags *ds,
                            model *into, mem *m, element *out)
{
    int      before = ds->errors;
    world    w;
    lang    *l = world_again(&w, md, over, ds, m);
    resolver r = {.l = l, .ds = ds, .late = true};
    scope    sc = scope_of(l->root->in, l->root, PLACE_POTENTIAL);
    ast     *a = parse_expr_text(m, l->ns, ds, words);
    emitter  em;
    env      root = env_of_part(0);
    if (!a) return DAL_SYNTAX;
    resolve_number(&r, &sc, a);
    if (ds->errors > before) return DAL_INVALID;
    emitter_init(&em, &w, into);
    emitter_reset(&em, PLACE_POTENTIAL);
    expr e = emit(&em, &root, a);
    if (ds->errors > before || w.failed) return DAL_INVALID;
    *out = element_of_sheet(&em.s, e, a->at, m);
    return DAL_OK;
}
