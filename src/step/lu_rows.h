/* lu_rows.h - the linear system J delta = -r of one system of more than six unknowns, as in lu.h,
 * but with column exchanges: J Q = L U with a unit diagonal in U. The dense solver of the library
 * is this one, with sizes known at run time (linalg/lu_dense.c).             theory.md [NEWTON]
 *
 * All operations act on whole rows, padded to blocks, so no loop has a remainder. Where the
 * diagonal is small compared with its row a pivot is searched along the row, in columns weighted by
 * their largest entry; the diagonal is kept unless another entry is ten times as large. Four rows
 * at a time are finished before the rows below them are updated, two at a time. For substitution L
 * and U are kept by columns, four of which are eliminated at a time. */
#define BLOCK ((int)(32 / sizeof(real)))
#ifndef SIZES_AT_RUN_TIME /* else N, LD, factored, ROOM and STRICT have been defined */
enum { LD = (N + BLOCK - 1) / BLOCK * BLOCK };
typedef struct {
    real a[LD * LD]; /* the Jacobian; then L and U, by columns */
    real inverse[LD];
    int  swap[N]; /* column k was exchanged with column swap[k] >= k */
} factored;
#define ROOM(name, count) real name[count]
#define STRICT 0 /* 1: always the largest pivot, as is asked of corrections that are not repeated */
#endif

/* The matrix in rows of LD; weight_j = 1/max_i |a_ij|,   scale_i = max_j |a_ij| weight_j */
PIECE int spread(const factored *f, real *RESTRICT m, real *RESTRICT weight, real *RESTRICT scale)
{
    const real *a = f->a;
    ROOM(size, LD);
    for (int j = 0; j < LD; j++) weight[j] = 0;
    for (int i = 0; i < N; i++) {
        real *RESTRICT x = m + i * LD;
        for (int j = N; j < LD; j++) x[j] = 0;
        for (int j = 0; j < N; j++) {
            const real y = x[j] = a[i * N + j];
            weight[j] = ABS(y) > weight[j] ? ABS(y) : weight[j];
        }
    }
    for (int j = 0; j < N; j++) {
        if (!(weight[j] >= LEAST && weight[j] <= MOST)) return 0;
        weight[j] = 1 / weight[j];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < LD; j++) size[j] = ABS(m[i * LD + j]) * weight[j];
        for (int half = LD / BLOCK / 2 * BLOCK, n = LD; n > BLOCK;
             n -= half, half = n / BLOCK / 2 * BLOCK)
            for (int j = 0; j < half; j++)
                size[j] = size[n - half + j] > size[j] ? size[n - half + j] : size[j];
        scale[i] = 0;
        for (int j = 0; j < BLOCK; j++) scale[i] = size[j] > scale[i] ? size[j] : scale[i];
    }
    return 1;
}

/* Brings the largest entry right of the diagonal of row k to it, if that is small beside it; the
 * column that it came from. */
PIECE int exchanged(const factored *f, real *m, real *weight, int k)
{
    const real *x = m + k * LD;
    int         best = k;
    (void)f;
    real        size = ABS(x[k]) * weight[k];
    for (int j = k + 1; j < N; j++) {
        const real other = ABS(x[j]) * weight[j];
        if (other > size) {
            size = other;
            best = j;
        }
    }
    if (ABS(x[k]) * weight[k] >= (STRICT ? size : TENTH * size)) return k;
    for (int i = 0; i < N; i++) {
        real      *y = m + i * LD;
        const real z = y[k];
        y[k] = y[best];
        y[best] = z;
    }
    const real w = weight[k];
    weight[k] = weight[best];
    weight[best] = w;
    return best;
}

static inline int choose(factored *f, real *m, real *weight, real scale, int k)
{
    const real *x = m + k * LD + k;
    f->swap[k] = k;
    if (!STRICT && ABS(*x) * weight[k] * 64 >= scale && ABS(*x) <= MOST) return 1;
    f->swap[k] = exchanged(f, m, weight, k);
    const real size = ABS(*x) * weight[k];
    return size > NEGLIGIBLE * scale && size <= MOST;
}

/* Finishes rows first .. last-1. */
PIECE int panel(factored *f, real *m, real *weight, const real *scale, int first, int last)
{
    for (int k = first; k < last; k++) {
        real *RESTRICT x = m + k * LD;
        for (int i = first; i < k; i++) {
            const real *y = m + i * LD, l = x[i];
            const int   whole = (i / BLOCK + 1) * BLOCK;
            for (int j = i + 1; j < whole; j++) x[j] -= l * y[j];
            for (int j = whole; j < LD; j += BLOCK)
                for (int z = j; z < j + BLOCK; z++) x[z] -= l * y[z];
        }
        if (!choose(f, m, weight, scale[k], k)) return 0;
        const real by = f->inverse[k] = 1 / x[k];
        const int  whole = (k / BLOCK + 1) * BLOCK;
        for (int j = k + 1; j < whole; j++) x[j] *= by;
        for (int j = whole; j < LD; j += BLOCK)
            for (int z = j; z < j + BLOCK; z++) x[z] *= by;
    }
    return 1;
}

/* What four finished rows contribute to a row below: their factors. */
static inline void weigh(const factored *f, const real *l, const real *u, real *by)
{
    (void)f;
    by[0] = l[0];
    by[1] = l[1] - by[0] * u[1];
    by[2] = (l[2] - by[0] * u[2]) - by[1] * u[LD + 2];
    by[3] = ((l[3] - by[0] * u[3]) - by[1] * u[LD + 3]) - by[2] * u[2 * LD + 3];
}

/* Takes that from two rows, so that the four are read half as often. */
PIECE void lessen(const factored *f, real *RESTRICT x, real *RESTRICT y, const real *RESTRICT u,
                  const real *a, const real *b, int from)
{
    (void)f;
    const real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const real b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    for (int j = from; j < LD; j += BLOCK)
        for (int k = j; k < j + BLOCK; k++) {
            const real u0 = u[k], u1 = u[LD + k], u2 = u[2 * LD + k], u3 = u[3 * LD + k];
            x[k] = (((x[k] - a0 * u0) - a1 * u1) - a2 * u2) - a3 * u3;
            y[k] = (((y[k] - b0 * u0) - b1 * u1) - b2 * u2) - b3 * u3;
        }
}

PIECE void below(const factored *f, real *m, int first)
{
    const real *u = m + first * LD;
    ROOM(rest, LD);
    for (int j = 0; j < LD; j++) rest[j] = 0;
    for (int i = first + 4; i < N; i += 2) {
        real *x = m + i * LD, *y = i + 1 < N ? x + LD : rest, a[4], b[4];
        weigh(f, x + first, u + first, a);
        weigh(f, y + first, u + first, b);
        lessen(f, x, y, u, a, b, (first + 4) / BLOCK * BLOCK);
        for (int k = 0; k < 4; k++) {
            x[first + k] = a[k];
            y[first + k] = b[k];
        }
    }
}

PIECE void transpose(const factored *f, const real *RESTRICT m, real *RESTRICT t)
{
    (void)f;
    for (int i = 0; i < LD; i += BLOCK)
        for (int j = 0; j < LD; j += BLOCK)
            for (int k = 0; k < BLOCK; k++)
                for (int z = 0; z < BLOCK; z++) t[(j + k) * LD + i + z] = m[(i + z) * LD + j + k];
}

PIECE mask factor(factored *f, mask fresh)
{
    ROOM(m, LD * LD);
    ROOM(weight, LD);
    ROOM(scale, N);
    (void)fresh;
    if (!spread(f, m, weight, scale)) return 0;
    for (int first = 0; first < N; first += 4) {
        if (!panel(f, m, weight, scale, first, first + 4 < N ? first + 4 : N)) return 0;
        if (first + 4 < N) below(f, m, first);
    }
    for (int k = N * LD; k < LD * LD; k++) m[k] = 0;
    for (int k = N; k < LD; k++) f->inverse[k] = 0;
    transpose(f, m, f->a);
    return 1;
}

/* Takes four columns times z from rows from .. end-1. */
static inline void take(const factored *f, real *RESTRICT x, const real *a, const real *z, int from,
                        int end)
{
    (void)f;
    const real z0 = z[0], z1 = z[1], z2 = z[2], z3 = z[3];
    for (int i = from; i < end; i += 4)
        for (int k = i; k < i + 4; k++)
            x[k] =
                ((x[k] - a[k] * z0) - a[LD + k] * z1) - (a[2 * LD + k] * z2 + a[3 * LD + k] * z3);
}

/*     delta = -Q U^-1 L^-1 r */
static inline void solve(const factored *f, const real *r, real *RESTRICT delta)
{
    ROOM(x, LD);
    for (int k = 0; k < LD; k++) x[k] = k < N ? -r[k] : 0;
    for (int j = 0; j < LD; j += 4) {
        const real *l = f->a + j * LD, *e = f->inverse + j;
        real       *z = x + j;
        z[0] *= e[0];
        z[1] = (z[1] - l[j + 1] * z[0]) * e[1];
        z[2] = ((z[2] - l[j + 2] * z[0]) - l[LD + j + 2] * z[1]) * e[2];
        z[3] =
            (((z[3] - l[j + 3] * z[0]) - l[LD + j + 3] * z[1]) - l[2 * LD + j + 3] * z[2]) * e[3];
        take(f, x, l, z, j + 4, LD);
    }
    for (int j = LD - 4; j >= 0; j -= 4) {
        const real *u = f->a + j * LD;
        real       *z = x + j;
        z[2] -= u[3 * LD + j + 2] * z[3];
        z[1] = (z[1] - u[3 * LD + j + 1] * z[3]) - u[2 * LD + j + 1] * z[2];
        z[0] = ((z[0] - u[3 * LD + j] * z[3]) - u[2 * LD + j] * z[2]) - u[LD + j] * z[1];
        take(f, x, u, z, 0, j);
    }
    for (int k = N - 1; k >= 0; k--) {
        const real z = x[f->swap[k]];
        x[f->swap[k]] = x[k];
        x[k] = z;
    }
    for (int k = 0; k < N; k++) delta[k] = x[k];
}
