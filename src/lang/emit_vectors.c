/* emit_vectors.c - vectors as expressions of a graph: the arithmetic of vectors.h over it, and what
 * names, rates and calls are that have several components. */
#include "lang/emit.h"

/* Arithmetic. ---------------------------------------------------------------------------------- */

static graph *graph_of(void *em)
{
    return &((emitter *)em)->s.g;
}

static scalar constant(void *em, double x)
{
    return (scalar){.e = expr_const(graph_of(em), x)};
}

/* Through the stack of operands, so that it is one sum. */
static scalar sum(void *em, const scalar *term, int n)
{
    emitter  *e = em;
    const int first = e->stack.n;
    for (int i = 0; i < n; i++) emit_operand(e, term[i].e);
    return (scalar){.e = emit_operands(e, first)};
}

static scalar negative(void *em, scalar a)
{
    return (scalar){.e = expr_neg(graph_of(em), a.e)};
}

static scalar product(void *em, scalar a, scalar b)
{
    return (scalar){.e = expr_mul(graph_of(em), a.e, b.e)};
}

static scalar quotient(void *em, scalar a, scalar b)
{
    return (scalar){.e = expr_div(graph_of(em), a.e, b.e)};
}

static scalar root(void *em, scalar a)
{
    return (scalar){.e = expr_op1(graph_of(em), OP_SQRT, a.e)};
}

static scalar number_at(void *em, const env *v, const ast *a)
{
    return (scalar){.e = emit(em, v, a)};
}

/* Leaves. -------------------------------------------------------------------------------------- */

static quantity failed(emitter *em, ast_shape shape)
{
    quantity out = {.shape = shape};
    for (int c = 0; c < components_of(shape); c++) out.at[c].e = emit_failed(em);
    return out;
}

static quantity from_argument(emitter *em, const env *v, const ast *a)
{
    quantity  out = {.shape = a->shape};
    const int first = argument_component(em->w, v, a);
    for (int c = 0; c < components_of(a->shape); c++)
        out.at[c].e = v->actual[path_symbol(a)->number].value[first + c];
    return out;
}

static quantity from_path(emitter *em, const env *v, const ast *a)
{
    const symbol *s = path_symbol(a);
    quantity      out = {.shape = a->shape};
    spot          at;
    if (s->kind == SYM_FORMAL) return from_argument(em, v, a);
    if (!locate(em->w, v, a, &at)) return failed(em, a->shape);
    if (symbol_turns(s)) return emit_turning(em, &at, a->at);
    if (s->kind == SYM_LET || s->kind == SYM_OUTPUT) {
        const quantity all = emit_definition(em, &at, a->at);
        return quantity_slice(&all, at.offset % components_of(s->shape), a->shape);
    }
    for (int c = 0; c < components_of(a->shape); c++) {
        const spot one = spot_component(&at, a->shape, c);
        out.at[c].e = emit_spot(em, &one, a->at);
    }
    return out;
}

/* x' or p(x) of a coordinate */
static quantity from_coordinate(emitter *em, const env *v, const ast *a, slot_kind kind)
{
    quantity out = {.shape = a->shape};
    spot     at;
    if (!locate(em->w, v, a->arg[0], &at)) return failed(em, a->shape);
    for (int c = 0; c < components_of(a->shape); c++) {
        const spot one = spot_component(&at, a->shape, c);
        out.at[c].e = emit_coordinate(em, &one, kind, a->at);
    }
    return out;
}

static quantity from_prime(emitter *em, const env *v, const ast *a)
{
    const ast    *of = a->arg[0];
    const symbol *s = of->kind == AST_PATH ? path_last(of) : NULL;
    if (s && s->kind == SYM_COORDINATE && !symbol_turns(s))
        return from_coordinate(em, v, a, SLOT_V);
    quantity out = emit_quantity(em, v, of);
    for (int c = 0; c < components_of(out.shape); c++)
        out.at[c].e = emit_rate_once(em, out.at[c].e);
    return out;
}

/* d(e, x): of a number by a vector, a rotation or a direction, or of a vector by a number */
static quantity from_derivative(emitter *em, const env *v, const ast *a)
{
    quantity   out = {.shape = a->shape}, of = emit_quantity(em, v, a->arg[0]);
    const bool by_vector = of.shape == SHAPE_NUMBER;
    spot       at;
    if (a->arg[1]->kind == AST_PATH && symbol_turns(path_symbol(a->arg[1])))
        return locate(em->w, v, a->arg[1], &at)
                   ? emit_gradient_of_turning(em, &at, of.at[0].e, a->at)
                   : failed(em, a->shape);
    for (int c = 0; c < components_of(a->shape); c++) {
        int variable;
        if (!emit_variable(em, v, a->arg[1], by_vector ? c : 0, &variable))
            return failed(em, a->shape);
        expr_gradient(&em->s.g, of.at[by_vector ? 0 : c].e, &variable, 1, &out.at[c].e);
    }
    return out;
}

static quantity from_if(emitter *em, const env *v, const ast *a, bool now)
{
    if (now && is_known(em->w, v, a->arg[0]))
        return emit_quantity(em, v, a->arg[condition(em->w, v, a->arg[0]) ? 1 : 2]);
    const expr     chosen = emit(em, v, a->arg[0]);
    const quantity x = emit_quantity(em, v, a->arg[1]), y = emit_quantity(em, v, a->arg[2]);
    quantity       out = {.shape = a->shape, .diagonal = x.diagonal && y.diagonal};
    for (int c = 0; c < components_of(a->shape); c++)
        out.at[c].e = expr_if(&em->s.g, chosen, x.at[c].e, y.at[c].e);
    return out;
}

static quantity from_momentum(emitter *em, const env *v, const ast *a)
{
    const symbol *s = path_symbol(a->arg[0]);
    spot          at;
    if (!symbol_turns(s)) return from_coordinate(em, v, a, SLOT_P);
    if (!locate(em->w, v, a->arg[0], &at)) return failed(em, a->shape);
    return symbol_turns(s) == KIND_ROTATION ? emit_spin(em, &at, SLOT_P, true, a->at)
                                            : emit_momentum_of_direction(em, &at, a->at);
}

static quantity from_spin(emitter *em, const env *v, const ast *a, bool in_space)
{
    spot at;
    return locate(em->w, v, a->arg[0], &at) ? emit_spin(em, &at, SLOT_V, in_space, a->at)
                                            : failed(em, a->shape);
}

static quantity from_call(emitter *em, const env *v, const ast *a)
{
    const callee *f = a->ref;
    if (f->f) return emit_function(em, v, a, f->f);
    switch (f->b->kind) {
    case FN_IF: return from_if(em, v, a, f->fold);
    case FN_D: return from_derivative(em, v, a);
    case FN_SPIN: return from_spin(em, v, a, true);
    case FN_BODYSPIN: return from_spin(em, v, a, false);
    default: return from_momentum(em, v, a);
    }
}

static quantity leaf(void *em, const env *v, const ast *a)
{
    if (a->kind == AST_PATH) return from_path(em, v, a);
    return a->kind == AST_PRIME ? from_prime(em, v, a) : from_call(em, v, a);
}

arithmetic emitter_arithmetic(emitter *em)
{
    return (arithmetic){.self = em,
                        .w = em->w,
                        .level = &em->level,
                        .constant = constant,
                        .sum = sum,
                        .negative = negative,
                        .product = product,
                        .quotient = quotient,
                        .root = root,
                        .number = number_at,
                        .leaf = leaf};
}

quantity emit_quantity(emitter *em, const env *v, const ast *a)
{
    const arithmetic k = emitter_arithmetic(em);
    return quantity_of(&k, v, a);
}
