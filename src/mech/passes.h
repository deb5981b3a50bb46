/* passes.h - the equations of a large chain in passes over its rows: residual, Newton's matrix and momentum without
 * arrays of L_q, L_w and their derivatives in between. Compiled or by the machine, with the same bits.
 *
 * For one point on a curve of degree one (midpoint), coordinates that move freely, few of them at each place of the
 * chain, and terms that come in runs (model/runs.h). Whatever does not fit is evaluated as ever; both agree to roundoff. */
#ifndef MECH_PASSES_H
#define MECH_PASSES_H

#include "base/crew.h"
#include "mech/equations.h"

typedef struct passes passes;

/* NULL: the system does not fit. Where it cannot be compiled, `why` says it, and the machine does it. */
passes *passes_new(mem *m, const equations *eq, crew *hands, bool native, text *why);
bool    passes_compiled(const passes *p); /* NULL: no */

/* r = r(y), also with the other sign unless that is NULL, and with_jacobian the entries of eq->J into eq->values. False:
 * not all is finite. */
bool passes_residual(passes *p, const equations *eq, const double *y, double *r, double *minus_r, bool with_jacobian);

/* Where a step leads to: the state, in two parts, and y once more. */
typedef struct {
    double *q, *q_low, *p, *p_low, *past;
    bool    plain;
} end_state;

/* The state at the end of the curve y, and the work along it in addition to *work. False: not all is finite. */
bool passes_end(passes *p, const equations *eq, const double *y, const end_state *to, double *work);

#endif
