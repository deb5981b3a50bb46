/* degenerate.h - directions without inertia that no relation fixes: U = ker L_ww and ker A.
 *
 * Along U the motion is of first order (where resistance acts), or algebraic (where only
 * stiffness does), and not every scheme can take it.                      theory.md [DEGENERATE] */
#ifndef MECH_DEGENERATE_DEGENERATE_H
#define MECH_DEGENERATE_DEGENERATE_H

#include "mech/scheme/scheme.h"
#include "model/system.h"

typedef struct {
    int     dimension; /* of U                                                                  */
    int     resistive; /* the first of its directions: there u^T (L_qw + f_w) U is not 0          */
    int     coupled;   /* those behind them: forces along them hold velocities of others        */
    bool    first_order; /* L is of first order along the resistive ones                     */
    bool    loose; /* stiffness does not decide them: velocities would follow from accelerations */
    double *U;     /* dimension rows of n, orthonormal                                      */
    double *W;     /* U, or where forces by velocities are not mutual other directions in it: those
                      behind the resistive are along what no velocity in U pushes */
    const int *bare;   /* or NULL: U are these coordinates themselves, and is not written out */
    int        rank_A; /* of the relations; less than m + r: some depend on others              */
} degeneracy;

enum { DEGENERATE_MOST = 400 }; /* coordinates and relations for which it is computed */

/* At (t, q, w, v). A direction that has inertia at a point nearby is none of U: it is a singularity
 * of the coordinates, as a longitude at the pole. False: the system is too large, or cannot be
 * evaluated there. */
bool degeneracy_find(mem *m, dal_system *sys, double t, const double *q, const double *w,
                     const double *v, degeneracy *out);

/* coordinates.c: of a large system, where U is made of coordinates. False: it is not, or forces
 * along them hold velocities of others. It may hold more than that: then the end solve is singular
 * still. */
enum { BARE_LEAST = 64 }; /* coordinates from which this is tried first */
bool degeneracy_find_bare(mem *m, dal_system *sys, const sys_point *at, degeneracy *out);

/* x moved a little, by another amount in each coordinate: what holds there too is no accident. */
const double *moved_nearby(mem *m, const double *x, int n);

/* How much one direction of U grows over a small step; below 1 + 1e-6 is fine. Negative: the
 * step is singular. The scheme is simply run on R q' = -q/C (resistive), or on 0 = -q/C. */
double degenerate_growth(mem *m, const scheme *sch, bool resistive);

enum { DIRECTION_TERMS = 6 }; /* that are printed at most, the largest */
/* A direction in the names of the coordinates, the largest as 1: "qC1 - qC3", "p(x) + 0.5*p(y)" if
 * it is one of momenta. What is small beside the largest is left out. */
void direction_print(const dal_system *sys, const double *u, bool momenta, text *out);

/* The u-th direction of U. */
void degeneracy_print(const dal_system *sys, const degeneracy *g, int u, text *out);

/* Can this scheme take such a system? Otherwise a sentence in `why`, with the scheme that would
 * do; `insist` lets an unstable one through, not a singular one. */
dal_status degeneracy_judge(mem *m, const dal_system *sys, const degeneracy *g, const scheme *sch,
                            bool insist, text *why);

#endif
