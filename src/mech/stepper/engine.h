/* engine.h - what makes the steps of a stepper.
 *
 * Every step can be made by the general engine (step.c). The others make the steps of some systems
 * faster: they advance the state of the stepper by as many steps as they can, and keep what else
 * belongs to a step (unknowns, history, sample points) to themselves until somebody asks for it. A
 * step that an engine gives back is made by the general one, once.
 *
 * An engine is a row of the table in run/engine_table.c. */
#ifndef MECH_STEPPER_ENGINE_H
#define MECH_STEPPER_ENGINE_H

#include "base/archive.h"
#include "base/diag.h"
#include "base/text.h"
#include "ranks/ranks.h"

typedef struct stepper  stepper;
typedef struct compiled compiled;

/* Steps to be made: step k begins at from + k h; with the energy principle, which chooses their
 * lengths, the next one begins at `from`, and the last is the one that leaves no more than `rest`
 * to `until`. */
typedef struct {
    double from, h;
    long   k, count;
    double until, rest;
} steps_asked;

/* Steps that were made. */
typedef struct {
    long   made;
    double work;              /* of the forces, added to what it was step by step        */
    double shortest, longest; /* of the energy principle: |h|,                           */
    double error;             /* and the largest error of the balance                    */
    const rank_stand *lost;   /* none more can be made: a rank has left. NULL: none has  */
} steps_made;

/* Parameters and inputs, read at every step; input_at sets those that follow a file. */
typedef struct {
    const double *par, *u;
    void (*input_at)(void *inputs, double t, double *u); /* NULL: none does */
    void *inputs;
} step_numbers;

/* The case that an engine is chosen for: what it may look at, and what the general one costs. */
typedef struct {
    stepper        *st;
    const compiled *model; /* what is solved; NULL: functions of the caller's own          */
    step_numbers    numbers;
    double          h, steps; /* of the run; 0: their number is not known                    */
    int             threads;
    ranks          *ranks;       /* that share its rows; NULL: this process has them all          */
    bool            preview;     /* it is only looked at: nothing is compiled                     */
    const char     *not_by_rows; /* why rows are not evaluated one by one, or NULL           */
    const char     *not_as_whole;    /* why the step is not compiled as a whole, or NULL        */
    double          program_ns;      /* of all programs of a step, interpreted                  */
    double          call_ns; /* of sines and the like in loops over instances, also compiled    */
    double          program_seconds; /* to compile them                                      */
    double          operations;      /* in them, where they are compiled with the step       */
    bool (*compile_programs)(void *programs, text *why);
    void *programs;
} engine_case;

typedef enum { ENGINE_REFUSED, ENGINE_INTERPRETED, ENGINE_NATIVE } engine_made;

/* About: what it takes to make an engine, compiler included, and then for each step. */
typedef struct {
    double seconds, ns;
} engine_cost;

static inline double engine_total(engine_cost c, double steps)
{
    return c.seconds + 1e-9 * c.ns * steps;
}

typedef struct engine {
    const char *name, *purpose;
    /* Does it suit the case? Otherwise the reason. */
    bool (*fits)(const engine_case *c, text *why);
    engine_cost (*cost)(const engine_case *c, bool native);
    /* Attaches it to the stepper. Refused: it does not suit the case after all; interpreted: native
     * code was not wanted, or `why` tells the reason. */
    engine_made (*make)(const engine_case *c, bool native, text *why);
    bool interpreted; /* it can do without a compiler                                   */
    bool late;        /* it is made when the start is known, others with the stepper    */

    /* Makes up to along->count steps and returns how many; 0: the next is given back. NULL for the
     * general engine, and so are the rest. */
    long (*advance)(stepper *st, const steps_asked *along, steps_made *out);
    void (*synchronise)(stepper *st); /* unknowns, history and the state before go to the stepper */
    void (*complete)(stepper *st);    /* and the sample points of the last curve are evaluated    */
    void (*forget)(stepper *st);      /* the state was changed by others                          */
    void (*archive)(stepper *st, archive *r);
} engine;

/* The engine of a stepper; the general one is NULL. */
void stepper_use(stepper *st, const engine *e);

/* Makes some of these steps, at least one unless it fails; then `why` tells the reason and the
 * state is that after out->made of them. out->work is added to. */
dal_status stepper_advance(stepper *st, const steps_asked *along, steps_made *out, text *why);

/* What an engine keeps to itself, as above; nothing for the general engine. */
void stepper_synchronise(stepper *st);
void stepper_forget_engine(stepper *st);

#endif
