/* dirac_products.h - one-forms and retractions of several spaces as those of their product: what
 * direct sums of structures are compared with. */
#ifndef TESTS_DIRAC_PRODUCTS_H
#define TESTS_DIRAC_PRODUCTS_H

#include "mech/dirac/distribution.h"

#include <string.h>

/* One-forms. ----------------------------------------------------------------------------------- */

/* Several one-forms as one: those of part k see the coordinates from first[k] on. */
typedef struct {
    int        n, parts;
    one_forms *part;
    int       *first;
    double    *W, *dW; /* of one part */
} stack;

/* n_k columns of a row, and n_k x n_k slopes, to their places among n */
static inline void pad_row(const stack *s, int k, int a, double *W, double *dW)
{
    const int n = s->n, nk = s->part[k].n, first = s->first[k];
    memset(W, 0, (size_t)n * sizeof *W);
    memcpy(W + first, s->W + a * nk, (size_t)nk * sizeof *W);
    if (!dW) return;
    memset(dW, 0, (size_t)(n * n) * sizeof *dW);
    for (int i = 0; i < nk; i++)
        memcpy(dW + (first + i) * n + first, s->dW + (a * nk + i) * nk, (size_t)nk * sizeof *dW);
}

static inline void stack_eval(const void *self, const double *q, double *W, double *dW)
{
    const stack *s = self;
    const int    n = s->n;
    for (int k = 0, row = 0; k < s->parts; k++) {
        s->part[k].eval(s->part[k].self, q + s->first[k], s->W, dW ? s->dW : NULL);
        for (int a = 0; a < s->part[k].m; a++, row++)
            pad_row(s, k, a, W + row * n, dW ? dW + row * n * n : NULL);
    }
}

static inline one_forms stack_of(mem *m, const one_forms *part, int parts, bool side_by_side)
{
    stack *s = mem_array(m, 1, stack);
    int    rows = 0, most = 0, widest = 0;
    s->parts = parts;
    s->part = mem_array(m, parts, one_forms);
    s->first = mem_array(m, parts, int);
    for (int k = 0; k < parts; k++) {
        s->part[k] = part[k];
        s->first[k] = side_by_side ? s->n : 0;
        s->n = s->first[k] + part[k].n;
        rows += part[k].m;
        most = part[k].m > most ? part[k].m : most;
        widest = part[k].n > widest ? part[k].n : widest;
    }
    s->W = mem_array(m, most * widest, double);
    s->dW = mem_array(m, most * widest * widest, double);
    return (one_forms){.n = s->n, .m = rows, .self = s, .eval = stack_eval};
}

/* Delta_1 + ... + Delta_N on Q_1 x ... x Q_N: every row, padded with zeros. */
static inline one_forms one_forms_direct_sum(mem *m, const one_forms *part, int parts)
{
    return stack_of(m, part, parts, true);
}

/* Delta_a with Delta_b, both on Q, intersected: the rows of both. */
static inline one_forms one_forms_intersection(mem *m, const one_forms *a, const one_forms *b)
{
    const one_forms both[] = {*a, *b};
    return stack_of(m, both, 2, false);
}

/* Retractions. --------------------------------------------------------------------------------- */

typedef struct {
    int             parts;
    retraction_map *part;
    double         *block[2]; /* derivatives of one part */
} product;

/* the n x n block of one part, to its place on the diagonal of a N x N matrix */
static inline void place(double *to, int N, int first, const double *block, int n)
{
    for (int i = 0; i < n && to; i++)
        memcpy(to + (first + i) * N + first, block + i * n, (size_t)n * sizeof *to);
}

static inline bool product_map(const product *p, int N, bool inverse, const double *a,
                               const double *b, double *c, double *by_a, double *by_b)
{
    size_t bytes = (size_t)N * (size_t)N * sizeof *c;
    if (by_a) memset(by_a, 0, bytes);
    if (by_b) memset(by_b, 0, bytes);
    for (int k = 0, first = 0; k < p->parts; first += p->part[k++].n) {
        const retraction_map *R = &p->part[k];
        bool fine = (inverse ? R->inverse : R->apply)(R->self, R->n, a + first, b + first,
                                                      c + first, p->block[0], p->block[1]);
        if (!fine) return false;
        place(by_a, N, first, p->block[0], R->n);
        place(by_b, N, first, p->block[1], R->n);
    }
    return true;
}

static inline bool product_apply(const void *self, int n, const double *q, const double *v,
                                 double *q1, double *by_q, double *by_v)
{
    return product_map(self, n, false, q, v, q1, by_q, by_v);
}

static inline bool product_inverse(const void *self, int n, const double *q, const double *q1,
                                   double *v, double *by_q, double *by_q1)
{
    return product_map(self, n, true, q, q1, v, by_q, by_q1);
}

static inline retraction_map retraction_product(mem *m, const retraction_map *part, int parts)
{
    product *p = mem_array(m, 1, product);
    int      n = 0, most = 0;
    p->parts = parts;
    p->part = mem_array(m, parts, retraction_map);
    for (int k = 0; k < parts; k++) {
        p->part[k] = part[k];
        n += part[k].n;
        most = part[k].n > most ? part[k].n : most;
    }
    for (int k = 0; k < 2; k++) p->block[k] = mem_array(m, most * most, double);
    return (retraction_map){.n = n, .self = p, .apply = product_apply, .inverse = product_inverse};
}

#endif
