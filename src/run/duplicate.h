/* duplicate.h - a forced system as half of one without forces, run beside it.
 *                                                                        theory.md [DUPLICATION] */
#ifndef RUN_DUPLICATE_H
#define RUN_DUPLICATE_H

#include "run/simulation.h"

/* The result lives in m. */
dal_status duplicate_run(mem *m, const subject *of, const request *r, diags *ds, dal_duplicate *out);

#endif
