/* symmetric.c - a symmetric matrix stored for products with it. */
#include "linalg/symmetric.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Storing. ------------------------------------------------------------------------------------- */

/* The distances that a third of the rows have: beyond that zeros cost more than indices. */
static void find_distances(symmetric *b, mem *m)
{
    const pattern *p = &b->p;
    int           *count = mem_resize(m, NULL, ((size_t)b->n + 1) * sizeof *count);
    memset(count, 0, ((size_t)b->n + 1) * sizeof *count);
    for (int i = 0; i < b->n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (p->column[k] > i) count[p->column[k] - i]++;
    for (int d = 1; d < b->n && b->distances < DISTANCES_MOST; d++)
        if (3 * count[d] >= b->n) b->distance[b->distances++] = b->reach = d;
    mem_drop(m, count);
}

static int which_distance(const symmetric *b, int d)
{
    for (int t = 0; t < b->distances; t++)
        if (b->distance[t] == d) return t;
    return -1;
}

/* Places on the diagonals, each behind as many zeros as its distance; returns where they end. */
static int place_diagonals(symmetric *b)
{
    const pattern *p = &b->p;
    int            end = 0;
    for (int t = 0; t < b->distances; t++, end += b->n) b->first[t] = end += b->distance[t];
    for (int i = 0; i < b->n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k], t = which_distance(b, j > i ? j - i : i - j);
            b->place[k] = b->twin[k] = -1;
            if (t >= 0 && j > i) b->place[k] = b->first[t] + i;
            else if (t >= 0) b->twin[k] = b->first[t] + j;
        }
    return end;
}

/* The rest by rows, from `end` on; returns where it ends. */
static int place_rows(symmetric *b, int end)
{
    const pattern *p = &b->p;
    b->rest = end;
    for (int i = 0; i < b->n; i++) {
        const int before = end;
        b->start[b->rows] = end - b->rest;
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k];
            if (j == i || b->place[k] >= 0 || b->twin[k] >= 0) continue;
            b->column[end - b->rest] = j;
            if (j < i) b->twin[k] = b->place[pattern_find(p, j, i)];
            b->place[k] = end++;
        }
        if (end > before) b->row[b->rows++] = i;
    }
    b->start[b->rows] = end - b->rest;
    return end;
}

bool symmetric_init(symmetric *b, mem *m, const pattern *p)
{
    if (!pattern_is_symmetric(p)) return false;
    *b = (symmetric){.n = p->rows, .p = *p};
    find_distances(b, m);
    b->c = mem_array(m, b->n, double);
    b->place = mem_array(m, pattern_count(p), int), b->twin = mem_array(m, pattern_count(p), int);
    b->row = mem_array(m, b->n + 1, int), b->start = mem_array(m, b->n + 1, int);
    const int diagonals = place_diagonals(b);
    b->column = mem_array(m, pattern_count(p), int);
    b->b = mem_array(m, place_rows(b, diagonals) + 1, double);
    return true;
}

/* Filling. ------------------------------------------------------------------------------------- */

static bool scale_rows(symmetric *b, const double *a)
{
    const pattern *p = &b->p;
    bool           definite = true;
    for (int i = 0; i < b->n; i++) {
        int k = p->start[i];
        while (p->column[k] < i) k++;
        if (i == 0) b->s = a[k] > 0 ? 1 : -1;
        const double size = b->s * a[k];
        definite &= size >= DBL_MIN && size <= DBL_MAX;
        b->c[i] = 1 / sqrt(size);
    }
    return definite;
}

/* Beside a diagonal of ones, entries of the same sums differ by roundoff of theirs. */
bool symmetric_fill(symmetric *b, const double *a)
{
    const pattern *p = &b->p;
    double         most = 0, finite = 0;
    if (!scale_rows(b, a)) return false;
    for (int i = 0; i < b->n; i++) {
        const double c = b->s * b->c[i];
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const double x = a[k] * (c * b->c[p->column[k]]);
            finite += x - x;
            if (b->place[k] >= 0) b->b[b->place[k]] = x;
            if (b->twin[k] < 0) continue;
            const double off = fabs(x - b->b[b->twin[k]]);
            most = off > most ? off : most;
        }
    }
    return most <= 64 * DBL_EPSILON && finite == 0;
}

/* Products. ------------------------------------------------------------------------------------ */

/*     y_i = x_i + u_i x_{i+d} + u_{i-d} x_{i-d} + v_i x_{i+e} + v_{i-e} x_{i-e} */
static void begin_with_two(double *restrict y, const double *restrict x, int n,
                           const double *restrict u, int d, const double *restrict v, int e)
{
    const double *restrict down = x - d, *restrict up = x + d, *restrict u0 = u - d;
    const double *restrict left = x - e, *restrict right = x + e, *restrict v0 = v - e;
    for (int i = 0; i < n; i++)
        y[i] = x[i] + ((u[i] * up[i] + u0[i] * down[i]) + (v[i] * right[i] + v0[i] * left[i]));
}

/*     y_i += u_i x_{i+d} + u_{i-d} x_{i-d} */
static void add_one(double *restrict y, const double *restrict x, int n, const double *restrict u,
                    int d)
{
    const double *restrict down = x - d, *restrict up = x + d, *restrict u0 = u - d;
    for (int i = 0; i < n; i++) y[i] += u[i] * up[i] + u0[i] * down[i];
}

static int first_row(const symmetric *b, int from)
{
    int low = 0, high = b->rows;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (b->row[middle] < from) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void add_rows(const symmetric *b, const double *restrict x, double *restrict y, int from,
                     int to)
{
    const double *restrict of = b->b + b->rest;
    for (int k = first_row(b, from); k < b->rows && b->row[k] < to; k++) {
        double sum = 0;
        for (int e = b->start[k]; e < b->start[k + 1]; e++) sum += of[e] * x[b->column[e]];
        y[b->row[k]] += sum;
    }
}

void symmetric_multiply(const symmetric *b, const double *x, double *y, int from, int to)
{
    const int     n = to - from, *d = b->distance;
    const double *at = x + from, *u = b->b + from;
    double       *sum = y + from;
    int           t = 2;
    if (b->distances > 1)
        begin_with_two(sum, at, n, u + b->first[0], d[0], u + b->first[1], d[1]);
    else memcpy(sum, at, (size_t)n * sizeof *sum), t = 0;
    for (; t < b->distances; t++) add_one(sum, at, n, u + b->first[t], d[t]);
    if (b->rows) add_rows(b, x, y, from, to);
}
