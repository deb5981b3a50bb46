/* converge.h - how errors fall with the step: schemes and steps against a reference that doubts
 * itself. */
#ifndef RUN_CONVERGE_H
#define RUN_CONVERGE_H

#include "run/simulation.h"

typedef struct {
    mem           *m; /* the result lives here */
    diags         *ds;
    const subject *of;
    request        asked;
    const source  *schemes; /* NULL: the one of the request or the model */
    const source  *steps;   /* NULL: six that double, from its step on or from 8 */
} convergence_job;

dal_status converge(const convergence_job *job, dal_convergence *out);

#endif
