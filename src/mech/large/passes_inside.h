/* passes_inside.h - what passes.c, their text and the passes of linear systems share. */
#ifndef MECH_LARGE_PASSES_INSIDE_H
#define MECH_LARGE_PASSES_INSIDE_H

#include "mech/large/passes.h"
#include "step/cubic.h"

enum {
    OF_FORCE = 1u << ROW_F,
    OF_MOMENTUM = 1u << ROW_LQ | OF_FORCE,
    OF_RESIDUAL = 1u << ROW_LW | 1u << ROW_LQ | 1u << ROW_F,
    OF_JACOBIAN = OF_RESIDUAL | 1u << ROW_LWW | 1u << ROW_LQQ | 1u << ROW_FQ | 1u << ROW_FW,
    STRETCH = 4 * ROWS_TILE,
    HALO_OF_PARTITIONS = 5,
    LANES_FOUND = 4,
    FOUND = 4 * LANES_FOUND
}; /* largest corrections and unknowns; what is not finite */

typedef struct { /* the text declares the same */
    const row_reads *s;
    const double    *c;
    const double    *q, *q_low, *z, *p, *p_low;
    double           l, slope; /* q + l z, v = slope z */
    int              n, origin;
    double          *r;       /* begins with row `origin`                          */

    /* of linear systems (passes_groups.c) */
    const double *history[4], *edge, *c_force;
    double       *y, *found, *work;
    double       *to[4];             /* q, q_low, p, p_low                                  */
    const group  *group;
    int           length, halo, tiles, seams, again, direct;
    double        stretch;           /* f.v h = stretch f.z                                 */
} pass;

typedef void (*pass_function)(const pass *a, int from, int to);
typedef void (*group_function)(const pass *a, int number);

enum { DOWN, UP, SEAM, GROUP_KINDS };

struct passes {
    by_rows         asked;          /* what the equations call; first */
    const row_plan *plan;
    row_reads       reads;
    int             n, reach;
    bool            forced, plain, linear;
    thread_pool    *pool;
    bool           *good;     /* of each part: all is finite    */
    double         *room;     /* of each part: STRETCH numbers  */
    double         *work;     /* of each tile of rows           */
    double         *found;    /* of each group: FOUND numbers    */
    double         *edge;     /* of each partition: 2 halo numbers */
    group_function  group[GROUP_KINDS]; /* of a linear chain                  */
    chain_passes   *chain;              /* of a nonlinear one; NULL: linear   */
    pass_function   momentum, force;    /* at the end of its step             */
};

/* passes.c: a pass at the point of the curve y. */
pass pass_at(passes *p, const equations *eq, const double *y, const double *c);

/* Coefficients of the residual and its derivatives, and of the increment of momenta. */
typedef struct {
    double c[ROW_SOURCES];
} pass_coefficients;
pass_coefficients residual_coefficients(const equations *eq);
pass_coefficients momentum_coefficients(const equations *eq);
pass_coefficients force_coefficients(const equations *eq);

/* The prediction of row i from four past solutions. */
static inline double predicted(const pass *x, int i)
{
    return CONTINUED_CUBIC(x->history[0][i], x->history[1][i], x->history[2][i], x->history[3][i]);
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* C text: all of it; and of the passes of linear systems. */
void passes_write(const passes *p, text *out);
void passes_write_linear(const passes *p, text *out);

#endif
