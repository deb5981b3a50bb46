/* method.h - what is asked of a method besides its scheme: the principle, where constraints are taken,
 * which momenta are reported, how equations are solved, and what that took. */
#ifndef MECH_SCHEME_METHOD_H
#define MECH_SCHEME_METHOD_H

#include <stdbool.h>

typedef enum { DIRAC_PLUS, DIRAC_MINUS, ENERGY } principle;
typedef enum { RETRACTION_MIDPOINT, RETRACTION_LEFT, RETRACTION_RIGHT } retraction;
typedef enum { MOMENTUM_PROJECTED, MOMENTUM_PAPERS } momentum;
typedef enum { POWER_NODES, POWER_LINES } power_along; /* where the energy principle takes it */

typedef struct retraction_map retraction_map; /* retraction.h */
typedef struct stepper        stepper;

/* The Jacobian of a step: computed anew in every iteration, or kept over steps and corrected by
 * Broyden's updates; or kept only where its factorisation is expensive. */
typedef enum { JACOBIAN_AUTO, JACOBIAN_NEWTON, JACOBIAN_BROYDEN } jacobian_use;

typedef struct {
    principle  principle;
    retraction retraction;
    const retraction_map *map;  /* of chords along which constraints are taken; NULL: q + v */
    momentum   momentum;
    power_along           power;
    bool       plain_summation; /* default: compensated */
    jacobian_use jacobian;
    const char *solver;         /* NULL: choose */
    int        threads;         /* that share large ones; 0 and 1: none but the caller's  */
    double     step;            /* to come, if known: the papers' (-) momentum looks ahead */
    bool       paced;           /* lengths vary smoothly from step to step                  */
    double     least_step, most_step; /* of the energy principle; 0: no bound */
    /* attaches an engine (engine.h) as soon as the equations are known; NULL: the general one */
    void     (*choose)(void *self, stepper *st);
    void      *chooser;
} step_options;

/* What it took to solve the steps: Newton iterations (for linear equations, solves), or those of
 * the fixed-point iteration (picard.h), which needs no matrix; nothing where steps are explicit. */
typedef struct {
    long   steps, iterations, failures;
    int    max_iterations;
    long   factorisations;
    long   fixed_point; /* iterations of that kind */
    int    max_fixed_point;
} newton_statistics;

#endif
