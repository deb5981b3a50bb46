/* test_constrained_orders.c - every scheme keeps its order with constraints: on a nonholonomic
 * system whose constraint depends on time and is affine in the velocities, and on a holonomic one
 * that moves, both forced. The exact solution comes from the index-reduced equations
 *     L_vv a - A^T lam = L_q + f - L_vq v - L_vt,     A a = -(the rest of d/dt of A v + b),
 * which share nothing with the schemes, solved by an extrapolation code. */
#define DOFS_MOST 4
#include "claims.h"
#include "constrained.h"
#include "extrapolation.h"

enum { ROWS_MOST = 2 * DOFS_MOST };

/* a x = b by elimination with row exchanges; b becomes x */
static void eliminate(real a[ROWS_MOST][ROWS_MOST], real *b, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(a[i][k]) > fabsl(a[best][k])) best = i;
        for (int j = 0; j < n; j++) {
            real kept = a[k][j];
            a[k][j] = a[best][j], a[best][j] = kept;
        }
        real kept = b[k];
        b[k] = b[best], b[best] = kept;
        for (int i = 0; i < n; i++) {
            real by = a[i][k] / a[k][k];
            for (int j = k; i != k && j < n; j++) a[i][j] -= by * a[k][j];
            if (i != k) b[i] -= by * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= a[k][k];
}

/* Row of a constraint: A, and what of its second derivative in time holds no acceleration. */
static real relation_row(const named_problem *of, int a, jet t, const jet *q, const jet *v,
                         const double *w, real *A)
{
    const int n = of->pb.n, m = of->pb.m;
    jet       e[DOFS_MOST];
    real      rest = 0;
    if (a < m) {
        of->pb.velocity(of->c, t, q, v, e);
        rest = e[a].d[0];
        for (int i = 0; i < n; i++) A[i] = e[a].d[1 + n + i], rest += e[a].d[1 + i] * w[i];
        return rest;
    }
    of->pb.position(of->c, t, q, e);
    const jet *g = &e[a - m];
    rest = g->dd[0][0];
    for (int i = 0; i < n; i++) {
        A[i] = g->d[1 + i], rest += 2 * g->dd[0][1 + i] * w[i];
        for (int j = 0; j < n; j++) rest += g->dd[1 + i][1 + j] * w[i] * w[j];
    }
    return rest;
}

/* y = (q, v) */
static void rates(const void *self, real time, const real *y, real *dy)
{
    const named_problem *of = self;
    const int            n = of->pb.n, rows = of->pb.m + of->pb.r;
    double               at_q[DOFS_MOST], at_v[DOFS_MOST];
    jet                  t, q[DOFS_MOST] = {{0}}, v[DOFS_MOST] = {{0}}, f[DOFS_MOST];
    real                 K[ROWS_MOST][ROWS_MOST] = {{0}}, b[ROWS_MOST] = {0};
    for (int i = 0; i < n; i++) at_q[i] = (double)y[i], at_v[i] = (double)y[n + i];
    sys_point at = {.t = (double)time, .q = at_q};
    jet_variables(&at, n, at_v, &t, q, v);
    jet L = of->pb.lambda(of->c, t, q, v);
    for (int i = 0; i < n; i++) f[i] = jet_of(0);
    of->pb.force(of->c, t, q, v, f);
    for (int i = 0; i < n; i++) {
        b[i] = L.d[1 + i] + f[i].x - L.dd[1 + n + i][0];
        for (int j = 0; j < n; j++)
            K[i][j] = L.dd[1 + n + i][1 + n + j], b[i] -= L.dd[1 + n + i][1 + j] * at_v[j];
    }
    for (int a = 0; a < rows; a++) {
        real A[DOFS_MOST];
        b[n + a] = -relation_row(of, a, t, q, v, at_v, A);
        for (int i = 0; i < n; i++) K[n + a][i] = A[i], K[i][n + a] = -A[i];
    }
    eliminate(K, b, n + rows);
    for (int i = 0; i < n; i++) dy[i] = y[n + i], dy[n + i] = b[i];
}

/* The problems, with starts that satisfy their constraints. ------------------------------------ */

#define UNTIL 0.8

typedef struct {
    const named_problem *of;
    double               q[DOFS_MOST], v[DOFS_MOST], p[DOFS_MOST]; /* the start   */
    double               end_q[DOFS_MOST], end_p[DOFS_MOST];       /* and the end */
} journey;

static journey nonholonomic, holonomic, *now;

static void legendre(const named_problem *of, double time, const double *at_q, const double *at_v,
                     double *p)
{
    jet       t, q[DOFS_MOST], v[DOFS_MOST];
    sys_point at = {.t = time, .q = at_q};
    jet_variables(&at, of->pb.n, at_v, &t, q, v);
    jet L = of->pb.lambda(of->c, t, q, v);
    for (int i = 0; i < of->pb.n; i++) p[i] = L.d[1 + of->pb.n + i];
}

static void prepare(journey *r)
{
    const int n = r->of->pb.n;
    real      y[2 * DOFS_MOST];
    double    v[DOFS_MOST];
    legendre(r->of, 0, r->q, r->v, r->p);
    for (int i = 0; i < n; i++) y[i] = r->q[i], y[n + i] = r->v[i];
    extrapolate(rates, r->of, 2 * n, 0, UNTIL, 24, y);
    for (int i = 0; i < n; i++) r->end_q[i] = (double)y[i], v[i] = (double)y[n + i];
    legendre(r->of, UNTIL, r->end_q, v, r->end_p);
}

static int find_ends(void **state)
{
    (void)state;
    /* W v + b = -sin th x' + cos th y' + .2 cos y = 0 at t = 0 where W's last entry is .1 x */
    nonholonomic = (journey){.of = problem_named("sleigh affine W(t,q),b(t,q)"),
                             .q = {0.3, -0.2, 0.4},
                             .v = {0.8, 0, 0.7}};
    double *q = nonholonomic.q, *v = nonholonomic.v;
    v[1] = (sin(q[2]) * v[0] - 0.1 * q[0] * v[2] - 0.2 * cos(q[1])) / cos(q[2]);
    /* two rods of lengths 1 and .8 from a pivot that starts at rest; the second grows by .3 per
     * time */
    double a = 0.7, b = -0.4, da = 0.9, db = -0.6, l = 0.8, dl = 0.3;
    holonomic = (journey){.of = problem_named("dpend g(t,q)"),
                          .q = {sin(a), -cos(a), sin(a) + l * sin(b), -cos(a) - l * cos(b)},
                          .v = {0.4 + cos(a) * da, sin(a) * da,
                                0.4 + cos(a) * da + l * cos(b) * db + dl * sin(b),
                                sin(a) * da + l * sin(b) * db - dl * cos(b)}};
    prepare(&nonholonomic), prepare(&holonomic);
    return 0;
}

/* Orders. -------------------------------------------------------------------------------------- */

/* NaN if a step is too large to be solved */
static void errors(const char *words, int steps, double *eq, double *ep)
{
    jet_system s;
    bench      b;
    double     h = UNTIL / steps;
    bool       failed = false;
    bench_open(&b, jet_system_init(&s, &now->of->pb, now->of->c, COUNT(now->of->c)), words, NULL,
               NULL);
    stepper_set(b.st, 0, now->q, now->p, now->v);
    for (int k = 0; k < steps && !failed; k++)
        failed = stepper_step(b.st, k * h, h, &b.why) != DAL_OK;
    *eq = failed ? (double)NAN : distance(stepper_q(b.st), now->end_q, now->of->pb.n);
    *ep = failed ? (double)NAN : distance(stepper_p(b.st), now->end_p, now->of->pb.n);
    bench_close(&b);
}

/* The order between the two finest of a sequence of steps whose errors are above roundoff. */
static void order_is_as_claimed(const char *words, const scheme *sch)
{
    static const int steps[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256};
    double           last_q = NAN, last_p = NAN, of_q = NAN, of_p = NAN;
    int              enough = sch->order == 1                ? COUNT(steps)
                              : sch->order < 4 || sch->damps ? 11
                              : sch->substeps > 1            ? 10
                                                             : 9;
    for (int i = 0; i < enough; i++) {
        double eq, ep, ratio = i ? log((double)steps[i] / steps[i - 1]) : 1;
        errors(words, steps[i], &eq, &ep);
        /* few steps: that of q alone may nearly vanish by chance */
        if (sch->order > 6) eq = ep = hypot(eq, ep);
        if (getenv("DAL_SHOW"))
            print_message("   %s %d: %.1e %.1e  %.2f %.2f\n", words, steps[i], eq, ep,
                          log(last_q / eq) / ratio, log(last_p / ep) / ratio);
        if (eq < 3e-13 || ep < 3e-13) break;
        of_q = log(last_q / eq) / ratio, of_p = log(last_p / ep) / ratio;
        last_q = eq, last_p = ep;
    }
    if (getenv("DAL_SHOW"))
        print_message("%s: %.2f in q, %.2f in p, claimed %d\n", words, of_q, of_p, sch->order);
    if (fmin(of_q, of_p) >= sch->order - (sch->order > 6 ? 0.5 : 0.15)) return;
    print_error("%s on %s: orders %.3f in q and %.3f in p, claimed %d\n", words, now->of->name,
                of_q, of_p, sch->order);
    fail();
}

static void each_order(journey *on)
{
    static const char *const base[] = {"midpoint"};
    now = on;
    each_scheme(8, order_is_as_claimed);
    each_pair(order_is_as_claimed);
    each_composition(base, COUNT(base), 8, order_is_as_claimed);
}

static void nonholonomic_systems_keep_the_order(void **state)
{
    (void)state;
    each_order(&nonholonomic);
}

static void holonomic_systems_keep_the_order(void **state)
{
    (void)state;
    each_order(&holonomic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonholonomic_systems_keep_the_order),
        cmocka_unit_test(holonomic_systems_keep_the_order),
    };
    return cmocka_run_group_tests(tests, find_ends, NULL);
}
