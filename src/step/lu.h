/* lu.h - the linear system J delta = -r of Newton's iteration, for few unknowns: `factor` turns the
 * Jacobian in f->a into factors, which replace those before where it is `fresh`; is it regular?
 * `solve` uses them. One and two unknowns are solved in closed form; lu_rows.h has more than six of
 * one system.                                                                theory.md [NEWTON] */

#if N == 1

typedef struct {
    real a[1];
} factored;

PIECE mask factor(factored *f, mask fresh)
{
    return fresh & (ABS(f->a[0]) >= LEAST) & (ABS(f->a[0]) <= MOST);
}

static inline void solve(const factored *f, const real *r, real *delta)
{
    delta[0] = -r[0] / f->a[0];
}

#elif N == 2

typedef struct {
    real a[4], inverse; /* the Jacobian, and 1/det */
} factored;

PIECE mask factor(factored *f, mask fresh)
{
    const real x = f->a[0] * f->a[3], y = f->a[1] * f->a[2], det = x - y;
    f->inverse = 1 / det;
    return fresh & (ABS(det) > 4 * EPSILON * (ABS(x) + ABS(y)));
}

/*     delta = -[a b; c d]^-1 r */
static inline void solve(const factored *f, const real *r, real *delta)
{
    delta[0] = (f->a[1] * r[1] - f->a[3] * r[0]) * f->inverse;
    delta[1] = (f->a[2] * r[0] - f->a[0] * r[1]) * f->inverse;
}

#else

/* P J = L U: what is below the diagonal of `factors` is L, the rest U. Mostly no rows need to be
 * exchanged; where they do each system has its own order: row i was exchanged with row k where
 * up[k N + i]. */
#define EXCHANGES
typedef struct {
    real a[N * N], factors[N * N], inverse[N];
    mask up[N * N], moved;
} factored;

#if N <= 6 && defined __GNUC__ && !defined __clang__
#define UNROLLED _Pragma("GCC unroll 6")
#else
#define UNROLLED
#endif

/* Before the first. */
WITHIN void begin_exchanges(factored *f)
{
    f->moved = NOT(EVERYWHERE);
    for (int k = 0; k < N * N; k++) f->up[k] = NOT(EVERYWHERE);
}

WITHIN void forget_exchanges(factored *f, mask of)
{
    f->moved &= NOT(of);
    for (int k = 0; k < N * N; k++) f->up[k] &= NOT(of);
}

#if !CONSTANT
/* m <- L and U without exchanges; where it is regular: pivots are not small beside their rows, nor
 * beside what they were made of. Multipliers come last, so that there is something on their
 * diagonal by then. A correction may be wrong by 1e-8 of itself and does no harm. */
WITHIN mask eliminate(real *m, real *inverse)
{
    mask regular = EVERYWHERE;
    real made[N];
    for (int k = 0; k < N; k++) made[k] = ABS(m[k * (N + 1)]);
    UNROLLED
    for (int k = 0; k < N; k++) {
        const real size = ABS(m[k * N + k]), by = inverse[k] = 1 / m[k * N + k];
        const real row = largest_of(REAL(0), m, k * N + k + 1, (k + 1) * N);
        regular &= (row <= PRECISE(1e5, 1e3) * size) & (size > PRECISE(1e-9, 1e-3) * made[k]);
        UNROLLED
        for (int i = k + 1; i < N; i++) {
            const real x = m[i * N + k] *= by;
            if (N > 6 && !ANY(x != 0)) continue;
            made[i] += ABS(x * m[k * N + i]);
            UNROLLED
            for (int j = k + 1; j < N; j++) m[i * N + j] -= x * m[k * N + j];
        }
    }
    return regular;
}
#endif

WITHIN void exchange(mask where, real *x, real *y)
{
    const real z = *x;
    *x = CHOOSE(where, *y, z);
    *y = CHOOSE(where, z, *y);
}

/* Brings up the row whose entry in column k is largest relative to its row, where that is asked
 * for. */
RARE void bring_up(factored *f, mask asked, real *m, real *weight, int k)
{
    f->moved |= asked;
    for (int i = k + 1; i < N; i++) {
        const mask up = asked & (ABS(m[i * N + k]) * weight[i] > ABS(m[k * N + k]) * weight[k]);
        f->up[k * N + i] |= up;
        exchange(up, &weight[k], &weight[i]);
        for (int j = 0; j < N; j++) exchange(up, &m[k * N + j], &m[i * N + j]);
    }
}

/* weight_i = 1/max_j |a_ij|,   scale_j = max_i |a_ij| weight_i */
WITHIN mask weigh(const real *a, real *weight, real *scale)
{
    mask regular = EVERYWHERE;
    for (int j = 0; j < N; j++) scale[j] = REAL(0);
    for (int i = 0; i < N; i++) {
        const real most = largest_of(REAL(0), a, i * N, (i + 1) * N);
        regular &= (most >= LEAST) & (most <= MOST);
        weight[i] = 1 / most;
        for (int j = 0; j < N; j++) scale[j] = larger(scale[j], a[i * N + j] * weight[i]);
    }
    return regular;
}

/* The same for some, with exchanges: an entry is brought up that is ENOUGH times larger than that
 * on the diagonal. */
#define ENOUGH 8
RARE mask eliminate_with_care(factored *f, mask some, real *m, real *inverse)
{
    real weight[N], scale[N];
    mask regular = weigh(f->a, weight, scale);
    for (int k = 0; k < N * N; k++) m[k] = CHOOSE(some, f->a[k], m[k]);
    for (int k = 0; k < N; k++) {
        real below = REAL(0);
        for (int i = k + 1; i < N; i++) below = larger(below, m[i * N + k] * weight[i]);
        const mask asked = some & (below > ENOUGH * ABS(m[k * N + k]) * weight[k]);
        if (ANY(asked)) bring_up(f, asked, m, weight, k);
        const real size = ABS(m[k * N + k]), by = 1 / m[k * N + k];
        regular &= (size * weight[k] > NEGLIGIBLE * scale[k]) & (size <= MOST);
        inverse[k] = CHOOSE(some, by, inverse[k]);
        for (int i = k + 1; i < N; i++) {
            const real x = m[i * N + k] * by;
            m[i * N + k] = CHOOSE(some, x, m[i * N + k]);
            for (int j = k + 1; j < N; j++)
                m[i * N + j] = CHOOSE(some, m[i * N + j] - x * m[k * N + j], m[i * N + j]);
        }
    }
    return regular & some;
}

PIECE mask factor(factored *f, mask fresh)
{
    real m[N * N], inverse[N];
    for (int k = 0; k < N * N; k++) m[k] = f->a[k];
    if (ANY(f->moved & fresh)) forget_exchanges(f, fresh);
#if CONSTANT /* it is factored once, and its corrections are not repeated */
    for (int k = 0; k < N; k++) inverse[k] = REAL(0);
    const mask regular = eliminate_with_care(f, fresh, m, inverse);
#else
    mask       regular = fresh & eliminate(m, inverse);
    const mask some = fresh & NOT(regular);
    if (ANY(some)) regular |= eliminate_with_care(f, some, m, inverse);
#endif
    for (int k = 0; k < N * N; k++) f->factors[k] = AMONG(fresh, m[k], f->factors[k]);
    for (int k = 0; k < N; k++) f->inverse[k] = AMONG(fresh, inverse[k], f->inverse[k]);
    return regular;
}

/*     x = -U^-1 L^-1 P r */
PIECE void solve(const factored *f, const real *r, real *RESTRICT x)
{
    for (int k = 0; k < N; k++) x[k] = -r[k];
    for (int k = 0; k < N && ANY(f->moved); k++)
        for (int i = k + 1; i < N; i++) exchange(f->up[k * N + i], &x[k], &x[i]);
    UNROLLED
    for (int i = 1; i < N; i++) {
        UNROLLED
        for (int j = 0; j < i; j++) x[i] -= f->factors[i * N + j] * x[j];
    }
    UNROLLED
    for (int i = N - 1; i >= 0; i--) {
        UNROLLED
        for (int j = i + 1; j < N; j++) x[i] -= f->factors[i * N + j] * x[j];
        x[i] *= f->inverse[i];
    }
}

#endif
