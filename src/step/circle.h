/* circle.h - sine and cosine without branches, for vectors: accurate to 0.8 units in the last place
 * for angles up to a million.
 *
 *     x = k pi/2 + r + e,   k whole, pi/2 in three parts of which two times k are exact
 *
 * and the series in r, with e as a correction. A quarter turn exchanges sine and cosine: of
 * `turned` and `straight` one is 0, the other 1 or -1. */
#define WHOLE(x) (((x) + 6755399441055744.0) - 6755399441055744.0)

WITHIN void circle(real x, real *sin_x, real *cos_x)
{
    /* k = round(2 x/pi) */
    const real k = WHOLE(x * 0.63661977236758138);
    const real a = x - k * 1.5707963267341256, b = k * 6.077100506303966e-11;
    const real ab = a - b, back = a - ab;
    const real rest = ((a - (ab + back)) + (back - b)) - k * 2.0222662487959506e-21;
    /* r + e is the reduced angle, in two parts */
    const real r = ab + rest, e = (ab - r) + rest, z = r * r, zz = z * z, z4 = zz * zz;
    const real odd = ((-1.0 / 6 + z * (1.0 / 120)) + zz * (-1.0 / 5040 + z * (1.0 / 362880))) +
                     z4 * ((-1.0 / 39916800 + z * (1.0 / 6227020800.0)) +
                           zz * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)));
    const real even = ((1.0 / 24 - z * (1.0 / 720)) + zz * (1.0 / 40320 - z * (1.0 / 3628800))) +
                      z4 * ((1.0 / 479001600 - z * (1.0 / 87178291200.0)) +
                            zz * (1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0)));
    const real half = 0.5 * z, one = 1 - half;
    const real sine = r + (r * z * odd + e * one);
    const real cosine = one + (((1 - one) - half) + (zz * even - r * e));
    /* k modulo 4, from -2 to 2 */
    const real m = k - 4 * WHOLE(k * 0.25), side = ABS(m);
    const real turned = m * (side * (2 - side)), straight = 1 - side;
    *sin_x = turned * cosine + straight * sine;
    *cos_x = straight * cosine - turned * sine;
}

#if LANES > 1

/* A system whose angle is larger has none, and is left to libm. */
WITHIN real not_far(real x)
{
    return CHOOSE(ABS(x) <= 1e6, x, REAL(HUGE_VALUE));
}

WITHIN real sine_of(real x)
{
    real s, c;
    circle(not_far(x), &s, &c);
    return s;
}

WITHIN real cosine_of(real x)
{
    real s, c;
    circle(not_far(x), &s, &c);
    return c;
}
#endif
