/* defect.h - the energy that nothing accounts for, at some states of a run, the last among them:
 *
 *     D = E - E_0 - W,    W = sum of h b_i f.v + integral of P dt,    P = -L_t - lam.beta
 *                                                                             theory.md [DEFECT] */
#ifndef RUN_DEFECT_H
#define RUN_DEFECT_H

#include "base/archive.h"
#include "model/system.h"

typedef struct dal_sim dal_sim;

typedef struct {
    unsigned   want; /* what P is computed from; 0: it is 0                        */
    sys_values room;
    double    *w, *input; /* and the inputs that E was taken with; NULL: L holds none   */

    /* the sums of the run */
    double first;            /* E_0, and what changes of inputs and parameters have added  */
    double gained;           /* integral of P dt, by the trapezoidal rule,                 */
    double variance;         /* and how far it may be off                                  */
    double gross, poured;    /* sum of |work| between samples, integral of |P| dt          */
    double turnover;         /* integral of |P|/S dt                                       */
    double sizes;            /* sum of the sizes, sum |p_i v_i| + |E|                      */
    double mean, mean_first; /* S: the largest of their means so far; and the first      */
    double most;             /* the largest size                                         */
    double level;            /* the mean of D                                            */

    /* of the last sample */
    double t, work, P, rate;      /* |P|/S                                                    */
    double left, part;            /* D; and by what part of S it is beyond these at least       */
    double growth;                /* of ln S since the start; 0: it is accounted for            */
    long   last, next;            /* the step it was taken at, and that of the next one         */
    long   samples, run, longest; /* how many; those too large at the end, most before   */
} energy_defect;

typedef enum { DEFECT_SMALL, DEFECT_OPEN, DEFECT_LARGE } defect_verdict;

void           defect_init(dal_sim *s);    /* takes room                                */
void           defect_restart(dal_sim *s); /* from the present state                    */
void           defect_resume(dal_sim *s, const energy_defect *from); /* with these sums */
void           defect_take(dal_sim *s);            /* a sample: of the present state            */
void           defect_inputs(dal_sim *s);          /* before a step: have they been changed?    */
void           defect_jump(dal_sim *s, double by); /* E has changed, and no step did it */
defect_verdict defect_judge(const dal_sim *s);     /* open: too few samples to tell         */
bool           defect_archive(energy_defect *d, archive *r);

#endif
