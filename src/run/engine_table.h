/* engine_table.h - the engines that a simulation can have, and the one it has. */
#ifndef RUN_ENGINE_TABLE_H
#define RUN_ENGINE_TABLE_H

#include "run/simulation.h"

extern const engine engines[ENGINES];

/* Would the engine run native code: is that asked for, or does it repay itself? */
bool engine_is_native(const dal_sim *s, const engine *e, const engine_case *c);

/* general.c: the engine of every system; what its programs cost, and how they are compiled. */
bool        general_fits(const engine_case *c, text *why);
engine_cost general_cost(const engine_case *c, bool native);
engine_made general_make(const engine_case *c, bool native, text *why);
void        programs_cost(dal_sim *s, engine_case *c);
bool        programs_compile(void *sim, text *why);

#endif
