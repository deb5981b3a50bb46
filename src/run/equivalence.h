/* equivalence.h - does it matter how a system is split into a Lagrangian and forces?
 *                                                                              theory.md [FORCE] */
#ifndef RUN_EQUIVALENCE_H
#define RUN_EQUIVALENCE_H

#include "run/describe.h"

/* Runs L + alpha W with f - alpha (W_q - d/dt W_v) for alpha = 0, 0.1, ..., 1: how far the motions
 * part, in memory of d; or printed. */
dal_status equivalence_measure(const description *d, const source *words, dal_equivalence *out);
dal_status describe_equivalence(const description *d, const source *words);

#endif
