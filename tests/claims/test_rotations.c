/* test_rotations.c - what schemes claim to keep, they keep with rotations and directions: the
 * symplectic form, the way back, the momenta of rotations from either side. */
#include "turning_run.h"

static const char *const schemes[] = {
    "gauss(1)",   "gauss(2)",     "gauss(3)",
    "lobatto(2)", "lobatto(3)",   "lobatto(4)",
    "radau(2)",   "rectangle(0)", "compose(midpoint, yoshida(4))"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, SYMMETRIC = 6 };

#define TOP                                                                                         \
    "system Top {\n parameter J[3] = [1, 2, 2.6], a[3] = [0.3, 0.2, 1]\n coordinate R : rotation\n" \
    " let W = bodyspin(R)\n lagrangian dot(W, diag(J)*W)/2 - (R*a)[3]\n"                            \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n}\n"
#define COUPLED                                                                                    \
    "system Coupled {\n coordinate x[3], R : rotation, n : direction\n let W = bodyspin(R)\n"      \
    " let tip = x + R*[0.3, 0.1, 0.2]\n"                                                           \
    " lagrangian dot(x', x')/2 + dot(W, diag([1, 2, 2.6])*W)/2 + dot(n', n')/3 + dot(x', W)/5\n"   \
    " lagrangian -dot(tip, tip)*cos(t) - tip[3] + dot(n, R*[1, 0, 0]) + dot(n', W)/7\n"            \
    " start x = [0.1, 0.2, 0.3], R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.6, 2]\n"    \
    " start n = [0.6, 0, -0.8], n' = [0, 1, 0], x' = [0.3, -0.2, 0.5]\n}\n"
#define DAMPED                                                                                     \
    "system Damped {\n coordinate R : rotation\n let W = bodyspin(R)\n"                            \
    " lagrangian dot(W, diag([1, 2, 2.6])*W)/2 - R[3][3]\n force R: -0.1*spin(R)\n"                \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n}\n"

/* The symplectic form. ------------------------------------------------------------------------- */

/*     omega(a, b) = sum (da_q db_p - da_p db_q) + mu.(eta_a x eta_b)
 * of numbers, of (dn, dp), and of rotations (eta, dmu) in body axes, with mu of these. */
static double form(const rows *l, const double *mu, const double *a, const double *b)
{
    const int n = l->n;
    double    sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[n + i] - a[n + i] * b[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3 && l->kind[i] == ROTATION; k++) {
            const int j = i + (k + 1) % 3, m = i + (k + 2) % 3;
            sum += mu[i + k] * (a[j] * b[m] - a[m] * b[j]);
        }
    return sum;
}

/* All directions of q and p; those of n perpendicular to it, with p.n = 0. */
static int directions(const rows *l, const reading *at, double (*out)[2 * ROWS_MOST])
{
    const int n = l->n;
    for (int c = 0; c < 2 * n; c++) {
        memset(out[c], 0, sizeof out[c]);
        out[c][c] = 1;
        for (int i = 0; i < n; i++) {
            const double *N = at->q + i, *p = at->p + i;
            double       *dn = out[c] + i, *dp = out[c] + n + i, along = 0;
            if (l->kind[i] != DIRECTION) continue;
            for (int k = 0; k < 3; k++) along += dn[k] * N[k];
            for (int k = 0; k < 3; k++) dn[k] -= along * N[k];
            along = 0;
            for (int k = 0; k < 3; k++) along += dp[k] * N[k] + p[k] * dn[k];
            for (int k = 0; k < 3; k++) dp[k] -= along * N[k];
        }
    }
    return 2 * n;
}

static double symplectic_defect(const char *text, const char *scheme)
{
    static double before[2 * ROWS_MOST][2 * ROWS_MOST], after[2 * ROWS_MOST][2 * ROWS_MOST];
    run        r = begin_text(text, (const setting[]){{"scheme", scheme}, {"step", "0.25"}, {0}});
    const rows l = rows_of(&r);
    const reading from = read_state(&r, &l);
    const int     count = directions(&l, &from, before);
    double        worst = 0;
    for (int c = 0; c < count; c++)
        must(&r,
             dal_tangent(r.s, 1, &(dal_direction){.q = before[c], .p = before[c] + l.n}, after[c]));
    must(&r, dal_step(r.s));
    const reading to = read_state(&r, &l);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            worst = fmax(worst, fabs(form(&l, to.p, after[a], after[b]) -
                                     form(&l, from.p, before[a], before[b])));
    end(&r);
    return worst;
}

static void steps_are_symplectic(void **state)
{
    (void)state;
    check_below(1e-4, symplectic_defect(DAMPED, "gauss(2)")); /* which is not */
    for (int k = 0; k < SCHEMES; k++) {
        check_below(symplectic_defect(TOP, schemes[k]), 1e-14);
        check_below(symplectic_defect(COUPLED, schemes[k]), 1e-14);
    }
}

/* The way back. -------------------------------------------------------------------------------- */

#define SUSLOV                                                                                     \
    "system Suslov {\n parameter J[3][3] = [[1, 0.1, 0.3], [0.1, 1.4, -0.2], [0.3, -0.2, 2]]\n"    \
    " coordinate R : rotation\n lagrangian dot(bodyspin(R), J*bodyspin(R))/2\n"                    \
    " constraint bodyspin(R)[3] = 0\n start bodyspin(R) = [1.2, -0.7, 0]\n}\n"
#define TURNTABLE                                                                                  \
    "system Turntable {\n parameter m = 1.3, r = 0.5, om = 2\n let I = 2/5*m*r^2\n"                \
    " coordinate x[2], R : rotation\n let w = spin(R)\n"                                           \
    " lagrangian m/2*(x[1]'^2 + x[2]'^2) + I/2*dot(w, w)\n"                                        \
    " constraint x[1]' = r*w[2] - om*x[2]\n constraint x[2]' = -r*w[1] + om*x[1]\n"                \
    " start x = [0.3, 0.1], x[1]' = 0.2, x[2]' = -0.4, spin(R) = [2, 0.8, 0.7]\n}\n"
#define RODS                                                                                       \
    "system Rods {\n coordinate x[2][3], n[2] : direction\n"                                       \
    " lagrangian sum(k in 1..2: dot(x[k]', x[k]')/2 + dot(n[k]', n[k]')/24 - 9.81*x[k][3])\n"      \
    " holonomic x[1] + n[1]/2 = [0, 0, 0]\n holonomic x[1] - n[1]/2 = x[2] + n[2]/2\n"             \
    " start n[1] = [0, -0.6, 0.8], x[1] = [0, 0.3, -0.4], n[2] = [0.6, 0, 0.8]\n"                  \
    " start x[2] = [-0.3, 0.6, -1.2]\n}\n"

enum { WAY = 5 };

/* There and back, by steps of -h, or by the same steps with the momenta turned round: how far from
 * the start? */
static double way_back(const char *text, const char *scheme, bool turned)
{
    run there = begin_text(text, (const setting[]){{"scheme", scheme}, {"step", "0.05"}, {0}});
    const rows    l = rows_of(&there);
    const reading from = read_state(&there, &l);
    run           back = with_settings((const setting[]){{"scheme", scheme},
                                                         {"step", "0.05"},
                                                         {"from", turned ? "0" : "0.25"},
                                                         {"until", turned ? "0.25" : "0"},
                                                         {0}});
    for (int k = 0; k < WAY; k++) must(&there, dal_step(there.s));
    reading middle = read_state(&there, &l);
    for (int i = 0; i < l.n && turned; i++) middle.spatial[i] *= -1;
    begin_at(&back, &l, &middle);
    must(&back, try_text(&back, text));
    for (int k = 0; k < WAY; k++) must(&back, dal_step(back.s));
    reading to = read_state(&back, &l);
    for (int i = 0; i < l.n && turned; i++) to.p[i] *= -1;
    end(&there), end(&back);
    return readings_apart(&from, &to, &l);
}

static void a_step_back_undoes_a_step(void **state)
{
    static const char *const models[] = {TOP, COUPLED, DAMPED, SUSLOV, TURNTABLE, RODS};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int k = 0; k < SCHEMES; k++)
            check_below(way_back(models[m], schemes[k], false), 4e-14);
}

/* Motions that are also motions backward in time. */
static void symmetric_schemes_find_the_way_back(void **state)
{
    static const char *const models[] = {TOP, SUSLOV, RODS};
    (void)state;
    check_below(1e-7, way_back(TOP, "radau(2)", true)); /* which is not symmetric */
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int k = 0; k < SYMMETRIC; k++)
            check_below(way_back(models[m], schemes[k], true), 4e-14);
}

/* Momenta. ------------------------------------------------------------------------------------- */

/* Two bodies with a ball joint, afloat; Lagrange's top, about the vertical and about its axis. */
#define PAIR                                                                                       \
    "let E1 = [1, 0, 0], E2 = [0, 1, 0], E3 = [0, 0, 1]\n"                                         \
    "system Pair {\n coordinate a[3], A : rotation, b[3], B : rotation\n"                          \
    " lagrangian dot(a', a')/2 + dot(bodyspin(A), diag([0.1, 0.12, 0.05])*bodyspin(A))/2\n"        \
    " lagrangian 0.35*dot(b', b') + dot(bodyspin(B), diag([0.08, 0.05, 0.09])*bodyspin(B))/2\n"    \
    " lagrangian -0.3*dot(A*E1, B*E2)^2\n"                                                         \
    " holonomic joint: b + B*[0, 0.1, 0.4] = a + A*[0.1, 0, -0.5]\n"                               \
    " output P = p(a) + p(b), L = p(A) + p(B) + cross(a, p(a)) + cross(b, p(b))\n"                 \
    " start A = rotation([1, 0.3, 0], 0.8), B = rotation([0.2, 1, 0.4], -0.5)\n"                   \
    " start bodyspin(A) = [0.5, -0.4, 2], bodyspin(B) = [-1, 0.6, 0.8], b = [0, 0, 0] free\n}\n"
#define LAGRANGE                                                                                   \
    "system Top {\n parameter J1 = 1, J3 = 0.6, mgl = 2\n coordinate R : rotation\n"               \
    " let W = bodyspin(R)\n"                                                                       \
    " lagrangian J1/2*(W[1]^2 + W[2]^2) + J3/2*W[3]^2 - mgl*R[3][3]\n"                             \
    " output P = [J3*W[3], 0, 0], L = [0, 0, p(R)[3]]\n"                                           \
    " start R = rotation([1, 0, 0], 0.6), bodyspin(R) = [0.1, 0.2, 10]\n}\n"

static void momenta_are_kept(void **state)
{
    static const char *const models[] = {PAIR, LAGRANGE};
    static const char *const column[] = {"P[1]", "P[2]", "P[3]", "L[1]", "L[2]", "L[3]"};
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < SCHEMES; k++) {
            run    r = begin_text(models[m],
                                  (const setting[]){{"scheme", schemes[k]}, {"step", "0.05"}, {0}});
            double before[6];
            for (int c = 0; c < 6; c++) before[c] = measure(&r, column[c]);
            for (int j = 0; j < 40; j++) must(&r, dal_step(r.s));
            for (int c = 0; c < 6; c++)
                check_close(measure(&r, column[c]), before[c], 2e-14 * fmax(1, fabs(before[c])));
            end(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_symplectic),
        cmocka_unit_test(a_step_back_undoes_a_step),
        cmocka_unit_test(symmetric_schemes_find_the_way_back),
        cmocka_unit_test(momenta_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
