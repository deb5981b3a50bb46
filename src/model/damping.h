/* damping.h - a model in which every force that holds a velocity is damping. */
#ifndef MODEL_DAMPING_H
#define MODEL_DAMPING_H

#include "model/model.h"

/* md itself where they are all called so already; else a model that shares everything with it but
 * the list of its elements. theory.md [DAMPING] */
const model *model_damped(mem *m, const model *md);

#endif
