/* band_factors.h - forward and back substitution of a right-hand side with kept factors of a long
 * band matrix (linalg/band_factors.h), a group of eight partitions in vector lanes: row i of a
 * partition, with d_i its pivot, reads
 *
 *     g_i = r_i - l_i1 g_{i-1}/d_{i-1} - .. - l_iB g_{i-B}/d_{i-B},     sum_j += t_ji g_i/d_i
 *     x_i = g_i/d_i - u_i1 x_{i+1} - .. - u_iB x_{i+B} - f_i.s
 *
 * where f and t are spikes, as long as they live. Right-hand sides and solutions stand in planes,
 * one for each partition. Before it: FACTOR_CHUNK, partition.h. */

/* The factors of row i: chunks of rows that repeat each other are stored once. Of each lane 1/d_i,
 * then l_i1 .. l_iB over the pivots above, then u_i1 .. u_iB. */
static inline const double *factors_of(const int B, const group *s, int i)
{
    const long row = (long)s->chunk[i / FACTOR_CHUNK] * FACTOR_CHUNK + i % FACTOR_CHUNK;
    return s->factor + row * ((2 * B + 1) * GROUP);
}

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A part of the lanes, as wide as vectors are: what one row leaves for the next stays in
 * registers. */
#if defined __AVX__
enum { WIDE = 4 };
#elif defined __GNUC__
enum { WIDE = 2 };
#else
enum { WIDE = 1 };
#endif
#ifdef __GNUC__
typedef double part __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
#else
typedef double part;
#endif
enum { PARTS = GROUP / WIDE };
#define PART(p, h) (((const part *)(p))[h])
#define TO_PART(p, h) (((part *)(p))[h])

/* Four rows or fewer, in the planes from r on. near: the last B rows g. */
static inline void down_four(const int B, const int spikes, const int rows, const double *r,
                             const long plane, const double *F, const double *T, double *g,
                             part near[][PARTS], part sum[][PARTS])
{
    double R[4 * GROUP];
    turn_in(1, r, plane, R);
    for (int k = 0; k < rows; k++, F += (2 * B + 1) * GROUP, T += 2 * B * GROUP)
        for (int h = 0; h < PARTS; h++) {
            part x = PART(R + k * GROUP, h);
            for (int b = B; b > 0; b--) x -= PART(F + b * GROUP, h) * near[b - 1][h];
            for (int b = 0; spikes && b < B; b++) sum[b][h] += PART(T + b * GROUP, h) * x;
            for (int b = B - 1; b > 0; b--) near[b][h] = near[b - 1][h];
            TO_PART(g + k * GROUP, h) = near[0][h] = x;
        }
}

/* Rows from .. to-1, chunk by chunk. */
static inline void side_down(const int B, const int spikes, const group *s, const double *r,
                             const long plane, int from, int to)
{
    part near[PARTITION_REACH][PARTS], sum[PARTITION_REACH][PARTS];
    for (int b = 0; b < B; b++)
        for (int h = 0; h < PARTS; h++) {
            near[b][h] = PART(s->g + ((long)from - 1 - b) * GROUP, h);
            sum[b][h] = PART(s->sum + b * GROUP, h);
        }
    for (int i = from; i < to;) {
        const int     stop = smaller(i / FACTOR_CHUNK * FACTOR_CHUNK + FACTOR_CHUNK, to);
        const double *F = factors_of(B, s, i), *T = s->spike + ((long)i * 2 + 1) * (B * GROUP);
        double       *g = s->g + (long)i * GROUP;
        for (; i + 4 <= stop; i += 4) {
            down_four(B, spikes, 4, r + (i - from), plane, F, T, g, near, sum);
            F += 4 * (2 * B + 1) * GROUP, T += 4 * 2 * B * GROUP, g += 4 * GROUP;
        }
        if (i < stop)
            down_four(B, spikes, stop - i, r + (i - from), plane, F, T, g, near, sum), i = stop;
    }
    for (int b = 0; b < B; b++)
        for (int h = 0; h < PARTS; h++) TO_PART(s->sum + b * GROUP, h) = sum[b][h];
}

/* Rows from .. from + rows - 1, of which those of separators are kept as they are, for the reduced
 * system. Spikes are followed while they live. */
static inline void take_side(const int B, const group *s, const double *r, const long plane,
                             int from, int rows)
{
    const int to = smaller(s->length - B, from + rows),
              alive = from > s->alive ? from : smaller(s->alive, to);
    for (int k = 0; k < B * GROUP && !from; k++) s->sum[k] = 0;
    if (from < alive) side_down(B, 1, s, r, plane, from, alive);
    if (alive < to) side_down(B, 0, s, r + (alive - from), plane, alive, to);
    for (int i = to; i < from + rows; i++)
        for (int l = 0; l < GROUP; l++)
            s->end[(i - to) * (2 * B + 2) * GROUP + l] = r[l * plane + i - from];
}

/* Four rows or fewer, the last first. near: the rows below, before: the separators s. */
static inline void up_four(const int B, const int spikes, const int rows, const double *g,
                           const double *D, const double *F, part near[][PARTS],
                           part before[][PARTS], double *x, const long plane)
{
    double R[4 * GROUP] = {0};
    for (int k = rows - 1; k >= 0; k--)
        for (int h = 0; h < PARTS; h++) {
            const double *U = D + (k * (2 * B + 1) + B) * GROUP;
            part          z = PART(g + k * GROUP, h) * PART(U - B * GROUP, h);
            for (int b = B; b > 0; b--) z -= PART(U + b * GROUP, h) * near[b - 1][h];
            for (int b = 0; spikes && b < B; b++)
                z -= PART(F + (k * 2 * B + b) * GROUP, h) * before[b][h];
            for (int b = B - 1; b > 0; b--) near[b][h] = near[b - 1][h];
            TO_PART(R + k * GROUP, h) = near[0][h] = z;
        }
    turn_out(R, 4, x, plane);
}

/* Rows to-1 .. from. */
static inline void side_up(const int B, const int spikes, const group *s, int from, int to,
                           double *x, const long plane)
{
    part near[PARTITION_REACH][PARTS], before[PARTITION_REACH][PARTS];
    for (int b = 0; b < B; b++)
        for (int h = 0; h < PARTS; h++) {
            near[b][h] = PART(s->next + b * GROUP, h);
            before[b][h] = PART(s->before + b * GROUP, h);
        }
    for (int i = to; i > from;) {
        const int     first = (i - 1) / FACTOR_CHUNK * FACTOR_CHUNK, rest = (i - first) % 4;
        const double *D = factors_of(B, s, first), *F = s->spike + (long)first * (2 * B * GROUP),
                     *g = s->g + (long)first * GROUP;
        for (int rows = rest ? rest : 4; i > first; rows = 4) {
            const int     k = (i -= rows) - first;
            const double *gk = g + k * GROUP, *Dk = D + k * (2 * B + 1) * GROUP,
                         *Fk = F + k * 2 * B * GROUP;
            if (rows == 4) up_four(B, spikes, 4, gk, Dk, Fk, near, before, x + (i - from), plane);
            else up_four(B, spikes, rows, gk, Dk, Fk, near, before, x + (i - from), plane);
        }
    }
    for (int b = 0; b < B; b++)
        for (int h = 0; h < PARTS; h++) TO_PART(s->next + b * GROUP, h) = near[b][h];
}

/* x may be written up to three numbers beyond the rows that are asked for; separators are known
 * from the reduced system. */
static inline void give_solution(const int B, const group *s, int from, int rows, double *x,
                                 const long plane)
{
    const int to = smaller(s->length - B, from + rows),
              alive = from > s->alive ? from : smaller(s->alive, to);
    if (alive < to) side_up(B, 0, s, alive, to, x + (alive - from), plane);
    if (from < alive) side_up(B, 1, s, from, alive, x, plane);
    for (int i = to; i < from + rows; i++)
        for (int l = 0; l < GROUP; l++)
            x[l * plane + i - from] = s->separator[(i - to) * GROUP + l];
}
