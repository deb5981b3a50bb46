/* kept.c - factorisation of a band matrix in strands, and the Schur complement system of the
 * joints. */
#include "linalg/kept.h"

#include "linalg/narrow.h"

#include <math.h>
#include <string.h>

enum {
    ROPE_LEAST = 8000, /* rows of a rope, where there are several: two fit the second cache */
    STRAND_LEAST = 24, /* rows of a strand */
    WHOLE = 8          /* rows, in whole numbers of which strands come: lines of the cache */
};
enum { B_MOST = STRANDS_REACH };

static const double DEAD = 1e-60; /* of an unknown in another: what counts as none */

static kept_rope room_for(mem *m, kept_band *k, int number)
{
    const int B = k->reach, inner = k->length - B, chunks = (inner + KEPT_CHUNK - 1) / KEPT_CHUNK;
    k->factor[number] =
        mem_array(m, (size_t)chunks * KEPT_CHUNK * (size_t)(2 * B + 1) * ROPE, double);
    k->spike[number] = mem_array(m, (size_t)inner * (size_t)(2 * B) * ROPE, double);
    k->chunk[number] = mem_array(m, chunks, int);
    k->g[number] = mem_array(m, (size_t)(inner + B) * ROPE, double) + B * ROPE;
    return (kept_rope){.factor = k->factor[number],
                       .spike = k->spike[number],
                       .chunk = k->chunk[number],
                       .g = k->g[number],
                       .sum = mem_array(m, B * ROPE, double),
                       .end = mem_array(m, B * ROPE, double),
                       .before = mem_array(m, B * ROPE, double),
                       .next = mem_array(m, B * ROPE, double),
                       .joint = mem_array(m, B * ROPE, double),
                       .inner = inner};
}

int kept_ropes(int n)
{
    return n / ROPE_LEAST > 1 ? n / ROPE_LEAST : 1;
}

static int rows_of_strand(int n)
{
    const int count = kept_ropes(n) * ROPE;
    return (n + count - 1) / count;
}

bool kept_fits(int n, int reach)
{
    return reach >= 1 && reach <= STRANDS_REACH && rows_of_strand(n) >= STRAND_LEAST;
}

kept_band *kept_new(mem *m, int n, int reach)
{
    const int ropes = kept_ropes(n), count = ropes * ROPE, least = rows_of_strand(n),
              w = 2 * reach - 1;
    kept_band *k = mem_array(m, 1, kept_band);
    *k = (kept_band){
        .n = n, .reach = reach, .ropes = ropes, .length = (least + WHOLE - 1) / WHOLE * WHOLE};
    k->rope = mem_array(m, ropes, kept_rope);
    k->factor = mem_array(m, ropes, double *), k->spike = mem_array(m, ropes, double *);
    k->g = mem_array(m, ropes, double *);
    k->chunk = mem_array(m, ropes, int *);
    k->joint = mem_array(m, count, joints);
    k->front = rope_new(m, k->length, reach);
    k->planes = mem_array(m, ROPE * (2 * reach + 2) * ROPE_PLANE, double);
    k->small = mem_array(m, (count * reach + w) * (2 * w + 1), double);
    k->x = mem_array(m, count * reach + w, double);
    for (int r = 0; r < ropes; r++) k->rope[r] = room_for(m, k, r);
    return k;
}

/* Factors. ------------------------------------------------------------------------------------- */

/* e_-B .. e_B; behind the last row the matrix is the identity. */
static void read_row(const kept_band *k, const pattern *p, const double *values, int i, double *e)
{
    const int B = k->reach;
    for (int q = 0; q <= 2 * B; q++) e[q] = i >= k->n && q == B;
    for (int a = i < k->n ? p->start[i] : 0; i < k->n && a < p->start[i + 1]; a++)
        e[p->column[a] - i + B] = values[a];
}

/* Rows of all strands of a rope as planes, with zeros on the right-hand side. */
static void read_rows(const kept_band *k, const pattern *p, const double *values, int number,
                      int from, int rows)
{
    const int planes = 2 * k->reach + 2;
    double    e[2 * B_MOST + 1];
    for (int l = 0; l < ROPE; l++)
        for (int i = 0; i < rows; i++) {
            double *to = k->planes + l * planes * ROPE_PLANE + i;
            read_row(k, p, values, (number * ROPE + l) * k->length + from + i, e);
            for (int q = 0; q < planes - 1; q++) to[(q + 1) * ROPE_PLANE] = e[q];
        }
}

static double alive(double x)
{
    return fabs(x) < DEAD ? 0 : x;
}

/* Right-hand sides are not divided by pivots as they are eliminated, so t is. */
static void keep_spikes(const kept_band *k, int number)
{
    const int B = k->reach;
    for (ptrdiff_t i = 0; i < k->length - B; i++) {
        const double *F = k->front.spike + i * 2 * B * ROPE;
        const double *minus_over = k->factor[number] + i * (2 * B + 1) * ROPE;
        double       *to = k->spike[number] + i * 2 * B * ROPE;
        for (int b = 0; b < B * ROPE; b++) {
            to[b] = alive(F[b]);
            to[B * ROPE + b] = -alive(F[B * ROPE + b]) * minus_over[b % ROPE];
        }
    }
}

static joints joints_of(const kept_band *k, int l)
{
    joints made = rope_joints(&k->front, k->reach, l);
    for (int j = 0; j < k->reach; j++)
        for (int b = 0; b < k->reach; b++)
            made.f[j][b] = alive(made.f[j][b]), made.t[j][b] = alive(made.t[j][b]);
    return made;
}

/* By the elimination of strands.h. False: some pivot cannot be trusted. */
static bool factor_rope(kept_band *k, const pattern *p, const double *values, int number)
{
    bool good = true;
    k->front.factor = k->factor[number];
    rope_begin(&k->front, k->reach);
    for (int from = 0; from < k->length; from += STRANDS_TILE) {
        const int rows = k->length - from < STRANDS_TILE ? k->length - from : STRANDS_TILE;
        read_rows(k, p, values, number, from, rows);
        rope_down(&k->front, k->reach, k->planes, from, rows);
    }
    keep_spikes(k, number);
    for (int l = 0; l < ROPE; l++) {
        k->joint[number * ROPE + l] = joints_of(k, l);
        good &= k->front.fault[l] == 0;
    }
    return good;
}

/* Do the spikes of s and of S decay before the other end of the strand? */
static bool is_apart(const joints *own, int B)
{
    bool none = true;
    for (int j = 0; j < B; j++)
        for (int b = 0; b < B; b++) none &= own->f[j][b] == 0 && own->t[j][b] == 0;
    return none;
}

/* How far spikes reach, in whole chunks, and which chunks equal one before them. */
static void find_chunks(kept_band *k, int number)
{
    kept_rope   *s = &k->rope[number];
    const int    B = k->reach, chunks = (s->inner + KEPT_CHUNK - 1) / KEPT_CHUNK;
    const size_t size = (size_t)KEPT_CHUNK * (size_t)(2 * B + 1) * ROPE,
                 row = (size_t)(2 * B) * ROPE;
    int *chunk = k->chunk[number], last = s->inner;
    for (int c = 1; c < chunks; c++) {
        const bool same = !memcmp(s->factor + (size_t)c * size,
                                  s->factor + (size_t)chunk[c - 1] * size, size * sizeof(double));
        chunk[c] = same ? chunk[c - 1] : c;
    }
    for (bool dead = true; last > 0 && dead; last -= dead)
        for (size_t q = 0; q < row && dead; q++) dead = s->spike[(size_t)(last - 1) * row + q] == 0;
    last = (last + KEPT_CHUNK - 1) / KEPT_CHUNK * KEPT_CHUNK;
    s->alive = last < s->inner ? last : s->inner;
}

/* Is it tridiagonal, symmetric to the bit, and positive definite, with pivots that lose few
 * digits? */
static bool is_exact(const kept_band *k, const pattern *p, const double *values)
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

bool kept_factor(kept_band *k, const pattern *p, const double *values)
{
    const int B = k->reach, w = 2 * B - 1, count = k->ropes * ROPE;
    for (int r = 0; r < k->ropes; r++)
        if (!factor_rope(k, p, values, r)) return false;
    memset(k->small, 0, (size_t)(count * B + w) * (size_t)(2 * w + 1) * sizeof *k->small);
    for (int at = 0; at < count; at++)
        joints_enter(&k->joint[at], at + 1 < count ? &k->joint[at + 1] : NULL, B, at, k->small, k->x);
    for (int r = 0; r < k->ropes; r++) find_chunks(k, r);
    k->apart = true;
    for (int at = 0; at < count; at++) k->apart &= is_apart(&k->joint[at], B);
    k->exact = is_exact(k, p, values);
    return narrow_factor(k->small, count * B, w);
}

/* Right-hand sides. ---------------------------------------------------------------------------- */

/* Joint j of a strand:  r - l.g - C (first unknowns of the next strand, as far as g makes them) */
static inline double joint_side(const joints *own, const kept_rope *s, int l,
                                const double *next, const int B, int j)
{
    double x = s->end[j * ROPE + l];
    for (int b = B; b > j; b--)
        x -= own->l[j][b - 1] * s->g[(ptrdiff_t)(s->inner + j - b) * ROPE + l];
    for (int c = 0; c <= j && next; c++) x -= own->C[j][c] * next[c * ROPE];
    return x;
}

/* Right-hand sides of the joints of a rope. */
static inline void rope_sides(const kept_band *k, int number, const int B, double *x)
{
    const kept_rope  *s = &k->rope[number], *after = number + 1 < k->ropes ? s + 1 : NULL;
    const joints *own = k->joint + (ptrdiff_t)number * ROPE;
    for (int l = 0; l < ROPE; l++) {
        const double *next = l + 1 < ROPE ? s->sum + l + 1 : after ? after->sum : NULL;
        for (int j = 0; j < B; j++) x[l * B + j] = joint_side(&own[l], s, l, next, B, j);
    }
}

/* The joints as seen by the strands of the rope, and the last one by the first strand of the next
 * rope. */
static inline void tell_joints(const kept_band *k, int number, const int B, const double *x)
{
    const kept_rope *s = &k->rope[number], *after = number + 1 < k->ropes ? s + 1 : NULL;
    for (int b = 0; b < B; b++) {
        double *before = s->before + b * ROPE, *next = s->next + b * ROPE;
        for (int l = 0; l < ROPE; l++) next[l] = -x[l * B + b];
        for (int l = 0; l < ROPE; l++) s->joint[b * ROPE + l] = next[l];
        for (int l = 1; l < ROPE; l++) before[l] = next[l - 1];
        if (after) after->before[b * ROPE] = next[ROPE - 1];
    }
}

static inline void join(kept_band *k, const int B, int from, int to)
{
    const int       w = 2 * B - 1;
    const ptrdiff_t each = ROPE * B;
    for (int r = from; r < to; r++) rope_sides(k, r, B, k->x + r * each);
    narrow_solve(k->small + from * each * (2 * w + 1), (int)((to - from) * each), w,
                 k->x + from * each);
    for (int r = from; r < to; r++) tell_joints(k, r, B, k->x + r * each);
}

/* The reach is a compile-time constant in each instance, so that loops are unrolled. */
static void join_ropes(kept_band *k, int from, int to)
{
    switch (k->reach) {
    case 1: join(k, 1, from, to); break;
    case 2: join(k, 2, from, to); break;
    case 3: join(k, 3, from, to); break;
    default: join(k, k->reach, from, to);
    }
}

void kept_join(kept_band *k)
{
    join_ropes(k, 0, k->ropes);
}

void kept_join_rope(kept_band *k, int number)
{
    join_ropes(k, number, number + 1);
}

void kept_alternate(kept_band *k, bool turns)
{
    for (int r = 0; r < k->ropes; r++) k->rope[r].g = k->g[turns ? r % 2 : r];
}
