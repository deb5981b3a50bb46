/* vectors.c - the algebra of vectors and matrices, and the operators of the language that stand for
 * it. */
#include "lang/vectors.h"

/* Algebra. ------------------------------------------------------------------------------------- */

static scalar sum2(const arithmetic *k, scalar a, scalar b)
{
    const scalar both[] = {a, b};
    return k->sum(k->self, both, 2);
}

/*     a b - c d */
static scalar minor(const arithmetic *k, scalar a, scalar b, scalar c, scalar d)
{
    const scalar second = k->product(k->self, c, d);
    return sum2(k, k->product(k->self, a, b), k->negative(k->self, second));
}

/* All terms of a component make one sum. */
quantity quantity_sum(const arithmetic *k, const quantity *term, int n, ast_shape shape)
{
    quantity out = {.shape = shape, .diagonal = true};
    scalar  *list = mem_resize(k->w->m, NULL, (size_t)(n + 1) * sizeof *list);
    for (int i = 0; i < n; i++) out.diagonal &= term[i].diagonal;
    for (int c = 0; c < components_of(shape); c++) {
        for (int i = 0; i < n; i++) list[i] = term[i].at[c];
        out.at[c] = n ? k->sum(k->self, list, n) : k->constant(k->self, 0);
    }
    mem_drop(k->w->m, list);
    return out;
}

quantity quantity_negative(const arithmetic *k, quantity a)
{
    for (int c = 0; c < components_of(a.shape); c++) a.at[c] = k->negative(k->self, a.at[c]);
    a.rotation = false, a.turned = 0;
    return a;
}

/*     (M a)_i = sum_j M_ij a_j */
static quantity applied(const arithmetic *k, const quantity *m, const quantity *a)
{
    quantity out = {.shape = SHAPE_VECTOR};
    for (int i = 0; i < 3; i++) {
        scalar term[3];
        for (int j = 0; j < 3; j++)
            if (!m->diagonal || i == j) term[j] = k->product(k->self, m->at[3 * i + j], a->at[j]);
        out.at[i] = m->diagonal ? term[i] : k->sum(k->self, term, 3);
    }
    return out;
}

/*     (M N)_ij = sum_k M_ik N_kj, column by column */
static quantity composed(const arithmetic *k, const quantity *m, const quantity *n)
{
    quantity out = {.shape = SHAPE_MATRIX,
                    .diagonal = m->diagonal && n->diagonal,
                    .rotation = m->rotation && n->rotation};
    for (int j = 0; j < 3; j++) {
        quantity a = {.shape = SHAPE_VECTOR};
        for (int i = 0; i < 3; i++) a.at[i] = n->at[3 * i + j];
        a = applied(k, m, &a);
        for (int i = 0; i < 3; i++) out.at[3 * i + j] = a.at[i];
    }
    return out;
}

/* One of them is a number, unless the first is a matrix. R^-1 (R b) is b itself. */
quantity quantity_times(const arithmetic *k, quantity a, quantity b)
{
    if (a.shape == SHAPE_MATRIX && b.shape == SHAPE_VECTOR && a.turned < 0 && b.turned == -a.turned)
        return quantity_slice(&b, 3, SHAPE_VECTOR);
    if (a.shape == SHAPE_MATRIX && b.shape == SHAPE_VECTOR) return applied(k, &a, &b);
    if (a.shape == SHAPE_MATRIX && b.shape == SHAPE_MATRIX) return composed(k, &a, &b);
    quantity out = a.shape == SHAPE_NUMBER ? b : a;
    out.rotation = false, out.turned = 0;
    for (int c = 0; c < components_of(out.shape); c++)
        out.at[c] = k->product(k->self, a.at[a.shape == SHAPE_NUMBER ? 0 : c],
                               b.at[b.shape == SHAPE_NUMBER ? 0 : c]);
    return out;
}

quantity quantity_over(const arithmetic *k, quantity a, quantity b)
{
    for (int c = 0; c < components_of(a.shape); c++)
        a.at[c] = k->quotient(k->self, a.at[c], b.at[0]);
    a.rotation = false, a.turned = 0;
    return a;
}

quantity quantity_slice(const quantity *of, int first, ast_shape shape)
{
    quantity out = {.shape = shape,
                    .diagonal = of->diagonal && shape == SHAPE_MATRIX,
                    .rotation = of->rotation && shape == SHAPE_MATRIX};
    for (int c = 0; c < components_of(shape); c++) out.at[c] = of->at[first + c];
    return out;
}

/*     (a x b)_i = a_{i+1} b_{i+2} - a_{i+2} b_{i+1} */
quantity quantity_cross(const arithmetic *k, const quantity *a, const quantity *b)
{
    quantity out = {.shape = SHAPE_VECTOR};
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, p = (i + 2) % 3;
        out.at[i] = minor(k, a->at[n], b->at[p], a->at[p], b->at[n]);
    }
    return out;
}

static scalar dot(const arithmetic *k, const quantity *a, const quantity *b)
{
    scalar term[3];
    for (int i = 0; i < 3; i++) term[i] = k->product(k->self, a->at[i], b->at[i]);
    return k->sum(k->self, term, 3);
}

static quantity diagonal(const arithmetic *k, const quantity *a)
{
    quantity out = {.shape = SHAPE_MATRIX, .diagonal = true};
    for (int c = 0; c < 9; c++) out.at[c] = c % 4 ? k->constant(k->self, 0) : a->at[c / 4];
    return out;
}

/* C_ij, the cofactor: its rows and columns go around, so that no sign is needed. */
static scalar cofactor(const arithmetic *k, const quantity *m, int i, int j)
{
    const int n = (i + 1) % 3, p = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
    return minor(k, m->at[3 * n + r], m->at[3 * p + s], m->at[3 * n + s], m->at[3 * p + r]);
}

/*     (M^-1)_ij = C_ji / det M,   det M = sum_j M_1j C_1j */
static quantity inverse(const arithmetic *k, const quantity *m)
{
    quantity out = {.shape = SHAPE_MATRIX, .diagonal = m->diagonal, .rotation = m->rotation};
    scalar   term[3], det;
    for (int c = 0; c < 9 && m->rotation; c++) out.at[c] = m->at[3 * (c % 3) + c / 3];
    out.turned = -m->turned;
    if (m->rotation) return out;
    if (m->diagonal) {
        for (int c = 0; c < 9; c++)
            out.at[c] = c % 4 ? k->constant(k->self, 0)
                              : k->quotient(k->self, k->constant(k->self, 1), m->at[c]);
        return out;
    }
    for (int j = 0; j < 3; j++) term[j] = k->product(k->self, m->at[j], cofactor(k, m, 0, j));
    det = k->sum(k->self, term, 3);
    for (int c = 0; c < 9; c++) out.at[c] = k->quotient(k->self, cofactor(k, m, c % 3, c / 3), det);
    return out;
}

/* Expressions. --------------------------------------------------------------------------------- */

/* The component that is asked for, from 0; wrong ones are told, and taken for the first. */
static int component_index(const arithmetic *k, const env *v, const ast *a)
{
    int i = 1;
    if (whole(k->w, v, a->arg[1], &i) && (i < 1 || i > 3)) {
        world_error(k->w, a->arg[1]->at, "components go from 1 to 3", "there is no component %d",
                    i);
        i = 1;
    }
    return i - 1;
}

scalar number_of_vectors(const arithmetic *k, const env *v, const ast *a)
{
    const quantity x = quantity_of(k, v, a->arg[0]);
    if (a->kind == AST_COMPONENT) return x.at[component_index(k, v, a)];
    if (a->n == 1) return k->root(k->self, dot(k, &x, &x));
    const quantity y = quantity_of(k, v, a->arg[1]);
    return dot(k, &x, &y);
}

static quantity of_call(const arithmetic *k, const env *v, const ast *a)
{
    const builtin *b = ((const callee *)a->ref)->b;
    if (!b || b->kind < FN_DOT) return k->leaf(k->self, v, a);
    const quantity x = quantity_of(k, v, a->arg[0]);
    if (b->kind == FN_DIAG) return diagonal(k, &x);
    if (b->kind == FN_INV) return inverse(k, &x);
    const quantity y = quantity_of(k, v, a->arg[1]);
    return quantity_cross(k, &x, &y);
}

static quantity of_list(const arithmetic *k, const env *v, const ast *a)
{
    quantity out = {.shape = SHAPE_VECTOR};
    for (int i = 0; i < 3; i++) out.at[i] = k->number(k->self, v, a->arg[i]);
    return out;
}

static quantity of_terms(const arithmetic *k, const env *v, const ast *a)
{
    quantity *term = mem_resize(k->w->m, NULL, (size_t)a->n * sizeof *term);
    for (int i = 0; i < a->n; i++) {
        term[i] = quantity_of(k, v, a->arg[i]);
        if (a->flag[i]) term[i] = quantity_negative(k, term[i]);
    }
    quantity out = quantity_sum(k, term, a->n, a->shape);
    mem_drop(k->w->m, term);
    return out;
}

static quantity of_product(const arithmetic *k, const env *v, const ast *a)
{
    quantity x = quantity_of(k, v, a->arg[0]);
    for (int i = 1; i < a->n; i++) {
        const quantity y = quantity_of(k, v, a->arg[i]);
        x = a->flag[i] ? quantity_over(k, x, y) : quantity_times(k, x, y);
    }
    return x;
}

typedef vec(quantity) quantities;

/* Index i of the sum, and those after it; the innermost pushes a term. */
static void push_terms(const arithmetic *k, env *v, const ast *a, int i, quantities *out)
{
    const sum_note *note = a->ref;
    int             low, high;
    if (i == a->indices) {
        const quantity x = quantity_of(k, v, a->arg[0]);
        vec_push(k->w->m, *out, x);
        return;
    }
    if (!range(k->w, v, &a->index[i], &low, &high)) return;
    for (int x = low; x <= high && !k->w->failed; x++) {
        v->index[note->frame + i] = x;
        push_terms(k, v, a, i + 1, out);
    }
}

static quantity of_sum(const arithmetic *k, const env *v, const ast *a)
{
    quantities list = {0};
    env        inner = *v;
    push_terms(k, &inner, a, 0, &list);
    quantity out = quantity_sum(k, list.at, list.n, a->shape);
    vec_drop(k->w->m, list);
    return out;
}

/* Row i of a matrix. */
static quantity of_row(const arithmetic *k, const env *v, const ast *a)
{
    const quantity m = quantity_of(k, v, a->arg[0]);
    return quantity_slice(&m, 3 * component_index(k, v, a), SHAPE_VECTOR);
}

static quantity of_negative(const arithmetic *k, const env *v, const ast *a)
{
    return quantity_negative(k, quantity_of(k, v, a->arg[0]));
}

/* A call through a table: lets nest a thousand deep, and each level needs the room of one kind. */
static quantity of_node(const arithmetic *k, const env *v, const ast *a)
{
    typedef quantity      of_kind(const arithmetic *k, const env *v, const ast *a);
    static of_kind *const table[] = {
        [AST_LIST] = of_list,    [AST_ADD] = of_terms, [AST_MUL] = of_product,
        [AST_NEG] = of_negative, [AST_SUM] = of_sum,   [AST_COMPONENT] = of_row,
        [AST_CALL] = of_call};
    const size_t kinds = sizeof table / sizeof *table;
    of_kind     *of = a->kind < kinds ? table[a->kind] : NULL;
    return of ? of(k, v, a) : k->leaf(k->self, v, a);
}

/* Brackets are limited by the parser; arguments that are put in place may nest beyond that. */
quantity quantity_of(const arithmetic *k, const env *v, const ast *a)
{
    quantity out = {.shape = a->shape};
    if (a->shape == SHAPE_NUMBER) {
        out.at[0] = k->number(k->self, v, a);
        return out;
    }
    if (*k->level == LEVELS) {
        world_error(k->w, a->at, NULL,
                    "expressions are nested more than %d deep through the inputs of parts", LEVELS);
        for (int c = 0; c < MOST_COMPONENTS; c++) out.at[c] = k->constant(k->self, 0);
        return out;
    }
    ++*k->level;
    out = of_node(k, v, a);
    --*k->level;
    return out;
}
