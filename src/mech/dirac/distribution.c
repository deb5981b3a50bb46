/* distribution.c - one-forms, and discrete constraints with exact derivatives. */
#include "mech/dirac/distribution.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-12; /* singular values of unit rows below this count as zero */

typedef struct {
    int     n, m;
    double *W;
} constant;

/* W as it was given, whatever q; dW = 0. */
static void constant_eval(const void *self, const double *q, double *W, double *dW)
{
    const constant *c = self;
    size_t          count = (size_t)c->m * (size_t)c->n;
    (void)q;
    if (count) memcpy(W, c->W, count * sizeof *W);
    if (count && dW) memset(dW, 0, count * (size_t)c->n * sizeof *dW);
}

one_forms one_forms_constant(mem *m, int n, int rows, const double *W)
{
    constant *c = mem_array(m, 1, constant);
    *c = (constant){n, rows, mem_array(m, rows * n, double)};
    if (rows > 0 && n > 0) memcpy(c->W, W, (size_t)(rows * n) * sizeof *W);
    return (one_forms){.n = n, .m = rows, .self = c, .eval = constant_eval};
}

/* Discrete constraints. ------------------------------------------------------------------------ */

/* The struct W is copied; what its `self` points to must stay. */
discrete_constraint *discrete_constraint_new(mem *m, const one_forms *W, const retraction_map *R,
                                             retraction at)
{
    discrete_constraint *c = mem_array(m, 1, discrete_constraint);
    c->W = *W;
    c->chord = chord_new(m, R, at);
    c->rows = mem_array(m, W->m * W->n, double);
    c->slopes = mem_array(m, W->m * W->n * W->n, double);
    return c;
}

/*     d W_d = W dv + (dW.v) db,     (dW.v)_j = sum_i d_j W_i v_i */
static void slope_of_row(const discrete_constraint *c, int a, const double *base_q,
                         const double *v_q, double *by_q)
{
    const int     n = c->W.n;
    const double *W = c->rows + a * n, *dW = c->slopes + a * n * n;
    memset(by_q, 0, (size_t)n * sizeof *by_q);
    for (int k = 0; k < n; k++) {
        double turn = 0;
        for (int i = 0; i < n; i++) turn += dW[i * n + k] * c->chord->v[i];
        for (int j = 0; j < n; j++) by_q[j] += W[k] * v_q[k * n + j] + turn * base_q[k * n + j];
    }
}

/*     W_d = W(b) v */
bool discrete_constraint_eval(discrete_constraint *c, const double *q0, const double *q1, double h,
                              double *Wd, double *by_q0, double *by_q1)
{
    const int    n = c->W.n;
    const chord *l = c->chord;
    if (!chord_between(c->chord, q0, q1, h)) return false;
    c->W.eval(c->W.self, l->base, c->rows, by_q0 || by_q1 ? c->slopes : NULL);
    for (int a = 0; a < c->W.m; a++) {
        Wd[a] = 0;
        for (int i = 0; i < n; i++) Wd[a] += c->rows[a * n + i] * l->v[i];
        if (by_q0) slope_of_row(c, a, l->base_q0, l->v_q0, by_q0 + a * n);
        if (by_q1) slope_of_row(c, a, l->base_q1, l->v_q1, by_q1 + a * n);
    }
    return true;
}

/* The part of alpha that no combination of the rows can match: solve W^T mu = alpha in least
 * squares. Rows are brought to length one first, which changes no span, so that their units do not
 * decide what counts as small. */
double annihilator_distance(mem *m, const double *W, int rows, int n, const double *alpha)
{
    double  square = 0;
    double *Wt = mem_resize(m, NULL, (size_t)(n * rows + rows + 1) * sizeof *Wt),
           *mu = Wt + n * rows;
    for (int a = 0; a < rows; a++) {
        double length = 0;
        for (int i = 0; i < n; i++) length = hypot(length, W[a * n + i]);
        for (int i = 0; i < n; i++) Wt[i * rows + a] = length > 0 ? W[a * n + i] / length : 0;
    }
    if (rows) dense_least_norm(m, Wt, n, rows, alpha, DEPENDENT, mu);
    for (int i = 0; i < n; i++) {
        double left = alpha[i];
        for (int a = 0; a < rows; a++) left -= Wt[i * rows + a] * mu[a];
        square += left * left;
    }
    mem_drop(m, Wt);
    return sqrt(square);
}
