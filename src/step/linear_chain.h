/* linear_chain.h - a step of a long linear chain in two passes over each group of eight partitions,
 * with kept factors (band_factors.h). The forward pass extrapolates past solutions, unless z = 0 is
 * as good a start, evaluates the residual and eliminates it; the backward pass subtracts the
 * correction as it is found and computes the state at the end of the step:
 *
 *     z = z_p - J^-1 r(z_p),   z_p continued from the last four                 theory.md [PREDICT]
 *     q_1 = q_0 + z,   p_1 = p_0 + h b (L_q + f)                               theory.md [GALERKIN]
 *
 * A row needs its neighbours up to HALO rows away. In the forward pass predictions may overwrite
 * the oldest solution, except for the neighbours of partitions, which are saved before (edge). In
 * the backward pass a row is finished once the neighbours above it are known: HALO rows later, and
 * at the end of a partition together with the beginning of the next.
 *
 * Before it: HALO, BEFORE, FORCED, FOUND, struct pass, two_parts.h, cubic.h, band_factors.h, and of the
 * model `residual_sums` and `momenta`. */

/* Predictions, and points of the curve: of one row, S, or of four, V. */
#define S(p) (*(p))
#define PREDICTED(T, i) CONTINUED_CUBIC(T(z0 + (i)), T(z1 + (i)), T(z2 + (i)), T(z3 + (i)))
#define POINT(T, i) T(Q + (i)) = AT(T(q + (i)), T(low + (i)), l * at), T(W + (i)) = slope * at
/* y of rows a .. b-1 by extrapolation, and the points of the curve there. */
static inline void predict_rows(const struct pass *x, int a, int b, double *Q, double *W)
{
    const double *z0 = x->history[0] + a, *z1 = x->history[1] + a;
    const double *z2 = x->history[2] + a, *z3 = x->history[3] + a;
    const double *q = x->q + a, *low = x->q_low + a, l = x->l, slope = x->slope;
    double       *y = x->y + a;
    int           i = 0;
    for (; i + 4 <= b - a; i += 4) {
        const v4 at = V(y + i) = PREDICTED(V, i);
        POINT(V, i);
    }
    for (; i < b - a; i++) {
        const double at = y[i] = PREDICTED(S, i);
        POINT(S, i);
    }
}

static inline double predicted(const struct pass *x, int i)
{
    const double *z0 = x->history[0], *z1 = x->history[1], *z2 = x->history[2], *z3 = x->history[3];
    return PREDICTED(S, i);
}

/*     q + l z,   slope z   of row i */
static inline void place(const struct pass *x, int i, double z, double *Q, double *W)
{
    *Q = AT(x->q[i], x->q_low[i], x->l * z), *W = x->slope * z;
}

static inline void place_rows(const struct pass *x, int a, int b, double *Q, double *W)
{
    for (int i = a; i < b; i++) place(x, i, x->y[i], Q + (i - a), W + (i - a));
}

static inline int larger_of(int a, int b)
{
    return a > b ? a : b;
}

/* The residual of rows a .. b-1 of partition `at`. */
static inline void evaluate(const struct pass *x, int at, int a, int b, double *r)
{
    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;
    if (x->direct) { /* z = 0 */
        static const double none[GROUP_PLANE + 2 * HALO];
        residual_sums(x->s, x->c, x->c, x->q + low, none, low, a, b, x->p + a, x->p_low + a,
             r);
        return;
    }
    const int     start = at * x->length, end = start + x->length;
    const double *edge = x->edge + at * 2 * HALO;
    double        Q[GROUP_PLANE + 2 * HALO], W[GROUP_PLANE + 2 * HALO];
    /* neighbours in the partitions beside it were set aside before anything was overwritten */
    for (int i = low; i < a; i++)
        place(x, i, i < start ? edge[i - start + HALO] : x->y[i], Q + (i - low), W + (i - low));
    for (int i = b; i < high; i++)
        place(x, i,
              i >= end   ? edge[3 * HALO + i - end]
              : x->again ? x->y[i]
                         : predicted(x, i),
              Q + (i - low), W + (i - low));
    if (x->again) place_rows(x, a, b, Q + (a - low), W + (a - low));
    else predict_rows(x, a, b, Q + (a - low), W + (a - low));
    residual_sums(x->s, x->c, x->c, Q, W, low, a, b, x->p + a, x->p_low + a, r);
}

/* The largest corrections and unknowns, in four lanes; the remainder at the end of a tile counts
 * to the first. */
#ifdef __AVX__
#define LARGER(x, y) __builtin_ia32_maxpd256(x, y)
#else
static inline v4 LARGER(v4 x, v4 y)
{
    const l4 above = x > y;
    return (v4)((above & (l4)x) | (~above & (l4)y));
}
#endif
/* |x|: the sign is a bit. */
static inline v4 size(v4 x)
{
    return (v4)((l4)x & 0x7fffffffffffffffLL);
}
static inline double larger(double x, double y)
{
    return x > y ? x : y;
}
/* Rows a .. b-1: what is new of y, the points of the curve, and positions at its end. */
static inline void correct_rows(const struct pass *x, const int direct, double *found, int a, int b,
                                const double *by, double *Q, double *W)
{
    const double *q = x->q + a, *low = x->q_low + a, l = x->l, slope = x->slope;
    double       *y = x->y + a, *to = x->to[0] + a, *to_low = x->to[1] + a;
    v4            most = V(found), large = V(found + 4);
    int           i = 0;
    TWICE for (; i + 4 <= b - a; i += 4)
    {
        v4 at = -V(by + i);
        if (!direct) {
            most = LARGER(size(at), most);
            at += V(y + i), large = LARGER(size(at), large);
        }
        V(y + i) = at;
        POINT(V, i);
        MOVE4(V(to + i), V(to_low + i), V(q + i), V(low + i), at);
    }
    V(found) = most, V(found + 4) = large;
    for (; i < b - a; i++) {
        const double D = by[i], at = y[i] = direct ? -D : y[i] - D;
        found[0] = larger(D < 0 ? -D : D, found[0]);
        found[4] = larger(at < 0 ? -at : at, found[4]);
        POINT(S, i);
        MOVE(to[i], to_low[i], q[i], low[i], at);
    }
}

/* Momenta at the end; f.z of rows, and a sum that is finite as momenta are: of fours of rows on the
 * way, and of those that are left over. */
static inline void finish(const struct pass *x, double *found, int low, int a, int b,
                          const double *Q, const double *W, double *work)
{
    double        F[GROUP_PLANE + 2 * HALO], sum[4], rest = 0;
    const double *p = x->to[2], *z = x->y;
    tally         n = {V(found + 8), {0}, a, a};
    momenta(x->s, x->c, x->c_force, Q, W, low, a, b, x->p + a, x->p_low + a, z + a,
         x->to[2] + a, x->to[3] + a, F, &n);
    for (int i = n.from > a ? a : n.to; i < b; i = i + 1 == n.from ? n.to : i + 1) {
        found[12] += p[i];
        if (FORCED) rest += F[i - a] * z[i];
    }
    V(found + 8) = n.finite, V(sum) = n.work;
    *work = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

/* Rows a .. b-1 get their correction; rows first .. last-1, whose neighbours are known by now,
 * their momenta. */
static inline void correct(const struct pass *x, int number, int a, int b, int first, int last,
                           const double *by, double *work)
{
    const int           low = smaller(a, larger_of(first - HALO, 0));
    const int           high = larger_of(b, smaller(last + HALO, x->n));
    _Alignas(64) double roomQ[GROUP_PLANE + 2 * BEFORE], roomW[GROUP_PLANE + 2 * BEFORE];
    double             *Q = roomQ + BEFORE - (a - low), *W = roomW + BEFORE - (a - low);
    double             *found = x->found + number * FOUND;
    if (x->direct) correct_rows(x, 1, found, a, b, by, Q + (a - low), W + (a - low));
    else correct_rows(x, 0, found, a, b, by, Q + (a - low), W + (a - low));
    place_rows(x, low, a, Q, W);
    place_rows(x, b, high, Q + (b - low), W + (b - low));
    if (first < last) finish(x, found, low, first, last, Q, W, work);
}

/* Both passes over a group. */
static inline int rows_of(const group *s, int from)
{
    return s->length - PARTITION_REACH - from > PARTITION_TILE ? PARTITION_TILE : s->length - from;
}

/* Forward pass: residuals of all partitions of a group, tile by tile, eliminated. Rows beyond
 * the last have none. */
void linear_down(const pass *x, int number)
{
    const group        *s = (const group *)x->group + number;
    _Alignas(64) double r[GROUP * GROUP_PLANE];
    for (int from = 0; from < s->length - PARTITION_REACH; from += PARTITION_TILE) {
        const int rows = rows_of(s, from);
        for (int l = 0; l < GROUP; l++) {
            const int at = number * GROUP + l;
            const int a = at * x->length + from;
            const int b = smaller(a + rows, x->n);
            double   *to = r + l * GROUP_PLANE;
            if (a < b) evaluate(x, at, a, b, to);
            for (int i = a < b ? b - a : 0; i < rows; i++) to[i] = 0;
        }
        take_side(PARTITION_REACH, s, r, GROUP_PLANE, from, rows);
    }
}

/* Backward pass, from the last tile to the first. A row is finished HALO rows later; those
 * around the beginning of a group wait for linear_seam. */
void linear_up(const pass *x, int number)
{
    const group        *s = (const group *)x->group + number;
    _Alignas(64) double by[GROUP * GROUP_PLANE];
    const int           last = s->length - PARTITION_REACH - 1;
    for (int from = last - last % PARTITION_TILE; from >= 0; from -= PARTITION_TILE) {
        const int rows = rows_of(s, from);
        give_solution(PARTITION_REACH, s, from, rows, by, GROUP_PLANE);
        for (int l = 0; l < GROUP; l++) {
            const int at = number * GROUP + l;
            const int a = at * x->length + from;
            const int b = smaller(a + rows, x->n);
            const int end = (at + 1) * x->length;
            const int limit = end < x->n ? end - x->halo : x->n;
            const int before = from || (number && !l) ? a + x->halo : at ? a - x->halo : 0;
            if (a < b)
                correct(x, number, a, b, smaller(before, limit), smaller(b + x->halo, limit),
                        by + l * GROUP_PLANE, x->work + at * x->tiles + from / PARTITION_TILE);
        }
    }
}

/* Rows around the beginning of a group, once both groups are known. */
void linear_seam(const pass *x, int number)
{
    const int start = number * GROUP * x->length;
    const int low = start - 2 * HALO, high = smaller(start + 2 * HALO, x->n);
    double    Q[4 * HALO + 1], W[4 * HALO + 1];
    place_rows(x, low, high, Q, W);
    finish(x, x->found + number * FOUND, low, start - HALO, smaller(start + HALO, x->n), Q, W,
           x->work + x->seams + number);
}
