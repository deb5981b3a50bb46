/* redundant.c - groups of relations, and the combinations of them that vanish, by Gram-Schmidt with
 * pivoting.                                                               theory.md [REDUNDANT] */
#include "mech/redundant/redundant.h"

#include <math.h>
#include <string.h>

/* What is left of a row of length 1 beside others, below which it follows from them: more than
 * roundoff, so that a position may be off by the digits that were typed. */
static const double NOTHING = 1e-9;

static int root_of(int *parent, int a)
{
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
}

/* Relations with a coordinate in common have the same root. */
static void unite(const pattern *A, int *parent, int *seen)
{
    for (int a = 0; a < A->rows; a++) parent[a] = a;
    for (int a = 0; a < A->rows; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++) {
            const int j = A->column[k];
            if (seen[j]) parent[root_of(parent, a)] = root_of(parent, seen[j] - 1);
            seen[j] = a + 1;
        }
}

/* The rows of a root, and the columns of these rows. */
static relation_group gather(mem *m, const pattern *A, const int *list, int rows, int *seen)
{
    relation_group g = {.rows = rows, .least = 1};
    int            most = 0;
    g.row = mem_array(m, rows, int), g.order = mem_array(m, rows, int);
    for (int i = 0; i < rows; i++)
        g.row[i] = list[i], most += A->start[list[i] + 1] - A->start[list[i]];
    g.column = mem_array(m, most, int);
    for (int i = 0; i < rows; i++)
        for (int k = A->start[g.row[i]]; k < A->start[g.row[i] + 1]; k++) {
            if (seen[A->column[k]] >= 0)
                seen[A->column[k]] = -1, g.column[g.columns++] = A->column[k];
        }
    return g;
}

/* Rows sorted by their roots. */
static int *by_roots(mem *m, int *parent, int rows, int *start)
{
    int *list = mem_array(m, rows, int);
    for (int a = 0; a < rows; a++) start[root_of(parent, a) + 1]++;
    for (int a = 0; a < rows; a++) start[a + 1] += start[a];
    for (int a = rows - 1; a >= 0; a--) list[--start[parent[a] + 1]] = a;
    return list;
}

static void find_groups(redundancy *of, mem *m)
{
    const pattern *A = &of->sys->A;
    mem           *own = mem_child(m);
    int           *parent = mem_array(own, A->rows, int), *seen = mem_array(own, A->columns, int);
    int           *start = mem_array(own, A->rows + 2, int);
    unite(A, parent, seen);
    for (int a = 0; a < A->rows; a++) parent[a] = root_of(parent, a);
    const int *list = by_roots(own, parent, A->rows, start);
    of->group = mem_array(m, A->rows, relation_group);
    for (int a = 0; a < A->rows; a++) {
        const int rows = (a + 1 < A->rows ? start[a + 2] : A->rows) - start[a + 1];
        if (rows > 1 && rows <= GROUP_MOST)
            of->group[of->groups++] = gather(m, A, list + start[a + 1], rows, seen);
    }
    mem_free(own);
}

void redundancy_init(redundancy *of, mem *m, const dal_system *sys)
{
    size_t rows = 0, block = 0, entries = 0;
    *of = (redundancy){.sys = sys};
    find_groups(of, m);
    for (int k = 0; k < of->groups; k++) {
        const size_t n = (size_t)of->group[k].rows, area = n * (size_t)of->group[k].columns;
        entries += n * n, rows = n > rows ? n : rows, block = area > block ? area : block;
    }
    of->P = mem_array(m, entries, double), of->entries = (int)entries;
    of->left = mem_array(m, block, double), of->made = mem_array(m, rows * rows, double);
    of->length = mem_array(m, rows, double), of->size = mem_array(m, rows, double);
    of->weight = mem_array(m, sys->n, double), of->diagonal = mem_array(m, sys->n, int);
    of->local = mem_array(m, sys->n, int);
    for (int k = 0; k < of->groups; k++)
        for (int c = 0; c < of->group[k].columns; c++) of->local[of->group[k].column[c]] = c;
    for (int j = 0; j < sys->n; j++)
        of->diagonal[j] = pattern_find(&sys->K, j, j), of->weight[j] = 1;
    double *P = of->P;
    for (int k = 0; k < of->groups; P += of->group[k].rows * of->group[k].rows, k++)
        of->group[k].P = P;
}

/* M^-1/2 by coordinates; what has no inertia of its own moves as easily as the lightest. */
static void weigh(redundancy *of, const double *L_ww)
{
    const dal_system *sys = of->sys;
    double            most = 0;
    for (int j = 0; j < sys->n; j++) {
        const double M = of->diagonal[j] < 0 ? 0 : fabs(L_ww[of->diagonal[j]]);
        const bool   momentum = sys->hamiltonian && sys->hamiltonian[j];
        of->weight[j] = M > 0 && isfinite(M) ? sqrt(momentum ? M : 1 / M) : 0;
        most = fmax(most, of->weight[j]);
    }
    for (int j = 0; j < sys->n; j++)
        if (!(of->weight[j] > 0)) of->weight[j] = most > 0 ? most : 1;
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

/*     x -= c y */
static void subtract(double *x, double c, const double *y, int n)
{
    for (int k = 0; k < n; k++) x[k] -= c * y[k];
}

static void divide(double *x, double c, int n)
{
    for (int k = 0; k < n; k++) x[k] /= c;
}

/* Rows A_a M^-1/2, brought to length 1, and each as a combination of rows: of itself. */
static void take_rows_of(redundancy *of, const relation_group *g, const double *A)
{
    const pattern *p = &of->sys->A;
    memset(of->left, 0, sizeof *of->left * (size_t)(g->rows * g->columns));
    memset(of->made, 0, sizeof *of->made * (size_t)(g->rows * g->rows));
    for (int i = 0; i < g->rows; i++) {
        double *u = of->left + i * g->columns;
        for (int k = p->start[g->row[i]]; k < p->start[g->row[i] + 1]; k++)
            u[of->local[p->column[k]]] = A[k] * of->weight[p->column[k]];
        of->length[i] = sqrt(dot(u, u, g->columns));
        g->order[i] = i;
        of->made[i * g->rows + i] = of->length[i] > 0 ? 1 / of->length[i] : 1;
        if (of->length[i] > 0) divide(u, of->length[i], g->columns);
        of->size[i] = sqrt(dot(u, u, g->columns));
    }
}

/* The longest of the rows that are left; of holonomic ones, as long as there are. */
static int longest(const redundancy *of, const relation_group *g, int from, double *length)
{
    int  best = from;
    bool holonomic = false;
    *length = -1;
    for (int i = from; i < g->rows; i++) {
        const double size = of->size[g->order[i]];
        const bool   prior = g->row[g->order[i]] >= of->sys->m && size > NOTHING;
        if (prior == holonomic ? size > *length : prior)
            *length = size, best = i, holonomic = prior;
    }
    return best;
}

/* Makes it the next one, and the others orthogonal to it, of which many have no coordinate in
 * common with it; its length was. */
static double next_row(redundancy *of, const relation_group *g, int k, bool combine)
{
    const int n = g->columns;
    double    length;
    const int best = longest(of, g, k, &length), chosen = g->order[best];
    g->order[best] = g->order[k], g->order[k] = chosen;
    if (!(length > NOTHING)) return length;
    double *u = of->left + chosen * n, *w = of->made + chosen * g->rows;
    divide(u, length, n), divide(w, length, g->rows);
    for (int i = k + 1; i < g->rows; i++) {
        const int    other = g->order[i];
        double      *left = of->left + other * n;
        const double c = dot(u, left, n);
        if (c == 0) continue;
        subtract(left, c, u, n);
        of->size[other] = sqrt(dot(left, left, n));
        if (combine) subtract(of->made + other * g->rows, c, w, g->rows);
    }
    return length;
}

const double *redundancy_combination(const redundancy *of, const relation_group *g, int k)
{
    return of->made + g->order[k] * g->rows;
}

/* Combinations that vanish, made orthonormal, twice for the sake of rounding. */
static void make_orthonormal(redundancy *of, const relation_group *g)
{
    for (int k = g->rows - g->open; k < g->rows; k++) {
        double *y = of->made + g->order[k] * g->rows;
        divide(y, sqrt(dot(y, y, g->rows)), g->rows);
        for (int pass = 0; pass < 2; pass++) {
            for (int l = g->rows - g->open; l < k; l++) {
                const double *z = redundancy_combination(of, g, l);
                subtract(y, dot(y, z, g->rows), z, g->rows);
            }
            divide(y, sqrt(dot(y, y, g->rows)), g->rows);
        }
    }
}

/*     P = S E Y^T */
static void fill(const redundancy *of, const relation_group *g)
{
    memset(g->P, 0, sizeof *g->P * (size_t)(g->rows * g->rows));
    for (int k = g->rows - g->open; k < g->rows; k++) {
        const double *y = redundancy_combination(of, g, k), size = of->length[g->order[k]];
        for (int b = 0; b < g->rows; b++)
            g->P[g->order[k] * g->rows + b] = (size > 0 ? size * size : 1) * y[b];
    }
}

/* Of one group, once its coordinates have weights; combine: Y too. */
static void find_in(redundancy *of, relation_group *g, const double *A, bool combine)
{
    int rank = 0;
    take_rows_of(of, g, A);
    g->least = 1;
    for (double length; rank < g->rows && (length = next_row(of, g, rank, combine)) > NOTHING;
         rank++)
        g->least = fmin(g->least, length);
    g->open = g->rows - rank;
}

int redundancy_find(redundancy *of, const double *A, const double *L_ww)
{
    int open = 0;
    weigh(of, L_ww);
    for (int k = 0; k < of->groups; k++) {
        relation_group *g = &of->group[k];
        find_in(of, g, A, true);
        make_orthonormal(of, g);
        fill(of, g);
        open += g->open;
    }
    return open;
}

double redundancy_least(redundancy *of, relation_group *g, const double *A)
{
    find_in(of, g, A, false);
    return g->open ? 0 : g->least;
}

int redundancy_numbers(const redundancy *of)
{
    int numbers = 0;
    for (int k = 0; k < of->groups; k++) {
        const relation_group *g = &of->group[k];
        for (int i = g->rows - g->open; i < g->rows; i++)
            numbers += g->row[g->order[i]] < of->sys->m ? 1 : 2;
    }
    return numbers;
}

void redundancy_add(const redundancy *of, double c, const double *lam, double *r)
{
    for (int k = 0; k < of->groups; k++) {
        const relation_group *g = &of->group[k];
        for (int a = 0; a < g->rows && g->open; a++)
            for (int b = 0; b < g->rows; b++)
                r[g->row[a]] += c * g->P[a * g->rows + b] * lam[g->row[b]];
    }
}
