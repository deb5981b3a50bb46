/* digits.c - a double of moderate size times a power of ten is a sum of two doubles without any
 * error (Dekker, A floating-point technique for extending the available precision, Numerische
 * Mathematik 18, 1971): the first holds 17 digits before the point, the second decides how to round
 * them. This is six times as fast as printf, which converts all numbers to big integers and is left
 * with the others. */
#include "base/digits.h"

#include "base/plain.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    DIGITS = 17,
    TENS = 22,             /* 10^22 is the last power of ten that a double holds */
    POWER_LEAST = -28,     /* of numbers that two factors make large enough      */
    POWER_MOST = DIGITS - 1,
    POWER_PLAIN = -4       /* below it, as by %g, an exponent is written         */
};
#define LEAST 10000000000000000u /* of 17 digits */

static const double ten_to[TENS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct {
    double high, low;
} pair;

/* a = high + low, of 26 bits each */
static pair halves(double a)
{
    const double c = 134217729 * a, high = c - (c - a); /* 2^27 + 1 */
    return (pair){high, a - high};
}

/* a b = high + low, exactly */
static pair product(double a, double b)
{
    const pair   x = halves(a), y = halves(b);
    const double p = a * b;
    return (pair){p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

/* x 10^k, exactly if one factor does. */
static pair scaled(double x, int k)
{
    if (k <= TENS) return product(x, ten_to[k]);
    const pair   y = product(x, ten_to[TENS]), z = product(y.high, ten_to[k - TENS]);
    const double low = z.low + y.low * ten_to[k - TENS], sum = z.high + low;
    return (pair){sum, low - (sum - z.high)};
}

/* The integer nearest to y, ties to even. False: y is not known accurately enough to tell. */
static bool round_to_even(pair y, bool exact, uint64_t *whole)
{
    const double below = floor(y.low), rest = y.low - below;
    *whole = (uint64_t)(int64_t)y.high + (uint64_t)(int64_t)below;
    if (!exact && fabs(rest - 0.5) < 1e-9) return false;
    if (rest > 0.5 || (rest == 0.5 && *whole % 2)) ++*whole;
    return true;
}

/* x = 0.d_1 d_2 ... d_17 10^(power + 1), digits = d_1 d_2 ... d_17, d_1 not 0. */
static bool find_digits(double x, uint64_t *digits, int *power)
{
    int two;
    frexp(x, &two);
    *power = (int)floor((two - 1) * 0.30102999566398120); /* log10(2): right, or one too little */
    for (int tries = 0; tries < 2; tries++, ++*power) {
        if (*power < POWER_LEAST || *power > POWER_MOST) return false;
        const int k = DIGITS - 1 - *power;
        if (!round_to_even(scaled(x, k), k <= TENS, digits)) return false;
        if (*digits < 10 * LEAST) return *digits >= LEAST;
    }
    return false;
}

/* Drops trailing zeros; returns how many digits remain. */
static int write_digits(char out[DIGITS], uint64_t digits)
{
    int count = DIGITS;
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10) out[i] = (char)('0' + digits % 10);
    while (count > 1 && out[count - 1] == '0') count--;
    return count;
}

/* d.ddde-05 */
static int write_with_exponent(char *to, const char *digit, int count, int power)
{
    char *at = to;
    *at++ = digit[0];
    if (count > 1) *at++ = '.';
    memcpy(at, digit + 1, (size_t)count - 1), at += count - 1;
    *at++ = 'e', *at++ = '-';
    *at++ = (char)('0' - power / 10), *at++ = (char)('0' - power % 10);
    return (int)(at - to);
}

/* 0.00ddd, ddd.ddd or ddd000 */
static int write_plainly(char *to, const char *digit, int count, int power)
{
    char     *at = to;
    const int whole = power + 1;
    if (whole <= 0) {
        *at++ = '0', *at++ = '.';
        for (int i = whole; i < 0; i++) *at++ = '0';
        memcpy(at, digit, (size_t)count);
        return (int)(at - to) + count;
    }
    for (int i = 0; i < whole; i++) *at++ = i < count ? digit[i] : '0';
    if (count <= whole) return whole;
    *at++ = '.';
    memcpy(at, digit + whole, (size_t)(count - whole));
    return count + 1;
}

/* Zeros, infinities, NaN, and numbers that are too large or too small for the fast way. */
static int print_any(char out[NUMBER_ROOM], double x)
{
    return plain_snprintf(out, NUMBER_ROOM, "%.17g", x);
}

int digits_print(char out[NUMBER_ROOM], double x)
{
    char     digit[DIGITS];
    uint64_t digits;
    int      power, n = 0;
    if (!(fabs(x) > 0) || isinf(x) || !find_digits(fabs(x), &digits, &power))
        return print_any(out, x);
    if (x < 0) out[n++] = '-';
    const int count = write_digits(digit, digits);
    n += power < POWER_PLAIN ? write_with_exponent(out + n, digit, count, power)
                             : write_plainly(out + n, digit, count, power);
    out[n] = 0;
    return n;
}
