/* first_order.h - coordinates whose equations about a point are of first order: states, and what
 * has no inertia and only resists,
 *
 *     R z' = f_zq x + f_zw x' + f_zz z,      R = -f_w > 0, a diagonal
 *
 * With z held the other coordinates have the modes of [STABILITY]; with these held, z has the rates
 * of R^-1 f_zz; and all together have those of the equations as they are. */
#ifndef MECH_STABILITY_FIRST_ORDER_H
#define MECH_STABILITY_FIRST_ORDER_H

#include "mech/end/end.h"

typedef struct {
    dal_system     held; /* where z has the inertia 1, so that nothing else is left without */
    dal_system    *of;
    double        *R;             /* n; 0: of second order                         */
    int            states, other; /* how many there are of either kind             */
    double *const *on_K;          /* fields of `of` at the point                   */
} first_order;

/* Those of the system at a point whose fields these are. What is taken from m is freed with it. */
void first_order_find(first_order *z, mem *m, dal_system *sys, double *const on_K[F_COUNT]);

/* The largest rate of the states, or of the others, with all else held. 0: there is none. */
double first_order_rate(const first_order *z, mem *m, bool states);

/* The largest |lambda| of all equations together. g: of `held`, factored at the point. */
double first_order_together(const first_order *z, mem *m, node_equations *g);

#endif
