/* bases.c - the directions N, X, V, Y and R at a state, as smooth functions of it. */
#include "mech/bent/bent.h"

#include <math.h>
#include <string.h>

static const double NOTHING = 1e-10; /* of rows and columns with a largest entry of one */
static const double POOR = 1e3;      /* a basis with entries as large as this           */
static const double POOR_OF_D = 10;  /* of what serves one solve only                   */

bool bent_evaluate(bent_moves *b, unsigned want, const sys_point *at)
{
    if (b->M) want |= WANT_RELATIONS;
    if (b->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    return !b->sys->eval(b->sys->self, want, 1, at, &b->out);
}

/* 1 on the diagonal of what is no such direction, and nothing else there. */
double bent_inertia(const dal_system *sys, const sys_values *out, int i, int e)
{
    const int  j = sys->K.column[e];
    const bool other = bent_is_phase(sys, i) || bent_is_state(sys, i);
    if (other || bent_is_phase(sys, j) || bent_is_state(sys, j)) return i == j;
    return out->on_K[F_LWW][e];
}

/* L_vv, then relations: those of kind L, velocity relations of kind G, holonomic ones of kind G. */
static void stack_up(bent_moves *b)
{
    const int      n = b->n;
    const pattern *K = &b->sys->K, *A = &b->sys->A;
    double        *row = b->along.stack + n * n;
    memset(b->along.stack, 0, sizeof *b->along.stack * (size_t)((n + b->M) * n));
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            b->along.stack[i * n + K->column[e]] = bent_inertia(b->sys, &b->out, i, e);
    for (int kind = 0; kind < 3; kind++)
        for (int a = 0; a < b->M; a++) {
            const int of = !b->inside[a] ? 0 : a < b->sys->m ? 1 : 2;
            for (int e = A->start[a]; of == kind && e < A->start[a + 1]; e++)
                row[A->column[e]] = b->out.A[e];
            if (of == kind) row += n;
        }
}

int bent_relation_of(const bent_moves *b, int row)
{
    for (int kind = 0, at = b->n; kind < 3; kind++)
        for (int a = 0; a < b->M; a++) {
            const int of = !b->inside[a] ? 0 : a < b->sys->m ? 1 : 2;
            if (of == kind && at++ == row) return a;
        }
    return -1;
}

/*     D = V^T (L_qv - L_vq + f_v) V,   and what is nothing of it, by the largest entry in between
 */
static void push_along_V(bent_moves *b)
{
    const int      n = b->n, k = b->kv;
    const pattern *K = &b->sys->K;
    const double  *Lqw = b->out.on_K[F_LQW], *V = b->along.of_V.basis;
    double         most = 0;
    memset(b->along.D, 0, sizeof *b->along.D * (size_t)(k * k));
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const double f = b->sys->forced ? b->out.on_K[F_FW][e] : 0;
            const double c = Lqw[e] - Lqw[b->sys->transpose[e]] + f;
            most = fmax(most, fmax(fabs(Lqw[e]), fabs(f)));
            for (int u = 0; u < k && c != 0; u++)
                for (int w = 0; w < k; w++)
                    b->along.D[u * k + w] += V[u * n + i] * c * V[w * n + K->column[e]];
        }
    b->along.nothing = NOTHING * most;
}

static void transpose(double *a, int k)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < i; j++) {
            const double of = a[i * k + j];
            a[i * k + j] = a[j * k + i], a[j * k + i] = of;
        }
}

/* `stiff` combinations of the rows of V. */
static void combine(const bent_moves *b, const double *null, double *to)
{
    const int n = b->n, k = b->kv;
    memset(to, 0, sizeof *to * (size_t)(b->stiff * n));
    for (int s = 0; s < b->stiff; s++)
        for (int u = 0; u < k; u++)
            for (int i = 0; i < n; i++)
                to[s * n + i] += null[s * k + u] * b->along.of_V.basis[u * n + i];
}

/* N, X and V: of straight directions once. */
static bool find_directions(bent_moves *b)
{
    if (b->straight && b->ready) return true;
    stack_up(b);
    if (!fixed_pivots_find(&b->along.of_N, b->along.stack) ||
        !fixed_pivots_find(&b->along.of_X, b->along.stack) ||
        !fixed_pivots_find(&b->along.of_V, b->along.stack))
        return false;
    b->poor = fmax(b->along.of_X.largest, b->along.of_V.largest) > POOR;
    return b->ready = true;
}

/* Of D or D^T. Any basis will do, so pivots that have become poor ones make place for others. */
static bool find_kernel(const bent_moves *b, fixed_pivots *f)
{
    const int rank = f->rank;
    if (fixed_pivots_find(f, b->along.D) && f->largest <= POOR_OF_D) return true;
    fixed_pivots_choose_largest(f, b->along.D, b->along.nothing);
    return f->rank == rank && fixed_pivots_find(f, b->along.D);
}

bool bent_find_bases(bent_moves *b)
{
    if (!find_directions(b)) return false;
    if (!b->stiff) return true;
    if (b->stiff == b->kv) { /* D = 0 */
        memcpy(b->along.Y, b->along.of_V.basis, sizeof *b->along.Y * (size_t)(b->kv * b->n));
        memcpy(b->along.R, b->along.of_V.basis, sizeof *b->along.R * (size_t)(b->kv * b->n));
        return true;
    }
    push_along_V(b);
    if (!find_kernel(b, &b->along.of_right)) return false;
    transpose(b->along.D, b->kv);
    if (!find_kernel(b, &b->along.of_left)) return false;
    combine(b, b->along.of_right.basis, b->along.R), combine(b, b->along.of_left.basis, b->along.Y);
    return true;
}

/* k_S from the fields at hand, with the pivots of `of`. */
static int count_stiff(bent_moves *b, fixed_pivots *of)
{
    push_along_V(b);
    fixed_pivots_choose_largest(of, b->along.D, b->along.nothing);
    return b->kv - of->rank;
}

bool bent_keeps_kinds(bent_moves *b)
{
    return count_stiff(b, &b->along.of_now) == b->stiff;
}

bool bent_choose(bent_moves *b, const sys_point *at)
{
    const unsigned want = WANT_GRADIENT | WANT_HESSIAN;
    if (!bent_evaluate(b, want, at)) return false;
    b->ready = false;
    stack_up(b);
    fixed_pivots_choose(&b->along.of_N, b->along.stack, NOTHING);
    fixed_pivots_choose(&b->along.of_X, b->along.stack, NOTHING);
    fixed_pivots_choose(&b->along.of_V, b->along.stack, NOTHING);
    if (b->along.of_N.columns - b->along.of_N.rank != b->k ||
        b->along.of_X.columns - b->along.of_X.rank != b->kx ||
        b->along.of_V.columns - b->along.of_V.rank != b->kv ||
        !fixed_pivots_find(&b->along.of_V, b->along.stack))
        return false;
    const int stiff = count_stiff(b, &b->along.of_right);
    transpose(b->along.D, b->kv);
    fixed_pivots_choose_largest(&b->along.of_left, b->along.D, b->along.nothing);
    if (b->stiff < 0) b->stiff = stiff;
    return b->stiff == stiff;
}
