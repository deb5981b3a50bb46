/* claims.h - what the tests of the methods' claims share: every scheme of the tables by name, and a
 * hard problem. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include "stepping.h"

#include <stdlib.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* Names. --------------------------------------------------------------------------------------- */

typedef void claim_test(const char *words, const scheme *sch);

static inline bool claim_parse(const char *words, scheme *sch)
{
    mem m;
    mem_init(&m, mem_heap_default());
    text why = text_new(&m);
    bool fine = !scheme_parse(sch, words, NULL, &why);
    if (!fine && getenv("DAL_SHOW")) print_message("%s: %s\n", words, text_str(&why));
    mem_free(&m);
    return fine;
}

/* "gauss(s)" with s = 3 is "gauss(3)" */
static inline void claim_member(char *out, size_t room, const char *family, int s)
{
    snprintf(out, room, "%.*s(%d)", (int)strcspn(family, "("), family, s);
}

/* Every row of the table by its example, and every member of a family up to the given order. */
static inline void each_scheme(int most_order, claim_test *test)
{
    int               count;
    const scheme_row *row = scheme_rows(&count);
    for (int i = 0; i < count; i++) {
        scheme sch;
        char   words[64];
        if (strncmp(row[i].name, "shooting", 8) == 0) continue; /* tested with their curves */
        assert_true(claim_parse(row[i].example, &sch));
        assert_int_equal(row[i].claims & ~sch.claims, 0); /* its example claims all of it */
        if (!row[i].most) test(row[i].example, &sch);
        for (int s = row[i].least; row[i].most && s <= row[i].most; s++) {
            claim_member(words, sizeof words, row[i].name, s);
            assert_true(claim_parse(words, &sch));
            if (sch.order <= most_order) test(words, &sch);
        }
    }
}

/* Pairs of curve and rule that are no row of their own. */
static inline void each_pair(claim_test *test)
{
    static const char *const pairs[] = {
        "rectangle(1)",
        "rectangle(0.3)",
        "polynomial(1) with gauss(2)",
        "polynomial(1) with simpson",
        "polynomial(1) with radau(2)",
        "polynomial(2) with lobatto(4)",
        "polynomial(2) with radau(3)",
        "polynomial(3) with gauss(4)",
        "polynomial(3) with lobatto(5)",
        "polynomial(4) with radau_left(5)"};
    for (int i = 0; i < COUNT(pairs); i++) {
        scheme sch;
        assert_true(claim_parse(pairs[i], &sch));
        test(pairs[i], &sch);
    }
}

/* Every row of the compositions, on every base; those of any order as far as they take few
 * substeps. */
static inline void each_composition(const char *const *base, int bases, int most_order,
                                    claim_test *test)
{
    int                    count, tested = 0;
    const composition_row *row = composition_rows(&count);
    for (int i = 0; i < count; i++)
        for (int b = 0; b < bases; b++)
            for (int k = row[i].order ? row[i].order : 4;
                 k <= (row[i].order ? row[i].order : most_order); k += 2) {
                char   words[96];
                scheme sch;
                snprintf(words, sizeof words, "compose(%s, %s(%d))", base[b], row[i].name, k);
                if (k > most_order || !claim_parse(words, &sch) || sch.substeps > 35) continue;
                test(words, &sch), tested++;
            }
    assert_true(tested >= count);
}

/* A problem with everything: a mass matrix of (t, q), terms linear in v, a potential of degree 4,
 * forces of (t, q, v). Parameters m B k c e:
 *     L = a(t) (1 + y^2) x'^2/2 + m y'^2/2 + B x (x y' - y x') - x^4/4 - k y^2/2 - x y
 *     f = (-c (1 + y^2) x', -c y' + c cos 2t),     a = 1 + e sin t */

static inline jet claim_L(const double *c, jet t, const jet *q, const jet *v)
{
    jet a = plus(times(c[4], sine(t)), 1);
    jet T = add(times(0.5, mul(mul(a, plus(square(q[1]), 1)), square(v[0]))),
                times(c[0] / 2, square(v[1])));
    jet M = times(c[1], mul(q[0], sub(mul(q[0], v[1]), mul(q[1], v[0]))));
    jet V = add(times(0.25, fourth(q[0])), add(times(c[2] / 2, square(q[1])), mul(q[0], q[1])));
    return sub(add(T, M), V);
}

static inline void claim_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    f[0] = times(-c[3], mul(plus(square(q[1]), 1), v[0]));
    f[1] = times(c[3], sub(cosine(times(2, t)), v[1]));
}

static const double  claim_c[] = {0.8, 0.3, 1.2, 0.4, 0.25};
static const problem claim_forced = {.n = 2, .lambda = claim_L, .force = claim_force};
static const problem claim_free = {.n = 2, .lambda = claim_L};

/* p = L_v */
static inline void claim_momentum(double t, const double *q, const double *v, double *p)
{
    p[0] = (1 + claim_c[4] * sin(t)) * (1 + q[1] * q[1]) * v[0] - claim_c[1] * q[0] * q[1];
    p[1] = claim_c[0] * v[1] + claim_c[1] * q[0] * q[0];
}

/* Starts that are spread over time and state space: at high order and large steps a single one says
 * little. */
enum { CLAIM_STARTS = 160 };

typedef struct {
    double t, q[2], v[2], p[2];
} claim_state;

static inline double spread(int k, int prime)
{
    double u = (k + 1) * sqrt(prime); /* Kronecker's sequence */
    return u - floor(u);
}

static inline claim_state claim_start(int k)
{
    claim_state s = {.t = 7 * spread(k, 2),
                     .q = {1.2 * spread(k, 3) - 0.6, 1.2 * spread(k, 5) - 0.6},
                     .v = {1.2 * spread(k, 7) - 0.6, 1.2 * spread(k, 11) - 0.6}};
    claim_momentum(s.t, s.q, s.v, s.p);
    return s;
}

#endif
