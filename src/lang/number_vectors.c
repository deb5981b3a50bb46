/* number_vectors.c - vectors that are known before a run begins: the arithmetic of vectors.h over
 * numbers. */
#include "lang/rotations.h"
#include "lang/vectors.h"

#include <math.h>

/* Arithmetic. ---------------------------------------------------------------------------------- */

static scalar constant(void *w, double x)
{
    (void)w;
    return (scalar){.x = x};
}

static scalar sum(void *w, const scalar *term, int n)
{
    double x = 0;
    (void)w;
    for (int i = 0; i < n; i++) x = i ? x + term[i].x : term[i].x;
    return (scalar){.x = x};
}

static scalar negative(void *w, scalar a)
{
    (void)w;
    return (scalar){.x = -a.x};
}

static scalar product(void *w, scalar a, scalar b)
{
    (void)w;
    return (scalar){.x = a.x * b.x};
}

static scalar quotient(void *w, scalar a, scalar b)
{
    (void)w;
    return (scalar){.x = a.x / b.x};
}

static scalar root(void *w, scalar a)
{
    (void)w;
    return (scalar){.x = sqrt(a.x)};
}

static scalar number_at(void *w, const env *v, const ast *a)
{
    return (scalar){.x = number(w, v, a)};
}

/* Leaves. -------------------------------------------------------------------------------------- */

/* Once for each part and index, unless the part is still being laid out. */
quantity numbers_of_definition(world *w, const spot *at)
{
    const symbol *s = at->s;
    const int     count = components_of(s->shape), of = s->home ? at->part : -1;
    const bool    formed = of < 0 || w->md->parts.at[of].shape;
    int          *known = formed ? map_find(&w->lets, s, of, at->offset / count) : NULL;
    quantity      out = {.shape = s->shape};
    for (int c = 0; known && c < count; c++) out.at[c].x = w->let_value.at[*known + c];
    if (known) return out;
    const env v = env_of_spot(at);
    out = numbers(w, &v, s->def.value);
    if (formed) map_put(&w->lets, s, of, at->offset / count, w->let_value.n);
    for (int c = 0; formed && c < count; c++) vec_push(w->m, w->let_value, out.at[c].x);
    return out;
}

/* Time, coordinates and inputs cannot be here: the static rules have refused them. */
static quantity from_path(world *w, const env *v, const ast *a)
{
    const symbol *s = path_symbol(a);
    quantity      out = {.shape = a->shape};
    spot          at;
    if (s->kind == SYM_FORMAL) {
        const int first = argument_component(w, v, a);
        for (int c = 0; c < components_of(a->shape); c++)
            out.at[c].x = v->actual[s->number].number[first + c];
        return out;
    }
    if (!locate(w, v, a, &at)) return out;
    if (s->kind != SYM_PARAMETER) {
        const quantity all = numbers_of_definition(w, &at);
        return quantity_slice(&all, at.offset % components_of(s->shape), a->shape);
    }
    for (int c = 0; c < components_of(a->shape); c++) {
        const spot one = spot_component(&at, a->shape, c);
        out.at[c].x = parameter_at(w, &one, a->at);
    }
    return out;
}

static quantity from_function(world *w, const env *v, const ast *a, const symbol *f)
{
    actual *given = arguments_of(w, v, a);
    if (!given) return (quantity){.shape = a->shape};
    env      inner = {.part = f->home ? v->part : -1, .actual = given};
    quantity x = numbers(w, &inner, f->def.value);
    mem_drop(w->m, given);
    return x;
}

/* The rate of a constant, and its derivatives, are 0. */
static quantity leaf(void *w, const env *v, const ast *a)
{
    const callee *f = a->kind == AST_CALL ? a->ref : NULL;
    if (a->kind == AST_PATH) return from_path(w, v, a);
    if (f && f->f) return from_function(w, v, a, f->f);
    if (f && f->b->kind == FN_IF) return numbers(w, v, a->arg[condition(w, v, a->arg[0]) ? 1 : 2]);
    if (f && (f->b->kind == FN_ROTATION || f->b->kind == FN_QUATERNION))
        return rotation_called(w, v, a);
    return (quantity){.shape = a->shape};
}

static arithmetic arithmetic_of(world *w)
{
    return (arithmetic){.self = w,
                        .w = w,
                        .level = &w->level,
                        .constant = constant,
                        .sum = sum,
                        .negative = negative,
                        .product = product,
                        .quotient = quotient,
                        .root = root,
                        .number = number_at,
                        .leaf = leaf};
}

quantity numbers(world *w, const env *v, const ast *a)
{
    const arithmetic k = arithmetic_of(w);
    return quantity_of(&k, v, a);
}

double number_from_vectors(world *w, const env *v, const ast *a)
{
    const arithmetic k = arithmetic_of(w);
    return number_of_vectors(&k, v, a).x;
}

/* Functions of functions multiply as loops do, and are bounded with them. */
static bool call_fits(world *w, const ast *call)
{
    enum { VALUES_OF_A_CALL = 10 };
    if (w->visited > w->l->values) return false; /* which was said */
    w->visited += VALUES_OF_A_CALL;
    if (w->visited <= w->l->values) return true;
    refuse_values(w, call->at);
    return false;
}

/* Freed by the caller; NULL: too much has been computed, and that was said. */
actual *arguments_of(world *w, const env *v, const ast *call)
{
    if (!call_fits(w, call)) return NULL;
    actual *given = mem_resize(w->m, NULL, (size_t)(call->n ? call->n : 1) * sizeof *given);
    for (int i = 0; i < call->n; i++) {
        const quantity x = numbers(w, v, call->arg[i]);
        given[i].value[0] = EXPR_NONE;
        for (int c = 0; c < components_of(x.shape); c++) given[i].number[c] = x.at[c].x;
    }
    return given;
}
