/* linear_dirac.c - Dirac structures at one point, by null spaces. */
#include "mech/linear_dirac.h"

#include <math.h>
#include <string.h>

/* Rows of a homogeneous system under construction. */
typedef struct {
    int     size, count;
    double *rows;
} conditions;

static conditions conditions_new(mem *m, int most, int size)
{
    return (conditions){.size = size, .rows = mem_array(m, most * size, double)};
}

static double *next_row(conditions *c)
{
    return c->rows + c->size * c->count++;
}

/* Both lifts to T*Q, with the form c (dq ^ dp), c = 1 or 0:
 *     W v_q = 0,     a_p = c v_q,     u.(a_q + c v_p) = 0 for all u in ker W */
static subspace lifted(mem *m, const double *W, int rows, int n, double c)
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

subspace linear_dirac_induced(mem *m, const double *W, int rows, int n)
{
    return lifted(m, W, rows, n, 1);
}

subspace linear_dirac_interaction(mem *m, const double *W, int rows, int n)
{
    return lifted(m, W, rows, n, 0);
}

/*     c.(x, in_a a + in_b beta) = 0 for every normal c of D */
static void normals(mem *m, conditions *all, const subspace *D, int vector, double in_a,
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

/* Solutions (x, a, beta) of both conditions, seen without beta.               theory.md [BOWTIE] */
subspace linear_bowtie(mem *m, const subspace *Da, const subspace *Db, int vector)
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
subspace linear_dirac_orthogonal(mem *m, const subspace *D)
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

/* Frobenius norm of the pairing on an orthonormal basis, which does not depend on that basis. */
double linear_dirac_defect(const subspace *D)
{
    const int k = D->size / 2;
    double    square = 0;
    for (int b = 0; b < D->dim; b++)
        for (int c = 0; c < D->dim; c++) {
            const double *x = D->basis + b * D->size, *y = D->basis + c * D->size;
            double        sum = 0;
            for (int i = 0; i < k; i++) sum += x[k + i] * y[i] + y[k + i] * x[i];
            square += sum * sum;
        }
    return sqrt(square);
}
