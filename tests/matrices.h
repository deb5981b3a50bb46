/* matrices.h - sparse matrices to be solved: random ones, chains, and chains held by
 * multipliers. */
#ifndef TESTS_MATRICES_H
#define TESTS_MATRICES_H

#include "linalg/solver.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t seed = 3;

static inline double uniform(void) /* in (-1, 1) */
{
    seed = seed * 1664525u + 1013904223u;
    return ((seed >> 8) + 0.5) / 8388608.0 - 1;
}

static inline int below(int n)
{
    return (int)((uniform() + 1) / 2 * n);
}

/* A matrix to fill: pairs with values, repeated ones added. */
typedef struct {
    mem    *m;
    int     n, count;
    int    *row, *column;
    double *value;
    pattern p;
    double *a; /* values by pattern, after finish */
} builder;

static inline builder matrix_new(mem *m, int n, int room)
{
    return (builder){.m = m,
                     .n = n,
                     .row = mem_array(m, room, int),
                     .column = mem_array(m, room, int),
                     .value = mem_array(m, room, double)};
}

static inline void put(builder *b, int i, int j, double value)
{
    b->row[b->count] = i, b->column[b->count] = j, b->value[b->count++] = value;
}

static inline void finish(builder *b)
{
    int *place = mem_array(b->m, b->count, int);
    b->p = pattern_from_pairs(b->m, b->n, b->n, b->row, b->column, b->count, place);
    b->a = mem_array(b->m, pattern_count(&b->p), double);
    for (int k = 0; k < b->count; k++) b->a[place[k]] += b->value[k];
}

static inline builder from_rows(mem *m, int n, const double *a)
{
    builder b = matrix_new(m, n, n * n);
    for (int k = 0; k < n * n; k++) put(&b, k / n, k % n, a[k]);
    finish(&b);
    return b;
}

static inline builder random_full(mem *m, int n)
{
    builder b = matrix_new(m, n, n * n);
    for (int k = 0; k < n * n; k++) put(&b, k / n, k % n, uniform());
    finish(&b);
    return b;
}

/* a chain with `reach` neighbours to each side, shuffled, with a weak diagonal */
static inline builder random_chain(mem *m, int n, int reach)
{
    builder b = matrix_new(m, n, n * (2 * reach + 1));
    int    *name = mem_array(m, n, int);
    for (int i = 0; i < n; i++) name[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = name[i];
        name[i] = name[j], name[j] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = i - reach; j <= i + reach; j++)
            if (j >= 0 && j < n) put(&b, name[i], name[j], uniform() * (i == j ? 0.1 : 1));
    finish(&b);
    return b;
}

/* the same with neighbours side by side: tridiagonal, and rows have to be exchanged */
static inline builder plain_chain(mem *m, int n)
{
    builder b = matrix_new(m, n, 3 * n);
    for (int i = 0; i < n; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n) put(&b, i, j, uniform() * (i == j ? 0.1 : 1));
    finish(&b);
    return b;
}

/* [M/h^2, G^T; G, 0] for masses in a row, held together by rigid links */
static inline builder chain_with_multipliers(mem *m, int masses, double h)
{
    builder b = matrix_new(m, 2 * masses - 1, 5 * masses);
    for (int i = 0; i < masses; i++) put(&b, i, i, (1.5 + uniform()) / (h * h));
    for (int i = 0; i + 1 < masses; i++)
        for (int side = 0; side < 2; side++) {
            double g = side ? 1.2 : -0.8 + 0.1 * uniform();
            put(&b, masses + i, i + side, g);
            put(&b, i + side, masses + i, g);
        }
    finish(&b);
    return b;
}

/* max_i |A x - b|_i / (|A| |x| + |b|)_i: at most a few n eps for a backward stable solver */
static inline double backward_error(const builder *b, const double *x, const double *rhs)
{
    double worst = 0;
    for (int i = 0; i < b->n; i++) {
        double r = -rhs[i], size = fabs(rhs[i]);
        for (int k = b->p.start[i]; k < b->p.start[i + 1]; k++) {
            r += b->a[k] * x[b->p.column[k]];
            size += fabs(b->a[k] * x[b->p.column[k]]);
        }
        if (!(fabs(r) / size <= worst)) worst = fabs(r) / size;
    }
    return worst;
}

static inline double *random_vector(mem *m, int n)
{
    double *x = mem_array(m, n, double);
    for (int i = 0; i < n; i++) x[i] = uniform();
    return x;
}

static inline double *solved(mem *m, solver *s, int n, const double *rhs)
{
    double *x = mem_array(m, n, double);
    memcpy(x, rhs, (size_t)n * sizeof *x);
    solver_solve(s, x);
    return x;
}

/* Every kind that takes the pattern solves to a small backward error. */
static inline void check_all_kinds(const builder *b, double tol)
{
    int                       count, tried = 0;
    double                   *rhs = random_vector(b->m, b->n);
    const solver_kind *const *kinds = solver_kinds(&count);
    for (int k = 0; k < count; k++) {
        solver *s = solver_new(b->m, &b->p, kinds[k]->name);
        if (!s) continue;
        for (int again = 0; again < 2; again++, tried++) {
            assert_true(solver_factor(s, b->a));
            double error = backward_error(b, solved(b->m, s, b->n, rhs), rhs);
            if (!(error <= tol))
                fail_msg("%s, n = %d: backward error %.2e", kinds[k]->name, b->n, error);
        }
        solver_free(s);
    }
    assert_true(tried >= 4);
}

#endif
