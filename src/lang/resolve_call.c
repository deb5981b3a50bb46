/* resolve_call.c - calls: functions of the language, which know what their arguments must be, and
 * those that a model defines. */
#include "lang/symbols.h"

#include <string.h>

void refuse_rate_of_rotation(resolver *r, const symbol *s, span at)
{
    diag_error(r->ds, DAL_INVALID, at,
               mem_printf(r->l->m, "its angular velocity is spin(%s), in body axes bodyspin(%s)",
                          s->word, s->word),
               "'%s' is a rotation: it has no velocity %s'", s->word, s->word);
}

/* p(x) gets its callee here, as it would in an expression. */
symbol *resolve_state(resolver *r, scope *sc, ast *a, bool whole, const char *what)
{
    const callee *f = NULL;
    ast          *path = a;
    if (a->kind == AST_PRIME) path = a->arg[0];
    else if (a->kind == AST_CALL && a->n == 1 &&
             (!strcmp(a->word, "p") || !strcmp(a->word, "spin") || !strcmp(a->word, "bodyspin"))) {
        callee *c = mem_array(r->l->m, 1, callee);
        c->b = builtin_find(a->word), f = c, path = a->arg[0];
    }
    if (path->kind != AST_PATH) {
        diag_error(r->ds, DAL_INVALID, a->at, NULL, "%s needs a coordinate", what);
        return NULL;
    }
    symbol *s = resolve_path(r, sc, path, whole);
    a->shape = path->shape;
    if (!s) return NULL;
    if (s->kind != SYM_COORDINATE) {
        diag_error(r->ds, DAL_INVALID, path->at, NULL, "'%s' is %s; %s needs a coordinate", s->word,
                   symbol_phrase[s->kind], what);
        return NULL;
    }
    if (a->kind == AST_PRIME && symbol_turns(s) == KIND_ROTATION) {
        refuse_rate_of_rotation(r, s, a->at);
        return NULL;
    }
    if (f) a->ref = f;
    if (f && symbol_turns(s) == KIND_ROTATION && a->shape == SHAPE_MATRIX) a->shape = SHAPE_VECTOR;
    if (f && f->b->kind != FN_P && symbol_turns(s) != KIND_ROTATION) {
        diag_error(r->ds, DAL_INVALID, path->at, mem_printf(r->l->m, "its velocity is %s'", s->word),
                   "'%s' is no rotation: %s(...) needs one", s->word, a->word);
        return NULL;
    }
    return s;
}

static content resolve_spin(resolver *r, scope *sc, ast *a)
{
    const symbol *s = resolve_state(r, sc, a, false, mem_printf(r->l->m, "%s(...)", a->word));
    if (!s) return 0;
    content c = HAS_V | (!strcmp(a->word, "spin") ? HAS_Q : 0u);
    place_check(r, sc, a->at, NULL, c);
    return c;
}

static content resolve_momentum(resolver *r, scope *sc, ast *a)
{
    symbol *s = resolve_state(r, sc, a, false, "p(...)");
    if (!s) return 0;
    if (symbol_is_state(s)) {
        diag_error(r->ds, DAL_INVALID, a->at, NULL, "'%s' is a state: it has no momentum", s->word);
        return 0;
    }
    content c = s->home->hamiltonian ? HAS_PH : HAS_P;
    place_check(r, sc, a->at, NULL, c);
    return c;
}

/* energy(...) of a part, energy() of the system it is written in; only outputs may, and lets. */
static content resolve_energy(resolver *r, scope *sc, ast *a)
{
    if (a->n && a->arg[0]->kind != AST_PATH)
        diag_error(r->ds, DAL_INVALID, a->arg[0]->at, NULL, "energy(...) needs a part");
    else if (a->n) {
        symbol *s = resolve_path(r, sc, a->arg[0], false);
        if (s && (s->kind != SYM_PART || symbol_is_terminal(s)))
            diag_error(r->ds, DAL_INVALID, a->arg[0]->at, "energy() is the energy of the whole",
                       "'%s' is %s; energy(...) needs a part", s->word,
                       s->kind == SYM_PART ? "a terminal" : symbol_phrase[s->kind]);
    }
    place_check(r, sc, a->at, NULL, HAS_RESULT);
    return HAS_RESULT;
}

/* By a rotation or a direction as a whole, which then counts as a vector. */
static void check_turning_variable(resolver *r, const symbol *s, ast *x)
{
    const ast_shape whole = symbol_turns(s) == KIND_ROTATION ? SHAPE_MATRIX : SHAPE_VECTOR;
    if (x->kind == AST_PATH && x->shape == whole) x->shape = SHAPE_VECTOR;
    else
        diag_error(r->ds, DAL_INVALID, x->at,
                   mem_printf(r->l->m, "d(e, %s) is the vector of its derivatives", s->word),
                   "d(...) takes a derivative by a rotation or a direction as a whole, not by its "
                   "components, its velocity or its momentum");
}

/* d(e, x): the variable may be any of the state, wherever e may stand. */
static content resolve_derivative(resolver *r, scope *sc, ast *a)
{
    content c = resolve_quantity(r, sc, a->arg[0]);
    const symbol *s = resolve_state(r, sc, a->arg[1], false, "the second argument of d(...)");
    if (s && symbol_turns(s)) check_turning_variable(r, s, a->arg[1]);
    return c & ~(content)HAS_INDEX ? c : c | HAS_PARAMETER;
}

/* if(k == 1, ...) can choose while the model is made, if the parameters in it are known by then. */
static content resolve_if(resolver *r, scope *sc, ast *a, callee *f)
{
    content c = resolve_condition(r, sc, a->arg[0]);
    f->fold = (c & (HAS_INDEX | HAS_FORMAL)) && !(c & ~(content)(HAS_CONSTANTS | HAS_FORMAL));
    return c | resolve_quantity(r, sc, a->arg[1]) | resolve_quantity(r, sc, a->arg[2]);
}

static content resolve_arguments(resolver *r, scope *sc, ast *a)
{
    content c = 0;
    for (int i = 0; i < a->n; i++) c |= resolve_quantity(r, sc, a->arg[i]);
    return c;
}

/* What the body holds, and what the arguments hold in its place; where the body takes a rate of
 * an argument, the argument must have one. */
static content resolve_user_call(resolver *r, scope *sc, ast *a, callee *called, symbol *f)
{
    content body = resolve_definition(r, &f->def, a->at), args = 0;
    for (int i = 0; i < a->n; i++) {
        if (f->formal[i]->structural) {
            resolve_structural(r, sc, a->arg[i]);
            args |= HAS_PARAMETER; /* never folded: the structure depends on it */
        } else args |= resolve_quantity(r, sc, a->arg[i]);
    }
    symbol *variant = function_variant(r, f, a);
    if (variant != f) resolve_definition(r, &variant->def, a->at);
    called->f = variant;
    a->shape = variant->def.state == SEEN ? variant->shape : SHAPE_UNKNOWN;
    if (body & HAS_FORMAL_RATE) {
        scope inner = *sc;
        inner.at = PLACE_PRIME;
        place_check(r, &inner, a->at, f->word, args);
        args = content_rate(args);
    }
    content c = (body & ~(content)(HAS_FORMAL | HAS_FORMAL_RATE)) | args;
    place_check(r, sc, a->at, f->word, c);
    return c;
}

/* dot(x) of other languages is a velocity, and norm takes one vector. */
static const char *count_hint(const ast *a)
{
    if (!strcmp(a->word, "dot") && a->n == 1) return "the velocity of x is x'";
    return !strcmp(a->word, "norm") ? "of a vector: norm([x, y, 0])" : NULL;
}

/* most < 0: any number from `least` on. */
static bool check_count(resolver *r, const ast *a, int least, int most)
{
    if (a->n >= least && (most < 0 || a->n <= most)) return true;
    const char *more = most < 0 ? " or more" : "", *hint = count_hint(a);
    if (most > least)
        diag_error(r->ds, DAL_INVALID, a->op_at, hint, "'%s' takes %d or %d arguments, not %d",
                   a->word, least, most, a->n);
    else
        diag_error(r->ds, DAL_INVALID, a->op_at, hint, "'%s' takes %d%s argument%s, not %d",
                   a->word, least, more, least == 1 ? "" : "s", a->n);
    return false;
}

/* What a function of the language holds is what its arguments hold. */
static content resolve_builtin(resolver *r, scope *sc, ast *a, callee *called)
{
    switch (called->b->kind) {
    case FN_IF: return resolve_if(r, sc, a, called);
    case FN_D: return resolve_derivative(r, sc, a);
    case FN_P: return resolve_momentum(r, sc, a);
    case FN_ENERGY: return resolve_energy(r, sc, a);
    case FN_SPIN:
    case FN_BODYSPIN: return resolve_spin(r, sc, a);
    case FN_ROTATION:
    case FN_QUATERNION:
        if (sc->at != PLACE_START)
            diag_error(r->ds, DAL_INVALID, a->at, "type 'start R = rotation([0, 0, 1], 0.5)'",
                       "%s(...) is where a rotation starts", a->word);
        break;
    default: break;
    }
    content c = resolve_arguments(r, sc, a);
    called->fold = c == HAS_INDEX;
    return c;
}

/* Sets a->ref. A function of the language comes before one of the model, which may not have its
 * name, unless it yields. */
content resolve_call(resolver *r, scope *sc, ast *a)
{
    const builtin *b = builtin_find(a->word);
    symbol        *f = b && !b->yields ? NULL : find_function(sc, a->word);
    if (f) b = NULL;
    if (!b && !f) {
        unknown_function(r, sc, a);
        return 0;
    }
    if (b ? !check_count(r, a, b->least, b->most)
          : !check_count(r, a, f->of->formals, f->of->formals))
        return 0;
    callee *called = mem_array(r->l->m, 1, callee);
    *called = (callee){.b = b, .f = f};
    a->ref = called;
    if (f) {
        f->used = true;
        return resolve_user_call(r, sc, a, called, f);
    }
    content c = resolve_builtin(r, sc, a, called);
    a->shape = shape_of_call(r, a, b);
    return c;
}
