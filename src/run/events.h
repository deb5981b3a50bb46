/* events.h - what changes a motion at one instant: contacts, rows of velocities and friction that
 * hold at times, conditions that become true, branches that are left. A step that passes an event
 * is made again up to it, the state or the mode is changed there, and the rest of the step follows,
 * so that grid points stay where they are.                                     theory.md [EVENTS]
 *
 * Modes: a set of event rows is closed, and these are relations. Where none is, the simulation's
 * own stepper makes the steps; for other sets a simulation of the model with these rows does. */
#ifndef RUN_EVENTS_H
#define RUN_EVENTS_H

#include "base/archive.h"
#include "model/compile.h"
#include "run/plan.h"

typedef struct dal_sim dal_sim;
typedef struct stepper stepper;

enum {
    EVENT_PLACES = 7,      /* of a step at which events are looked for         */
    EVENTS_IN_STEP = 100,  /* of one kind at most                              */
    SOLVES_IN_STEP = 2500, /* at most, for each event and once: of its parts */
};

typedef struct {      /* at one state */
    double *f;        /* per event: >= 0 while its state lasts; then of tangents of contacts */
    double *row;      /* per event row: g of contacts, A v + b of others                    */
    double *rate;     /* per event row: its derivative for contacts, A v + b                */
    double *size;     /* per event row: sum |A_i v_i|                                       */
    double *reaction; /* per event row; 0: it is open                                   */
    double *rest;     /* per event row: what is roundoff in it                              */
    double *asked;
} event_values;

typedef struct { /* a closed row that follows from others, and its shares of event rows */
    int     row;
    double *by;
} dependent_row;

typedef struct { /* a set of closed rows, and what makes its steps */
    unsigned char *closed;
    unsigned char *kept; /* those that are relations of `run`: the others are dependent */
    vec(dependent_row) dependent;
    int           *relation; /* per closed row: its row in the multipliers of `run`; -1 */
    int           *base;     /* per row of the model itself: the same                   */
    dal_sim       *run;
    mem           *m;    /* all of it                                               */
    long           used; /* the larger, the later                                   */
} event_mode;

typedef struct {      /* of an impact */
    double *n, *t[2]; /* normal and tangents      */
    double *struck;   /* p with its impulse       */
} event_impact;

typedef struct {    /* of a contact that slides in two directions, within a step */
    double free[2]; /* the mean velocity of slip without friction                */
    double ease;    /* and by how much friction changes it                       */
    bool   passes;  /* 0, within the step                                        */
} event_slip;

typedef enum {
    EVENT_HITS,
    EVENT_CLOSES,
    EVENT_OPENS,
    EVENT_FIRES,
    EVENT_STICKS,
    EVENT_SLIPS
} event_change;

typedef struct {
    double       t;
    int          event;
    event_change how;
    double       impulse, energy; /* that it has changed the energy by */
} event_record;

typedef struct { /* modes that the motion has met */
    vec(event_mode *) at;
    long    entered; /* so often, all of them */
    request asked;   /* of their simulations  */
} event_modes;

typedef struct {
    vec(event_record) log;
    const char **name; /* per event, once somebody has asked */
    vec(dal_event) told;
    long switched; /* branches that were left */
} event_history;

typedef struct events {
    int          count, rows;
    const event *at;
    double      *reach, *speed; /* per event row: the largest sums of A_i q_i and A_i v_i so far */
    int         *of_row; /* per event row: its event                                         */

    /* all rows as relations, and what events ask for */
    bound      *bound;
    dal_system *sys;
    sys_values  room;
    int        *row_at; /* per event row, and then per relation of the model: its row of sys */
    double     *w, *none, *between;
    double     *sample; /* per place within a step and event: its function                 */

    /* in which mode the motion is */
    unsigned char *closed, *refused; /* per event row; that it cannot close at this instant    */
    unsigned char *is_true;          /* per event: its condition holds                         */
    unsigned char *back;             /* per event: a contact whose flight is short             */
    unsigned char *caught;           /* per event: a branch that is held where it meets the other */
    bool           catches;          /* there are some                                         */
    double         pull;             /* reactions that are 0 beside it                         */
    unsigned char *met;              /* per event, and tangent: how often within this step     */
    double        *grain;            /* per event: roundoff of its function                    */
    bool           conditions;       /* there are some, or branches, or rows of velocities     */
    event_modes    known;
    event_mode    *now; /* NULL: all rows are open */

    /* a step: where it began, what events are at its ends and in between */
    double       t, *q, *p, *v; /* of the model                     */
    long         solves;        /* of its parts, and of impacts     */
    double      *q0, *p0, *v0;  /* of the stepper that makes it      */
    event_impact hit;
    double      *lam;           /* multipliers of the model's own relations */
    event_slip  *slip;          /* per event */
    event_values begin, end, try;

    /* what has happened */
    event_history past;
    bool stopped;
    bool broken; /* the last step, by an event or by what holds */
    span blamed; /* what a run ends for */
} events;

/* The model with its branches frozen, if they are to be located, compiled for who asks; its flags
 * stand behind the parameters of s, which get room for them. */
const struct subject *events_subject(dal_sim *s, const struct subject *of, const request *r);

/* Why branches are passed over: "" where that was asked for; NULL: they are located. */
const char *events_passed(const plan *p, const request *r, long count);

/* At the start, if there are any; takes room. */
dal_status events_open(dal_sim *s, const request *r);
void       events_end(dal_sim *s);

/* One step of the run; s->k and s->t say how far it came. */
dal_status events_step(dal_sim *s, double *work);

/* The statement that a run ends for, if it is one. */
span events_place(const dal_sim *s);

/* What has happened so far. */
const dal_event *events_list(dal_sim *s, size_t *count);

/* event_save.c: what a checkpoint keeps of them. */
void events_archive(dal_sim *s, archive *r);

/* Multipliers of the model's own relations, where a mode has made the step; else NULL. */
const double *events_multipliers(dal_sim *s);

/* event_step.c: one more solve within this step, if it is not one too many. */
dal_status events_spend(dal_sim *s);
/* What is read of closed rows by outputs and by friction. */
void events_tell(dal_sim *s);

/* event_values.c: at the present state of what makes the steps. */
void events_read(dal_sim *s, event_values *out);
/* f of them, where what slides has another direction now. */
void events_again(const dal_sim *s, event_values *out);
/* The same within the step of length h that was made, at x in 0..1, by a cubic. */
void events_guess(dal_sim *s, double h, double x, event_values *out);

/* event_modes.c: what makes the steps, and its state as one of the model */
dal_sim       *events_run(dal_sim *s);
const stepper *events_stepper(const dal_sim *s);
const double  *events_q(const dal_sim *s);
const double  *events_v(const dal_sim *s);
const double  *events_p(const dal_sim *s);
void          events_put(dal_sim *s, double t, const double *q, const double *p, const double *v);
dal_status    events_enter(dal_sim *s); /* the mode of `closed`, with the present state */
dal_status    events_set(dal_sim *s, int parameter, double value);
dal_status    events_refresh(dal_sim *s);               /* parameters have changed */
dal_status    events_renew(dal_sim *s);                 /* the same where a step begins again */
void          events_arrive(dal_sim *run, double t);    /* a step has led there */
void          events_keep(dal_sim *s);                  /* where a step begins     */
dal_status    events_along(dal_sim *s, double theta);   /* from there, by one step of this length */
bool          events_is_no_time(const dal_sim *s, double theta);
request       events_request(mem *m, const request *r); /* of the simulation of a mode */
void          events_show(dal_sim *s); /* the state of the mode is that of the simulation */

/* event_dependent.c: of the closed rows of a mode at the state that was read last; its reactions
 * with theirs; and whether one of them does so no longer. */
void events_find_dependent(mem *m, dal_sim *s, event_mode *to);
void events_share(dal_sim *s, const event_mode *of, double *lam);
bool events_part(const dal_sim *s, const event_values *at);

/* event_locate.c: the first event of a step of length h that has just been made; -1: none. The
 * state is then at *theta. Behind `count` stand tangents of contacts. */
dal_status events_first(dal_sim *s, double h, int *which, double *theta);

/* event_settle.c: which rows close, and which open, at this state; this one opens first, -1: none.
 */
dal_status events_settle(dal_sim *s, int opens);
double     events_near(const dal_sim *s, int row); /* |phi| that is 0 */
double     events_slow(const dal_sim *s, int row); /* and rates       */
void       events_release(dal_sim *s, const event *contact); /* with its tangents */
double     events_pull(const dal_sim *s);          /* and reactions   */
void       events_note(dal_sim *s, int which, double impulse, double energy, event_change how);

/* event_branches.c: of this one to the other side; of all that are not where they are frozen. */
dal_status events_leave(dal_sim *s, int k);
dal_status events_follow(dal_sim *s);

/* event_meet.c: a branch that leads back from both sides is held from now on; false: it is none.
 * A step along which such branches are. */
bool       events_catch(dal_sim *s, int k);
dal_status events_hold(dal_sim *s, double h, double *work);

/* event_slide.c: do contacts? A step along which they do. */
bool       events_slides(const dal_sim *s);
dal_status events_slide(dal_sim *s, double h, double *work);

/* event_reset.c: conditions that have become true, in the order in which they are written; what
 * one changes may make another true. first: that has just done so. */
dal_status events_fire(dal_sim *s, int first);

/* impact.c: of all contacts that approach at this state, one after the other. */
dal_status events_impacts(dal_sim *s);
/* Those that touch and whose rates are slow, beside the largest so far, close. */
dal_status events_collapse(dal_sim *s, double slow);
/* Of one row, whose rate becomes -restitution times what it was. */
dal_status events_strike(dal_sim *s, int row, double restitution, double *impulse);

#endif
