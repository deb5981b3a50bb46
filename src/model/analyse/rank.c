/* rank.c - regular or degenerate at the start: ranks of inertia and relations, and
 *
 *     U = ker L_vv and ker A,     theory.md [DEGENERATE]
 *
 * component by component: coordinates that neither inertia nor a relation couples are analysed
 * separately, so that a large system of small components costs no more than these. */
#include "linalg/dense.h"
#include "model/analyse/facts.h"

#include <math.h>
#include <string.h>

enum { DENSE_MOST = 160 }; /* coordinates of a component that is decomposed */

typedef struct {
    mem              *m;
    const compiled   *c;
    const dal_system *sys;
    analysis         *a;
    const double     *lww, *A, *fw;
    int              *local; /* number of a coordinate within its component, or -1 */
    vec(direction) null;
    vec(int) dependent, idle;
    vec(relation_sum) made_of;
} ranking;

static bool is_hamiltonian(const ranking *r, int i)
{
    return r->sys->hamiltonian && r->sys->hamiltonian[i];
}

/* The block of a field over the first n coordinates of a component. */
static double *block(const ranking *r, const double *on_K, const int *i, int n)
{
    const pattern *K = &r->sys->K;
    double        *a = mem_resize(r->m, NULL, (size_t)(n * n + 1) * sizeof *a);
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int x = 0; x < n; x++)
        for (int k = K->start[i[x]]; k < K->start[i[x] + 1]; k++) {
            int y = r->local[K->column[k]];
            if (y >= 0 && y < n) a[x * n + y] = on_K[k];
        }
    return a;
}

/* rows x n, dense: columns numbered within the component. The caller drops it. */
static double *relation_block(const ranking *r, const int *row, int rows, int n)
{
    const pattern *A = &r->sys->A;
    double        *a = mem_resize(r->m, NULL, (size_t)(rows * n + 1) * sizeof *a);
    memset(a, 0, (size_t)(rows * n) * sizeof *a);
    for (int x = 0; x < rows; x++)
        for (int k = A->start[row[x]]; k < A->start[row[x] + 1]; k++)
            a[x * n + r->local[A->column[k]]] = r->A[k];
    return a;
}

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* Row x is the sum of made[y] times the rows y before it, of which those that count are kept. */
static void keep_dependent(ranking *r, const int *row, int rows, int x, const double *made)
{
    double       most = 0;
    relation_sum of = {0, mem_array(r->m, rows, int)};
    for (int y = 0; y < x; y++) most = fmax(most, fabs(made[y]));
    for (int y = 0; y < x; y++)
        if (fabs(made[y]) > 1e-8 * most) of.from[of.n++] = r->c->relation_of[row[y]];
    vec_push(r->m, r->dependent, r->c->relation_of[row[x]]);
    vec_push(r->m, r->made_of, of);
}

/* Rows that vanish, and those that depend on the rows before them, by Gram-Schmidt, done twice for
 * the sake of rounding. made: each as a combination of the rows of A. */
static int independent_rows(ranking *r, double *a, const int *row, int rows, int n)
{
    int     rank = 0;
    double *made = mem_resize(r->m, NULL, ((size_t)rows * (size_t)rows + 1) * sizeof *made);
    /* v: row x of A, made orthogonal to the rows before it; w: the same as a combination of rows
     * of A */
    for (int x = 0; x < rows; x++) {
        double *v = a + x * n, *w = made + rank * rows, size = norm(v, n);
        if (size == 0) {
            vec_push(r->m, r->idle, r->c->relation_of[row[x]]);
            continue;
        }
        for (int k = 0; k < n; k++) v[k] /= size;
        for (int k = 0; k < rows; k++) w[k] = k == x ? 1 / size : 0;
        for (int pass = 0; pass < 2; pass++)
            for (int y = 0; y < rank; y++) {
                const double *u = a + y * n;
                double        dot = 0;
                for (int k = 0; k < n; k++) dot += u[k] * v[k];
                for (int k = 0; k < n; k++) v[k] -= dot * u[k];
                for (int k = 0; k < rows; k++) w[k] -= dot * made[y * rows + k];
            }
        double left = norm(v, n);
        if (!(left > 1e-12 * (n + rows))) {
            keep_dependent(r, row, rows, x, w);
            continue;
        }
        for (int k = 0; k < n; k++) a[rank * n + k] = v[k] / left;
        for (int k = 0; k < rows; k++) w[k] /= left;
        rank++;
    }
    mem_drop(r->m, made);
    return rank;
}

/* Row echelon form: each direction gets a coordinate of its own, and whole numbers show. */
static void simplify(double *u, int rows, int n)
{
    dense_echelon(u, rows, n, NULL, n, 1e-9, NULL);
    for (int k = 0; k < rows * n; k++)
        if (fabs(u[k]) < 1e-9) u[k] = 0; /* roundoff is no direction */
}

/* Directions as coordinates with weights, roundoff left out; at most NULLS_MOST in all. */
static void keep_directions(ranking *r, const double *u, int rows, const int *i, int n)
{
    for (int x = 0; x < rows && r->null.n < NULLS_MOST; x++) {
        direction d = {0, mem_array(r->m, n, int), mem_array(r->m, n, double)};
        for (int k = 0; k < n; k++)
            if (fabs(u[x * n + k]) > 1e-9) d.coordinate[d.n] = i[k], d.weight[d.n++] = u[x * n + k];
        vec_push(r->m, r->null, d);
    }
}

/* rank of U^T f_v U: how many of the directions without inertia have resistance */
static int resisted(ranking *r, const double *u, int k, const double *fw, int n)
{
    double *a = mem_resize(r->m, NULL, (size_t)(k * k + 1) * sizeof *a);
    for (int x = 0; x < k; x++)
        for (int y = 0; y < k; y++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) sum += u[x * n + i] * fw[i * n + j] * u[y * n + j];
            a[x * k + y] = sum;
        }
    double most = 0;
    for (int x = 0; x < k * k; x++) most = fmax(most, fabs(a[x]));
    int rank = most > 0 ? dense_rank_scaled(r->m, a, k, k, 0, NULL) : 0;
    mem_drop(r->m, a);
    return rank;
}

/* U of a component, whose Lagrangian coordinates are the first n of all. */
static void null_space(ranking *r, const double *M, const double *A, int rows, const int *i, int n,
                       int all)
{
    double *stack = mem_resize(r->m, NULL, (size_t)((n + rows) * n + 1) * sizeof *stack);
    double *u = mem_resize(r->m, NULL, (size_t)(n * n + 1) * sizeof *u);
    /* [L_vv; A] over the Lagrangian columns: its null space is U */
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) stack[x * n + y] = M[x * all + y];
    for (int x = 0; x < rows; x++)
        for (int y = 0; y < n; y++) stack[(n + x) * n + y] = A[x * all + y];
    int k = n - dense_rank_scaled(r->m, stack, n + rows, n, 0, u);
    if (k) {
        double *fw = block(r, r->fw, i, n);
        simplify(u, k, n);
        keep_directions(r, u, k, i, n);
        r->a->null_dimension += k;
        r->a->resisted += resisted(r, u, k, fw, n);
        mem_drop(r->m, fw);
    }
    mem_drop(r->m, u);
    mem_drop(r->m, stack);
}

/* rank of a diagonal block of an all x all matrix */
static int block_rank(mem *m, const double *a, int from, int to, int all)
{
    int     n = to - from;
    double *b = mem_resize(m, NULL, (size_t)(n * n + 1) * sizeof *b);
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) b[x * n + y] = a[(from + x) * all + from + y];
    int rank = n ? dense_rank_scaled(m, b, n, n, 0, NULL) : 0;
    mem_drop(m, b);
    return rank;
}

/* One component in full: ranks of L_vv and H_pp, U, and independent rows of A. */
static void rank_dense(ranking *r, const int *i, int lagrangian, int n, const int *row, int rows)
{
    double *M = block(r, r->lww, i, n), *A = relation_block(r, row, rows, n);
    r->a->inertia_rank += block_rank(r->m, M, 0, lagrangian, n);
    r->a->momentum_rank += block_rank(r->m, M, lagrangian, n, n);
    if (lagrangian) null_space(r, M, A, rows, i, lagrangian, n);
    r->a->relation_rank += independent_rows(r, A, row, rows, n);
    mem_drop(r->m, A);
    mem_drop(r->m, M);
}

/* entries of a sparse matrix; those at the same place are added */
typedef struct {
    vec(int) row, column;
    vec(double) value;
} triplets;

static void add_triplet(mem *m, triplets *t, int i, int j, double value)
{
    vec_push(m, t->row, i);
    vec_push(m, t->column, j);
    vec_push(m, t->value, value);
}

/* A square matrix of triplets: can it be factored without a zero pivot? */
static bool can_be_factored(mem *m, const triplets *t, int n)
{
    int    *place = mem_resize(m, NULL, (size_t)(t->row.n + 1) * sizeof *place);
    pattern p = pattern_from_pairs(m, n, n, t->row.at, t->column.at, t->row.n, place);
    double *sum = mem_array(m, pattern_count(&p) + 1, double);
    for (int k = 0; k < t->row.n; k++) sum[place[k]] += t->value.at[k];
    solver *s = solver_new(m, &p, NULL);
    bool    regular = s && solver_factor(s, sum);
    solver_free(s);
    mem_drop(m, place);
    return regular;
}

/* [[L_ww, A^T], [A, 0]] of a component that is too large to decompose. If it can be factored then,
 * L_ww being semi-definite as a rule, U = 0 and the relations are independent. */
static bool is_regular(const ranking *r, const int *i, int n, const int *row, int rows)
{
    mem           *m = r->m;
    const pattern *K = &r->sys->K, *A = &r->sys->A;
    triplets       t = {0};
    for (int k = 0; k < n; k++)
        for (int e = K->start[i[k]]; e < K->start[i[k] + 1]; e++)
            if (r->sys->present[F_LWW][e] || K->column[e] == i[k])
                add_triplet(m, &t, k, r->local[K->column[e]], r->lww[e]);
    for (int k = 0; k < rows; k++)
        for (int e = A->start[row[k]]; e < A->start[row[k] + 1]; e++) {
            int j = r->local[A->column[e]];
            add_triplet(m, &t, n + k, j, r->A[e]);
            add_triplet(m, &t, j, n + k, r->A[e]);
        }
    bool regular = can_be_factored(m, &t, n + rows);
    vec_drop(m, t.row);
    vec_drop(m, t.column);
    vec_drop(m, t.value);
    return regular;
}

/* Regular as a whole tells U = 0 and the rank of A; L_vv alone may still be singular then. */
static void rank_large(ranking *r, const int *i, int lagrangian, int n, const int *row, int rows)
{
    analysis *a = r->a;
    if (lagrangian < n || !is_regular(r, i, n, row, rows)) {
        a->ranked = false;
        return;
    }
    a->relation_rank += rows;
    if (!rows || is_regular(r, i, n, row, 0)) a->inertia_rank += n;
    else a->inertia_known = false;
}

/* One component: its coordinates (Lagrangian first) and its relations. */
static void rank_component(ranking *r, const int *i, int lagrangian, int n, const int *row,
                           int rows)
{
    int diagonal = n == 1 && lagrangian && !rows ? pattern_find(&r->sys->K, *i, *i) : -1;
    if (diagonal >= 0 && r->lww[diagonal] != 0) {
        r->a->inertia_rank++;
        return;
    }
    for (int k = 0; k < n; k++) r->local[i[k]] = k;
    if (n <= DENSE_MOST) rank_dense(r, i, lagrangian, n, row, rows);
    else rank_large(r, i, lagrangian, n, row, rows);
    for (int k = 0; k < n; k++) r->local[i[k]] = -1;
}

/* Members of each component next to each other: a counting sort by leader. */
static int *by_leader(mem *m, groups *g, const int *leader, int count, int *start)
{
    int *list = mem_resize(m, NULL, (size_t)(count + 1) * sizeof *list);
    for (int i = 0; i <= g->n; i++) start[i] = 0;
    for (int k = 0; k < count; k++)
        if (leader[k] >= 0) start[leader[k] + 1]++;
    for (int i = 0; i < g->n; i++) start[i + 1] += start[i];
    for (int k = 0; k < count; k++)
        if (leader[k] >= 0) list[start[leader[k]]++] = k;
    for (int i = g->n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
    return list;
}

/* Coordinates that L_ww or a relation couples; K would join more, but only these matter for
 * ranks. */
static groups components(ranking *r)
{
    const pattern *K = &r->sys->K;
    groups         g = groups_new(r->m, r->sys->n);
    for (int i = 0; i < K->rows; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            if (r->sys->present[F_LWW][k]) groups_join(&g, i, K->column[k]);
    groups_join_rows(&g, &r->sys->A);
    return g;
}

/* Coordinates with the Lagrangian ones first, so that each component has them first too. */
static void rank_components(ranking *r)
{
    mem           *m = r->m;
    int            n = r->sys->n, rows = r->sys->m + r->sys->r, lagrangians = 0;
    const pattern *A = &r->sys->A;
    groups         g = components(r);
    int           *order = mem_array(m, n + 1, int), *leader = mem_array(m, n + rows + 1, int);
    int           *start = mem_array(m, n + 2, int), *row_start = mem_array(m, n + 2, int);
    for (int pass = 0, k = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            if (is_hamiltonian(r, i) == pass) order[k++] = i, lagrangians += !pass;
    for (int k = 0; k < n; k++) leader[k] = groups_find(&g, order[k]);
    int *member_of = by_leader(m, &g, leader, n, start);
    /* a relation belongs to the component of its first coordinate; without any it is idle */
    for (int a = 0; a < rows; a++) {
        bool empty = A->start[a] == A->start[a + 1];
        leader[a] = empty ? -1 : groups_find(&g, A->column[A->start[a]]);
        if (empty) vec_push(m, r->idle, r->c->relation_of[a]);
    }
    int *row = by_leader(m, &g, leader, rows, row_start);
    for (int i = 0; i < n; i++) {
        int *first = member_of + start[i], count = start[i + 1] - start[i], lagrangian = 0;
        for (int k = 0; k < count; k++) {
            first[k] = order[first[k]];
            lagrangian += !is_hamiltonian(r, first[k]);
        }
        if (count)
            rank_component(r, first, lagrangian, count, row + row_start[i],
                           row_start[i + 1] - row_start[i]);
    }
    r->a->inertia_size = lagrangians, r->a->momentum_size = n - lagrangians;
    mem_drop(m, row);
    mem_drop(m, member_of);
    mem_drop(m, g.of);
}

/* Of Hamiltonian coordinates L_ww is -H_pp. */
static double own_inertia(const ranking *r, int i)
{
    const int diagonal = pattern_find(&r->sys->K, i, i);
    if (diagonal < 0) return 0;
    return is_hamiltonian(r, i) ? -r->lww[diagonal] : r->lww[diagonal];
}

/* M_ij^2 > M_ii M_jj, beyond roundoff: some velocities of i and j have a negative energy. */
static bool is_overcoupled(const ranking *r, int i, int k)
{
    const int    j = r->sys->K.column[k];
    const double most = own_inertia(r, i) * own_inertia(r, j);
    return j < i && is_hamiltonian(r, i) == is_hamiltonian(r, j) && own_inertia(r, i) > 0 &&
           most > 0 && r->lww[k] * r->lww[k] > (1 + 1e-12) * most;
}

/* Coordinates whose own kinetic energy is negative, and two whose common one can be. */
static void find_negative(ranking *r)
{
    analysis      *a = r->a;
    const pattern *K = &r->sys->K;
    a->negative = mem_array(r->m, r->sys->n + 1, int);
    for (int i = 0; i < r->sys->n; i++) {
        if (own_inertia(r, i) < 0) a->negative[a->negatives++] = i;
        for (int k = K->start[i]; k < K->start[i + 1] && !a->overcoupled[1]; k++)
            if (is_overcoupled(r, i, k)) a->overcoupled[0] = K->column[k], a->overcoupled[1] = i;
    }
}

/* As the metric of space and time: L and L_q vanish with the velocities, nothing else acts, and
 * some velocities have a positive energy. */
static bool is_metric(const ranking *r, const sys_point *start)
{
    const dal_system *sys = r->sys;
    const int         n = sys->n;
    sys_values        o = {.Lq = mem_array(r->m, n, double), .Lw = mem_array(r->m, n, double)};
    const double     *still = mem_array(r->m, n, double);
    const sys_point   at = {.t = start->t, .q = start->q, .w = still, .v = still};
    bool              both = false;
    if (sys->forced || sys->hamiltonian) return false;
    if (sys->eval(sys->self, WANT_L | WANT_GRADIENT, 1, &at, &o) || o.L != 0) return false;
    for (int i = 0; i < n; i++) {
        if (o.Lq[i] != 0) return false;
        both |= own_inertia(r, i) > 0;
    }
    return both;
}

/* Evaluates L_ww, f_w and A at the start. Where they are not finite nothing is said. */
void analyse_ranks(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a)
{
    dal_system *sys = bound_system(b);
    int         n = sys->n, K = pattern_count(&sys->K), E = pattern_count(&sys->A);
    sys_values  o = {.e = mem_array(m, sys->m + sys->r + 1, double),
                     .A = mem_array(m, E + 1, double)};
    o.on_K[F_LWW] = mem_array(m, K + 1, double);
    o.on_K[F_FW] = mem_array(m, K + 1, double);
    sys->eval(sys->self, WANT_HESSIAN | WANT_FORCE_JACOBIAN | WANT_RELATIONS, 1, start, &o);
    a->finite = all_finite(o.on_K[F_LWW], K) && all_finite(o.on_K[F_FW], K) && all_finite(o.A, E);
    if (!a->finite) return;
    ranking r = {
        .m = m, .c = c, .sys = sys, .a = a, .lww = o.on_K[F_LWW], .A = o.A, .fw = o.on_K[F_FW]};
    r.local = mem_array(m, n + 1, int);
    for (int i = 0; i < n; i++) r.local[i] = -1;
    a->ranked = a->inertia_known = true;
    rank_components(&r);
    find_negative(&r);
    a->metric = a->negatives && is_metric(&r, start);
    a->nulls = r.null.n, a->null = r.null.at;
    a->dependent = (dependencies){r.dependent.n, r.dependent.at, r.made_of.at, false};
    a->idles = r.idle.n, a->idle = r.idle.at;
}
