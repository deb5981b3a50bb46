/* trial.h - a step compared with the same step made in two parts.       theory.md [RESOLUTION] */
#ifndef MECH_STEPPER_TRIAL_H
#define MECH_STEPPER_TRIAL_H

#include "mech/scheme/scheme.h"
#include "mech/stepper/step.h"

typedef struct { /* what steps are like: means over samples */
    long    samples;
    double  size;          /* sum_j |p_j z_j|/h = 2T                                      */
    double *way;           /* n: |z_j|                                                    */
    double  noticed, then; /* how much the roughest step stands out, and 2T till it came  */
} usual_steps;

/* p and z of one lane of many; most: how much the roughest step so far stands out. */
void usual_add(usual_steps *u, int n, int lanes, const double *p, const double *z, double h,
               double most);

typedef struct {
    stepper      *st;              /* that no run sees                        */
    double        t, h;            /* of the step,                            */
    double       *from_q, *from_p; /* which begins here,                     */
    double       *v;               /* with this slope for a prediction,       */
    double       *q, *p;           /* and leads here if it is made at once    */
    double       *mid_q, *mid_p;   /* after the first part                    */
    const double *usual;           /* what a step moves by on average         */
} step_trial;

typedef enum { TRIAL_MADE, TRIAL_UNKNOWN, TRIAL_PARTS_FAIL } trial_end;

typedef struct {
    int    of;     /* the coordinate that is off the most:              */
    double off;    /* by this,                                          */
    double way;    /* where it moves by this                            */
    double energy; /* by which both ends differ,                        */
    double size;   /* beside 2T in this step, or the work of forces     */
} disagreement;

/* False: there is no such stepper. */
bool trial_new(mem *m, step_trial *x, dal_system *sys, const scheme *sch, const step_options *o,
               const double *usual);
void trial_free(step_trial *x);

/* From t, q, p, where a step went so far; then the one behind it. */
void trial_begin(step_trial *x, double t, double h, const double *q, const double *p,
                 const double *went);
void trial_go_on(step_trial *x);

trial_end trial_compare(step_trial *x, disagreement *out);

/* Of its way, or of what is usual; coordinates that hardly move beside others do not count. */
double trial_apart(const step_trial *x, const disagreement *by);

#endif
