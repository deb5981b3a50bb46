/* test_mech_stages.c - the tables of stages.h: what makes a step symplectic holds in every bit, and
 * the numbers are those of collocation. */
#include "memory.h"
#include "systems.h"

#include "mech/solve/stages.h"

#include <float.h>

static jet free_motion(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t, (void)q;
    return times(0.5, square(v[0]));
}

static const problem plain = {.n = 1, .lambda = free_motion};

static void tables_of(mem *m, const char *words, int side, int digits, stage_tables *t)
{
    jet_system js;
    equations  eq = {0};
    scheme     sch;
    text       why = text_new(m);
    assert_int_equal(scheme_parse(&sch, words, NULL, &why), DAL_OK);
    assert_int_equal(equations_init(&eq, m, jet_system_init(&js, &plain, NULL, 0), &sch,
                                    RETRACTION_MIDPOINT, NULL, &why),
                     DAL_OK);
    *t = stages_of(m, &eq, side, digits);
}

static void check_exact(const stage_tables *t)
{
    for (int i = 0; i < t->S; i++) {
        const double c = t->c[i], to = stage_node(t, t->d - 1, i);
        assert_true(to + c == 1 && 1 - c == to && 1 - to == c);
        assert_true(t->digits > FLT_MANT_DIG || (double)(float)c == c);
        for (int k = 0; k < t->S; k++) {
            const double there = stage_position(t, i, k), back = stage_position(t, k, i);
            assert_true(there - c == back - t->c[k]);
            assert_true(t->digits > FLT_MANT_DIG || (double)(float)there == there);
        }
    }
}

static void symplectic_tables_are_so_in_every_bit(void **state)
{
    static const char *const schemes[] = {"midpoint",
                                          "rectangle(0.1)",
                                          "trapezoid",
                                          "gauss(2)",
                                          "gauss(5)",
                                          "gauss(6)",
                                          "gauss(16)",
                                          "gauss(32)",
                                          "lobatto(4)",
                                          "lobatto(7)",
                                          "lobatto(17)",
                                          "radau(3)",
                                          "radau(9)",
                                          "radau_left(6)",
                                          "polynomial(3) with gauss(5)",
                                          "polynomial(2) with lobatto(6)"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        for (int of = 0; of < 4; of++) {
            stage_tables t;
            tables_of(*state, schemes[k], of % 2, of / 2 ? FLT_MANT_DIG : DBL_MANT_DIG, &t);
            check_exact(&t);
        }
}

/*     sum_k C_ik b_k c_k^m = c_i^(m+2)/((m+1)(m+2)),  sum_k D_ik b_k c_k^m = c_i^(m+1)/(m+1)
 * up to roundoff, which slopes of a polynomial of degree s have s^2 times (Markov). */
static void stages_of_gauss_are_those_of_collocation(void **state)
{
    static const struct {
        const char *scheme;
        int         s;
    } of[] = {{"gauss(2)", 2}, {"gauss(4)", 4}, {"gauss(6)", 6}, {"gauss(12)", 12}};
    for (size_t a = 0; a < sizeof of / sizeof *of; a++) {
        stage_tables t;
        tables_of(*state, of[a].scheme, 0, DBL_MANT_DIG, &t);
        for (int i = 0; i < t.S; i++)
            for (int power = 0; power <= of[a].s - 2; power++) {
                double x = 0, v = 0;
                for (int k = 0; k < t.S; k++) {
                    const double at = t.b[k] * pow(t.c[k], power);
                    x += stage_position(&t, i, k) * at, v += stage_velocity(&t, i, k) * at;
                }
                check_close(x, pow(t.c[i], power + 2) / ((power + 1) * (power + 2)),
                            t.S * DBL_EPSILON);
                check_close(v, pow(t.c[i], power + 1) / (power + 1), t.S * t.S * DBL_EPSILON);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(symplectic_tables_are_so_in_every_bit),
        mem_test(stages_of_gauss_are_those_of_collocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
