/* expr.h - the expression graph: one array of nodes, children first, equal nodes stored once.
 *
 * An expression is the number of its node. Leaves are constants and variables; a variable is a
 * number whose meaning its owner knows (expr never learns of coordinates). Building a node
 * simplifies it, but only in ways that keep a finite value, up to rounding, and never hide one that
 * is not finite. Every pass is a loop over the array, so a sum of a million terms or a chain of a
 * million lets needs no stack. */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    OP_CONST, /* value      */
    OP_VAR,   /* variable   */
    OP_POWI,  /* args[0] to the power `power` > 1: our own multiplications, any sign of the base */
#define OP(name, arity, symbol, value, c) OP_##name,
#include "expr/ops.def"
#undef OP
    OP_COUNT
} expr_op;

typedef int expr; /* number of a node; EXPR_NONE is no expression */
enum { EXPR_NONE = -1 };

typedef struct {
    uint8_t  op;       /* expr_op                                              */
    uint8_t  finite;   /* finite for finite variables, by construction         */
    uint8_t  poleless; /* never infinite for finite variables: finite or NaN   */
    int      n;        /* number of arguments                                  */
    int      first;    /* arguments are args.at[first .. first + n)            */
    uint32_t hash;
    union {
        double value;    /* OP_CONST */
        int    variable; /* OP_VAR   */
        int    power;    /* OP_POWI  */
    };
} expr_node;

typedef struct { /* of the hash table: a node, or EXPR_NONE */
    uint32_t hash;
    expr     node;
} expr_place;

typedef struct { /* coefficient * core, while a sum is gathered */
    double coefficient;
    expr   core;
} expr_term;

typedef struct {
    mem           *m;
    vec(expr_node) nodes;
    vec(int)       args;
    expr_place    *table; /* hash table of nodes, open addressing */
    int            room;  /* of the table: a power of two          */
    vec(expr_term) terms; /* scratch of expr_sum                   */
    vec(int)       stack; /* scratch of expr_import                */
    bool           deriving; /* within a sweep of diff.c: see product.c */
    bool           copying;  /* what was simplified before: sums stay as they are, and shared */
    bool           asking;   /* whether an expression is 0 wherever it is finite: 0*x always is */
} graph;

void graph_init(graph *g, mem *m);
void graph_reset(graph *g); /* empty again, memory kept: for building many small graphs in turn */
void graph_drop(graph *g);

/* Leaves. Bits decide whether constants are equal, but -0 counts as 0. */
expr expr_const(graph *g, double value);
expr expr_var(graph *g, int variable);

/* Operators. A long sum is best made at once, by expr_sum: it stays one node. */
expr expr_op1(graph *g, expr_op op, expr a);
expr expr_op2(graph *g, expr_op op, expr a, expr b);
expr expr_if(graph *g, expr condition, expr a, expr b);
expr expr_sum(graph *g, const expr *terms, int n);
expr expr_powi(graph *g, expr a, int power);

static inline expr expr_add(graph *g, expr a, expr b) { return expr_op2(g, OP_ADD, a, b); }
static inline expr expr_mul(graph *g, expr a, expr b) { return expr_op2(g, OP_MUL, a, b); }
static inline expr expr_div(graph *g, expr a, expr b) { return expr_op2(g, OP_DIV, a, b); }
static inline expr expr_neg(graph *g, expr a) { return expr_op1(g, OP_NEG, a); }
static inline expr expr_sub(graph *g, expr a, expr b) { return expr_add(g, a, expr_neg(g, b)); }
expr expr_pow(graph *g, expr a, expr b); /* by multiplications if b is a modest integer */
expr expr_scale(graph *g, double factor, expr a);
/* Any operator; `power` is that of OP_POWI, which may be negative here. */
expr expr_apply(graph *g, expr_op op, int power, const expr *args, int n);

bool    expr_is_const(const graph *g, expr e, double *value); /* value may be NULL */
bool    expr_is_zero(const graph *g, expr e);
expr_op expr_opcode(const graph *g, expr e);

const char *op_symbol(expr_op op);                              /* how the language calls it      */
double      op_value(expr_op op, double a, double b, double c); /* of numbers, from ops.def       */
double      powi_value(double x, int n);                        /* the multiplications of OP_POWI */

/* Copies e of `from` into g; variables become image[variable] (expressions of g).
 * `memo` holds one int per node of `from`, EXPR_NONE where not copied yet: kept over calls, so that
 * what is shared is copied once. */
expr expr_import(graph *g, const graph *from, expr e, const expr *image, int *memo);

/* Sets used[v] for each variable v that one of e[0 .. count) holds, in one pass over the graph;
 * used has nvars entries, cleared by the caller. */
void expr_uses(const graph *g, const expr *e, int count, uint8_t *used, int nvars);

/* diff.c: exact derivatives. ------------------------------------------------------------------- */

/* out[k] = d e / d variable vars[k], by one reverse sweep. Zero derivatives are the constant 0.
 * Of an `if` (also min, max) only the branch taken leaves a trace: d if(c,a,b) = if(c, da, db). */
void expr_gradient(graph *g, expr e, const int *vars, int n, expr *out);

/* out[i*k + j] = d roots[i] / d vars[j]: of a gradient, the Hessian. One sweep per root, each as
 * long as what lies below the root; where a root does not depend on a variable, the constant 0. */
void expr_hessian(graph *g, const expr *roots, int n, const int *vars, int k, expr *out);

/* Directional derivative: sum over k of direction[k] * d e/d vars[k], by one forward sweep. Used
 * for total time derivatives and Taylor coefficients. */
expr expr_along(graph *g, expr e, const int *vars, const expr *direction, int n);

/* antiderivative.c: an integral of e in the variable, of which the derivative is to be compared with
 * e; EXPR_NONE: there is no rule. */
expr expr_antiderivative(graph *g, expr e, int variable);

/* eval.c: slow and obvious; the oracle of the tests and the evaluator of parameters. ----------- */
/* Value of e; scratch has nodes.n doubles and keeps the values of all nodes below e. */
double expr_eval(const graph *g, expr e, const double *vars, double *scratch);
/* The same of a graph that holds little else: of all its nodes up to e. */
double expr_eval_dense(const graph *g, expr e, const double *vars, double *scratch);

/* The first node below e, children first, whose value is not finite although its arguments are, on
 * the branches that count; EXPR_NONE if e is finite. */
expr expr_nonfinite_source(const graph *g, expr e, const double *vars, double *scratch);

/* Where e is not smooth: collects nodes ABS, SIGN, FLOOR, MIN, MAX, IF whose kink depends on a
 * variable v with used[v] set; with edges also those that are smooth but for a branch or the edge
 * of where they are defined: SQRT, POW, ASIN, ACOS, TAN, ATAN2. Returns the count; out may be
 * NULL. */
int expr_kinks(const graph *g, expr e, const uint8_t *used, bool edges, expr *out, int room);

/* print.c, print_latex.c, print_mathml.c. ------------------------------------------------------ */

/* Infix, which the language reads back to the same value, and LaTeX, for which the namer gives
 * LaTeX too. What is shared is printed each time; a text beyond 20000 characters ends in " ...". */
typedef void (*expr_namer)(void *self, int variable, text *out); /* prints a variable's name */
void expr_print(const graph *g, expr e, expr_namer namer, void *self, text *out);
/* for the eye alone: a*(1/b) as a/b, which reads back as another expression of the same value */
void expr_print_fair(const graph *g, expr e, expr_namer namer, void *self, text *out);
void expr_print_latex(const graph *g, expr e, expr_namer namer, void *self, text *out);
void expr_print_mathml(const graph *g, expr e, expr_namer namer, void *self, text *out);

#endif
