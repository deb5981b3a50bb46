/* program.c - from a graph to steps of at most three operands: sums become chains of additions from the
 * left, integer powers the multiplications that powi_value makes, with squares shared. */
#include "kernel/program.h"

#include <string.h>

/* One translation, and what each node and each operand has become. */
typedef struct {
    program     *p;
    const graph *g;
    operand     *value;       /* per node reached from a root                          */
    vec(int)     square;      /* per step: one more than the step of its square, or 0  */
    int         *leaf_square; /* the same per register of an input or a constant       */
    operand      one;         /* the constant 1, once it is needed                     */
    bool         has_one;
} translation;

static operand add_constant(program *p, double value)
{
    vec_push(p->m, p->constant, value);
    return register_operand(p->inputs + p->constant.n - 1);
}

static operand add_step(translation *t, expr_op op, int n, operand a, operand b, operand c)
{
    vec_push(t->p->m, t->p->steps, (step){op, n, {a, b, c}});
    vec_push(t->p->m, t->square, 0);
    return t->p->steps.n - 1;
}

/* x x, made once for each x */
static operand square(translation *t, operand x)
{
    int known = is_step(x) ? t->square.at[x] : t->leaf_square[operand_register(x)];
    if (known) return known - 1;
    operand y = add_step(t, OP_MUL, 2, x, x, 0);
    if (is_step(x)) t->square.at[x] = y + 1;
    else t->leaf_square[operand_register(x)] = y + 1;
    return y;
}

/* x^n by squaring: the factors x^(2^k) of the binary digits of |n|, multiplied from the lowest up */
static operand power(translation *t, operand x, int n)
{
    operand  y = 0;
    bool     started = false;
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    for (; k; k >>= 1) {
        if (k & 1) y = started ? add_step(t, OP_MUL, 2, y, x, 0) : x, started = true;
        if (k > 1) x = square(t, x);
    }
    if (n > 0) return y;
    if (!t->has_one) t->one = add_constant(t->p, 1), t->has_one = true;
    return started ? add_step(t, OP_DIV, 2, t->one, y, 0) : t->one;
}

static operand translate(translation *t, expr e)
{
    const expr_node *node = &t->g->nodes.at[e];
    const expr      *args = t->g->args.at + node->first;
    if (node->op == OP_CONST) return add_constant(t->p, node->value);
    if (node->op == OP_VAR) return register_operand(node->variable);
    if (node->op == OP_POWI) return power(t, t->value[args[0]], node->power);
    if (node->op == OP_ADD) {
        operand sum = t->value[args[0]];
        for (int i = 1; i < node->n; i++)
            sum = add_step(t, OP_ADD, 2, sum, t->value[args[i]], 0);
        return sum;
    }
    operand x[3] = {0, 0, 0};
    for (int i = 0; i < node->n; i++) x[i] = t->value[args[i]];
    return add_step(t, (expr_op)node->op, node->n, x[0], x[1], x[2]);
}

/* wanted[e]: is node e reached from a root? */
static void mark(const graph *g, const expr *roots, int n, uint8_t *wanted)
{
    for (int k = 0; k < n; k++) wanted[roots[k]] = 1;
    for (expr e = g->nodes.n - 1; e >= 0; e--) {
        const expr_node *node = &g->nodes.at[e];
        for (int i = 0; wanted[e] && i < node->n; i++) wanted[g->args.at[node->first + i]] = 1;
    }
}

static void *zeroed(mem *m, size_t count, size_t size)
{
    return memset(mem_resize(m, NULL, (count + 1) * size), 0, (count + 1) * size);
}

program program_from(mem *m, const graph *g, const expr *roots, int n, int inputs)
{
    program     p = {.m = m, .inputs = inputs, .roots = n};
    translation t = {.p = &p, .g = g};
    size_t      nodes = (size_t)g->nodes.n;
    uint8_t    *wanted = zeroed(m, nodes, sizeof *wanted);
    t.value = zeroed(m, nodes, sizeof *t.value);
    t.leaf_square = zeroed(m, nodes + (size_t)inputs + 1, sizeof *t.leaf_square);
    p.root = zeroed(m, (size_t)n, sizeof *p.root);

    mark(g, roots, n, wanted);
    for (expr e = 0; e < g->nodes.n; e++)
        if (wanted[e]) t.value[e] = translate(&t, e);
    for (int k = 0; k < n; k++) p.root[k] = t.value[roots[k]];

    vec_drop(m, t.square);
    mem_drop(m, t.leaf_square), mem_drop(m, t.value), mem_drop(m, wanted);
    return p;
}

void program_drop(program *p)
{
    mem_drop(p->m, p->root);
    vec_drop(p->m, p->steps);
    vec_drop(p->m, p->constant);
}
