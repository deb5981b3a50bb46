/* workload.c - what a step evaluates and what it costs: for preparing programs and for deciding
 * whether compilation pays. */
#include "mech/equations/shooting.h"
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

/* A request of nothing, or at no points, is none. */
static void add(step_request *out, int *n, unsigned want, int points)
{
    if (want && points) out[(*n)++] = (step_request){want, points};
}

/* Residuals alone, and once more with derivatives, unless these are never taken again. Forces
 * are asked for where they are sampled; relations at the control nodes and at the Gauss points. */
int stepper_requests(const stepper *st, step_request out[STEP_REQUESTS])
{
    const equations *eq = &st->eq;
    const unsigned   of_force = WANT_FORCE | WANT_FORCE_JACOBIAN;
    const unsigned   here = eq->force.count ? ~of_force : ~0u;
    const unsigned   holonomic = eq->sys->r ? WANT_HOLONOMIC : 0;
    const int        points = st->explicitly.fits ? 1 : eq->rule.count;
    int              n = 0;
    for (int with = 0; with < (stepper_explicit(st) || eq->constant ? 1 : 2); with++) {
        unsigned jacobian = with ? eq->want.jacobian : 0, relation = with ? eq->want.relation : 0;
        add(out, &n, (eq->want.residual | jacobian) & here, points);
        add(out, &n, (WANT_FORCE | jacobian) & of_force, eq->force.count);
        add(out, &n, WANT_RELATIONS | holonomic | relation, eq->relations ? eq->control.count : 0);
        add(out, &n, WANT_RELATIONS | relation, eq->relations ? eq->gauss.count : 0);
    }
    return n;
}

/* An explicit step evaluates once, where it arrives; a step of the energy principle solves for its
 * curve and then for its length. */
int stepper_evaluations(const stepper *st)
{
    return st->explicitly.fits ? 1 : st->energy ? 6 : 2;
}

/* Measured on chains of 400 to 20,000 cells of one to four coordinates, one point. */
static double own_ns_of_many(const equations *eq, double N, double w)
{
    return eq->constant ? 3.5 * N * w : N * (25 + (w > 3 ? 1.8 : 1.3) * w * w);
}

/* Measured on rods and pendulums of 30 to 3000 unknowns, by multipliers alone and by elimination in
 * an order with little fill. */
static double own_ns_of_linked(const stepper *st)
{
    return 1500 + (st->nw.linkage ? 22 : 55) * st->eq.size;
}

bool stepper_eliminates(const stepper *st)
{
    if (st->sys->turns) return false; /* charts cost more */
    return st->nw.linkage || !strcmp(solver_name(st->nw.cache[0].lu), "sparse");
}

/* Measured on rods of 30 to 120 unknowns: a dense matrix that is kept while corrections shrink. */
double stepper_dense_ns(const stepper *st)
{
    const double N = st->eq.size;
    return N * N * (2.5 + 0.01 * N);
}

/* Measured on ends of 4 to 12 unknowns: along directions that bend they are found with the curve,
 * or after it. */
static double end_ns(const bent_moves *b)
{
    return b ? b->end.size * (b->felt ? 1000 : 400) : 0;
}

/* Measured on 1 to 30 bodies with ball joints: charts, at each point and node, in all evaluations
 * of a step. */
static double charts_ns(const equations *eq)
{
    const int points = eq->s + (eq->relations ? eq->d + 1 : 0);
    return eq->turn ? 3500.0 * eq->sys->turns->count * points : 0;
}

/* Measured on systems of 1 to 16 unknowns: about twice in a step rows and columns are gathered and
 * a matrix is factored, which for N rows of w entries takes N w^2 products; one that is kept over
 * steps is solved with some ten times. Several points cost more per row. */
double stepper_own_ns(const stepper *st)
{
    const equations *eq = &st->eq;
    const double     N = eq->size, product = 1.3;
    if (st->explicitly.fits) return 30 + 3 * N;
    const double w = pattern_count(&eq->J) / N, once = eq->rule.count > 1 ? 400 : 100,
                 gather = once / 4, solves = 10;
    const double each = eq->constant ? 1 : st->nw.quasi ? fmin(solves, w) : w;
    if (N >= 300 && eq->single) return own_ns_of_many(eq, N, w);
    if (stepper_eliminates(st)) return own_ns_of_linked(st);
    return end_ns(st->massless.bent) + charts_ns(eq) + stepper_evaluations(st) * shooting_ns(eq) +
           stepper_evaluations(st) / 2.0 * (once + gather * N + N * w * each * product);
}

/* Measured on the same systems: the rows are written once; loops over points, a nonlinear solve and
 * an end along directions that bend add to that. */
double stepper_compile_seconds(const stepper *st)
{
    const equations *eq = &st->eq;
    if (explicit_is_written(&st->explicitly)) return 0.01;
    const double once = eq->rule.count > 1 ? 0.13 : 0.01, row = eq->rule.count > 1 ? 0.033 : 0.015;
    return (once + row * eq->size) * (eq->constant ? 0.5
                                      : eq->shot   ? 2
                                                   : 1) +
           (eq->relations ? 0.07 : 0) + (st->massless.bent ? 0.4 : 0);
}
