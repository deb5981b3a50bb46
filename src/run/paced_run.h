/* paced_run.h - the steps are those of another simulation, of the model in tau (model/paced.h). If
 * nothing depends on t, it is no unknown:   t += sum over curves of e sum_i b_i g(q_i). */
#ifndef RUN_PACED_RUN_H
#define RUN_PACED_RUN_H

#include "run/plan.h"

typedef struct dal_sim dal_sim;

dal_status paced_run_open(dal_sim *s, const request *r);
void       paced_run_tell(dal_sim *s); /* the summary of s, what makes its steps */

/* From the present state and parameters of s; error: E - E0, the energy's. */
dal_status paced_run_begin(dal_sim *s, double error);
double     paced_run_error(dal_sim *s);              /* of the present state; plain: 0 */
void       paced_run_resume(dal_sim *s);             /* with the state and E0 of a checkpoint */
dal_status paced_run_step(dal_sim *s, double *work); /* that of forces is added */
void       paced_run_adopt(dal_sim *s);              /* s has its state */

/* pace.c */
double pace_at(const dal_sim *s, double t, const double *q, const double *v);
bool   pace_is_positive(dal_sim *s, double g, double t); /* else s->why says so */

#endif
