/* leapfrog.h - explicit steps over the rows of a large system: positions drift as far ahead as
 * forces read them, then forces are summed and momenta kicked, tile by tile.
 *
 *     z = h (M + (h/2) R)^-1 (p_0 + k_0),   q_1 = q_0 + z,
 *     p_1 = p_0 + (k_0 + k_1) - R z,   k = (h/2) F(q)                              theory.md [DEL]
 *
 * A substep of a composition has by h for h; k stays (h/2) F(q), and BY(x) is by x. Before it: PLAIN,
 * TILE, HALO, BY, with the coefficients c at hand, sum.h. The model has the two functions that are declared here. */

/* As in mech/large/leapfrog_inside.h, which says what they are. */
struct leapfrog_pass {
    const struct rows *s;
    const double      *c;
    double            *q, *q_low, *p, *p_low, *kick;
    const double      *drift, *same, *resistance;
    double            *force, *work;
};

struct range {
    int a, b, done, to;
};

/* Updates of positions and momenta; LESS: with damping; MIDDLE, GO_ON, GO_LESS: the same for
 * stretches in lanes, where with plain sums p is the momentum in the middle of a step. */
#if PLAIN
#define IN_TWO(x, low) (x)
#define ADD(x, low, d) ((x) += (d))
#define KICK(p, low, k, next) ((p) = ((p) + BY(k)) + BY(next))
#define LESS(p, low, k, lost, next) ((p) = (((p) + (k)) - (lost)) + (next))
#define MIDDLE(p, low, k) (p)
#define GO_ON(p, low, k, next) ((p) = ((p) + (next)) + (next))
#define GO_LESS(p, low, k, lost, next) ((p) = (((p) - (lost)) + (next)) + (next))
#else
#define IN_TWO(x, low) ((x) + (low))
#define ADD(x, low, d) add_to_larger(&(x), &(low), d)
#define KICK(p, low, k, next) ADD(p, low, BY((k) + (next)))
#define LESS(p, low, k, lost, next) ADD(p, low, ((k) + (next)) - (lost))
#define MIDDLE(p, low, k) IN_TWO((p) + BY(k), low)
#define GO_ON(p, low, k, next) (KICK(p, low, k, next), (k) = (next))
#define GO_LESS(p, low, k, lost, next) (LESS(p, low, k, lost, next), (k) = (next))
#endif

/* Forces on rows a .. b-1, and the kicks they give; q begins with row `first`. */
static void find_forces(const struct leapfrog_pass *x, const double *q, int first, int a, int b);
static void kick_rows(const struct leapfrog_pass *x, const double *q, int first, int a, int b);

/* Kicks of rows a .. b-1 for the positions as they are. */
void forces(const struct leapfrog_pass *x, struct range *r)
{
    for (int a = r->a; a < r->b; a += TILE) {
        const int b = a + TILE < r->b ? a + TILE : r->b, first = a > HALO ? a - HALO : 0;
        find_forces(x, x->q + first, first, a, b);
    }
}

/* Positions of rows from .. to-1; masses are mostly the same in all tiles that these lie in. */
static inline void drift_rows(const struct leapfrog_pass *x, int from, int to)
{
    double *restrict Q = x->q, *restrict Q_low = x->q_low;
    const double *restrict P = x->p, *restrict P_low = x->p_low;
    const double *restrict K = x->kick, *restrict drift = x->drift, *c = x->c;
    double same = x->same[from / TILE];
    for (int t = from / TILE + 1; t <= (to - 1) / TILE; t++)
        same = x->same[t] == same ? same : 0.0 / 0.0;
    (void)Q_low, (void)P_low, (void)c;
    if (same == same)
        for (int i = from; i < to; i++)
            ADD(Q[i], Q_low[i], BY(same) * (IN_TWO(P[i] + BY(K[i]), P_low[i])));
    else
        for (int i = from; i < to; i++)
            ADD(Q[i], Q_low[i], BY(drift[i]) * (IN_TWO(P[i] + BY(K[i]), P_low[i])));
}

/* Positions run HALO rows ahead of the kicks, which read them; `done`: how far they have got. */
void step(const struct leapfrog_pass *x, struct range *r)
{
    int done = r->done;
    for (int a = r->a, b; a < r->b; a = b) {
        b = a + TILE < r->b ? a + TILE : r->b;
        const int end = b + HALO < r->to ? b + HALO : r->to, first = a > HALO ? a - HALO : 0;
        if (done < end) drift_rows(x, done, end), done = end;
        kick_rows(x, x->q + first, first, a, b);
    }
    r->done = done;
}
