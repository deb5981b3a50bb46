/* flow.h - one step of a map that approximates the motion, with its derivatives in the start.
 *
 *     q'' = a(t,q,v),   L_vv a = L_q + f - L_vq v - L_vt                     theory.md [SHOOTING]
 *
 * taylor(p) is the Taylor polynomial of degree p of q, and its derivative; the others are rows of a
 * table of Runge-Kutta methods. Direction j < n of a jet is q0_j, direction n + j is v0_j. */
#ifndef MECH_SCHEME_FLOW_H
#define MECH_SCHEME_FLOW_H

#include "base/text.h"
#include "model/system.h"

/* A step of n coordinates carries some 2 n^2 derivatives of everything: its time grows with n^4. */
enum { TAYLOR_MOST = 20, FLOW_STAGES_MOST = 8, FLOW_COORDINATES_MOST = 32 };

typedef struct {
    const char   *word, *title;
    int           order, stages; /* stages 0: taylor, of any order */
    const double *a, *b;         /* rows of a below its diagonal, one after another */
} one_step_map;
const one_step_map *one_step_maps(int *count);

typedef struct flow flow;

/* NULL: the system does not allow it, and `why` says what is missing. p is the order of taylor. */
flow *flow_new(mem *m, dal_system *sys, const one_step_map *map, int p, text *why);
void  flow_free(flow *f);

/* The start of the curve; `second` asks for second derivatives. False: L_vv is singular there. */
bool flow_begin(flow *f, double t, const double *q, const double *v, bool second);

/* Nanoseconds that a curve takes to so many points, with second derivatives. */
double flow_ns(const flow *f, int points);

/* The curve at tau: n jets of q - q0, n jets of v. */
bool flow_at(flow *f, double tau, double *dq, double *v);

#endif
