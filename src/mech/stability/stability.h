/* stability.h - is a step short enough for what is fast at a state? The motion about it,
 *
 *     M x'' + D x' + K x = A^T mu,   A x = 0,
 *     M = L_ww,   D = -f_w + L_wq - L_qw,   K = -(L_qq + f_q + sum_a lam_a dA_a)
 *
 * has the fastest oscillation omega, the largest mu = omega^2 of M^-1 K, and the strongest damping
 * c, that of M^-1 D: a scheme makes of each what it makes of one mode q'' = -omega^2 q - c q'.
 * Where modes are coupled, few coordinates are stepped together. Reactions act at the Lobatto
 * points of the curve, whatever the rule for L, so their part of K may have a limit of its own.
 *                                                                           theory.md [STABILITY]
 */
#ifndef MECH_STABILITY_STABILITY_H
#define MECH_STABILITY_STABILITY_H

#include "mech/scheme/scheme.h"
#include "model/system.h"

typedef enum { FAST_NOTHING, FAST_OSCILLATION, FAST_DAMPING, FAST_REACTIONS, FAST_ALL } fast_part;

typedef struct {
    const char *unknown; /* why nothing is known of the step; NULL: it is known       */
    double      omega;   /* the fastest oscillation, an angular frequency; 0: none    */
    double      c;       /* the strongest damping, per time; 0: none                  */
    double      lasting; /* the same, of what no step is declared to damp             */
    bool        held;    /* omega and c are those with what is of first order held    */
    double      state;   /* the fastest rate of a state, per time; 0: none            */
    double      idle;    /* the same of what is no state, and has no inertia          */
    double      joint;   /* of all equations together; 0: not known                   */
    double      taut;    /* the fastest oscillation by reactions, if their limit is another */
    double      slack;   /* the longest step for that; infinite: any                  */
    fast_part   beyond;  /* what errors grow by                                       */
    double      growth;  /* a factor in each step                                     */
    double      limit;   /* of h omega or h c, below which they do not                */
    double      longest; /* step for which they do not                                */
    double      rest;    /* of what is damped most: a factor in each step             */
    bool        rings;   /* it should be gone after a step, and is not                */
    double      turning; /* the largest skew part of damping, of its largest entry    */
} stability;

/* Is every step stable, whatever the state is? */
bool stability_is_sure(const dal_system *sys, const scheme *sch);

/* Is there stiffness by reactions? Then their multipliers are to be known. */
bool stability_has_reactions(const dal_system *sys);

/* For a step of length h at a point, whose lam are the reactions or NULL. all: rates are wanted
 * also where bounds of them say enough. */
stability stability_at(mem *m, dal_system *sys, const scheme *sch, double h, const sys_point *at,
                       bool all);

/* A rate at which all motions about a state fade at least, by Gershgorin's circles,
 *
 *     min_i min(c_i/2, k_i/c_i),   c_i = D_ii - sum_j |D_ij|,   k_i = K_ii - sum_j |K_ij|
 *
 * for a diagonal M = 1; 0: something need not fade. */
double stability_fading(mem *m, dal_system *sys, const sys_point *at);

/* The largest h omega, or h c, up to which errors do not grow; infinite: at any step. */
double stability_limit(mem *m, const scheme *sch, fast_part of);

/* Gauss points are stable wherever the motion is, and preserve what is only oscillating. */
bool scheme_is_gauss(const scheme *sch);

#endif
