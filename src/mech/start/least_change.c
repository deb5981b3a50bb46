/* least_change.c - minimum-norm solutions of linear conditions, dense or sparse. */
#include "mech/start/least_change.h"

#include "linalg/solver.h"

#include <string.h>

enum { SMALL = 60 }; /* unknowns up to which singular values cost nothing */

/* By singular values; columns of what may not move stay 0, so that dx is 0 there. */
static void dense(mem *m, const sparse_entries *B, int rows, int n, const uint8_t *movable,
                  const double *value, double *dx)
{
    double *a = mem_resize(m, NULL, sizeof *a * ((size_t)rows * (size_t)n + 1));
    double *rhs = mem_resize(m, NULL, sizeof *rhs * ((size_t)rows + 1));
    memset(a, 0, sizeof *a * (size_t)rows * (size_t)n);
    for (int k = 0; k < B->row.n; k++)
        if (movable[B->column.at[k]])
            a[(size_t)B->row.at[k] * (size_t)n + (size_t)B->column.at[k]] += B->value.at[k];
    for (int r = 0; r < rows; r++) rhs[r] = -value[r];
    dense_least_norm(m, a, rows, n, rhs, 0, dx);
    mem_drop(m, a), mem_drop(m, rhs);
}

/* The equations of the minimum,
 *     dx + B^T mu = 0,   B dx = -value
 * in what may move; what may not, and relations that nothing can change, have rows x = 0. */
static sparse_entries minimum_of(mem *m, const sparse_entries *B, int rows, int n,
                                 const uint8_t *movable)
{
    sparse_entries J = {0};
    uint8_t       *held = mem_resize(m, NULL, (size_t)rows + 1);
    memset(held, 1, (size_t)rows + 1);
    for (int i = 0; i < n; i++) sparse_add(m, &J, i, i, 1);
    for (int k = 0; k < B->row.n; k++) {
        int r = B->row.at[k], c = B->column.at[k];
        if (!movable[c]) continue;
        /* B^T and B, both without the columns of what may not move */
        sparse_add(m, &J, c, n + r, B->value.at[k]);
        sparse_add(m, &J, n + r, c, B->value.at[k]);
        held[r] = 0;
    }
    for (int r = 0; r < rows; r++) sparse_add(m, &J, n + r, n + r, held[r]);
    mem_drop(m, held);
    return J;
}

/* False: no solver, or redundant relations, which make its matrix singular. */
static bool sparse(mem *of, const sparse_entries *B, int rows, int n, const uint8_t *movable,
                   const double *value, double *dx)
{
    mem           *m = mem_child(of);
    sparse_entries J = minimum_of(m, B, rows, n, movable);
    int           *place = mem_array(m, J.row.n, int), size = n + rows;
    pattern p = pattern_from_pairs(m, size, size, J.row.at, J.column.at, J.row.n, place);
    double *entries = mem_array(m, pattern_count(&p), double), *x = mem_array(m, size, double);
    for (int k = 0; k < J.row.n; k++) entries[place[k]] += J.value.at[k];
    for (int r = 0; r < rows; r++) x[n + r] = -value[r];
    solver *lu = solver_new(m, &p, NULL);
    bool    good = lu && solver_factor(lu, entries);
    if (good) solver_solve(lu, x);
    if (good) memcpy(dx, x, sizeof *dx * (size_t)n);
    mem_free(m);
    return good;
}

bool least_change(mem *m, const sparse_entries *B, int rows, int n, const uint8_t *movable,
                  const double *value, double *dx)
{
    bool any = false;
    for (int i = 0; i < n; i++) any |= movable[i];
    if (!any) return false;
    if (n > SMALL && sparse(m, B, rows, n, movable, value, dx)) return true;
    if (n > LEAST_CHANGE_DENSE) return false;
    dense(m, B, rows, n, movable, value, dx);
    return true;
}
