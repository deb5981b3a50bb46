/* chain.h - a Newton correction of a long nonlinear chain in two passes over each group of eight
 * partitions. The forward pass evaluates residual and matrix a stretch of rows at a time and
 * eliminates them (partition.h); the backward pass finds the correction by back substitution, adds
 * it to the unknowns and measures it:
 *
 *     J d = r(y),   y <- y - d,   largest d/s, d, s,   s = max(|y|, its size lately)
 *                                                                                theory.md [NEWTON]
 * Before it: GUARD, HALO, MEASURES, the structs stretch and chain_pass, partition.h, two_parts.h. The
 * model has the two functions that are declared here. */

/* Planes of rows a .. b-1 of one partition: r, and the entries of the matrix from the left. */
static void evaluate(const chain_pass *x, long at, int a, int b, double *restrict to);

/* A quick stretch: rows are evaluated in all lanes right where they are eliminated. */
static void side_by_side(const chain_pass *x, int number, group *s, const stretch *t);

/* Where row 0 of the partitions of a group is. */
static inline long place(const group *s, int number)
{
    return ((long)number * (s->length + 2 * GUARD) + GUARD) * GROUP;
}

/* The sample points i rows after the first of a site, in lane l, at which q and y point. */
#define Q_AT(i) AT(q[(i)*L + l], q_low[(i)*L + l], (along)*y[(i)*L + l])
#define W_AT(i) (slope * y[(i)*L + l])
#define GO_ON(x) (x += SITE * L)

/* Copies rows a .. b-1 of a partition and those around them; row a is at `at`. */
enum { PARTITION_ROOM = PARTITION_TILE + 2 * HALO };
static inline int partition_points(const chain_pass *x, long at, int a, int b, double *restrict Q,
                                   double *restrict W)
{
    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;
    for (int i = low; i < high; i++) {
        const long k = at + (long)(i - a) * GROUP;
        Q[i - low] = AT(x->q[k], x->q_low[k], x->l * x->y[k]);
        W[i - low] = x->slope * x->y[k];
    }
    return low;
}

/* Beyond the last row the matrix is the identity. */
static inline void pad(const int B, double *to, int have, int rows)
{
    for (int i = have > 0 ? have : 0; i < rows; i++)
        for (int plane = 0; plane < 2 * B + 2; plane++)
            to[plane * GROUP_PLANE + i] = plane == B + 1;
}

/* At the ends of runs each partition is evaluated by itself, into planes. */
static void partition_by_partition(const chain_pass *x, int number, group *s, int from, int rows)
{
    enum { B = PARTITION_REACH, PLANES = 2 * B + 2 };
    double planes[GROUP * PLANES * GROUP_PLANE];
    for (int l = 0; l < GROUP; l++) {
        const int a = (number * GROUP + l) * s->length + from,
                  b = a + rows < x->n ? a + rows : x->n;
        double *to = planes + l * PLANES * GROUP_PLANE;
        if (a < b) evaluate(x, place(s, number) + (long)from * GROUP + l, a, b, to);
        if (b - a < rows) pad(B, to, b - a, rows);
    }
    take_rows(B, s, planes, from, rows);
}

/* Forward elimination of a group, stretch by stretch. */
void chain_down(const chain_pass *x, group *s, int number)
{
    begin_group(PARTITION_REACH, s);
    for (int k = x->first[number]; k < x->first[number + 1]; k++) {
        const stretch *t = x->stretch + k;
        if (t->quick) side_by_side(x, number, s, t);
        else partition_by_partition(x, number, s, t->from, t->rows);
    }
}

/* Subtracts the correction d from an unknown and measures it. Sizes below the smallest normal
 * number count as 0: a motion that has decayed to that has nothing left to correct. Going up a
 * partition, the first non-finite number is infinite, so it is the largest. */
typedef struct {
    double relative[GROUP], most[GROUP], size[GROUP];
} measure;
static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static inline double corrected(double y, double by, double scale, measure *m, int l)
{
    const double least = 0x1p-1022;
    const double z = y - by, d = fabs(by), s = larger(fabs(z), scale), r = d / s;
    m->relative[l] = larger(d >= least ? r : 0, m->relative[l]);
    m->most[l] = larger(d, m->most[l]), m->size[l] = larger(s, m->size[l]);
    return z;
}

/* Above the separators the correction is subtracted where it is found. */
static inline void climb_rows(const int spikes, const group *s, int from, int rows,
                              double *restrict y, const double *restrict scale, measure *to)
{
    enum { B = PARTITION_REACH };
    measure m = *to;
    climb   at;
    open_climb(B, s, &at);
    for (int i = rows - 1; i >= 0; i--) {
        const double *restrict U = s->row + ((long)from + i) * (B + 1) * GROUP;
        const double *restrict F = s->spike + ((long)from + i) * 2 * B * GROUP;
        IN_LANES(l)
        {
            const int    k = i * GROUP + l;
            const double by = up_lane(B, spikes, U[B * GROUP + l], U, F, &at, l);
            y[k] = corrected(y[k], by, scale[k], &m, l);
        }
    }
    close_climb(B, s, &at);
    *to = m;
}

/* The rows of a stretch that holds separators. */
static inline void last_rows(const group *s, int from, int rows, double *restrict y,
                             const double *restrict scale, measure *to)
{
    double by[GROUP * GROUP_PLANE];
    give_rows(PARTITION_REACH, s, from, rows, by);
    for (int i = rows - 1; i >= 0; i--) IN_LANES(l)
    y[i * GROUP + l] = corrected(y[i * GROUP + l], by[i * GROUP + l], scale[i * GROUP + l], to, l);
}

/* Stretches from the last to the first; corrections are measured for the whole group. */
void chain_up(const chain_pass *x, group *s, int number)
{
    measure *made = (measure *)x->made + number;
    for (int k = x->first[number + 1] - 1; k >= x->first[number]; k--) {
        const int  from = x->stretch[k].from, rows = x->stretch[k].rows;
        const long at = place(s, number) + (long)from * GROUP;
        if (from + rows > s->length - PARTITION_REACH)
            last_rows(s, from, rows, x->y + at, x->scale + at, made);
        else if (from < s->alive) climb_rows(1, s, from, rows, x->y + at, x->scale + at, made);
        else climb_rows(0, s, from, rows, x->y + at, x->scale + at, made);
    }
}
