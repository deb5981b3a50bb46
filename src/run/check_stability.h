/* check_stability.h - how long a step may be for what is fast at the start: a line of `check`, and
 * the warnings that a run would begin with. */
#ifndef RUN_CHECK_STABILITY_H
#define RUN_CHECK_STABILITY_H

#include "run/describe.h"

typedef struct {
    const description *about;
    const plan        *plan;
    const values      *val;
    dal_system        *sys;  /* what is solved          */
    full_system       *full; /* NULL: sys is the model */
} stability_check;

void check_stability(const stability_check *c);

#endif
