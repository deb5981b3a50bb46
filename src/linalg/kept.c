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
static const double GROWTH =
    16; /* of a pivot over its row, above which rows might have to be exchanged   */
static const double LEAST =
    1e-6; /* a pivot smaller than this part of its row might be one that cancelled */

/* The joints of a strand after elimination of all rows above them in it, and its first unknowns:
 *
 *     F.s + E S + C (first unknowns of the next strand) = r - l.g,      x_j = sum_i t_ji g_i -
 * tf_j.s + t_j.S */
struct kept_joint {
    double l[B_MOST][B_MOST], F[B_MOST][B_MOST], E[B_MOST][B_MOST], C[B_MOST][B_MOST];
    double t[B_MOST][B_MOST], tf[B_MOST][B_MOST];
};

static kept_rope rope_new(mem *m, kept_band *k, int number)
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
    k->joint = mem_array(m, count, kept_joint);
    k->small = mem_array(m, (count * reach + w) * (2 * w + 1), double);
    k->x = mem_array(m, count * reach + w, double);
    for (int r = 0; r < ropes; r++) k->rope[r] = rope_new(m, k, r);
    return k;
}

/* Factors. ------------------------------------------------------------------------------------- */

typedef struct { /* of the rows above in one strand, the nearest first; x_-k = s_{B-k} before the
                    first one */
    double u[B_MOST][B_MOST], f[B_MOST][B_MOST], t[B_MOST][B_MOST];
    double over[B_MOST]; /* 1/d */
} front;

static front front_new(int B)
{
    front a = {{{0}}, {{0}}, {{0}}, {0}};
    for (int k = 1; k <= B; k++) a.f[k - 1][B - k] = -1;
    return a;
}

/* e_-B .. e_B; behind the last row the matrix is the identity. */
static void read_row(const kept_band *k, const pattern *p, const double *values, int i, double *e)
{
    const int B = k->reach;
    for (int q = 0; q <= 2 * B; q++) e[q] = i >= k->n && q == B;
    for (int a = i < k->n ? p->start[i] : 0; i < k->n && a < p->start[i + 1]; a++)
        e[p->column[a] - i + B] = values[a];
}

static double alive(double x)
{
    return fabs(x) < DEAD ? 0 : x;
}

static bool is_sound(double pivot, const double *e, int B)
{
    double size = 0;
    for (int q = 0; q <= 2 * B; q++) size += fabs(e[q]);
    return fabs(pivot) > LEAST * size && fabs(pivot) <= GROWTH * size;
}

static void move_on(front *a, int B, const double *u, const double *f, const double *t, double over)
{
    const size_t size = sizeof a->u[0];
    for (int k = B - 1; k > 0; k--) {
        memcpy(a->u[k], a->u[k - 1], size), memcpy(a->f[k], a->f[k - 1], size);
        memcpy(a->t[k], a->t[k - 1], size), a->over[k] = a->over[k - 1];
    }
    a->over[0] = over;
    memcpy(a->u[0], u, size), memcpy(a->f[0], f, size), memcpy(a->t[0], t, size);
}

/* Factors row i of strand l. False: its pivot cannot be trusted. */
static bool factor_row(const kept_band *k, int number, int l, int i, const double *row, front *a,
                       kept_joint *out)
{
    const int B = k->reach;
    double   *keep = k->factor[number] + (size_t)i * (size_t)(2 * B + 1) * ROPE + l;
    double   *spike = k->spike[number] + (size_t)i * (size_t)(2 * B) * ROPE + l;
    double    e[2 * B_MOST + 1], f[B_MOST] = {0}, t[B_MOST] = {0}, u[B_MOST] = {0};
    memcpy(e, row, sizeof e);
    for (int j = B; j > 0; j--) {
        for (int q = 0; q < B; q++) e[B - j + 1 + q] -= e[B - j] * a->u[j - 1][q];
        for (int b = 0; b < B; b++)
            f[b] -= e[B - j] * a->f[j - 1][b], t[b] -= a->t[j - 1][b] * a->u[j - 1][j - 1];
    }
    const double over = 1 / e[B];
    keep[0] = -over;
    for (int j = 1; j <= B; j++)
        keep[j * ROPE] = e[B - j] * a->over[j - 1],
                  keep[(B + j) * ROPE] = u[j - 1] = e[B + j] * over;
    if (i < B) t[i] += 1;
    for (int b = 0; b < B; b++) {
        spike[b * ROPE] = f[b] = alive(f[b] * over), t[b] = alive(t[b]);
        spike[(B + b) * ROPE] = t[b] * over;
    }
    for (int j = 0; j < B; j++)
        for (int b = 0; b < B; b++) out->tf[j][b] += t[j] * f[b];
    move_on(a, B, u, f, t, over);
    return is_sound(e[B], row, B);
}

/* Factors joint j; the rows above it are those of the front, the nearest joint j rows ago. */
static void factor_joint(int B, int j, const double *row, const front *a, kept_joint *out)
{
    double e[2 * B_MOST + 1];
    memcpy(e, row, sizeof e);
    for (int k = B; k > j; k--) {
        const double m = e[B - k], *u = a->u[k - 1 - j];
        out->l[j][k - 1] = m * a->over[k - 1 - j];
        for (int q = 0; q < B; q++) e[B - k + 1 + q] -= m * u[q];
        for (int b = 0; b < B; b++)
            out->F[j][b] -= m * a->f[k - 1 - j][b], out->t[b][j] -= a->t[k - 1 - j][b] * u[k - 1];
    }
    for (int c = 0; c < B; c++) out->E[j][c] = e[B + c - j];
    for (int c = 0; c <= j; c++) out->C[j][c] = e[2 * B + c - j];
}

static bool factor_strand(kept_band *k, const pattern *p, const double *values, int at)
{
    const int   B = k->reach, inner = k->length - B, first = at * k->length;
    kept_joint *out = &k->joint[at];
    front       a = front_new(B);
    double      row[2 * B_MOST + 1] = {0};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < inner; i++) {
        read_row(k, p, values, first + i, row);
        if (!factor_row(k, at / ROPE, at % ROPE, i, row, &a, out)) return false;
    }
    for (int j = 0; j < B; j++) {
        read_row(k, p, values, first + inner + j, row);
        factor_joint(B, j, row, &a, out);
    }
    return true;
}

/* The rows of strand `at` in the Schur complement, with 2 B - 1 entries on either side of the
 * diagonal. */
static void enter(const kept_band *k, int at, const kept_joint *own, const kept_joint *next)
{
    const int B = k->reach, w = 2 * B - 1;
    for (int j = 0; j < B; j++) {
        double *row = k->small + (ptrdiff_t)(at * B + j) * (2 * w + 1) + w - j;
        for (int b = 0; b < B && at; b++) row[b - B] = own->F[j][b];
        for (int b = 0; b < B; b++) row[b] = own->E[j][b];
        for (int c = 0; c <= j && next; c++)
            for (int b = 0; b < B; b++)
                row[b] -= own->C[j][c] * next->tf[c][b], row[b + B] += own->C[j][c] * next->t[c][b];
    }
}

/* Do the spikes of s and of S decay before the other end of the strand? */
static bool is_apart(const kept_joint *own, int B)
{
    bool none = true;
    for (int j = 0; j < B; j++)
        for (int b = 0; b < B; b++) none &= own->F[j][b] == 0 && own->t[j][b] == 0;
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
    for (int at = 0; at < count; at++)
        if (!factor_strand(k, p, values, at)) return false;
    memset(k->small, 0, (size_t)(count * B + w) * (size_t)(2 * w + 1) * sizeof *k->small);
    for (int at = 0; at < count; at++)
        enter(k, at, &k->joint[at], at + 1 < count ? &k->joint[at + 1] : NULL);
    for (int r = 0; r < k->ropes; r++) find_chunks(k, r);
    k->apart = true;
    for (int at = 0; at < count; at++) k->apart &= is_apart(&k->joint[at], B);
    k->exact = is_exact(k, p, values);
    return narrow_factor(k->small, count * B, w);
}

/* Right-hand sides. ---------------------------------------------------------------------------- */

/* Joint j of a strand:  r - l.g - C (first unknowns of the next strand, as far as g makes them) */
static inline double joint_side(const kept_joint *own, const kept_rope *s, int l,
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
    const kept_joint *own = k->joint + (ptrdiff_t)number * ROPE;
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
