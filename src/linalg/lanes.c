/* lanes.c - the partition method for a tridiagonal matrix: eight pieces of equal length. The last
 * row of each piece, the separator, and a few remaining rows at the end form a small tridiagonal
 * Schur complement system.
 *
 * Row i of a piece, after elimination of the rows above it in the piece, reads
 *
 *     d_i x_i + c_i x_{i+1} + f_i s = g_i,      m_i = a_i/d_{i-1},  d_i = b_i - m_i c_{i-1},
 *                                               g_i = r_i - m_i g_{i-1},
 *                                               f_i = -m_i f_{i-1},  f_0 = a_0,
 *
 * where s is the separator before the piece. The first unknown of a piece is a combination of its
 * rows,
 *
 *     x_0 = t.g - (t.f) s - t_last c_last S,    t_0 = 1/d_0,  t_i = -t_{i-1} c_{i-1}/d_i,
 *
 * which eliminates it from the row of the separator before. f and t decay along a piece whenever
 * the matrix is diagonally dominant; values below DEAD are set to 0, and rows where all have
 * decayed are skipped. */
#include "linalg/lanes.h"

#include "linalg/kinds.h"

#include <math.h>
#include <string.h>

static const double DEAD = 1e-150;
static const double GROWTH = 16;  /* of a pivot over its row: above, rows might need an exchange  */
static const double LEAST = 1e-6; /* of a pivot beside its row: below, it might have cancelled   */

enum { REDUCED = 2 * LANES }; /* most rows of the small system */

struct lanes {
    int     n, length, alive; /* rows; of a piece; of it, those where f or t live on */
    double *m, *inverse, *u;  /* m_i, 1/d_i, c_i/d_i: LANES numbers a row            */
    double *f, *t;            /* f_i/d_i and t_i, of the first `alive` rows          */
    double  last_c[LANES];    /* c of the separators                                 */
    int     rows;             /* of the small system: sub, 1/pivot, upper factor     */
    double  below[REDUCED], pivot[REDUCED], above[REDUCED];
};

lanes *lanes_new(mem *m, int n, double *room)
{
    lanes *s = mem_take(m, sizeof *s);
    s->n = n, s->length = n / LANES, s->rows = LANES + n % LANES;
    double **array[] = {&s->m, &s->inverse, &s->u, &s->f, &s->t};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = room + k * LANES * (size_t)s->length;
    return s;
}

static inline double alive(double x)
{
    return fabs(x) < DEAD ? 0 : x;
}

typedef struct { /* of the row above, in every piece */
    double d[LANES], c[LANES], f[LANES], t[LANES], inverse[LANES];
    double fault[LANES]; /* above 1: a pivot of this piece cannot be trusted */
} front;

/* The larger of `fault` and the fault of this pivot: the cancellation or growth relative to its
 * row. NaN counts as a fault. */
static inline double worse(double fault, double d, double change, double row)
{
    double size = fabs(d), small = row * LEAST, large = fabs(change) / GROWTH;
    double now = small < size && large <= row && row <= DBL_MAX ? 0 : 2;
    return now > fault ? now : fault;
}

static inline double row_size(const double *a)
{
    double x = fabs(a[-1]), y = fabs(a[0]), z = fabs(a[1]), most = x > y ? x : y;
    return most > z ? most : z;
}

static void begin(lanes *s, const double *a, front *at)
{
    for (int l = 0; l < LANES; l++) {
        const double *row = a + 3 * (ptrdiff_t)(l * s->length), left = l ? row[-1] : 0;
        double        d = row[0], inverse = 1 / d;
        double        size = fmax(fabs(left), fmax(fabs(d), fabs(row[1])));
        at->d[l] = d, at->inverse[l] = inverse, at->c[l] = row[1];
        at->f[l] = left, at->t[l] = inverse, at->fault[l] = worse(0, d, 0, size);
        s->m[l] = 0, s->inverse[l] = inverse, s->u[l] = row[1] * inverse;
        s->f[l] = left * inverse, s->t[l] = inverse;
    }
}

/* One row of every piece. */
static inline void down(lanes *s, const double *a, int i, front *at)
{
    const ptrdiff_t step = 3 * (ptrdiff_t)s->length;
    double *restrict m = s->m + LANES * (ptrdiff_t)i, *restrict inverse =
                                                          s->inverse + LANES * (ptrdiff_t)i;
    double *restrict u = s->u + LANES * (ptrdiff_t)i;
    for (int l = 0; l < LANES; l++) {
        const double *row = a + l * step + 3 * (ptrdiff_t)i;
        double ratio = row[-1] * at->inverse[l], change = ratio * at->c[l], d = row[0] - change;
        double        over = 1 / d;
        m[l] = ratio, inverse[l] = over, u[l] = row[1] * over;
        at->fault[l] = worse(at->fault[l], d, change, row_size(row));
        at->inverse[l] = over;
    }
}

/* f and t of the row; true while one of them lives. */
static bool spikes(lanes *s, int i, front *at)
{
    const ptrdiff_t k = LANES * (ptrdiff_t)i;
    double          left = 0;
    for (int l = 0; l < LANES; l++) {
        at->f[l] = alive(-s->m[k + l] * at->f[l]);
        at->t[l] = alive(-at->t[l] * at->c[l] * s->inverse[k + l]);
        s->f[k + l] = at->f[l] * s->inverse[k + l], s->t[k + l] = at->t[l];
        left += fabs(at->f[l]) + fabs(at->t[l]);
    }
    return left != 0;
}

static inline void next_c(const lanes *s, const double *a, int i, front *at)
{
    for (int l = 0; l < LANES; l++) at->c[l] = a[3 * ((ptrdiff_t)l * s->length + i) + 1];
}

/* The Schur complement: separators with the first unknown of the next piece eliminated, then the
 * rows at the end. f s_{j-1} + (d + c beta) s_j + c gamma s_{j+1} = g - c alpha
 *     f s_{j-1} + (d + c beta) s_j + c gamma s_{j+1} = g - c alpha */
static bool small_system(lanes *s, const double *a, const front *at)
{
    const int end = s->length - 1;
    double    sub[REDUCED], main[REDUCED], super[REDUCED];
    for (int j = 0; j < LANES; j++) {
        double beta = 0, gamma = 1, c = at->c[j];
        if (j < LANES - 1) {
            for (int i = 0; i < end && i < s->alive; i++) {
                ptrdiff_t k = LANES * (ptrdiff_t)i + j + 1;
                beta -= s->t[k] * s->f[k] / s->inverse[k];
            }
            ptrdiff_t k = LANES * (ptrdiff_t)(end - 1) + j + 1;
            gamma = end - 1 < s->alive ? -s->t[k] * s->u[k] / s->inverse[k] : 0;
        }
        s->last_c[j] = c;
        sub[j] = j ? at->f[j] : 0, main[j] = at->d[j] + c * beta, super[j] = c * gamma;
    }
    for (int i = LANES * s->length, j = LANES; i < s->n; i++, j++) {
        const double *row = a + 3 * (ptrdiff_t)i;
        sub[j] = row[-1], main[j] = row[0], super[j] = i < s->n - 1 ? row[1] : 0;
    }
    if (s->rows == LANES) super[LANES - 1] = s->last_c[LANES - 1] = 0;
    double fault = 0;
    for (int j = 0; j < s->rows; j++) {
        double row = fmax(fabs(sub[j]), fmax(fabs(main[j]), fabs(super[j])));
        s->below[j] = j ? sub[j] * s->pivot[j - 1] : 0;
        double change = j ? s->below[j] * super[j - 1] : 0, d = main[j] - change;
        fault = worse(fault, d, change, row);
        s->pivot[j] = 1 / d, s->above[j] = super[j] / d;
    }
    return fault < 1;
}

bool lanes_factor(lanes *s, const double *a)
{
    front at;
    bool  living = true;
    int   i = 1;
    begin(s, a, &at);
    for (; i < s->length - 1 && living; i++) {
        down(s, a, i, &at);
        living = spikes(s, i, &at);
        next_c(s, a, i, &at);
    }
    s->alive = i;
    for (; i < s->length - 1; i++) down(s, a, i, &at), next_c(s, a, i, &at);
    for (int l = 0; l < LANES; l++) { /* the separators */
        const ptrdiff_t row = (ptrdiff_t)l * s->length + i, k = LANES * (ptrdiff_t)i + l;
        const double   *b = a + 3 * row;
        double          ratio = b[-1] * at.inverse[l], change = ratio * at.c[l];
        bool            last = row == s->n - 1;
        at.d[l] = b[0] - change, at.f[l] = living ? -ratio * at.f[l] : 0, at.c[l] = last ? 0 : b[1];
        s->m[k] = ratio;
        double size = fmax(fabs(b[-1]), fmax(fabs(b[0]), fabs(at.c[l])));
        if (at.fault[l] > 0 || !(fabs(change) <= GROWTH * size)) return false;
    }
    return small_system(s, a, &at);
}

static void solve_small(const lanes *s, double *x)
{
    for (int j = 1; j < s->rows; j++) x[j] -= s->below[j] * x[j - 1];
    for (int j = s->rows - 1; j >= 0; j--)
        x[j] = x[j] * s->pivot[j] - (j < s->rows - 1 ? s->above[j] * x[j + 1] : 0);
}

/* g into the place of r, and alpha = t.g. */
static void solve_down(const lanes *s, double *restrict x, double *restrict g,
                       double *restrict alpha)
{
    const ptrdiff_t length = s->length;
    for (int l = 0; l < LANES; l++) g[l] = x[l * length], alpha[l] = s->t[l] * g[l];
    int i = 1;
    for (; i < s->alive && i < s->length - 1; i++) {
        const double *m = s->m + LANES * (ptrdiff_t)i, *t = s->t + LANES * (ptrdiff_t)i;
        for (int l = 0; l < LANES; l++) {
            double *to = x + l * length + i;
            *to = g[l] = *to - m[l] * g[l];
            alpha[l] += t[l] * g[l];
        }
    }
    for (; i < s->length; i++) {
        const double *m = s->m + LANES * (ptrdiff_t)i;
        for (int l = 0; l < LANES; l++) {
            double *to = x + l * length + i;
            *to = g[l] = *to - m[l] * g[l];
        }
    }
}

/*     x_i = g_i/d_i - (c_i/d_i) x_{i+1} - (f_i/d_i) s */
static void solve_up(const lanes *s, double *restrict x, const double *before,
                     double *restrict next)
{
    const ptrdiff_t length = s->length;
    int             i = s->length - 2;
    for (; i >= s->alive; i--) {
        const double *inverse = s->inverse + LANES * (ptrdiff_t)i, *u = s->u + LANES * (ptrdiff_t)i;
        for (int l = 0; l < LANES; l++) {
            double *to = x + l * length + i;
            *to = next[l] = *to * inverse[l] - u[l] * next[l];
        }
    }
    for (; i >= 0; i--) {
        const double *inverse = s->inverse + LANES * (ptrdiff_t)i, *u = s->u + LANES * (ptrdiff_t)i;
        const double *f = s->f + LANES * (ptrdiff_t)i;
        for (int l = 0; l < LANES; l++) {
            double *to = x + l * length + i;
            *to = next[l] = (*to * inverse[l] - u[l] * next[l]) - f[l] * before[l];
        }
    }
}

void lanes_solve(const lanes *s, double *x)
{
    double g[LANES], alpha[LANES], small[REDUCED], before[LANES];
    solve_down(s, x, g, alpha);
    for (int j = 0; j < LANES; j++)
        small[j] = g[j] - (j < LANES - 1 ? s->last_c[j] * alpha[j + 1] : 0);
    for (int j = LANES; j < s->rows; j++) small[j] = x[LANES * s->length + j - LANES];
    solve_small(s, small);
    for (int j = 0; j < s->rows; j++)
        x[j < LANES ? (j + 1) * s->length - 1 : LANES * s->length + j - LANES] = small[j];
    for (int l = 0; l < LANES; l++) before[l] = l ? small[l - 1] : 0;
    solve_up(s, x, before, small);
}
