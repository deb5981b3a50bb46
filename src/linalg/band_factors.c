/* band_factors.c - factorisation of a band matrix in partitions, by the elimination of partition.h,
 * and right-hand sides of the separators. */
#include "linalg/band_factors.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    GROUP_LEAST = 8000, /* rows of a group, where there are several: two fit the second cache */
    WHOLE = 8           /* rows, in whole numbers of which partitions come: lines of the cache */
};

static const double DEAD = 1e-60; /* of an unknown in another: what counts as none */

static int chunks_of(const group *s, int B)
{
    return (s->length - B + FACTOR_CHUNK - 1) / FACTOR_CHUNK;
}

static void room_for(mem *m, band_factors *k, int number)
{
    group    *s = &k->in.group[number];
    const int B = k->in.reach, inner = s->length - B, chunks = chunks_of(s, B);
    s->factor = mem_array(m, (size_t)chunks * FACTOR_CHUNK * (size_t)(2 * B + 1) * GROUP, double);
    s->spike = mem_array(m, (size_t)inner * (size_t)(2 * B) * GROUP, double);
    s->chunk = mem_array(m, chunks, int);
    s->g = k->g[number] = mem_array(m, (size_t)(inner + B) * GROUP, double) + B * GROUP;
}

int band_factors_groups(int n)
{
    return n / GROUP_LEAST > 1 ? n / GROUP_LEAST : 1;
}

bool band_factors_fit(int n, int reach)
{
    return partitions_fit(n, reach, band_factors_groups(n));
}

band_factors *band_factors_new(mem *m, int n, int reach)
{
    const int     groups = band_factors_groups(n);
    band_factors *k = mem_array(m, 1, band_factors);
    k->in = partitions_divide(m, n, reach, groups, WHOLE);
    k->g = mem_array(m, groups, double *);
    k->separator = mem_array(m, groups * GROUP, separators);
    k->front = group_new(m, k->in.length, reach);
    k->planes = mem_array(m, GROUP * (2 * reach + 2) * GROUP_PLANE, double);
    k->rest = k->front.row;
    for (int r = 0; r < groups; r++) room_for(m, k, r);
    return k;
}

/* Factors. ------------------------------------------------------------------------------------- */
/* Rows of all partitions of a group as planes, with zeros on the right-hand side; behind the last
 * row the matrix is the identity. */
static void read_rows(const band_factors *k, const pattern *p, const double *values, int number,
                      int from, int rows)
{
    const int B = k->in.reach, planes = 2 * B + 2;
    memset(k->planes, 0, (size_t)(GROUP * planes * GROUP_PLANE) * sizeof *k->planes);
    for (int l = 0; l < GROUP; l++) {
        const int first = (number * GROUP + l) * k->in.length + from, n = k->in.n;
        double   *diagonal = k->planes + (l * planes + B + 1) * GROUP_PLANE;
        for (int i = 0; i < rows && first + i < n; i++) {
            const int a = p->start[first + i], count = p->start[first + i + 1] - a;
            if (B == 1 && count == 3) { /* all of a row that most are like */
                diagonal[i - GROUP_PLANE] = values[a];
                diagonal[i] = values[a + 1];
                diagonal[i + GROUP_PLANE] = values[a + 2];
                continue;
            }
            for (int e = a; e < a + count; e++)
                diagonal[(p->column[e] - first - i) * GROUP_PLANE + i] = values[e];
        }
        for (int i = n > first ? n - first : 0; i < rows; i++) diagonal[i] = 1;
    }
}

static double alive(double x)
{
    return fabs(x) < DEAD ? 0 : x;
}

/* Right-hand sides are not divided by pivots as they are eliminated, so t is. */
static void keep_spikes(const band_factors *k, group *s)
{
    const int B = k->in.reach;
    s->alive = k->front.alive;
    for (ptrdiff_t i = 0; i < s->alive; i++) {
        const double *F = k->front.spike + i * 2 * B * GROUP;
        const double *inverse = s->factor + i * (2 * B + 1) * GROUP;
        double       *to = s->spike + i * 2 * B * GROUP;
        for (int b = 0; b < B * GROUP; b++) {
            to[b] = alive(F[b]);
            to[B * GROUP + b] = alive(F[B * GROUP + b]) * inverse[b % GROUP];
        }
    }
}

static separators separators_of(const band_factors *k, int l)
{
    const int  B = k->in.reach;
    separators made = group_separators(&k->front, B, l);
    for (int j = 0; j < B; j++)
        for (int b = 0; b < B; b++)
            made.f[j][b] = alive(made.f[j][b]), made.t[j][b] = alive(made.t[j][b]);
    return made;
}

/* How far spikes reach, in whole chunks, and which chunks equal one before them. */
static void find_chunks(group *s, int B)
{
    const int    chunks = chunks_of(s, B);
    const size_t size = (size_t)FACTOR_CHUNK * (size_t)(2 * B + 1) * GROUP,
                 row = (size_t)(2 * B) * GROUP;
    int *chunk = s->chunk, last = s->alive;
    chunk[0] = 0;
    for (int c = 1; c < chunks; c++) {
        const bool same = !memcmp(s->factor + (size_t)c * size,
                                  s->factor + (size_t)chunk[c - 1] * size, size * sizeof(double));
        chunk[c] = same ? chunk[c - 1] : c;
    }
    for (bool dead = true; last > 0 && dead; last -= dead)
        for (size_t q = 0; q < row && dead; q++) dead = s->spike[(size_t)(last - 1) * row + q] == 0;
    last = (last + FACTOR_CHUNK - 1) / FACTOR_CHUNK * FACTOR_CHUNK;
    s->alive = last < s->alive ? last : s->alive;
}

/* A pivot that is infinite leaves nothing behind that is not finite. */
static bool all_finite(const double *x, int n)
{
    int bad = 0;
    for (int k = 0; k < n; k++) bad |= !(fabs(x[k]) <= DBL_MAX);
    return !bad;
}

/* The first row of a group; behind the last group, the number of rows. */
static int first_row(const band_factors *k, int number)
{
    const long long row = (long long)number * GROUP * k->in.length;
    return row < k->in.n ? (int)row : k->in.n;
}

/* By the elimination of partition.h. False: some pivot cannot be trusted, or some number is not
 * finite. */
static bool factor_group(band_factors *k, const pattern *p, const double *values, int number)
{
    const int length = k->in.length, B = k->in.reach;
    const int first = p->start[first_row(k, number)], end = p->start[first_row(k, number + 1)];
    group    *s = &k->in.group[number];
    bool      good = all_finite(values + first, end - first);
    k->front.factor = s->factor;
    group_begin(&k->front, B);
    for (int from = 0; from < length; from += PARTITION_TILE) {
        const int rows = length - from < PARTITION_TILE ? length - from : PARTITION_TILE;
        read_rows(k, p, values, number, from, rows);
        group_down(&k->front, B, k->planes, from, rows);
    }
    keep_spikes(k, s);
    find_chunks(s, B);
    for (int l = 0; l < GROUP; l++) {
        k->separator[number * GROUP + l] = separators_of(k, l);
        good &= k->front.fault[l] == 0;
    }
    return good;
}

/* Do the spikes of s and of S decay before the other end of the partition? */
static bool is_apart(const separators *own, int B)
{
    bool none = true;
    for (int j = 0; j < B; j++)
        for (int b = 0; b < B; b++) none &= own->f[j][b] == 0 && own->t[j][b] == 0;
    return none;
}

bool band_factors_factor(band_factors *k, const pattern *p, const double *values)
{
    const int B = k->in.reach, count = k->in.groups * GROUP;
    for (int r = 0; r < k->in.groups; r++)
        if (!factor_group(k, p, values, r)) return false;
    band_clear(&k->in.small);
    k->apart = true;
    for (int at = 0; at < count; at++) {
        const separators *own = &k->separator[at], *next = at + 1 < count ? own + 1 : NULL;
        separators_enter(own, next, B, at, &k->in.small, k->in.x);
        k->apart &= is_apart(own, B);
    }
    return partitions_factor(&k->in);
}

/* Is it tridiagonal, symmetric to the bit, and positive definite, with pivots that lose few
 * digits? */
static bool is_exact(const partitions *in, const pattern *p, const double *values)
{
    double right = 0, pivot = 1;
    bool   exact = in->reach == 1;
    for (int i = 0; i < in->n && exact; i++) {
        double row[3] = {0};
        for (int a = p->start[i]; a < p->start[i + 1]; a++) row[p->column[a] - i + 1] = values[a];
        const double d = row[1] - row[0] * right / pivot;
        exact = row[0] == right && d * row[1] >= row[1] * row[1] / 4 && (!i || d * pivot > 0);
        right = row[2], pivot = d;
    }
    return exact;
}

void band_factors_find_exact(band_factors *k, const pattern *p, const double *values)
{
    k->exact = is_exact(&k->in, p, values);
}

/* Right-hand sides. ---------------------------------------------------------------------------- */

/* Separator j of partition l of a group:  r - l.g - C (first unknowns of the next partition, as far
 * as g makes them) */
static double separator_side(const separators *own, const group *s, int l, const double *next,
                             int B, int j)
{
    double x = s->end[j * (2 * B + 2) * GROUP + l];
    for (int b = B; b > j; b--)
        x -= own->l[j][b - 1] * s->g[(ptrdiff_t)(s->length - B + j - b) * GROUP + l];
    for (int c = 0; c <= j && next; c++) x -= own->C[j][c] * next[c * GROUP];
    return x;
}

void band_factors_join(band_factors *k, int from, int to)
{
    const int B = k->in.reach, count = k->in.groups * GROUP;
    for (int at = from * GROUP; at < to * GROUP; at++) {
        const group  *s = &k->in.group[at / GROUP], *after = &k->in.group[(at + 1) / GROUP];
        const double *next = at + 1 < count ? after->sum + (at + 1) % GROUP : NULL;
        for (int j = 0; j < B; j++)
            k->in.x[at * B + j] = separator_side(&k->separator[at], s, at % GROUP, next, B, j);
    }
    partitions_solve(&k->in, from, to);
}

void band_factors_alternate(band_factors *k, bool turns)
{
    for (int r = 0; r < k->in.groups; r++) k->in.group[r].g = k->g[turns ? r % 2 : r];
}

/* The rows of a group in x; where some of them lie behind its end, in room of their own. */
static double *rows_of(const band_factors *k, int number, double *x)
{
    const bool whole = first_row(k, number + 1) - first_row(k, number) == GROUP * k->in.length;
    return whole ? x + first_row(k, number) : k->rest;
}

static void side_down(const band_factors *k, int number, double *x)
{
    const int length = k->in.length, first = first_row(k, number),
              count = first_row(k, number + 1) - first;
    double *r = rows_of(k, number, x);
    if (r == k->rest) {
        memcpy(r, x + first, (size_t)count * sizeof *r);
        memset(r + count, 0, (size_t)(GROUP * length - count) * sizeof *r);
    }
    group_side_down(&k->in.group[number], k->in.reach, r, length, 0, length);
}

static void side_up(const band_factors *k, int number, double *x)
{
    const int length = k->in.length, first = first_row(k, number),
              count = first_row(k, number + 1) - first;
    double *to = rows_of(k, number, x);
    group_side_up(&k->in.group[number], k->in.reach, 0, length, to, length);
    if (to == k->rest) memcpy(x + first, to, (size_t)count * sizeof *to);
}

/* Where separators of different partitions are independent of each other, every group is
 * back-substituted once the next one has been eliminated, while its rows are in cache. */
void band_factors_solve(band_factors *k, double *x)
{
    const int groups = k->in.groups;
    band_factors_alternate(k, k->apart);
    side_down(k, 0, x);
    for (int r = 1; r <= groups; r++) {
        if (r < groups) side_down(k, r, x);
        if (k->apart) band_factors_join(k, r - 1, r), side_up(k, r - 1, x);
    }
    if (k->apart) return;
    band_factors_join(k, 0, groups);
    for (int r = groups - 1; r >= 0; r--) side_up(k, r, x);
}
