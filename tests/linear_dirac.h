/* linear_dirac.h - Dirac structures on a vector space V: subspaces of V x V* that equal their
 * orthogonal for the pairing
 *
 *     <<(v,a), (v',a')>> = a.v' + a'.v                                           theory.md [BOWTIE]
 *
 * Elements are (v, a); on V = T(T*Q) they are (v_q, v_p, a_q, a_p). Everything is computed as it is
 * defined, the bowtie product by eliminating what "there is a beta" hides, so that it can judge
 * what mech/dirac/structure.h builds. */
#ifndef TESTS_LINEAR_DIRAC_H
#define TESTS_LINEAR_DIRAC_H

#include "mech/dirac/subspace.h"

#include <math.h>
#include <string.h>

/* Subspaces. ----------------------------------------------------------------------------------- */

static inline double *stacked(mem *m, const subspace *a, const subspace *b)
{
    double *rows = mem_array(m, (a->dim + b->dim) * a->size, double);
    if (a->dim) memcpy(rows, a->basis, (size_t)(a->dim * a->size) * sizeof *rows);
    if (b->dim)
        memcpy(rows + a->dim * a->size, b->basis, (size_t)(b->dim * b->size) * sizeof *rows);
    return rows;
}

static inline subspace subspace_sum(mem *m, const subspace *a, const subspace *b)
{
    return subspace_span(m, stacked(m, a, b), a->dim + b->dim, a->size);
}

static inline subspace subspace_intersection(mem *m, const subspace *a, const subspace *b)
{
    subspace na = subspace_normal(m, a), nb = subspace_normal(m, b);
    return subspace_kernel(m, stacked(m, &na, &nb), na.dim + nb.dim, a->size);
}

/* Of a point, Euclidean:
 *     |x|^2 - sum_k (b_k.x)^2 would cancel; the difference itself does not */
static inline double subspace_distance(const subspace *s, const double *x)
{
    double square = 0;
    for (int i = 0; i < s->size; i++) {
        double left = x[i];
        for (int k = 0; k < s->dim; k++) {
            const double *b = s->basis + k * s->size;
            double        along = 0;
            for (int j = 0; j < s->size; j++) along += b[j] * x[j];
            left -= along * b[i];
        }
        square += left * left;
    }
    return sqrt(square);
}

/* 0 for the same subspace; else the largest distance of a basis vector of a from b, and 1 if the
 * dimensions differ. */
static inline double subspace_gap(const subspace *a, const subspace *b)
{
    double most = 0;
    if (a->size != b->size || a->dim != b->dim) return 1;
    for (int k = 0; k < a->dim; k++)
        most = fmax(most, subspace_distance(b, a->basis + k * a->size));
    return most;
}

/* Structures. ---------------------------------------------------------------------------------- */

/* Rows of a homogeneous system under construction. */
typedef struct {
    int     size, count;
    double *rows;
} conditions;

static inline conditions conditions_new(mem *m, int most, int size)
{
    return (conditions){.size = size, .rows = mem_array(m, most * size, double)};
}

static inline double *next_row(conditions *c)
{
    return c->rows + c->size * c->count++;
}

/* Both lifts to T*Q, with the form c (dq ^ dp), c = 1 or 0:
 *     W v_q = 0,     a_p = c v_q,     u.(a_q + c v_p) = 0 for all u in ker W */
static inline subspace lifted(mem *m, const double *W, int rows, int n, double c)
{
    subspace   delta = subspace_kernel(m, W, rows, n);
    conditions all = conditions_new(m, rows + n + delta.dim, 4 * n);
    for (int a = 0; a < rows; a++) memcpy(next_row(&all), W + a * n, (size_t)n * sizeof *W);
    for (int i = 0; i < n; i++) {
        double *row = next_row(&all);
        row[i] = -c, row[3 * n + i] = 1;
    }
    for (int k = 0; k < delta.dim; k++) {
        double *row = next_row(&all);
        for (int i = 0; i < n; i++) {
            double u = delta.basis[k * n + i];
            row[n + i] = c * u, row[2 * n + i] = u;
        }
    }
    return subspace_kernel(m, all.rows, all.count, all.size);
}

/* Induced by Delta = ker W:  v_q in Delta, a_p = v_q, a_q + v_p in Delta^o. */
static inline subspace linear_dirac_induced(mem *m, const double *W, int rows, int n)
{
    return lifted(m, W, rows, n, 1);
}

/* Sigma x Sigma^o, lifted to T*Q:  v_q in ker W, a_p = 0, a_q in im W^T. */
static inline subspace linear_dirac_interaction(mem *m, const double *W, int rows, int n)
{
    return lifted(m, W, rows, n, 0);
}

/*     c.(x, in_a a + in_b beta) = 0 for every normal c of D */
static inline void normals(mem *m, conditions *all, const subspace *D, int vector, double in_a,
                           double in_b)
{
    subspace  normal = subspace_normal(m, D);
    const int covector = D->size - vector;
    for (int k = 0; k < normal.dim; k++) {
        const double *c = normal.basis + k * D->size;
        double       *row = next_row(all);
        memcpy(row, c, (size_t)vector * sizeof *row);
        for (int i = 0; i < covector; i++) {
            row[vector + i] = in_a * c[vector + i];
            row[D->size + i] = in_b * c[vector + i];
        }
    }
}

/* All (x, a) with (x, a + beta) in D_a and (x, -beta) in D_b for some beta; x are the first
 * `vector` numbers, of which there may be more than of a. Solutions (x, a, beta) of both conditions
 * are seen without beta.                                                      theory.md [BOWTIE] */
static inline subspace linear_bowtie(mem *m, const subspace *Da, const subspace *Db, int vector)
{
    const int  size = Da->size, covector = size - vector;
    conditions all = conditions_new(m, 2 * size - Da->dim - Db->dim, size + covector);
    normals(m, &all, Da, vector, 1, 1);
    normals(m, &all, Db, vector, 0, -1);
    subspace with_beta = subspace_kernel(m, all.rows, all.count, all.size);
    double  *seen = mem_array(m, with_beta.dim * size, double);
    for (int k = 0; k < with_beta.dim; k++)
        memcpy(seen + k * size, with_beta.basis + k * all.size, (size_t)size * sizeof *seen);
    return subspace_span(m, seen, with_beta.dim, size);
}

/*     (v',a') with a.v' + a'.v = 0 for all (v,a) in D */
static inline subspace linear_dirac_orthogonal(mem *m, const subspace *D)
{
    const int  k = D->size / 2;
    conditions all = conditions_new(m, D->dim, D->size);
    for (int b = 0; b < D->dim; b++) {
        double *row = next_row(&all);
        memcpy(row, D->basis + b * D->size + k, (size_t)k * sizeof *row);
        memcpy(row + k, D->basis + b * D->size, (size_t)k * sizeof *row);
    }
    return subspace_kernel(m, all.rows, all.count, all.size);
}

#endif
