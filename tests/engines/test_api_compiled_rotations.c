/* test_api_compiled_rotations.c - compiled steps of rotations and directions: beside those of the
 * general engine, and against independent runs. */
#include "compiled.h"
#include "manifold_run.h"

#define FREE                                                                                       \
    "system Free {\n parameter J[3] = [1, 2, 3]\n coordinate R : rotation\n"                       \
    " lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2\n"                                        \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, 1.5, 0.3]\n}\n"

/* In its weight, which changes in time, with friction and a motor. */
#define TOP                                                                                        \
    "system Top {\n parameter J[3] = [1, 2, 2.6], c = 0.1\n coordinate R : rotation\n"             \
    " lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2 - (1 + sin(t)/3)*(R*[0.3, 0.2, 1])[3]\n"  \
    " force R: -c*spin(R) + 0.3*cos(2*t)*[1, 0, 0.2]\n"                                            \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n}\n"

#define SPHERE                                                                                     \
    "system Sphere {\n parameter g = 9.81\n coordinate n : direction\n"                            \
    " lagrangian dot(n', n')/2 - g*(1 + sin(3*t)/5)*n[3]\n force n: -0.1*n' + [0.2, 0, 0]\n"       \
    " start n = [0.6, 0, -0.8], n' = [0, 0.3, 0]\n}\n"

/* Two bodies, a direction and numbers, each of which acts on the others, by inertia too. */
#define MIXED                                                                                      \
    "system Mixed {\n parameter J[3] = [1, 2, 2.6], K[3] = [0.5, 0.7, 0.9], c = 0.1, m = 0.8\n"    \
    " coordinate x[3], R : rotation, Q : rotation, n : direction, s\n"                             \
    " let A = x + R*[0.3, 0.2, 1]\n"                                                               \
    " lagrangian m/2*dot(A', A') + dot(bodyspin(R), diag(J)*bodyspin(R))/2\n"                      \
    " lagrangian dot(bodyspin(Q), diag(K)*bodyspin(Q))/2\n"                                        \
    " lagrangian -2*dot(R*[0, 0, 1], Q*[0.3, 0.1, 1]) - dot(x, x)/2*(1 + 0.1*sin(2*t))\n"          \
    " lagrangian (1 + s^2)*dot(n', n')/2 + s'^2/2 - s^2/2 + 0.2*s'*dot(n, x)\n"                    \
    " lagrangian -0.4*dot(n, Q*[1, 0, 0])\n"                                                       \
    " force Q: -c*(spin(Q) - spin(R))\n force s: -0.05*s' + 0.1*dot(spin(R), n)\n"                 \
    " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n"                       \
    " start bodyspin(Q) = [0.1, 0.9, -0.5], n = [0.6, 0, -0.8], n' = [0, 0.3, 0]\n"                \
    " start x = [0.1, 0.2, 0.3], s = 0.2\n}\n"

/* A shoulder, an elbow that is a hinge with friction, and a rod that hangs from the lower body. */
#define JOINTS                                                                                     \
    "system Joints {\n parameter J[3] = [0.1, 0.2, 0.15], c = 0.05, l = 0.3\n"                     \
    " coordinate x[3], R : rotation, y[3], Q : rotation, z[3], n : direction\n"                    \
    " lagrangian dot(x', x')/2 + dot(bodyspin(R), diag(J)*bodyspin(R))/2 - 9.81*x[3]\n"            \
    " lagrangian 0.4*dot(y', y') + dot(bodyspin(Q), diag(J)*bodyspin(Q))/2 - 0.8*9.81*y[3]\n"      \
    " lagrangian 0.1*dot(z', z') + 0.02*dot(n', n') - 0.2*9.81*z[3]\n"                             \
    " holonomic shoulder: x + R*[0.1, 0, l] = [0.1, 0.02*sin(3*t), l]\n"                           \
    " holonomic elbow: y + Q*[0, 0, l] = x - R*[0, 0, l]\n"                                        \
    " holonomic first: dot(R*[0, 1, 0], Q*[1, 0, 0]) = 0\n"                                        \
    " holonomic second: dot(R*[0, 1, 0], Q*[0, 0, 1]) = 0\n"                                       \
    " holonomic wrist: z - 0.2*n = y - Q*[0, 0, l]\n"                                              \
    " force Q: -c*(spin(Q) - spin(R))\n force R: c*(spin(Q) - spin(R))\n"                          \
    " start y[3] = -0.6, z[3] = -1.1, n = [0, 0, -1], bodyspin(R) = [0.4, 0.9, 0.3]\n"             \
    " start bodyspin(Q) = [0.4, 1.9, 0.3] free, n' = [1, 0.4, 0], x' = [0, 0, 0] free\n"           \
    " start y' = [0, 0, 0] free, z' = [0, 0, 0] free\n}\n"

/* A ball with unequal moments on a table that turns, and a wheel whose rate a body's attitude is.
 */
#define ROLLING                                                                                    \
    "system Rolling {\n parameter J[3] = [0.1, 0.13, 0.16], m = 1.3, r = 0.5, om = 0.6\n"          \
    " coordinate x[2], R : rotation, s\n let w = spin(R)\n"                                        \
    " lagrangian m/2*(x[1]'^2 + x[2]'^2) + dot(bodyspin(R), diag(J)*bodyspin(R))/2 + s'^2/2\n"     \
    " lagrangian -0.3*R[3][1]\n"                                                                   \
    " constraint x[1]' = r*w[2] - om*x[2]\n constraint x[2]' = -r*w[1] + om*x[1]\n"                \
    " constraint s' = 0.2*R[1][1]*(1 + x[1]) + 0.1*dot(w, R*[0, 1, 0])\n"                          \
    " start x = [0.3, 0.1], spin(R) = [2, 0.8, 0.7], x' = [0, 0] free, s' = 0 free\n}\n"

static const char *const QUANTITIES[] = {"R.w",  "R.x",     "R.y",     "R.z",     "Q.w",
                                         "Q.z",  "n[1]",    "n[3]",    "s",       "x[2]",
                                         "z[3]", "p(R)[1]", "p(R)[3]", "p(n)[2]", "energy"};

/* How far apart two runs are in what their model has. */
static double quantities_apart(const run *a, const run *b)
{
    double most = apart(dal_p(a->s), dal_p(b->s), dal_size(a->s));
    for (size_t k = 0; k < sizeof QUANTITIES / sizeof *QUANTITIES; k++) {
        double x, y;
        if (dal_measure(a->s, QUANTITIES[k], &x) || dal_measure(b->s, QUANTITIES[k], &y)) continue;
        most = fmax(most, fabs(x - y));
    }
    return most;
}

static run begin_by(const char *backend, const char *text, const char *scheme, const char *step,
                    const char *until)
{
    const setting set[] = {
        {"backend", backend}, {"scheme", scheme}, {"step", step}, {"until", until}, {0}};
    return begin_text(text, set);
}

static void agree(const char *text, const char *scheme, const char *step, const char *until)
{
    run a = begin_by("vm", text, scheme, step, until),
        b = begin_by("native", text, scheme, step, until);
    assert_true(dal_summarise(b.s)->is_fused);
    run_to_end(&a), run_to_end(&b);
    if (quantities_apart(&a, &b) > 1e-13) print_message("%s, %s\n", scheme, text);
    check_below(quantities_apart(&a, &b), 1e-13);
    check_below(fabs(dal_summarise(a.s)->work - dal_summarise(b.s)->work), 1e-13);
    check_below(dal_summarise(a.s)->power_error, 1e-13);
    check_below(dal_summarise(b.s)->power_error, 1e-13);
    check_below(dal_summarise(b.s)->dirac_residual, 1e-13);
    end(&a), end(&b);
}

static void compiled_steps_agree_with_the_general_ones(void **state)
{
    (void)state;
    agree(FREE, "midpoint", "0.05", "2"), agree(FREE, "gauss(2)", "0.05", "2");
    agree(TOP, "midpoint", "0.05", "2"), agree(TOP, "lobatto(3)", "0.05", "2");
    agree(SPHERE, "midpoint", "0.02", "1"), agree(SPHERE, "gauss(2)", "0.02", "1");
    agree(MIXED, "midpoint", "0.02", "1"), agree(MIXED, "gauss(2)", "0.02", "1");
}

static void joints_and_rolling_agree(void **state)
{
    (void)state;
    agree(JOINTS, "midpoint", "0.01", "0.5"), agree(JOINTS, "gauss(2)", "0.01", "0.5");
    agree(ROLLING, "midpoint", "0.02", "1"), agree(ROLLING, "lobatto(3)", "0.02", "1");
    agree(ROLLING, "gauss(2)", "0.02", "-1");
    agree(ROLLING, "compose(midpoint, suzuki(4))", "0.02", "0.5");
}

static void compositions_and_backward_runs_agree(void **state)
{
    (void)state;
    agree(TOP, "compose(midpoint, suzuki(4))", "0.05", "1");
    agree(TOP, "gauss(2)", "0.05", "-1"), agree(SPHERE, "lobatto(2)", "0.02", "-1");
    agree(TOP, "gauss(3)", "0.8", "8"); /* turns of more than a radian */
}

static void compiled_steps_agree_with_independent_ones(void **state)
{
    (void)state;
    int compiled = 0;
    for (size_t k = 0; k < sizeof manifold_runs / sizeof *manifold_runs; k++) {
        const manifold_run *of = &manifold_runs[k];
        const setting       set[] = {{"backend", "native"}, {0}};
        run                 r = begin_text(of->model, set);
        const double        size = fmax(1, fabs(of->energy));
        run_to_end(&r);
        if (manifold_off(&r, of) > of->tolerance * size) print_message("%s\n", of->name);
        check_below(manifold_off(&r, of), of->tolerance * size);
        compiled += dal_summarise(r.s)->is_fused;
        end(&r);
    }
    assert_int_equal(compiled, sizeof manifold_runs / sizeof *manifold_runs);
}

/* pi of a free body does not change in any bit, and a steady turn does not drift. */
static void a_free_body_keeps_momentum_and_energy(void **state)
{
    (void)state;
    static const char *const text =
        "system Top {\n parameter J[3] = [1, 1, 2.6]\n coordinate R : rotation\n"
        " lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2\n"
        " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.7]\n}\n";
    const char *const pi[] = {"p(R)[1]", "p(R)[2]", "p(R)[3]"};
    double            before[3], E;
    run               r = begin_by("native", text, "midpoint", "0.1", "1e6");
    for (int i = 0; i < 3; i++) before[i] = measure(&r, pi[i]);
    E = measure(&r, "energy");
    must(&r, dal_advance(r.s, 1000000));
    for (int i = 0; i < 3; i++) assert_true(measure(&r, pi[i]) == before[i]);
    check_close(measure(&r, "energy"), E, 1e-12);
    end(&r);
}

/* A turn of more than half a circle is warned of, one of more than 5 radians refused, by either. */
static void long_turns_are_noticed(void **state)
{
    (void)state;
    const char *const backends[] = {"vm", "native"};
    for (int k = 0; k < 2; k++) {
        static const char *const fast =
            "system Fast {\n coordinate R : rotation\n"
            " lagrangian dot(bodyspin(R), bodyspin(R))/2 + 1e-3*R[3][3]\n"
            " start bodyspin(R) = [0, 0, 4]\n}\n";
        run r = begin_by(backends[k], fast, "midpoint", "1", "3");
        run_to_end(&r);
        assert_true(dal_message_count(r.cx) > 0);
        end(&r);
        const setting set[] = {{"backend", backends[k]}, {"step", "1.3"}, {"until", "13"}, {0}};
        r = begin_text(fast, set);
        assert_int_equal(dal_run(r.s, NULL), DAL_DIVERGED);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_steps_agree_with_the_general_ones),
        cmocka_unit_test(joints_and_rolling_agree),
        cmocka_unit_test(compositions_and_backward_runs_agree),
        cmocka_unit_test(compiled_steps_agree_with_independent_ones),
        cmocka_unit_test(a_free_body_keeps_momentum_and_energy),
        cmocka_unit_test(long_turns_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
