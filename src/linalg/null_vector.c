/* null_vector.c - inverse iteration on a singular matrix. With rows and columns scaled to size one,
 *     (B + e I) y' = y,   B = R^-1 a C^-1,   x = C^-1 y
 * magnifies what B takes to 0 by 1/e and leaves the rest as it is: a few rounds suffice. The first
 * ones begin with everything; what they find then begins with its largest entry alone, so that of
 * many directions one comes out and not a mixture. */
#include "linalg/null_vector.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

typedef struct {
    mem           *m;
    int            n;
    const pattern *of;
    const double  *a;
    double        *rows, *columns; /* R, C */
    pattern        p;              /* with the whole diagonal */
    double        *b;
    solver        *lu;
} matrix;

static void find_scales(matrix *x)
{
    const pattern *p = x->of;
    for (int i = 0; i < x->n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            x->rows[i] = fmax(x->rows[i], fabs(x->a[k]));
    for (int i = 0; i < x->n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (x->rows[i] > 0)
                x->columns[p->column[k]] =
                    fmax(x->columns[p->column[k]], fabs(x->a[k]) / x->rows[i]);
    for (int i = 0; i < x->n; i++) {
        if (!(x->rows[i] > 0)) x->rows[i] = 1;
        if (!(x->columns[i] > 0)) x->columns[i] = 1;
    }
}

/* B + e I, on the pattern of a and of the diagonal. */
static void shift(matrix *x, double e)
{
    const pattern *p = x->of;
    const int      count = pattern_count(p), all = count + x->n;
    int           *row = mem_resize(x->m, NULL, (size_t)all * sizeof *row);
    int           *column = mem_resize(x->m, NULL, (size_t)all * sizeof *column);
    int           *place = mem_resize(x->m, NULL, (size_t)all * sizeof *place);
    for (int i = 0; i < x->n; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) row[k] = i, column[k] = p->column[k];
        row[count + i] = column[count + i] = i;
    }
    x->p = pattern_from_pairs(x->m, x->n, x->n, row, column, all, place);
    x->b = mem_array(x->m, pattern_count(&x->p), double);
    for (int k = 0; k < count; k++)
        x->b[place[k]] += x->a[k] / (x->rows[row[k]] * x->columns[column[k]]);
    for (int i = 0; i < x->n; i++) x->b[place[count + i]] += e;
    mem_drop(x->m, row), mem_drop(x->m, column), mem_drop(x->m, place);
}

static int largest(const double *y, int n)
{
    int most = 0;
    for (int i = 1; i < n; i++)
        if (fabs(y[i]) > fabs(y[most])) most = i;
    return most;
}

static void iterate(const matrix *x, double *y)
{
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        solver_solve(x->lu, y);
        const double size = y[largest(y, x->n)];
        for (int i = 0; i < x->n; i++) y[i] /= size;
    }
}

/* Does every row of B y cancel? What is roundoff beside the largest row has nothing to cancel. */
static bool is_null(const matrix *x, const double *y)
{
    static const double CANCELLED = 1e-9, NOISE = 1e-12;
    const pattern      *p = x->of;
    double              most = 0;
    for (int second = 0; second < 2; second++)
        for (int i = 0; i < x->n; i++) {
            double sum = 0, size = 0;
            for (int k = p->start[i]; k < p->start[i + 1]; k++) {
                const int    j = p->column[k];
                const double term = x->a[k] / (x->rows[i] * x->columns[j]) * y[j];
                sum += term, size += fabs(term);
            }
            if (!second) most = fmax(most, size);
            else if (!(fabs(sum) <= CANCELLED * size + NOISE * most)) return false;
        }
    return true;
}

bool null_vector(mem *m, const pattern *p, const double *a, double *x)
{
    static const double SHIFT = 1e-11;
    const int           n = p->rows;
    matrix              mx = {.m = m,
                              .n = n,
                              .of = p,
                              .a = a,
                              .rows = mem_array(m, n, double),
                              .columns = mem_array(m, n, double)};
    find_scales(&mx);
    shift(&mx, SHIFT);
    mx.lu = solver_new(m, &mx.p, NULL);
    if (!solver_factor(mx.lu, mx.b)) return false;
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.5 * sin(i + 1.0); /* all of them, none like its neighbours */
    iterate(&mx, x);
    const int most = largest(x, n);
    memset(x, 0, (size_t)n * sizeof *x);
    x[most] = 1;
    iterate(&mx, x);
    const bool found = is_null(&mx, x);
    for (int i = 0; i < n; i++) x[i] /= mx.columns[i];
    const double size = x[largest(x, n)];
    for (int i = 0; i < n; i++) x[i] /= size;
    solver_free(mx.lu);
    return found && isfinite(size);
}
