/* sweep.h - inside a sweep: its members, the table of what came out, and who works on it. */
#ifndef API_SWEEP_H
#define API_SWEEP_H

#include "api/api.h"
#include "run/members.h"

typedef struct { /* beside its row of numbers */
    dal_status  status;
    bool        done;
    long        steps;
    const char *error, *warning;
} outcome;

struct dal_sweep {
    mem                m; /* first: it is an object of the context */
    dal_context       *cx;
    const dal_model   *model;
    request            asked;
    members            of;
    int                threads;
    int                columns, swept; /* the first `swept` of them are given */
    dal_sweep_column  *column;
    double            *value;   /* members x columns */
    outcome           *outcome; /* NULL: it has not begun */
    long               delivered; /* members that the observer was told of */
    dal_sweep_summary  sum;
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

/* The status is that of the observer or of memory; that of the member is in its outcome. */
dal_status member_run(const member_place *at, long who);

/* The columns of a member that can begin. */
dal_status member_columns(dal_sweep *w, long who);

/* sweep_crew.c: all members that are not done, on w->threads threads. */
dal_status crew_run(dal_sweep *w, const dal_sweep_observer *o);

#endif
