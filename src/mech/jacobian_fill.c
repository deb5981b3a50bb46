/* jacobian_fill.c - computes the entries of the Jacobian from the fields evaluated last, by the
 * sums that jacobian.c has laid out. */
#include "mech/equations.h"

enum { FEW = 8 }; /* entries below which vectors do not pay */

static double sum_of_terms(const equations *eq, const block *b, int entry)
{
    double        sum = 0;
    const term   *t = eq->term + b->first_term;
    const double *c = eq->coefficient + b->first_term;
    for (int k = 0; k < b->terms; k++)
        sum += c[k] * t[k].field[t[k].transposed ? eq->sys->transpose[entry] : entry];
    return sum;
}

/* The same sums term by term, in vectors, few enough at a time to stay in cache. */
static void fill_straight(equations *eq, const block *b)
{
    enum { AT_A_TIME = 512 };
    for (int from = 0; from < b->count; from += AT_A_TIME) {
        double *restrict to = eq->values + b->place + from;
        int count = b->count - from < AT_A_TIME ? b->count - from : AT_A_TIME;
        for (int k = 0; k < b->terms; k++) {
            const int    t = b->first_term + k;
            const double c = eq->coefficient[t];
            const double *restrict of = eq->term[t].field + b->entry + from;
            if (k)
                for (int e = 0; e < count; e++) to[e] += c * of[e];
            else
                for (int e = 0; e < count; e++) to[e] = c * of[e];
        }
    }
}

/* The same sums entry by entry, where they are few. */
static void fill_few(equations *eq, const block *b)
{
    const term   *t = eq->term + b->first_term;
    const double *c = eq->coefficient + b->first_term;
    for (int e = 0; e < b->count; e++) {
        double sum = 0;
        for (int k = 0; k < b->terms; k++) sum += c[k] * t[k].field[b->entry + e];
        eq->values[b->place + e] = sum;
    }
}

void equations_fill(equations *eq)
{
    if (eq->passes) return; /* they have written the entries */
    for (int k = 0; k < eq->blocks; k++) {
        const block *b = &eq->block[k];
        if (b->constant && eq->filled) continue;
        if (b->straight) {
            if (b->count < FEW) fill_few(eq, b);
            else fill_straight(eq, b);
            continue;
        }
        const int *entry = eq->entry + b->first, *to = eq->place + b->first;
        for (int e = 0; e < b->count; e++) eq->values[to[e]] = sum_of_terms(eq, b, entry[e]);
    }
    eq->filled = true;
}
