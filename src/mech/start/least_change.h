/* least_change.h - the smallest change of some unknowns that removes the violation of relations:
 *
 *     min |dx|   with   B dx = -value,   dx_i = 0 where i may not move          theory.md [START]
 *
 * By the sparse equations of the minimum; for small systems, and for systems of up to
 * LEAST_CHANGE_DENSE unknowns with redundant relations, by the singular value decomposition, which
 * handles those but takes O(n^3). */
#ifndef MECH_START_LEAST_CHANGE_H
#define MECH_START_LEAST_CHANGE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { LEAST_CHANGE_DENSE = 2000 }; /* unknowns up to which the dense way may be taken */

typedef struct { /* of B; entries that meet are added */
    vec(int) row, column;
    vec(double) value;
} sparse_entries;

static inline void sparse_add(mem *m, sparse_entries *B, int i, int j, double value)
{
    vec_push(m, B->row, i);
    vec_push(m, B->column, j);
    vec_push(m, B->value, value);
}

/* False: nothing may move, or the relations of a large system are redundant. */
bool least_change(mem *m, const sparse_entries *B, int rows, int n, const uint8_t *movable,
                  const double *value, double *dx);

#endif
