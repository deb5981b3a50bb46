/* branches.h - a model whose branches are data: abs, sign, min, max, floor and if, where their kink
 * moves, become what they are on one side of it, and a parameter says which. So what is solved is
 * smooth, and where a branch is left is an event.                              theory.md [EVENTS]
 */
#ifndef MODEL_BRANCHES_H
#define MODEL_BRANCHES_H

#include "model/model.h"

/* The same model, if nothing switches. New parameters, one per instance and switch, stand behind
 * all others; each has an event of kind EVENT_SWITCH, whose number is a function of the model as it
 * was. */
const model *model_frozen(mem *m, const model *of);

/* How many terms of it switch, instance by instance. */
long model_switches(mem *m, const model *of);

/* The flags at a start as it was given. */
void model_begin_branches(mem *m, const model *md, double t, values *at);

/* Which branch it is on: the sign of its function, or the integer below it. */
double switch_flag(const event *e, double phi);

#endif
