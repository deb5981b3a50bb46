/* examine.h - facts of what is simulated, where it starts. */
#ifndef RUN_EXAMINE_H
#define RUN_EXAMINE_H

#include "model/analyse/analyse.h"
#include "run/simulation.h"

typedef struct {
    mem            *m; /* where the facts live */
    const subject  *of;
    const analysis *form; /* what is known of it already, or NULL */
    bound          *bound;
    dal_system     *sys;
    const values   *val;
    double          t;
    bool            project; /* whatever was given may move */
    double          h;       /* of the first step           */
} examined;

/* And of which compiled model they speak. */
const analysis *analyse_start(const examined *x, const compiled **c);

/* Is anything free? */
bool start_may_move(const values *val, bool project, int n);

#endif
