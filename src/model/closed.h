/* closed.h - a model with rows of its events as relations: those that are closed, or all of them.
 */
#ifndef MODEL_CLOSED_H
#define MODEL_CLOSED_H

#include "model/model.h"

/* Relation number of->relations + k of the result is the k-th event row with a flag, and its only
 * elements beside those of the model; outputs, symmetries and what events ask for stay. */
void model_close(mem *m, const model *of, const unsigned char *closed, model *to);

/* What is read to find events: all rows as relations, and what events ask for as the only columns;
 * forces and energies stay, so that its state is one of the model. */
void model_of_events(mem *m, const model *of, model *to);

#endif
