/* Random numbers that must be the same everywhere: the generator against its published outputs,
 * distributions against the functions that they invert. */
#include "check.h"
#include "run/random.h"

/* The outputs of SplitMix64 with seed 1234567, as printed beside its first description. */
static void numbers_are_those_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t printed[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                       UINT64_C(16408922859458223821)};
    for (uint64_t i = 0; i < 5; i++)
        assert_true(random_uniform(1234567, i) ==
                    ((double)(printed[i] >> 11) + 0.5) / 9007199254740992.0);
}

static void a_seed_and_a_name_make_a_stream_of_their_own(void **state)
{
    (void)state;
    assert_true(random_key(0, "x") != random_key(1, "x"));
    assert_true(random_key(0, "x") != random_key(0, "y"));
    assert_true(random_key(7, "x") == random_key(7, "x"));
}

static void members_of_a_seed_never_change(void **state)
{
    (void)state;
    uint64_t key = random_key(42, "k");
    assert_true(random_quantile(UNIFORM, 1, 2, random_uniform(key, 0)) == 0x1.dc28919782affp+0);
    assert_true(random_quantile(NORMAL, 0, 1, random_uniform(key, 1)) == 0x1.732ed2a9b94eep+0);
    assert_true(random_quantile(LOGNORMAL, 0, 1, random_uniform(key, 2)) == 0x1.e8c7b4268314p-2);
}

static void the_normal_quantile_inverts_the_normal_distribution(void **state)
{
    (void)state;
    for (double u = 1e-300; u < 1e-3; u *= 10) {
        double x = random_quantile(NORMAL, 0, 1, u);
        check_close(erfc(-x / sqrt(2)) / 2 / u, 1, 1e-12);
    }
    for (double u = 0.001; u < 1; u += 0.001) {
        double x = random_quantile(NORMAL, 0, 1, u), same = random_quantile(NORMAL, 0, 1, 1 - u);
        check_close(erfc(-x / sqrt(2)) / 2, u, 4e-16);
        check_close(x, -same, 1e-13);
    }
    check_close(random_quantile(NORMAL, 3, 2, 0.5), 3, 0);
}

static void the_lognormal_quantile_is_the_exponential_of_the_normal_one(void **state)
{
    (void)state;
    for (double u = 0.0005; u < 1; u += 0.001) {
        double x = random_quantile(NORMAL, 0.5, 4, u), y = random_quantile(LOGNORMAL, 0.5, 4, u);
        check_close(y / exp(x), 1, 1e-15);
    }
    assert_true(random_quantile(LOGNORMAL, 0, 1e6, 0.9) == HUGE_VAL);
    assert_true(random_quantile(LOGNORMAL, 0, 1e6, 0.1) == 0);
}

static void many_draws_have_the_moments_of_their_distribution(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    uint64_t key = random_key(1, "x"), other = random_key(1, "y");
    double   mean = 0, square = 0, fourth = 0, both = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        double x = random_quantile(NORMAL, 0, 1, random_uniform(key, i));
        double y = random_quantile(NORMAL, 0, 1, random_uniform(other, i));
        mean += x / MANY, square += x * x / MANY, fourth += x * x * x * x / MANY,
            both += x * y / MANY;
    }
    check_close(mean, 0, 4 / sqrt(MANY)); /* four deviations of the estimate */
    check_close(square, 1, 4 * sqrt(2. / MANY));
    check_close(fourth, 3, 4 * sqrt(96. / MANY) / 3);
    check_close(both, 0, 4 / sqrt(MANY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_splitmix64),
        cmocka_unit_test(a_seed_and_a_name_make_a_stream_of_their_own),
        cmocka_unit_test(members_of_a_seed_never_change),
        cmocka_unit_test(the_normal_quantile_inverts_the_normal_distribution),
        cmocka_unit_test(the_lognormal_quantile_is_the_exponential_of_the_normal_one),
        cmocka_unit_test(many_draws_have_the_moments_of_their_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
