/* elimination.h - an order in which unknowns are eliminated with little fill, and what fills in. */
#ifndef LINALG_ELIMINATION_H
#define LINALG_ELIMINATION_H

#include "linalg/pattern.h"

/* Pivot k is unknown order[k]; joined to it, directly or by fill, are pivots later[start[k]] ..
 * later[start[k + 1] - 1], ascending. */
typedef struct {
    int  n;
    int *order, *start, *later;
} elimination;

/* Minimum degree: the next unknown is one that is joined to the fewest others. One without a
 * diagonal entry, as the multiplier of a relation, waits for those that it is joined to and that
 * have one, since they give it one; but not for hubs, which are joined to many. False: more than
 * `most` pairs of later unknowns meet at pivots. m holds what is found; of a matrix and its
 * transpose it is the same. */
bool elimination_find(mem *m, const pattern *p, long long most, elimination *out);
void elimination_drop(mem *m, elimination *e);

#endif
