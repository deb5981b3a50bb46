/* chain.h - a Newton correction of a long chain in two passes over it: down the strands residual
 * and matrix are evaluated and eliminated tile by tile, up again the correction is found, added and
 * measured. Neither residual nor matrix nor correction is ever stored. Compiled or by the machine,
 * with the same bits on any number of threads.                                theory.md [NEWTON] */
#ifndef MECH_LARGE_CHAIN_H
#define MECH_LARGE_CHAIN_H

#include "base/thread_pool.h"
#include "kernel/native.h"
#include "linalg/strands.h"
#include "model/rows/machine.h"

typedef struct chain_passes chain_passes;

/* For rows that are evaluated by these sources of the plan, with entries up to `reach` from the
 * diagonal; plain: the second part of the state is 0. NULL: it is too short or too wide for
 * strands. */
chain_passes *chain_new(mem *m, const row_plan *plan, unsigned sources, int n, int reach,
                        bool plain, thread_pool *pool);

/* Either as part of a text that row_plan_declare has begun, with momentum_sums of passes.c, and
 * from what became of it, if it fits, or by the machine. */
bool chain_fits_lanes(const chain_passes *c);
void chain_write(const chain_passes *c, text *out);
bool chain_link(chain_passes *c, mem *m, const native_library *lib);
void chain_use_machine(chain_passes *c, mem *m);

/* What a correction is made from; a pass in passes.c has the same. The points are q + l y, with
 * v = slope y. */
typedef struct {
    const row_reads *s;
    const double    *c, *q, *q_low, *p, *p_low;
    double           l, slope;
} chain_point;

/* How large it was: beside each unknown, of all, and how large all unknowns are. */
typedef struct {
    double relative, most, size;
} chain_measure;

/* to = y + J^-1 (-r(y)). scale is the size of each unknown lately, found here from y and two past
 * solutions unless those are NULL. first: of a step; in those that follow state and scale are the
 * same. */
typedef struct {
    const double        *y;
    double              *to, *scale;
    const double *const *known;
    bool                 first;
} chain_unknowns;
strands_end chain_correct(chain_passes *c, const chain_point *at, const chain_unknowns *u,
                          chain_measure *made);

#endif
