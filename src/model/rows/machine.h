/* machine.h - the passes of runs.h by the machine, where there is no compiler or compilation does
 * not pay: the same sums in the same order, so the same bits as the compiled text. */
#ifndef MODEL_ROWS_MACHINE_H
#define MODEL_ROWS_MACHINE_H

#include "model/rows/runs.h"

typedef struct row_machine row_machine;

/* For one thread at a time: it has registers and arrays of its own. */
row_machine *row_machine_new(mem *m, const row_plan *p, unsigned wanted);

/* Evaluates rows a .. b-1, at most ROWS_TILE; q and w begin with coordinate `first` (see
 * row_plan_loops). */
void row_machine_run(const row_machine *r, const row_reads *s, const double *c, const double *q,
                     const double *w, int first, int a, int b);
const double *row_machine_sum(const row_machine *r, int plane); /* of rows a .. b-1 */

#endif
