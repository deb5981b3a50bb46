/* passes.h - the equations of a large chain in compiled passes over its rows: corrections of its
 * unknowns and the state at the end of a step, without storing L_q, L_w, their derivatives or the
 * residual in between.
 *
 * For one sample point on a curve of degree one (midpoint), unconstrained coordinates, few of them
 * per site of the chain, and terms that come in runs (model/rows/runs.h). Whatever does not fit,
 * and a step that needs row exchanges, is left to the general engine; both agree to roundoff. */
#ifndef MECH_LARGE_PASSES_H
#define MECH_LARGE_PASSES_H

#include "linalg/band_factors.h"
#include "mech/equations/equations.h"
#include "mech/large/chain.h"
#include "mech/solve/predict.h"

typedef struct passes passes;

/* plain: sums are not compensated; compiles: they are to be used, not only looked at. NULL: the
 * system does not fit, or it cannot be compiled, and `why` tells the reason. */
passes *passes_new(mem *m, const equations *eq, thread_pool *pool, bool compiles, bool plain,
                   text *why);

/* The engine of these equations, if that is what evaluates them. */
passes  *passes_of(const equations *eq);
by_rows *passes_asked(passes *p); /* what equations call it by */

/* A step of a linear system in two passes with kept factors (passes_linear.c): extrapolates four
 * past solutions, newest first, and corrects the result to y = to->y, which may overwrite the
 * oldest of them; then as by_rows.end. The largest correction and unknown tell how good the
 * extrapolation was; where it was poor, it is repeated from y. Where the factors are exact
 * (band_factors.h), past solutions are not used, since z = 0 is as good (linear.c). False: some
 * number is not finite. */
typedef struct {
    double correction, unknown;
} linear_change;
/* Room for the factors; NULL: they do not fit. */
band_factors *passes_factors(const passes *p, mem *m);
bool          passes_linear(passes *p, const equations *eq, band_factors *k, const history *before,
                            bool again, const end_state *to, double *work, linear_change *change);

/* linear.c: by_rows.step_linear, with factors of its own or those of the solver. */
bool linear_step(newton *nw, history *before, end_state *to, double *work);

#endif
