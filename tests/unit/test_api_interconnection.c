/* Connected systems: solved without their ties and with all their multipliers they move alike, and
 * as the papers' own examples do. */
#include "check.h"
#include "dalembert.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    dal_status   status;
} run;

typedef struct {
    const char *key, *value;
} pair;

static run begin(const char *path, const char *how, const pair *set)
{
    run r = {.cx = dal_context_new(NULL)};
    r.o = dal_options_new(r.cx);
    dal_options_set(r.o, "interconnection", how);
    for (; set && set->key; set++)
        assert_int_equal(DAL_OK, dal_options_set(r.o, set->key, set->value));
    r.status = dal_model_load(r.cx, path, r.o, &r.m);
    if (!r.status) r.status = dal_sim_new(r.m, r.o, &r.s);
    return r;
}

static run must_begin(const char *path, const char *how, const pair *set)
{
    run r = begin(path, how, set);
    if (r.status) dal_report(r.cx, stderr, 0);
    assert_int_equal(r.status, DAL_OK);
    return r;
}

static void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_options_free(r->o), dal_context_free(r->cx);
}

static double measure(run *r, const char *what)
{
    double x = NAN;
    assert_int_equal(DAL_OK, dal_measure(r->s, what, &x));
    return x;
}

static void advance(run *r, long to)
{
    while (dal_steps(r->s) < to) assert_int_equal(DAL_OK, dal_step(r->s));
}

static const char *const ways[] = {"eliminate", "multipliers"};

/* The papers' examples; numbers of an independent implementation. ------------------------------ */

static const char torn_springs[] = TEST_DATA "/../examples/papers/torn_springs.dal";
static const char torn_circuit[] = TEST_DATA "/../examples/papers/torn_circuit.dal";

static void torn_springs_move_as_the_reference_does(void **state)
{
    (void)state;
    static const char *const names[] = {"first.x1", "first.x2", "last.end", "last.x"};
    static const struct {
        long   steps;
        double q[4], p[4], impulse, energy;
    } expected[] = {
        {1000,
         {-2.5444273569550386, -3.0457517456553087, -3.0457517456553087, -3.6557164513498606},
         {-0.9486962415654148, -0.8339534821219133, 0.0, 1.5120374689944744},
         0.00633424615205716,
         5.489626968233386},
        {100000,
         {-1.038011021394031, -1.3976597654958276, -1.3976597654958307, -2.944949294156995},
         {2.121298369958727, 1.6753171878871487, 0.0, 0.25313339592304646},
         0.01533067690741523,
         5.4857949778626125}};
    for (int way = 0; way < 2; way++) {
        run r = must_begin(torn_springs, ways[way], NULL);
        for (int e = 0; e < 2; e++) {
            advance(&r, expected[e].steps - 1);
            check_close(-0.01 * measure(&r, "tear"), expected[e].impulse,
                        1e-12); /* the last kick */
            advance(&r, expected[e].steps);
            for (int i = 0; i < 4; i++) {
                char p[32];
                snprintf(p, sizeof p, "p(%s)", names[i]);
                check_close(measure(&r, names[i]), expected[e].q[i], 1e-10);
                check_close(measure(&r, p), expected[e].p[i], 1e-10);
            }
            check_close(measure(&r, "energy"), expected[e].energy, 1e-10);
            check_close(measure(&r, "first.x2"), measure(&r, "last.end"), 1e-14);
        }
        end(&r);
    }
}

static void torn_circuit_moves_as_the_reference_does(void **state)
{
    (void)state;
    static const struct {
        long   steps;
        double qR, qL, qC, pL, energy;
    } expected[] = {{1, 0.0, 1.0, -1.0, 7.5, 37.666666666666664},
                    {10, 1.3301497152909267, 9.327687690668027, -7.9975379753771, 6.169850284709071,
                     36.03813730174954},
                    {50, 10.799540818996006, 10.049921607980961, 0.7496192110150477,
                     -3.299540818996005, 7.351634571067689},
                    {100, 6.067135016554655, 6.70547970523875, -0.63834468868409,
                     1.4328649834453482, 1.43664869745109},
                    {400, 7.492715933972897, 7.506596971513663, -0.01388103754076238,
                     0.007284066027101956, 6.7485612459463e-05}};
    for (int way = 0; way < 2; way++) {
        run r = must_begin(torn_circuit, ways[way], NULL);
        for (int e = 0; e < 5; e++) {
            advance(&r, expected[e].steps);
            check_close(measure(&r, "left.qR"), expected[e].qR, 1e-10);
            check_close(measure(&r, "left.qL"), expected[e].qL, 1e-10);
            check_close(measure(&r, "left.qS"), expected[e].qC, 1e-10);
            check_close(measure(&r, "right.qS"), expected[e].qC, 1e-10);
            check_close(measure(&r, "right.qC"), expected[e].qC, 1e-10);
            check_close(measure(&r, "p(left.qL)"), expected[e].pL, 1e-10);
            check_close(measure(&r, "p(left.qR)"), 0, 1e-14);
            check_close(measure(&r, "energy"), expected[e].energy, 1e-10);
        }
        advance(&r, 100000);
        check_close(measure(&r, "left.qR"), 7.5,
                    1e-10); /* at rest: what the coil began with is through the resistor */
        check_close(measure(&r, "left.qS"), measure(&r, "right.qC"), 1e-14);
        end(&r);
    }
}

/* The same step by hand. Of the five rows of the circuit only these are left (theory.md [DIRAC], rectangle, left):
 *     mu = h qC/C,   R dqR = -mu,   l dqL/h = pL + mu,   dqC = dqR - dqL,   pL = l dqL/h
 * in long double, which carries three digits more than are compared. */
typedef struct {
    long double qR, qL, qC, pL;
} circuit;

static circuit by_hand(long double R, long steps)
{
    const long double h = 0.1L, l = 0.75L, C = 3;
    circuit           c = {.pL = 7.5L};
    for (long k = 0; k < steps; k++) {
        long double mu = h * c.qC / C, dqR = -mu / R, dqL = h / l * (c.pL + mu);
        c.qR += dqR, c.qL += dqL, c.qC += dqR - dqL, c.pL += mu;
    }
    return c;
}

/* With R = 1 nothing but the charge that has passed is left after 100,000 steps; with R = 10,000 it still rings. */
static void torn_circuit_is_right_after_many_steps(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double      R;
    } row[] = {{"left.R=1", 1}, {"left.R=10000", 10000}};
    for (int k = 0; k < 4; k++) {
        const pair set[] = {{"set", row[k / 2].set}, {0}};
        run        r = must_begin(torn_circuit, ways[k % 2], set);
        for (long steps = 1; steps <= 100000; steps *= 10) {
            circuit want = by_hand(row[k / 2].R, steps);
            advance(&r, steps);
            check_close(measure(&r, "left.qR"), (double)want.qR, 1e-10);
            check_close(measure(&r, "left.qL"), (double)want.qL, 1e-10);
            check_close(measure(&r, "right.qC"), (double)want.qC, 1e-10);
            check_close(measure(&r, "p(left.qL)"), (double)want.pL, 1e-10);
            check_close(measure(&r, "left.qS"), measure(&r, "right.qC"), 1e-14);
            check_close(measure(&r, "left.qS"), measure(&r, "right.qS"), 1e-14);
        }
        end(&r);
    }
    circuit rings = by_hand(10000, 100000); /* as with 50 digits */
    check_close((double)rings.qR, 0.00065108021434169392961, 1e-16);
    check_close((double)rings.qL, 12.608965875985070667, 1e-14);
    check_close((double)rings.qC, -12.608314795770728973, 1e-14);
    check_close((double)rings.pL, 0.9891978565830607039, 1e-14);
}

/* Both ways on everything that is connected. --------------------------------------------------- */

/* Largest difference of each column over the run, relative to its size; NaN: neither way is
 * possible. */
static double part_ways(const char *path, const pair *set, int steps, const char **worst)
{
    run    a = begin(path, ways[0], set), b = begin(path, ways[1], set);
    double most = a.status ? NAN : 0;
    size_t columns, others;
    if (a.status != b.status) print_error("%s: %d and %d\n", path, a.status, b.status);
    assert_int_equal(a.status, b.status);
    if (!a.status) {
        const dal_column *of = dal_columns(a.s, &columns);
        dal_columns(b.s, &others);
        assert_int_equal(columns, others);
        double *x = calloc(4 * columns, sizeof *x), *y = x + columns, *size = y + columns,
               *off = size + columns;
        for (int k = 0; k <= steps; k++) {
            dal_row(a.s, x), dal_row(b.s, y);
            for (size_t i = 0; i < columns; i++) {
                size[i] = fmax(size[i], fabs(y[i]));
                if (!(fabs(x[i] - y[i]) <= off[i])) off[i] = fabs(x[i] - y[i]);
            }
            dal_status one = dal_step(a.s), two = dal_step(b.s);
            assert_int_equal(one, two);
            if (one) break;
        }
        /* a momentum along directions without inertia has no velocity: only positions are then to
         * compare */
        dal_run(b.s, NULL);
        bool        defect = dal_summarise(b.s)->momentum_defect > 1e-12;
        static char name[80];
        for (size_t i = 0; i < columns; i++) {
            if (defect && of[i].kind != DAL_COLUMN_COORDINATE) continue;
            double ratio = off[i] / fmax(size[i], 1);
            if (!(ratio <= most))
                most = ratio, snprintf(name, sizeof name, "%s", of[i].name), *worst = name;
        }
        free(x);
    }
    end(&a), end(&b);
    return most;
}

static const char *const schemes[] = {
    "midpoint", "trapezoid", "lobatto(3)",   "gauss(2)",
    "gauss(3)", "radau(2)",  "rectangle(0)", "compose(midpoint, suzuki(4))"};

static int compare_folder(const char *folder, double allowed)
{
    char           path[512];
    int            wrong = 0, compared = 0;
    DIR           *d = opendir(folder);
    struct dirent *f;
    assert_non_null(d);
    while ((f = readdir(d))) {
        const char *dot = strrchr(f->d_name, '.');
        if (!dot || strcmp(dot, ".dal")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            const pair  set[] = {{"scheme", schemes[k]},
                                 {"step", "0.02"},
                                 {"until", "1"},
                                 {"retraction", "midpoint"},
                                 {0}};
            const char *worst = "";
            double      most = part_ways(path, set, 50, &worst);
            compared += !isnan(most);
            if (isnan(most) || most <= allowed) continue;
            print_error("%s, %s: %s differs by %.2g\n", f->d_name, schemes[k], worst, most);
            wrong++;
        }
    }
    closedir(d);
    assert_true(compared > 10);
    return wrong;
}

static void every_example_moves_the_same_without_its_ties(void **state)
{
    (void)state;
    int wrong = compare_folder(TEST_DATA "/../examples", 2e-12);
    wrong += compare_folder(TEST_DATA "/../examples/papers", 2e-12);
    wrong += compare_folder(TEST_DATA "/connected", 2e-12);
    assert_int_equal(wrong, 0);
}

static void momenta_of_the_papers_are_the_same_without_ties(void **state)
{
    (void)state;
    static const char *const principles[] = {"dirac+", "dirac-"}, *const until[] = {"1", "-1"};
    const char *worst = "";
    for (int k = 0; k < 4; k++) {
        const pair set[] = {{"scheme", "lobatto(3)"},         {"momentum", "papers"},
                            {"principle", principles[k % 2]}, {"step", "0.02"},
                            {"until", until[k / 2]},          {0}};
        check_below(part_ways(TEST_DATA "/../examples/spring_chain.dal", set, 50, &worst), 2e-12);
        check_below(part_ways(TEST_DATA "/../examples/motor.dal", set, 50, &worst), 2e-12);
        check_below(part_ways(TEST_DATA "/connected/mixed.dal", set, 50, &worst), 2e-12);
    }
    const pair own_rule[] = {{"scheme", "lobatto(3)"}, {"momentum", "papers"},
                             {"force", "gauss(3)"},    {"step", "0.02"},
                             {"until", "1"},           {0}};
    check_below(part_ways(TEST_DATA "/../examples/lever.dal", own_rule, 50, &worst), 2e-12);
}

static void asking_for_one_thing_leaves_the_others_alone(void **state)
{
    (void)state;
    const pair set[] = {{"momentum", "papers"}, {"scheme", "gauss(2)"}, {0}};
    run        r = must_begin(TEST_DATA "/../examples/motor.dal", "eliminate", set);
    advance(&r, 5);
    const double *q = dal_q(r.s), *v = dal_v(r.s);
    double        q2 = q[2], v2 = v[2], energy = measure(&r, "energy"), shaft = measure(&r, "shaft");
    dal_p(r.s);
    assert_true(q[2] == q2 && v[2] == v2 && q2 != 0);
    assert_true(measure(&r, "energy") == energy && measure(&r, "shaft") == shaft);
    end(&r);
}

/* Interaction forces. -------------------------------------------------------------------------- */

static const char *const oscillators = TEST_DATA "/connected/pair.dal";
static const char *const wells = TEST_DATA "/connected/wells.dal"; /* two of three are Hamiltonian */

/* How far the interaction forces lead away from the connections, over the whole run. */
static double part_from_forces(const char *path, const char *e, const char *scheme, const char *rule,
                               int steps)
{
    char set_e[16], step[32];
    snprintf(set_e, sizeof set_e, "e=%s", e);
    snprintf(step, sizeof step, "%.17g", 4.0 / steps);
    const pair set[] = {{"set", set_e},
                        {"scheme", scheme},
                        {"step", step},
                        {"until", "4"},
                        {rule ? "force" : NULL, rule},
                        {0}};
    run        a = must_begin(path, "forces", set);
    run        b = must_begin(path, "eliminate", set);
    double     most = 0;
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

/* Everything that can be joined by forces, with every scheme: equal to roundoff, or better with the step by
 * the order of the scheme. */
static double part_of_example(const char *path, const char *scheme, const char *step, int steps)
{
    const pair set[] = {{"scheme", scheme}, {"step", step}, {"until", "0.4"}, {"retraction", "midpoint"}, {0}};
    run        a = begin(path, "forces", set), b = begin(path, "eliminate", set);
    double     most = a.status || b.status ? NAN : 0;
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
    char             path[512];
    int              compared = 0;
    DIR             *d = opendir(folder);
    struct dirent   *f;
    assert_non_null(d);
    while ((f = readdir(d))) {
        const char *dot = strrchr(f->d_name, '.');
        if (!dot || strcmp(dot, ".dal")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            double coarse = part_of_example(path, schemes[k], "0.02", 20);
            if (isnan(coarse)) continue;
            compared++;
            if (coarse < 1e-11) continue;
            double fine = part_of_example(path, schemes[k], "0.01", 40);
            if (fine < 1e-11 || log2(coarse / fine) > order[k] - 0.4) continue;
            print_error("%s, %s: differs by %.2g, then by %.2g\n", f->d_name, schemes[k], coarse, fine);
            ++*wrong;
        }
    }
    closedir(d);
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
        run *r = &way[k];
        *r = (run){.cx = dal_context_new(NULL)};
        r->o = dal_options_new(r->cx);
        dal_options_set(r->o, "interconnection", k ? "eliminate" : "forces");
        dal_options_set(r->o, "step", "0.1"), dal_options_set(r->o, "scheme", "midpoint");
        assert_int_equal(DAL_OK, dal_model_parse(r->cx, "chain.dal", long_chain, r->o, &r->m));
        assert_int_equal(DAL_OK, dal_sim_new(r->m, r->o, &r->s));
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
    expect_refusal(torn_springs, "each holds a coordinate without inertia");
    expect_refusal(torn_circuit, "each holds a coordinate without inertia");
    expect_refusal(TEST_DATA "/connected/mixed.dal", "'loop' repeats what other connections say");
}

static void parameters_may_change_while_connections_are_forces(void **state)
{
    (void)state;
    const pair set[] = {{"step", "0.05"}, {0}};
    run        a = must_begin(oscillators, "forces", set), b = must_begin(oscillators, "eliminate", set);
    run       *both[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        advance(both[k], 10);
        assert_int_equal(DAL_OK, dal_set_parameter(both[k]->s, "a.k", 5));
        advance(both[k], 20);
    }
    for (size_t i = 0; i < dal_size(a.s); i++) check_close(dal_q(a.s)[i], dal_q(b.s)[i], 1e-12);
    end(&a), end(&b);
}

/* The ledger. ---------------------------------------------------------------------------------- */

static run keep_ledger(const char *path, const char *how, const char *scheme, const char *step)
{
    const pair set[] = {{"scheme", scheme}, {"step", step}, {"until", "2"}, {"ledger", "yes"}, {0}};
    run        r = must_begin(path, how, set);
    assert_int_equal(DAL_OK, dal_run(r.s, NULL));
    return r;
}

static double rest_of(const dal_account *a)
{
    return a->last - a->first - a->work - a->received;
}

static double largest_rest(const dal_ledger *book)
{
    double most = 0;
    for (size_t i = 0; i < book->accounts; i++) most = fmax(most, fabs(rest_of(&book->account[i])));
    return most;
}

static const char motor[] = TEST_DATA "/../examples/motor.dal";

static void accounts_add_up_to_the_change_of_the_whole(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        run               r = keep_ledger(motor, ways[way], "gauss(2)", "0.01");
        const dal_ledger *book = dal_ledger_of(r.s);
        double            change = 0, work = 0, received = 0;
        assert_int_equal(book->accounts, 5);
        assert_int_equal(book->passages, 3);
        for (size_t i = 1; i < book->accounts; i++) {
            const dal_account *a = &book->account[i];
            change += a->last - a->first, work += a->work, received += a->received;
        }
        check_close(book->account[0].last - book->account[0].first, change, 1e-13);
        check_close(book->account[0].work, work, 1e-13);
        check_close(dal_summarise(r.s)->work, work, 1e-13);
        check_close(received, 0, 1e-12);
        check_close(book->account[1].received, -work + book->account[2].work,
                    1e-12); /* what the battery gives away */
        assert_string_equal(book->account[2].part, "motor");
        end(&r);
    }
}

static void connections_pass_on_what_they_take(void **state)
{
    (void)state;
    static const char *const models[] = {
        TEST_DATA "/../examples/motor.dal", TEST_DATA "/../examples/rlc_ladder.dal",
        TEST_DATA "/../examples/lever.dal", TEST_DATA "/connected/bent.dal"};
    static const char *const rules[] = {"gauss(2)", "lobatto(3)", "trapezoid",
                                        "compose(midpoint, suzuki(4))"};
    for (int k = 0; k < 32; k++) {
        run               r = keep_ledger(models[k % 4], ways[k / 4 % 2], rules[k / 8], "0.02");
        const dal_ledger *book = dal_ledger_of(r.s);
        double            moved = 0;
        assert_true(book->passages > 0);
        for (size_t i = 0; i < book->passages; i++) {
            double size = 0;
            for (size_t j = 0; j < book->passage[i].sides; j++)
                size = fmax(size, fabs(book->passage[i].side[j].work));
            check_below(fabs(book->passage[i].net), 1e-13 * fmax(1, size));
            moved = fmax(moved, size);
        }
        check_below(0.01, moved);
        end(&r);
    }
}

static void what_a_part_receives_is_what_it_stores_and_spends(void **state)
{
    (void)state;
    /* exactly, where energy is quadratic and the rule is Gauss's */
    run r = keep_ledger(TEST_DATA "/../examples/rlc_ladder.dal", "eliminate", "gauss(2)", "0.05");
    check_below(largest_rest(dal_ledger_of(r.s)), 1e-13);
    end(&r);
    r = keep_ledger(TEST_DATA "/../examples/transformer.dal", "eliminate", "gauss(3)", "0.05");
    check_below(largest_rest(dal_ledger_of(r.s)), 1e-13);
    end(&r);
    /* else to the order of the scheme */
    static const char *const nonlinear[] = {TEST_DATA "/../examples/lever.dal",
                                            TEST_DATA "/connected/bent.dal"};
    for (int k = 0; k < 4; k++) {
        run coarse =
            keep_ledger(nonlinear[k / 2], "eliminate", k % 2 ? "lobatto(3)" : "gauss(2)", "0.1");
        run fine =
            keep_ledger(nonlinear[k / 2], "multipliers", k % 2 ? "lobatto(3)" : "gauss(2)", "0.05");
        double order =
            log2(largest_rest(dal_ledger_of(coarse.s)) / largest_rest(dal_ledger_of(fine.s)));
        check_below(3.6, order);
        end(&coarse), end(&fine);
    }
}

/* Forces take from one part what they give to another where the tie holds along the curve: to roundoff, where
 * forces and connection are the same; else to the order of the scheme. */
static void the_ledger_books_connections_that_are_forces(void **state)
{
    (void)state;
    for (int h = 0; h < 2; h++) {
        run               r = keep_ledger(h ? wells : oscillators, "forces", "gauss(2)", "0.02");
        run               b = keep_ledger(h ? wells : oscillators, "multipliers", "gauss(2)", "0.02");
        const dal_ledger *book = dal_ledger_of(r.s), *other = dal_ledger_of(b.s);
        assert_int_equal(book->passages, 2);
        for (size_t i = 0; i < 2; i++) {
            check_below(fabs(book->passage[i].net), 1e-14);
            check_below(1e-3, fabs(book->passage[i].side[0].work));
            for (size_t j = 0; j < 2; j++)
                check_close(book->passage[i].side[j].work, other->passage[i].side[j].work, 1e-12);
        }
        check_below(largest_rest(book), 1e-7);
        end(&r), end(&b);
    }
    const char *const bent = TEST_DATA "/connected/bent.dal";
    run               coarse = keep_ledger(bent, "forces", "gauss(2)", "0.1"),
        fine = keep_ledger(bent, "forces", "gauss(2)", "0.05");
    check_below(3.6, log2(largest_rest(dal_ledger_of(coarse.s)) / largest_rest(dal_ledger_of(fine.s))));
    check_below(3.6, log2(fabs(dal_ledger_of(coarse.s)->passage[0].net / dal_ledger_of(fine.s)->passage[0].net)));
    end(&coarse), end(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torn_springs_move_as_the_reference_does),
        cmocka_unit_test(torn_circuit_moves_as_the_reference_does),
        cmocka_unit_test(torn_circuit_is_right_after_many_steps),
        cmocka_unit_test(every_example_moves_the_same_without_its_ties),
        cmocka_unit_test(momenta_of_the_papers_are_the_same_without_ties),
        cmocka_unit_test(asking_for_one_thing_leaves_the_others_alone),
        cmocka_unit_test(interaction_forces_are_the_connection_where_inertia_is_constant),
        cmocka_unit_test(interaction_forces_keep_the_order_elsewhere),
        cmocka_unit_test(examples_move_by_forces_as_they_are_connected),
        cmocka_unit_test(long_chains_are_joined_by_forces),
        cmocka_unit_test(interaction_forces_say_where_they_cannot_be),
        cmocka_unit_test(parameters_may_change_while_connections_are_forces),
        cmocka_unit_test(accounts_add_up_to_the_change_of_the_whole),
        cmocka_unit_test(connections_pass_on_what_they_take),
        cmocka_unit_test(what_a_part_receives_is_what_it_stores_and_spends),
        cmocka_unit_test(the_ledger_books_connections_that_are_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
