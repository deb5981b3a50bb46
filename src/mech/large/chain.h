/* chain.h - a Newton correction of a long nonlinear chain in two passes. The forward pass evaluates
 * residual and matrix tile by tile and eliminates them down all partitions (linalg/partition.h);
 * the backward pass finds the correction by back substitution, adds it to the unknowns and measures
 * it. Neither residual nor matrix nor correction is stored as a whole. The passes are compiled, and
 * give the same bits on any number of threads.                                theory.md [NEWTON] */
#ifndef MECH_LARGE_CHAIN_H
#define MECH_LARGE_CHAIN_H

#include "base/thread_pool.h"
#include "kernel/native.h"
#include "linalg/partition.h"
#include "model/rows/runs.h"

typedef struct chain_passes chain_passes;

/* For rows evaluated by these sources of the plan, with entries at most `reach` from the diagonal;
 * plain: the low part of the state is 0. NULL: the chain is too short or its band too wide for
 * partitions, or its rows read too far. */
chain_passes *chain_new(mem *m, const row_plan *plan, unsigned sources, int n, int reach,
                        bool plain, thread_pool *pool);

/* Part of a text begun by row_plan_declare, with momentum_sums of passes.c, and then from the
 * compiled library. */
void chain_write(const chain_passes *c, text *out);
bool chain_link(chain_passes *c, mem *m, const native_library *lib);

/* The data of a correction, as for a pass of passes.c. The sample points are q + l y, with velocity
 * slope y. */
typedef struct {
    const row_reads *s;
    const double    *c, *q, *q_low, *p, *p_low;
    double           l, slope;
} chain_point;

/* The size of the correction: the largest relative to its unknown, the largest of all, and the
 * largest unknown. */
typedef struct {
    double relative, most, size;
} chain_measure;

/* to = y - J^-1 r(y). scale is the recent size of each unknown, computed here from y and two past
 * solutions unless those are NULL. first: the first correction of a step; later ones have the same
 * state and scale. */
typedef struct {
    const double        *y;
    double              *to, *scale;
    const double *const *known;
    bool                 first;
} chain_unknowns;
partition_end chain_correct(chain_passes *c, const chain_point *at, const chain_unknowns *u,
                            chain_measure *made);

#endif
