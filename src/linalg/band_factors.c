/* band_factors.c - factorisation of a band matrix in partitions, and the Schur complement system of
 * the separators. */
#include "linalg/band_factors.h"

#include "linalg/band_unpivoted.h"

#include <math.h>
#include <string.h>

enum {
    GROUP_LEAST = 8000,   /* rows of a group, where there are several: two fit the second cache */
    PARTITION_LEAST = 24, /* rows of a partition */
    WHOLE = 8             /* rows, in whole numbers of which partitions come: lines of the cache */
};
enum { B_MOST = PARTITION_REACH };

static const double DEAD = 1e-60; /* of an unknown in another: what counts as none */

static factor_group room_for(mem *m, band_factors *k, int number)
{
    const int B = k->reach, inner = k->length - B,
              chunks = (inner + FACTOR_CHUNK - 1) / FACTOR_CHUNK;
    k->factor[number] =
        mem_array(m, (size_t)chunks * FACTOR_CHUNK * (size_t)(2 * B + 1) * GROUP, double);
    k->spike[number] = mem_array(m, (size_t)inner * (size_t)(2 * B) * GROUP, double);
    k->chunk[number] = mem_array(m, chunks, int);
    k->g[number] = mem_array(m, (size_t)(inner + B) * GROUP, double) + B * GROUP;
    return (factor_group){.factor = k->factor[number],
                          .spike = k->spike[number],
                          .chunk = k->chunk[number],
                          .g = k->g[number],
                          .sum = mem_array(m, B * GROUP, double),
                          .end = mem_array(m, B * GROUP, double),
                          .before = mem_array(m, B * GROUP, double),
                          .next = mem_array(m, B * GROUP, double),
                          .separator = mem_array(m, B * GROUP, double),
                          .inner = inner};
}

int band_factors_groups(int n)
{
    return n / GROUP_LEAST > 1 ? n / GROUP_LEAST : 1;
}

static int rows_of_partition(int n)
{
    const int count = band_factors_groups(n) * GROUP;
    return (n + count - 1) / count;
}

bool band_factors_fits(int n, int reach)
{
    return reach >= 1 && reach <= PARTITION_REACH && rows_of_partition(n) >= PARTITION_LEAST;
}

band_factors *band_factors_new(mem *m, int n, int reach)
{
    const int groups = band_factors_groups(n), count = groups * GROUP, least = rows_of_partition(n),
              w = 2 * reach - 1;
    band_factors *k = mem_array(m, 1, band_factors);
    *k = (band_factors){
        .n = n, .reach = reach, .groups = groups, .length = (least + WHOLE - 1) / WHOLE * WHOLE};
    k->group = mem_array(m, groups, factor_group);
    k->factor = mem_array(m, groups, double *), k->spike = mem_array(m, groups, double *);
    k->g = mem_array(m, groups, double *);
    k->chunk = mem_array(m, groups, int *);
    k->separator = mem_array(m, count, separators);
    k->front = group_new(m, k->length, reach);
    k->planes = mem_array(m, GROUP * (2 * reach + 2) * GROUP_PLANE, double);
    k->small = mem_array(m, (count * reach + w) * (2 * w + 1), double);
    k->x = mem_array(m, count * reach + w, double);
    for (int r = 0; r < groups; r++) k->group[r] = room_for(m, k, r);
    return k;
}

/* Factors. ------------------------------------------------------------------------------------- */

/* e_-B .. e_B; behind the last row the matrix is the identity. */
static void read_row(const band_factors *k, const pattern *p, const double *values, int i,
                     double *e)
{
    const int B = k->reach;
    for (int q = 0; q <= 2 * B; q++) e[q] = i >= k->n && q == B;
    for (int a = i < k->n ? p->start[i] : 0; i < k->n && a < p->start[i + 1]; a++)
        e[p->column[a] - i + B] = values[a];
}

/* Rows of all partitions of a group as planes, with zeros on the right-hand side. */
static void read_rows(const band_factors *k, const pattern *p, const double *values, int number,
                      int from, int rows)
{
    const int planes = 2 * k->reach + 2;
    double    e[2 * B_MOST + 1];
    for (int l = 0; l < GROUP; l++)
        for (int i = 0; i < rows; i++) {
            double *to = k->planes + l * planes * GROUP_PLANE + i;
            read_row(k, p, values, (number * GROUP + l) * k->length + from + i, e);
            for (int q = 0; q < planes - 1; q++) to[(q + 1) * GROUP_PLANE] = e[q];
        }
}

static double alive(double x)
{
    return fabs(x) < DEAD ? 0 : x;
}

/* Right-hand sides are not divided by pivots as they are eliminated, so t is. */
static void keep_spikes(const band_factors *k, int number)
{
    const int B = k->reach;
    for (ptrdiff_t i = 0; i < k->length - B; i++) {
        const double *F = k->front.spike + i * 2 * B * GROUP;
        const double *minus_over = k->factor[number] + i * (2 * B + 1) * GROUP;
        double       *to = k->spike[number] + i * 2 * B * GROUP;
        for (int b = 0; b < B * GROUP; b++) {
            to[b] = alive(F[b]);
            to[B * GROUP + b] = -alive(F[B * GROUP + b]) * minus_over[b % GROUP];
        }
    }
}

static separators separators_of(const band_factors *k, int l)
{
    separators made = group_separators(&k->front, k->reach, l);
    for (int j = 0; j < k->reach; j++)
        for (int b = 0; b < k->reach; b++)
            made.f[j][b] = alive(made.f[j][b]), made.t[j][b] = alive(made.t[j][b]);
    return made;
}

/* By the elimination of partition.h. False: some pivot cannot be trusted. */
static bool factor_group_of(band_factors *k, const pattern *p, const double *values, int number)
{
    bool good = true;
    k->front.factor = k->factor[number];
    group_begin(&k->front, k->reach);
    for (int from = 0; from < k->length; from += PARTITION_TILE) {
        const int rows = k->length - from < PARTITION_TILE ? k->length - from : PARTITION_TILE;
        read_rows(k, p, values, number, from, rows);
        group_down(&k->front, k->reach, k->planes, from, rows);
    }
    keep_spikes(k, number);
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

/* How far spikes reach, in whole chunks, and which chunks equal one before them. */
static void find_chunks(band_factors *k, int number)
{
    factor_group *s = &k->group[number];
    const int     B = k->reach, chunks = (s->inner + FACTOR_CHUNK - 1) / FACTOR_CHUNK;
    const size_t  size = (size_t)FACTOR_CHUNK * (size_t)(2 * B + 1) * GROUP,
                 row = (size_t)(2 * B) * GROUP;
    int *chunk = k->chunk[number], last = s->inner;
    for (int c = 1; c < chunks; c++) {
        const bool same = !memcmp(s->factor + (size_t)c * size,
                                  s->factor + (size_t)chunk[c - 1] * size, size * sizeof(double));
        chunk[c] = same ? chunk[c - 1] : c;
    }
    for (bool dead = true; last > 0 && dead; last -= dead)
        for (size_t q = 0; q < row && dead; q++) dead = s->spike[(size_t)(last - 1) * row + q] == 0;
    last = (last + FACTOR_CHUNK - 1) / FACTOR_CHUNK * FACTOR_CHUNK;
    s->alive = last < s->inner ? last : s->inner;
}

/* Is it tridiagonal, symmetric to the bit, and positive definite, with pivots that lose few
 * digits? */
static bool is_exact(const band_factors *k, const pattern *p, const double *values)
{
    double row[2 * B_MOST + 1] = {0}, right = 0, pivot = 1;
    bool   exact = k->reach == 1;
    for (int i = 0; i < k->n && exact; i++) {
        read_row(k, p, values, i, row);
        const double d = row[1] - row[0] * right / pivot;
        exact = row[0] == right && d * row[1] >= row[1] * row[1] / 4 && (!i || d * pivot > 0);
        right = row[2], pivot = d;
    }
    return exact;
}

bool band_factors_factor(band_factors *k, const pattern *p, const double *values)
{
    const int B = k->reach, w = 2 * B - 1, count = k->groups * GROUP;
    for (int r = 0; r < k->groups; r++)
        if (!factor_group_of(k, p, values, r)) return false;
    memset(k->small, 0, (size_t)(count * B + w) * (size_t)(2 * w + 1) * sizeof *k->small);
    for (int at = 0; at < count; at++)
        separators_enter(&k->separator[at], at + 1 < count ? &k->separator[at + 1] : NULL, B, at,
                         k->small, k->x);
    for (int r = 0; r < k->groups; r++) find_chunks(k, r);
    k->apart = true;
    for (int at = 0; at < count; at++) k->apart &= is_apart(&k->separator[at], B);
    k->exact = is_exact(k, p, values);
    return unpivoted_factor(k->small, count * B, w);
}

/* Right-hand sides. ---------------------------------------------------------------------------- */

/* Separator j of a partition:  r - l.g - C (first unknowns of the next partition, as far as g makes
 * them) */
static inline double separator_side(const separators *own, const factor_group *s, int l,
                                    const double *next, const int B, int j)
{
    double x = s->end[j * GROUP + l];
    for (int b = B; b > j; b--)
        x -= own->l[j][b - 1] * s->g[(ptrdiff_t)(s->inner + j - b) * GROUP + l];
    for (int c = 0; c <= j && next; c++) x -= own->C[j][c] * next[c * GROUP];
    return x;
}

/* Right-hand sides of the separators of a group. */
static inline void group_sides(const band_factors *k, int number, const int B, double *x)
{
    const factor_group *s = &k->group[number], *after = number + 1 < k->groups ? s + 1 : NULL;
    const separators   *own = k->separator + (ptrdiff_t)number * GROUP;
    for (int l = 0; l < GROUP; l++) {
        const double *next = l + 1 < GROUP ? s->sum + l + 1 : after ? after->sum : NULL;
        for (int j = 0; j < B; j++) x[l * B + j] = separator_side(&own[l], s, l, next, B, j);
    }
}

/* The separators as seen by the partitions of the group, and the last one by the first partition of
 * the next group. */
static inline void tell_separators(const band_factors *k, int number, const int B, const double *x)
{
    const factor_group *s = &k->group[number], *after = number + 1 < k->groups ? s + 1 : NULL;
    for (int b = 0; b < B; b++) {
        double *before = s->before + b * GROUP, *next = s->next + b * GROUP;
        for (int l = 0; l < GROUP; l++) next[l] = -x[l * B + b];
        for (int l = 0; l < GROUP; l++) s->separator[b * GROUP + l] = next[l];
        for (int l = 1; l < GROUP; l++) before[l] = next[l - 1];
        if (after) after->before[b * GROUP] = next[GROUP - 1];
    }
}

static inline void join(band_factors *k, const int B, int from, int to)
{
    const int       w = 2 * B - 1;
    const ptrdiff_t each = GROUP * B;
    for (int r = from; r < to; r++) group_sides(k, r, B, k->x + r * each);
    unpivoted_solve(k->small + from * each * (2 * w + 1), (int)((to - from) * each), w,
                    k->x + from * each);
    for (int r = from; r < to; r++) tell_separators(k, r, B, k->x + r * each);
}

/* The reach is a compile-time constant in each instance, so that loops are unrolled. */
static void join_groups(band_factors *k, int from, int to)
{
    switch (k->reach) {
    case 1: join(k, 1, from, to); break;
    case 2: join(k, 2, from, to); break;
    case 3: join(k, 3, from, to); break;
    default: join(k, k->reach, from, to);
    }
}

void band_factors_join(band_factors *k)
{
    join_groups(k, 0, k->groups);
}

void band_factors_join_group(band_factors *k, int number)
{
    join_groups(k, number, number + 1);
}

void band_factors_alternate(band_factors *k, bool turns)
{
    for (int r = 0; r < k->groups; r++) k->group[r].g = k->g[turns ? r % 2 : r];
}
