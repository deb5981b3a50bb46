/* engines.h - the engines of large systems, whose terms are evaluated row by row (engine.h). */
#ifndef MECH_LARGE_ENGINES_H
#define MECH_LARGE_ENGINES_H

#include "mech/stepper/engine.h"

/* Explicit steps, many in one pass over memory (leapfrog.h). */
bool        leapfrog_fits(const engine_case *c, text *why);
engine_cost leapfrog_cost(const engine_case *c, bool native);
engine_made leapfrog_make(const engine_case *c, bool native, text *why);

/* Implicit steps of long chains, a correction in two passes (passes.h, chain_steps.h). */
bool        chain_fits(const engine_case *c, text *why);
engine_cost chain_cost(const engine_case *c, bool native);
engine_made chain_make(const engine_case *c, bool native, text *why);
long        chain_advance(stepper *st, const steps_asked *along, steps_made *out);

/* Stages that are iterated without a matrix, one pass over all of them (stage_iteration.h). */
bool        stages_fits(const engine_case *c, text *why);
engine_cost stages_cost(const engine_case *c, bool native);
engine_made stages_make(const engine_case *c, bool native, text *why);
long        stages_advance(stepper *st, const steps_asked *along, steps_made *out);

#endif
