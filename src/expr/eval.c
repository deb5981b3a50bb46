/* eval.c - values of expressions, slow and obvious: the oracle of the tests, the evaluator of
 * parameters, and the one that finds the node that is not finite. */
#include "expr/graph.h"

#include <math.h>
#include <string.h>

/* Sums have any number of terms, other operators at most three arguments. */
static double node_value(const graph *g, expr e, const double *vars, const double *value)
{
    const expr_node *node = node_of(g, e);
    const expr      *args = args_of(g, e);
    double           x[3] = {0, 0, 0};
    if (node->op == OP_CONST) return node->value;
    if (node->op == OP_VAR) return vars[node->variable];
    if (node->op == OP_POWI) return powi_value(value[args[0]], node->power);
    if (node->op == OP_ADD) { /* from the left */
        double sum = value[args[0]];
        for (int i = 1; i < node->n; i++) sum += value[args[i]];
        return sum;
    }
    for (int i = 0; i < node->n; i++) x[i] = value[args[i]];
    return op_value((expr_op)node->op, x[0], x[1], x[2]);
}

/* Going down, scratch says which nodes are needed; going up, it takes their values. */
double expr_eval(const graph *g, expr e, const double *vars, double *scratch)
{
    for (expr i = 0; i <= e; i++) scratch[i] = i == e;
    for (expr i = e; i >= 0; i--)
        for (int j = 0; scratch[i] != 0 && j < node_of(g, i)->n; j++) scratch[args_of(g, i)[j]] = 1;
    for (expr i = 0; i <= e; i++)
        if (scratch[i] != 0) scratch[i] = node_value(g, i, vars, scratch);
    return scratch[e];
}

double expr_eval_dense(const graph *g, expr e, const double *vars, double *scratch)
{
    for (expr i = 0; i <= e; i++) scratch[i] = node_value(g, i, vars, scratch);
    return scratch[e];
}

/* Marks the arguments of e that its value depends on: of a choice, the branch that is taken. */
static void mark_counting(const graph *g, expr e, const double *value, uint8_t *counts)
{
    const expr *args = args_of(g, e);
    switch (expr_opcode(g, e)) {
    case OP_IF:
        counts[args[0]] = 1;
        counts[value[args[0]] != 0 ? args[1] : args[2]] = 1;
        break;
    case OP_MIN: counts[value[args[0]] <= value[args[1]] ? args[0] : args[1]] = 1; break;
    case OP_MAX: counts[value[args[0]] >= value[args[1]] ? args[0] : args[1]] = 1; break;
    default:
        for (int j = 0; j < node_of(g, e)->n; j++) counts[args[j]] = 1;
    }
}

/* Is it this node that fails, and not something below it? */
static bool args_finite(const graph *g, expr e, const double *value)
{
    for (int j = 0; j < node_of(g, e)->n; j++)
        if (!isfinite(value[args_of(g, e)[j]])) return false;
    return true;
}

expr expr_nonfinite_source(const graph *g, expr e, const double *vars, double *scratch)
{
    if (isfinite(expr_eval(g, e, vars, scratch))) return EXPR_NONE;
    uint8_t *counts = mem_resize(g->m, NULL, (size_t)e + 1);
    memset(counts, 0, (size_t)e + 1);
    counts[e] = 1;
    for (expr i = e; i >= 0; i--)
        if (counts[i]) mark_counting(g, i, scratch, counts);
    /* children first: the first such node below e */
    expr found = 0;
    while (!counts[found] || isfinite(scratch[found]) || !args_finite(g, found, scratch)) found++;
    mem_drop(g->m, counts);
    return found;
}

/* Kinks. ----------------------------------------------------------------------------------------
 */

enum { BELOW = 1, DEPENDS = 2 };

/* How many of the first arguments a kink of this operator depends on; 0 if it is smooth. */
static int kink_args(expr_op op, bool edges)
{
    switch (op) {
    case OP_ABS:
    case OP_SIGN:
    case OP_FLOOR:
    case OP_IF: return 1;
    case OP_MIN:
    case OP_MAX: return 2;
    case OP_SQRT:
    case OP_POW:
    case OP_ASIN:
    case OP_ACOS:
    case OP_TAN: return edges;
    case OP_ATAN2: return edges ? 2 : 0;
    default: return 0;
    }
}

/* On one of the variables of interest, directly or through an argument. */
static uint8_t depends_of(const graph *g, expr e, const uint8_t *used, const uint8_t *mark)
{
    const expr_node *node = node_of(g, e);
    if (node->op == OP_VAR) return used[node->variable] ? DEPENDS : 0;
    for (int j = 0; j < node->n; j++)
        if (mark[args_of(g, e)[j]] & DEPENDS) return DEPENDS;
    return 0;
}

int expr_kinks(const graph *g, expr e, const uint8_t *used, bool edges, expr *out, int room)
{
    int      count = 0;
    uint8_t *mark = mem_resize(g->m, NULL, (size_t)e + 1);
    memset(mark, 0, (size_t)e + 1);
    mark[e] = BELOW;
    for (expr i = e; i >= 0; i--)
        for (int j = 0; mark[i] && j < node_of(g, i)->n; j++) mark[args_of(g, i)[j]] = BELOW;
    for (expr i = 0; i <= e; i++) {
        if (!mark[i]) continue;
        /* a node depends on what its arguments do, and these come before it */
        mark[i] |= depends_of(g, i, used, mark);
        bool kink = false;
        for (int j = kink_args(expr_opcode(g, i), edges); j-- > 0;)
            kink |= mark[args_of(g, i)[j]] & DEPENDS;
        if (kink && out && count < room) out[count] = i;
        count += kink;
    }
    mem_drop(g->m, mark);
    return count;
}
