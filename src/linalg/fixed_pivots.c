/* fixed_pivots.c - elimination with pivots that are chosen anew, or as they were. */
#include "linalg/fixed_pivots.h"

#include "linalg/dense.h"
#include "step/words.h"

#include <string.h>

#include "step/echelon.h"

#include "step/complete_pivots.h"

void fixed_pivots_init(fixed_pivots *f, mem *m, int rows, int columns)
{
    *f = (fixed_pivots){.rows = rows, .columns = columns};
    f->row = mem_array(m, rows, int), f->column = mem_array(m, columns, int);
    f->work = mem_array(m, rows * columns, double);
    f->basis = mem_array(m, columns * columns, double);
}

void fixed_pivots_choose(fixed_pivots *f, const double *a, double tol)
{
    if (f->rows > 0 && f->columns > 0)
        memcpy(f->work, a, sizeof *a * (size_t)(f->rows * f->columns));
    bring_to_one(f->work, f->rows, f->columns, f->columns, f->basis);
    f->rank = echelon_complete(f->work, f->rows, f->columns, f->row, f->column, f->columns, tol);
}

void fixed_pivots_choose_largest(fixed_pivots *f, const double *a, double least)
{
    const int R = f->rows, C = f->columns;
    if (R > 0 && C > 0) memcpy(f->work, a, sizeof *a * (size_t)(R * C));
    f->rank = echelon_complete(f->work, R, C, f->row, f->column, C, least);
}

bool fixed_pivots_find(fixed_pivots *f, const double *a)
{
    const int C = f->columns;
    for (int k = 0; k < f->rank; k++)
        memcpy(f->work + k * C, a + f->row[k] * C, sizeof *a * (size_t)C);
    if (dense_echelon(f->work, f->rank, C, f->column, f->rank, 0, NULL) < f->rank) return false;
    f->largest = 1;
    for (int u = 0; u < C - f->rank; u++) {
        double   *x = f->basis + u * C;
        const int R = f->column[f->rank + u];
        memset(x, 0, sizeof *x * (size_t)C);
        x[R] = 1;
        for (int k = 0; k < f->rank; k++) {
            x[f->column[k]] = -f->work[k * C + R];
            f->largest = fmax(f->largest, fabs(x[f->column[k]]));
        }
    }
    return f->largest < HUGE_VAL;
}
