/* strands.c - the partition into strands and ropes, their storage, and the Schur complement system
 * of the joints. */
#include "linalg/strands.h"

#include "linalg/narrow.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROPE_ROWS = 24576,  /* of one of several ropes: most stays in cache, few rows have spikes */
    ROPE_LEAST = 16384, /* of one of two ropes                       */
    STRAND_LEAST = 24   /* of a strand                               */
};

rope rope_new(mem *m, int length, int B)
{
    const int rows = length + B;
    rope      made = {.length = length}, *s = &made;
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
    return made;
}

/* In whole sites. */
static int length_of(int n, int ropes, int site)
{
    const int sites = ropes * ROPE * site;
    return (n + sites - 1) / sites * site;
}

/* As many ropes as there are rows for. */
static int ropes_of(int n)
{
    const int few = n < 2 * ROPE_LEAST ? 1 : 2;
    return n / ROPE_ROWS > few ? n / ROPE_ROWS : few;
}

strands *strands_new(mem *m, int n, int reach, int site)
{
    const int ropes = ropes_of(n), length = length_of(n, ropes, site), w = 2 * reach - 1;
    if (reach < 1 || reach > STRANDS_REACH || length < STRAND_LEAST) return NULL;
    const int count = ropes * ROPE;
    strands  *s = mem_array(m, 1, strands);
    *s = (strands){.n = n, .reach = reach, .ropes = ropes, .length = length};
    s->rope = mem_array(m, ropes, rope);
    for (int k = 0; k < ropes; k++) s->rope[k] = rope_new(m, length, reach);
    s->small = mem_array(m, (count * reach + w) * (2 * w + 1), double);
    s->x = mem_array(m, count * reach + w, double);
    return s;
}

static void eliminate_joint(const rope *s, int B, int l, int j, joints *out)
{
    double e[2 * STRANDS_REACH + 2] = {0};
    for (int q = 0; q < 2 * B + 2; q++)
        e[q] = s->end[(j * (2 * B + 2) + (q + 1) % (2 * B + 2)) * ROPE + l];
    for (int k = B; k > j; k--) {
        const int     i = s->length - B + j - k;
        const double *U = s->row + (ptrdiff_t)i * (B + 1) * ROPE + l,
                     *F = s->spike + (ptrdiff_t)i * 2 * B * ROPE + l;
        if (s->factor)
            out->l[j][k - 1] = -e[B - k] * s->factor[(ptrdiff_t)i * (2 * B + 1) * ROPE + l];
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

joints rope_joints(const rope *s, int B, int l)
{
    joints out;
    memset(&out, 0, sizeof out);
    for (int j = 0; j < B; j++) {
        eliminate_joint(s, B, l, j, &out);
        out.tg[j] = s->sum[j * ROPE + l];
        for (int b = 0; b < B; b++) out.tf[j][b] = s->sum[(B + j * B + b) * ROPE + l];
    }
    return out;
}

void joints_enter(const joints *own, const joints *next, int B, int at, double *small, double *x)
{
    const int w = 2 * B - 1;
    for (int j = 0; j < B; j++) {
        double *row = small + (ptrdiff_t)(at * B + j) * (2 * w + 1) + w - j, *g = &x[at * B + j];
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

static void gather(const strands *s)
{
    const int B = s->reach, w = 2 * B - 1, count = s->ropes * ROPE;
    joints    own = rope_joints(s->rope, B, 0), after = own;
    memset(s->small, 0, (size_t)(count * B + w) * (size_t)(2 * w + 1) * sizeof *s->small);
    for (int at = 0; at < count; at++, own = after) {
        const int k = at + 1, last = k == count;
        if (!last) after = rope_joints(&s->rope[k / ROPE], B, k % ROPE);
        joints_enter(&own, last ? NULL : &after, B, at, s->small, s->x);
    }
}

static strands_end judge(const strands *s)
{
    const int count = s->ropes * ROPE;
    for (int k = 0; k < count; k++)
        if (s->rope[k / ROPE].fault[k % ROPE] > 0) return STRANDS_PIVOTS;
    for (int k = 0; k < count * s->reach; k++)
        if (!(fabs(s->x[k]) <= DBL_MAX)) return STRANDS_NOT_FINITE;
    return STRANDS_JOINED;
}

/* Gives every strand the joints that it begins and ends with. */
static void hand_out(const strands *s)
{
    const int B = s->reach;
    for (int at = 0; at < s->ropes * ROPE; at++)
        for (int b = 0; b < B; b++) {
            const rope *r = &s->rope[at / ROPE];
            const int   k = b * ROPE + at % ROPE;
            r->before[k] = at ? s->x[(at - 1) * B + b] : 0;
            r->next[k] = r->joint[k] = s->x[at * B + b];
        }
}

strands_end strands_join(strands *s)
{
    const int n = s->ropes * ROPE * s->reach, w = 2 * s->reach - 1;
    gather(s);
    strands_end end = judge(s);
    if (end == STRANDS_JOINED && !narrow_factor(s->small, n, w)) end = STRANDS_PIVOTS;
    if (end != STRANDS_JOINED) return end;
    narrow_solve(s->small, n, w, s->x);
    hand_out(s);
    return STRANDS_JOINED;
}
