/* degenerate.h - directions without inertia that no relation determines: U is the intersection of
 * ker L_ww and ker A.
 *
 * Along U the motion is of first order (where resistance acts) or algebraic (where only stiffness
 * does), and not every scheme can handle that.                            theory.md [DEGENERATE] */
#ifndef MECH_DEGENERATE_DEGENERATE_H
#define MECH_DEGENERATE_DEGENERATE_H

#include "mech/scheme/scheme.h"
#include "model/system.h"

typedef struct {
    int dimension;   /* of U                                                                  */
    int resistive;   /* the first of its directions: there u^T (L_qw + f_w) U is not 0          */
    int coupled;     /* those behind them: forces along them hold velocities of others        */
    int first_order; /* L is of first order along this one most, counted from 1: its momentum
                        depends on positions; 0: along none */
    bool    loose; /* stiffness does not decide them: velocities would follow from accelerations */
    double *U;     /* dimension rows of n, orthonormal                                      */
    double *W;     /* U, or where forces by velocities are not mutual other directions in it: those
                      behind the resistive are along what no velocity in U pushes */
    const int *massless; /* or NULL: U are these coordinates themselves, and is not written out */
    int        rank_A;   /* of the relations; less than m + r: some depend on others              */
} degeneracy;

enum { DEGENERATE_MOST = 400 }; /* coordinates and relations for which it is computed */

/* At (t, q, w, v). A direction that has inertia at a nearby point does not belong to U: there the
 * coordinates are singular, like the longitude at a pole. False: the system is too large, or cannot
 * be evaluated there. */
bool degeneracy_find(mem *m, dal_system *sys, double t, const double *q, const double *w,
                     const double *v, degeneracy *out);

/* Do velocities push along other directions in U, or are pushed along others, at a point nearby? */
bool degeneracy_turns(mem *m, dal_system *sys, const sys_point *at, const degeneracy *g);

/* massless.c: for a large system, where U consists of coordinates. False: it does not, or forces
 * along them depend on velocities of others. There may be further directions: then the end solve
 * stays singular. */
enum { MASSLESS_LEAST = 64 }; /* coordinates from which this is tried first */
bool degeneracy_find_massless(mem *m, dal_system *sys, const sys_point *at, degeneracy *out);

/* x slightly displaced, by a different amount in each coordinate: what holds there too is no
 * accident. */
const double *moved_nearby(mem *m, const double *x, int n);

/* The growth factor along a direction of U over a small step; below 1 + 1e-6 is stable. Negative:
 * the step is singular. The scheme is simply run on R q' = -q/C (resistive), or on 0 = -q/C. */
double degenerate_growth(mem *m, const scheme *sch, bool resistive);

enum { DIRECTION_TERMS = 6 }; /* that are printed at most, the largest */
/* A direction in the names of the coordinates, scaled so that the largest coefficient is 1: "qC1 -
 * qC3", or "p(x) + 0.5*p(y)" for a direction of momenta. Small coefficients are left out. */
void direction_print(const dal_system *sys, const double *u, bool momenta, text *out);

/* The u-th direction of U. */
void degeneracy_print(const dal_system *sys, const degeneracy *g, int u, text *out);

/* Can this scheme handle such a system? Otherwise a sentence goes to `why`, with a scheme that can;
 * `insist` lets an unstable scheme through, not a singular one. */
dal_status degeneracy_judge(mem *m, const dal_system *sys, const degeneracy *g, const scheme *sch,
                            bool insist, text *why);

#endif
