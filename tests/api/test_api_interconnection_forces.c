/* Connections replaced by the forces they exert: the motion is that of the connected system, to
 * roundoff where inertia is constant, and to the order of the scheme elsewhere. */
#include "connected_run.h"
#include "folder.h"

/* How far the interaction forces lead away from the connections, over the whole run. */
static double part_from_forces(const char *path, const char *e, const char *scheme,
                               const char *rule, int steps)
{
    char set_e[16], step[32];
    snprintf(set_e, sizeof set_e, "e=%s", e);
    snprintf(step, sizeof step, "%.17g", 4.0 / steps);
    const setting set[] = {{"set", set_e},
                           {"scheme", scheme},
                           {"step", step},
                           {"until", "4"},
                           {rule ? "force" : NULL, rule},
                           {0}};
    run           a = must_begin(path, "forces", set);
    run           b = must_begin(path, "eliminate", set);
    double        most = 0;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(DAL_OK, dal_step(a.s));
        assert_int_equal(DAL_OK, dal_step(b.s));
        for (size_t i = 0; i < dal_size(a.s); i++) {
            most = fmax(most, fabs(dal_q(a.s)[i] - dal_q(b.s)[i]));
            most = fmax(most, fabs(dal_p(a.s)[i] - dal_p(b.s)[i]));
        }
        most = fmax(most, fabs(measure(&a, "tie") - measure(&b, "tie")));
    }
    end(&a), end(&b);
    return most;
}

static void interaction_forces_are_the_connection_where_inertia_is_constant(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        check_below(part_from_forces(oscillators, "0", schemes[k], NULL, 100), 1e-11);
        check_below(part_from_forces(wells, "0", schemes[k], NULL, 100), 1e-11);
    }
}

static void interaction_forces_keep_the_order_elsewhere(void **state)
{
    (void)state;
    static const struct {
        const char *e, *scheme, *rule;
        int         order;
    } row[] = {{"0.3", "midpoint", NULL, 2},      {"0.3", "trapezoid", NULL, 2},
               {"0.3", "lobatto(3)", NULL, 4},    {"0.3", "gauss(2)", NULL, 4},
               {"0.3", "radau(2)", NULL, 3},      {"0.3", "gauss(3)", NULL, 6},
               {"0", "lobatto(3)", "gauss(2)", 4}}; /* L and the forces at different points */
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int h = 0; h < (row[k].rule ? 1 : 2); h++) {
            const char *path = h ? wells : oscillators;
            double      coarse = part_from_forces(path, row[k].e, row[k].scheme, row[k].rule, 20);
            double      fine = part_from_forces(path, row[k].e, row[k].scheme, row[k].rule, 40);
            check_below(1e-10, coarse); /* they do part */
            check_below(row[k].order - 0.4, log2(coarse / fine));
        }
}

/* Everything that can be joined by forces, with every scheme: equal to roundoff, or better with the
 * step by the order of the scheme. */
static double part_of_example(const char *path, const char *scheme, const char *step, int steps)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", "0.4"}, {"retraction", "midpoint"}, {0}};
    run    a = begin(path, "forces", set), b = begin(path, "eliminate", set);
    double most = a.status || b.status ? NAN : 0;
    for (int k = 0; k < steps && !isnan(most); k++) {
        assert_int_equal(DAL_OK, dal_step(a.s));
        assert_int_equal(DAL_OK, dal_step(b.s));
        for (size_t i = 0; i < dal_size(a.s); i++)
            most = fmax(most, fabs(dal_q(a.s)[i] - dal_q(b.s)[i]) / fmax(1, fabs(dal_q(b.s)[i])));
    }
    end(&a), end(&b);
    return most;
}

static int compare_forces_in(const char *folder, int *wrong)
{
    static const int order[] = {2, 2, 4, 4, 6, 3, 1, 4};
    const models     all = models_of(folder);
    int              compared = 0;
    for (int i = 0; i < all.n; i++) {
        const char *path = all.path[i];
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            double coarse = part_of_example(path, schemes[k], "0.02", 20);
            if (isnan(coarse)) continue;
            compared++;
            if (coarse < 1e-11) continue;
            double fine = part_of_example(path, schemes[k], "0.01", 40);
            if (fine < 1e-11 || log2(coarse / fine) > order[k] - 0.4) continue;
            print_error("%s, %s: differs by %.2g, then by %.2g\n", file_name(path), schemes[k],
                        coarse, fine);
            ++*wrong;
        }
    }
    return compared;
}

static void examples_move_by_forces_as_they_are_connected(void **state)
{
    (void)state;
    int wrong = 0, compared = compare_forces_in(TEST_DATA "/../examples", &wrong);
    compared += compare_forces_in(TEST_DATA "/connected", &wrong);
    assert_int_equal(wrong, 0);
    assert_true(compared >= 6 * 8); /* lever, motor, links; pair, bent, wells */
}

/* Ten thousand parts, each tied to the next: the cost is that of the constraints. */
static const char *const long_chain =
    "system Link {\n  coordinate x, y\n"
    "  lagrangian (x'^2 + y'^2)/2 - (y - x)^2/2 - 0.3/4*(y - x)^4\n}\n"
    "system Chain {\n  parameter N = 10000\n  part s[N] : Link\n"
    "  for i in 1..N-1 { connect s[i].y = s[i+1].x }\n  start s[1].x' = 1\n}\n";

static void long_chains_are_joined_by_forces(void **state)
{
    (void)state;
    run way[2];
    for (int k = 0; k < 2; k++) {
        run          *r = &way[k];
        const setting set[] = {{"interconnection", k ? "eliminate" : "forces"},
                               {"step", "0.1"},
                               {"scheme", "midpoint"},
                               {0}};
        *r = begin_text(long_chain, set);
        advance(r, 10);
    }
    double most = 0;
    assert_int_equal(dal_size(way[0].s), 20000);
    for (size_t i = 0; i < 20000; i++)
        most = fmax(most, fabs(dal_q(way[0].s)[i] - dal_q(way[1].s)[i]));
    check_below(most, 1e-14);
    end(&way[0]), end(&way[1]);
}

static void expect_refusal(const char *path, const char *words)
{
    run r = begin(path, "forces", NULL);
    assert_int_equal(r.status, DAL_INVALID);
    const char *said = dal_message_at(r.cx, dal_message_count(r.cx) - 1).text;
    if (!strstr(said, words)) print_error("%s: %s\n", path, said);
    assert_non_null(strstr(said, words));
    end(&r);
}

static void interaction_forces_say_where_they_cannot_be(void **state)
{
    (void)state;
    expect_refusal(torn_springs, "each has a coordinate without inertia");
    expect_refusal(torn_circuit, "each has a coordinate without inertia");
}

/* 'loop' says what 'fourth' and others say: it is left out, and the forces are the reactions. */
static void ties_that_repeat_others_have_no_force(void **state)
{
    (void)state;
    static const char path[] = TEST_DATA "/connected/mixed.dal";
    const setting     set[] = {{"step", "0.01"}, {"until", "0.4"}, {0}};
    run               way[2] = {begin(path, "forces", set), begin(path, "multipliers", set)};
    double            pull[2], loop;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(way[k].status, DAL_OK);
        advance(&way[k], 40);
        assert_int_equal(DAL_OK, dal_measure(way[k].s, "pull", &pull[k]));
    }
    assert_int_equal(DAL_OK, dal_measure(way[0].s, "loop", &loop));
    check_close(pull[0], pull[1], 1e-9);
    check_below(fabs(loop), 0);
    end(&way[0]), end(&way[1]);
}

/* Rods and a hook as forces: a double pendulum of rods that are relations, with the order of
 * gauss(2). */
static void joints_are_forces_too(void **state)
{
    (void)state;
    static const char rods[] =
        "system Mass {\n  parameter m = 1\n  coordinate x, y\n"
        "  lagrangian m/2*(x'^2 + y'^2) - m*9.81*y\n}\n"
        "system Rods {\n  part a : Mass\n  part b : Mass(m = 2)\n"
        "  holonomic hook: a.x^2 + a.y^2 = 1\n"
        "  holonomic rod: (a.x - b.x)^2 + (a.y - b.y)^2 = 1\n  start a.x = 1, b.x = 2\n}\n";
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
        run way[2];
        for (int k = 0; k < 2; k++) {
            way[k] = begin_text(
                rods, (const setting[]){{"interconnection", k ? "multipliers" : "reactions"},
                                        {"scheme", "gauss(2)"},
                                        {"step", fine ? "0.01" : "0.02"},
                                        {0}});
            advance(&way[k], fine ? 60 : 30);
        }
        off[fine] = apart(dal_q(way[0].s), dal_q(way[1].s), 4);
        end(&way[0]), end(&way[1]);
    }
    check_below(off[1], 1e-6);
    check_close(log2(off[0] / off[1]), 4, 0.4);
}

static void parameters_may_change_while_connections_are_forces(void **state)
{
    (void)state;
    const setting set[] = {{"step", "0.05"}, {0}};
    run  a = must_begin(oscillators, "forces", set), b = must_begin(oscillators, "eliminate", set);
    run *both[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        advance(both[k], 10);
        assert_int_equal(DAL_OK, dal_set_parameter(both[k]->s, "a.k", 5));
        advance(both[k], 20);
    }
    for (size_t i = 0; i < dal_size(a.s); i++) check_close(dal_q(a.s)[i], dal_q(b.s)[i], 1e-12);
    end(&a), end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interaction_forces_are_the_connection_where_inertia_is_constant),
        cmocka_unit_test(interaction_forces_keep_the_order_elsewhere),
        cmocka_unit_test(examples_move_by_forces_as_they_are_connected),
        cmocka_unit_test(long_chains_are_joined_by_forces),
        cmocka_unit_test(interaction_forces_say_where_they_cannot_be),
        cmocka_unit_test(ties_that_repeat_others_have_no_force),
        cmocka_unit_test(joints_are_forces_too),
        cmocka_unit_test(parameters_may_change_while_connections_are_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
