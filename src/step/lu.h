/* lu.h - the linear system J delta = -r of Newton's iteration, for N <= 16 unknowns: `factor` turns
 * the Jacobian in f->a into factors, or finds it singular (0); `solve` uses them. One and two
 * unknowns are solved in closed form, more by columns.                       theory.md [NEWTON] */

#if N == 1

typedef struct {
    real a[1];
} factored;

PIECE int factor(factored *f)
{
    return ABS(f->a[0]) >= LEAST && ABS(f->a[0]) <= MOST;
}

static inline void solve(const factored *f, const real *r, real *delta)
{
    delta[0] = -r[0] / f->a[0];
}

#elif N == 2

typedef struct {
    real a[4], inverse; /* the Jacobian, and 1/det */
} factored;

PIECE int factor(factored *f)
{
    const real x = f->a[0] * f->a[3], y = f->a[1] * f->a[2], det = x - y;
    f->inverse = 1 / det;
    return ABS(det) > 4 * EPSILON * (ABS(x) + ABS(y)) && ABS(det) <= MOST && ABS(det) >= LEAST;
}

/*     delta = -[a b; c d]^-1 r */
static inline void solve(const factored *f, const real *r, real *delta)
{
    delta[0] = (f->a[1] * r[1] - f->a[3] * r[0]) * f->inverse;
    delta[1] = (f->a[2] * r[0] - f->a[0] * r[1]) * f->inverse;
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

PIECE int factor(factored *f)
{
    real weight[N], scale[N];
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
