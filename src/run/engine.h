/* engine.h - the engines that a simulation can have, and the one it has. */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "run/simulation.h"

extern const engine engines[ENGINES];

/* general.c: the engine of every system; what its programs cost, and how they are compiled. */
bool        general_fits(const engine_case *c, text *why);
engine_cost general_cost(const engine_case *c, bool native);
engine_made general_make(const engine_case *c, bool native, text *why);
void        programs_cost(dal_sim *s, engine_case *c);
bool        programs_compile(void *sim, text *why);

#endif
