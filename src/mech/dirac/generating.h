/* generating.h - steps by a generating function of a caller: of type 1, 2 or 3, with a constraint
 * set in Q x Q, or with a Dirac structure that need not be induced.              theory.md
 * [GENERATING]
 *
 *     1:  p0 = -D1 L_d(q0, q1),     p1 = D2 L_d
 *     2:  p0 = D1 H_d+(q0, p1),     q1 = D2 H_d+
 *     3:  q0 = -D1 H_d-(p0, q1),    p1 = -D2 H_d-
 *
 * With a constraint p0 + W(q0)^T mu stands for p0 in (+), and p1 + W(q1)^T mu for p1 in (-). Dense,
 * with derivatives by central differences where the caller has none; apart from the stepper. */
#ifndef MECH_DIRAC_GENERATING_H
#define MECH_DIRAC_GENERATING_H

#include "base/text.h"
#include "mech/scheme/method.h"

typedef enum { TYPE_1, TYPE_2, TYPE_3 } generating_type;

/* Functions return 0, or not 0 where they have no value. */
typedef struct {
    int             n, rows;
    generating_type type;
    void           *self;
    int (*value)(void *self, double t, double h, const double *a, const double *b, double *W);
    int (*gradient)(void *self, double t, double h, const double *a, const double *b, double *by_a,
                    double *by_b); /* NULL: differences of value */
    int (*constraint)(void *self, double t, double h, const double *q0, const double *q1,
                      double *r);
    int (*one_forms)(void *self, double t, const double *q, double *W);
    int (*structure)(void *self, double h, const double *z, const double *v, const double *a,
                     double *r); /* 2n rows; NULL: induced by the constraint */
} generating;

typedef struct { /* the arguments of a step, n numbers each */
    double        t, h;
    const double *q0, *p0;
    double       *q1, *p1, *mu; /* q1, p1: where to begin, too; mu: `rows`, may be NULL */
} generating_chord;

/* False: `why` says what has no value, or that nothing was found. */
bool generating_step(mem *m, const generating *g, principle side, const generating_chord *at,
                     text *why);

/* by_a, by_b of the function at (a, b). */
bool generating_gradient(mem *m, const generating *g, double t, double h, const double *a,
                         const double *b, double *by_a, double *by_b);

/* x with r(x) = 0, from the x that is given: Newton's iteration with central differences. */
typedef bool dense_residual(void *self, const double *x, double *r);
bool         dense_root(mem *m, dense_residual *of, void *self, int count, double *x);

#endif
