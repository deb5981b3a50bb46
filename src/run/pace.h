/* pace.h - steps that adapt: dt = g dtau with uniform dtau, g a function of the state. Canonical:
 * the Poincare transformation of the model takes the steps; density: the step of the scheme itself,
 * of a length that follows g reversibly.                                          theory.md [PACE]
 */
#ifndef RUN_PACE_H
#define RUN_PACE_H

#include "base/archive.h"
#include "run/plan.h"

typedef struct dal_sim dal_sim;
typedef struct stepper stepper;

typedef struct {
    pacing      how;
    const char *why_not; /* it is not canonical by default; NULL: it is */
    element     g;       /* the pace, and its derivatives in what moves               */
    int         moving;  /* how many slots of it do: t, q, v                          */
    int        *moves;   /* which                                                     */
    expr       *slope;
    model      *into; /* the model it was read in: its data                        */
    double     *values, *scratch;
    double      low;           /* of the time: its rounding errors                          */
    double      z;             /* density: steps per unit of tau and time, 1/g               */
    double      length;        /* of the last step                                          */
    double      fastest, then; /* the largest |d ln g/dt| h, and when it was                 */
    double      E0;            /* canonical: the energy of the start,                       */
    double      g0, last;      /* the pace there, and at the end of the last step            */
    double      least;         /* of those whose future was looked at                       */
    bool        lost;          /* it is the reason why a step failed                        */
    bool        clock;         /* t is a coordinate of the model in tau                      */
    double      work;          /* of forces, in the last step of the model in tau            */
    double     *v, *w, *f;     /* room for velocities, for these or momenta, and for forces  */
    double     *D;             /* and those of damping                                      */
    dal_sim    *run;           /* what takes the steps: the model in tau; NULL: density      */
} pace;

/* At the start, if the plan has one; takes room. */
dal_status pace_open(dal_sim *s, const request *r);
void       pace_end(dal_sim *s);

/* What a run has gathered beside q, p and t: canonical E - E0, of the density z - 1/g at the grid
 * point. All 0 where there is no pace. A new state begins without, NULL. */
typedef struct {
    double energy, density;
} pace_errors;

pace_errors pace_gathered(dal_sim *s);
dal_status  pace_restart(dal_sim *s, const pace_errors *keeps);

/* Some steps, at least one unless it fails, with the reason in s->why; the last is the one that
 * reaches a time that is asked for. */
dal_status pace_steps(dal_sim *s, long most, double *work);

/* Of a step that failed: where the pace is written, if it is the reason. */
span pace_place(const dal_sim *s);

/* Has the run gone past its end, in a step of its own length? */
bool pace_is_beyond(const dal_sim *s);

/* The end of a run is a time: the state there is shown (times.h). */
dal_status pace_arrive(dal_sim *s);

stepper *pace_stepper(const dal_sim *s); /* that makes the steps, whatever is shown */

const char *pace_word(const dal_sim *s); /* how it is followed; NULL: there is none */
void        pace_archive(dal_sim *s, archive *r);
void        pace_warn(dal_sim *s); /* at the end of a run */

#endif
