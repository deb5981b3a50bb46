/* describe.h - what `check` and `show` say: the facts of a system, the schemes that take it, what
 * was derived. */
#ifndef RUN_DESCRIBE_H
#define RUN_DESCRIBE_H

#include "run/simulation.h"

typedef struct {
    mem           *m;
    const subject *of;
    const request *asked;
    diags         *ds;
    text          *out;
} description;

/* The status of the first error that a run would meet; the facts are printed all the same. */
dal_status describe_check(const description *d);

/* The facts behind it, of a model as it is solved with multipliers; and as values with names. */
typedef struct analysis analysis;
dal_status describe_analysis(const description *d, const analysis **a, const compiled **c);
dal_status describe_facts(const description *d, dal_facts *out); /* facts.c; lives in d->m */

extern const dal_view views[];
extern const int      view_count;
dal_status            describe_view(const description *d, const char *view);
dal_status            show_plan(const description *d); /* show_plan.c */

/* A simulation as it would be run; nothing is compiled and no step is made. It ends with d->m. */
dal_status describe_simulation(const description *d, dal_sim **out);

#endif
