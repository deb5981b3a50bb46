/* lu.h - the linear system J delta = -r of Newton's iteration, for N <= 16 unknowns: `factor` turns
 * the Jacobian in f->a into factors, which replace those before where it is `fresh`; is it regular?
 * `solve` uses them. One and two unknowns are solved in closed form, more of one system by columns,
 * of many by rows.                                                           theory.md [NEWTON] */

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

#elif LANES > 1

/* P J = L U: what is below the diagonal of `factors` is L, the rest U. Mostly no rows need to be
 * exchanged; where they do each system has its own order: row i was exchanged with row k where
 * up[k N + i]. */
typedef struct {
    real a[N * N], factors[N * N], inverse[N];
    mask up[N * N], moved;
} factored;

#if N <= 6 && defined __GNUC__
#define UNROLLED _Pragma("GCC unroll 6")
#else
#define UNROLLED
#endif

WITHIN void forget_exchanges(factored *f, mask of)
{
    f->moved &= NOT(of);
    for (int k = 0; k < N * N; k++) f->up[k] &= NOT(of);
}

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
        regular &= (row <= 1e5 * size) & (size > 1e-9 * made[k]);
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
    mask       regular = fresh & eliminate(m, inverse);
    const mask some = fresh & NOT(regular);
    if (ANY(some)) regular |= eliminate_with_care(f, some, m, inverse);
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
    for (int i = 1; i < N; i++) UNROLLED
    for (int j = 0; j < i; j++) x[i] -= f->factors[i * N + j] * x[j];
    UNROLLED
    for (int i = N - 1; i >= 0; i--) {
        UNROLLED
        for (int j = i + 1; j < N; j++) x[i] -= f->factors[i * N + j] * x[j];
        x[i] *= f->inverse[i];
    }
}

#else

/* By columns, with row exchanges: P J = L U. Rows are updated in whole blocks of four columns, so
 * that their length is known; L and U are kept by columns, padded with zeros, for the same reason.
 */
typedef struct {
    real a[N * N]; /* the Jacobian, then what is made of it */
    real lower[N * N], upper[N * N], inverse[N];
    int  swap[N]; /* row k was exchanged with row swap[k] >= k */
} factored;

/* weight_i = 1/max_j |a_ij|,   scale_j = max_i |a_ij| weight_i; four at a time, for vector units */
PIECE int weigh(const real *a, real *weight, real *scale)
{
    for (int j = 0; j < N; j++) scale[j] = 0;
    for (int i = 0; i < N; i++) {
        real m[4] = {0};
        for (int j = 0; j + 3 < N; j += 4)
            for (int l = 0; l < 4; l++) {
                const real x = ABS(a[i * N + j + l]);
                m[l] = x > m[l] ? x : m[l];
            }
        for (int j = N / 4 * 4; j < N; j++) {
            const real x = ABS(a[i * N + j]);
            m[0] = x > m[0] ? x : m[0];
        }
        const real one = m[0] > m[1] ? m[0] : m[1], two = m[2] > m[3] ? m[2] : m[3];
        const real most = one > two ? one : two;
        if (!(most >= LEAST && most <= MOST)) return 0;
        weight[i] = 1 / most;
        for (int j = 0; j < N; j++) {
            const real x = ABS(a[i * N + j]) * weight[i];
            scale[j] = x > scale[j] ? x : scale[j];
        }
    }
    return 1;
}

/* Row k changes places with the row of the pivot, from column `from` on; what stands before is not
 * read again. */
static inline void exchange_rows(factored *f, int k, int best, const int from)
{
    real *const a = f->a;
    for (int j = from; j < N; j++) {
        const real z = a[k * N + j];
        a[k * N + j] = a[best * N + j];
        a[best * N + j] = z;
    }
    for (int j = 0; j < k; j++) {
        const real z = f->lower[j * N + k];
        f->lower[j * N + k] = f->lower[j * N + best];
        f->lower[j * N + best] = z;
    }
}

/* Column k: its pivot is the entry that is largest relative to its row, and is eliminated from the
 * rows below. */
static inline int clear_column(factored *f, real *weight, const real *scale, const int k,
                               const int from)
{
    real *const a = f->a, *const low = f->lower + k * N;
    int  best = k;
    real size = 0;
    for (int i = k; i < N; i++) {
        const real x = ABS(a[i * N + k]) * weight[i];
        if (x > size) {
            size = x;
            best = i;
        }
    }
    if (!(size > NEGLIGIBLE * scale[k] && size <= MOST)) return 0;
    f->swap[k] = best;
    if (best != k) {
        exchange_rows(f, k, best, from);
        weight[best] = weight[k];
    }
    const real by = f->inverse[k] = 1 / a[k * N + k];
    for (int i = 0; i <= k; i++) low[i] = 0;
    for (int i = k + 1; i < N; i++) {
        const real x = low[i] = a[i * N + k] * by;
        for (int j = from; j < N; j++) a[i * N + j] -= x * a[k * N + j];
    }
    for (int i = 0; i < k; i++) f->upper[k * N + i] = a[i * N + k];
    for (int i = k; i < N; i++) f->upper[k * N + i] = 0;
    return 1;
}

#define CLEAR_COLUMNS(first)                                                                       \
    for (int k = first; k < (first + 4 < N ? first + 4 : N); k++)                                  \
        if (!clear_column(f, weight, scale, k, first)) return 0;

PIECE mask factor(factored *f, mask fresh)
{
    real weight[N], scale[N];
    (void)fresh;
    if (!weigh(f->a, weight, scale)) return 0;
    CLEAR_COLUMNS(0)
#if N > 4
    CLEAR_COLUMNS(4)
#endif
#if N > 8
    CLEAR_COLUMNS(8)
#endif
#if N > 12
    CLEAR_COLUMNS(12)
#endif
    return 1;
}

/*     x = -U^-1 L^-1 P r */
static inline void solve(const factored *f, const real *r, real *RESTRICT x)
{
    for (int k = 0; k < N; k++) x[k] = -r[k];
    for (int k = 0; k < N; k++) {
        const real z = x[f->swap[k]];
        x[f->swap[k]] = x[k];
        x[k] = z;
    }
    for (int j = 0; j < N; j++) {
        const real z = x[j];
        for (int i = 0; i < N; i++) x[i] -= f->lower[j * N + i] * z;
    }
    for (int j = N - 1; j >= 0; j--) {
        const real z = x[j] *= f->inverse[j];
        for (int i = 0; i < N; i++) x[i] -= f->upper[j * N + i] * z;
    }
}

#endif
