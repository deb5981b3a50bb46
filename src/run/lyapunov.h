/* lyapunov.h - Lyapunov exponents along a run: directions are propagated by the exact tangent of
 * every step, and their growth is accumulated.                              theory.md [LYAPUNOV] */
#ifndef RUN_LYAPUNOV_H
#define RUN_LYAPUNOV_H

#include "base/archive.h"
#include "dalembert.h"

typedef struct lyapunov lyapunov;

/* Of the `count` largest ones. They are in the summary from then on. */
dal_status lyapunov_open(dal_sim *s, long count);
dal_status lyapunov_carry(dal_sim *s);  /* before a step: its tangent                            */
dal_status lyapunov_renew(dal_sim *s);  /* after it                                              */
void       lyapunov_forget(dal_sim *s); /* the state was put: averages begin anew                */
void       lyapunov_archive(lyapunov *l, archive *r);

#endif
