/* stage_iteration.h - stages of a large system with constant, diagonal inertia, iterated without a matrix:
 * passes over tiles of rows, each of which evaluates the forces at all stages and makes the next
 * stages of them while they are in cache.
 *
 *     Q^i = q + c_i z + h sum_k C_ik g_k,    v^i = v + sum_k D_ik g_k,   g_k = b_k (h/m) F^k
 *     Z^mu = x_mu z + h sum_k E_mu,k g_k,    z = (h/m) (p - a),   v = (p - a)/m
 *                                                                              theory.md [GALERKIN]
 * Before it: TILE, PLAIN, STAGES, DEGREE, MOVES (forces depend on velocities), FORCED, the struct
 * stage_pass, sum.h, the tables of both directions of time. The model has the functions that are
 * declared here: what L_q + f, and f alone, give rows a .. b-1. */
static void forces_of(const struct rows *s, const double *q, const double *v, int a, int b,
                      double *F);
static void forced_of(const struct rows *s, const double *q, const double *v, int a, int b,
                      double *F);

enum { AT_ONCE = 8 }; /* sums that do not wait for each other */

#define EACH_STAGE(i) for (int i = 0; i < STAGES; i++)
#define EACH_ROW(r) for (int r = 0; r < rows; r++)

/* Stage k of an array by stages, from row a on. */
#define STAGE(array, k) ((array) + (long)(k)*x->n + a)

/*     g_k = b_k (h/m) F^k;   sum: sum_k b_k F^k */
static inline void find_forces(const struct stage_pass *x, int a, int b, double (*restrict g)[TILE],
                               double *restrict sum)
{
    const int rows = b - a;
    const double *restrict mobility = x->mobility + a;
    const double part = x->part, split = x->split;
    EACH_STAGE(k)
    forces_of(x->s + k, x->Q + (long)k * x->n, (MOVES ? x->V : x->Q) + (long)k * x->n, a, b, g[k]);
    EACH_ROW(r)
    {
        double all = 0;
        EACH_STAGE(k)
        {
            const double F = g[k][r];
            all += table_b[k] * F, g[k][r] = table_b[k] * (part * mobility[r] * (split * F));
        }
        if (sum) sum[r] = all;
    }
}

/* The largest of x, in lanes. */
static inline double largest(const double *x, int rows)
{
    double most[AT_ONCE] = {0}, all = 0;
    int    r = 0;
    for (; r + AT_ONCE <= rows; r += AT_ONCE)
        for (int l = 0; l < AT_ONCE; l++) most[l] = x[r + l] > most[l] ? x[r + l] : most[l];
    for (; r < rows; r++) most[0] = x[r] > most[0] ? x[r] : most[0];
    for (int l = 0; l < AT_ONCE; l++) all = most[l] > all ? most[l] : all;
    return all;
}

static inline double total(const double *x, int rows)
{
    double sum[AT_ONCE] = {0};
    int    r = 0;
    for (; r + AT_ONCE <= rows; r += AT_ONCE)
        for (int l = 0; l < AT_ONCE; l++) sum[l] += x[r + l];
    for (; r < rows; r++) sum[0] += x[r];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* The curve of the unknowns y, and its stages. */
void stages_begin(const struct stage_pass *x, int from, int to)
{
    for (int a = from; a < to; a += TILE) {
        const int rows = to - a < TILE ? to - a : TILE;
        const double *restrict q = x->q + a, *restrict low = x->q_low + a, *restrict y = x->y + a;
        const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;
        const double *restrict mobility = x->mobility + a, *restrict shift = x->shift + a;
        double *restrict z = x->z + a, *restrict v = x->v + a;
        double size[TILE];
        EACH_ROW(r)
        {
            const double pull = (p[r] - shift[r]) + p_low[r];
            v[r] = mobility[r] * pull, z[r] = x->part * mobility[r] * (x->split * pull);
            size[r] = fabs(q[r]);
        }
        EACH_STAGE(i)
        {
            double *restrict Z = STAGE(x->Z, i), *restrict Q = STAGE(x->next_Q, i);
            double *restrict V = MOVES ? STAGE(x->next_V, i) : 0;
            EACH_ROW(r)
            {
                double sum = 0, slope = 0;
                for (int mu = 0; mu < DEGREE; mu++) {
                    const double Y = y[(long)mu * x->n + r];
                    sum += table_l[x->side][i][mu] * Y;
                    if (MOVES) slope += table_dl[x->side][i][mu] * Y;
                }
                Z[r] = sum, Q[r] = q[r] + (low[r] + sum);
                if (MOVES) V[r] = slope / x->h;
            }
        }
        x->found[a / TILE * FOUND] = largest(size, rows);
    }
}

/* The stages of a tile from the forces there, and by how much they have changed:
 *     moved_j = sum_i |change of Z^i_j|,   size_j = sum_i |Z^i_j| */
static inline void next_stages(const struct stage_pass *x, int a, int b, double (*restrict g)[TILE],
                               double *restrict moved, double *restrict size)
{
    const int    rows = b - a, side = x->side;
    const double part = x->part, split = x->split;
    const double *restrict q = x->q + a, *restrict low = x->q_low + a, *restrict z = x->z + a;
    const double *restrict v = x->v + a;
    EACH_ROW(r) moved[r] = size[r] = 0;
    EACH_STAGE(i)
    {
        double *restrict Z = STAGE(x->Z, i), *restrict Q = STAGE(x->next_Q, i);
        double *restrict V = MOVES ? STAGE(x->next_V, i) : 0;
        EACH_ROW(r)
        {
            double sum = 0, gain = 0;
            EACH_STAGE(k)
            {
                sum += table_C[side][i][k] * g[k][r];
                if (MOVES) gain += table_D[side][i][k] * g[k][r];
            }
            const double to = table_c[side][i] * z[r] + part * (split * sum);
            moved[r] += fabs(to - Z[r]), size[r] += fabs(to);
            Z[r] = to, Q[r] = q[r] + (low[r] + to);
            if (MOVES) V[r] = v[r] + gain;
        }
    }
}

/* first: changes and sizes are kept, from which stages_weigh makes weights. */
static inline void iterate_rows(const int first, const struct stage_pass *x, int a, int b)
{
    const int rows = b - a;
    double g[STAGES][TILE], moved[TILE], size[TILE], of[TILE], *found = x->found + a / TILE * FOUND;
    const double *restrict q = x->q + a;
    double *restrict weight = x->weight + a, *restrict change = x->moved + a;
    find_forces(x, a, b, g, 0);
    next_stages(x, a, b, g, moved, size);
    found[0] = total(moved, rows), found[1] = total(size, rows), found[2] = largest(moved, rows);
    /* what exceeds a quarter of the roundoff of positions */
    EACH_ROW(r) of[r] = moved[r] - 0x1p-54 * (size[r] + STAGES * fabs(q[r]));
    found[3] = largest(of, rows);
    if (first)
        EACH_ROW(r) weight[r] = size[r], change[r] = moved[r], of[r] = x->root[a + r] * size[r];
    else EACH_ROW(r) of[r] = moved[r] * weight[r];
    found[4] = largest(of, rows);
}

void stages_first(const struct stage_pass *x, int from, int to)
{
    for (int a = from; a < to; a += TILE) iterate_rows(1, x, a, to - a < TILE ? to : a + TILE);
}

void stages_next(const struct stage_pass *x, int from, int to)
{
    for (int a = from; a < to; a += TILE) iterate_rows(0, x, a, to - a < TILE ? to : a + TILE);
}

/*     weight_j = 1/max(size_j, least/root_j),   the largest moved_j weight_j */
void stages_weigh(const struct stage_pass *x, int from, int to)
{
    for (int a = from; a < to; a += TILE) {
        const int rows = to - a < TILE ? to - a : TILE;
        double *restrict weight = x->weight + a, of[TILE];
        const double *restrict root = x->root + a, *restrict moved = x->moved + a;
        EACH_ROW(r)
        {
            const double least = x->least / root[r], size = weight[r] > least ? weight[r] : least;
            weight[r] = size > 0 ? 1 / size : 0x1.fffffffffffffp1023;
            of[r] = moved[r] * weight[r];
        }
        x->found[a / TILE * FOUND + 4] = largest(of, rows);
    }
}

/*     Z^mu = x_mu z + h sum_k E_mu,k g_k */
static inline void find_unknowns(const struct stage_pass *x, int a, int rows,
                                 double (*restrict g)[TILE])
{
    const double *restrict z = x->z + a;
    for (int mu = 0; mu < DEGREE; mu++) {
        double *restrict y = STAGE(x->y, mu);
        EACH_ROW(r)
        {
            double sum = 0;
            EACH_STAGE(k) sum += table_E[x->side][mu][k] * g[k][r];
            y[r] = table_x[mu] * z[r] + x->part * (x->split * sum);
        }
    }
}

/*     q_1 = q_0 + Z^d,   p^- = p_0 + h sum_i b_i F^i;   0 if all of it is finite */
static inline double find_end(const struct stage_pass *x, int a, int rows,
                              const double *restrict sum)
{
    const double *restrict q = x->q + a, *restrict q_low = x->q_low + a;
    const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;
    const double *restrict dq = STAGE(x->y, DEGREE - 1);
    double *restrict Q = x->to[0] + a, *restrict Q_low = x->to[1] + a;
    double *restrict P = x->to[2] + a, *restrict P_low = x->to[3] + a;
    double bad[TILE];
    (void)q_low, (void)p_low, (void)Q_low, (void)P_low;
    EACH_ROW(r)
    {
        const double dp = x->part * (x->split * sum[r]);
        bad[r] = dp - dp;
#if PLAIN
        Q[r] = q[r] + dq[r], P[r] = p[r] + dp;
#else
        carry(q[r], dq[r] + q_low[r], &Q[r], &Q_low[r]);
        carry(p[r], dp + p_low[r], &P[r], &P_low[r]);
#endif
    }
    return total(bad, rows);
}

/*     h sum_i b_i f^i.v^i */
static inline double find_work(const struct stage_pass *x, int a, int rows,
                               double (*restrict g)[TILE])
{
    double f[TILE], power[TILE], work = 0;
    EACH_STAGE(i)
    {
        const long at = (long)i * x->n;
        forced_of(x->s + i, x->Q + at, (MOVES ? x->V : x->Q) + at, a, a + rows, f);
        EACH_ROW(r)
        {
            double gain = 0;
            EACH_STAGE(k) gain += table_D[x->side][i][k] * g[k][r];
            power[r] = f[r] * (x->v[a + r] + gain);
        }
        work += table_b[i] * total(power, rows);
    }
    return x->h * work;
}

/* Unknowns, the state at the end of the step, and the work of f along it. */
void stages_end(const struct stage_pass *x, int from, int to)
{
    for (int a = from; a < to; a += TILE) {
        const int rows = to - a < TILE ? to - a : TILE;
        double    g[STAGES][TILE], sum[TILE], *found = x->found + a / TILE * FOUND;
        find_forces(x, a, a + rows, g, sum);
        find_unknowns(x, a, rows, g);
        found[0] = find_end(x, a, rows, sum);
        found[1] = FORCED ? find_work(x, a, rows, g) : 0;
    }
}
