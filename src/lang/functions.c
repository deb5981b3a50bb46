/* functions.c - a function of a model is read once for every combination of shapes that it is
 * called with: unit(a) = a/norm(a) is one of vectors, cube(x) = x^3 one of numbers. */
#include "lang/symbols.h"

static ast *copy(mem *m, const ast *a);

static ast **copy_list(mem *m, ast *const *list, int n)
{
    ast **out = mem_array(m, n, ast *);
    for (int i = 0; i < n; i++) out[i] = copy(m, list[i]);
    return out;
}

/* The tree as it was written: what its names mean is found anew. */
static ast *copy(mem *m, const ast *a)
{
    if (!a) return NULL;
    ast *out = mem_array(m, 1, ast);
    *out = *a;
    out->ref = NULL;
    out->arg = copy_list(m, a->arg, a->n);
    out->step = mem_array(m, a->steps, ast_step);
    for (int i = 0; i < a->steps; i++) {
        out->step[i] = a->step[i];
        out->step[i].index = copy_list(m, a->step[i].index, a->step[i].n);
    }
    out->index = mem_array(m, a->indices, ast_index);
    for (int i = 0; i < a->indices; i++) {
        out->index[i] = a->index[i];
        out->index[i].low = copy(m, a->index[i].low);
        out->index[i].high = copy(m, a->index[i].high);
    }
    return out;
}

static bool fits(const symbol *f, const ast *call)
{
    for (int i = 0; i < call->n; i++)
        if (f->formal[i]->shape != call->arg[i]->shape) return false;
    return true;
}

static symbol *variant_new(lang *l, const symbol *f, const ast *call)
{
    symbol *s = mem_array(l->m, 1, symbol);
    *s = *f;
    s->formal = mem_array(l->m, call->n, symbol *);
    for (int i = 0; i < call->n; i++) {
        const symbol *x = f->formal[i];
        s->formal[i] = declare_local(l, SYM_FORMAL, x->word, x->at, i);
        s->formal[i]->shape = call->arg[i]->shape;
        s->formal[i]->dims = rank_of(call->arg[i]->shape);
    }
    s->def = (definition){
        .value = copy(l->m, f->def.value), .scope = s, .word = f->word, .at = f->def.at};
    return s;
}

/* Where an argument's shape is not known, nothing can be said yet, and the function stays what it
 * is. Symbols that may be shared by now get no further variants: the resolver keeps them. */
symbol *function_variant(resolver *r, symbol *f, const ast *call)
{
    if (f->def.state == ACTIVE || f->def.wrong) return f;
    for (int i = 0; i < call->n; i++)
        if (call->arg[i]->shape == SHAPE_UNKNOWN) return f;
    for (symbol *s = f->variant; s; s = s->variant)
        if (fits(s, call)) return s;
    for (int i = 0; i < r->variants.n; i++)
        if (r->variants.at[i]->of == f->of && fits(r->variants.at[i], call))
            return r->variants.at[i];
    symbol *s = variant_new(r->l, f, call);
    s->variant = f->variant;
    if (!r->late) f->variant = s;
    else vec_push(r->l->m, r->variants, s);
    return s;
}
