/* graphs.c - expressions become graphs: names become slots, lets and functions are put in place,
 * sums are written out. */
#include "lang/emit.h"

#include <stdint.h>
#include <string.h>

void sheet_init(sheet *s, mem *m)
{
    *s = (sheet){.m = m};
    graph_init(&s->g, m);
    map_init(&s->by_slot, m);
}

/* Memory is kept, as a sheet is emptied for every instance. */
void sheet_reset(sheet *s)
{
    graph_reset(&s->g);
    map_clear(&s->by_slot);
    s->slots.n = 0;
}

/* The variable for what slot (kind, index) reads: one for each, numbered as they are first met. */
expr sheet_var(sheet *s, slot_kind kind, int index)
{
    bool fresh;
    int  variable = map_keep(&s->by_slot, NULL, (int)kind, index, s->slots.n, &fresh);
    if (fresh) vec_push(s->m, s->slots, (slot_ref){kind, index});
    return expr_var(&s->g, variable);
}

void emitter_init(emitter *em, world *w, model *md)
{
    *em = (emitter){.w = w, .md = md};
    sheet_init(&em->s, w->m);
    map_init(&em->memo, w->m);
    map_init(&em->tuples, w->m);
    map_init(&em->by_data, w->m);
}

/* For the next instance; what may stand in it depends on the kind of statement. */
void emitter_reset(emitter *em, place at)
{
    sheet_reset(&em->s);
    map_clear(&em->memo);
    map_clear(&em->tuples);
    em->stack.n = em->open.n = em->lets.n = em->kept.n = em->bound = 0, em->at = at;
}

/* Leaves. -------------------------------------------------------------------------------------- */

/* A number of the instance. Equal numbers are stored once: loops over one range share them. */
expr emit_data(emitter *em, double x)
{
    uint64_t bits;
    bool     fresh;
    memcpy(&bits, &x, sizeof bits);
    int index = map_keep(&em->by_data, NULL, (int)(bits >> 32), (int)(uint32_t)bits, em->md->data.n,
                         &fresh);
    if (fresh) vec_push(&em->md->m, em->md->data, x);
    return sheet_var(&em->s, SLOT_DATA, index);
}

/* The static rules know what stands in a statement, but not what an outer system binds to its
 * inputs. */
void emit_check_bound(emitter *em, content holds, span at)
{
    const place_row *row = &place_table[em->at];
    if (em->bound && (holds & ~row->allows))
        world_error(em->w, at, row->hint, "%s is bound to an input that is used in %s",
                    content_word(holds), row->words);
}

expr emit_coordinate(emitter *em, const spot *at, slot_kind kind, span where)
{
    static const content holds[][2] = {
        [SLOT_Q] = {HAS_Q, HAS_QH}, [SLOT_V] = {HAS_V, HAS_VH}, [SLOT_P] = {HAS_P, HAS_PH}};
    emit_check_bound(em, holds[kind][at->s->home->hamiltonian], where);
    return sheet_var(&em->s, kind, index_of(em->w, MEMBER_COORDINATE, at));
}

/* After an error that was reported: any number will do, since nothing is made of it. */
expr emit_failed(emitter *em)
{
    em->w->failed = true;
    return expr_const(&em->s.g, 0);
}

/* Definitions: each is emitted once per instance of the statement. ----------------------------- */

/* "arm.length": a definition by its name from outside. */
static void add_name(const emitter *em, const opened *o, text *out)
{
    size_t before = out->n;
    if (o->part > 0) model_part_name(em->w->md, o->part, out);
    text_printf(out, "%s%s", out->n > before ? "." : "", o->word);
}

/* From where the definition was opened to where it is met again. */
static void report_cycle(emitter *em, const opened *o, span user)
{
    text chain = text_new(em->w->m), word = text_new(em->w->m);
    int  i = em->open.n - 1;
    while (i > 0 && (em->open.at[i].key != o->key || em->open.at[i].part != o->part ||
                     em->open.at[i].offset != o->offset))
        i--;
    for (; i < em->open.n; i++) {
        add_name(em, &em->open.at[i], &chain);
        text_add(&chain, " -> ");
    }
    add_name(em, o, &word);
    world_error(em->w, user, NULL, "'%s' depends on itself: %s%s", text_str(&word),
                text_str(&chain), text_str(&word));
    text_drop(&chain), text_drop(&word);
}

/* What the memo holds for it. */
static quantity known_quantity(emitter *em, const opened *o, int known, ast_shape shape, span user)
{
    quantity out = {.shape = shape};
    if (known != EXPR_NONE && shape != SHAPE_NUMBER) return em->kept.at[known];
    if (known == EXPR_NONE) report_cycle(em, o, user);
    for (int c = 0; c < components_of(shape); c++)
        out.at[c].e = known == EXPR_NONE ? emit_failed(em) : known;
    return out;
}

/* EXPR_NONE in the memo marks what is being emitted: to meet it again is a cycle. */
static quantity emit_once(emitter *em, const env *v, const ast *value, opened o, span user)
{
    bool fresh;
    int  known = map_keep(&em->memo, o.key, o.part, o.offset, EXPR_NONE, &fresh);
    if (!fresh) return known_quantity(em, &o, known, value->shape, user);
    vec_push(em->w->m, em->open, o);
    quantity x = emit_quantity(em, v, value);
    em->open.n--;
    if (x.shape != SHAPE_NUMBER) vec_push(em->w->m, em->kept, x);
    map_put(&em->memo, o.key, o.part, o.offset,
            x.shape == SHAPE_NUMBER ? x.at[0].e : em->kept.n - 1);
    return x;
}

/* A let that the instance is made of; of a vector, all components. */
static void note_let(emitter *em, let_place let, int components)
{
    const bool named = let.s->kind == SYM_LET && let.part >= 0 && em->lets.n < NAMED_MOST;
    if (!named || map_find(&em->memo, let.s, let.part, let.offset)) return;
    let.offset *= components;
    for (int c = 0; c < components; c++, let.offset++) vec_push(em->w->m, em->lets, let);
}

/* A let, in the part and with the indices that it is named with; of a vector, all components. */
quantity emit_definition(emitter *em, const spot *at, span user)
{
    env       v = env_of_spot(at);
    const int components = components_of(at->s->shape), offset = at->offset / components;
    note_let(em, (let_place){at->s, v.part, offset}, components);
    return emit_once(em, &v, at->s->def.value, (opened){at->s, v.part, offset, at->s->word}, user);
}

/* An input that an outer system gives a value is that expression, in the environment of the
 * part's declaration; otherwise it is a number of the run. */
static expr emit_input(emitter *em, const spot *at, span user)
{
    world            *w = em->w;
    const definition *d = binding_of(w, at->part, at->s);
    if (!d) {
        emit_check_bound(em, HAS_INPUT, user);
        return sheet_var(&em->s, SLOT_INPUT, index_of(w, MEMBER_INPUT, at));
    }
    const extent *x = form_of(w, at->part)->extent[at->s->number];
    env           v = env_of_binding(w, at->part);
    if (names_array(d->value) && at->s->dims) {
        spot there;
        return same_place(w, &v, d->value, x, at, &there)
                   ? sheet_var(&em->s, SLOT_PARAMETER, index_of(w, MEMBER_PARAMETER, &there))
                   : emit_failed(em);
    }
    int        component;
    const ast *value = element_of(w, d->value, x, at->s->dims, at->index, at->s->word, &component);
    if (!value) return emit_failed(em);
    em->bound++;
    opened         o = {d, at->part, at->offset - component, at->s->word};
    const quantity e = emit_once(em, &v, value, o, user);
    em->bound--;
    return e.at[component].e;
}

/* A name that was followed to one element: a variable, or what it is defined as. */
expr emit_spot(emitter *em, const spot *at, span where)
{
    world *w = em->w;
    switch (at->s->kind) {
    case SYM_PARAMETER: return sheet_var(&em->s, SLOT_PARAMETER, index_of(w, MEMBER_PARAMETER, at));
    case SYM_COORDINATE: return emit_coordinate(em, at, SLOT_Q, where);
    case SYM_INPUT: return emit_input(em, at, where);
    case SYM_RELATION:
        emit_check_bound(em, HAS_RESULT, where);
        return sheet_var(&em->s, SLOT_MULTIPLIER, index_of(w, MEMBER_RELATION, at));
    case SYM_EVENT: {
        emit_check_bound(em, HAS_RESULT, where);
        const int row = event_row_of(w, at);
        return row < 0 ? emit_failed(em)
                       : sheet_var(&em->s, SLOT_PARAMETER, model_written(w->md) + 2 * row);
    }
    default: return emit_definition(em, at, where).at[at->offset % components_of(at->s->shape)].e;
    }
}

static expr emit_path(emitter *em, const env *v, const ast *a)
{
    const symbol *s = path_symbols(a)[0];
    spot          at;
    switch (s->kind) {
    case SYM_INDEX: return emit_data(em, v->index[s->number]);
    case SYM_FORMAL: return v->actual[s->number].value[argument_component(em->w, v, a)];
    case SYM_PI: return expr_const(&em->s.g, 3.14159265358979323846);
    case SYM_TIME: emit_check_bound(em, HAS_TIME, a->at); return sheet_var(&em->s, SLOT_TIME, 0);
    default: return locate(em->w, v, a, &at) ? emit_spot(em, &at, a->at) : emit_failed(em);
    }
}

/* Derivatives. --------------------------------------------------------------------------------- */

/* Along the motion, each expression once. */
expr emit_rate_once(emitter *em, expr e)
{
    static const char rate_of = 0; /* key of derivatives in the memo */
    const int        *known = map_find(&em->memo, &rate_of, e, 0);
    if (known) return *known;
    expr x = emit_rate(em, e);
    map_put(&em->memo, &rate_of, e, 0, x);
    return x;
}

/* x' of a coordinate is its velocity; any other expression is differentiated. */
static expr emit_prime(emitter *em, const env *v, const ast *a)
{
    const ast    *of = a->arg[0];
    const symbol *s = of->kind == AST_PATH ? path_last(of) : NULL;
    spot          at;
    if (s && s->kind == SYM_COORDINATE)
        return locate(em->w, v, of, &at) ? emit_coordinate(em, &at, SLOT_V, a->at)
                                         : emit_failed(em);
    return emit_rate_once(em, emit(em, v, of));
}

/* x, x' or p(x) as a variable, or a component of it */
bool emit_variable(emitter *em, const env *v, const ast *a, int component, int *variable)
{
    const ast *path = a->kind == AST_PATH ? a : a->arg[0];
    slot_kind  kind = a->kind == AST_PATH ? SLOT_Q : a->kind == AST_PRIME ? SLOT_V : SLOT_P;
    spot       at;
    if (!locate(em->w, v, path, &at)) return false;
    const int index = index_of(em->w, MEMBER_COORDINATE, &at) + component;
    sheet_var(&em->s, kind, index);
    *variable = *map_find(&em->s.by_slot, NULL, (int)kind, index);
    return true;
}

/* d(e, x), with all else held fixed. */
static expr emit_derivative(emitter *em, const env *v, const ast *a)
{
    expr e = emit(em, v, a->arg[0]), out;
    int  variable;
    if (!emit_variable(em, v, a->arg[1], 0, &variable)) return emit_failed(em);
    expr_gradient(&em->s.g, e, &variable, 1, &out);
    return out;
}

/* Calls. --------------------------------------------------------------------------------------- */

/* Calls with the same arguments are one expression: `tuple` numbers combinations of them. An
 * argument that sizes depend on must be a number now. */
quantity emit_function(emitter *em, const env *v, const ast *a, const symbol *f)
{
    actual *given = mem_resize(em->w->m, NULL, (size_t)(a->n ? a->n : 1) * sizeof *given);
    int     tuple = 0;
    bool    fresh;
    for (int i = 0; i < a->n; i++) {
        const bool structural = f->formal[i]->structural;
        quantity   x = {.shape = SHAPE_NUMBER};
        given[i].number[0] = structural ? number(em->w, v, a->arg[i]) : 0;
        if (structural) x.at[0].e = emit_data(em, given[i].number[0]);
        else x = emit_quantity(em, v, a->arg[i]);
        for (int c = 0; c < components_of(x.shape); c++) {
            given[i].value[c] = x.at[c].e;
            tuple = map_keep(&em->tuples, f, tuple, x.at[c].e, em->tuples.count + 1, &fresh);
        }
    }
    env      inner = {.part = f->home ? v->part : -1, .actual = given};
    quantity x =
        emit_once(em, &inner, f->def.value, (opened){f, inner.part, tuple, f->word}, a->at);
    mem_drop(em->w->m, given);
    return x;
}

/* min(a, b, c), a and b and c: from the left, in pairs. */
static expr emit_many(emitter *em, const env *v, const ast *a, expr_op op)
{
    expr x = emit(em, v, a->arg[0]);
    for (int i = 1; i < a->n; i++) x = expr_op2(&em->s.g, op, x, emit(em, v, a->arg[i]));
    return x;
}

/* mod(a, b) = a - b*floor(a/b) */
static expr emit_mod(emitter *em, const env *v, const ast *a)
{
    graph *g = &em->s.g;
    expr   x = emit(em, v, a->arg[0]), y = emit(em, v, a->arg[1]);
    return expr_sub(g, x, expr_mul(g, y, expr_op1(g, OP_FLOOR, expr_div(g, x, y))));
}

/* A condition on indices chooses now, so that what is not chosen need not exist: x[k-1] at k = 1.
 */
static expr emit_if(emitter *em, const env *v, const ast *a, bool now)
{
    if (now && is_known(em->w, v, a->arg[0]))
        return emit(em, v, a->arg[condition(em->w, v, a->arg[0]) ? 1 : 2]);
    expr c = emit(em, v, a->arg[0]), x = emit(em, v, a->arg[1]);
    return expr_if(&em->s.g, c, x, emit(em, v, a->arg[2]));
}

/* energy() is that of the system it is written in: of the whole, if that is the one that runs. */
static expr emit_energy(emitter *em, const env *v, const ast *a)
{
    spot at;
    int  of = v->part;
    emit_check_bound(em, HAS_RESULT, a->at);
    if (a->n) {
        if (!locate(em->w, v, a->arg[0], &at)) return emit_failed(em);
        of = em->w->md->child.at[index_of(em->w, MEMBER_PART, &at)];
    }
    return sheet_var(&em->s, SLOT_ENERGY, of);
}

static expr emit_momentum(emitter *em, const env *v, const ast *a)
{
    spot at;
    return locate(em->w, v, a->arg[0], &at) ? emit_coordinate(em, &at, SLOT_P, a->at)
                                            : emit_failed(em);
}

/* dot(a, b), norm(a), a component */
static expr emit_from_vectors(emitter *em, const env *v, const ast *a)
{
    const arithmetic k = emitter_arithmetic(em);
    return number_of_vectors(&k, v, a).e;
}

static expr emit_call(emitter *em, const env *v, const ast *a)
{
    const callee *f = a->ref;
    if (f->f) return emit_function(em, v, a, f->f).at[0].e;
    if (f->fold && f->b->kind != FN_IF) return emit_data(em, number(em->w, v, a));
    switch (f->b->kind) {
    case FN_OP:
    case FN_MANY:
        if (a->n == 1) return expr_op1(&em->s.g, f->b->op, emit(em, v, a->arg[0]));
        return emit_many(em, v, a, f->b->op);
    case FN_IF: return emit_if(em, v, a, f->fold);
    case FN_MOD: return emit_mod(em, v, a);
    case FN_DOT:
    case FN_NORM: return emit_from_vectors(em, v, a);
    case FN_D: return emit_derivative(em, v, a);
    case FN_P: return emit_momentum(em, v, a);
    default: return emit_energy(em, v, a);
    }
}

/* Operators. ----------------------------------------------------------------------------------- */

void emit_operand(emitter *em, expr x)
{
    vec_push(em->w->m, em->stack, x);
}

/* One sum of all operands, so that it has no depth. */
expr emit_operands(emitter *em, int first)
{
    expr x = expr_sum(&em->s.g, em->stack.at + first, em->stack.n - first);
    em->stack.n = first;
    return x;
}

/* Index k of the sum, and those after it; the innermost pushes a term. */
static void push_terms(emitter *em, env *v, const ast *a, int k)
{
    if (k == a->indices) {
        emit_operand(em, emit(em, v, a->arg[0]));
        return;
    }
    const sum_note *note = a->ref;
    int             low, high;
    if (!range(em->w, v, &a->index[k], &low, &high)) return;
    for (int i = low; i <= high && !em->w->failed; i++) {
        v->index[note->frame + k] = i;
        push_terms(em, v, a, k + 1);
    }
}

static expr emit_sum(emitter *em, const env *v, const ast *a)
{
    env inner = *v;
    int first = em->stack.n;
    push_terms(em, &inner, a, 0);
    return emit_operands(em, first);
}

static expr emit_add(emitter *em, const env *v, const ast *a)
{
    int first = em->stack.n;
    for (int i = 0; i < a->n; i++) {
        expr x = emit(em, v, a->arg[i]);
        emit_operand(em, a->flag[i] ? expr_neg(&em->s.g, x) : x);
    }
    return emit_operands(em, first);
}

static expr emit_mul(emitter *em, const env *v, const ast *a)
{
    expr x = emit(em, v, a->arg[0]);
    for (int i = 1; i < a->n; i++) {
        expr y = emit(em, v, a->arg[i]);
        x = a->flag[i] ? expr_div(&em->s.g, x, y) : expr_mul(&em->s.g, x, y);
    }
    return x;
}

/* numbers and indices only */
bool is_folded(const ast *a)
{
    const symbol *last = a->kind == AST_PATH ? path_last(a) : NULL;
    if (a->kind == AST_PATH) return last && last->kind == SYM_INDEX;
    if (a->kind == AST_SUM) return ((const sum_note *)a->ref)->fold;
    if (a->kind == AST_CALL) {
        const callee *f = a->ref;
        return f->b && f->fold && f->b->kind != FN_IF;
    }
    return a->ref == &ref_fold;
}

/* x^n: an exponent made of numbers and indices is known now, and is not data. */
static expr emit_pow(emitter *em, const env *v, const ast *a)
{
    expr x = emit(em, v, a->arg[0]);
    expr n = is_folded(a->arg[1]) ? expr_const(&em->s.g, number(em->w, v, a->arg[1]))
                                  : emit(em, v, a->arg[1]);
    return expr_pow(&em->s.g, x, n);
}

/* a > b is b < a: two operators fewer. */
static expr emit_compare(emitter *em, const env *v, const ast *a)
{
    static const struct {
        expr_op op;
        bool    swap;
    } ops[] = {[CMP_LT] = {OP_LT, false}, [CMP_LE] = {OP_LE, false}, [CMP_GT] = {OP_LT, true},
               [CMP_GE] = {OP_LE, true},  [CMP_EQ] = {OP_EQ, false}, [CMP_NE] = {OP_NE, false}};
    expr x = emit(em, v, a->arg[0]), y = emit(em, v, a->arg[1]);
    return ops[a->compare].swap ? expr_op2(&em->s.g, ops[a->compare].op, y, x)
                                : expr_op2(&em->s.g, ops[a->compare].op, x, y);
}

/* What is made of numbers and indices only becomes data of the instance, so that instances of
 * one shape do not differ in their graph. */
static expr emit_node(emitter *em, const env *v, const ast *a)
{
    if (a->kind > AST_CALL && is_folded(a)) return emit_data(em, number(em->w, v, a));
    switch (a->kind) {
    case AST_NUMBER: return expr_const(&em->s.g, a->number);
    case AST_PATH: return emit_path(em, v, a);
    case AST_PRIME: return emit_prime(em, v, a);
    case AST_CALL: return emit_call(em, v, a);
    case AST_SUM: return emit_sum(em, v, a);
    case AST_ADD: return emit_add(em, v, a);
    case AST_MUL: return emit_mul(em, v, a);
    case AST_NEG: return expr_neg(&em->s.g, emit(em, v, a->arg[0]));
    case AST_POW: return emit_pow(em, v, a);
    case AST_COMPARE: return emit_compare(em, v, a);
    case AST_AND: return emit_many(em, v, a, OP_AND);
    case AST_OR: return emit_many(em, v, a, OP_OR);
    case AST_NOT: return expr_op1(&em->s.g, OP_NOT, emit(em, v, a->arg[0]));
    case AST_COMPONENT: return emit_from_vectors(em, v, a);
    default: return emit_failed(em); /* lists are refused before */
    }
}

/* Brackets are limited by the parser; arguments that are put in place may nest beyond that. */
expr emit(emitter *em, const env *v, const ast *a)
{
    if (em->level == LEVELS) {
        world_error(em->w, a->at, NULL,
                    "expressions are nested more than %d deep through the inputs of parts", LEVELS);
        return emit_failed(em);
    }
    em->level++;
    expr x = emit_node(em, v, a);
    em->level--;
    return x;
}
