/* check.h - inside `check`: a model made ready, from whose start steps are tried. */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include "run/describe.h"

typedef struct {
    const subject *as; /* what is checked, as the scheme takes it */
    values         val;
    plan           plan;
    bound         *bound;
    dal_system    *sys;
    full_system   *full;   /* NULL: sys is what is solved */
    tracks         follow; /* inputs that follow a file   */
    bool           moved;  /* the start, to satisfy the relations */
} check_case;

static inline dal_system *check_solved(const check_case *c)
{
    return c->full ? full_system_solved(c->full) : c->sys;
}

/* check_events.c: are branches of expressions located? */
bool check_locates(const description *d, const plan *p);

/* A stepper of this scheme at the start, in m. */
dal_status check_begin(const check_case *c, mem *m, const scheme *sch, stepper **out, text *why);

/* How long a step may be for what is fast at the start, and the warnings that a run would begin
 * with. */
void check_stability(const description *d, const check_case *c);

/* For the scheme of the model and others: will the energy decide the step? Warns if it will not for
 * the model's own. */
void check_energy(const description *d, const check_case *c);

/* What a run will locate. */
void check_events(const description *d, const plan *p);

/* How steps will follow the pace that is given. */
dal_status check_pace(const description *d, double *h); /* h: of the first step */

#endif
