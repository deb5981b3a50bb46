/* sweep.h - inside a sweep: its members, the table of what came out, and who works on it. */
#ifndef API_SWEEP_H
#define API_SWEEP_H

#include "api/api.h"
#include "run/ensemble.h"
#include "run/members.h"

typedef struct { /* beside its row of numbers */
    dal_status  status;
    bool        done, together; /* together: in a block with others */
    bool        open;           /* too little was seen of it to tell whether it went wrong */
    long        steps;
    const char *error, *warning;
} outcome;

struct dal_sweep {
    mem               m; /* first: it is an object of the context */
    dal_context      *cx;
    const dal_model  *model;
    request           asked;
    members           of;
    int               threads;
    int               columns, swept; /* the first `swept` of them are given */
    dal_sweep_column *column;
    double           *value;     /* members x columns */
    outcome          *outcome;   /* NULL: it has not begun */
    long              delivered; /* members that the observer was told of */
    dal_sim          *first;     /* a member that can begin, at its start         */
    ensemble          with;      /* what they step with                           */
    dal_sweep_summary sum;
};

static inline double *row_of_member(const dal_sweep *w, long who)
{
    return w->value + (size_t)who * (size_t)w->columns;
}

/* sweep_member.c: one member by itself, as a run would be. */
typedef struct {
    const dal_sweep          *w;
    const dal_sweep_observer *o;
    int                       worker;
    mem                      *notes; /* where texts are kept */
    dal_status (*pause)(void *self); /* asked between the steps: shall it go on? */
    void *self;
} member_place;

/* A member that is being run. Each function returns the status of the observer or of memory, which
 * ends the sweep; that of the member itself is in its outcome. */
typedef struct {
    const member_place *at;
    long                who;
    dal_context        *cx;
    dal_sim            *s;
    bool                begun; /* else it was refused, or it is over      */
    dal_status          ended; /* how the observer or a pause ended it    */
    int                 uses;  /* how many members it has been            */
    varying           vary;  /* what makes it one member after the other */
} running;
dal_status member_begin(running *r, const member_place *at, long who);
dal_status member_end(running *r); /* from where it has got to, to its end */
void       member_drop(running *r);

/* The same simulation for another member; in *other: it needs one of its own. */
dal_status member_again(running *r, const member_place *at, long who, bool *other);

/* Finds the first member that can begin, and names the columns. */
dal_status member_columns(dal_sweep *w, long who);

/* sweep_block.c: members first .. end-1, at most a block, at once where it can be. */
dal_status members_run_together(const member_place *at, lane_block *b, running *shared, long first,
                                long end);

/* sweep_threads.c: all members that are not done, on w->threads threads. */
dal_status sweep_threads_run(dal_sweep *w, const dal_sweep_observer *o);

#endif
