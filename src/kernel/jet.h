/* jet.h - numbers that know how they change, and the interpreter that runs a program on them.
 *
 * A jet is a number with its first and second derivatives in n directions,
 *     x(e) = x + sum_a x_a e_a + 1/2 sum_ab x_ab e_a e_b,
 * stored as x, the x_a, and the x_ab of a >= b by rows. A series has jets for coefficients:
 *     X(tau) = X_0 + X_1 tau + ... + X_K tau^K,
 * one after another. All derivatives are exact: nothing here is a difference quotient. */
#ifndef KERNEL_JET_H
#define KERNEL_JET_H

#include "kernel/kernel.h"

typedef struct {
    int  n;      /* directions                                        */
    bool second; /* are second derivatives computed? else left alone   */
} jet_kind;

static inline int jet_size(int n) { return 1 + n + n * (n + 1) / 2; }

static inline int jet_second(int n, int a, int b) /* where x_ab stands */
{
    return a >= b ? 1 + n + a * (a + 1) / 2 + b : 1 + n + b * (b + 1) / 2 + a;
}

void jet_clear(jet_kind j, double *x);
void jet_copy(jet_kind j, double *x, const double *a);
/*     x += c a,   x += c a b */
void jet_add(jet_kind j, double *x, double c, const double *a);
void jet_multiply_add(jet_kind j, double *x, double c, const double *a, const double *b);
/* x = f(a), of which f, f', f'' at the value of a are given; x may be a. */
void jet_apply(jet_kind j, double *x, const double *a, double f, double f1, double f2);

/* The interpreter: register r is a series at reg + r*stride.
 * --------------------------------------- */

enum { SERIES_SPARE = 3, JETS_SPARE = 2 };

typedef struct jet_interpreter {
    const kernel *k;
    jet_kind      kind;
    int           degree;       /* most that there is room for                     */
    size_t        size, stride; /* doubles of a jet, of a series                   */
    double       *reg;
    double       *series[SERIES_SPARE], *jet[JETS_SPARE]; /* room while one function is computed */
} jet_interpreter;

jet_interpreter *jet_interpreter_new(mem *m, const kernel *k, int directions, int degree);
void             jet_interpreter_run(jet_interpreter *jm, int degree, bool second);

static inline double *jet_input(jet_interpreter *jm, int variable)
{
    return jm->reg + (size_t)variable * jm->stride;
}

static inline const double *jet_output(const jet_interpreter *jm, int root)
{
    return jm->reg + (size_t)jm->k->out[root] * jm->stride;
}

/* series.c: u = op(a, b, c) up to tau^degree; u is none of them. */
void series_apply(jet_interpreter *jm, int degree, expr_op op, double *u, const double *a,
                  const double *b, const double *c);

#endif
