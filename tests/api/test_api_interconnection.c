/* Connected systems: solved without their ties and with all their multipliers they move alike, and
 * as an independent implementation does. */
#include "connected_run.h"
#include "folder.h"

/* The papers' examples; numbers of an independent implementation. ------------------------------ */

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

/* The same step by hand. Of the five rows of the circuit only these are left (theory.md [DIRAC],
 * rectangle, left):
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

/* With R = 1 nothing but the charge that has passed is left after 100,000 steps; with R = 10,000 it
 * still rings. */
static void torn_circuit_is_right_after_many_steps(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double      R;
    } row[] = {{"left.R=1", 1}, {"left.R=10000", 10000}};
    for (int k = 0; k < 4; k++) {
        const setting set[] = {{"set", row[k / 2].set}, {0}};
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
static double part_ways(const char *path, const setting *set, int steps, const char **worst)
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

static int compare_folder(const char *folder, double allowed)
{
    const models all = models_of(folder);
    int          wrong = 0, compared = 0;
    for (int i = 0; i < all.n; i++) {
        const char *path = all.path[i];
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            const setting set[] = {{"scheme", schemes[k]},
                                   {"step", "0.02"},
                                   {"until", "1"},
                                   {"retraction", "midpoint"},
                                   {0}};
            const char *worst = "";
            double      most = part_ways(path, set, 50, &worst);
            compared += !isnan(most);
            if (isnan(most) || most <= allowed) continue;
            print_error("%s, %s: %s differs by %.2g\n", file_name(path), schemes[k], worst, most);
            wrong++;
        }
    }
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
        const setting set[] = {{"scheme", "lobatto(3)"},         {"momentum", "papers"},
                               {"principle", principles[k % 2]}, {"step", "0.02"},
                               {"until", until[k / 2]},          {0}};
        check_below(part_ways(TEST_DATA "/../examples/spring_chain.dal", set, 50, &worst), 2e-12);
        check_below(part_ways(TEST_DATA "/../examples/motor.dal", set, 50, &worst), 2e-12);
        check_below(part_ways(TEST_DATA "/connected/mixed.dal", set, 50, &worst), 2e-12);
    }
    const setting own_rule[] = {{"scheme", "lobatto(3)"}, {"momentum", "papers"},
                                {"force", "gauss(3)"},    {"step", "0.02"},
                                {"until", "1"},           {0}};
    check_below(part_ways(TEST_DATA "/../examples/lever.dal", own_rule, 50, &worst), 2e-12);
}

static void asking_for_one_thing_leaves_the_others_alone(void **state)
{
    (void)state;
    const setting set[] = {{"momentum", "papers"}, {"scheme", "gauss(2)"}, {0}};
    run        r = must_begin(TEST_DATA "/../examples/motor.dal", "eliminate", set);
    advance(&r, 5);
    const double *q = dal_q(r.s), *v = dal_v(r.s);
    double q2 = q[2], v2 = v[2], energy = measure(&r, "energy"), shaft = measure(&r, "shaft");
    dal_p(r.s);
    assert_true(q[2] == q2 && v[2] == v2 && q2 != 0);
    assert_true(measure(&r, "energy") == energy && measure(&r, "shaft") == shaft);
    end(&r);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
