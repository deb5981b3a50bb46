/* compose.c - the coefficients gamma_j of a composition, by formula where there is one.
 *
 * A symmetric step is the flow of h Y_1 + h^3 Y_3 + h^5 Y_5 + ..., so a composition has order k if
 * the product of these flows over gamma_j h is that of h Y_1 up to h^k.     theory.md [COMPOSE] */
#include "mech/scheme/compose.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

enum { HALF_MOST = 20 };

typedef struct {
    const char *name;
    int         order;           /* 0: any even one                             */
    int         copies;          /* of a jump, around its middle; 0: use `half` */
    long double half[HALF_MOST]; /* 0 ends it */
} composition;

static const composition table[] = {
#define JUMP(name, order, copies, cite, title) {name, order, copies, {0}},
#define COMPOSITION(name, order, cite, title, ...) {name, order, 0, {__VA_ARGS__}},
#include "mech/scheme/compositions.def"
};
enum { ROWS = sizeof table / sizeof *table };

typedef struct {
    int         n;
    long double at[SUBSTEPS_MOST];
} coefficients;

/* outer of inner: every substep of `outer` is a step of `inner` */
static bool multiply(coefficients *inner, const coefficients *outer)
{
    coefficients product = {.n = inner->n * outer->n};
    if (product.n > SUBSTEPS_MOST) return false;
    for (int j = 0; j < product.n; j++)
        product.at[j] = outer->at[j / inner->n] * inner->at[j % inner->n];
    *inner = product;
    return true;
}

/* gamma_1 .. gamma_n, the middle one, gamma_n .. gamma_1 */
static coefficients palindrome(const long double *half, int n)
{
    coefficients g = {.n = 2 * n + 1};
    long double  sum = 0;
    for (int j = 0; j < n; j++) sum += g.at[j] = g.at[2 * n - j] = half[j];
    g.at[n] = 1 - 2 * sum;
    return g;
}

/* Raises the order by two, from r: the sum of gamma_j is 1 and that of gamma_j^(r+1) is 0 with
 *     gamma = 1 / (m - m^(1/(r+1))) on m copies, and 1 - m gamma in the middle.  [COMPOSE] */
static coefficients jump(int copies, int r)
{
    long double m = copies, gamma = 1 / (m - powl(m, 1 / (long double)(r + 1)));
    long double half[HALF_MOST] = {gamma, gamma};
    return palindrome(half, copies / 2);
}

static int half_length(const composition *c)
{
    int n = 0;
    while (n < HALF_MOST && c->half[n] != 0) n++;
    return n;
}

/* the coefficients of c that take a scheme of order r to order k */
static bool coefficients_of(const composition *c, int r, int k, coefficients *g)
{
    if (!c->copies) {
        *g = palindrome(c->half, half_length(c));
        return true;
    }
    *g = (coefficients){.n = 1, .at = {1}};
    /* every jump raises the order by two, and multiplies the substeps */
    for (; r < k; r += 2) {
        coefficients next = jump(c->copies, r);
        if (!multiply(g, &next)) return false;
    }
    return true;
}

/* All rows as a user writes them. */
static void list_compositions(text *out)
{
    for (int i = 0; i < ROWS; i++) {
        text_printf(out, i ? ", %s(" : "%s(", table[i].name);
        if (table[i].order) text_printf(out, "%d)", table[i].order);
        else text_add(out, "k)");
    }
}

static dal_status unknown(const char *called, double order, text *why)
{
    const char *known[ROWS], *near;
    bool        exists = false;
    for (int i = 0; i < ROWS; i++) {
        known[i] = table[i].name;
        exists |= strcmp(called, known[i]) == 0;
    }
    if (exists) {
        text_printf(why, "%s has no order ", called);
        text_number(why, order);
        text_add(why, ". There are ");
    } else {
        text_printf(why, "there is no composition '%s'. ", called);
        near = name_nearest(called, known, ROWS);
        if (near) text_printf(why, "Did you mean %s? ", near);
        text_add(why, "There are ");
    }
    list_compositions(why);
    text_add(why, ", with k even.");
    return DAL_INVALID;
}

/* A row of its own order, or one for any even order. */
static const composition *find(const char *called, double order)
{
    for (int i = 0; i < ROWS; i++) {
        const composition *c = &table[i];
        bool               any = c->order == 0 && order >= 4 && order <= 64 && fmod(order, 2) == 0;
        if (strcmp(called, c->name) == 0 && (any || order == c->order)) return c;
    }
    return NULL;
}

/* The base may be a composition itself: its substeps are multiplied out. */
dal_status compose(scheme *s, const char *base, const char *called, double order, text *why)
{
    const composition *c = find(called, order);
    coefficients       outer, inner = {.n = s->substeps};
    if (!c) return unknown(called, order, why);
    int k = (int)order;
    if (!(s->claims & CLAIM_SYMMETRIC)) {
        text_printf(why,
                    "%s is not symmetric, and %s(%d) raises the order of symmetric schemes only. "
                    "Compose midpoint, gauss(s) or lobatto(s), with a symmetric force rule.",
                    base, called, k);
        return DAL_INVALID;
    }
    if (k <= s->order) {
        text_printf(why,
                    "%s has order %d already, which %s(%d) does not raise. Take it as it is, or "
                    "triple(%d).",
                    base, s->order, called, k, s->order + 2);
        return DAL_INVALID;
    }
    for (int j = 0; j < s->substeps; j++) inner.at[j] = s->gamma[j];
    if (!coefficients_of(c, s->order, k, &outer) || !multiply(&inner, &outer)) {
        text_printf(why,
                    "%s(%d) of %s has more than %d substeps. Compose a scheme of higher order, or "
                    "take kahan_li(8) or sofroniou_spaletta(10).",
                    called, k, base, SUBSTEPS_MOST);
        return DAL_INVALID;
    }
    for (int j = 0; j < inner.n; j++) s->gamma[j] = (double)inner.at[j];
    s->substeps = inner.n, s->order = k;
    return DAL_OK;
}

const composition_row *composition_rows(int *count)
{
    static const composition_row rows[] = {
#define JUMP(name, order, copies, cite, title)                                                     \
    {name, order, cite, title, order == 4 ? copies + 1 : 0},
#define COMPOSITION(name, order, cite, title, ...)                                                 \
    {name, order, cite, title,                                                                     \
     2 * (int)(sizeof((long double[]){__VA_ARGS__}) / sizeof(long double)) + 1},
#include "mech/scheme/compositions.def"
    };
    return *count = ROWS, rows;
}
