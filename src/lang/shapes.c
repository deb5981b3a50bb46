/* shapes.c - numbers, vectors and matrices: what operators and functions make of them, and what
 * cannot be combined. */
#include "lang/symbols.h"

const char *shape_phrase(ast_shape s)
{
    static const char *const phrase[] = {"a number", "a vector", "a matrix", "it"};
    return phrase[s];
}

bool same_shapes(ast_shape a, ast_shape b)
{
    return a == b || a == SHAPE_UNKNOWN || b == SHAPE_UNKNOWN;
}

/* The size must be written as a number, so that a parameter does not decide what an expression is;
 * that of a vector which is the value of a let is three. */
bool counts_three(const symbol *s, int dimension)
{
    if (dimension >= s->dims - rank_of(s->shape)) return true;
    const ast_index *x = &s->of->slot.extent[dimension].range;
    const bool literal = x->high->kind == AST_NUMBER && (!x->low || x->low->kind == AST_NUMBER);
    return literal && x->high->number - (x->low ? x->low->number : 1) + 1 == 3;
}

/* What is declared as `axis`, with a vector for its value, is axis[1..3]. */
void symbol_takes(symbol *s, ast_shape shape)
{
    s->shape = shape;
    if (s->kind == SYM_FUNCTION) return;
    s->dims += rank_of(shape);
    if (rank_of(shape) && s->home) s->home->scalar = false;
}

/* What to write instead of a number. */
static const char *number_of(ast_shape s)
{
    return s == SHAPE_VECTOR ? "a vector a has components a[1], a[2], a[3] and the length norm(a)"
                             : "a matrix M has components M[1][1] ...";
}

/* who: what needs it, "'sin'"; NULL: its place. */
bool check_shape(resolver *r, const ast *a, ast_shape wanted, const char *who)
{
    if (same_shapes(a->shape, wanted)) return true;
    const char *hint =
        wanted == SHAPE_NUMBER                               ? number_of(a->shape)
        : wanted == SHAPE_VECTOR && a->shape == SHAPE_NUMBER ? "a vector is written [x, y, z]"
        : wanted == SHAPE_MATRIX ? "a matrix is diag([a, b, c]) or a parameter M[3][3]"
                                 : NULL;
    if (who)
        diag_error(r->ds, DAL_INVALID, a->at, hint, "%s needs %s, not %s", who,
                   shape_phrase(wanted), shape_phrase(a->shape));
    else
        diag_error(r->ds, DAL_INVALID, a->at, hint, "%s where %s is needed", shape_phrase(a->shape),
                   shape_phrase(wanted));
    return false;
}

static ast_shape refuse(resolver *r, const ast *at, const char *hint, const char *what)
{
    diag_error(r->ds, DAL_INVALID, at->at, hint, "%s", what);
    return SHAPE_UNKNOWN;
}

/* Operands of + and - are alike. */
static ast_shape shape_of_terms(resolver *r, const ast *a)
{
    ast_shape s = a->arg[0]->shape;
    for (int i = 1; i < a->n; i++) {
        const ast_shape next = a->arg[i]->shape;
        if (!same_shapes(s, next)) {
            diag_error(r->ds, DAL_INVALID, a->arg[i]->at, NULL, "%s and %s cannot be %s",
                       shape_phrase(s), shape_phrase(next), a->flag[i] ? "subtracted" : "added");
            return SHAPE_UNKNOWN;
        }
        if (s == SHAPE_UNKNOWN) s = next;
    }
    return s;
}

/* a*b: with a number anything can be multiplied, with a matrix what stands behind it. */
static ast_shape product(resolver *r, const ast *at, ast_shape a, ast_shape b)
{
    if (a == SHAPE_UNKNOWN || b == SHAPE_UNKNOWN) return SHAPE_UNKNOWN;
    if (a == SHAPE_NUMBER) return b;
    if (b == SHAPE_NUMBER) return a;
    if (a == SHAPE_MATRIX) return b; /* of a vector, or of a matrix */
    if (a == SHAPE_VECTOR && b == SHAPE_VECTOR)
        return refuse(r, at, "dot(a, b) is a number, cross(a, b) a vector",
                      "'*' does not multiply two vectors");
    return refuse(r, at, "write the matrix first: M*a", "a matrix behind a vector");
}

static ast_shape shape_of_product(resolver *r, const ast *a)
{
    ast_shape s = a->arg[0]->shape;
    for (int i = 1; i < a->n; i++) {
        const ast *b = a->arg[i];
        if (a->flag[i] && !same_shapes(b->shape, SHAPE_NUMBER)) {
            diag_error(r->ds, DAL_INVALID, b->at,
                       b->shape == SHAPE_MATRIX ? "write inv(M)*a"
                                                : "divide by its length, norm(a)",
                       "nothing can be divided by %s", shape_phrase(b->shape));
            return SHAPE_UNKNOWN;
        }
        if (!a->flag[i]) s = product(r, b, s, b->shape);
    }
    return s;
}

static ast_shape shape_of_power(resolver *r, const ast *a)
{
    if (a->arg[0]->shape == SHAPE_VECTOR)
        return refuse(r, a->arg[0], "its square is dot(a, a)", "a vector has no powers");
    return check_shape(r, a->arg[0], SHAPE_NUMBER, "'^'") &&
                   check_shape(r, a->arg[1], SHAPE_NUMBER, "an exponent")
               ? SHAPE_NUMBER
               : SHAPE_UNKNOWN;
}

/* A list within an expression. */
static ast_shape shape_of_list(resolver *r, const ast *a)
{
    for (int i = 0; i < a->n; i++) {
        if (a->arg[i]->kind == AST_LIST)
            return refuse(r, a->arg[i], "a matrix is diag([a, b, c]) or a parameter M[3][3]",
                          "a list within a list is no part of an expression");
        if (!check_shape(r, a->arg[i], SHAPE_NUMBER, "a component")) return SHAPE_UNKNOWN;
    }
    if (a->n == 3) return SHAPE_VECTOR;
    diag_error(r->ds, DAL_INVALID, a->at, "a vector has three: [x, y, z]",
               "a list of %d number%s is no vector", a->n, a->n == 1 ? "" : "s");
    return SHAPE_UNKNOWN;
}

static ast_shape shape_of_component(resolver *r, const ast *a)
{
    switch (a->arg[0]->shape) {
    case SHAPE_VECTOR: return SHAPE_NUMBER;
    case SHAPE_MATRIX: return SHAPE_VECTOR;
    case SHAPE_NUMBER: return refuse(r, a->arg[0], NULL, "a number has no components");
    default: return SHAPE_UNKNOWN;
    }
}

/* The operands are known. Conditions are made of numbers. */
ast_shape shape_of_operator(resolver *r, const ast *a)
{
    switch (a->kind) {
    case AST_ADD: return shape_of_terms(r, a);
    case AST_MUL: return shape_of_product(r, a);
    case AST_NEG: return a->arg[0]->shape;
    case AST_POW: return shape_of_power(r, a);
    case AST_LIST: return shape_of_list(r, a);
    case AST_COMPONENT: return shape_of_component(r, a);
    case AST_COMPARE:
        if (check_shape(r, a->arg[0], SHAPE_NUMBER, "a comparison"))
            check_shape(r, a->arg[1], SHAPE_NUMBER, "a comparison");
        return SHAPE_NUMBER;
    default: return SHAPE_NUMBER;
    }
}

/* d(e, x): one of the two may be a vector. */
static ast_shape shape_of_derivative(resolver *r, const ast *a)
{
    const ast_shape of = a->arg[0]->shape, by = a->arg[1]->shape;
    if (of == SHAPE_NUMBER || by == SHAPE_UNKNOWN) return by;
    if (by == SHAPE_NUMBER || of == SHAPE_UNKNOWN) return of;
    return refuse(r, a, "take the derivatives of its components",
                  "the derivative of a vector by a vector is no vector");
}

static ast_shape shape_of_choice(resolver *r, const ast *a)
{
    const ast_shape x = a->arg[1]->shape, y = a->arg[2]->shape;
    if (same_shapes(x, y)) return x == SHAPE_UNKNOWN ? y : x;
    diag_error(r->ds, DAL_INVALID, a->arg[2]->at, NULL, "'if' chooses between %s and %s",
               shape_phrase(x), shape_phrase(y));
    return SHAPE_UNKNOWN;
}

/* Of the functions of the language; those not in the table are of numbers. */
ast_shape shape_of_call(resolver *r, const ast *a, const builtin *b)
{
    static const struct {
        ast_shape takes, gives;
    } row[] = {[FN_DOT] = {SHAPE_VECTOR, SHAPE_NUMBER},
               [FN_CROSS] = {SHAPE_VECTOR, SHAPE_VECTOR},
               [FN_NORM] = {SHAPE_VECTOR, SHAPE_NUMBER},
               [FN_DIAG] = {SHAPE_VECTOR, SHAPE_MATRIX},
               [FN_INV] = {SHAPE_MATRIX, SHAPE_MATRIX}};
    const char *who = mem_printf(r->l->m, "'%s'", b->word);
    bool        fine = true;
    if (b->kind == FN_D) return shape_of_derivative(r, a);
    if (b->kind == FN_P || b->kind == FN_SPIN || b->kind == FN_BODYSPIN) return a->shape;
    if (b->kind == FN_ROTATION)
        return check_shape(r, a->arg[0], SHAPE_VECTOR, who) &&
                       check_shape(r, a->arg[1], SHAPE_NUMBER, who)
                   ? SHAPE_MATRIX
                   : SHAPE_UNKNOWN;
    if (b->kind == FN_IF) return shape_of_choice(r, a);
    if (b->kind == FN_ENERGY) return SHAPE_NUMBER;
    const bool of_vectors = b->kind >= FN_DOT;
    for (int i = 0; i < a->n && fine; i++)
        fine = check_shape(r, a->arg[i], of_vectors ? row[b->kind].takes : SHAPE_NUMBER, who);
    if (b->kind == FN_QUATERNION) return fine ? SHAPE_MATRIX : SHAPE_UNKNOWN;
    return !fine ? SHAPE_UNKNOWN : of_vectors ? row[b->kind].gives : SHAPE_NUMBER;
}
