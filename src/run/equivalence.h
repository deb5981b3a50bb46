/* equivalence.h - does it matter how a system is split into a Lagrangian and forces?
 *                                                                              theory.md [FORCE] */
#ifndef RUN_EQUIVALENCE_H
#define RUN_EQUIVALENCE_H

#include "run/describe.h"

/* Runs L + alpha V with f - alpha dV/dq for alpha = 0, 0.1, ..., 1 and prints how far the motions
 * part. */
dal_status describe_equivalence(const description *d, const source *potential);

#endif
