/* passes.h - the equations of a large chain in passes over its rows: residual, Newton matrix and
 * momentum without storing L_q, L_w and their derivatives in between. Compiled or by the machine,
 * with the same bits.
 *
 * For one sample point on a curve of degree one (midpoint), unconstrained coordinates, few of them
 * per site of the chain, and terms that come in runs (model/rows/runs.h). Whatever does not fit is
 * evaluated as usual; both agree to roundoff. */
#ifndef MECH_LARGE_PASSES_H
#define MECH_LARGE_PASSES_H

#include "linalg/band_factors.h"
#include "mech/equations/equations.h"
#include "mech/large/chain.h"
#include "mech/solve/predict.h"

typedef struct passes passes;

/* plain: sums are not compensated. NULL: the system does not fit. Where it cannot be compiled,
 * `why` tells the reason and the machine is used. */
passes *passes_new(mem *m, const equations *eq, thread_pool *pool, bool native, bool plain,
                   text *why);
bool    passes_compiled(const passes *p); /* NULL: no */

/* The numbers of the system may have changed. */
void passes_forget(passes *p); /* NULL: nothing is to be forgotten */

/* r = r(y), and -r as well unless that array is NULL; with_jacobian: the entries of eq->J go to
 * eq->values. False: some number is not finite. */
bool passes_residual(passes *p, const equations *eq, const double *y, double *r, double *minus_r,
                     bool with_jacobian);

/* A complete Newton correction (chain.h), where the system allows it. */
bool        passes_correct_too(const passes *p);
partition_end passes_correct(passes *p, const equations *eq, const chain_unknowns *u,
                             chain_measure *made);

/* The destination of a step: the state, in two parts. past: for a linear chain, where y goes. */
typedef struct {
    double *q, *q_low, *p, *p_low, *past;
    bool    plain;
} end_state;

/* Computes the state at the end of the curve y and adds the work along it to *work. False: some
 * number is not finite. */
bool passes_end(passes *p, const equations *eq, const double *y, const end_state *to, double *work);

/* A step of a linear system in two passes with kept factors (passes_linear.c): extrapolates four
 * past solutions, newest first, and corrects the result to y = to->past, which may overwrite the
 * oldest of them; then as passes_end. The largest correction and unknown tell how good the
 * extrapolation was; where it was poor, it is repeated from y. Where the factors are exact
 * (band_factors.h), past solutions are not used, since z = 0 is as good (linear.c). False: some
 * number is not finite. */
typedef struct {
    double correction, unknown;
} linear_change;
/* Room for the factors; NULL: they do not fit. */
band_factors *passes_factors(const passes *p, mem *m);
bool passes_linear(passes *p, const equations *eq, band_factors *k, const past *before, bool again,
                   const end_state *to, double *work, linear_change *change);

#endif
