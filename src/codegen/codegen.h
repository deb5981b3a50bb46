/* codegen.h - the whole step of a small system as C text: prediction, residual, exact Jacobian,
 * linear solve, Newton's iteration, compensated update, with all sizes and coefficients of the
 * scheme as constants.
 *
 * The text contains numbers, numbered registers and fixed identifiers only; no name of a model
 * occurs in it. It computes what mech/stepper/step.c computes, to a few units in the last place per
 * step. */
#ifndef CODEGEN_CODEGEN_H
#define CODEGEN_CODEGEN_H

#include "base/text.h"
#include "mech/ensemble/block.h"
#include "mech/stepper/compiled_step.h"
#include "mech/stepper/step.h"
#include "model/compile.h"

typedef struct {
    bool        single;   /* float instead of double                                     */
    bool        backward; /* for h < 0                                                   */
    bool        members;  /* of an ensemble, several at once: mech/ensemble/block.h */
    bool        follows;  /* inputs are looked up at the points of a step                */
    bool        exported; /* static functions for a file of its own                      */
    int         whole;    /* equations of the model as written, of which reactions are solved   */
    const char *state;    /* name of the struct that holds the state; NULL: step_state  */
} codegen_options;

/* Appends the text of the function `compiled_steps` of mech/stepper/compiled_step.h for the
 * stepper's equations, of which `c` is the model. False: it cannot be written, and `why` says why.
 */
bool codegen_write(mem *m, const stepper *st, const compiled *c, const codegen_options *o,
                   text *out, text *why);

/* The step compiled as a whole, as an engine (mech/stepper/engine.h). */
bool        compiled_fits(const engine_case *c, text *why);
engine_cost compiled_cost(const engine_case *c, bool native);
engine_made compiled_make(const engine_case *c, bool native, text *why);

/* The functions themselves, to be shared by steppers of the same equations: for blocks of so many
 * members, and for a single one, whose inputs may follow a file. They live in m. NULL: `why` tells
 * the reason. */
lane_steps compile_lanes(mem *m, const stepper *st, const compiled *c, bool backward, int *lanes,
                         text *why);
compiled_steps compile_step(mem *m, const stepper *st, const compiled *c, bool backward,
                            bool follows, text *why);

#endif
