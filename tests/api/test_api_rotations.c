/* test_api_rotations.c - rotations and directions of models: against independent runs of 25
 * systems, Lagrange's top against elliptic functions; momentum, compositions, checkpoints, and what
 * is refused. */
#include "api_run.h"
#include "manifold_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void steps_agree_with_independent_ones(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof manifold_runs / sizeof *manifold_runs; k++) {
        const manifold_run *of = &manifold_runs[k];
        run                 r = begin_text(of->model, NULL);
        run_to_end(&r);
        const double size = fmax(1, fabs(of->energy));
        if (manifold_off(&r, of) > of->tolerance * size) print_message("%s\n", of->name);
        check_below(manifold_off(&r, of), of->tolerance * size);
        check_close(measure(&r, "energy"), of->energy, of->tolerance * size);
        check_below(dal_summarise(r.s)->dirac_residual, 1e-12);
        check_below(dal_summarise(r.s)->power_error, 1e-13);
        end(&r);
    }
}

#define LAGRANGE                                                                                   \
    "system Top {\n parameter J1 = 1, J3 = 0.6, mgl = 2\n coordinate R : rotation\n"               \
    " let W = bodyspin(R)\n"                                                                       \
    " lagrangian J1/2*(W[1]^2 + W[2]^2) + J3/2*W[3]^2 - mgl*R[3][3]\n"                             \
    " output a = R*[1, 0, 0], b = R*[0, 1, 0], c = R*[0, 0, 1]\n"                                  \
    " symmetry vertical: R -> [0, 0, 1]\n"                                                         \
    " start R = rotation([1, 0, 0], 0.6), bodyspin(R) = [0.1, 0.2, 10]\n}\n"

static double lagrange_error(const char *scheme, int steps)
{
    char          h[32];
    const char   *column = "abc";
    double        most = 0;
    const setting set[] = {{"scheme", scheme}, {"step", h}, {"until", "2"}, {0}};
    snprintf(h, sizeof h, "%.17g", 2. / steps);
    run r = begin_text(LAGRANGE, set);
    run_to_end(&r);
    for (int e = 0; e < 9; e++) {
        char name[8];
        snprintf(name, sizeof name, "%c[%d]", column[e % 3], e / 3 + 1);
        most = fmax(most, fabs(measure(&r, name) - lagrange_top_at_2[e]));
    }
    end(&r);
    return most;
}

static void lagranges_top_has_its_order(void **state)
{
    static const struct {
        const char *scheme;
        double      order;
        int         steps;
    } of[] = {{"gauss(1)", 2, 80},
              {"gauss(2)", 4, 40},
              {"gauss(3)", 6, 20},
              {"lobatto(2)", 2, 80},
              {"lobatto(3)", 4, 40},
              {"lobatto(4)", 6, 20},
              {"compose(midpoint, yoshida(4))", 4, 80}};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double coarse = lagrange_error(of[k].scheme, of[k].steps),
                     fine = lagrange_error(of[k].scheme, 2 * of[k].steps);
        check_close(log2(coarse / fine), of[k].order, 0.15);
    }
}

/* The momentum of a free body keeps every bit, and its energy does not drift. */
static void a_free_body_keeps_its_momentum(void **state)
{
    static const char *const text =
        "system Free {\n parameter J[3] = [1, 2, 3]\n coordinate R : rotation\n"
        " lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2\n"
        " start R = rotation([1, 2, 3], 1), bodyspin(R) = [0.05, 2, 0.02]\n}\n";
    const setting set[] = {{"scheme", "gauss(1)"}, {"step", "0.1"}, {"steps", "20000"}, {0}};
    (void)state;
    run    r = begin_text(text, set);
    double before[3], energy = measure(&r, "energy");
    for (int i = 0; i < 3; i++) {
        char name[] = {'p', '(', 'R', ')', '[', (char)('1' + i), ']', 0};
        before[i] = measure(&r, name);
    }
    run_to_end(&r);
    for (int i = 0; i < 3; i++) {
        char name[] = {'p', '(', 'R', ')', '[', (char)('1' + i), ']', 0};
        assert_true(measure(&r, name) == before[i]);
    }
    check_close(measure(&r, "energy"), energy, 0.02);
    end(&r);
}

static void a_direction_is_a_unit_vector(void **state)
{
    static const char *const text =
        "system Pendulum {\n coordinate n : direction\n"
        " lagrangian dot(n', n')/2 - 9.81*n[3]\n symmetry vertical: n -> cross([0, 0, 1], n)\n"
        " output length = norm(n), across = dot(p(n), n)\n"
        " start n = [0.6, 0, -0.8], n' = [0, 1, 0]\n}\n";
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.05"}, {"steps", "2000"}, {0}};
    (void)state;
    run r = begin_text(text, set);
    check_close(measure(&r, "p(n)[2]"), 1, 1e-15);
    check_close(measure(&r, "vertical"), 0.6, 1e-15);
    run_to_end(&r);
    check_close(measure(&r, "length"), 1, 1e-15);
    check_close(measure(&r, "across"), 0, 1e-14);
    check_close(measure(&r, "vertical"), 0.6, 1e-13);
    end(&r);
}

static void a_resumed_run_has_the_same_bits(void **state)
{
    const setting   set[] = {{"scheme", "gauss(2)"}, {"step", "0.05"}, {"steps", "40"}, {0}};
    size_t          length;
    const void     *bytes;
    dal_checkpoint *kept;
    dal_model      *model;
    dal_sim        *again;
    (void)state;
    run whole = begin_text(LAGRANGE, set), half = begin_text(LAGRANGE, set);
    for (int k = 0; k < 20; k++) must(&half, dal_step(half.s));
    must(&half, dal_sim_save_to_memory(half.s, &bytes, &length));
    must(&half, dal_checkpoint_parse(half.cx, bytes, length, &kept));
    must(&half, dal_checkpoint_resume(kept, &model, &again));
    run_to_end(&whole);
    must(&half, dal_run(again, NULL));
    static const char *const what[] = {"R.w", "R.x", "R.y", "R.z", "p(R)[1]", "p(R)[2]", "energy"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        double x;
        must(&half, dal_measure(again, what[i], &x));
        assert_true(x == measure(&whole, what[i]));
    }
    dal_sim_free(again), dal_model_free(model), dal_checkpoint_free(kept);
    end(&whole), end(&half);
}

/* Two bodies that turn each other by a potential of how one is seen from the other. */
static void rotations_are_multiplied(void **state)
{
    static const char *const text =
        "system Pair {\n parameter M[3][3] = [[1, 2, 3], [0, 1, 4], [5, 6, 0]]\n"
        " coordinate R : rotation, S : rotation\n let Q = inv(R)*S\n"
        " lagrangian dot(spin(R), spin(R)) + dot(bodyspin(S), diag([1, 2, 3])*bodyspin(S))/2\n"
        " lagrangian 2*(Q[1][1] + Q[2][2] + Q[3][3])\n output all = p(R) + p(S)\n"
        " output unit = dot(inv(Q)*(Q*[1, 2, 3]), [1, 0, 0]), square = (M*M)[1][2]\n"
        " start R = rotation([1, 0, 0], 0.5), bodyspin(S) = [1, 2, 1], spin(R) = [0, 1, 0]\n}\n";
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.05"}, {"steps", "40"}, {0}};
    (void)state;
    run r = begin_text(text, set);
    run_to_end(&r);
    static const double momentum[] = {1, 6, 3};
    for (int i = 0; i < 3; i++) {
        char name[] = {'a', 'l', 'l', '[', (char)('1' + i), ']', 0};
        check_close(measure(&r, name), momentum[i], 1e-14);
    }
    check_close(measure(&r, "unit"), 1, 1e-14);
    check_close(measure(&r, "square"), 22, 0);
    end(&r);
}

static void refused(const char *text, const setting *set, const char *words)
{
    run r = with_settings(set);
    r.status = try_text(&r, text);
    if (!r.status) r.status = dal_run(r.s, NULL);
    assert_int_not_equal(r.status, DAL_OK);
    bool said = false;
    for (size_t i = 0; i < dal_message_count(r.cx); i++)
        said |= strstr(dal_message_at(r.cx, i).text, words) != NULL;
    if (!said) dal_report(r.cx, stderr, 0);
    assert_true(said);
    end(&r);
}

static void what_is_not_known_is_refused(void **state)
{
    (void)state;
    refused(LAGRANGE, (setting[]){{"step", "0.1"}, {"steps", "2"}, {"principle", "energy"}, {0}},
            "principle = energy");
    refused(LAGRANGE, (setting[]){{"step", "0.1"}, {"steps", "2"}, {"momentum", "papers"}, {0}},
            "momentum = papers");
    refused(LAGRANGE, (setting[]){{"step", "0.6"}, {"steps", "2"}, {0}}, "in one step R turns by");
}

/* The same orientation, written in five ways. */
static void a_rotation_starts_as_it_is_written(void **state)
{
    static const char *const starts[] = {
        "rotation([1, 0, 0], 0.6)*rotation([0, 0, 1], -2)",
        "inv(rotation([0, 0, 1], 2)*rotation([-1, 0, 0], 0.6)*rotation([0, 1, 0], 0))", "M",
        "[[cos(2), sin(2), 0], [-cos(0.6)*sin(2), cos(0.6)*cos(2), -sin(0.6)],"
        " [-sin(0.6)*sin(2), sin(0.6)*cos(2), cos(0.6)]]",
        "quaternion(cos(0.3)*cos(1), sin(0.3)*cos(1), sin(0.3)*sin(1), -cos(0.3)*sin(1))"};
    static const char *const column[] = {"R.w", "R.x", "R.y", "R.z"};
    const double             expected[] = {cos(0.3) * cos(1), sin(0.3) * cos(1), sin(0.3) * sin(1),
                                           -cos(0.3) * sin(1)};
    (void)state;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "system T {\n parameter M[3][3] = [[cos(2), sin(2), 0],"
                 " [-cos(0.6)*sin(2), cos(0.6)*cos(2), -sin(0.6)],"
                 " [-sin(0.6)*sin(2), sin(0.6)*cos(2), cos(0.6)]]\n coordinate R : rotation\n"
                 " lagrangian dot(spin(R), spin(R))/2\n start R = %s\n}\n",
                 starts[k]);
        run r = begin_text(text, (setting[]){{"step", "0.1"}, {0}});
        for (int i = 0; i < 4; i++) check_close(measure(&r, column[i]), expected[i], 4e-16);
        end(&r);
    }
}

/* A part of the potential is written as a force: the steps stay the same. */
static void potentials_may_be_torques(void **state)
{
    static const char *const schemes[] = {"midpoint", "gauss(2)", "lobatto(3)"};
    static const char *const column[] = {"R.w",  "R.x",  "R.y",  "R.z",     "n[1]",
                                         "n[2]", "n[3]", "x[1]", "p(R)[1]", "p(n)[2]"};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        double first[10];
        for (int share = 0; share < 3; share++) {
            char alpha[16];
            snprintf(alpha, sizeof alpha, "s=%g", share / 2.);
            run r = begin_text(
                "system T {\n parameter s = 0, a[3] = [0.3, 0.2, 1]\n"
                " coordinate R : rotation, n : direction, x[3]\n"
                " let V = (R*a)[3]*(1 + n[1]) + dot(x, n) + dot(x, R*a)^2, W = bodyspin(R)\n"
                " lagrangian dot(W, diag([1, 2, 2.6])*W)/2 + dot(n', n')/2 + dot(x', x')/2\n"
                " lagrangian -(1 - s)*V\n"
                " force R: -s*d(V, R)\n force n: -s*d(V, n)\n force x: -s*d(V, x)\n"
                " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5]\n"
                " start n = [0.6, 0, 0.8], x = [0.1, 0.2, 0.3]\n}\n",
                (setting[]){
                    {"scheme", schemes[k]}, {"step", "0.1"}, {"set", alpha}, {"steps", "20"}, {0}});
            run_to_end(&r);
            for (int c = 0; c < 10; c++) {
                if (!share) first[c] = measure(&r, column[c]);
                check_close(measure(&r, column[c]), first[c], 3e-14);
            }
            end(&r);
        }
    }
}

/* Of what is declared, check finds what is none: turns of body and space axes together, about the
 * axis of the body, and others. */
static void symmetries_are_checked(void **state)
{
    static const char *const text =
        "let e3 = [0, 0, 1]\nsystem T {\n coordinate x[3], R : rotation, n : direction\n"
        " let W = bodyspin(R)\n"
        " lagrangian dot(W, diag([1, 1, 2.6])*W)/2 + dot(n', n')/2 + dot(x', x')/2\n"
        " lagrangian 0.1*dot(spin(R), x') - dot(n, x)^2 - R[3][3] - 2*n[3]*dot(n, n')\n"
        " symmetry all: R -> e3, x -> cross(e3, x), n -> cross(e3, n)\n"
        " symmetry axis: R -> R*e3\n"
        " symmetry across: R -> [0, 1, 0]\n symmetry only: n -> cross(e3, n)\n"
        " symmetry beside: R -> R*[1, 0, 0]\n"
        " start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5], x = [1, 2, 3]\n"
        " start n = [0, 0.6, 0.8], n' = [1, 0, 0]\n}\n";
    static const char *const none[] = {"'across'", "'only'", "'beside'"};
    (void)state;
    run   r = with_settings((setting[]){{"step", "0.1"}, {0}});
    FILE *nowhere = fopen("/dev/null", "w");
    must(&r, dal_model_parse(r.cx, "test.dal", text, r.o, &r.m));
    must(&r, dal_check(r.m, r.o, nowhere));
    fclose(nowhere);
    assert_int_equal(dal_message_count(r.cx), 3);
    for (size_t i = 0; i < 3; i++) assert_non_null(strstr(dal_message_at(r.cx, i).text, none[i]));
    end(&r);
}

/* That of a body of revolution about its axis, of which nothing but roundoff is left. */
static void an_axis_is_a_symmetry(void **state)
{
    static const char *const text =
        "system T {\n coordinate R : rotation\n let W = bodyspin(R)\n"
        " lagrangian (W[1]^2 + W[2]^2)/2 + 0.3*W[3]^2 - 2*R[3][3]\n symmetry axis: R -> R*[0, 0, 1]\n"
        " start R = rotation([1, 0, 0], 0.6), bodyspin(R) = [0.8, -0.9, 8]\n}\n";
    (void)state;
    run r = begin_text(text, (setting[]){{"step", "0.1"}, {"steps", "1"}, {0}});
    assert_int_equal(dal_message_count(r.cx), 0);
    end(&r);
}

static void components_are_columns(void **state)
{
    static const char *const text =
                                 "system A {\n coordinate R[2] : rotation, n : direction, x[3]\n"
                                 " lagrangian sum(k in 1..2: dot(bodyspin(R[k]), bodyspin(R[k])))\n"
                                 " lagrangian dot(n', n') + dot(x', x')\n}\n"
                                 "system B {\n part a : A\n}\n",
                             *const expected[] = {"t",        "a.R[1].w",     "a.R[2].w",
                                                  "a.R[2].z", "a.R[2].x",     "a.R[2].y",
                                                  "a.n[2]",   "p(a.R[2])[3]", "p(a.n)[1]"};
    static const char               asked[] =
        "a.R.w, a.R[2].z, a.R[2], a.n[2], p(a.R[2])[3], p(a.n)[1], a.R[1].w";
    static const char *const wrong[][2] = {{"a.R[1][3][3]", "entries of a rotation are no columns"},
                                           {"p(a.n)[4]", "there is no such component"},
                                           {"p(a.x)[1]", "is an array of numbers"},
                                           {"a.n.w", "not a part"}};
    size_t                   count;
    (void)state;
    run r = begin_text(text, (setting[]){{"step", "0.1"}, {"steps", "1"}, {"columns", asked}, {0}});
    const dal_column *is = dal_columns(r.s, &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (size_t k = 0; k < count; k++) assert_string_equal(is[k].name, expected[k]);
    end(&r);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        refused(text, (setting[]){{"step", "0.1"}, {"steps", "1"}, {"columns", wrong[k][0]}, {0}},
                wrong[k][1]);
}

/* Words of this extension are names like any other. */
static void a_model_keeps_its_names(void **state)
{
    static const char *const text =
        "let spin(x) = 2*x\nlet rotation(x) = x^2\nsystem A {\n coordinate direction\n"
        " lagrangian direction'^2/2 - rotation(direction)\n output bodyspin = spin(direction)\n"
        " start direction = 1\n}\n";
    const setting set[] = {{"step", "0.1"}, {"steps", "1"}, {0}};
    (void)state;
    run r = begin_text(text, set);
    check_close(measure(&r, "bodyspin"), 2, 0);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_agree_with_independent_ones),
                                       cmocka_unit_test(lagranges_top_has_its_order),
                                       cmocka_unit_test(a_free_body_keeps_its_momentum),
                                       cmocka_unit_test(a_direction_is_a_unit_vector),
                                       cmocka_unit_test(rotations_are_multiplied),
                                       cmocka_unit_test(a_resumed_run_has_the_same_bits),
                                       cmocka_unit_test(a_rotation_starts_as_it_is_written),
                                       cmocka_unit_test(potentials_may_be_torques),
                                       cmocka_unit_test(symmetries_are_checked),
                                       cmocka_unit_test(an_axis_is_a_symmetry),
                                       cmocka_unit_test(components_are_columns),
                                       cmocka_unit_test(what_is_not_known_is_refused),
                                       cmocka_unit_test(a_model_keeps_its_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
