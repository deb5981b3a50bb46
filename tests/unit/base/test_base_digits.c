/* test_base_digits.c - seventeen digits are those of printf, for numbers of every kind. */
#include "check.h"

#include "base/digits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_as_printf(double x)
{
    char ours[NUMBER_ROOM], theirs[NUMBER_ROOM];
    int  n = digits_print(ours, x);
    snprintf(theirs, sizeof theirs, "%.17g", x);
    assert_string_equal(theirs, ours);
    assert_int_equal(strlen(theirs), n);
}

static double random_of(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void numbers_of_every_size_have_the_digits_of_printf(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 300000; i++) {
        const double x = (random_of(&seed) - 0.5) * pow(10, 80 * random_of(&seed) - 45);
        assert_as_printf(x);
    }
}

static void any_pattern_of_bits_has_the_digits_of_printf(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = (uint64_t)(random_of(&seed) * 4294967296.0) << 32 |
                        (uint64_t)(random_of(&seed) * 4294967296.0);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isnan(x)) assert_as_printf(x);
    }
}

/* Where digits change their number, and next to it. */
static void powers_of_ten_and_of_two_and_their_neighbours(void **state)
{
    (void)state;
    for (int k = -40; k <= 25; k++) {
        char word[16];
        snprintf(word, sizeof word, "1e%d", k);
        const double ten = strtod(word, NULL), two = ldexp(1, 3 * k);
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_as_printf(sign * ten), assert_as_printf(sign * two);
            assert_as_printf(nextafter(sign * ten, 0)), assert_as_printf(nextafter(sign * two, 0));
            assert_as_printf(nextafter(sign * ten, 2 * sign * ten));
        }
    }
}

/* Numbers that end in a five at the eighteenth digit: even digits win. */
static void ties_go_to_even_digits(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 100000; i++)
        assert_as_printf(ldexp(floor(random_of(&seed) * 9007199254740992.0), -1 - i % 20));
    assert_as_printf(4503599627370497.5), assert_as_printf(1125899906842624.125);
    assert_as_printf(1125899906842624.375), assert_as_printf(9007199254740993.0);
}

static void what_is_no_common_number_is_written_too(void **state)
{
    (void)state;
    static const double all[] = {0.0,
                                 -0.0,
                                 5e-324,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 1e17,
                                 1.2345678901234568e17,
                                 0.1,
                                 1,
                                 -2,
                                 100,
                                 1e-4,
                                 1e-5,
                                 9.9999999999999995e-5,
                                 12345,
                                 0.5};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_as_printf(all[i]);
    assert_as_printf((double)INFINITY), assert_as_printf(-(double)INFINITY);
    assert_as_printf((double)NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_every_size_have_the_digits_of_printf),
        cmocka_unit_test(any_pattern_of_bits_has_the_digits_of_printf),
        cmocka_unit_test(powers_of_ten_and_of_two_and_their_neighbours),
        cmocka_unit_test(ties_go_to_even_digits),
        cmocka_unit_test(what_is_no_common_number_is_written_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
