/* times.h - states at requested times, which need not be grid points. No step of the run depends on
 * them.                                                                       theory.md [TIMES] */
#ifndef RUN_TIMES_H
#define RUN_TIMES_H

#include "base/archive.h"
#include "base/diag.h"

typedef struct dal_sim dal_sim;
typedef struct stepper stepper;

typedef struct {
    long     next;   /* requested times that lie behind                                    */
    long     exact;  /* the last step that ended at one of them; -1: none has              */
    int      joined; /* how many derivatives of q are joined: 1, 2; 0: a step is made      */
    double   t0, *q0, *p0, *v0, *a0; /* where the last step began, in the solved system    */
    double  *q, *p, *v;              /* and room for a state in it                         */
    double  *Lq;
    stepper *aside; /* of the state that is shown: no step of the run sees it              */
    stepper *own;   /* that makes the steps, while another is shown; else NULL             */
    double   t;     /* and its time                                                        */
} shown_times;

dal_status times_open(dal_sim *s); /* if the plan has any; takes room */
void       times_restart(dal_sim *s);
void       times_end(dal_sim *s);
void       times_archive(dal_sim *s, archive *r);

/* Steps that end before the next requested time; 0: it lies in the next one. */
long times_ahead(const dal_sim *s, long most);
void times_keep(dal_sim *s); /* before a step in which one may lie */

/* The next requested time that the run has reached; false: there is none. */
bool times_due(const dal_sim *s, double *t);
bool times_is_now(const dal_sim *s, double t); /* the state of the run is that of t */

/* The state at t, which lies in the last step, takes the place of the run's, until times_hide;
 * by_step: whatever the order is. */
dal_status times_show(dal_sim *s, double t, bool by_step);
void       times_hide(dal_sim *s);

/* The same with the state a time `by` after the present one, made in so many steps. */
dal_status times_show_ahead(dal_sim *s, double by, int parts);
void       times_exchange(dal_sim *s); /* a state that is shown and the run's; nothing if none is */

#endif
