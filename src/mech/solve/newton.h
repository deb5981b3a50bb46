/* newton.h - the solution of one step by Newton's iteration with the exact Jacobian, stopped when
 * the estimated remaining error is below roundoff. */
#ifndef MECH_SOLVE_NEWTON_H
#define MECH_SOLVE_NEWTON_H

#include "linalg/band_factors.h"
#include "mech/equations/equations.h"
#include "mech/scheme/method.h"
#include "mech/solve/modes.h"
#include "mech/solve/predict.h"

typedef struct linkage linkage; /* linkage.h */

/* PATIENCE: after so many corrections only noise may be left */
enum { NEWTON_MOST = 40, NEWTON_PATIENCE = 3, NEWTON_HISTORY = 12, UPDATES_MOST = 16 };

/* The scale of an unknown is its size now and in the last two steps. The size of a correction,
 * relative to its unknown and to the largest unknown of its block (increments or stage momenta).
 * The latter only judges progress, about which an unknown that is still 0, as from rest, says
 * nothing. */
typedef struct {
    double relative, overall;
} correction;

/* Everything that Newton's iteration, damped or with Broyden's updates, computes with unknowns as a
 * whole; elsewhere they are only copied. Decisions are made from the numbers that these return:
 * unknowns may be spread over processes, whose operations then exchange neighbouring points,
 * largest values and sums, and have a linear solver of their own. */
typedef struct {
    /* r(y); with_jacobian: also what factor gathers. False: a value is not finite */
    bool (*residual)(equations *eq, const double *y, double *r, bool with_jacobian);
    bool (*factor)(equations *eq, solver *lu); /* J there; false: it is singular */
    void (*solve)(const equations *eq, const solver *lu, double *x); /* x = J^-1 x */
    /* The scales: the size of y and of the last two solutions; known NULL: no less than they are,
     * nor than the size of y. Those of multipliers also by the impulses that they make. */
    void (*scales)(newton *nw, const double *y, const double *const *known);
    void (*reaction_scales)(newton *nw);
    /* y -= delta; scales first, unless known is NULL */
    correction (*apply)(newton *nw, double *y, const double *const *known);
    correction (*measure)(const newton *nw, const double *delta, const double *y);
    /* y = x + c d, where y may be x; x = x/c; max_k |x_k|; sum_k |J_kk| a_k b_k of the kept J */
    void (*add)(const newton *nw, double *y, const double *x, double c, const double *d);
    void (*divide)(const newton *nw, double *x, double c);
    double (*largest)(const newton *nw, const double *x);
    double (*product)(const newton *nw, const double *a, const double *b);
    /* Is delta below the roundoff of the largest position or momentum; have multipliers converged;
     * is r at the roundoff of its own terms? */
    bool (*is_noise)(const newton *nw, const double *y);
    bool (*reactions_hold)(const newton *nw, const double *y);
    bool (*is_met)(newton *nw, const double *y);
} unknown_operations;

/* A factorisation and the step that it belongs to. */
typedef struct {
    solver *lu;
    double  h;
    bool    mirrored, ready;
    double *kept; /* the matrix, where it outlives its step; else NULL */
    band_factors *by_rows; /* of a linear chain: its factors, for passes; NULL: they do not fit */
    bool    factored_by_rows; /* they are good                                                     */
} factored;

struct newton {
    /* what is solved, by which operations, with which factors */
    equations        *eq;
    unknown_operations on;   /* unknowns */
    factored         *cache; /* one per length of substep when the Jacobian is constant, else one */
    int               lengths;
    factored         *now;
    /* residual, where it is recorded; J^-1 r; a tried y; J^-1 r there, or sizes of rows; size of
     * each unknown lately */
    double           *r, *delta, *trial, *natural, *scale;
    double            residual[NEWTON_HISTORY]; /* of the last solve, for messages */
    bool              recorded;                 /* it is, and r is kept                */
    int               iterations;
    bool              singular, not_finite;
    bool              astray;   /* smaller parts of the step lead elsewhere                  */
    int               unmet;    /* an equation that the solution does not satisfy; -1: none  */
    double            unmet_by; /* what is left of it, beside what it adds up                */
    bool              balanced;  /* it has solved the rows R, which are affine                 */
    bool              in_passes; /* the last correction was, and left neither r nor delta, but */
    double            largest;   /* the largest number in it                                   */
    newton_statistics count;

    bool keeps; /* a dense matrix of some size costs more than a few residuals: it is kept for the
                   whole step while corrections shrink well                                 */
    linkage *linkage; /* multipliers are solved for alone (linkage.h); NULL: they are not    */
    modes  *modes; /* simplified corrections are tried first (simplified.c); NULL: they are not */
    bool    quasi; /* the Jacobian is kept and updated (broyden.c) */
    double *update, *length, *first;
    double  part, aim; /* of a correction: what conjugate gradients may leave of it, with a kept
                          Jacobian, and in the solve at hand                               */
    bool    inexact;   /* they have made the last one                                      */
    int    *diagonal; /* of the Jacobian: entry numbers, -1 where it has none */
};

/* A NULL result of solver_new (a kind that does not exist or does not fit) is refused with a
 * sentence. */
dal_status newton_init(newton *nw, mem *m, equations *eq, int lengths, const char *kind, text *why);
void       newton_keep(newton *nw, mem *m); /* have newton_solve keep its Jacobian over steps */
void       newton_forget(newton *nw); /* parameters changed: no factorisation is good any more */

/* Iterates y until it solves eq. `known` are past solutions that set the scale of each unknown;
 * of newton_solve it may be NULL: then scales are those in nw.
 * False: no convergence, or (newton_solve) y was a poor prediction; nw tells which. newton_solve
 * may exchange the array y with one of its own. */
bool newton_solve(newton *nw, double **y, const double *const known[2]);
bool newton_in_passes(const newton *nw);
bool newton_damped(newton *nw, double *y, const double *const known[2]);
/* Where newton_in_passes: full corrections as long as each is smaller than the one before, which
 * newton_damped would make too, but not in passes. */
bool newton_monotone(newton *nw, double **y, const double *const known[2]);

/* Full corrections, however large: where slopes are discontinuous, as in a diode, a correction
 * across the discontinuity says nothing about the next one. */
bool newton_undamped(newton *nw, double *y, const double *const known[2]);

/* Parts of the iteration that broyden.c and simplified.c share. broyden_solve is newton_solve with a
 * kept Jacobian, simplified_solve that with the system frozen in the middle of the curve; where it
 * fails, y is left as it was. predicted: by past steps, so that no correction is large. */
void   newton_begin(newton *nw);
bool   newton_correction(newton *nw, const double *y);
bool   broyden_solve(newton *nw, double *y, const double *const known[2]);
typedef enum { SIMPLIFIED_SOLVED, SIMPLIFIED_SLOW, SIMPLIFIED_ASTRAY } simplified;
simplified simplified_solve(newton *nw, double *y, const double *const known[2], bool predicted);

/* Increments that the forces of a step make where no relation holds them,
 *     max_k |terms of R_k| / max_j |dR_k/dZ_j|;     0: there are no relations */
double newton_displacement(const newton *nw, const double *y);

/* apply_correction.c: those of `size` unknowns that are all here. */
unknown_operations unknown_operations_here(int size);

/* What the size of a correction with a new matrix, and of the one before, implies: it was the last,
 * more are needed, or the step is better left to newton_solve. */
typedef enum { NEWTON_ENDS, NEWTON_GOES_ON, NEWTON_FAILS } newton_verdict;
newton_verdict newton_judge(correction made, correction before);
void           newton_count(newton *nw); /* its iterations among those of all steps */

/* verify.c: does the solution y, with the residual nw->r, satisfy the equations? */
bool newton_verify(newton *nw, const double *y);

/* Explains what went wrong, in the names of the system. before: the last steps, or NULL. */
/* open: no reason was found, and none stands in why. */
dal_status newton_explain(newton *nw, mem *m, const double *y, const history *before, bool *open,
                          text *why);
void       say_coordinate(const dal_system *sys, int i, text *out);

/* blowup.c: adds that the motion blows up, and how far it has got; false: it does not. */
bool blowup_explain(const equations *eq, const history *before, text *why);

/* inertia.c: adds that the motion comes to where its inertia is singular; false: it does not. */
bool inertia_explain(const equations *eq, mem *m, const history *before, text *why);

#endif
