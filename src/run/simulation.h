/* simulation.h - a model, its numbers and a method, and where the motion has got to.
 *
 * Everything a simulation has lives in its own mem and is made by simulation_start; a step takes no
 * memory. */
#ifndef RUN_SIMULATION_H
#define RUN_SIMULATION_H

#include "base/archive.h"
#include "mech/interaction/interaction.h"
#include "mech/stability/stability.h"
#include "mech/stepper/engine.h"
#include "model/analyse/analyse.h"
#include "model/compile.h"
#include "model/functions/functions.h"
#include "run/accuracy.h"
#include "run/defect.h"
#include "run/events.h"
#include "run/full_system.h"
#include "run/input.h"
#include "run/ledger.h"
#include "run/lyapunov.h"
#include "run/pace.h"
#include "run/plan.h"
#include "run/resolution.h"
#include "run/times.h"

/* What can be read off the present state, computed when it is asked for and kept until the next
 * step. */
typedef struct {
    unsigned      have;                /* which of them are known; 0 as soon as the state moves */
    double        energy, energy_size; /* E, and sum |p_i v_i| + |E|                      */
    double       *output;              /* outputs, then momenta of symmetries             */
    const double *lam;                 /* reactions, rows of the system                   */
    double       *w;                   /* velocity or momentum, the variable; NULL: velocities */
    sys_point     at;                  /* of the last evaluation                          */
    sys_values    room;                /* and what it gave                                */
} readings;

typedef struct { /* by substeps of a composition that go back: stability.c */
    bool asked;  /* along the run           */
    long last;   /* step at which it was    */
} undamping;

typedef struct { /* quantities over a run */
    dal_summary   sum;
    dal_momentum *momentum;
    int           symmetries; /* the first of the momenta; the others are of cyclic coordinates */
    int          *declared;   /* which symmetries of the model they are: finite ones have none */
    const int    *cyclic;
    energy_defect defect;
    resolution    resolved;
    accuracy      accurate;
    long          last;        /* step at which they were taken last; -1: never */
    long          last_energy; /* and the energy                                */
    bool          warned;      /* that something cannot be reported             */
    double        judged;      /* what reliable.c has judged: the sum of the largest values      */
    bool          grown;       /* that has doubled since                                          */
    bool          owed;        /* balances of the last step: its points are to be evaluated      */
    stability     fast;        /* what the step was too long for at the start                     */
    undamping     back;        /* is damping too strong for substeps that go back?                */
    bool          still;       /* nothing but a step changes what they are computed from: inputs and
                                  functions are the caller's                                     */
} monitor;

/* What is simulated: a model of the language, or else functions of the caller's own. */
typedef struct subject {
    const model       *md;
    const compiled    *compiled;
    const solved_form *solved[INTERCONNECTIONS]; /* what is solved instead of it; NULL: itself */
    const functions   *made;                     /* NULL: a model of the language */
    const char        *title;
    double             seconds; /* that it took to make it */
} subject;

typedef vec(source) asked_list; /* options: key and text */

/* The engines, in the order in which they are tried (engine_table.c). */
typedef enum { LEAPFROG, CHAIN, STAGES, COMPILED, GENERAL, ENGINES } engine_name;

typedef struct {
    engine_name name;
    bool        native;
    engine_case of;           /* for which it was chosen                            */
    bool        preview;      /* nothing is compiled: only the choice is looked at  */
    text        why[ENGINES]; /* why it is none of the others, or not native        */
} engine_choice;

/* Columns of one kind whose indices follow each other, from the one `at` of the row on. */
typedef struct {
    column first;
    int    at, count;
} column_stretch;

typedef struct { /* all columns, by neighbours */
    column_stretch *at;
    int             n;
    bool            energy; /* it is among them */
} stretches;

/* Something that the caller wants to find again in a checkpoint. */
typedef struct {
    char *key, *value;
} note;

/* Connections that are forces. */
typedef struct {
    double        *lam, *w;
    double        *of_solved; /* lam of what is solved                                    */
    int           *row;       /* its row there, per row of the system; -1: a tie that repeats others */
    const uint8_t *has;       /* per row of the system: is it one of them?                */
} joint_rows;

typedef struct {
    bool project; /* a state may be moved to where relations hold */
    bool scheme;  /* one that does not suit may run               */
} allowances;

typedef struct {     /* of who runs it */
    bool    running; /* an observer may look, not step                                */
    bool    pausing; /* the run is not over: there is no room for the next row        */
    double *spare;   /* ns, of all runs in its context; NULL: it has many beside it   */
    ranks  *ranks;   /* that make its steps together; NULL: this process alone         */
} run_call;

struct dal_sim {
    mem          m;
    dal_context *cx;
    diags       *ds;
    text         why, line; /* room for reasons, and for a row */

    /* what is simulated, and with which numbers */
    const dal_model       *of; /* for a checkpoint of it */
    const subject         *as; /* what its scheme makes of it: damped.h */
    const char            *title;
    const model           *md;   /* NULL: functions of the caller's own */
    const functions       *made; /* NULL: a model of the language       */
    const compiled        *compiled;
    bound                 *bound;
    dal_system            *sys;  /* the whole, as it was written */
    const struct analysis *form; /* facts whatever the numbers are; NULL: it has not begun again */
    values                 val;
    tracks                 follow; /* inputs that follow a file */

    /* what is solved in its place */
    full_system       *full;  /* NULL: the system itself */
    const solved_form *kept;  /* all relations but those that repeat others; NULL: the model */
    interaction       *joint; /* NULL, or connections are forces */
    joint_rows         joins;

    /* how it moves, and where it has got to */
    plan       plan;
    asked_list asked;   /* the options it was made with                   */
    allowances allows;
    stepper   *st;
    engine_choice engine;  /* what makes its steps                              */
    pace      *pace;    /* NULL: they are all of one length, or the energy decides */
    events       *events;  /* NULL: there are none */
    long       k; /* steps taken */
    double     t; /* from + k*h  */
    run_call      call;

    /* what is seen of it */
    readings            now;
    monitor             mon;
    ledger             *book;      /* NULL: none is kept        */
    lyapunov           *exponents; /* NULL: they are not measured */
    struct sim_tangent *tangent;   /* NULL: nobody has asked yet  */

    /* what is kept of it */
    int         columns;
    column     *column;
    stretches   stretch;
    dal_column *shown; /* the same with names */
    double     *row;
    long        recorded; /* step of the last row; -1: none yet */
    long        rows;     /* of this run, since it was begun or resumed */
    vec(note)   notes;
    archive     saved; /* the last checkpoint */
    shown_times *times; /* NULL: only grid points are recorded */
};

/* n numbers of its own; 0 where x is NULL. */
static inline double *copy_of(mem *m, const double *x, int n)
{
    double *copy = mem_array(m, n + 1, double);
    for (int i = 0; x && i < n; i++) copy[i] = x[i];
    return copy;
}

static inline int inputs_of(const dal_sim *s)
{
    return s->made ? s->made->given.inputs : s->md->inputs;
}

/* s->m is initialised and guarded; whatever happens, simulation_end frees all. */
dal_status simulation_start(dal_sim *s, const subject *of, const request *r);
void       simulation_end(dal_sim *s);

/* From the start once more, with other parameters, inputs and starts, but the same plan; what does
 * not depend on them is kept. In *other: this cannot be, and it has to be made anew. */
dal_status simulation_again(dal_sim *s, const subject *of, const request *r, varying *v,
                            bool *other);
/* why, for good: what is looked at next may have reasons of its own */
const char *simulation_reason(dal_sim *s);
dal_status  simulation_some(dal_sim *s, long most);     /* at least one, unless it fails */
dal_status  simulation_advance(dal_sim *s, long count); /* all of them, or up to one that fails */

/* put.c: a state in place of the present one, by v or by p; and a parameter. */
dal_status simulation_put(dal_sim *s, double t, const double *q, const double *v, const double *p);
dal_status simulation_set_parameter(dal_sim *s, int index, double value);

/* function_values.c: the numbers of a system of the caller's own, and what overrides them. */
dal_status functions_values(dal_sim *s, const functions *of, const request *r);

/* reading.c: the state of the whole. */
const double *state_q(const dal_sim *s);
const double *state_p(const dal_sim *s);
const double *state_v(const dal_sim *s);
const double *state_multipliers(dal_sim *s);
bool          state_joint_reactions(dal_sim *s); /* connections as forces: into joins.lam, or NaN */
dal_system   *state_solved(const dal_sim *s);    /* what the stepper sees */

/* interaction.c: connections as forces. without_repeats: not NULL if some connections are
 * redundant; booked: a ledger asks for their reactions */
dal_status joint_open(dal_sim *s, const solved_form *without_repeats, bool booked);
dal_status joint_judge(dal_sim *s); /* at the start */

/* reading.c: what is read off it */
void          readings_init(dal_sim *s);
double        reading_energy(dal_sim *s);
const double *reading_outputs(dal_sim *s);
const double *reading_multipliers(dal_sim *s);
double        reading_constraints(dal_sim *s);        /* the largest residual of a relation */
const double *reading_relations(dal_sim *s);          /* entries of A                       */
/* which expression was not finite in the last of them? */
bool   reading_nonfinite_source(dal_sim *s, text *out);
double column_value(dal_sim *s, column c);
int    column_undefined(dal_sim *s);
void   column_values(dal_sim *s, double *out); /* all of a row */

/* columns.c */
dal_status columns_choose(dal_sim *s);
/* of positions: how many, their names and where they stand in q */
int columns_of_positions(dal_sim *s, const char *const **titles, const int **at);
bool       column_find(dal_sim *s, const char *name, column *out);

/* positions.c: those of a row, with matrices as the state has them; NULL: one was not recorded. */
const double *positions_of_row(mem *m, const dal_sim *s, const double *row);

/* csv.c */
dal_status csv_header(dal_sim *s, FILE *out);
dal_status csv_row(dal_sim *s, FILE *out);

/* monitor.c */
void               monitor_init(dal_sim *s, const int *cyclic, int count);
void               monitor_restart(dal_sim *s); /* from a new state        */
void               monitor_lengths(dal_sim *s, const steps_made *made); /* energy principle */
void               monitor_length(dal_sim *s, double h); /* of a step that follows a pace */
void               monitor_take(dal_sim *s);    /* at a state that is watched */
void               monitor_energy(dal_sim *s);  /* at one that is recorded only */
void               monitor_balances(dal_sim *s); /* before it is left, or somebody looks */
const dal_summary *monitor_summary(dal_sim *s);

/* engine_table.c: what makes its steps: of large systems as soon as there are equations, of others
 * at the start */
void            engine_choose_for_rows(void *sim, stepper *st);
void            engine_choose(dal_sim *s);
const compiled *engine_model(const dal_sim *s);      /* that is solved                 */
const double   *engine_parameters(const dal_sim *s); /* the numbers that it reads      */
step_numbers    engine_numbers(dal_sim *s);          /* with the inputs                */

/* unused_options.c: notes options that change nothing with this model */
void unused_options_note(dal_sim *s, const subject *of, const request *r);

/* warnings.c */
void warnings_at_start(dal_sim *s); /* warns of what was given and will not be so */
void warnings_at_end(dal_sim *s);   /* warns of a finished run                    */

/* stability.c: warns of a step beyond the stability limit at the start; of a run that failed, adds
 * that to `out`. False: it is not that. */
void stability_warn(dal_sim *s);
void stability_follow(dal_sim *s); /* the same at samples of a run, if s->mon.back.asked */
bool stability_explain(dal_sim *s, text *out);
bool stability_is_near(dal_sim *s); /* the limit, at the present state */

/* reliable.c: DAL_DIVERGED and a message where relations or momenta are off */
dal_status reliable_judge(dal_sim *s);
void       reliable_warn(dal_sim *s); /* of connections as forces, at the end of a run */
/* Do relations hold everything, but for the roundoff of what forces would move in a step? */
bool reliable_rests(const dal_sim *s);

/* dead_point.c */
void dead_point_warn(dal_sim *s);

/* tangent.c: of the step that comes next, in `count` directions; 2 n numbers each. */
dal_status simulation_tangent(dal_sim *s, size_t count, const dal_direction *along, double *out);
size_t     simulation_tangent_width(const dal_sim *s);
dal_status simulation_consistent(dal_sim *s, int count, double *pairs); /* of state directions */
void       simulation_tangent_end(dal_sim *s);

/* defined.c: the energy has no value, or column i has none: a message, and the run ends, unless the
 * state itself is not known */
dal_status energy_undefined(dal_sim *s);
dal_status output_undefined(dal_sim *s, int i);

/* extend.c: the end is at this time, or after so many steps in all. *spare: the last row that was
 * written is there only because the run ended with it. */
dal_status simulation_extend(dal_sim *s, bool time, const source *of, bool *spare);

/* loop.c */
dal_status loop_run(dal_sim *s, const dal_observer *o);
double     now_seconds(void); /* of a clock that only goes forward */

#endif
