/* passes.h - the equations of a large chain in passes over its rows: residual, Newton's matrix and
 * momentum without arrays of L_q, L_w and their derivatives in between. Compiled or by the machine,
 * with the same bits.
 *
 * For one point on a curve of degree one (midpoint), coordinates that move freely, few of them at
 * each place of the chain, and terms that come in runs (model/rows/runs.h). Whatever does not fit
 * is evaluated as ever; both agree to roundoff. */
#ifndef MECH_LARGE_PASSES_H
#define MECH_LARGE_PASSES_H

#include "linalg/kept.h"
#include "mech/equations.h"
#include "mech/large/chain.h"
#include "mech/solve/predict.h"

typedef struct passes passes;

/* plain: sums are not compensated. NULL: the system does not fit. Where it cannot be compiled,
 * `why` says it, and the machine does it. */
passes *passes_new(mem *m, const equations *eq, thread_pool *pool, bool native, bool plain,
                   text *why);
bool    passes_compiled(const passes *p); /* NULL: no */

/* The numbers of the system may have changed. */
void passes_forget(passes *p); /* NULL: nothing is to be forgotten */

/* r = r(y), also with the other sign unless that is NULL, and with_jacobian the entries of eq->J
 * into eq->values. False: not all is finite. */
bool passes_residual(passes *p, const equations *eq, const double *y, double *r, double *minus_r,
                     bool with_jacobian);

/* A whole Newton correction (chain.h), if the system has that. */
bool        passes_correct_too(const passes *p);
strands_end passes_correct(passes *p, const equations *eq, const chain_unknowns *u,
                           chain_measure *made);

/* Where a step leads to: the state, in two parts. past: of a linear chain, where y goes. */
typedef struct {
    double *q, *q_low, *p, *p_low, *past;
    bool    plain;
} end_state;

/* The state at the end of the curve y, and the work along it in addition to *work. False: not all
 * is finite. */
bool passes_end(passes *p, const equations *eq, const double *y, const end_state *to, double *work);

/* A step of a linear system in two passes, by factors that are kept (passes_linear.c): four past
 * solutions are continued, newest first, and the correction leads from there to y = to->past, which
 * may take the room of the oldest, and on as passes_end. The largest correction and unknown tell
 * how good the continuation was; where it was not, once more from y. False: not all is finite. */
typedef struct {
    double correction, unknown;
} linear_change;
/* Room for the factors; NULL: they do not fit. */
kept_band *passes_strands(const passes *p, mem *m);
/* Will the past not be asked, since z = 0 is as good a beginning (linear.c)? */
bool passes_direct(passes *p, const equations *eq, const kept_band *k);
bool passes_linear(passes *p, const equations *eq, kept_band *k, const past *before, bool again,
                   const end_state *to, double *work, linear_change *change);

#endif
