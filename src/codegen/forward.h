/* forward.h - inside forward.c, forward_rows.c and forward_terms.c: the program of the residual as
 * operations that name their arguments, with what each depends on. */
#ifndef CODEGEN_FORWARD_H
#define CODEGEN_FORWARD_H

#include "codegen/inside.h"

enum { BLOCK = 4 }; /* unknowns that are handled together: stretches are whole blocks */

typedef struct {
    expr_op op;
    int     n, arg[3]; /* operations, or -1 - register of an input or a constant       */
    int     low, high; /* coordinates that it depends on lie in low .. high-1          */
    int     row;       /* of a stretch: where it is kept                               */
    int     left;      /* readers of that row that are still to come                   */
    bool    kept;      /* it has a row; else its one reader takes what it is made of   */
    int     term;      /* one more than its place in the combination that is collected */
} operation;

typedef struct {
    codegen       *f;
    const program *p;
    const kernel  *k;
    operation     *op;
    int            ops, *order; /* arguments first, what is needed for a row together */
    int           *output;      /* of each slot: an operation, or -1 - register       */
    int            rows;
    int            names; /* of factors */
    vec(int) idle, spent; /* rows that nobody reads any more, or will once this row is written */
} differentiation;

/* Slots of the residual's row of a coordinate: L_q, L_w, f, D. */
enum { OF_LQ, OF_LW, OF_F, OF_DAMPING, ROW_PARTS };

/* A change as a combination of rows, and of numbers in single places. */
typedef struct {
    int         of; /* operation */
    const char *by;
} row_term;

typedef struct {
    int         at; /* unknown   */
    const char *by, *is;
} number_term;

typedef struct {
    vec(row_term) row;
    vec(number_term) number;
} combination;

/* The two arguments that an operation may change with are number a and a + 1. */
static inline int first_argument(expr_op op)
{
    return op == OP_IF;
}

/* What an operand depends on, an operation or -1 - register: coordinates low .. high-1. */
bool forward_reach(const differentiation *s, int x, int *low, int *high);
int  forward_part(const differentiation *s, int coordinate, int kind); /* operation of that slot */

/* The program with reaches, readers and foldings; its order is not yet there. */
differentiation forward_new(codegen *f);
int             forward_order(differentiation *s, int x, uint8_t *placed, int *stack, int count);

/* forward_rows.c: does the value change with its arguments, is it one of them? The derivative of
 * operation i by its argument number a: a name or a number; NULL: none. The change of what depends
 * on one coordinate with its mu-th unknown. */
bool        forward_has_slope(expr_op op);
bool        forward_is_choice(expr_op op);
const char *forward_slope(differentiation *s, int i, int a);
const char *forward_change(const differentiation *s, int x, int mu);

/* forward_terms.c: by dx is added to a combination; a row is made of one; rows of J get those of
 * L_q, L_w and f. */
void terms_collect(differentiation *s, int x, const char *by, combination *c);
void terms_write_row(differentiation *s, int i, const combination *c);
void terms_write_jacobian(differentiation *s, int j, const combination of_row[ROW_PARTS]);
int  forward_length(const differentiation *s); /* of a row, whole blocks */

static inline bool depends(const differentiation *s, int x)
{
    int low, high;
    return forward_reach(s, x, &low, &high);
}

/* The operand that an operation changes with as its argument number a, 0 or 1. */
static inline int argument_of(const operation *o, int a)
{
    return o->arg[first_argument(o->op) + a];
}

static inline bool is_wide(const differentiation *s, int x)
{
    return x >= 0 && s->op[x].high - s->op[x].low > 1;
}

/* The stretch of unknowns from the first to the last of coordinates low .. high-1, and as whole
 * blocks; between two nodes of the curve there are others, whose derivatives are 0. */
static inline int last_of(const differentiation *s, int high)
{
    return (s->f->d - 1) * s->f->n + high;
}

static inline int begin_of(int low)
{
    return low / BLOCK * BLOCK;
}

static inline int end_of(const differentiation *s, int high)
{
    return (last_of(s, high) + BLOCK - 1) / BLOCK * BLOCK;
}

#endif
