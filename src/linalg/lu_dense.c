/* lu_dense.c - dense LU, P A = L U by rows, with scaled partial pivoting. Small systems dominate:
 * two unknowns have code of their own, and in substitution only one product depends on the previous
 * unknown. */
#include "linalg/kinds.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    DENSE_ALWAYS = 32, /* unknowns up to which being sparse does not pay */
    PANEL = 4          /* columns that are eliminated together           */
};

typedef struct {
    int     n;
    bool    full;
    pattern p;
    double *a;      /* n x n: U on and above the diagonal, the factors of L below it */
    double *weight; /* of the rows, see equilibrate; once row k is the pivot's, 1 / u_kk */
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
        if (n) memcpy(s->a, values, n * n * sizeof *values);
        return;
    }
    memset(s->a, 0, n * n * sizeof *s->a);
    for (int i = 0; i < s->n; i++)
        for (int k = s->p.start[i]; k < s->p.start[i + 1]; k++)
            s->a[(size_t)i * n + (size_t)s->p.column[k]] = values[k];
}

static bool invertible(double pivot)
{
    return fabs(pivot) >= DBL_MIN && fabs(pivot) <= DBL_MAX;
}

/* Row at or below k whose entry in column k is the largest for its row, or -1. */
static int pivot_row(const dense *s, int k)
{
    size_t n = (size_t)s->n;
    int    best = k;
    double size = fabs(s->a[(size_t)k * n + (size_t)k]) * s->weight[k];
    for (int i = k + 1; i < s->n; i++) {
        double other = fabs(s->a[(size_t)i * n + (size_t)k]) * s->weight[i];
        if (other > size) best = i, size = other;
    }
    return size > s->scale[k] && invertible(s->a[(size_t)best * n + (size_t)k]) ? best : -1;
}

static void exchange(dense *s, int k, int other)
{
    double *x = s->a + (size_t)k * (size_t)s->n, *y = s->a + (size_t)other * (size_t)s->n;
    for (int j = 0; j < s->n; j++) {
        double t = x[j];
        x[j] = y[j], y[j] = t;
    }
    s->weight[other] = s->weight[k];
}

/* row -= l * pivot, for the entries right of the pivot */
static void subtract(double *restrict row, const double *restrict pivot, double l, int count)
{
    for (int j = 0; j < count; j++) row[j] -= l * pivot[j];
}

/* row -= l_0 pivot_0, then l_1 pivot_1, ...: in the order of single ones, in one pass over the
 * row */
static void subtract_four(double *restrict row, const double *restrict pivot, size_t n,
                          const double *l, int count)
{
    const double l0 = l[0], l1 = l[1], l2 = l[2], l3 = l[3];
    const double *restrict p1 = pivot + n, *restrict p2 = p1 + n, *restrict p3 = p2 + n;
    for (int j = 0; j < count; j++)
        row[j] = (((row[j] - l0 * pivot[j]) - l1 * p1[j]) - l2 * p2[j]) - l3 * p3[j];
}

/* Eliminates columns first .. last-1 from the rows below their pivots; the columns right of them
 * are updated later. */
static bool eliminate_panel(dense *s, int first, int last)
{
    size_t n = (size_t)s->n;
    for (int k = first; k < last; k++) {
        s->swap[k] = pivot_row(s, k);
        if (s->swap[k] < 0) return false;
        if (s->swap[k] != k) exchange(s, k, s->swap[k]);
        const double *pivot = s->a + (size_t)k * n + k;
        double        inverse = s->weight[k] = 1 / pivot[0];
        for (int i = k + 1; i < s->n; i++) {
            double *row = s->a + (size_t)i * n + k;
            if (row[0] == 0) continue;
            row[0] *= inverse;
            subtract(row + 1, pivot + 1, row[0], last - k - 1);
        }
    }
    return true;
}

/* Four columns at a time: the rest of a row is then read and written once instead of four times,
 * which matters from about 50 unknowns on. */
static bool eliminate(dense *s)
{
    size_t n = (size_t)s->n;
    for (int first = 0, last; first < s->n; first = last) {
        last = s->n - first < 2 * PANEL ? s->n : first + PANEL;
        if (!eliminate_panel(s, first, last)) return false;
        double *right = s->a + (size_t)first * n + (size_t)last;
        int     count = s->n - last;
        for (int i = first + 1; i < last && count; i++)
            for (int k = first; k < i; k++)
                subtract(s->a + (size_t)i * n + (size_t)last, s->a + (size_t)k * n + (size_t)last,
                         s->a[(size_t)i * n + (size_t)k], count);
        for (int i = last; i < s->n; i++)
            subtract_four(s->a + (size_t)i * n + (size_t)last, right, n,
                          s->a + (size_t)i * n + (size_t)first, count);
    }
    return true;
}

/* [a b; c d] with the rows exchanged if c is the larger one for its row; x, y, z, w: their sizes,
 * then relative to the largest of their row. */
static bool factor_two(dense *s, const double *v)
{
    static const double NEGLIGIBLE = 2 * 16.0 * DBL_EPSILON; /* solver_negligible */
    double              x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]), w = fabs(v[3]);
    const double        first = x > y ? x : y, second = z > w ? z : w;
    if (!(first >= DBL_MIN && second >= DBL_MIN && x + y <= DBL_MAX && z + w <= DBL_MAX))
        return false;
    const double weight[2] = {1 / first, 1 / second};
    x *= weight[0], y *= weight[0], z *= weight[1], w *= weight[1];
    const int    low = z > x, high = 1 - low;
    const double a = v[2 * low], b = v[2 * low + 1], c = v[2 * high], d = v[2 * high + 1];
    const double l = c / a, u = d - l * b, size = fabs(u);
    if (!(x + z > 0 && size * weight[high] > (y > w ? y : w) * NEGLIGIBLE)) return false;
    s->swap[0] = low;
    s->a[0] = a, s->a[1] = b, s->a[2] = l, s->a[3] = u;
    return fabs(a) >= DBL_MIN && fabs(a) <= DBL_MAX && size >= DBL_MIN && size <= DBL_MAX;
}

static bool factor(void *self, const double *values)
{
    dense *s = self;
    if (s->n == 2 && s->full) return factor_two(s, values);
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
    if (s->n == 2 && s->full) {
        const double *a = s->a, y = x[s->swap[0]], z = (x[1 - s->swap[0]] - a[2] * y) / a[3];
        x[0] = (y - a[1] * z) / a[0], x[1] = z;
        return;
    }
    for (int k = 0; k < s->n; k++) {
        double t = x[s->swap[k]];
        x[s->swap[k]] = x[k], x[k] = t;
    }
    for (int i = 1; i < s->n; i++) {
        const double *l = s->a + (size_t)i * n;
        x[i] = (x[i] - dot(l, x, i - 1)) - l[i - 1] * x[i - 1];
    }
    for (int i = s->n - 1; i >= 0; i--) {
        const double *u = s->a + (size_t)i * n + i;
        double        rest = i + 2 < s->n ? x[i] - dot(u + 2, x + i + 2, s->n - i - 2) : x[i];
        x[i] = (i + 1 < s->n ? rest - u[1] * x[i + 1] : rest) * s->weight[i];
    }
}

const solver_kind lu_dense = {
    "dense", "dense LU with scaled partial pivoting", fits, analyse, factor, solve,
    NULL, NULL, NULL, NULL,
};
