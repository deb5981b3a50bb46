/* variational.h - how near discrete Lagrangians and forces come to the exact ones.
 *                                                                        theory.md [DUPLICATION] */
#ifndef RUN_VARIATIONAL_H
#define RUN_VARIATIONAL_H

#include "run/simulation.h"

/* The table lives in m. */
dal_status variational_order(mem *m, const subject *of, const request *r, diags *ds,
                             dal_variational *out);

#endif
