/* test_api_tangent_rotations.c - tangents of steps with rotations and directions: sensitivities of
 * 25 systems to their parameters, of their starts, to time and to the length of a step, against
 * differences of runs; Lyapunov exponents, of which damping decides the sum. */
#include "reference_manifold.h"
#include "turning_run.h"

enum { STEPS = 4 };

/*     eta = 2 Im(q^* dq) */
static void turned_by(const double *q, const double *dq, double *eta)
{
    eta[0] = 2 * (q[0] * dq[1] - q[1] * dq[0] - q[2] * dq[3] + q[3] * dq[2]);
    eta[1] = 2 * (q[0] * dq[2] - q[2] * dq[0] - q[3] * dq[1] + q[1] * dq[3]);
    eta[2] = 2 * (q[0] * dq[3] - q[3] * dq[0] - q[1] * dq[2] + q[2] * dq[1]);
}

/* What is varied: the setting `key`, of which `format` makes words of a value. */
typedef struct {
    const char *text, *scheme, *key, *format;
    double      value;
} varied;

/* How the state after some steps depends on it, by differences of the fourth order. False: with
 * another value there is no such start. */
static bool differences(const varied *of, int steps, const rows *l, double *out)
{
    static const double weight[] = {1 / 12., -2 / 3., 0, 2 / 3., -1 / 12.};
    const double        e = of->value != 0 ? 1e-3 * fabs(of->value) : 1e-4;
    reading             middle = {.q = {0}}, d = {.q = {0}};
    for (int k = 0; k < 5; k++) {
        char words[80];
        snprintf(words, sizeof words, of->format, of->value + (k - 2) * e);
        run r = with_settings((const setting[]){{"scheme", of->scheme}, {of->key, words}, {0}});
        r.status = try_text(&r, of->text);
        if (r.status) return end(&r), false;
        for (int j = 0; j < steps; j++) must(&r, dal_step(r.s));
        const reading x = read_state(&r, l);
        end(&r);
        if (k == 2) middle = x;
        for (int i = 0; i < l->n; i++) {
            d.q[i] += weight[k] * x.q[i] / e, d.p[i] += weight[k] * x.p[i] / e;
            for (int c = 0; c < 4; c++) d.quaternion[i][c] += weight[k] * x.quaternion[i][c] / e;
        }
    }
    for (int i = 0; i < l->n; i++)
        if (l->kind[i] == ROTATION) turned_by(middle.quaternion[i], d.quaternion[i], d.q + i);
    memcpy(out, d.q, (size_t)l->n * sizeof *out);
    memcpy(out + l->n, d.p, (size_t)l->n * sizeof *out);
    return true;
}

/* From step to step:  d <- D d + d/dtheta */
static void by_tangents(run *r, const dal_direction *beside, double *d)
{
    double next[2 * ROWS_MOST];
    for (int k = 0; k < STEPS; k++) {
        dal_direction along = *beside;
        along.q = d, along.p = d + r->n, along.t = k * beside->h + beside->t;
        must(r, dal_tangent(r->s, 1, &along, next));
        memcpy(d, next, 2 * r->n * sizeof *d);
        must(r, dal_step(r->s));
    }
}

/* False: it cannot be varied. */
static bool agrees(run *r, const varied *of, const dal_direction *beside)
{
    double     d[2 * ROWS_MOST], expected[2 * ROWS_MOST], none[2 * ROWS_MOST] = {0};
    const rows l = rows_of(r);
    if (!differences(of, 0, &l, d)) return false;
    assert_true(differences(of, STEPS, &l, expected));
    by_tangents(r, beside, d);
    const double size = fmax(1, apart(expected, none, 2 * r->n)),
                 off = apart(d, expected, 2 * r->n);
    if (off > 3e-9 * size) print_message("%s: off by %.2g\n%s", of->format, off / size, of->text);
    check_below(off, 3e-9 * size);
    return true;
}

/* Returns how many parameters were varied. */
static int vary_parameters(const char *text, const char *scheme)
{
    int count = 0;
    for (size_t k = 0;; k++) {
        double one[ROWS_MOST] = {0};
        char   name[40], format[64];
        run    r = begin_text(text, (const setting[]){{"scheme", scheme}, {0}});
        if (!dal_model_name(r.m, DAL_PARAMETERS, k, name, sizeof name)) return end(&r), count;
        snprintf(format, sizeof format, "%s=%%.17g", name);
        const varied of = {text, scheme, "set", format, dal_parameters(r.s)[k]};
        one[k] = 1;
        count += agrees(&r, &of, &(dal_direction){.parameter = one});
        end(&r);
    }
}

static void sensitivities_are_those_of_differences(void **state)
{
    (void)state;
    int count = 0;
    for (size_t k = 0; k < sizeof manifold_runs / sizeof *manifold_runs; k++)
        count += vary_parameters(manifold_runs[k].model, NULL);
    assert_int_equal(count, 99);
}

/* All of the state depends on e, s and k. */
#define TOSSED                                                                                             \
    "system Tossed {\n parameter e[3] = [1, 2, -1], s = 0.7, k[3] = [0.4, -0.6, 3], c = 0.1\n"             \
    " coordinate x[3], R : rotation, n : direction\n let W = bodyspin(R), tip = x + R*[0.3, 0.1, 0.2]\n"   \
    " lagrangian dot(x', x')/2 + dot(W, diag([1, 2, 2.6])*W)/2 + dot(n', n')/3 + dot(x', W)/5\n"           \
    " lagrangian -dot(tip, tip)*cos(t) - tip[3] + dot(n, R*[1, 0, 0])\n"                                   \
    " force n: -c*cross(spin(R), n)\n force tip: -c*dot(n, tip')*n\n"                                      \
    " start x = [0.1*s, 0.2, 0.3], R = rotation(e, s), p(R) = k, n = e/norm(e), p(n) = cross(e, k)/4\n}\n" \
    "simulate {\n step = 0.15\n steps = 20\n from = 0.3\n}\n"

/* A Hamiltonian rotation with stage momenta, beside a Lagrangian one; both damped, and a state. */
#define MIXED                                                                                      \
    "system Gyro {\n parameter k = 0.4, e[3] = [1, 2, -1]\n coordinate R : rotation, y\n"          \
    " let P = inv(R)*p(R)\n"                                                                       \
    " hamiltonian P[1]^2/2 + P[2]^2/4 + (P[3] - k*P[1])^2/5 + R[3][3]*y + (p(y) + k*P[2])^2/3\n"   \
    " damping R: -k*spin(R)*(1 + y^2)\n"                                                           \
    " start R = rotation(e, k), p(R) = [k, 0.3, -1], y = 0.2 + k, p(y) = 0.3\n}\n"                 \
    "system Top {\n parameter c = 0.3\n coordinate S : rotation, n : direction\n"                  \
    " let W = bodyspin(S)\n input u = 0\n"                                                         \
    " lagrangian dot(W, diag([1, 2, 2.6])*W)/2 + dot(n', n')/3 + dot(n, S*[1, 0, 0])*cos(t)\n"     \
    " state z' = W[2] - c*z + n[1] + u\n force S: [0, z, 0.1]\n damping S: -c*spin(S)\n"           \
    " damping n: -c*n'*(1 + W[1]^2)\n force n: [c*z, 0, 0]\n"                                      \
    " start bodyspin(S) = [c, -0.5, 1], n = [0.6, 0, -0.8], n' = [0, 1 + c, 0], z = 0.1 + c\n}\n"  \
    "system Mixed {\n part a : Gyro\n part b : Top(u = a.R[1][2])\n%s}\n"                          \
    "simulate {\n step = 0.15\n steps = 20\n from = 0.3\n}\n"

static void vary_all(const char *text, const char *scheme, int parameters)
{
    assert_int_equal(vary_parameters(text, scheme), parameters);
    const setting set[] = {{"scheme", scheme}, {0}};
    run           r = begin_text(text, set), s = begin_text(text, set);
    const varied  step = {text, scheme, "step", "%.17g", 0.15};
    const varied  from = {text, scheme, "from", "%.17g", 0.3};
    assert_true(agrees(&r, &step, &(dal_direction){.h = 1}));
    assert_true(agrees(&s, &from, &(dal_direction){.t = 1}));
    end(&r), end(&s);
}

static void so_are_those_of_momenta_damping_and_states(void **state)
{
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, MIXED, "");
    vary_all(text, "gauss(2)", 5);
    vary_all(text, "damped(3)", 5);
}

static void so_are_those_to_starts_time_and_steps(void **state)
{
    static const char *const schemes[] = {"midpoint",     "gauss(2)",
                                          "lobatto(2)",   "lobatto(3)",
                                          "rectangle(0)", "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) vary_all(TOSSED, schemes[k], 8);
}

static const struct {
    const char *text, *momentum; /* momentum: of a direction */
    int         count;
    double      sum;
} damped[] = {{"system Top {\n parameter J[3] = [1, 2, 2.6], a[3] = [0.3, 0.2, 1]\n"
               " coordinate R : rotation\n let W = bodyspin(R)\n"
               " lagrangian dot(W, diag(J)*W)/2 - (R*a)[3]\n force R: -0.05*spin(R)\n"
               " start bodyspin(R) = [0.4, -0.3, 1.5]\n}\n",
               NULL, 6, -0.05 * (1 + 1 / 2. + 1 / 2.6)},
              {"system Pendulum {\n coordinate n : direction\n"
               " lagrangian 0.7*dot(n', n')/2 - 9.81*n[3]\n force n: -0.05*n'\n"
               " start n = [0.6, 0, -0.8], n' = [0, 1, 0]\n}\n",
               "p(n)[%d]", 4, -0.1 / 0.7}};

/* After the first step, which does not count, 32 parts of 16 steps: 16 of them are averaged. */
static const double counted = 256 * 0.05;

/* The sum of exponents after so many steps, or the logarithm of the volume that dn and dp have in
 * space where that on the sphere is 1:  ln(1 + p^2)/2 */
static double after(size_t k, const char *steps, bool volume)
{
    char          count[8];
    double        sum = 0, p2 = 0;
    const setting set[] = {{"scheme", "gauss(3)"},
                           {"step", "0.05"},
                           {"steps", steps},
                           {"lyapunov", volume ? NULL : count},
                           {0}};
    snprintf(count, sizeof count, "%d", damped[k].count);
    run r = begin_text(damped[k].text, set);
    run_to_end(&r);
    const dal_summary *is = dal_summarise(r.s);
    for (size_t j = 0; j < is->exponents; j++) sum += is->exponent[j];
    for (int i = 1; i <= 3 && damped[k].momentum; i++) {
        char column[16];
        snprintf(column, sizeof column, damped[k].momentum, i);
        p2 += measure(&r, column) * measure(&r, column);
    }
    end(&r);
    return volume ? log(1 + p2) / 2 : sum;
}

/* Momenta shrink at the rate of the damping, wherever the motion is: of a top by c/J_1 + c/J_2 +
 * c/J_3, of a direction by 2 c/J. */
static void exponents_add_up_to_the_damping(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof damped / sizeof *damped; k++) {
        const double grown = after(k, "513", true) - after(k, "257", true);
        check_close(after(k, "513", false), damped[k].sum + grown / counted, 1e-8);
    }
}

/* A direction has four. */
static void there_are_two_exponents_for_each_degree_of_freedom(void **state)
{
    (void)state;
    run r = with_settings((const setting[]){{"lyapunov", "15"}, {0}});
    assert_int_equal(try_text(&r, TOSSED), DAL_OK);
    end(&r);
    r = with_settings((const setting[]){{"lyapunov", "17"}, {0}});
    assert_int_equal(try_text(&r, TOSSED), DAL_INVALID);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensitivities_are_those_of_differences),
        cmocka_unit_test(so_are_those_to_starts_time_and_steps),
        cmocka_unit_test(so_are_those_of_momenta_damping_and_states),
        cmocka_unit_test(exponents_add_up_to_the_damping),
        cmocka_unit_test(there_are_two_exponents_for_each_degree_of_freedom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
