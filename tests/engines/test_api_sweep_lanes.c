/* Ensembles in blocks, compiled and by the virtual machine: every member is what it is by itself,
 * to roundoff, and to the bit whoever is beside it. */
#include "sweep_run.h"

static const char *const van_der_pol =
    "system VanDerPol {\n"
    "  parameter eps = 0.5, rho = 0.02, lambda = 0.8\n"
    "  coordinate q1, q2\n"
    "  lagrangian (q1'^2 + q2'^2)/2 - q1^2/2 - (1 + rho)*q2^2/2 - lambda*(q1 - q2)^2\n"
    "  force q1: (eps - q1^2)*q1'\n"
    "  force q2: (eps - q2^2)*q2'\n"
    "  start q1 = -0.5, q2 = -0.25, q2' = 4\n"
    "}\n";
static const char *const rest =
    "system Rest {\n" /* begins at rest, and calls functions */
    "  parameter a = 1\n"
    "  coordinate x, y\n"
    "  lagrangian (x'^2 + y'^2 + x'*y'*cos(x))/2 + a*cos(x - y) - exp(y)/10\n"
    "  start x = 1\n"
    "}\n";
static const char *const linear =
    "system Linear {\n"
    "  parameter k = 1\n"
    "  coordinate x, y, z\n"
    "  lagrangian (x'^2 + y'^2 + z'^2 + x'*y'/2)/2 - k*(x - y)^2 - (y - z)^2\n"
    "  force z: -z'/5\n"
    "  start x = 1, y' = 2\n"
    "}\n";
static const char *const pendulum = "system Pendulum {\n"
                                    "  parameter g = 9\n"
                                    "  coordinate x, y\n"
                                    "  lagrangian (x'^2 + y'^2)/2 - g*y\n"
                                    "  holonomic rod: x^2 + y^2 = 1\n"
                                    "  start x = 1, y = 0\n"
                                    "}\n";
static const char *const sleigh =
    "system Sleigh {\n"
    "  parameter a = 0.3\n"
    "  coordinate x, y, th\n"
    "  lagrangian (x'^2 + y'^2)/2 + th'^2/3 + a*th'*(y'*cos(th) - x'*sin(th)) - x/4\n"
    "  constraint edge: y'*cos(th) - x'*sin(th) = 0\n"
    "  start x' = 1, th' = 0.5\n"
    "}\n";
static const char *const hamilton =
    "system Hamilton {\n"
    "  parameter b = 1\n"
    "  coordinate x, y\n"
    "  hamiltonian (p(x)^2 + p(y)^2)/2 + b*x^2*y + (x^2 + y^2)/2 - y^3/3 + p(x)*y/10\n"
    "  start x = 0.2, p(y) = 0.3\n"
    "}\n";
static const char *const driven = "system Driven {\n"
                                  "  parameter w = 1.5\n"
                                  "  coordinate x\n"
                                  "  input u = 0.2\n"
                                  "  lagrangian x'^2/2 - x^4/4\n"
                                  "  force x: sin(w*t) + u\n"
                                  "  start x = 1\n"
                                  "}\n";
static const char *const tied = "system Mass {\n"
                                "  parameter k = 1\n"
                                "  coordinate a, x\n"
                                "  lagrangian (x'^2 + a'^2)/2 - k/2*(x - a)^2 - (x - a)^4/4\n"
                                "}\n"
                                "system Tied {\n"
                                "  parameter s = 1\n"
                                "  part one: Mass(k = s)\n"
                                "  part two: Mass(k = 2*s)\n"
                                "  connect one.x = two.a\n"
                                "  start two.x' = 1\n"
                                "}\n";

static const char *const crossed =
    "system Crossed {\n" /* its first pivots vanish */
    "  parameter a = 1\n"
    "  coordinate x, y, z\n"
    "  lagrangian x'*y' + z'^2/2 - a*(x*y + x*y^3/10 - z*y^2/4) - z^2\n"
    "  start x = 0.5, y' = 0.3\n"
    "}\n";

static void begin_with(bench *b, const char *model, const char *scheme, const char *backend,
                       const char *steps)
{
    b->cx = dal_context_new(NULL), b->o = dal_options_new(b->cx), b->w = NULL;
    dal_options_set(b->o, "scheme", scheme), dal_options_set(b->o, "backend", backend);
    dal_options_set(b->o, "step", "0.05"), dal_options_set(b->o, "steps", steps);
    dal_options_set(b->o, "record", steps), dal_options_set(b->o, "monitor", steps);
    dal_status bad = dal_model_parse(b->cx, "test.dal", model, b->o, &b->m);
    if (!bad) bad = dal_sweep_new(b->m, b->o, &b->w);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static dal_status look_at_row(void *self, int worker, size_t member, dal_sim *s)
{
    (void)self, (void)worker, (void)member, (void)s;
    return DAL_OK;
}

/* Members whose rows are looked at are run one by one. */
static void run_one_by_one(bench *b)
{
    run(b, &(dal_sweep_observer){.row = look_at_row});
    assert_int_equal(dal_sweep_summarise(b->w)->together, 0);
}

/* The largest difference of what came out, each column beside its largest number. */
static double apart(const bench *a, const bench *b)
{
    size_t columns;
    double worst = 0;
    dal_sweep_columns(a->w, &columns);
    for (size_t c = 0; c < columns; c++) {
        double most = 0, size = 1;
        for (size_t i = 0; i < dal_sweep_members(a->w); i++) {
            double x = dal_sweep_member(a->w, i).value[c], y = dal_sweep_member(b->w, i).value[c];
            if (!(fabs(x - y) <= most) && !(isnan(x) && isnan(y))) most = fabs(x - y);
            size = fmax(size, fabs(x));
        }
        if (!(most / size <= worst)) worst = most / size;
    }
    return worst;
}

static void compare(const char *model, const char *scheme, const char *grid, double tolerance)
{
    bench by_itself, in_blocks;
    begin_with(&by_itself, model, scheme, "vm", "200"),
        begin_with(&in_blocks, model, scheme, "native", "200");
    set(&by_itself, "grid", grid), set(&in_blocks, "grid", grid);
    run_one_by_one(&by_itself), run(&in_blocks, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(in_blocks.w);
    if (sum->together != sum->members || apart(&by_itself, &in_blocks) > tolerance) {
        print_error("%.20s, %s: %zu of %zu members in blocks, %.2e apart\n", model, scheme,
                    sum->together, sum->members, apart(&by_itself, &in_blocks));
        fail();
    }
    assert_int_equal(sum->done, sum->members);
    end(&by_itself), end(&in_blocks);
}

/* Steps of more unknowns than are written for lanes, and curves that are shot. */
static void what_fits_no_block_runs_one_by_one(void **state)
{
    static const char *const schemes[] = {"gauss(9)", "shooting(rk4) with gauss(2)"};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        bench interpreted, compiled;
        begin_with(&interpreted, van_der_pol, schemes[k], "vm", "200");
        begin_with(&compiled, van_der_pol, schemes[k], "native", "200");
        set(&interpreted, "grid", "eps=0.1..0.9/20"), set(&compiled, "grid", "eps=0.1..0.9/20");
        run(&interpreted, NULL), run(&compiled, NULL);
        assert_int_equal(dal_sweep_summarise(compiled.w)->together, 0);
        assert_int_equal(dal_sweep_summarise(compiled.w)->done, 20);
        if (apart(&interpreted, &compiled) > 1e-13)
            fail_msg("%s: %.2e apart", schemes[k], apart(&interpreted, &compiled));
        end(&interpreted), end(&compiled);
    }
}

static void members_of_a_block_are_what_they_are_by_themselves(void **state)
{
    const struct {
        const char *model, *scheme, *grid;
        double      tolerance;
    } all[] = {
        {van_der_pol, "midpoint", "eps=0.1..0.9/70", 1e-13},
        {van_der_pol, "gauss(2)", "q1=-1..1/20", 1e-13},
        {van_der_pol, "compose(midpoint, suzuki(4))", "q2'=0..4/20", 1e-13},
        {van_der_pol, "gauss(3)", "eps=0.1..0.9/70", 1e-13},
        {van_der_pol, "compose(gauss(2), triple(6))", "q2'=0..4/20", 1e-13},
        {crossed, "midpoint", "a=0.5..2/20", 1e-12},
        {crossed, "gauss(2)", "a=0.5..2/20", 1e-12},
        {rest, "midpoint", "a=0.5..2/20", 1e-13},
        {rest, "gauss(2)", "y=-1..1/20", 1e-13},
        {rest, "lobatto(3)", "y=-1..1/20", 1e-13},
        {linear, "midpoint", "k=1..2/20", 1e-13},
        {linear, "gauss(3)", "k=1..2/20", 1e-13},
        {hamilton, "midpoint", "p(x)=-0.1..0.1/20", 1e-13},
        {driven, "radau(2)", "w=1..2/20", 1e-13},
        {driven, "midpoint", "u=0..1/20", 1e-13},
        {driven, "trapezoid", "w=1..2/20", 1e-13},
        {tied, "trapezoid", "s=1..2/20", 1e-13},
        {tied, "gauss(2)", "s=1..2/20", 1e-13},
        {tied, "midpoint", "s=1..2/20", 1e-12},
        {pendulum, "midpoint", "g=5..10/20", 1e-12},
        {pendulum, "lobatto(3)", "g=5..10/20", 1e-12},
        {sleigh, "midpoint", "th'=0.1..0.4/20", 1e-12},
    };
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        compare(all[k].model, all[k].scheme, all[k].grid, all[k].tolerance);
}

static void the_bits_of_a_member_do_not_depend_on_its_company(void **state)
{
    (void)state;
    static const char *const models[] = {van_der_pol, rest}, *const schemes[] = {"midpoint",
                                                                                 "gauss(2)"};
    static const char *const all[] = {"eps=0.1..0.9/81", "a=0.5..2.5/81"};
    static const char *const few[] = {"eps=0.9, 0.1, 0.1..0.9/17",
                                      "a=2.5, 0.5, 0.5..2.5/17"}; /* every fifth, and two more */
    for (int k = 0; k < 2; k++) {
        bench  a, b;
        size_t columns;
        begin_with(&a, models[k], schemes[k], "native", "500"),
            begin_with(&b, models[k], schemes[k], "native", "500");
        set(&a, "grid", all[k]), set(&b, "grid", few[k]);
        run(&a, NULL), run(&b, NULL);
        assert_int_equal(dal_sweep_summarise(b.w)->together, 19);
        dal_sweep_columns(a.w, &columns);
        for (size_t i = 0; i < 19; i++) {
            size_t same = i == 0 ? 80 : i == 1 ? 0 : 5 * (i - 2);
            if (dal_sweep_member(a.w, same).value[0] != dal_sweep_member(b.w, i).value[0])
                continue; /* rounded otherwise */
            assert_memory_equal(dal_sweep_member(a.w, same).value, dal_sweep_member(b.w, i).value,
                                columns * sizeof(double));
        }
        end(&a), end(&b);
    }
}

static void blocks_on_many_threads_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "3", "7"};
    bench                    b[4];
    size_t                   columns, members = 300;
    for (int k = 0; k < 4; k++) {
        begin_with(&b[k], van_der_pol, "gauss(2)", "native", "100");
        set(&b[k], "random", "q1=normal(0, 1)");
        set(&b[k], "members", "300");
        set(&b[k], "threads", threads[k]);
        run(&b[k], NULL);
        assert_int_equal(dal_sweep_summarise(b[k].w)->together, members);
    }
    dal_sweep_columns(b[0].w, &columns);
    for (int k = 1; k < 4; k++)
        for (size_t i = 0; i < members; i++)
            assert_memory_equal(dal_sweep_member(b[k].w, i).value,
                                dal_sweep_member(b[0].w, i).value, columns * sizeof(double));
    for (int k = 0; k < 4; k++) end(&b[k]);
}

/* A wall at x = 0, hit at other times by each member: predictions are no good there, and steps are
 * made one by one. */
static void members_that_are_lost_on_the_way_are_helped_or_fail_by_themselves(void **state)
{
    (void)state;
    static const char *const wall =
        "system Wall {\n  parameter s = 1\n  coordinate x\n  lagrangian x'^2/2 - s*exp(-40*x) - x\n"
        "  start x = 1\n}\n";
    static const char *const fall =
        "system Fall {\n  parameter k = 1\n  coordinate x\n  lagrangian x'^2/2 - k*log(x)\n"
        "  start x = 1\n}\n";
    bench a, b;
    compare(wall, "midpoint", "s=0.5..1.5/40", 1e-10);
    compare(wall, "compose(midpoint, suzuki(4))", "s=0.5..1.5/40", 1e-10);
    begin_with(&a, fall, "midpoint", "vm", "60"), begin_with(&b, fall, "midpoint", "native", "60");
    set(&a, "grid", "k=-1..1/41"), set(&b, "grid", "k=-1..1/41");
    run_one_by_one(&a), run(&b, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(b.w);
    /* a member whose energy has no value at the end has made its steps in a block all the same */
    assert_true(sum->failed > 5 && sum->together > 15 && sum->together + sum->failed >= 41);
    assert_int_equal(sum->failed, dal_sweep_summarise(a.w)->failed);
    for (size_t i = 0; i < 41; i++)
        assert_int_equal(dal_sweep_member(a.w, i).status, dal_sweep_member(b.w, i).status);
    end(&a), end(&b);
}

/* A member that is lost makes that step by itself from its own history, whether others are in its
 * block or none. */
static void a_member_that_is_lost_has_its_bits_alone_too(void **state)
{
    static const char *const wall =
        "system Wall {\n  parameter s = 1\n  coordinate x\n  lagrangian x'^2/2 - s*exp(-40*x) - x\n"
        "  start x = 1\n}\n";
    static const char *const schemes[] = {"midpoint", "gauss(2)", "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        bench  alone, among;
        size_t columns;
        begin_with(&alone, wall, schemes[k], "native", "3000"),
            begin_with(&among, wall, schemes[k], "native", "3000");
        dal_options_set(alone.o, "step", "0.1"), dal_options_set(among.o, "step", "0.1");
        set(&alone, "grid", "s=0.7"), set(&among, "grid", "s=0.7,0.5,0.6,0.8,0.9,1,1.1,1.2");
        run(&alone, NULL), run(&among, NULL);
        assert_int_equal(dal_sweep_summarise(alone.w)->together, 1);
        dal_sweep_columns(alone.w, &columns);
        assert_memory_equal(dal_sweep_member(alone.w, 0).value, dal_sweep_member(among.w, 0).value,
                            columns * sizeof(double));
        end(&alone), end(&among);
    }
}

/* Angles that leave what blocks can take sines of, each member's at another time; they are known to
 * 1e-10. */
static void members_that_turn_by_a_million_go_on_by_themselves(void **state)
{
    (void)state;
    compare("system Rotor {\n  parameter k = 1\n  coordinate x\n  lagrangian x'^2/2 + k*cos(x)\n"
            "  start x = 999970, x' = 5\n}\n",
            "midpoint", "x'=4..9/20", 1e-9);
}

static void members_with_times_of_their_own_are_with_no_others(void **state)
{
    (void)state;
    bench b;
    begin_with(
        &b,
        "system Own {\n  parameter h = 0.1\n  coordinate x\n  lagrangian x'^2/2 - x^4\n  start x "
        "= 1\n}\n"
        "simulate {\n  step = h\n}\n",
        "midpoint", "native", "40");
    dal_sweep_free(b.w);
    dal_options_free(b.o);
    b.o = dal_options_new(b.cx);
    dal_options_set(b.o, "backend", "native"), dal_options_set(b.o, "steps", "40");
    assert_int_equal(dal_sweep_new(b.m, b.o, &b.w), DAL_OK);
    set(&b, "grid", "h=0.1, 0.1, 0.05..0.2/30");
    run(&b, NULL);
    const dal_sweep_summary *sum = dal_sweep_summarise(b.w);
    assert_int_equal(sum->done, 32);
    assert_true(sum->together >= 2 && sum->together < 5);
    for (size_t i = 0; i < 32; i++)
        check_close(dal_sweep_member(b.w, i).value[1], 40 * dal_sweep_member(b.w, i).value[0],
                    1e-14);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_of_a_block_are_what_they_are_by_themselves),
        cmocka_unit_test(what_fits_no_block_runs_one_by_one),
        cmocka_unit_test(the_bits_of_a_member_do_not_depend_on_its_company),
        cmocka_unit_test(blocks_on_many_threads_give_the_same_bits),
        cmocka_unit_test(members_that_are_lost_on_the_way_are_helped_or_fail_by_themselves),
        cmocka_unit_test(a_member_that_is_lost_has_its_bits_alone_too),
        cmocka_unit_test(members_that_turn_by_a_million_go_on_by_themselves),
        cmocka_unit_test(members_with_times_of_their_own_are_with_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
