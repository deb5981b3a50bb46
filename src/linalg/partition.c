/* partition.c - the division into partitions and groups, their storage, and the Schur complement
 * system of the separators. */
#include "linalg/partition.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    GROUP_ROWS = 24576,  /* of one of several groups: most stays in cache, few rows have spikes */
    GROUP_LEAST = 16384, /* of one of two groups                       */
    PARTITION_LEAST = 24 /* of a partition                               */
};

/* What a group knows of its separators. */
static group group_of_separators(mem *m, int length, int B)
{
    group made = {.length = length}, *s = &made;
    s->sum = mem_array(m, B * (B + 1) * GROUP, double);
    s->end = mem_array(m, B * (2 * B + 2) * GROUP, double);
    s->fault = mem_array(m, GROUP, double);
    s->before = mem_array(m, B * GROUP, double);
    s->next = mem_array(m, B * GROUP, double);
    s->separator = mem_array(m, B * GROUP, double);
    return made;
}

group group_new(mem *m, int length, int B)
{
    const int rows = length + B;
    group     made = group_of_separators(m, length, B), *s = &made;
    s->row = mem_array(m, (size_t)rows * (size_t)(B + 1) * GROUP, double) + B * (B + 1) * GROUP;
    s->spike = mem_array(m, (size_t)rows * (size_t)(2 * B) * GROUP, double) + B * 2 * B * GROUP;
    for (int k = 1; k <= B; k++) /* x_-k = s_B-k */
        for (int l = 0; l < GROUP; l++) s->spike[(-k * 2 * B + B - k) * GROUP + l] = -1;
    return made;
}

/* In whole sites. */
static int length_of(int n, int groups, int site)
{
    const int sites = groups * GROUP * site;
    return (n + sites - 1) / sites * site;
}

/* As many groups as there are rows for. */
static int groups_of(int n)
{
    const int few = n < 2 * GROUP_LEAST ? 1 : 2;
    return n / GROUP_ROWS > few ? n / GROUP_ROWS : few;
}

bool partitions_fit(int n, int reach, int groups)
{
    return reach >= 1 && reach <= PARTITION_REACH && length_of(n, groups, 1) >= PARTITION_LEAST;
}

/* Without groups. */
static partitions divide(mem *m, int n, int reach, int groups, int site)
{
    const int w = 2 * reach - 1, count = groups * GROUP * reach;
    return (partitions){.n = n,
                        .reach = reach,
                        .groups = groups,
                        .length = length_of(n, groups, site),
                        .group = mem_array(m, groups, group),
                        .small = band_new(m, count, w, w),
                        .x = mem_array(m, count, double)};
}

partitions partitions_divide(mem *m, int n, int reach, int groups, int site)
{
    const partitions s = divide(m, n, reach, groups, site);
    for (int k = 0; k < groups; k++) s.group[k] = group_of_separators(m, s.length, reach);
    return s;
}

partitions *partitions_new(mem *m, int n, int reach, int site)
{
    const int groups = groups_of(n);
    if (!partitions_fit(n, reach, groups)) return NULL;
    partitions *s = mem_array(m, 1, partitions);
    *s = divide(m, n, reach, groups, site);
    for (int k = 0; k < groups; k++) s->group[k] = group_new(m, s->length, reach);
    return s;
}

static void eliminate_separator(const group *s, int B, int l, int j, separators *out)
{
    double e[2 * PARTITION_REACH + 2] = {0};
    for (int q = 0; q < 2 * B + 2; q++)
        e[q] = s->end[(j * (2 * B + 2) + (q + 1) % (2 * B + 2)) * GROUP + l];
    for (int k = B; k > j; k--) {
        const int     i = s->length - B + j - k;
        const double *U = s->row + (ptrdiff_t)i * (B + 1) * GROUP + l,
                     *F = s->spike + (ptrdiff_t)i * 2 * B * GROUP + l;
        if (s->factor)
            out->l[j][k - 1] = e[B - k] * s->factor[(ptrdiff_t)i * (2 * B + 1) * GROUP + l];
        for (int q = 0; q < B; q++) e[B - k + 1 + q] -= e[B - k] * U[q * GROUP];
        e[2 * B + 1] -= e[B - k] * U[B * GROUP];
        for (int b = 0; b < B && i < s->alive; b++) {
            out->f[j][b] -= e[B - k] * F[b * GROUP];
            out->t[b][j] -= F[(B + b) * GROUP] * U[(k - 1) * GROUP];
        }
    }
    out->g[j] = e[2 * B + 1];
    for (int c = 0; c < B; c++) out->E[j][c] = e[B + c - j];
    for (int c = 0; c <= j; c++) out->C[j][c] = e[2 * B + c - j];
}

separators group_separators(const group *s, int B, int l)
{
    separators out;
    memset(&out, 0, sizeof out);
    for (int j = 0; j < B; j++) {
        eliminate_separator(s, B, l, j, &out);
        out.tg[j] = s->sum[j * GROUP + l];
        for (int b = 0; b < B; b++) out.tf[j][b] = s->sum[(B + j * B + b) * GROUP + l];
    }
    return out;
}

void separators_enter(const separators *own, const separators *next, int B, int at,
                      const band *small, double *x)
{
    for (int j = 0; j < B; j++) {
        double *row = band_entry(small, at * B + j, at * B), *g = &x[at * B + j];
        for (int b = 0; b < B && at; b++) row[b - B] = own->f[j][b];
        for (int b = 0; b < B; b++) row[b] = own->E[j][b];
        *g = own->g[j];
        for (int c = 0; c <= j && next; c++) {
            *g -= own->C[j][c] * next->tg[c];
            for (int b = 0; b < B; b++) row[b] -= own->C[j][c] * next->tf[c][b];
            for (int b = 0; b < B; b++) row[b + B] += own->C[j][c] * next->t[c][b];
        }
    }
}

static void gather(const partitions *s)
{
    const int  B = s->reach, count = s->groups * GROUP;
    separators own = group_separators(s->group, B, 0), after = own;
    band_clear(&s->small);
    for (int at = 0; at < count; at++, own = after) {
        const int k = at + 1, last = k == count;
        if (!last) after = group_separators(&s->group[k / GROUP], B, k % GROUP);
        separators_enter(&own, last ? NULL : &after, B, at, &s->small, s->x);
    }
}

static partition_end judge(const partitions *s)
{
    const int count = s->groups * GROUP;
    for (int k = 0; k < count; k++)
        if (s->group[k / GROUP].fault[k % GROUP] > 0) return PARTITIONS_PIVOTS;
    for (int k = 0; k < count * s->reach; k++)
        if (!(fabs(s->x[k]) <= DBL_MAX)) return PARTITIONS_NOT_FINITE;
    return PARTITIONS_JOINED;
}

/* As for pivots in a partition (step/partition.h). */
bool partitions_factor(const partitions *s)
{
    static const double LOST = 1e-6;
    return band_factor(&s->small, LOST);
}

void partitions_solve(const partitions *s, int from, int to)
{
    const int B = s->reach;
    band_solve(&s->small, s->x, from * GROUP * B, to * GROUP * B);
    for (int at = from * GROUP; at < to * GROUP; at++)
        for (int b = 0; b < B; b++) {
            const group *r = &s->group[at / GROUP];
            const int    k = b * GROUP + at % GROUP;
            r->before[k] = at ? s->x[(at - 1) * B + b] : 0;
            r->next[k] = r->separator[k] = s->x[at * B + b];
        }
}

partition_end partitions_join(partitions *s)
{
    gather(s);
    partition_end end = judge(s);
    if (end == PARTITIONS_JOINED && !partitions_factor(s)) end = PARTITIONS_PIVOTS;
    if (end != PARTITIONS_JOINED) return end;
    partitions_solve(s, 0, s->groups);
    return PARTITIONS_JOINED;
}
