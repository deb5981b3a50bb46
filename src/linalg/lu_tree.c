/* lu_tree.c - LU of a matrix whose graph is a tree, or several: stars, branching networks. From the
 * leaves on, each unknown c is eliminated from the equation of its one neighbour p that is left,
 *
 *     l_c = a_pc/d_c,   d_p = a_pp - sum_c l_c a_cp,
 *
 * and nothing fills in. There are no row exchanges: where a sum leaves little of a_pp, or is large
 * beside it, as it never is in definite matrices of some condition, sparse LU with exchanges takes
 * the matrix. */
#include "linalg/kinds.h"

#include <math.h>

static const double GROWTH = 1e3; /* of a_pp, and its reciprocal, that is still harmless */

typedef struct {
    mem     *m;
    int      n;
    pattern  p;
    int     *order, *parent;       /* leaves first; the place of p in this order, n: none is left */
    int     *diagonal, *down, *up; /* entries a_cc, a_cp, a_pc                                */
    double  *d, *l, *a;            /* 1/d_c, l_c, a_cp                                        */
    double  *x;                    /* a right-hand side in this order, and one number more    */
    solver  *general;              /* with row exchanges; NULL: was never needed              */
    bool     exchanges;            /* the factors are its own                                 */
} tree;

/* Leaves first: c is taken when one neighbour is left, which becomes its parent. Returns how many
 * were taken: all, unless there are cycles. */
static int take_leaves(mem *m, const pattern *p, int *order, int *parent)
{
    const int n = p->rows;
    int      *left = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *left), taken = 0;
    for (int i = 0; i < n; i++) {
        left[i] = p->start[i + 1] - p->start[i] - 1, parent[i] = -1;
        if (left[i] <= 1) order[taken++] = i;
    }
    for (int k = 0; k < taken; k++) {
        const int c = order[k];
        for (int e = p->start[c]; e < p->start[c + 1] && left[c] == 1; e++) {
            const int j = p->column[e];
            if (j == c || parent[j] == c || left[j] < 0) continue;
            parent[c] = j;
            if (--left[j] == 1) order[taken++] = j;
            break;
        }
        left[c] = -1;
    }
    mem_drop(m, left);
    return taken;
}

/* A forest has fewer edges than knots. */
static bool fits(mem *m, const pattern *p)
{
    const int n = p->rows;
    if (n < 3 || pattern_count(p) > 3LL * n - 2 || !pattern_is_symmetric(p)) return false;
    int *order = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *order);
    int *parent = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *parent);
    const bool whole = take_leaves(m, p, order, parent) == n;
    mem_drop(m, parent), mem_drop(m, order);
    return whole;
}

static void end(void *self)
{
    solver_free(((tree *)self)->general);
}

static void *analyse(mem *m, const pattern *p)
{
    const int n = p->rows;
    if (!fits(m, p)) return NULL;
    tree *t = mem_take(m, sizeof *t);
    *t = (tree){.m = m, .n = n, .p = *p};
    int **of_ints[] = {&t->order, &t->parent, &t->diagonal, &t->down, &t->up};
    for (size_t k = 0; k < sizeof of_ints / sizeof *of_ints; k++)
        *of_ints[k] = mem_array(m, n, int);
    double **of_n[] = {&t->d, &t->l, &t->a, &t->x};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n + 1, double);
    int *parent = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *parent);
    int *place = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *place);
    take_leaves(m, p, t->order, parent);
    for (int k = 0; k < n; k++) place[t->order[k]] = k;
    for (int k = 0; k < n; k++) {
        const int c = t->order[k], q = parent[c];
        t->parent[k] = q < 0 ? n : place[q];
        t->diagonal[k] = pattern_find(p, c, c);
        t->down[k] = q < 0 ? -1 : pattern_find(p, c, q);
        t->up[k] = q < 0 ? -1 : pattern_find(p, q, c);
    }
    mem_drop(m, place), mem_drop(m, parent);
    return t;
}

/* d holds -sum_c l_c a_cp until p is reached. False: it needs row exchanges, or is not finite. */
static bool eliminate(tree *t, const double *a)
{
    bool sound = true;
    for (int k = 0; k <= t->n; k++) t->d[k] = 0;
    for (int k = 0; k < t->n; k++) {
        const double own = a[t->diagonal[k]], sum = t->d[k], d = own + sum, size = fabs(own);
        sound &= fabs(sum) <= GROWTH * size && GROWTH * fabs(d) >= size && size >= DBL_MIN &&
                 size <= DBL_MAX;
        const double inverse = 1 / d;
        t->d[k] = inverse;
        if (t->down[k] < 0) continue;
        t->a[k] = a[t->down[k]], t->l[k] = a[t->up[k]] * inverse;
        t->d[t->parent[k]] -= t->l[k] * t->a[k];
    }
    return sound;
}

static solver *general(tree *t)
{
    if (!t->general) t->general = solver_new_general(t->m, &t->p);
    return t->general;
}

static bool factor(void *self, const double *a)
{
    tree *t = self;
    t->exchanges = !eliminate(t, a);
    return !t->exchanges || solver_factor(general(t), a);
}

static void solve(const void *self, double *b)
{
    const tree *t = self;
    double     *x = t->x;
    if (t->exchanges) {
        solver_solve(t->general, b);
        return;
    }
    for (int k = 0; k < t->n; k++) x[k] = b[t->order[k]];
    for (int k = 0; k < t->n; k++) x[t->parent[k]] -= t->l[k] * x[k];
    x[t->n] = 0;
    for (int k = t->n - 1; k >= 0; k--)
        b[t->order[k]] = x[k] = (x[k] - t->a[k] * x[t->parent[k]]) * t->d[k];
}

static const double *pivoted_at(const void *self)
{
    const tree *t = self;
    return t->general ? solver_past(t->general) : NULL;
}

static bool pivot_at(void *self, const double *a)
{
    return solver_recall(general(self), a);
}

const solver_kind lu_tree = {
    .name = "tree",
    .title = "LU from the leaves of a tree, for stars and branching networks",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .free = end,
    .pivoted_at = pivoted_at,
    .pivot_at = pivot_at,
};
