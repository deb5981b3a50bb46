/* test_api_ledger_rotations.c - accounts of bodies in space: what joints, springs, torques and
 * inertia outside of parts pass on closes to the order of the scheme. */
#include "api_run.h"

#include <stdio.h>

static const char *const model =
    "let e3 = [0, 0, 1]\n"
    "system Body {\n"
    "  parameter m = 1, J[3] = [0.1, 0.12, 0.05], g = 9.81, c = 0.05\n"
    "  coordinate x[3], R : rotation\n"
    "  let W = bodyspin(R)\n"
    "  lagrangian m/2*dot(x', x') + dot(W, diag(J)*W)/2 - m*g*x[3]\n"
    "  force R: -c*spin(R)\n"
    "}\n"
    "system Rod {\n"
    "  parameter m = 0.5\n"
    "  coordinate x[3], n : direction\n"
    "  lagrangian m/2*dot(x', x') + dot(n', n')/24 - m*9.81*x[3]\n"
    "  force n: -0.02*n'\n"
    "}\n"
    "system Pair {\n"
    "  part a : Body\n"
    "  part b : Body(m = 0.7, J = [0.08, 0.05, 0.09], c = 0)\n"
    "  part r : Rod\n"
    "  lagrangian -0.5*(1 + 0.2*cos(3*t))*dot(a.R*[1, 0, 0], b.R*[0, 1, 0]) - a.R[2][1]*r.n[1] + 0.02*dot(spin(a.R), spin(b.R)) + 0.01*dot(r.n', spin(a.R))\n"
    "  force a.R: -0.03*(spin(a.R) - spin(b.R))\n"
    "  force b.R: 0.03*(spin(a.R) - spin(b.R))\n"
    "  force r.n: [0.1, 0, 0]\n"
    "  holonomic top: a.x + a.R*[0.1, 0, 0.5] = [0, 0, 0]\n"
    "  connect joint: b.x + b.R*[0, 0.1, 0.4] = a.x + a.R*[0.1, 0, -0.5]\n"
    "  connect end: r.x + r.n/2 = b.x + b.R*[0, 0, -0.4]\n"
    "  start a.R = rotation([1, 0.3, 0], 0.8), b.R = rotation([0.2, 1, 0.4], -0.5), bodyspin(a.R) = [0.5, -0.4, 2], bodyspin(b.R) = [-1, 0.6, 0.8]\n"
    "  start a.x = [0, 0, 0] free, b.x = [0, 0, 0] free, a.x' = [0, 0, 0] free, b.x' = [0, 0, 0] free\n"
    "  start r.n = [0, 0.6, 0.8], r.x = [0,0,0] free, r.x' = [0,0,0] free\n"
    "}\n";

/* The largest that an account is off, of the parts and of the whole. */
static double largest_rest(const char *scheme, double step)
{
    char   h[32];
    double most = 0;
    snprintf(h, sizeof h, "%.17g", step);
    run r = begin_text(
        model,
        (const setting[]){{"scheme", scheme}, {"step", h}, {"until", "0.5"}, {"ledger", "yes"}, {0}});
    run_to_end(&r);
    const dal_ledger *book = dal_ledger_of(r.s);
    assert_int_equal(book->accounts, 4);
    for (size_t k = 0; k < book->accounts; k++) {
        const dal_account *a = &book->account[k];
        most = fmax(most, fabs(a->last - a->first - a->work - a->received));
    }
    end(&r);
    return most;
}

static void accounts_close_to_the_order(void **state)
{
    static const struct {
        const char *scheme;
        double      order, step;
    } of[] = {{"gauss(1)", 2, 0.005}, {"gauss(2)", 4, 0.01}, {"lobatto(3)", 4, 0.01}};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double coarse = largest_rest(of[k].scheme, of[k].step),
                     fine = largest_rest(of[k].scheme, of[k].step / 2);
        check_close(log2(coarse / fine), of[k].order, 0.15);
        check_below(fine, of[k].order > 2 ? 1e-6 : 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accounts_close_to_the_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
