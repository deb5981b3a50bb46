/* passes.h - the equations of a large chain in compiled passes over its rows: residual, Newton's matrix and momentum
 * without arrays of L_q, L_w and their derivatives in between.
 *
 * For one point on a curve of degree one (midpoint), coordinates that move freely, and terms that come in runs
 * (model/runs.h). Whatever does not fit is evaluated as ever; both agree to roundoff. */
#ifndef MECH_PASSES_H
#define MECH_PASSES_H

#include "base/crew.h"
#include "mech/equations.h"

typedef struct passes passes;

/* NULL: the system does not fit, or (then why says it) cannot be compiled. */
passes *passes_new(mem *m, const equations *eq, crew *hands, text *why);

/* r = r(y), and with_jacobian the entries of eq->J into eq->values. */
void passes_residual(passes *p, const equations *eq, const double *y, double *r, bool with_jacobian);
void passes_momentum(passes *p, const equations *eq, const double *y, double *dp); /* p^- - p_0 */
double passes_work(passes *p, const equations *eq, const double *y, double *room); /* h f.v      */

#endif
