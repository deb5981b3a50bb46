/* partition.h - elimination and back substitution of a group of a long band matrix, eight
 * partitions in vector lanes, without pivoting (linalg/partition.h has the whole): row i of a
 * partition, with entries e_-B .. e_B beside the rows above it, becomes
 *
 *     x_i + u_i1 x_{i+1} + .. + u_iB x_{i+B} + f_i.s = g_i
 *
 * Before it: GROUP, PARTITION_REACH, PARTITION_TILE, GROUP_PLANE, and the struct group. */

/* A loop over the partitions of a group. gcc 12 would unroll a short loop completely before it
 * looks for vectors in it. */
#if defined __GNUC__ && !defined __clang__
#define IN_LANES(l) _Pragma("GCC unroll 1") for (int l = 0; l < GROUP; l++)
#else
#define IN_LANES(l) for (int l = 0; l < GROUP; l++)
#endif

/* Transposes blocks of four by four numbers, in vectors where the compiler has them. */
#if defined __GNUC__ && !defined __clang__
typedef double                   four __attribute__((vector_size(32)));
typedef double     four_anywhere __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long  choice __attribute__((vector_size(32)));
/*     to[a step + b] = p[b from + a],   a, b = 0 .. 3 */
static inline void turn_four(const double *p, long from, double *to, long step)
{
    const four a = *(const four_anywhere *)p, b = *(const four_anywhere *)(p + from);
    const four c = *(const four_anywhere *)(p + 2 * from);
    const four d = *(const four_anywhere *)(p + 3 * from);
    const four e = __builtin_shuffle(a, b, (choice){0, 4, 2, 6});
    const four f = __builtin_shuffle(a, b, (choice){1, 5, 3, 7});
    const four g = __builtin_shuffle(c, d, (choice){0, 4, 2, 6});
    const four h = __builtin_shuffle(c, d, (choice){1, 5, 3, 7});
    *(four_anywhere *)to = __builtin_shuffle(e, g, (choice){0, 1, 4, 5});
    *(four_anywhere *)(to + step) = __builtin_shuffle(f, h, (choice){0, 1, 4, 5});
    *(four_anywhere *)(to + 2 * step) = __builtin_shuffle(e, g, (choice){2, 3, 6, 7});
    *(four_anywhere *)(to + 3 * step) = __builtin_shuffle(f, h, (choice){2, 3, 6, 7});
}
#else
static inline void turn_four(const double *p, long from, double *to, long step)
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) to[a * step + b] = p[b * from + a];
}
#endif

/* Interleaves four rows of the numbers of eight partitions, which stand in planes of so many
 * numbers, and separates rows. */
static inline void turn_in(const int planes, const double *restrict of, const long plane,
                           double *restrict to)
{
    for (int k = 0; k < planes; k++)
        for (int l = 0; l < GROUP; l += 4)
            turn_four(of + (l * planes + k) * plane, planes * plane, to + k * GROUP + l,
                      planes * GROUP);
}

static inline void turn_out(const double *restrict of, int rows, double *restrict to,
                            const long plane)
{
    for (int i = 0; i < rows; i += 4)
        for (int l = 0; l < GROUP; l += 4)
            turn_four(of + i * GROUP + l, GROUP, to + l * plane + i, plane);
}

/* f and t of a row, given the multipliers of the rows above and 1/pivot, and their sums. */
static inline void follow_spikes(const int B, const group *s, int row, double multiplier[][GROUP],
                                 const double *restrict inverse)
{
    const double dead = 1e-90;
    const double *restrict U = s->row + (long)row * (B + 1) * GROUP;
    double *restrict F = s->spike + (long)row * 2 * B * GROUP;
    double *restrict sum = s->sum;
    IN_LANES(l)
    {
        double f[PARTITION_REACH];
        for (int b = 0; b < B; b++) {
            double at = 0;
            for (int k = B; k > 0; k--) at -= multiplier[k - 1][l] * F[(b - k * 2 * B) * GROUP + l];
            at *= inverse[l];
            F[b * GROUP + l] = f[b] = fabs(at) < dead ? 0 : at;
        }
        for (int j = 0; j < B; j++) {
            double t = row == j;
            for (int k = B; k > 0; k--)
                t -= F[(B + j - k * 2 * B) * GROUP + l] * U[(k - 1 - k * (B + 1)) * GROUP + l];
            F[(B + j) * GROUP + l] = t = fabs(t) < dead ? 0 : t;
            sum[j * GROUP + l] += t * U[B * GROUP + l];
            for (int b = 0; b < B; b++) sum[(B + j * B + b) * GROUP + l] += t * f[b];
        }
    }
}

/* The elimination front of a group: the row above, kept in registers, and the smallest and largest
 * ratio of rows to pivots. A pivot that lost or gained too much cannot be trusted. */
typedef struct {
    double near[PARTITION_REACH + 1][GROUP], least[GROUP], most[GROUP];
} front;
/* The row above `row`, as elimination left it, and no pivot seen yet. */
static inline void open_front(const int B, const group *s, int row, front *at)
{
    const double *above = s->row + ((long)row - 1) * (B + 1) * GROUP;
    for (int q = 0; q <= B; q++) IN_LANES(l) at->near[q][l] = above[q * GROUP + l];
    IN_LANES(l) at->least[l] = at->most[l] = 1;
}

/* A pivot far below its row has lost digits, one far above shows growth: without pivoting either
 * is a fault, and the correction is made elsewhere. */
static inline void close_front(const group *s, const front *at)
{
    const double lost = 1e6, growth = 16;
    for (int l = 0; l < GROUP; l++)
        if (!(at->most[l] < lost && growth * at->least[l] >= 1)) s->fault[l] = 1;
}

/* Eliminates a row in lane l: e_-B .. e_B are its entries, e_B+1 its right-hand side; U: where the
 * result goes, behind the rows above it. For spikes and factors it returns the multipliers of the
 * rows above and 1/pivot. */
static inline void eliminate(const int B, const int told, front *at, double *U, double *e, int l,
                             double multiplier[][GROUP], double *inverse)
{
    double size = 0x1p-1022; /* a row of zeros has a pivot that vanishes beside it too */
    for (int q = 0; q <= 2 * B; q++) size += fabs(e[q]);
    for (int k = B; k > 0; k--) {
        for (int q = 0; q < B; q++)
            e[B - k + 1 + q] -=
                e[B - k] * (k == 1 ? at->near[q][l] : U[(q - k * (B + 1)) * GROUP + l]);
        e[2 * B + 1] -= e[B - k] * (k == 1 ? at->near[B][l] : U[(B - k * (B + 1)) * GROUP + l]);
        if (told) multiplier[k - 1][l] = e[B - k];
    }
    const double over = 1 / e[B], beside = size * fabs(over);
    at->most[l] = beside > at->most[l] ? beside : at->most[l];
    at->least[l] = beside < at->least[l] ? beside : at->least[l];
    for (int q = 0; q <= B; q++) U[q * GROUP + l] = at->near[q][l] = e[B + 1 + q] * over;
    if (told) inverse[l] = over;
}

/* The factors of a row, for other right-hand sides (band_factors.h). */
static inline void keep_factors(const int B, const group *s, int row, double multiplier[][GROUP],
                                const double *restrict inverse)
{
    const double *restrict U = s->row + (long)row * (B + 1) * GROUP;
    double *restrict F = s->factor + (long)row * (2 * B + 1) * GROUP;
    IN_LANES(l)
    {
        F[l] = inverse[l];
        for (int k = 1; k <= B; k++) {
            F[k * GROUP + l] = k > row ? 0 : multiplier[k - 1][l] * F[l - k * (2 * B + 1) * GROUP];
            F[(B + k) * GROUP + l] = U[(k - 1) * GROUP + l];
        }
    }
}

/* Interleaves the numbers of eight partitions, four rows at a time. */
static inline void down_rows(const int B, const int spikes, const int kept, const group *s,
                             const double *restrict of, int from, int rows)
{
    const int planes = 2 * B + 2;
    double    together[4 * (2 * PARTITION_REACH + 2) * GROUP];
    double    multiplier[PARTITION_REACH][GROUP], inverse[GROUP];
    front     at;
    open_front(B, s, from, &at);
    for (int i = 0; i < rows; i++) {
        if (i % 4 == 0) turn_in(planes, of + i, GROUP_PLANE, together);
        const double *restrict r = together + i % 4 * planes * GROUP;
        double *restrict U = s->row + ((long)from + i) * (B + 1) * GROUP;
        IN_LANES(l)
        {
            double e[2 * PARTITION_REACH + 2];
            e[2 * B + 1] = r[l];
            for (int q = 0; q <= 2 * B; q++) e[q] = r[(q + 1) * GROUP + l];
            eliminate(B, spikes || kept, &at, U, e, l, multiplier, inverse);
        }
        if (spikes) follow_spikes(B, s, from + i, multiplier, inverse);
        if (kept) keep_factors(B, s, from + i, multiplier, inverse);
    }
    close_front(s, &at);
}

/* Spikes are computed while one of them is alive. */
static inline void mind_spikes(const int B, group *s, int row)
{
    double        most = 0;
    const double *F = s->spike + ((long)row - B) * 2 * B * GROUP;
    for (int k = 0; k < B * 2 * B * GROUP; k++) most += fabs(F[k]);
    if (most == 0) s->alive = row;
}

/* Inner rows are eliminated; those of separators are kept as they are, for the reduced system. */
static inline void take_rows(const int B, group *s, const double *of, int from, int rows)
{
    const int inner = s->length - B - from < rows ? s->length - B - from : rows;
    const int planes = 2 * B + 2;
    if (inner > 0 && from < s->alive) {
        if (s->factor) down_rows(B, 1, 1, s, of, from, inner);
        else down_rows(B, 1, 0, s, of, from, inner);
        mind_spikes(B, s, from + inner);
    } else if (inner > 0 && s->factor) down_rows(B, 0, 1, s, of, from, inner);
    else if (inner > 0) down_rows(B, 0, 0, s, of, from, inner);
    for (int i = inner > 0 ? inner : 0; i < rows; i++)
        for (int k = 0; k < planes; k++) IN_LANES(l)
    s->end[((i - inner) * planes + k) * GROUP + l] = of[(l * planes + k) * GROUP_PLANE + i];
}

/* Spikes count as alive until they are seen to vanish. */
static inline void begin_group(const int B, group *s)
{
    s->alive = s->length - B;
    for (int k = 0; k < B * (B + 1) * GROUP; k++) s->sum[k] = 0;
    IN_LANES(l) s->fault[l] = 0;
}

/* Back substitution. up_lane: a row in lane l, from g and the rows below it. */
typedef struct {
    double near[PARTITION_REACH][GROUP], before[PARTITION_REACH][GROUP];
} climb;
/* near: the rows below, which are known; before: the separators before the partition. */
static inline void open_climb(const int B, const group *s, climb *at)
{
    for (int b = 0; b < B; b++) IN_LANES(l)
        {
            at->near[b][l] = s->next[b * GROUP + l];
            at->before[b][l] = s->before[b * GROUP + l];
        }
}

static inline void close_climb(const int B, const group *s, const climb *at)
{
    for (int b = 0; b < B; b++) IN_LANES(l) s->next[b * GROUP + l] = at->near[b][l];
}

static inline double up_lane(const int B, const int spikes, double g, const double *U,
                             const double *F, climb *at, int l)
{
    const int S = spikes ? B : 0;
    double    sum = g;
    for (int b = 0; b < B; b++) sum -= U[b * GROUP + l] * at->near[b][l];
    for (int b = 0; b < S; b++) sum -= F[b * GROUP + l] * at->before[b][l];
    /* B of them are set: NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
    for (int b = B - 1; b > 0; b--) at->near[b][l] = at->near[b - 1][l];
    return at->near[0][l] = sum;
}

/*     x_i = g_i - u_i1 x_{i+1} - .. - u_iB x_{i+B} - f_i.s */
static inline void up_rows(const int B, const int spikes, const group *s, int from, int rows,
                           double *restrict x)
{
    climb at;
    open_climb(B, s, &at);
    for (int i = rows - 1; i >= 0; i--) {
        const double *restrict U = s->row + ((long)from + i) * (B + 1) * GROUP;
        const double *restrict F = s->spike + ((long)from + i) * 2 * B * GROUP;
        IN_LANES(l) x[(long)i * GROUP + l] = up_lane(B, spikes, U[B * GROUP + l], U, F, &at, l);
    }
    close_climb(B, s, &at);
}

/* Separators among the rows are known already. */
static inline void give_rows(const int B, const group *s, int from, int rows, double *restrict x)
{
    const int inner = s->length - B - from < rows ? s->length - B - from : rows;
    for (int i = inner > 0 ? inner : 0; i < rows; i++)
        IN_LANES(l) x[i * GROUP + l] = s->separator[(i + from - (s->length - B)) * GROUP + l];
    if (inner > 0 && from < s->alive) up_rows(B, 1, s, from, inner, x);
    else if (inner > 0) up_rows(B, 0, s, from, inner, x);
}
