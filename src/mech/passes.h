/* passes.h - the equations of a large chain in passes over its rows: residual, Newton's matrix and momentum without
 * arrays of L_q, L_w and their derivatives in between. Compiled or by the machine, with the same bits.
 *
 * For one point on a curve of degree one (midpoint), coordinates that move freely, few of them at each place of the
 * chain, and terms that come in runs (model/runs.h). Whatever does not fit is evaluated as ever; both agree to roundoff. */
#ifndef MECH_PASSES_H
#define MECH_PASSES_H

#include "mech/chain.h"
#include "mech/equations.h"
#include "mech/predict.h"

typedef struct passes passes;
typedef struct lanes_loops lanes_loops; /* linalg/lanes.h */

/* plain: sums are not compensated. NULL: the system does not fit. Where it cannot be compiled, `why` says it, and the
 * machine does it. */
passes *passes_new(mem *m, const equations *eq, crew *hands, bool native, bool plain, text *why);
bool    passes_compiled(const passes *p); /* NULL: no */
const lanes_loops *passes_solve(const passes *p); /* compiled loops for solves in lanes; NULL: there are none */

/* The numbers of the system may have changed. */
void passes_forget(passes *p); /* NULL: nothing is to be forgotten */

/* r = r(y), also with the other sign unless that is NULL, and with_jacobian the entries of eq->J into eq->values. False:
 * not all is finite. */
bool passes_residual(passes *p, const equations *eq, const double *y, double *r, double *minus_r,
                     bool with_jacobian);

/* A whole Newton correction (chain.h), if the system has that. */
bool        passes_correct_too(const passes *p);
strands_end passes_correct(passes *p, const equations *eq, double *y, double *scale,
                           const double *const *known, chain_measure *made);

/* Where a step leads to: the state, in two parts, and y once more. */
typedef struct {
    double *q, *q_low, *p, *p_low, *past;
    bool    plain;
} end_state;

/* The state at the end of the curve y, and the work along it in addition to *work. False: not all is finite. */
bool passes_end(passes *p, const equations *eq, const double *y, const end_state *to, double *work);

/* Linear systems, in two passes with a solve between them (passes_linear.c). The first: four past solutions continued,
 * newest first, and the residual there. The second takes off what the solve made of that, and goes on as passes_end;
 * the largest correction and unknown tell how good the continuation was. False: not all is finite. */
typedef struct {
    double correction, unknown;
} linear_change;
void passes_predict(passes *p, const equations *eq, const past *before, double *predicted,
                    double *r);
bool passes_alone(const passes *p); /* one thread: what is predicted may take the place of past[3], and y its place */
bool passes_finish(passes *p, const equations *eq, const double *predicted, const double *delta,
                   double *y, const end_state *to, double *work, linear_change *change);

#endif
