/* kept_rows.c - forward elimination of right-hand sides and back substitution over eight strands:
 * here row by row, and as text in vectors, with blocks of four by four numbers transposed. The same
 * operations in the same order, so the same bits. */
#include "base/code_and_text.h"
#include "linalg/kept.h"

static const double *factors_of(const kept_rope *s, int reach, int i)
{
    const ptrdiff_t row = (ptrdiff_t)s->chunk[i / KEPT_CHUNK] * KEPT_CHUNK + i % KEPT_CHUNK;
    return s->factor + row * (2 * reach + 1) * ROPE;
}

void kept_begin(const kept_rope *s, int reach)
{
    for (int k = 0; k < reach * ROPE; k++) s->sum[k] = 0;
}

void kept_down(const kept_rope *s, int reach, const double *r, int from, int rows)
{
    const int B = reach, inner = s->inner - from < rows ? s->inner - from : rows;
    for (int i = 0; i < inner; i++) {
        const double *F = factors_of(s, B, from + i),
                     *T = s->spike + (ptrdiff_t)(from + i) * 2 * B * ROPE + B * ROPE;
        double *g = s->g + (ptrdiff_t)(from + i) * ROPE;
        for (int l = 0; l < ROPE; l++) {
            g[l] = r[l * KEPT_PLANE + i];
            for (int b = B; b > 0; b--) g[l] -= F[b * ROPE + l] * g[l - b * ROPE];
            for (int b = 0; b < B && from + i < s->alive; b++)
                s->sum[b * ROPE + l] += T[b * ROPE + l] * g[l];
        }
    }
    for (int i = inner; i < rows; i++)
        for (int l = 0; l < ROPE; l++) s->end[(i - inner) * ROPE + l] = r[l * KEPT_PLANE + i];
}

void kept_up(const kept_rope *s, int reach, int from, int rows, double *x)
{
    const int B = reach, inner = s->inner - from < rows ? s->inner - from : rows;
    for (int i = inner; i < rows; i++)
        for (int l = 0; l < ROPE; l++) x[l * KEPT_PLANE + i] = s->joint[(i - inner) * ROPE + l];
    for (int i = inner - 1; i >= 0; i--) {
        const double *U = factors_of(s, B, from + i) + B * ROPE,
                     *F = s->spike + (ptrdiff_t)(from + i) * 2 * B * ROPE;
        const double *g = s->g + (ptrdiff_t)(from + i) * ROPE;
        for (int l = 0; l < ROPE; l++) {
            double at = g[l] * U[l - B * ROPE];
            for (int b = B; b > 0; b--) at -= U[b * ROPE + l] * s->next[(b - 1) * ROPE + l];
            for (int b = 0; b < B && from + i < s->alive; b++)
                at -= F[b * ROPE + l] * s->before[b * ROPE + l];
            for (int b = B - 1; b > 0; b--) s->next[b * ROPE + l] = s->next[(b - 1) * ROPE + l];
            x[l * KEPT_PLANE + i] = s->next[l] = at;
        }
    }
}

/* Text. ---------------------------------------------------------------------------------------- */

static const char VECTORS[] =
    "typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));\n"
    "typedef long long l4 __attribute__((vector_size(32), aligned(8), may_alias));\n"
    "#define V(p) (*(v4 *)(p))\n"
    "#define MIX(...) __builtin_shufflevector(__VA_ARGS__)\n"
    "#define TWICE _Pragma(\"GCC unroll 2\")\n"
    "static inline void turn(v4 *r)\n"
    "{\n"
    "    const v4 a = MIX(r[0], r[1], 0, 4, 2, 6), b = MIX(r[0], r[1], 1, 5, 3, 7);\n"
    "    const v4 c = MIX(r[2], r[3], 0, 4, 2, 6), d = MIX(r[2], r[3], 1, 5, 3, 7);\n"
    "    r[0] = MIX(a, c, 0, 1, 4, 5), r[1] = MIX(b, d, 0, 1, 4, 5);\n"
    "    r[2] = MIX(a, c, 2, 3, 6, 7), r[3] = MIX(b, d, 2, 3, 6, 7);\n"
    "}\n"
    "static inline const double *factors_of(const kept_rope *s, int i)\n"
    "{\n"
    "    return s->factor + ((long)s->chunk[i / KEPT_CHUNK] * KEPT_CHUNK + i % KEPT_CHUNK) * ((2 * "
    "B + 1) * ROPE);\n"
    "}\n"
    "static inline int smaller(int a, int b) { return a < b ? a : b; }\n";

/* Chunk by chunk and four rows at a time; the last four may contain joints. */
static const char DOWN[] =
    "static inline void down_four(const double *r, const int rows, const double *F,\n"
    "                             const double *T, double *g, v4 G[B][2], v4 A[B][2],\n"
    "                             const int spikes)\n"
    "{\n"
    "    v4 R[2][4];\n"
    "    for (int l = 0; l < ROPE; l++) R[l / 4][l % 4] = V(r + l * KEPT_PLANE);\n"
    "    turn(R[0]), turn(R[1]);\n"
    "    for (int k = 0; k < rows; k++, F += (2 * B + 1) * ROPE, T += 2 * B * ROPE, g += ROPE)\n"
    "        for (int h = 0; h < 2; h++) {\n"
    "            v4 x = R[h][k];\n"
    "            for (int b = B; b > 0; b--) x -= V(F + b * ROPE + 4 * h) * G[b - 1][h];\n"
    "            for (int b = 0; spikes && b < B; b++) A[b][h] += V(T + b * ROPE + 4 * h) * x;\n"
    "            for (int b = B - 1; b > 0; b--) G[b][h] = G[b - 1][h];\n"
    "            V(g + 4 * h) = G[0][h] = x;\n"
    "        }\n"
    "}\n"
    "static inline void down_rows(const kept_rope *s, const double *r, int from, int to, "
    "int spikes)\n"
    "{\n"
    "    v4 G[B][2], A[B][2];\n"
    "    for (int k = 0; k < 2 * B; k++) {\n"
    "        G[k / 2][k % 2] = V(s->g + ((long)from - 1 - k / 2) * ROPE + k % 2 * 4);\n"
    "        A[k / 2][k % 2] = V(s->sum + 4 * k);\n"
    "    }\n"
    "    for (int i = from; i < to;) {\n"
    "        const double *F = factors_of(s, i), *T = s->spike + ((long)i * 2 + 1) * (B * ROPE);\n"
    "        double *g = s->g + (long)i * ROPE;\n"
    "        const int stop = smaller(i / KEPT_CHUNK * KEPT_CHUNK + KEPT_CHUNK, to);\n"
    "        for (; i + 4 <= stop; i += 4, r += 4) {\n"
    "            down_four(r, 4, F, T, g, G, A, spikes);\n"
    "            F += 4 * (2 * B + 1) * ROPE, T += 4 * 2 * B * ROPE, g += 4 * ROPE;\n"
    "        }\n"
    "        if (i < stop) down_four(r, stop - i, F, T, g, G, A, spikes), i = stop;\n"
    "    }\n"
    "    for (int k = 0; k < 2 * B; k++) V(s->sum + 4 * k) = A[k / 2][k % 2];\n"
    "}\n"
    "static inline void kept_begin(const kept_rope *s, int reach)\n"
    "{\n"
    "    for (int k = 0; k < B * ROPE; k++) s->sum[k] = 0;\n"
    "}\n"
    "static inline void kept_down(const kept_rope *s, int reach, const double *r, int from, "
    "int rows)\n"
    "{\n"
    "    const int to = smaller(s->inner, from + rows), "
    "alive = from > s->alive ? from : smaller(s->alive, to);\n"
    "    if (from < alive) down_rows(s, r, from, alive, 1);\n"
    "    if (alive < to) down_rows(s, r + (alive - from), alive, to, 0);\n"
    "    for (int i = to; i < from + rows; i++)\n"
    "        for (int l = 0; l < ROPE; l++) "
    "s->end[(i - to) * ROPE + l] = r[l * KEPT_PLANE + i - from];\n"
    "}\n";

static const char UP[] =
    "static inline void up_four(const double *g, const double *U, const double *F,\n"
    "                           const int rows, v4 N[B][2], v4 S[B][2], double *x,\n"
    "                           const int spikes)\n"
    "{\n"
    "    v4 R[2][4] = {0};\n"
    "    for (int k = rows - 1; k >= 0;\n"
    "         k--, U -= (2 * B + 1) * ROPE, F -= 2 * B * ROPE, g -= ROPE)\n"
    "        for (int h = 0; h < 2; h++) {\n"
    "            v4 at = V(g + 4 * h) * V(U - B * ROPE + 4 * h);\n"
    "            for (int b = B; b > 0; b--) at -= V(U + b * ROPE + 4 * h) * N[b - 1][h];\n"
    "            for (int b = 0; spikes && b < B; b++) at -= V(F + b * ROPE + 4 * h) * S[b][h];\n"
    "            for (int b = B - 1; b > 0; b--) N[b][h] = N[b - 1][h];\n"
    "            R[h][k] = N[0][h] = at;\n"
    "        }\n"
    "    turn(R[0]), turn(R[1]);\n"
    "    for (int l = 0; l < ROPE; l++) V(x + l * KEPT_PLANE) = R[l / 4][l % 4];\n"
    "}\n"
    "static inline void up_rows(const kept_rope *s, int from, int to, double *x, int spikes)\n"
    "{\n"
    "    v4 N[B][2], S[B][2];\n"
    "    for (int k = 0; k < 2 * B; k++)\n"
    "        N[k / 2][k % 2] = V(s->next + 4 * k), S[k / 2][k % 2] = V(s->before + 4 * k);\n"
    "    for (int i = to; i > from;) {\n"
    "        const int first = (i - 1) / KEPT_CHUNK * KEPT_CHUNK;\n"
    "        const int stop = first > from ? first : from;\n"
    "        const double *U = factors_of(s, i - 1) + B * ROPE;\n"
    "        const double *F = s->spike + ((long)i - 1) * (2 * B * ROPE);\n"
    "        const double *g = s->g + ((long)i - 1) * ROPE;\n"
    "        const int more = (i - stop) % 4;\n"
    "        if (more) {\n"
    "            up_four(g, U, F, more, N, S, x + (i - more - from), spikes);\n"
    "            i -= more, g -= more * ROPE;\n"
    "            U -= more * (2 * B + 1) * ROPE, F -= more * 2 * B * ROPE;\n"
    "        }\n"
    "        for (; i > stop; i -= 4) {\n"
    "            up_four(g, U, F, 4, N, S, x + (i - 4 - from), spikes);\n"
    "            U -= 4 * (2 * B + 1) * ROPE, F -= 4 * 2 * B * ROPE, g -= 4 * ROPE;\n"
    "        }\n"
    "    }\n"
    "    for (int k = 0; k < 2 * B; k++) V(s->next + 4 * k) = N[k / 2][k % 2];\n"
    "}\n"
    "static inline void kept_up(const kept_rope *s, int reach, int from, int rows, double *x)\n"
    "{\n"
    "    const int to = smaller(s->inner, from + rows), "
    "alive = from > s->alive ? from : smaller(s->alive, to);\n"
    "    if (alive < to) up_rows(s, alive, to, x + (alive - from), 0);\n"
    "    if (from < alive) up_rows(s, from, alive, x, 1);\n"
    "    for (int i = to; i < from + rows; i++)\n"
    "        for (int l = 0; l < ROPE; l++) "
    "x[l * KEPT_PLANE + i - from] = s->joint[(i - to) * ROPE + l];\n"
    "}\n";

void kept_write(text *out, int reach)
{
    text_printf(out,
                "enum { B = %d, ROPE = %d, KEPT_CHUNK = %d, KEPT_TILE = %d, KEPT_PLANE = %d };\n",
                reach, ROPE, KEPT_CHUNK, KEPT_TILE, KEPT_PLANE);
    text_printf(out, "typedef struct { %s } kept_rope;\n", TEXT_OF_ALL(KEPT_FIELDS));
    text_add(out, VECTORS), text_add(out, DOWN), text_add(out, UP);
}
