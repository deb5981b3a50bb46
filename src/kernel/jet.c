/* jet.c - the arithmetic of jets, and the interpreter that runs a program on series of them. */
#include "kernel/jet.h"

#include <string.h>

/* Numbers of a jet that are computed: all, or without second derivatives. */
static int used(jet_kind j)
{
    return j.second ? jet_size(j.n) : 1 + j.n;
}

void jet_clear(jet_kind j, double *x)
{
    memset(x, 0, (size_t)used(j) * sizeof *x);
}

void jet_copy(jet_kind j, double *x, const double *a)
{
    memcpy(x, a, (size_t)used(j) * sizeof *x);
}

void jet_add(jet_kind j, double *x, double c, const double *a)
{
    for (int i = 0; i < used(j); i++) x[i] += c * a[i];
}

/*     (ab)_i = a b_i + b a_i,   (ab)_ik = a b_ik + b a_ik + a_i b_k + a_k b_i */
void jet_multiply_add(jet_kind j, double *x, double c, const double *a, const double *b)
{
    const double a0 = c * a[0], b0 = c * b[0];
    double      *second = x + 1 + j.n;
    x[0] += a0 * b[0];
    for (int i = 1; i < used(j); i++) x[i] += a0 * b[i] + b0 * a[i];
    for (int i = 1; i <= j.n && j.second; i++)
        for (int k = 1; k <= i; k++) *second++ += c * (a[i] * b[k] + a[k] * b[i]);
}

/*     f(a)_i = f' a_i,   f(a)_ik = f' a_ik + f'' a_i a_k */
void jet_apply(jet_kind j, double *x, const double *a, double f, double f1, double f2)
{
    const int n = j.n;
    for (int i = n, at = jet_size(n) - 1; i >= 1 && j.second; i--)
        for (int k = i; k >= 1; k--, at--) x[at] = f1 * a[at] + f2 * a[i] * a[k];
    for (int i = 1; i <= n; i++) x[i] = f1 * a[i];
    x[0] = f;
}

/* Constants are series of one coefficient, and stay. */
jet_interpreter *jet_interpreter_new(mem *m, const kernel *k, int directions, int degree)
{
    jet_interpreter *jm = mem_array(m, 1, jet_interpreter);
    *jm = (jet_interpreter){.k = k, .kind = {directions, true}, .degree = degree};
    jm->size = (size_t)jet_size(directions);
    jm->stride = jm->size * (size_t)(degree + 1);
    jm->reg = mem_array(m, (size_t)k->registers * jm->stride, double);
    for (int i = 0; i < SERIES_SPARE; i++) jm->series[i] = mem_array(m, jm->stride, double);
    for (int i = 0; i < JETS_SPARE; i++) jm->jet[i] = mem_array(m, jm->size, double);
    for (int c = 0; c < k->constants; c++) *jet_input(jm, k->inputs + c) = k->constant[c];
    return jm;
}

/* degree may be less than there is room for; coefficients beyond it are left as they were. */
void jet_interpreter_run(jet_interpreter *jm, int degree, bool second)
{
    jm->kind.second = second;
    for (const instruction *i = jm->k->code, *end = i + jm->k->instructions; i < end; i++)
        series_apply(jm, degree, i->op, jet_input(jm, i->to), jet_input(jm, i->a),
                     jet_input(jm, i->b), jet_input(jm, i->c));
}
