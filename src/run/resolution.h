/* resolution.h - do the steps of a run resolve its motion? Some of them are made again in two
 * parts: a few as they come, and those that stand out.                         theory.md
 * [RESOLUTION] */
#ifndef RUN_RESOLUTION_H
#define RUN_RESOLUTION_H

#include "base/archive.h"
#include "mech/stepper/trial.h"

typedef struct dal_sim dal_sim;

enum { USUAL_MOST = 7 };

typedef struct {
    step_trial  with; /* st: NULL: steps are not looked at     */
    usual_steps like; /* what its steps are like on average    */

    int     usual; /* steps as they came: how many,           */
    long    next;  /* when the next is due,                   */
    double *kept;  /* and of each t, q, p and how far it went */

    int          trials;
    double       examined;  /* when the last one began that was tried for it */
    disagreement worst;     /* of steps that stand out          */
    bool         fails;     /* its parts have no solution       */
    double       t, beside; /* when; 2T on average till then, of which its energy is a part */
    bool         blocked;   /* the steps were made in a block: only the roughest of all is known, */
    bool         doubted;   /* and the run has to be made alone before more can be said           */
} resolution;

void resolution_init(dal_sim *s); /* takes room */
void resolution_restart(dal_sim *s);
void resolution_resume(dal_sim *s, const usual_steps *like); /* steps of a block */
void resolution_take(dal_sim *s);                            /* at a sample of a run          */
void resolution_warn(dal_sim *s);                            /* of a finished run             */
void resolution_archive(dal_sim *s, archive *r);

#endif
