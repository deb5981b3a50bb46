/* requests.c - what a step asks of its system again and again: for those who prepare the answers.
 */
#include "mech/stepper.h"

static void add(step_request *out, int *n, unsigned want, int points)
{
    if (want && points) out[(*n)++] = (step_request){want, points};
}

int stepper_requests(const stepper *st, step_request out[STEP_REQUESTS])
{
    const equations *eq = &st->eq;
    const unsigned   of_force = WANT_FORCE | WANT_FORCE_JACOBIAN;
    const unsigned   here = eq->force.count ? ~of_force : ~0u;
    const unsigned   holonomic = eq->sys->r ? WANT_HOLONOMIC : 0;
    int              n = 0;
    for (int with = 0; with < (stepper_explicit(st) || eq->constant ? 1 : 2); with++) {
        unsigned jacobian = with ? eq->jacobian_mask : 0, relation = with ? eq->relation_mask : 0;
        add(out, &n, (eq->residual_mask | jacobian) & here, eq->rule.count);
        add(out, &n, (WANT_FORCE | jacobian) & of_force, eq->force.count);
        add(out, &n, WANT_RELATIONS | holonomic | relation, eq->relations ? eq->control.count : 0);
        add(out, &n, WANT_RELATIONS | relation, eq->relations ? eq->gauss.count : 0);
    }
    return n;
}

/* Measured on systems of 1 to 16 unknowns: rows and columns are gathered, and a matrix is factored,
 * about twice in a step: of N rows with w entries each in N w^2 products. */
double stepper_own_ns(const stepper *st)
{
    const double N = st->eq.size, once = 200, gather = 50, product = 1.3;
    if (stepper_explicit(st)) return once / 2;
    const double w = pattern_count(&st->eq.J) / N;
    return once + gather * N + (st->eq.constant ? N * w : N * w * w) * product;
}
