/* random.h - random numbers that are the same everywhere: a generator that counts, and
 * distributions made of
 * +, -, *, / and square roots only, so that no machine's libm has a word in them.
 *
 *     key = mix(seed) xor FNV-1a(name),   bits_i = mix(key + (i + 1) 0x9e3779b97f4a7c15),   u_i =
 * (bits_i/2^11 + 1/2)/2^53
 *
 * mix is the last step of SplitMix64, so bits_i is the i-th output of that generator with the seed
 * `key`. Every name has a stream of its own, and a member takes the number at its own place:
 * neither the other names nor the number of members nor threads matter. */
#ifndef RUN_RANDOM_H
#define RUN_RANDOM_H

#include <stdint.h>

typedef enum { UNIFORM, NORMAL, LOGNORMAL, DISTRIBUTIONS } distribution;

typedef struct {
    const char *name, *usage; /* "normal", "normal(mean, sd)" */
} distribution_row;
extern const distribution_row distribution_table[DISTRIBUTIONS];

uint64_t random_key(uint64_t seed, const char *name);
double   random_uniform(uint64_t key, uint64_t i); /* strictly between 0 and 1 */

/* The value below which u of the distribution lies: uniform(a, b), normal(mean, sd), and
 * lognormal(mu, sigma), the exponential of a normal one. */
double random_quantile(distribution d, double a, double b, double u);

#endif
