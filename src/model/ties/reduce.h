/* reduce.h - a model with its ties eliminated is a model again: in z instead of q = T z + c,
 * without the relations that joined its coordinates. The coefficients of T and c are parameters,
 * after those of the whole model.                                               theory.md [TIES] */
#ifndef MODEL_TIES_REDUCE_H
#define MODEL_TIES_REDUCE_H

#include "model/ties/ties.h"

typedef struct {
    const model *md;
    const int   *relation;     /* of the whole model, for each of the reduced one */
    const int   *relation_now; /* and back; -1: taken out                         */
} reduction;

/* eliminate: the ties that join go, and their coordinates with them, and outputs and symmetries,
 * which speak of the whole; else only ties that repeat go, and outputs that hold multipliers. What
 * is not changed is shared. */
reduction model_reduce(mem *m, const ties *t, bool eliminate);

#endif
