/* lu_dense.c - dense LU, P A = L U by rows, with pivots that are largest relative to their row. Small
 * systems dominate, so one of two unknowns has its own few lines. */
#include "linalg/kinds.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DENSE_ALWAYS = 32 }; /* unknowns up to which being sparse does not pay */

typedef struct {
    int     n;
    bool    full;
    pattern p;
    double *a;      /* n x n: U on and above the diagonal, the factors of L below it */
    double *weight; /* of the rows, see equilibrate                                  */
    double *scale;  /* of the columns                                                */
    int    *swap;   /* row k was exchanged with row swap[k] >= k                     */
} dense;

static bool fits(mem *m, const pattern *p)
{
    (void)m;
    long long n = p->rows;
    return n <= DENSE_ALWAYS || 4LL * pattern_count(p) >= n * n;
}

static void *analyse(mem *m, const pattern *p)
{
    size_t n = (size_t)p->rows;
    dense *s = mem_take(m, sizeof *s);
    *s = (dense){.n = p->rows, .full = pattern_is_full(p), .p = *p};
    s->a = mem_array(m, n * n, double);
    s->weight = mem_array(m, n, double);
    s->scale = mem_array(m, n, double);
    s->swap = mem_array(m, n, int);
    return s;
}

static void fill(dense *s, const double *values)
{
    size_t n = (size_t)s->n;
    if (s->full) {
        memcpy(s->a, values, n * n * sizeof *values);
        return;
    }
    memset(s->a, 0, n * n * sizeof *s->a);
    for (int i = 0; i < s->n; i++)
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            s->a[(size_t)i * n + (size_t)s->p.column[k]] = values[k];
}

/* Row at or below k whose entry in column k is the largest for its row; -1 if all are negligible. */
static int pivot_row(const dense *s, int k)
{
    size_t n = (size_t)s->n;
    int    best = k;
    double size = fabs(s->a[(size_t)k * n + (size_t)k]) * s->weight[k];
    for (int i = k + 1; i < s->n; i++) {
        double other = fabs(s->a[(size_t)i * n + (size_t)k]) * s->weight[i];
        if (other > size) best = i, size = other;
    }
    return size > s->scale[k] && size <= DBL_MAX ? best : -1;
}

static void exchange(dense *s, int k, int other)
{
    double *x = s->a + (size_t)k * (size_t)s->n, *y = s->a + (size_t)other * (size_t)s->n;
    for (int j = 0; j < s->n; j++) {
        double t = x[j];
        x[j] = y[j], y[j] = t;
    }
    s->weight[other] = s->weight[k]; /* that of row k is not asked for again */
}

/* row -= l * pivot, for the entries right of the pivot */
static void subtract(double *restrict row, const double *restrict pivot, double l, int count)
{
    for (int j = 0; j < count; j++) row[j] -= l * pivot[j];
}

static bool eliminate(dense *s)
{
    size_t n = (size_t)s->n;
    for (int k = 0; k < s->n; k++) {
        s->swap[k] = pivot_row(s, k);
        if (s->swap[k] < 0) return false;
        if (s->swap[k] != k) exchange(s, k, s->swap[k]);
        const double *pivot = s->a + (size_t)k * n + k;
        for (int i = k + 1; i < s->n; i++) {
            double *row = s->a + (size_t)i * n + k;
            if (row[0] == 0) continue;
            row[0] /= pivot[0];
            subtract(row + 1, pivot + 1, row[0], s->n - k - 1);
        }
    }
    return true;
}

static bool factor(void *self, const double *values)
{
    dense *s = self;
    if (!equilibrate(&s->p, values, s->weight, s->scale)) return false;
    fill(s, values);
    return eliminate(s);
}

/* four partial sums, so that additions need not wait for each other */
static double dot(const double *a, const double *b, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int    j = 0;
    for (; j + 4 <= n; j += 4) {
        s0 += a[j] * b[j], s1 += a[j + 1] * b[j + 1];
        s2 += a[j + 2] * b[j + 2], s3 += a[j + 3] * b[j + 3];
    }
    for (; j < n; j++) s0 += a[j] * b[j];
    return (s0 + s1) + (s2 + s3);
}

static void solve(const void *self, double *x)
{
    const dense *s = self;
    size_t       n = (size_t)s->n;
    for (int k = 0; k < s->n; k++) {
        double t = x[s->swap[k]];
        x[s->swap[k]] = x[k], x[k] = t;
    }
    for (int i = 1; i < s->n; i++) x[i] -= dot(s->a + (size_t)i * n, x, i);
    for (int i = s->n - 1; i >= 0; i--) {
        const double *u = s->a + (size_t)i * n + i;
        x[i] = (x[i] - dot(u + 1, x + i + 1, s->n - i - 1)) / u[0];
    }
}

const solver_kind lu_dense = {
    "dense", "dense LU with scaled partial pivoting", fits, analyse, factor, solve, NULL,
};
