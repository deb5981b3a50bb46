/* sweep.h - inside sweep.c and sweep_rows.c: the program of the residual as operations that name
 * their arguments, with what each depends on. */
#ifndef FUSE_SWEEP_H
#define FUSE_SWEEP_H

#include "fuse/inside.h"

enum { BLOCK = 4 }; /* unknowns that are handled together: stretches are whole blocks */

typedef struct {
    expr_op op;
    int     n, arg[3]; /* operations, or -1 - register of an input or a constant       */
    int     low, high; /* coordinates that it depends on lie in low .. high-1          */
    int     row;       /* of a stretch: where it is kept                               */
    int     left;      /* readers of that row that are still to come                   */
    int     reader;    /* the last of them; -1: the Jacobian                           */
    int     factor;    /* see fold_products: the row that it is a multiple of, or -1   */
} operation;

typedef struct {
    fusing        *f;
    const program *p;
    const kernel  *k;
    operation     *op;
    int            ops, *order; /* arguments first, what is needed for a row together */
    int           *output;      /* of each slot: an operation, or -1 - register       */
    int            rows;
    vec(int) idle; /* rows that nobody reads any more */
} sweeping;

/* Slots of the residual's row of a coordinate: L_q, L_w, f. */
enum { OF_LQ, OF_LW, OF_F, ROW_PARTS };

/* The two arguments that an operation may change with are number a and a + 1. */
static inline int first_argument(expr_op op)
{
    return op == OP_IF;
}

/* What an operand depends on, an operation or -1 - register: coordinates low .. high-1. */
bool sweep_reach(const sweeping *s, int x, int *low, int *high);
int  sweep_part(const sweeping *s, int coordinate, int kind); /* operation of that slot */

/* The program with reaches, readers and foldings; its order is not yet there. */
sweeping sweeping_new(fusing *f);
int      sweep_order(sweeping *s, int x, uint8_t *placed, int *stack, int count);

/* Does the value change with its arguments? (sweep_rows.c) */
bool sweep_has_slope(expr_op op);

static inline bool depends(const sweeping *s, int x)
{
    int low, high;
    return sweep_reach(s, x, &low, &high);
}

static inline bool is_wide(const sweeping *s, int x)
{
    return x >= 0 && s->op[x].high - s->op[x].low > 1;
}

/* First and last unknown of a stretch of coordinates, as whole blocks. */
static inline int begin_of(const sweeping *s, int low)
{
    return low * s->f->d / BLOCK * BLOCK;
}

static inline int end_of(const sweeping *s, int high)
{
    return (high * s->f->d + BLOCK - 1) / BLOCK * BLOCK;
}

#endif
