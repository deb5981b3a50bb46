/* Periodic arrays: waves on rings and tori against their dispersion, and beside twins whose indices
 * are written with mod. */
#include "api_run.h"

static const double PI = 3.14159265358979323846;

/* On a ring of N masses mode j oscillates with 2 |sin(pi j/N)|. */
static void a_ring_has_its_frequencies(void **state)
{
    (void)state;
    static const char ring[] = "system Ring {\n  parameter N = 12, j = 1\n"
                               "  coordinate x[k in 0..N-1 periodic]\n"
                               "  let stretch[k in 1..N periodic] = x[k] - x[k-1]\n"
                               "  lagrangian sum(k in 1..N: x[k]'^2/2 - stretch[k+N]^2/2)\n"
                               "  for k in 1..N { start x[k] = cos(2*pi*j*k/N) }\n}\n";
    for (int j = 0; j <= 6; j++) {
        char mode[16];
        snprintf(mode, sizeof mode, "j=%d", j);
        const setting set[] = {
            {"scheme", "gauss(5)"}, {"step", "0.1"}, {"until", "10"}, {"set", mode}, {0}};
        run r = begin_text(ring, set);
        run_to_end(&r);
        for (int k = 0; k < 12; k++)
            check_close(dal_q(r.s)[k], cos(2 * PI * j * k / 12) * cos(20 * sin(PI * j / 12)),
                        1e-10);
        end(&r);
    }
}

/* On a torus, one dimension of which begins at 0: w^2 = 4 sin^2(pi/5) + 4 sin^2(2 pi/7). */
static void a_torus_has_its_frequencies(void **state)
{
    (void)state;
    static const char torus[] = "system Torus {\n  coordinate u[i in 0..4 periodic][7 periodic]\n"
                                "  lagrangian sum(i in 0..4, j in 1..7: u[i][j]'^2/2"
                                " - (u[i+1][j] - u[i][j])^2/2 - (u[i][j-1] - u[i][j])^2/2)\n"
                                "  for i in 0..4, j in 1..7 {\n"
                                "    start u[i-5][j+14] = cos(2*pi*i/5 + 4*pi*j/7)\n  }\n}\n";
    static const setting set[] = {{"scheme", "gauss(5)"}, {"step", "0.1"}, {"until", "4"}, {0}};
    run                  r = begin_text(torus, set);
    run_to_end(&r);
    const double w = 2 * hypot(sin(PI / 5), sin(2 * PI / 7));
    for (int i = 0; i < 5; i++)
        for (int j = 1; j <= 7; j++)
            check_close(dal_q(r.s)[7 * i + j - 1],
                        cos(2 * PI * i / 5 + 4 * PI * j / 7) * cos(4 * w), 1e-10);
    end(&r);
}

/* A ring of parts, tied end to end. */
static void parts_stand_on_a_ring(void **state)
{
    (void)state;
    static const char    ring[] = "system Link {\n  coordinate a, b\n"
                                  "  lagrangian a'^2/2 - (b - a)^2/2\n}\n"
                                  "system Ring {\n  part link[6 periodic] : Link\n"
                                  "  for k in 1..6 { connect link[k].b = link[k+1].a }\n"
                                  "  for k in 1..6 { start link[k].a = cos(2*pi*k/6) }\n}\n";
    static const setting set[] = {{"scheme", "gauss(5)"}, {"step", "0.1"}, {"until", "3"}, {0}};
    run                  r = begin_text(ring, set);
    run_to_end(&r);
    for (int k = 1; k <= 6; k++)
        check_close(dal_q(r.s)[2 * (k - 1)], cos(2 * PI * k / 6) * cos(6 * sin(PI / 6)), 1e-10);
    end(&r);
}

/* The same elements in the same order as with indices by mod, so the same engine and the same bits.
 */
static void twins_by_mod_are_the_same(void **state)
{
    (void)state;
    static const char *const scheme[] = {"trapezoid", "midpoint", "gauss(2)"};
    for (int k = 0; k < 3; k++) {
        const setting set[] = {
            {"scheme", scheme[k]}, {"step", "0.05"}, {"steps", "40"}, {"record", "0"}, {0}};
        run r[2];
        for (int by_mod = 0; by_mod < 2; by_mod++) {
            char text[600];
            snprintf(text, sizeof text,
                     "system Ring {\n  parameter N = 600\n  coordinate x[N%s]\n"
                     "  lagrangian sum(k in 1..N: x[k]'^2/2 - (x[%s] - x[k])^2/2 - x[k]^4/4)\n"
                     "  for k in 1..N { start x[k] = sin(0.01*k*k) }\n}\n",
                     by_mod ? "" : " periodic", by_mod ? "mod(k, N) + 1" : "k+1");
            r[by_mod] = begin_text(text, set);
            run_to_end(&r[by_mod]);
        }
        assert_memory_equal(dal_q(r[0].s), dal_q(r[1].s), 600 * sizeof(double));
        end(&r[0]), end(&r[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_has_its_frequencies),
        cmocka_unit_test(a_torus_has_its_frequencies),
        cmocka_unit_test(parts_stand_on_a_ring),
        cmocka_unit_test(twins_by_mod_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
