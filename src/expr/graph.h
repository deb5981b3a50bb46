/* graph.h - the one way a node comes into being; for the files of this layer. */
#ifndef EXPR_GRAPH_H
#define EXPR_GRAPH_H

#include "expr/expr.h"

/* The node of an operator as it stands, without simplifying: the one that exists, or a new one.
 * `args` may lie in room that was reserved behind g->args. */
expr graph_node(graph *g, expr_op op, const expr *args, int n);
expr graph_node_powi(graph *g, expr base, int power);

/* product.c */
expr_term expr_split(const graph *g, expr e); /* e = coefficient * core; a constant has no core */
expr_term expr_split_quotient(graph *g, expr e); /* the same, where the core of c/y is 1/y */
expr      expr_product(graph *g, expr a, expr b);
expr      expr_quotient(graph *g, expr a, expr b);

static inline const expr_node *node_of(const graph *g, expr e)
{
    return &g->nodes.at[e];
}
static inline const expr *args_of(const graph *g, expr e)
{
    return g->args.at + g->nodes.at[e].first;
}

/* printer.c */
bool is_negative(const graph *g, expr e); /* does it print with a minus sign first? */

#endif
