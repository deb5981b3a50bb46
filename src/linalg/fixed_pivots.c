/* fixed_pivots.c - elimination with pivots that are chosen anew, or as they were. */
#include "linalg/fixed_pivots.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

void fixed_pivots_init(fixed_pivots *f, mem *m, int rows, int columns)
{
    *f = (fixed_pivots){.rows = rows, .columns = columns};
    f->row = mem_array(m, rows, int), f->column = mem_array(m, columns, int);
    f->work = mem_array(m, rows * columns, double);
    f->basis = mem_array(m, columns * columns, double);
}

static void exchange(int *x, int a, int b)
{
    const int of = x[a];
    x[a] = x[b], x[b] = of;
}

/* Rows, then columns, to a largest entry of one. */
static void bring_to_one(double *a, int rows, int columns)
{
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < (turn ? columns : rows); i++) {
            const int from = turn ? i : i * columns, by = turn ? columns : 1;
            const int count = turn ? rows : columns;
            double    most = 0;
            for (int k = 0; k < count; k++) most = fmax(most, fabs(a[from + k * by]));
            for (int k = 0; k < count && most > 0; k++) a[from + k * by] /= most;
        }
}

/* The largest entry left; of those that are equal but for rounding, the first of the matrix. */
static double find_largest(const fixed_pivots *f, int from, int *row, int *column)
{
    static const double ROUNDING = 1e-9;
    double              most = 0;
    int                 first = 0;
    for (int i = from; i < f->rows; i++)
        for (int j = from; j < f->columns; j++) {
            const int    at = f->row[i] * f->columns + f->column[j];
            const double size = fabs(f->work[at]);
            const bool   alike = size >= most * (1 - ROUNDING) && size > 0 && at < first;
            if (size > most * (1 + ROUNDING) || alike)
                most = size, first = at, *row = i, *column = j;
        }
    return most;
}

/* Takes the pivot row off those behind it. */
static void eliminate(fixed_pivots *f, int k)
{
    const int     C = f->columns, Q = f->column[k];
    const double *pivot = f->work + f->row[k] * C;
    for (int i = k + 1; i < f->rows; i++) {
        double      *x = f->work + f->row[i] * C;
        const double c = x[Q] / pivot[Q];
        for (int j = k; j < C && c != 0; j++) x[f->column[j]] -= c * pivot[f->column[j]];
    }
}

void fixed_pivots_choose(fixed_pivots *f, const double *a, double tol)
{
    for (int i = 0; i < f->rows; i++) f->row[i] = i;
    for (int j = 0; j < f->columns; j++) f->column[j] = j;
    if (f->rows > 0 && f->columns > 0)
        memcpy(f->work, a, sizeof *a * (size_t)(f->rows * f->columns));
    bring_to_one(f->work, f->rows, f->columns);
    int row = 0, column = 0;
    for (f->rank = 0; find_largest(f, f->rank, &row, &column) > tol; f->rank++) {
        exchange(f->row, f->rank, row), exchange(f->column, f->rank, column);
        eliminate(f, f->rank);
    }
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
