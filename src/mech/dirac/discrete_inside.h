/* discrete_inside.h - the inside of a discretiser, for curves that are polynomials and for those
 * that are shot. */
#ifndef MECH_DIRAC_DISCRETE_INSIDE_H
#define MECH_DIRAC_DISCRETE_INSIDE_H

#include "mech/dirac/extremal.h"
#include "mech/scheme/flow.h"

enum { DISCRETE_ITERATIONS = 30, DIVISIONS = 6 };

struct discretiser {
    mem        *m;
    dal_system *sys;
    scheme      sch, fine;
    int         n;
    extremal   *of_scheme, *exact[DIVISIONS]; /* exact: on 2, 4, .. parts; NULL: not yet made */
    extremal   *last;
    double      one;
    flow       *shot;
    size_t      room;              /* doubles of n jets             */
    double     *q, *v, *dq, *at_v; /* n jets each                   */
    double     *A, *B;             /* dq1/dq0, dq1/dv0; B as it is factored */
    pattern     square;            /* n x n                         */
    solver     *of_B;
    sys_values  out;
};

/* discrete.c: the system at a point; its forces are 0 where it has none. */
bool discrete_evaluate(discretiser *c, unsigned want, double t, const double *q, const double *v);

/* discrete_flow.c: room for a curve that is shot, and the scheme on a chord by it. */
bool shot_prepare(discretiser *c, text *why);
bool discrete_shot(discretiser *c, const chord_ends *at, discrete *out);

#endif
