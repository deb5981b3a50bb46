/* row_changes.h - rows of the residual, and the momentum at the end of the curve, each with its
 * change in one direction.                                                   theory.md [TANGENT] */
#ifndef MECH_EQUATIONS_ROW_CHANGES_H
#define MECH_EQUATIONS_ROW_CHANGES_H

#include "mech/equations/equations.h"

typedef struct {
    equations     *eq;
    sys_variation *vary;                               /* NULL: q and w alone move        */
    double        *dq, *dv, *dw, *dLq, *dLw, *df, *dD; /* n: at one point                 */
    sys_change     written;                            /* there, with what is beside q, w */
    struct turning_changes *turn;                      /* NULL: all coordinates are numbers */
} row_changes;

/* One direction, as a curve sees it. */
typedef struct {
    const double *q, *p, *dy; /* dy NULL: the unknowns are held */
    double        t, h;
    sys_direction written; /* its t is that of a point */
    bool          moves;   /* something of it is not 0 */
} part_direction;

/* Room; and `vary`, unless that stays NULL. */
void row_changes_init(row_changes *c, mem *m, equations *eq);

/* The change of the residual with the unknowns held, where all fields were evaluated; and that of
 * p^-, with them. */
void row_changes_residual(row_changes *c, const part_direction *d, double *r);
void row_changes_momentum(row_changes *c, const part_direction *d, double *dp);

/* dq, dv, dw, dLq, dLw, df and dD at a point, of what is sampled there. True: something beside q
 * and w moves, and `written` has it. */
bool row_changes_at(row_changes *c, const samples *set, int i, const part_direction *d);

/* What changes at a point that stays where it is, into `written`; x is its place in the step.
 * False: nothing. */
bool row_changes_written(row_changes *c, const sys_point *at, double x, const part_direction *d);

/* x += c y; x += M u, by entries on K; x += field u at a point, or its transpose times u */
void add_times(double *x, double c, const double *y, int n);
void add_entries(const pattern *K, const double *entry, const double *u, double *x);
void add_field(const equations *eq, const sys_values *at, field f, bool transposed, const double *u,
               double *x);

#endif
