/* check_energy.h - a forecast for the energy principle, part of what `check` says. */
#ifndef RUN_CHECK_ENERGY_H
#define RUN_CHECK_ENERGY_H

#include "run/describe.h"

typedef struct {
    const description *about;
    const plan        *plan;
    const values      *val;
    dal_system        *sys;   /* what is solved                 */
    full_system       *full;  /* NULL: that is what was written */
} energy_check;

/* Prints, for the scheme of the model and others, whether the energy will decide the step; warns if
 * it will not for the model's own. */
void check_energy(const energy_check *c);

#endif
