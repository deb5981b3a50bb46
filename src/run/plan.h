/* plan.h - what is to be run: the settings of the model, overridden by the caller's texts, checked
 * and turned into numbers before anything is computed. */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "lang/source.h"
#include "mech/scheme/scheme.h"
#include "mech/stepper/step.h"
#include "model/model.h"
#include "run/full_system.h"

/* What the caller asks for, as text; NULL where nothing was said. Each text is a source of its own,
 * so that messages can point into it. */
typedef struct {
    overrides     over;  /* of the simulate block; --set, --start, --columns */
    const source *input; /* NAME=FILE each                                   */
    int           inputs;
    const kept_texts *kept; /* of input files; NULL: they are read         */
    const retraction_map *map; /* of a caller; NULL: q + v */
    const source *jacobian;
    const source         *monitor, *solver, *interconnection, *on_breakdown, *lyapunov,
        *backend, *threads;
    bool          project_start, insist, ledger;
    bool          beside; /* it is made to judge another run, and nobody judges it */
    bool          refers; /* a run of fixed steps beside one of principle = energy: its settings may
                             be there */
} request;

/* States that are recorded whether or not they are grid points: from + k every, or a list. */
typedef struct {
    double        every; /* 0: there is no interval */
    const double *at;    /* in the direction of the run */
    int           count;
} requested_times;

/* How steps follow a pace; by default as the system allows. */
typedef enum { PACING_BEST, PACING_CANONICAL, PACING_PLAIN, PACING_DENSITY } pacing;

typedef enum { BREAKDOWN_STOPS, BREAKDOWN_HOLDS, BREAKDOWN_RESETS } breakdown;

/* What evaluates and steps: the interpreters of kernel.h, or code compiled for the model. */
typedef enum { BACKEND_AUTO, BACKEND_VM, BACKEND_NATIVE } backend;

typedef struct {
    scheme          scheme;
    step_options    method;
    joining         joined;
    backend         backend;
    bool            keeps_ties; /* for the papers' momenta, although they would be taken out */
    const char     *principle;
    setting         pace;    /* its words, if one is given: h is then that of tau        */
    pacing          pacing;
    bool            located; /* branches are, by default as far as the method allows     */
    bool            insists_located;
    double          from, h; /* t_k = from + k*h; h < 0 runs backward                    */
    long            steps;   /* -1: no end is given                                      */
    bool            timed;   /* it ends with the first t at or past until; steps is a guess */
    bool            by_time; /* the end is a time: until                                 */
    double          until;
    breakdown       breakdown; /* what is done where the energy principle has no step    */
    long            exponents; /* how many of Lyapunov are measured                      */
    long            record;  /* every n-th state; 0: only the first and the last         */
    requested_times times;   /* recorded beside them                                     */
    long            monitor; /* diagnostics at every n-th state                          */
    long            sample;  /* energy is accounted for at one of n states               */
    bool            spaced;  /* nobody said how often: of a large system less            */
} plan;

dal_status plan_until(plan *p, double until, span at, diags *ds); /* the end is a time */
long       plan_samples(long steps); /* how many steps apart, in a run of so many */
double     plan_rest(const plan *p); /* of a time: nothing beside a step, roundoff */
dal_status plan_make(plan *p, const request *r, const values *v, diags *ds, mem *m);

/* The whole of a source, as a place. */
static inline span source_span(const source *s)
{
    return (span){s, 0, (int)s->length};
}

#endif
