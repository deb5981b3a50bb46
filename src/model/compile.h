/* compile.h - a model with its numbers becomes a system: derivatives, kernels, patterns, gather. */
#ifndef MODEL_COMPILE_H
#define MODEL_COMPILE_H

#include "model/model.h"
#include "model/system.h"

typedef struct compiled compiled; /* immutable: kernels and patterns; many simulations share one */
typedef struct bound    bound;    /* of one simulation: its parameters, inputs, registers         */

const compiled *compile(mem *m, const model *md);

/* parameter and input are read at each evaluation; the caller may change them between steps. */
bound      *bound_new(mem *m, const compiled *c, const double *parameter, const double *input);
dal_system *bound_system(bound *b);

/* Outputs and momenta of symmetries at a state (model.outputs + model.symmetries columns). lam may be NULL if there are no
 * relations; part_energy is what bound_energies wrote, or NULL if no output asks for it. */
void bound_outputs(bound *b, double t, const double *q, const double *v, const double *p, const double *lam, double *out);
bool compiled_needs_energies(const compiled *c);

/* Energy L_v.v - L (or H) of each part and all below it: model.parts.n numbers; [0] is the whole. */
void bound_energies(bound *b, double t, const double *q, const double *v, const double *p, double *out);

#endif
