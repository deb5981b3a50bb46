/* exporting.h - a simulation as C that stands alone. */
#ifndef RUN_EXPORTING_H
#define RUN_EXPORTING_H

#include "codegen/export.h"
#include "run/simulation.h"

/* From the state that the simulation is at. `title` is what all names begin with. */
dal_status simulation_export(dal_sim *s, const char *title, bool single, export_texts *out);

#endif
