/* variational.h - how near discrete Lagrangians and forces come to the exact ones.
 *                                                                        theory.md [DUPLICATION] */
#ifndef RUN_VARIATIONAL_H
#define RUN_VARIATIONAL_H

#include "run/simulation.h"

typedef struct discretiser discretiser; /* mech/dirac/discrete.h */

typedef struct { /* a scheme on chords of a model, and its start */
    values       val;
    plan         plan;
    dal_system  *sys;
    discretiser *on;
} chords;

/* Numbers, method, and a complete start; what it is made of lives in m, `on` is to be freed. */
dal_status chords_make(mem *m, const subject *of, const request *r, diags *ds, chords *out);

/* The table lives in m. */
dal_status variational_order(mem *m, const subject *of, const request *r, diags *ds,
                             dal_variational *out);

#endif
