/* passed.h - what the library passes to compiled steps, and what they leave there. Both read this
 * file. */
#ifndef STEP_PASSED_H
#define STEP_PASSED_H

typedef struct {        /* of steps whose length the energy decides: adaptive.h */
    double until, rest; /* the last step leaves no more than `rest` to `until`         */
    double least, most; /* of |h|; 0: no bound                                         */
    double sign;        /* of dphi/dh                                                  */
    double E, E_low, shift;
    double t;    /* at the beginning of the last step                           */
    double h[6]; /* as many as there are past solutions; 0: none yet */
    /* what the last step has left: as in adaptive.h */
    double chord, slope, size, noise;
    double shortest, longest; /* of the steps of one call                                    */
    double error;             /* the largest of their balances                               */
} step_energy;

typedef struct {             /* along directions without inertia that bend: mech/bent/bent.h */
    double *v, *lam, *sigma; /* at the grid point                                     */
    double *ends, stride;    /* of each substep its last six ends, newest first       */
    int    *known;           /* and how many of them are                              */
} step_bent;

typedef struct {
    double  from, h; /* step k begins at from + k h; by energy, the next one at from    */
    long    k;
    double *q, *q_low, *p, *p_low;
    double *before;  /* four times its width: the state at the beginning of the last substep      */
    double *history; /* of each substep its last six solutions, newest first     */
    int    *known;   /* and how many of them are                                 */
    const double *v; /* slope at the start, for the first prediction             */
    const double *par, *u;         /* parameters and inputs                                    */
    const double *U, *W;           /* directions without inertia, along which it projects      */
    double       *moved;           /* of each substep its last moves along them               */
    double        work, last_work; /* summed over the steps, and of the last one           */
    long          iterations, factored;
    int           most;        /* iterations of one substep                                */
    long          fixed_point; /* of the fixed-point iteration, which are counted apart      */
    int           most_fixed_point;
    step_energy  *energy;
    void (*input_at)(void *inputs, double t, double *u); /* inputs that follow a file, or NULL */
    void *inputs;
    void (*project)(void *stepper, double t, const double *v); /* moves the state, after a step */
    void             *stepper;
    struct roughness *rough;  /* what is kept of the roughest of its steps; NULL: nobody asks */
    double            turned; /* the largest square of an angle by which a rotation turned in one */
    step_bent        *bent;
} step_state;

#endif
