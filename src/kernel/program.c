/* program.c - from a graph to steps of at most three operands: sums become chains of additions and
 * subtractions (sums.c says from which end), integer powers the multiplications that powi_value
 * makes. Equal steps are made once, so that powers share their squares and sums their beginnings.
 */
#include "kernel/program.h"

#include <string.h>

/* One translation, and what each node has become. */
typedef struct {
    program     *p;
    const graph *g;
    uint8_t     *right; /* per node: see sums.c                                          */
    operand     *value; /* per node reached from a root                                  */
    int         *table; /* one more than a step, or 0: open addressing, by step contents */
    size_t       room;  /* of the table, a power of two                                  */
    operand      one;   /* the constant 1, once it is needed                             */
    bool         has_one, any_zero;
} translation;

static operand add_constant(program *p, double value)
{
    vec_push(p->m, p->constant, value);
    return register_operand(p->inputs + p->constant.n - 1);
}

/* Of what equal compares. */
static size_t hash(const step *s)
{
    uint64_t h = (uint64_t)s->op;
    for (int i = 0; i < 3; i++) h = (h ^ (uint32_t)s->arg[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return (size_t)h;
}

static bool equal(const step *a, const step *b)
{
    return a->op == b->op && !memcmp(a->arg, b->arg, sizeof a->arg);
}

/* Where the step is in the table, or would be. */
static int *lookup(const translation *t, const step *s)
{
    size_t at = hash(s) & (t->room - 1);
    while (t->table[at] && !equal(&t->p->steps.at[t->table[at] - 1], s))
        at = (at + 1) & (t->room - 1);
    return &t->table[at];
}

/* The table holds numbers of steps, so that it can be filled again from these. */
static void grow_table(translation *t)
{
    t->room = t->room ? 2 * t->room : 64;
    t->table = mem_resize(t->p->m, t->table, t->room * sizeof *t->table);
    memset(t->table, 0, t->room * sizeof *t->table);
    for (int i = 0; i < t->p->steps.n; i++) *lookup(t, &t->p->steps.at[i]) = i + 1;
}

/* The step that does this, or a new one. */
static operand add_step(translation *t, expr_op op, int n, operand a, operand b, operand c)
{
    step s = {op, n, {a, b, c}};
    if (2 * (size_t)t->p->steps.n >= t->room) grow_table(t);
    int *known = lookup(t, &s);
    if (!*known) {
        vec_push(t->p->m, t->p->steps, s);
        *known = t->p->steps.n;
    }
    return *known - 1;
}

/* Is there such a step? */
static bool find_step(const translation *t, expr_op op, operand a, operand b, operand *found)
{
    const step s = {op, 2, {a, b, 0}};
    const int  known = t->room ? *lookup(t, &s) : 0;
    *found = known - 1;
    return known;
}

/* x^2; of a root that is a factor besides, so that NaN stays, what it is the root of. */
static operand square(translation *t, operand x, bool besides)
{
    const bool made = is_step(x) && x < t->p->steps.n;
    if (besides && made && t->p->steps.at[x].op == OP_SQRT) return t->p->steps.at[x].arg[0];
    return add_step(t, OP_MUL, 2, x, x, 0);
}

/* x^n by squaring: the factors x^(2^k) of the binary digits of |n|, from the lowest up */
static operand power(translation *t, operand x, int n)
{
    operand  y = 0;
    bool     started = false;
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    for (; k; k >>= 1) {
        if (k & 1) y = started ? add_step(t, OP_MUL, 2, y, x, 0) : x, started = true;
        if (k > 1) x = square(t, x, started);
    }
    if (n > 0) return y;
    if (!t->has_one) t->one = add_constant(t->p, 1), t->has_one = true;
    return started ? add_step(t, OP_DIV, 2, t->one, y, 0) : t->one;
}

/* Sums: x + (-y) is x - y, and (-x) + y is y - x, so that the negatives are not needed. ------- */

static bool is_negative(const graph *g, expr e)
{
    return g->nodes.at[e].op == OP_NEG;
}

/* The terms of a sum in the order in which they are added. */
typedef struct {
    const graph *g;
    const expr  *term;
    int          n;
    bool         right;
} addends;

/* The i-th in the order of adding. */
static expr addend(const addends *a, int i)
{
    return a->term[a->right ? a->n - 1 - i : i];
}

/* Is term i of a sum a negative that is subtracted? The first one is if it can change places. */
static bool subtracted(const addends *a, int i)
{
    return is_negative(a->g, addend(a, i)) && (i > 0 || !is_negative(a->g, addend(a, 1)));
}

/* What term i contributes: itself, or what is subtracted. */
static expr contribution(const addends *a, int i)
{
    const expr e = addend(a, i);
    return subtracted(a, i) ? a->g->args.at[a->g->nodes.at[e].first] : e;
}

/* right[e]: from which end its terms are added (sums.c). */
static addends addends_of(const graph *g, const uint8_t *right, expr e)
{
    const expr_node *node = &g->nodes.at[e];
    return (addends){g, g->args.at + node->first, node->n, right[e]};
}

/* The first two of at least three terms as a difference whose opposite is known? */
static bool find_opposite(const translation *t, const addends *a, operand *opposite)
{
    const bool turned = subtracted(a, 0);
    operand    x = t->value[contribution(a, turned)], y = t->value[contribution(a, !turned)], same;
    if (!t->any_zero || a->n < 3 || (!turned && !subtracted(a, 1))) return false;
    return !find_step(t, OP_SUB, x, y, &same) && find_step(t, OP_SUB, y, x, opposite);
}

/* x - y - z as -((y - x) + z): what is added up is the opposite, until a term that is not
 * subtracted turns it. */
static operand sum_of_opposite(translation *t, const addends *a, operand x)
{
    bool opposite = true;
    for (int i = 2; i < a->n; i++) {
        const operand y = t->value[contribution(a, i)];
        const bool    less = subtracted(a, i);
        if (opposite && !less) x = add_step(t, OP_SUB, 2, y, x, 0), opposite = false;
        else x = add_step(t, less != opposite ? OP_SUB : OP_ADD, 2, x, y, 0);
    }
    return opposite ? add_step(t, OP_NEG, 1, x, 0, 0) : x;
}

/* From the first term on; a negative first term changes places with the second, so that x is
 * made by one subtraction. */
static operand sum(translation *t, expr e)
{
    const addends a = addends_of(t->g, t->right, e);
    bool          turned = subtracted(&a, 0);
    operand       x = t->value[contribution(&a, 0)], opposite;
    if (find_opposite(t, &a, &opposite)) return sum_of_opposite(t, &a, opposite);
    for (int i = 1; i < a.n; i++) {
        operand y = t->value[contribution(&a, i)];
        if (i == 1 && turned) x = add_step(t, OP_SUB, 2, y, x, 0);
        else x = add_step(t, subtracted(&a, i) ? OP_SUB : OP_ADD, 2, x, y, 0);
    }
    return x;
}

/* -(-x) is x. */
static operand negative(translation *t, operand x)
{
    const bool made = is_step(x) && x < t->p->steps.n;
    if (made && t->p->steps.at[x].op == OP_NEG) return t->p->steps.at[x].arg[0];
    return add_step(t, OP_NEG, 1, x, 0, 0);
}

/* Arguments come first in the graph, so their operands are known. */
static operand translate(translation *t, expr e)
{
    const expr_node *node = &t->g->nodes.at[e];
    const expr      *args = t->g->args.at + node->first;
    if (node->op == OP_CONST) return add_constant(t->p, node->value);
    if (node->op == OP_VAR) return register_operand(node->variable);
    if (node->op == OP_POWI) return power(t, t->value[args[0]], node->power);
    if (node->op == OP_ADD) return sum(t, e);
    if (node->op == OP_NEG) return negative(t, t->value[args[0]]);
    operand x[3] = {0, 0, 0};
    for (int i = 0; i < node->n; i++) x[i] = t->value[args[i]];
    return add_step(t, (expr_op)node->op, node->n, x[0], x[1], x[2]);
}

/* wanted[e]: is node e reached from a root? */
static void mark(const graph *g, const uint8_t *right, const expr *roots, int n, uint8_t *wanted)
{
    for (int k = 0; k < n; k++) wanted[roots[k]] = 1;
    for (expr e = g->nodes.n - 1; e >= 0; e--) {
        const addends a = addends_of(g, right, e);
        for (int i = 0; wanted[e] && i < a.n; i++)
            wanted[g->nodes.at[e].op == OP_ADD ? contribution(&a, i) : a.term[i]] = 1;
    }
}

static void *zeroed(mem *m, size_t count, size_t size)
{
    return memset(mem_resize(m, NULL, (count + 1) * size), 0, (count + 1) * size);
}

/* The caller drops the program. */
program program_from(mem *m, const graph *g, const expr *roots, int n, int inputs, bool any_zero)
{
    program     p = {.m = m, .inputs = inputs, .roots = n};
    translation t = {.p = &p, .g = g, .any_zero = any_zero};
    size_t      nodes = (size_t)g->nodes.n;
    uint8_t    *wanted = zeroed(m, nodes, sizeof *wanted);
    t.value = zeroed(m, nodes, sizeof *t.value);
    p.root = zeroed(m, (size_t)n, sizeof *p.root);

    /* which nodes are needed depends on how sums are added, so that is decided first */
    t.right = sums_from_right(m, g);
    mark(g, t.right, roots, n, wanted);
    for (expr e = 0; e < g->nodes.n; e++)
        if (wanted[e]) t.value[e] = translate(&t, e);
    for (int k = 0; k < n; k++) p.root[k] = t.value[roots[k]];

    mem_drop(m, t.table), mem_drop(m, t.value), mem_drop(m, wanted), mem_drop(m, t.right);
    return p;
}

void program_drop(program *p)
{
    mem_drop(p->m, p->root);
    vec_drop(p->m, p->steps);
    vec_drop(p->m, p->constant);
}
