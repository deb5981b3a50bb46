/* lu_tridiagonal.c - LU of a tridiagonal matrix with scaled partial pivoting: one pass down for the
 * factors and two for a solution. Long matrices that need no pivoting are solved in lanes
 * (lanes.h).
 *
 * Row i and what was left of row k < i compete for pivot k, so a row of U reaches two columns
 * beyond its diagonal, and only where rows were exchanged. */
#include "linalg/kinds.h"
#include "linalg/lanes.h"

#include <math.h>

typedef struct {
    double inverse;  /* 1 / u_kk                                        */
    double one, two; /* u_k,k+1 / u_kk and u_k,k+2 / u_kk               */
    double factor;   /* of row k in the row below                       */
    bool   exchanged;
} pivot;

typedef struct {
    int    n;
    pivot *u;
    lanes *side; /* NULL: too short for that */
    bool   by_lanes;
} tridiagonal;

/* Every entry beside the diagonal is there, so that row i begins at entry 3 i - 1. */
static bool fits(mem *m, const pattern *p)
{
    (void)m;
    int n = p->rows;
    if (n < 3 || pattern_count(p) != 3 * n - 2) return false;
    for (int i = 0; i < n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (p->column[k] < i - 1 || p->column[k] > i + 1) return false;
    return true;
}

static void *analyse(mem *m, const pattern *p)
{
    if (!fits(m, p)) return NULL;
    tridiagonal *s = mem_take(m, sizeof *s);
    s->n = p->rows;
    s->u = mem_array(m, p->rows, pivot);
    _Static_assert(sizeof(pivot) == LANES_ROOM * sizeof(double),
                   "pivots and lanes take the same room, in turn");
    if (s->n >= LANES_LEAST) s->side = lanes_new(m, s->n, (double *)(void *)s->u);
    return s;
}

typedef struct {
    double left, diagonal, right, weight; /* weight: see equilibrate */
} row;

static inline row row_at(const double *values, int i, int n)
{
    const double *a = values + 3 * (ptrdiff_t)i;
    row           r = {i ? a[-1] : 0, a[0], i < n - 1 ? a[1] : 0, 0};
    double        x = fabs(r.left), y = fabs(r.diagonal), z = fabs(r.right);
    double        most = x > y ? x : y;
    if (z > most) most = z;
    r.weight = most >= DBL_MIN && x + y + z <= DBL_MAX ? 1 / most : 0;
    return r;
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* d, e, f: what is left of a row from column k on; w: its weight; c: the size of column k, from the
 * rows above, at and below it. */
static bool factor_pivoted(tridiagonal *s, const double *values)
{
    row          at = row_at(values, 0, s->n);
    double       d = at.diagonal, e = at.right, f = 0, w = at.weight, above = 0;
    for (int k = 0; k < s->n; k++) {
        row    next = k < s->n - 1 ? row_at(values, k + 1, s->n) : (row){0, 0, 0, 1};
        double c =
            larger(larger(above, fabs(at.diagonal) * at.weight), fabs(next.left) * next.weight);
        double own = fabs(d) * w, other = fabs(next.left) * next.weight;
        bool   exchanged = other > own;
        double top = exchanged ? next.left : d, inverse = 1 / top;
        if (!(larger(own, other) > c * solver_negligible(s->n)) || next.weight == 0) return false;
        if (!(fabs(top) >= DBL_MIN && fabs(top) <= DBL_MAX)) return false;
        if (exchanged) {
            double m = d * inverse;
            s->u[k] = (pivot){inverse, next.diagonal * inverse, next.right * inverse, m, true};
            d = e - m * next.diagonal, e = f - m * next.right, f = 0;
        } else {
            double m = next.left * inverse;
            s->u[k] = (pivot){inverse, e * inverse, f * inverse, m, false};
            d = next.diagonal - m * e, e = next.right - m * f, f = 0, w = next.weight;
        }
        above = fabs(at.right) * at.weight, at = next;
    }
    return true;
}

static bool factor(void *self, const double *values)
{
    tridiagonal *s = self;
    s->by_lanes = s->side && lanes_factor(s->side, values);
    return s->by_lanes || factor_pivoted(s, values);
}

static void solve(const void *self, double *b)
{
    const tridiagonal *s = self;
    double             rest = b[0], x1 = 0, x2 = 0;
    if (s->by_lanes) {
        lanes_solve(s->side, b);
        return;
    }
    for (int k = 0; k < s->n - 1; k++) {
        const pivot *u = &s->u[k];
        double       next = b[k + 1];
        b[k] = u->exchanged ? next : rest;
        rest = u->exchanged ? rest - u->factor * next : next - u->factor * rest;
    }
    b[s->n - 1] = rest;
    for (int k = s->n - 1; k >= 0; k--) {
        const pivot *u = &s->u[k];
        double       x = (b[k] * u->inverse - u->two * x2) - u->one * x1;
        b[k] = x, x2 = x1, x1 = x;
    }
}

const solver_kind lu_tridiagonal = {
    "tridiagonal", "LU of a tridiagonal matrix, for chains", fits, analyse, factor, solve,
    NULL, NULL, NULL, NULL,
};
