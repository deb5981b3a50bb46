/* random.c - counting generator and quantiles of the distributions.
 *
 * The normal quantile is Wichura's AS 241 (Applied Statistics 37, 1988), good to about 1e-16. Its
 * logarithm, and the exponential of the lognormal one, are series of our own: the same seed must
 * give the same bits on every machine. */
#include "run/random.h"

#include <math.h>

const distribution_row distribution_table[DISTRIBUTIONS] = {
    [UNIFORM] = {"uniform", "uniform(low, high)"},
    [NORMAL] = {"normal", "normal(mean, sd)"},
    [LOGNORMAL] = {"lognormal", "lognormal(mu, sigma)"},
};

/* The generator. ------------------------------------------------------------------------------- */

/* The finaliser of SplitMix64. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* FNV-1a of the name. */
uint64_t random_key(uint64_t seed, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return mix(seed) ^ hash;
}

/* 53 bits and a half: never 0, never 1. */
double random_uniform(uint64_t key, uint64_t i)
{
    uint64_t bits = mix(key + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

/* Functions. ----------------------------------------------------------------------------------- */

/*     x = m 2^e,  log m = 2 atanh s,  s = (m - 1)/(m + 1),  |s| < 0.172 */
static double logarithm(double x)
{
    const double ln2 = 0x1.62e42fefa39efp-1;
    int          e;
    double       m = frexp(x, &e);
    if (m < 0.70710678118654752) m *= 2, e--;
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k > 0; k -= 2) sum = sum * square + 2. / k;
    return e * ln2 + s * sum;
}

/*     e^x = 2^k e^r,  |r| <= ln 2/2, with ln 2 in two parts */
static double exponential(double x)
{
    const double high = 0x1.62e42fefa0000p-1, low = 0x1.cf79abc9e3b3ap-40,
                 inverse = 0x1.71547652b82fep+0;
    if (x > 710) return HUGE_VAL;
    if (x < -745) return 0;
    double k = floor(x * inverse + 0.5), r = (x - k * high) - k * low, sum = 1;
    for (int j = 15; j > 0; j--) sum = 1 + sum * r / j;
    return ldexp(sum, (int)k);
}

typedef struct {
    double over[8], under[8];
} fraction;

/* Both polynomials by Horner's rule. */
static double ratio(const fraction *f, double x)
{
    double a = 0, b = 0;
    for (int k = 7; k >= 0; k--) a = a * x + f->over[k], b = b * x + f->under[k];
    return a / b;
}

static const fraction middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3}};
static const fraction shoulder = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
static const fraction tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

/* In the middle for |u - 1/2| <= 0.425, then by r = sqrt(-log of the tail), up to 5 and beyond. */
static double normal_quantile(double u)
{
    double q = u - 0.5;
    if (fabs(q) <= 0.425) return q * ratio(&middle, 0.180625 - q * q);
    double r = sqrt(-logarithm(q < 0 ? u : 1 - u));
    double x = r <= 5 ? ratio(&shoulder, r - 1.6) : ratio(&tail, r - 5);
    return q < 0 ? -x : x;
}

/* One u makes one number, so that members can be drawn in any order. */
double random_quantile(distribution d, double a, double b, double u)
{
    if (d == UNIFORM) return a + (b - a) * u;
    double x = a + b * normal_quantile(u);
    return d == NORMAL ? x : exponential(x);
}
