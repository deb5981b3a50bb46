/* step.h - one step of a system: (t, q, p)_k -> (t, q, p)_{k+1} by a scheme and a principle. */
#ifndef MECH_STEP_H
#define MECH_STEP_H

#include "base/diag.h"
#include "mech/scheme.h"
#include "model/system.h"

typedef enum { DIRAC_PLUS, DIRAC_MINUS, ENERGY } principle;
typedef enum { RETRACTION_MIDPOINT, RETRACTION_LEFT, RETRACTION_RIGHT } retraction;
typedef enum { MOMENTUM_PROJECTED, MOMENTUM_PAPERS } momentum;

typedef struct {
    principle  principle;
    retraction retraction;
    momentum   momentum;
    bool       plain_summation; /* default: compensated */
    const char *solver;         /* NULL: choose */
    double     step;            /* the length to come, if known: the papers' (-) momentum looks one step ahead */
} step_options;

typedef struct {
    long   steps, iterations, failures;
    int    max_iterations;
    long   factorisations;
} newton_statistics;

typedef struct stepper stepper;

/* Everything is allocated here; stepper_step allocates nothing. Fails with a sentence in `why` when the scheme
 * cannot take the system; *out is then NULL. */
dal_status stepper_new(mem *m, dal_system *sys, const scheme *sch, const step_options *o, stepper **out,
                       text *why);
void       stepper_free(stepper *st);

/* Puts the state (start.h makes a consistent one). v may be NULL; it serves the first prediction. Call it again
 * after parameters have changed: nothing that was computed from them is kept. */
void stepper_set(stepper *st, double t, const double *q, const double *p, const double *v);

/* One step of length h (negative runs backward). On failure the state is unchanged, and `why` says at which time, in
 * which equation the residual is worst, the history of the residual, and what to try. */
dal_status stepper_step(stepper *st, double t, double h, text *why);

/* At the present grid point. v and, with relations, p come from an end solve, made when first asked for
 * (theory.md [END]); they are NaN where it has no solution, and stepper_end says why. */
const double *stepper_q(const stepper *st);
const double *stepper_p(const stepper *st); /* the reported momentum */
const double *stepper_v(const stepper *st);
dal_status    stepper_end(stepper *st, text *why);
const double *stepper_multipliers(stepper *st); /* m + r reactions at the grid point (theory.md [REACTION]) */

/* Of the last step, for diagnostics. */
double stepper_work(const stepper *st);            /* h sum b_i f.v                              */
double stepper_power_defect(const stepper *st);    /* error of the discrete power identity       */
double stepper_dirac_residual(stepper *st);        /* membership in the discrete Dirac structure */
double stepper_momentum_defect(const stepper *st); /* |U sigma|                                  */
const newton_statistics *stepper_statistics(const stepper *st);
const char *stepper_solver(const stepper *st);     /* "diagonal", "dense", ...                   */
bool        stepper_explicit(const stepper *st);
bool        stepper_linear(const stepper *st);     /* constant Jacobian: factored once           */

#endif
