/* degenerate.c - finds U, the directions without inertia, and sorts them by what acts along
 * them. */
#include "mech/degenerate/degenerate.h"
#include "mech/degenerate/inside.h"

#include <math.h>
#include <string.h>

static const double ROUNDOFF = 1e-13; /* of a direction: what is less in it is 0 */

/* Every field, whether it may be other than 0 or not: this is done once. */
sys_values degeneracy_fields(mem *m, const dal_system *sys)
{
    sys_values out = {0};
    const int  K = pattern_count(&sys->K), A = pattern_count(&sys->A), n = sys->n;
    double   **of_n[] = {&out.Lq, &out.Lw, &out.f};
    for (int i = 0; i < 3; i++) *of_n[i] = mem_array(m, n, double);
    for (int i = 0; i < F_COUNT; i++) out.on_K[i] = mem_array(m, K, double);
    out.A = mem_array(m, A, double);
    out.e = mem_array(m, sys->m + sys->r, double);
    return out;
}

static bool is_phase(const dal_system *sys, int i)
{
    return sys->hamiltonian && sys->hamiltonian[i];
}

/* The rows of L_ww (1 on the diagonal for Hamiltonian coordinates, which do not count), then of
 * A. */
static double *stacked(mem *m, const dal_system *sys, const sys_values *out)
{
    const int n = sys->n, M = sys->m + sys->r;
    double   *a = mem_array(m, (n + M) * n, double);
    for (int i = 0; i < n; i++) {
        if (is_phase(sys, i)) a[i * n + i] = 1;
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1] && !is_phase(sys, i); k++)
            if (!is_phase(sys, sys->K.column[k])) a[i * n + sys->K.column[k]] = out->on_K[F_LWW][k];
    }
    for (int row = 0; row < M; row++)
        for (int k = sys->A.start[row]; k < sys->A.start[row + 1]; k++)
            a[(n + row) * n + sys->A.column[k]] = out->A[k];
    return a;
}

/* Gram-Schmidt on k rows; entries at roundoff become 0, so that sparse directions stay sparse. */
static void orthonormalise(double *U, int k, int n)
{
    for (int a = 0; a < k; a++) {
        for (int b = 0; b < a; b++) {
            double dot = 0;
            for (int i = 0; i < n; i++) dot += U[a * n + i] * U[b * n + i];
            for (int i = 0; i < n; i++) U[a * n + i] -= dot * U[b * n + i];
        }
        double size = 0; /* squared */
        for (int i = 0; i < n; i++) size += U[a * n + i] * U[a * n + i];
        for (int i = 0; i < n; i++) {
            double *u = &U[a * n + i];
            *u = fabs(*u) > ROUNDOFF * sqrt(size) ? *u / sqrt(size) : 0;
        }
    }
}

/* L_qv - L_vq at an entry of K */
static double gyroscopic(const dal_system *sys, const sys_values *out, int e)
{
    return out->on_K[F_LQW][e] - out->on_K[F_LQW][sys->transpose[e]];
}

double degeneracy_push(const dal_system *sys, const sys_values *out, int e)
{
    return (sys->varies[F_LQW] ? gyroscopic(sys, out, e) : 0) +
           (sys->forced && sys->varies[F_FW] ? out->on_K[F_FW][e] : 0);
}

/* Rotates k directions by the rows of vt, the right singular vectors of a matrix with k columns. */
static void turn(mem *m, double *U, int k, int n, const double *vt)
{
    double *turned = mem_array(m, k * n, double);
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
            for (int i = 0; i < n; i++) turned[a * n + i] += vt[a * k + b] * U[b * n + i];
    memcpy(U, turned, sizeof *U * (size_t)(k * n));
}

/* Directions in U ordered by the forces that velocities make (left singular vectors): S^T takes the
 * place of S, unless both span the same space. */
static double *pushed_along(mem *m, const double *S, const double *vt, const double *sigma,
                            const double *U, int resistive, int k, int n)
{
    double *St = mem_array(m, k * k, double), *left = mem_array(m, k * k, double), most = 0;
    double *W = mem_array(m, k * n, double);
    for (int a = resistive; a < k; a++) /* vt S, on what makes no force */
        for (int b = 0; b < k; b++) {
            double sum = 0;
            for (int c = 0; c < k; c++) sum += vt[a * k + c] * S[c * k + b];
            most = fmax(most, fabs(sum));
        }
    if (!(most > 1e-12 * sigma[0])) return NULL;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) St[a * k + b] = S[b * k + a];
    dense_svd(m, St, k, k, mem_array(m, k, double), left);
    memcpy(W, U, sizeof *W * (size_t)(k * n));
    turn(m, W, k, n, left);
    return W;
}

/* Rotates U so that its first directions are those in which velocity makes force, by resistance or
 * because L is of first order there: U^T (L_qv - L_vq + f_v) U. Returns their number. */
static int sort_by_resistance(mem *m, const dal_system *sys, const sys_values *out, double *U,
                              int k, double **W)
{
    const int n = sys->n;
    double   *S = mem_array(m, k * k, double), *sigma = mem_array(m, k, double);
    double   *vt = mem_array(m, k * k, double);
    for (int i = 0; i < n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
            int    j = sys->K.column[e];
            double c = degeneracy_push(sys, out, e);
            for (int a = 0; a < k; a++)
                for (int b = 0; b < k; b++) S[a * k + b] += U[a * n + i] * c * U[b * n + j];
        }
    /* velocities along small singular directions make no force */
    dense_svd(m, S, k, k, sigma, vt);
    int resistive = 0;
    while (resistive < k && sigma[resistive] > 1e-12 * sigma[0] && sigma[resistive] > 0)
        resistive++;
    *W = resistive ? pushed_along(m, S, vt, sigma, U, resistive, k, n) : NULL;
    turn(m, U, k, n, vt);
    if (!*W) *W = U;
    return resistive;
}

/* The direction, counted from 1, along which L is most of first order, so that momenta there are
 * functions of the position:  U^T L_vq != 0;  0: none. */
static int find_first_order(const dal_system *sys, const sys_values *out, const double *U, int k)
{
    const int     n = sys->n;
    const double *Lqw = out->on_K[F_LQW];
    double        most = 0, largest = 0;
    int           found = 0;
    for (int u = 0; u < k && sys->varies[F_LQW]; u++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int e = sys->K.start[j]; e < sys->K.start[j + 1]; e++) {
                sum += Lqw[e] * U[u * n + sys->K.column[e]];
                largest = fmax(largest, fabs(Lqw[e]));
            }
            if (fabs(sum) > most) most = fabs(sum), found = u + 1;
        }
    return most > 1e-12 * largest ? found : 0;
}

/* Removes from each row of x its components along the orthonormal rows of a. */
static void clear(double *x, int rows, const double *a, int count, int n)
{
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < count; k++) {
            double dot = 0;
            for (int i = 0; i < n; i++) dot += a[k * n + i] * x[r * n + i];
            for (int i = 0; i < n; i++) x[r * n + i] -= dot * a[k * n + i];
        }
}

/* Rotates the directions behind the resistive ones so that the first of them are those along which
 * forces depend on velocities of directions with inertia, U^T (L_qv - L_vq + f_v) != 0 outside of U
 * and of the relations: a gyrator between a capacitor and a coil. Returns their number. */
static int sort_by_coupling(mem *m, const dal_system *sys, const sys_values *out,
                            const double *rows_A, degeneracy *g)
{
    const int n = sys->n, M = sys->m + sys->r, k = g->dimension - g->resistive;
    double   *W = g->W + g->resistive * n, *C = mem_array(m, k * n, double), largest = 0;
    double   *seen = mem_array(m, M * n, double), *columns = mem_array(m, n * k, double);
    double   *sigma = mem_array(m, k, double), *vt = mem_array(m, k * k, double);
    for (int i = 0; i < n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
            const double c = degeneracy_push(sys, out, e);
            largest = fmax(largest, fabs(c));
            for (int u = 0; u < k; u++) C[u * n + sys->K.column[e]] += W[u * n + i] * c;
        }
    if (M) memcpy(seen, rows_A, sizeof *seen * (size_t)(M * n));
    orthonormalise(seen, M, n);
    /* what relations or other directions of U take up does not count */
    clear(C, k, seen, M, n);
    clear(C, k, g->U, g->dimension, n);
    for (int u = 0; u < k; u++)
        for (int i = 0; i < n; i++) columns[i * k + u] = C[u * n + i];
    dense_svd(m, columns, n, k, sigma, vt);
    int coupled = 0;
    while (coupled < k && sigma[coupled] > 1e-12 * largest) coupled++;
    if (coupled && coupled < k) turn(m, W, k, n, vt);
    return coupled;
}

/* Does stiffness determine the state along the directions that nothing else determines, W^T (L_qq +
 * f_q) U? If not, another equation would have to be differentiated; the step does what it can.
 * Where these forces depend on no position at all, nothing determines them and the step is
 * singular. */
static bool is_loose(mem *m, const dal_system *sys, const sys_values *out, const degeneracy *g)
{
    const int     n = sys->n, k = g->dimension - g->resistive;
    const double *W = g->W + g->resistive * n, *U = g->U + g->resistive * n;
    double       *B = mem_array(m, k * k, double), *sigma = mem_array(m, k, double), largest = 0;
    double       *C = mem_array(m, k * n, double);
    for (int i = 0; i < n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
            const double c = out->on_K[F_LQQ][e] + (sys->forced ? out->on_K[F_FQ][e] : 0);
            const int    j = sys->K.column[e];
            largest = fmax(largest, fabs(c));
            for (int a = 0; a < k; a++) {
                C[a * n + j] += W[a * n + i] * c;
                for (int b = 0; b < k; b++) B[a * k + b] += W[a * n + i] * c * U[b * n + j];
            }
        }
    double most = 0; /* of C: what is left of it may be roundoff */
    for (int a = 0; a < k * n; a++) most = fmax(most, fabs(C[a]));
    if (most <= 1e-12 * largest) return false;
    dense_svd(m, B, k, k, sigma, mem_array(m, k * k, double));
    if (sigma[k - 1] > 1e-12 * largest) return false;
    return g->W != g->U || dense_rank_scaled(m, C, k, n, 0, NULL) == k;
}

/* Everything at one point: U as the kernel of L_ww over A, then its directions sorted into
 * resistive, coupled and stiff ones. */
static bool find_at(mem *m, dal_system *sys, const sys_point *at, degeneracy *out)
{
    const int  n = sys->n, M = sys->m + sys->r;
    unsigned   want = WANT_GRADIENT | WANT_HESSIAN;
    sys_values f = degeneracy_fields(m, sys);
    if (M) want |= WANT_RELATIONS;
    if (sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    if (sys->eval(sys->self, want, 1, at, &f)) return false;

    double *a = stacked(m, sys, &f), *null = mem_array(m, n * n, double);
    *out = (degeneracy){.U = null};
    out->dimension = n - dense_rank_scaled(m, a, n + M, n, 0, null);
    out->rank_A = M ? dense_rank_scaled(m, a + n * n, M, n, 0, NULL) : 0;
    orthonormalise(null, out->dimension, n);
    out->W = null;
    if (out->dimension)
        out->resistive = sort_by_resistance(m, sys, &f, null, out->dimension, &out->W);
    out->first_order = find_first_order(sys, &f, null, out->dimension);
    if (out->resistive < out->dimension)
        out->coupled = sort_by_coupling(m, sys, &f, a + n * n, out);
    if (out->resistive < out->dimension && !out->coupled && is_loose(m, sys, &f, out))
        out->loose = true, out->coupled = out->dimension - out->resistive;
    return true;
}

/* By a thousandth of the largest x or more, in golden ratios, so that no symmetry of the model
 * is met. */
const double *moved_nearby(mem *m, const double *x, int n)
{
    double *y = mem_array(m, n, double), size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    if (size == 0) size = 1;
    for (int i = 0; i < n; i++) y[i] = x[i] + 1e-3 * size * (1 + fmod(0.618033988749895 * i, 1));
    return y;
}

/* Where inertia or A varies, a second look nearby tells directions that are without inertia only
 * here. */
bool degeneracy_find(mem *m, dal_system *sys, double t, const double *q, const double *w,
                     const double *v, degeneracy *out)
{
    const int  n = sys->n;
    degeneracy nearby;
    *out = (degeneracy){0};
    if (n + sys->m + sys->r > DEGENERATE_MOST) return false;
    if (!find_at(m, sys, &(sys_point){.t = t, .q = q, .w = w, .v = v}, out)) return false;
    const bool turns = sys->varies[F_LWW] == FIELD_VARIES || !sys->constant_A;
    if (!out->dimension || (!turns && !out->loose)) return true;
    sys_point at = {
        .t = t, .q = moved_nearby(m, q, n), .w = moved_nearby(m, w, n), .v = moved_nearby(m, v, n)};
    if (!find_at(m, sys, &at, &nearby)) return true;
    if (nearby.dimension < out->dimension) {
        nearby.rank_A = out->rank_A;
        *out = nearby;
    } else if (out->loose && !nearby.loose && out->W == out->U) { /* stiffness is 0 here alone */
        out->loose = false, out->coupled = 0;
    }
    return true;
}

/*     S = W^T (L_qv - L_vq + f_v) U   there, by rows of k; the largest of them */
static double push_between(const dal_system *sys, const sys_values *out, const degeneracy *g,
                           double *S)
{
    const int k = g->dimension, n = sys->n;
    double    most = 0;
    for (int i = 0; i < n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
            const double c = degeneracy_push(sys, out, e);
            for (int a = 0; a < k; a++)
                for (int b = 0; b < k; b++)
                    S[a * k + b] += g->W[a * n + i] * c * g->U[b * n + sys->K.column[e]];
        }
    for (int e = 0; e < k * k; e++) most = fmax(most, fabs(S[e]));
    return most;
}

/* As many, but not those behind the resistive ones. */
bool degeneracy_turns(mem *m, dal_system *sys, const sys_point *at, const degeneracy *g)
{
    static const double NOTHING = 1e-9;
    const int           n = sys->n, k = g->dimension;
    if (!g->resistive || g->resistive == k || !g->U) return false;
    mem            *room = mem_child(m);
    sys_values      out = degeneracy_fields(room, sys);
    double         *S = mem_array(room, k * k, double), most = 0;
    double         *sigma = mem_array(room, k, double), *vt = mem_array(room, k * k, double);
    const sys_point near = {.t = at->t + 0.0123,
                            .q = moved_nearby(room, at->q, n),
                            .w = moved_nearby(room, at->w, n),
                            .v = moved_nearby(room, at->v, n)};
    const unsigned  forces = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0;
    bool            turns = false;
    if (!sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN | forces, 1, &near, &out))
        most = push_between(sys, &out, g, S);
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
            turns |=
                (a >= g->resistive || b >= g->resistive) && fabs(S[a * k + b]) > NOTHING * most;
    dense_svd(room, S, k, k, sigma, vt);
    turns =
        turns && sigma[g->resistive - 1] > NOTHING * most && sigma[g->resistive] <= NOTHING * most;
    mem_free(room);
    return turns;
}
