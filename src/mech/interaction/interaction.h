/* interaction.h - connections as interaction forces: a system from which the chosen relations are
 * removed, and to whose forces the reactions of the index-reduced equations are added instead.
 *
 *     f'(t,q,w) = f + A_c^T lam_c(t,q,w),     [ L_ww  -A^T ] [ a   ]   [ L_q + f - L_wq v - L_wt ]
 *                                             [ A      0   ] [ lam ] = [ -(e_q v + e_t)          ]
 * theory.md [INTERACTION]
 *
 * A reaction depends on everything that its coordinates are connected to, so f' as a function of
 * the state is dense. With u = (a, lam) as additional unknowns it is not: these are implicit forces
 * (model/system.h), whose derivatives are as sparse as the model. Nothing then enforces the
 * relations. */
#ifndef MECH_INTERACTION_INTERACTION_H
#define MECH_INTERACTION_INTERACTION_H

#include "base/archive.h"
#include "mech/end/end.h"

typedef struct interaction interaction;

/* as_force: per row of the system, whether it becomes a force. A sentence in `why` if that cannot
 * be. */
dal_status  interaction_new(mem *m, dal_system *of, const uint8_t *as_force, interaction **out,
                            text *why);
dal_system *interaction_system(interaction *x);

/* Reactions of all rows of the system at a point, and dw/dt unless it is NULL; false: they are
 * not determined there. */
bool interaction_reactions(interaction *x, double t, const double *q, const double *w,
                           const double *v, double *lam, double *rate);

/* Parameters have changed: what was computed from them is forgotten. */
void interaction_forget(interaction *x);

/* What a checkpoint keeps of it. */
void interaction_archive(interaction *x, archive *r, mem *m);

#endif
