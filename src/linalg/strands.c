/* strands.c - how strands are cut and joined: room for them, and the small system of their joints. */
#include "linalg/strands.h"

#include "linalg/narrow.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROPE_LEAST = 8192, /* rows of a rope, where there are several of them for threads to share */
    ROPES_MOST = 8,
    STRAND_LEAST = 24 /* rows of a strand */
};

static void make_rope(mem *m, rope *s, int length, int B)
{
    const int rows = length + B;
    *s = (rope){.length = length};
    s->row = mem_array(m, (size_t)rows * (size_t)(B + 1) * ROPE, double) + B * (B + 1) * ROPE;
    s->spike = mem_array(m, (size_t)rows * (size_t)(2 * B) * ROPE, double) + B * 2 * B * ROPE;
    s->sum = mem_array(m, B * (B + 1) * ROPE, double);
    s->end = mem_array(m, B * (2 * B + 2) * ROPE, double);
    s->fault = mem_array(m, ROPE, double);
    s->before = mem_array(m, B * ROPE, double);
    s->next = mem_array(m, B * ROPE, double);
    s->joint = mem_array(m, B * ROPE, double);
    for (int k = 1; k <= B; k++) /* x_-k = s_B-k */
        for (int l = 0; l < ROPE; l++) s->spike[(-k * 2 * B + B - k) * ROPE + l] = -1;
}

strands *strands_new(mem *m, int n, int reach, int site)
{
    int ropes = n / ROPE_LEAST;
    ropes = ropes < 1 ? 1 : ropes > ROPES_MOST ? ROPES_MOST : ropes;
    const int count = ropes * ROPE, sites = count * site, length = (n + sites - 1) / sites * site,
              w = 2 * reach - 1;
    if (reach < 1 || reach > STRANDS_REACH || length < STRAND_LEAST) return NULL;
    strands *s = mem_array(m, 1, strands);
    *s = (strands){.n = n, .reach = reach, .ropes = ropes, .length = length};
    s->rope = mem_array(m, ropes, rope);
    for (int k = 0; k < ropes; k++) make_rope(m, &s->rope[k], length, reach);
    s->small = mem_array(m, (count * reach + w) * (2 * w + 1), double);
    s->x = mem_array(m, count * reach + w, double);
    return s;
}

/* Of strand l of a rope: its joints with all that is above them in the strand eliminated,
 *
 *     f.s + E S + C (first unknowns of the next strand) = g,      and t_j of the first unknowns, which give S. */
typedef struct {
    double f[STRANDS_REACH][STRANDS_REACH], E[STRANDS_REACH][STRANDS_REACH],
        C[STRANDS_REACH][STRANDS_REACH];
    double g[STRANDS_REACH], t[STRANDS_REACH][STRANDS_REACH];
} joints;

static void eliminate_joint(const rope *s, int B, int l, int j, joints *out)
{
    double e[2 * STRANDS_REACH + 2] = {0};
    for (int q = 0; q < 2 * B + 2; q++)
        e[q] = s->end[(j * (2 * B + 2) + (q + 1) % (2 * B + 2)) * ROPE + l];
    for (int k = B; k > j; k--) {
        const int     i = s->length - B + j - k;
        const double *U = s->row + (ptrdiff_t)i * (B + 1) * ROPE + l,
                     *F = s->spike + (ptrdiff_t)i * 2 * B * ROPE + l;
        for (int q = 0; q < B; q++) e[B - k + 1 + q] -= e[B - k] * U[q * ROPE];
        e[2 * B + 1] -= e[B - k] * U[B * ROPE];
        for (int b = 0; b < B && i < s->alive; b++) {
            out->f[j][b] -= e[B - k] * F[b * ROPE];
            out->t[b][j] -= F[(B + b) * ROPE] * U[(k - 1) * ROPE];
        }
    }
    out->g[j] = e[2 * B + 1];
    for (int c = 0; c < B; c++) out->E[j][c] = e[B + c - j];
    for (int c = 0; c <= j; c++) out->C[j][c] = e[2 * B + c - j];
}

/* Rows of strand `at` in the small system, of 2 B - 1 entries on either side. */
static void enter(const strands *s, int at, const joints *own, const joints *next,
                  const rope *of_next, int l)
{
    const int B = s->reach, w = 2 * B - 1;
    for (int j = 0; j < B; j++) {
        double *row = s->small + (ptrdiff_t)(at * B + j) * (2 * w + 1) + w - j,
               *g = &s->x[at * B + j];
        for (int b = 0; b < B && at; b++) row[b - B] = own->f[j][b];
        for (int b = 0; b < B; b++) row[b] = own->E[j][b];
        *g = own->g[j];
        for (int c = 0; c <= j && next; c++) {
            const double *sum = of_next->sum + l;
            *g -= own->C[j][c] * sum[c * ROPE];
            for (int b = 0; b < B; b++) row[b] -= own->C[j][c] * sum[(B + c * B + b) * ROPE];
            for (int b = 0; b < B; b++) row[b + B] += own->C[j][c] * next->t[c][b];
        }
    }
}

static void joints_of(const strands *s, int at, joints *out)
{
    memset(out, 0, sizeof *out);
    for (int j = 0; j < s->reach; j++)
        eliminate_joint(&s->rope[at / ROPE], s->reach, at % ROPE, j, out);
}

static strands_end judge(const strands *s, int count)
{
    for (int k = 0; k < s->ropes; k++)
        for (int l = 0; l < ROPE; l++)
            if (s->rope[k].fault[l] > 0) return STRANDS_PIVOTS;
    for (int k = 0; k < count * s->reach; k++)
        if (!(fabs(s->x[k]) <= DBL_MAX)) return STRANDS_NOT_FINITE;
    return STRANDS_JOINED;
}

/* To every strand what it begins and ends with. */
static void hand_out(const strands *s, int count)
{
    const int B = s->reach;
    for (int at = 0; at < count; at++) {
        const rope *r = &s->rope[at / ROPE];
        for (int b = 0; b < B; b++) {
            const int k = b * ROPE + at % ROPE;
            r->before[k] = at ? s->x[(at - 1) * B + b] : 0;
            r->next[k] = r->joint[k] = s->x[at * B + b];
        }
    }
}

strands_end strands_join(strands *s)
{
    const int B = s->reach, w = 2 * B - 1, count = s->ropes * ROPE;
    joints    two[2];
    memset(s->small, 0, (size_t)(count * B + w) * (size_t)(2 * w + 1) * sizeof *s->small);
    joints_of(s, 0, &two[0]);
    for (int at = 0; at < count; at++) {
        const int after = at + 1;
        if (after < count) joints_of(s, after, &two[after % 2]);
        enter(s, at, &two[at % 2], after < count ? &two[after % 2] : NULL,
              after < count ? &s->rope[after / ROPE] : NULL, after % ROPE);
    }
    strands_end end = judge(s, count);
    if (end == STRANDS_JOINED && !narrow_factor(s->small, count * B, w)) end = STRANDS_PIVOTS;
    if (end != STRANDS_JOINED) return end;
    narrow_solve(s->small, count * B, w, s->x);
    hand_out(s, count);
    return STRANDS_JOINED;
}
