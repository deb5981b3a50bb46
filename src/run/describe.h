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

extern const dal_view views[];
extern const int      view_count;
dal_status            describe_view(const description *d, const char *view);

#endif
