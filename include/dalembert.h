/* dalembert.h - structure-preserving simulation: a model in, a trajectory out.
 *
 *     dal_context *cx = dal_context_new();
 *     dal_options *o = dal_options_new(cx);
 *     dal_model   *m = NULL;
 *     dal_sim     *s = NULL;
 *     dal_options_set(o, "scheme", "gauss(2)"), dal_options_set(o, "step", "0.01");
 *     if (!dal_model_load(cx, "pendulum.dal", o, &m) && !dal_sim_new(m, o, &s))
 *         while (dal_time(s) < 10 && !dal_step(s)) plot(dal_q(s));
 *     dal_report(cx, stderr);                    (silent when all went well)
 *     dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
 *
 * Failing: a call that can fail returns dal_status, 0 being success; the context says why.
 * Owning:  what arrives through an out pointer is yours to free; what is returned is borrowed.
 * Sharing: there are no globals. One context per thread; one model feeds many simulations. */
#ifndef DALEMBERT_H
#define DALEMBERT_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DAL_API __attribute__((visibility("default")))
#else
#define DAL_API
#endif

typedef enum {
    DAL_OK,          /* it went well                                               */
    DAL_SYNTAX,      /* the text is not of the language                            */
    DAL_INVALID,     /* the text is, but what it says cannot be run                */
    DAL_SINGULAR,    /* the equations of a step have no unique solution            */
    DAL_DIVERGED,    /* Newton's iteration failed, or a value was not finite       */
    DAL_BREAKDOWN,   /* the energy principle has no further step                   */
    DAL_IO,          /* a file could not be read or written                        */
    DAL_NOMEM,       /* out of memory                                              */
    DAL_INTERRUPTED  /* the observer asked to stop                                 */
} dal_status;

typedef struct dal_context dal_context; /* diagnostics, allocator                      */
typedef struct dal_options dal_options; /* how to run, by key                          */
typedef struct dal_model   dal_model;   /* what the physics is: immutable              */
typedef struct dal_sim     dal_sim;     /* where it has got to: state and workspace    */

DAL_API const char *dal_version(void);

#ifdef __cplusplus
}
#endif
#endif
