/* chain_end.h - the end of a step of a long nonlinear chain in lanes: increments of momentum, the
 * new state, and the prediction of the next step; and the conversion of rows to lanes and back.
 *
 *     q_1 = q_0 + Z,   p_1 = p_0 + h b L_q,                                    theory.md [GALERKIN]
 *
 * Before it: cubic.h, chain.h, the struct chain_close, and momentum_sums of the model, which also
 * has the function that is declared here. */

/* A quick stretch, in all lanes. */
static void end_side_by_side(const chain_close *e, int number, const group *s, const stretch *t,
                             double *bad);

/* Rows of a group from `from` on. */
static inline void turn(const int in, const chain_pass *x, long length, int number, int from,
                        int rows, const double *of, double *to)
{
    const long row = (long)number * GROUP * length + from;
    /* four by four where no partition ends before the rows do */
    const int  whole = row + (GROUP - 1) * length + rows <= x->n ? rows - rows % 4 : 0;
    for (int i = 0; i < whole; i += 4)
        for (int l = 0; l < GROUP; l += 4) {
            if (in) turn_four(of + row + l * length + i, length, to + i * GROUP + l, GROUP);
            else turn_four(of + i * GROUP + l, GROUP, to + row + l * length + i, length);
        }
    for (int l = 0; l < GROUP; l++)
        for (int i = whole; i < rows && row + l * length + i < x->n; i++) {
            if (in) to[i * GROUP + l] = of[row + l * length + i];
            else to[row + l * length + i] = of[i * GROUP + l];
        }
}

/* All rows of a group from the order of the chain into lanes. */
void chain_in(const chain_pass *x, int length, int number, const double *of, double *to)
{
    turn(1, x, length, number, 0, length, of, to);
}

/* And back. */
void chain_out(const chain_pass *x, int length, int number, const double *of, double *to)
{
    turn(0, x, length, number, 0, length, of, to);
}

/* Increments of momenta, partition by partition. */
static void momenta_by_partition(const chain_close *e, int number, const group *s, int from,
                                 int rows, double *restrict dp, double *bad)
{
    const chain_pass *x = e->at;
    double            Q[PARTITION_ROOM], W[PARTITION_ROOM], sum[PARTITION_TILE];
    for (int l = 0; l < GROUP; l++) {
        const int a = (number * GROUP + l) * s->length + from,
                  b = a + rows < x->n ? a + rows : x->n;
        const int low =
            a < b ? partition_points(x, place(s, number) + (long)from * GROUP + l, a, b, Q, W) : 0;
        if (a < b) momentum_sums(x->s, e->c, e->c, Q, W, low, a, b, sum);
        for (int i = 0; i < rows; i++) dp[i * GROUP + l] = i < b - a ? sum[i] : 0;
        for (int i = 0; i < b - a; i++) bad[l] += sum[i] - sum[i];
    }
}

/* The state and what comes next, of number k; y1, y2 and y3 are the solutions before y. */
#define END_READS                                                                                  \
    const double *restrict q, const double *restrict q_low, const double *restrict y,              \
        const double *restrict p, const double *restrict p_low, const double *restrict y1,         \
        const double *restrict y2, const double *restrict y3
#define END_WRITES                                                                                 \
    double *restrict to_q, double *restrict to_q_low, double *restrict to_p,                       \
        double *restrict to_p_low, double *restrict next, double *restrict scale
#define END_NUMBER(k, dp)                                                                          \
    do {                                                                                           \
        const double z = CONTINUED_CUBIC(y[k], y1[k], y2[k], y3[k]);                               \
        MOVE(to_q[k], to_q_low[k], q[k], q_low[k], y[k]);                                          \
        MOVE(to_p[k], to_p_low[k], p[k], p_low[k], dp);                                            \
        next[k] = z, scale[k] = larger(fabs(y1[k]), larger(fabs(y[k]), fabs(z)));                  \
    } while (0)
#define FROM(at)                                                                                   \
    x->q + at, x->q_low + at, x->y + at, x->p + at, x->p_low + at, e->history[0] + at,             \
        e->history[1] + at, e->history[2] + at, e->to[0] + at, e->to[1] + at, e->to[2] + at,       \
        e->to[3] + at, e->next + at, e->scale + at
static inline void end_numbers(int n, const double *restrict dp, END_READS, END_WRITES)
{
    for (int k = 0; k < n; k++) END_NUMBER(k, dp[k]);
}

/* Stretches that are not quick: dp first, then the state row by row. */
static void end_by_partition(const chain_close *e, int number, const group *s, const stretch *t,
                             double *bad)
{
    const chain_pass *x = e->at;
    const long        at = place(s, number) + (long)t->from * GROUP;
    double            dp[PARTITION_TILE * GROUP];
    momenta_by_partition(e, number, s, t->from, t->rows, dp, bad);
    end_numbers(t->rows * GROUP, dp, FROM(at));
}

/* The first number that a group has to say of its correction is then 0 if all is finite. */
void chain_end(const chain_close *e, const group *s, int number)
{
    const chain_pass *x = e->at;
    double            bad[GROUP] = {0}, all = 0;
    for (const stretch *t = x->stretch + x->first[number], *end = x->stretch + x->first[number + 1];
         t < end; t++) {
        const long at = place(s, number) + (long)t->from * GROUP;
        if (t->quick) end_side_by_side(e, number, s, t, bad);
        else end_by_partition(e, number, s, t, bad);
        for (int j = 0; j < 4; j++)
            if (e->row[j])
                turn(0, x, s->length, number, t->from, t->rows, e->to[j] + at, e->row[j]);
    }
    for (int l = 0; l < GROUP; l++) all += bad[l];
    x->made[MEASURES * number] = all;
}
