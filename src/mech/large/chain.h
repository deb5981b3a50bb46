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
#include "mech/equations/by_rows.h"
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

partition_end chain_correct(chain_passes *c, const chain_point *at, const row_unknowns *u,
                            row_measure *made);

#endif
