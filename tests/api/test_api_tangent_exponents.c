/* Tangents over many steps: their chain is the tangent of the run, and their growth gives the
 * exponents of Lyapunov. */
#include "tangent_run.h"

/* The chain of tangents is the tangent of the run: against runs that begin aside. */
static void tangents_chain_over_many_steps(void **state)
{
    (void)state;
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    double              d[4] = {1, 0, 0, 0}, next[4], want[4] = {0};
    run                 b = open_model(plane, "lobatto(3)", 0.1);
    start(&b);
    const double p[] = {dal_p(b.s)[0], dal_p(b.s)[1]};
    for (int k = 0; k < 30; k++) {
        tangent_along(&b, &(dal_direction){.q = d, .p = d + 2}, next);
        memcpy(d, next, sizeof d);
        assert_int_equal(dal_step(b.s), DAL_OK);
    }
    for (int j = 0; j < 4; j++) {
        run a = open_model(plane, "lobatto(3)", 0.1);
        start_at(&a, "x=%.17g", 0.6 + 1e-3 * at[j]);
        start_at(&a, "p(x)=%.17g", p[0]), start_at(&a, "p(y)=%.17g", p[1]);
        start(&a);
        for (int k = 0; k < 30; k++) assert_int_equal(dal_step(a.s), DAL_OK);
        for (int i = 0; i < 2; i++)
            want[i] += weight[j] * dal_q(a.s)[i] / 1e-3,
                want[2 + i] += weight[j] * dal_p(a.s)[i] / 1e-3;
        end(&a);
    }
    for (int i = 0; i < 4; i++) check_close(d[i], want[i], 1e-8);
    end(&b);
}

/* The largest exponent: a direction is carried along and its growth added up. */
static double exponent(const char *model, const char *scheme, double h, int steps)
{
    run    b = open_model(model, scheme, h);
    double d[MOST] = {1, 0.3, 0.2, 0.1}, next[MOST], sum = 0;
    start(&b);
    for (int k = 0; k < steps; k++) {
        double size = 0;
        tangent_along(&b, &(dal_direction){.q = d, .p = d + b.n}, next);
        assert_int_equal(dal_step(b.s), DAL_OK);
        for (size_t i = 0; i < 2 * b.n; i++) size += next[i] * next[i];
        for (size_t i = 0; i < 2 * b.n; i++) d[i] = next[i] / sqrt(size);
        if (k >= steps / 2) sum += log(size) / 2;
    }
    end(&b);
    return sum / (h * (steps - steps / 2));
}

static void exponents_are_those_that_are_known(void **state)
{
    (void)state;
    check_close(
        exponent("system Saddle {\n  coordinate q\n  lagrangian q'^2/2 + 2*q^2\n  start q = 0\n}\n",
                 "gauss(3)", 0.1, 400),
        2, 1e-7);
    /* the length of a direction wavers as it turns, by some 10%: ln(1.1)/200 */
    check_close(exponent("system Damped {\n  coordinate q\n  lagrangian q'^2/2 - q^2/2\n"
                         "  force q: -0.2*q'\n  start q = 1\n}\n",
                         "gauss(3)", 0.1, 4000),
                -0.1, 5e-4);
    static const char *const heiles =
        "system HenonHeiles {\n  parameter E = 0.16\n  coordinate x, y\n"
        "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3\n"
        "  start y = 0.1, y' = 0.1, x' = sqrt(2*E - 0.1^2 - 0.1^2 + 2*0.1^3/3)\n}\n";
    double chaotic = exponent(heiles, "lobatto(3)", 0.1, 10000);
    assert_true(chaotic > 0.03 && chaotic < 0.15);
}

/* Exponents of a run, also of one that was saved on the way: the same bits. */
static void exponents_go_on_from_a_checkpoint(void **state)
{
    (void)state;
    run b = open_model(plane, "lobatto(3)", 0.1);
    dal_options_set(b.o, "lyapunov", "3");
    start(&b);
    const void *bytes = NULL;
    size_t      length = 0;
    for (int k = 0; k < 20; k++) {
        if (k == 9) assert_int_equal(dal_sim_save_to_memory(b.s, &bytes, &length), DAL_OK);
        assert_int_equal(dal_step(b.s), DAL_OK);
        if (k == 0) assert_true(isnan(dal_summarise(b.s)->exponent[0]));
    }
    const dal_summary *sum = dal_summarise(b.s);
    double             want[3];
    assert_int_equal(sum->exponents, 3);
    memcpy(want, sum->exponent, sizeof want);
    assert_true(isfinite(want[0]) && want[0] != want[1]);
    dal_checkpoint *c = NULL;
    assert_int_equal(dal_checkpoint_parse(b.cx, bytes, length, &c), DAL_OK);
    assert_int_equal(dal_sim_restore(b.s, c), DAL_OK);
    dal_checkpoint_free(c);
    for (int k = 9; k < 20; k++) assert_int_equal(dal_step(b.s), DAL_OK);
    assert_memory_equal(dal_summarise(b.s)->exponent, want, sizeof want);
    end(&b);
}

/* The largest `count` exponents of a run, with their errors. */
static void find_exponents(const char *text, const setting *set, int count, double *of, double *error)
{
    run r = begin_text(text, set);
    must(&r, dal_run(r.s, NULL));
    const dal_summary *sum = dal_summarise(r.s);
    assert_int_equal(sum->exponents, count);
    memcpy(of, sum->exponent, (size_t)count * sizeof *of);
    memcpy(error, sum->exponent_error, (size_t)count * sizeof *error);
    end(&r);
}

/* Directions begin anywhere; how they turn at first is no part of the average. The rates of two
 * saddles, one of them light, are those of q'' = a^2 q up to the order of gauss(3). */
static void the_first_turns_are_forgotten(void **state)
{
    (void)state;
    static const char    saddles[] = "system Saddles {\n"
                                     "  parameter a = 0.861, b = 0.3\n"
                                     "  coordinate q, r\n"
                                     "  lagrangian (q'^2 + a^2*q^2)/2 + 1e-3*(r'^2 + b^2*r^2)/2\n"
                                     "}\n";
    static const setting set[] = {
        {"scheme", "gauss(3)"}, {"step", "0.1"}, {"until", "200"}, {"lyapunov", "4"}, {0}};
    static const double want[] = {0.861, 0.3, -0.3, -0.861};
    double              of[4], error[4];
    find_exponents(saddles, set, 4, of, error);
    for (int j = 0; j < 4; j++) {
        check_close(of[j], want[j], 1e-9);
        check_close(error[j], 0, 1e-12);
    }
}

/* Of the strange attractor of Lorenz: 0.9056, 0, -14.5723 (Sprott 2003); their sum is the divergence. */
static void a_strange_attractor_has_its_exponents_within_their_errors(void **state)
{
    (void)state;
    static const char    lorenz[] = "system Lorenz {\n"
                                    "  coordinate x, y, z\n"
                                    "  constraint x' = 10*(y - x)\n"
                                    "  constraint y' = x*(28 - z) - y\n"
                                    "  constraint z' = x*y - 8/3*z\n"
                                    "  start x = 1, y = 1, z = 20\n"
                                    "}\n";
    static const setting set[] = {
        {"scheme", "gauss(3)"}, {"step", "0.01"}, {"until", "400"}, {"lyapunov", "3"}, {0}};
    static const double want[] = {0.9056, 0, -14.5723};
    double              of[3], error[3];
    find_exponents(lorenz, set, 3, of, error);
    for (int j = 0; j < 3; j++) {
        check_close(of[j], want[j], 4 * error[j]);
        assert_true(error[j] < 0.05);
    }
    check_close(of[0] + of[1] + of[2], -(10 + 1 + 8.0 / 3), 1e-6);
}

/* Light in a layer: after two units of time the second direction still grows faster. */
static void the_largest_exponent_comes_first(void **state)
{
    (void)state;
    static const char rays[] = "system Rays {\n"
                               "  coordinate x, y\n"
                               "  hamiltonian sqrt(p(x)^2 + p(y)^2)/(1 + 0.3*exp(-y^2))\n"
                               "  start y = 0.3, p(x) = 1, p(y) = 0.4\n"
                               "}\n";
    const setting     set[] = {
        {"scheme", "gauss(2)"}, {"step", "0.02"}, {"steps", "100"}, {"lyapunov", "4"}, {0}};
    run r = begin_text(rays, set);
    for (int k = 0; k < 100; k++) {
        must(&r, dal_step(r.s));
        const double *of = dal_summarise(r.s)->exponent;
        for (int j = 1; j < 4 && k > 0; j++) assert_true(of[j] <= of[j - 1]);
    }
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_chain_over_many_steps),
        cmocka_unit_test(exponents_are_those_that_are_known),
        cmocka_unit_test(exponents_go_on_from_a_checkpoint),
        cmocka_unit_test(the_first_turns_are_forgotten),
        cmocka_unit_test(a_strange_attractor_has_its_exponents_within_their_errors),
        cmocka_unit_test(the_largest_exponent_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
