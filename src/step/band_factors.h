/* band_factors.h - forward elimination of a right-hand side and back substitution with kept factors
 * of a long band matrix, eight partitions in vectors of four (linalg/band_factors.h): row i of a
 * partition, with d its pivot, reads
 *
 *     g_i = r_i - l_i1 g_{i-1}/d_{i-1} - .. - l_iB g_{i-B}/d_{i-B},     sum_j += t_ji g_i
 *     x_i = g_i/d_i - u_i1 x_{i+1} - .. - u_iB x_{i+B} - f_i.s
 *
 * where f and t are spikes, as long as they live. Before it: B, GROUP, FACTOR_CHUNK, FACTOR_PLANE,
 * factor_group. */

/* Four numbers, wherever they are. */
typedef double    v4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long l4 __attribute__((vector_size(32), aligned(8), may_alias));
#define V(p) (*(v4 *)(p))
#define MIX(...) __builtin_shufflevector(__VA_ARGS__)
#define TWICE _Pragma("GCC unroll 2")
/* Transposes four by four numbers. */
static inline void turn(v4 *r)
{
    const v4 a = MIX(r[0], r[1], 0, 4, 2, 6), b = MIX(r[0], r[1], 1, 5, 3, 7);
    const v4 c = MIX(r[2], r[3], 0, 4, 2, 6), d = MIX(r[2], r[3], 1, 5, 3, 7);
    r[0] = MIX(a, c, 0, 1, 4, 5), r[1] = MIX(b, d, 0, 1, 4, 5);
    r[2] = MIX(a, c, 2, 3, 6, 7), r[3] = MIX(b, d, 2, 3, 6, 7);
}

/* The factors of row i: chunks of rows that repeat each other are stored once. Of each lane
 * -1/pivot, then l_i1 .. l_iB over the pivots above, then u_i1 .. u_iB. */
static inline const double *factors_of(const factor_group *s, int i)
{
    const long row = (long)s->chunk[i / FACTOR_CHUNK] * FACTOR_CHUNK + i % FACTOR_CHUNK;
    return s->factor + row * ((2 * B + 1) * GROUP);
}

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Elimination, chunk by chunk and four rows at a time; the last four may contain separators. */
static inline void down_four(const double *r, const int rows, const double *F, const double *T,
                             double *g, v4 G[B][2], v4 A[B][2], const int spikes)
{
    v4 R[2][4];
    for (int l = 0; l < GROUP; l++) R[l / 4][l % 4] = V(r + l * FACTOR_PLANE);
    turn(R[0]), turn(R[1]);
    for (int k = 0; k < rows; k++, F += (2 * B + 1) * GROUP, T += 2 * B * GROUP, g += GROUP)
        for (int h = 0; h < 2; h++) {
            v4 x = R[h][k];
            for (int b = B; b > 0; b--) x -= V(F + b * GROUP + 4 * h) * G[b - 1][h];
            for (int b = 0; spikes && b < B; b++) A[b][h] += V(T + b * GROUP + 4 * h) * x;
            for (int b = B - 1; b > 0; b--) G[b][h] = G[b - 1][h];
            V(g + 4 * h) = G[0][h] = x;
        }
}

/* Rows from .. to-1. G: the last B rows g, A: the sums; both stay in registers, in halves of a
 * group. */
static inline void down_rows(const factor_group *s, const double *r, int from, int to, int spikes)
{
    v4 G[B][2], A[B][2];
    for (int k = 0; k < 2 * B; k++) {
        G[k / 2][k % 2] = V(s->g + ((long)from - 1 - k / 2) * GROUP + k % 2 * 4);
        A[k / 2][k % 2] = V(s->sum + 4 * k);
    }
    for (int i = from; i < to;) {
        const double *F = factors_of(s, i), *T = s->spike + ((long)i * 2 + 1) * (B * GROUP);
        double       *g = s->g + (long)i * GROUP;
        const int     stop = smaller(i / FACTOR_CHUNK * FACTOR_CHUNK + FACTOR_CHUNK, to);
        for (; i + 4 <= stop; i += 4, r += 4) {
            down_four(r, 4, F, T, g, G, A, spikes);
            F += 4 * (2 * B + 1) * GROUP, T += 4 * 2 * B * GROUP, g += 4 * GROUP;
        }
        if (i < stop) down_four(r, stop - i, F, T, g, G, A, spikes), i = stop;
    }
    for (int k = 0; k < 2 * B; k++) V(s->sum + 4 * k) = A[k / 2][k % 2];
}

/* Sums over a partition begin with 0. */
static inline void band_factors_begin(const factor_group *s, int reach)
{
    for (int k = 0; k < B * GROUP; k++) s->sum[k] = 0;
}

/* r: eight planes, one for each partition. Spikes are followed while they live; right-hand sides
 * of separators, behind the inner rows, are kept for the reduced system. */
static inline void band_factors_down(const factor_group *s, int reach, const double *r, int from,
                                     int rows)
{
    const int to = smaller(s->inner, from + rows),
              alive = from > s->alive ? from : smaller(s->alive, to);
    if (from < alive) down_rows(s, r, from, alive, 1);
    if (alive < to) down_rows(s, r + (alive - from), alive, to, 0);
    for (int i = to; i < from + rows; i++)
        for (int l = 0; l < GROUP; l++)
            s->end[(i - to) * GROUP + l] = r[l * FACTOR_PLANE + i - from];
}

/* Back substitution. */
static inline void up_four(const double *g, const double *U, const double *F, const int rows,
                           v4 N[B][2], v4 S[B][2], double *x, const int spikes)
{
    v4 R[2][4] = {0};
    for (int k = rows - 1; k >= 0; k--, U -= (2 * B + 1) * GROUP, F -= 2 * B * GROUP, g -= GROUP)
        for (int h = 0; h < 2; h++) {
            v4 at = V(g + 4 * h) * V(U - B * GROUP + 4 * h);
            for (int b = B; b > 0; b--) at -= V(U + b * GROUP + 4 * h) * N[b - 1][h];
            for (int b = 0; spikes && b < B; b++) at -= V(F + b * GROUP + 4 * h) * S[b][h];
            for (int b = B - 1; b > 0; b--) N[b][h] = N[b - 1][h];
            R[h][k] = N[0][h] = at;
        }
    turn(R[0]), turn(R[1]);
    for (int l = 0; l < GROUP; l++) V(x + l * FACTOR_PLANE) = R[l / 4][l % 4];
}

/* Rows to-1 .. from. N: the last B rows x found below, S: the separators before the partition. */
static inline void up_rows(const factor_group *s, int from, int to, double *x, int spikes)
{
    v4 N[B][2], S[B][2];
    for (int k = 0; k < 2 * B; k++)
        N[k / 2][k % 2] = V(s->next + 4 * k), S[k / 2][k % 2] = V(s->before + 4 * k);
    for (int i = to; i > from;) {
        const int     first = (i - 1) / FACTOR_CHUNK * FACTOR_CHUNK;
        const int     stop = first > from ? first : from;
        const double *U = factors_of(s, i - 1) + B * GROUP;
        const double *F = s->spike + ((long)i - 1) * (2 * B * GROUP);
        const double *g = s->g + ((long)i - 1) * GROUP;
        const int     more = (i - stop) % 4;
        if (more) {
            up_four(g, U, F, more, N, S, x + (i - more - from), spikes);
            i -= more, g -= more * GROUP;
            U -= more * (2 * B + 1) * GROUP, F -= more * 2 * B * GROUP;
        }
        for (; i > stop; i -= 4) {
            up_four(g, U, F, 4, N, S, x + (i - 4 - from), spikes);
            U -= 4 * (2 * B + 1) * GROUP, F -= 4 * 2 * B * GROUP, g -= 4 * GROUP;
        }
    }
    for (int k = 0; k < 2 * B; k++) V(s->next + 4 * k) = N[k / 2][k % 2];
}

/* x: eight planes; separators are known from the reduced system. */
static inline void band_factors_up(const factor_group *s, int reach, int from, int rows, double *x)
{
    const int to = smaller(s->inner, from + rows),
              alive = from > s->alive ? from : smaller(s->alive, to);
    if (alive < to) up_rows(s, alive, to, x + (alive - from), 0);
    if (from < alive) up_rows(s, from, alive, x, 1);
    for (int i = to; i < from + rows; i++)
        for (int l = 0; l < GROUP; l++)
            x[l * FACTOR_PLANE + i - from] = s->separator[(i - to) * GROUP + l];
}
