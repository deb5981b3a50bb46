/* dalembert.h - structure-preserving simulation: a model in, a trajectory out.
 *
 *     dal_context *cx = dal_context_new(NULL);
 *     dal_options *o = dal_options_new(cx);
 *     dal_model   *m = NULL;
 *     dal_sim     *s = NULL;
 *     dal_options_set(o, "scheme", "gauss(2)"), dal_options_set(o, "step", "0.01");
 *     if (!dal_model_load(cx, "pendulum.dal", o, &m) && !dal_sim_new(m, o, &s))
 *         while (dal_time(s) < 10 && !dal_step(s)) plot(dal_q(s));
 *     dal_report(cx, stderr, 0);                 (silent when all went well)
 *     dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
 *
 * Failing: a call that can fail returns dal_status, 0 being success; the context says why.
 * Owning:  what arrives through an out pointer, or from a `new`, is yours to free (freeing NULL
 *          does nothing); what is returned otherwise is borrowed, and lives as long as what it
 *          belongs to.
 *          Free simulations before their model, and everything before its context.
 * Sharing: there are no globals. One context per thread; one model feeds many simulations: in
 *          another thread, make the options there, with that thread's context, and the
 *          simulation from them. */
#ifndef DALEMBERT_H
#define DALEMBERT_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DAL_API __attribute__((visibility("default")))
#else
#define DAL_API
#endif

#define DAL_VERSION_MAJOR 0
#define DAL_VERSION_MINOR 1
#define DAL_VERSION_PATCH 0

DAL_API const char *dal_version(void); /* of the library that runs, "0.1.0" */

/* How a call ended. ---------------------------------------------------------------------------- */

typedef enum {
    DAL_OK,          /* it went well                                               */
    DAL_SYNTAX,      /* the text is not of the language                            */
    DAL_INVALID,     /* the text is, but what it says cannot be run                */
    DAL_SINGULAR,    /* the equations of a step have no unique solution            */
    DAL_DIVERGED,    /* Newton's iteration failed, or a value was not finite       */
    DAL_BREAKDOWN,   /* the energy principle has no further step                   */
    DAL_IO,          /* a file could not be read or written                        */
    DAL_NOMEM,       /* out of memory                                              */
    DAL_INTERRUPTED  /* the observer asked to stop                                 */
} dal_status;

DAL_API const char *dal_status_text(dal_status status); /* "out of memory" */

typedef struct dal_context dal_context; /* messages, allocator                         */
typedef struct dal_options dal_options; /* how to run, by key                          */
typedef struct dal_model   dal_model;   /* what the physics is: immutable              */
typedef struct dal_sim     dal_sim;     /* where it has got to: state and workspace    */

/* Contexts. ------------------------------------------------------------------------------------ */

/* An allocator of your own: p == NULL allocates, size == 0 frees, else it resizes as realloc
 * does. */
typedef struct {
    void *(*resize)(void *self, void *p, size_t size);
    void *self;
} dal_allocator;

/* The allocator may be NULL: malloc. Returns NULL if there is no memory. */
DAL_API dal_context *dal_context_new(const dal_allocator *allocator);
DAL_API void         dal_context_free(dal_context *cx);

typedef enum { DAL_ERROR, DAL_WARNING, DAL_NOTE } dal_severity;

typedef struct {
    dal_severity severity;
    const char  *file;         /* NULL: it speaks of no text                    */
    int          line, column; /* from 1, in characters                         */
    const char  *text;         /* one line: what is wrong                       */
    const char  *hint;         /* what would be right, or NULL                  */
} dal_message;

/* Messages gather until they are cleared. dal_report prints them all, each with its line of the
 * text and a caret under the place; colour is 0 or 1. */
DAL_API size_t      dal_message_count(const dal_context *cx);
DAL_API dal_message dal_message_at(const dal_context *cx, size_t index);
DAL_API void        dal_report(dal_context *cx, FILE *out, int colour);
DAL_API void        dal_messages_clear(dal_context *cx);

/* Options. ------------------------------------------------------------------------------------- */

/* Every option is a row: the settings of a model's `simulate` block, which they override, and what
 * concerns a run only. The program's flags and help are these rows: key "scheme" is `--scheme`. */
enum { DAL_OPTION_REPEATS = 1, DAL_OPTION_SWITCH = 2 };
typedef struct {
    const char *key;
    const char *argument; /* "H", "NAME=VALUE"; NULL for a switch                  */
    const char *choices;  /* "midpoint|left|right", or NULL: anything              */
    const char *help;     /* one line                                              */
    unsigned    flags;
} dal_option;
DAL_API const dal_option *dal_option_rows(size_t *count);

/* A text is checked when it is set, as far as that needs no model. An option set again is replaced;
 * one that repeats ("set", "start", "input") is added. A switch takes "yes" or "no"; NULL means
 * "yes". */
DAL_API dal_options *dal_options_new(dal_context *cx); /* NULL: out of memory */
DAL_API dal_status   dal_options_set(dal_options *o, const char *key, const char *text);
DAL_API const char  *dal_options_get(const dal_options *o, const char *key); /* NULL: not set */
/* Of one that repeats, all texts: the index-th, NULL behind the last. */
DAL_API const char  *dal_options_at(const dal_options *o, const char *key, size_t index);
DAL_API void         dal_options_free(dal_options *o);

/* Methods, with what each claims of itself; the tests hold every claim to account. ------------- */

enum { DAL_SYMMETRIC = 1, DAL_SYMPLECTIC = 2 };
typedef struct {
    const char *name;    /* "lobatto(s)"                           */
    const char *example; /* "lobatto(3)"                           */
    const char *order;   /* "2s-2"                                 */
    const char *curve;   /* "polynomial(s-1)"                      */
    const char *title;   /* one line                               */
    const char *cite;
    unsigned    claims;
    const char *points;      /* of the quadrature: "s"                */
    const char *solves;      /* "implicit", "explicit if separable"   */
    const char *needs;       /* of the system, for the claims to hold */
    int         least, most; /* range of s; 0, 0 if it takes none     */
} dal_method;
DAL_API size_t     dal_method_count(void);
DAL_API dal_method dal_method_at(size_t index);

/* Compositions of symmetric schemes: compose(SCHEME, NAME(k)). */
typedef struct {
    const char *name;  /* "yoshida"                                    */
    int         order; /* k; 0: any even one                           */
    int         steps; /* of midpoint; 0: it depends on k              */
    const char *title, *cite;
} dal_composition;
DAL_API size_t          dal_composition_count(void);
DAL_API dal_composition dal_composition_at(size_t index);

/* Principles: which equations a step solves. */
typedef struct {
    const char *name, *title;
} dal_principle;
DAL_API const dal_principle *dal_principles(size_t *count);

/* Models. -------------------------------------------------------------------------------------- */

/* From a file, or from a text that messages will call `name`. Options may be NULL; of them matter
 * here "system" (which one; else the last) and "set" where it sets a size. */
DAL_API dal_status dal_model_load(dal_context *cx, const char *path, const dal_options *o,
                                  dal_model **out);
DAL_API dal_status dal_model_parse(dal_context *cx, const char *name, const char *text,
                                   const dal_options *o, dal_model **out);
DAL_API void       dal_model_free(dal_model *m);

typedef enum {
    DAL_PARAMETERS,
    DAL_COORDINATES,
    DAL_INPUTS,
    DAL_OUTPUTS,
    DAL_SYMMETRIES,
    DAL_RELATIONS
} dal_kind;

DAL_API const char *dal_model_system(const dal_model *m); /* the name of the system that runs */
DAL_API const char *dal_model_file(const dal_model *m);   /* as it was named; NULL: no text     */
DAL_API const char *dal_model_text(const dal_model *m);   /* what the file held                 */
DAL_API size_t      dal_model_count(const dal_model *m, dal_kind kind);
/* Writes the name ("cell[3].i") as snprintf would, and returns its length. */
DAL_API size_t      dal_model_name(const dal_model *m, dal_kind kind, size_t index, char *out,
                                   size_t room);

/* Says what the system is, and what it allows, before anything is run. */
DAL_API dal_status dal_check(const dal_model *m, const dal_options *o, FILE *out);

/* Prints what was derived. The rows of dal_views say what there is: "model", "equations", ... */
typedef struct {
    const char *name, *help;
    int         usual; /* 1: shown when nothing special is asked for */
} dal_view;
DAL_API const dal_view *dal_views(size_t *count);
DAL_API dal_status dal_show(const dal_model *m, const dal_options *o, const char *view, FILE *out);

/* Models of your own: functions in C instead of a text. ---------------------------------------- */

/* What an evaluation is asked for, and where it puts it. All that is wanted must be written.
 * Matrices are full, by rows; velocity constraints e = A(t,q) v + b(t,q) = 0 come first, then the
 * holonomic g(t,q) = 0 as d g/dt = 0. */
enum {
    DAL_WANT_L = 1,
    DAL_WANT_GRADIENT = 2,             /* Lq, Lv                                           */
    DAL_WANT_HESSIAN = 4,              /* Lqq, Lqv, Lvv: n x n                             */
    DAL_WANT_FORCE = 8,                /* f                                                */
    DAL_WANT_FORCE_JACOBIAN = 16,      /* fq, fv: row i is the gradient of f_i             */
    DAL_WANT_TIME = 32,                /* Lt, Ltt, Lqt, Lvt, ft; not asked for if autonomous */
    DAL_WANT_RELATIONS = 64,           /* e, A                                             */
    DAL_WANT_HOLONOMIC = 128,          /* g                                                */
    DAL_WANT_RELATIONS_JACOBIAN = 256  /* eq = d e/d q, et, curvature_ij = sum lam_a dA_ai/dq_j */
};
typedef struct {
    double  L, Lt, Ltt;
    double *Lq, *Lv, *f, *Lqt, *Lvt, *ft;
    double *Lqq, *Lqv, *Lvv, *fq, *fv, *curvature;
    double *e, *et, *A, *eq, *g;
} dal_evaluation;

/* for `zero` and `constant` below */
enum { DAL_LQQ = 1, DAL_LQV = 2, DAL_LVV = 4, DAL_FQ = 8, DAL_FV = 16, DAL_F = 32 };
typedef struct {
    size_t             size;         /* sizeof(dal_callbacks), so that this struct can grow  */
    const char        *name;
    int                coordinates, constraints, holonomic;
    const char *const *coordinate;   /* their names; NULL: q1, q2, ...                       */
    const double      *q, *v;        /* the start; NULL: 0                                   */
    int                autonomous;   /* nothing depends on t                                 */
    unsigned           zero;         /* what is so: it saves work, and 0 is always right;    */
    unsigned           constant;     /* with DAL_F in `zero` no forces are asked for         */
    void              *self;
    int (*eval)(void *self, unsigned want, double t, const double *q, const double *v,
                const double *lam, dal_evaluation *out); /* not 0: it has no value there      */
} dal_callbacks;

/* The struct, its names and its start are copied; `self` is yours. */
DAL_API dal_status dal_model_from_callbacks(dal_context *cx, const dal_callbacks *callbacks,
                                            dal_model **out);

/* Simulations. dal_sim_new allocates everything; stepping allocates nothing. ------------------- */

DAL_API dal_status dal_sim_new(const dal_model *m, const dal_options *o, dal_sim **out);
DAL_API void       dal_sim_free(dal_sim *s);

DAL_API dal_status dal_step(dal_sim *s); /* (q_k, p_k) -> (q_k+1, p_k+1); or the state stays */
DAL_API double     dal_time(const dal_sim *s);
DAL_API long       dal_steps(const dal_sim *s);     /* taken so far                           */
DAL_API long       dal_steps_planned(const dal_sim *s); /* until the end; -1: no end was given    */

/* The state; valid until the next step. */
DAL_API const double *dal_q(const dal_sim *s);
DAL_API const double *dal_p(const dal_sim *s);
DAL_API const double *dal_v(const dal_sim *s);
DAL_API size_t        dal_size(const dal_sim *s); /* of each of them */

/* Values of the model's parameters, in the order of their names (DAL_PARAMETERS). */
DAL_API const double *dal_parameters(const dal_sim *s);

/* Inputs, held over the steps that follow. */
DAL_API dal_status dal_set_input(dal_sim *s, const char *name, double value);

/* Any quantity by its name: "x", "p(x)", "energy", an output, a symmetry, a named relation. */
DAL_API dal_status dal_measure(dal_sim *s, const char *name, double *out);

/* Rows of results. `columns` chooses; left out, it is everything. */
typedef enum {
    DAL_COLUMN_TIME,
    DAL_COLUMN_COORDINATE,
    DAL_COLUMN_MOMENTUM,
    DAL_COLUMN_OUTPUT,
    DAL_COLUMN_ENERGY,
    DAL_COLUMN_SYMMETRY,
    DAL_COLUMN_MULTIPLIER,
    DAL_COLUMN_STEP,           /* with principle = energy: h, */
    DAL_COLUMN_DISCRETE_ENERGY /* and the energy of a chord   */
} dal_column_kind;
typedef struct {
    dal_column_kind kind;
    const char     *name; /* as in the header of the file: "p(x)" */
    const char     *of;   /* the quantity itself: "x"             */
    const char     *unit; /* what the text calls its unit, or ""  */
} dal_column;
DAL_API const dal_column *dal_columns(const dal_sim *s, size_t *count);
DAL_API void              dal_row(dal_sim *s, double *out); /* the columns at the present state */

/* The same as comma-separated text; numbers read back to the same bits. DAL_IO if the writing
 * failed. */
DAL_API dal_status dal_csv_header(dal_sim *s, FILE *out);
DAL_API dal_status dal_csv_row(dal_sim *s, FILE *out);

/* Runs. ---------------------------------------------------------------------------------------- */

/* Told of what happens; either may be NULL. What it returns, if not DAL_OK, ends the run. */
typedef struct {
    dal_status (*row)(void *self, dal_sim *s);  /* at every recorded state: first, last, each nth */
    dal_status (*step)(void *self, dal_sim *s); /* after every step: progress, an interrupt       */
    void *self;
} dal_observer;

/* From the present state to the end. It may be called again after an observer ended it, and goes
 * on there. */
DAL_API dal_status dal_run(dal_sim *s, const dal_observer *observer);

typedef struct {
    double first, last, min, max;
} dal_range;

typedef struct {
    const char *name; /* of a declared symmetry, or p(x) of a cyclic coordinate */
    double      first, max_drift;
} dal_momentum;

/* What is known of a run so far. Quantities are taken at the recorded states and at about 1000 more
 * ("monitor"). Residuals are the largest that were seen. */
typedef struct {
    const char         *model, *file, *principle, *scheme;
    int                 order;
    double              from, step, t;
    long                steps;
    dal_range           energy;
    size_t              momenta;
    const dal_momentum *momentum;
    size_t              constraints; /* how many; their residual is 0 without any */
    double              constraint_residual;
    double              dirac_residual;
    double              momentum_defect;
    double              work;        /* of the forces, over all steps */
    double              power_error; /* of the discrete power balance; NaN: there is none */
    dal_status          status;
    const char         *error;       /* NULL: none */
    long                newton_iterations, newton_failures;
    int                 newton_max_iterations;
    double              setup_seconds; /* reading, deriving, allocating */
    double              run_seconds, record_seconds; /* in all, and of it in the observer's rows */
    const char         *backend, *solver;
    int                 is_explicit, is_linear; /* a step solves nothing; factors once */

    /* principle = energy: lengths of all steps; energy of the chords, and the largest error of its balance
     * E_k - E_0 = sum (f.v - dL/dt); 2-norm condition of the steps, 0 if it was not measured */
    int       is_adaptive;
    dal_range length, condition;
    double    discrete_energy, balance_error;
    int       is_held; /* 1: it broke down at this time, and went on with a fixed step */
    double    held_from;
    long      resets; /* how often it broke down and made one such step, and when first */
    double    reset_first;
} dal_summary;
DAL_API const dal_summary *dal_summarise(dal_sim *s);

/* Who stores energy, who spends it and who passes it on, over the steps taken so far ("ledger" must be set when the
 * simulation is made, else NULL). Of every part with all below it, the whole first:
 *     last - first = work + received,  up to the order of the scheme, and up to terms of L that are written outside
 *     the part or hold time.
 * Through a connection (a relation written with `connect`) go the works into its sides; they add up to `net`, 0 unless
 * it moves by itself. */
typedef struct {
    const char *part;        /* "motor", "cell[3].coil"; the whole by its system   */
    double      first, last; /* energy                                             */
    double      work;        /* of the forces written in it                        */
    double      received;    /* through relations with what is outside             */
} dal_account;
typedef struct {
    const char *part;
    double      work;        /* into it */
} dal_side;
typedef struct {
    const char     *name;
    size_t          sides;
    const dal_side *side;
    double          net;
} dal_passage;
typedef struct {
    size_t             accounts, passages;
    const dal_account *account;
    const dal_passage *passage;
} dal_ledger;
DAL_API const dal_ledger *dal_ledger_of(dal_sim *s);

/* Checkpoints. --------------------------------------------------------------------------------- */

/* All that decides the bits of the steps to come, with the texts and the options that a simulation
 * was made of: it goes on from there as if it had never stopped. It may be taken between any two
 * steps, also by an observer. The file is replaced in one instant: whenever the program ends,
 * there is the old checkpoint or the new one. The bytes in memory are valid until the next save. */
DAL_API dal_status dal_sim_save(dal_sim *s, const char *path);
DAL_API dal_status dal_sim_save_to_memory(dal_sim *s, const void **bytes, size_t *length);

/* A word of the caller's own that stands in every checkpoint from now on. */
DAL_API dal_status  dal_sim_note(dal_sim *s, const char *key, const char *text);
DAL_API const char *dal_sim_note_of(const dal_sim *s, const char *key); /* NULL: there is none */

/* One that is truncated, damaged, or of something else is refused with DAL_IO and the reason. */
typedef struct dal_checkpoint dal_checkpoint;
DAL_API dal_status dal_checkpoint_load(dal_context *cx, const char *path, dal_checkpoint **out);
DAL_API dal_status dal_checkpoint_parse(dal_context *cx, const void *bytes, size_t length,
                                        dal_checkpoint **out);
DAL_API void       dal_checkpoint_free(dal_checkpoint *c);

/* The model and the simulation as they were; no other file is needed. Warns of files of the model
 * that have changed since, and goes on with what they were. */
DAL_API dal_status dal_checkpoint_resume(const dal_checkpoint *c, dal_model **m, dal_sim **s);

/* Only the state, into a simulation that was made in the same way: with functions of your own for
 * a model, or to go back to it again. */
DAL_API dal_status dal_sim_restore(dal_sim *s, const dal_checkpoint *c);

/* Convergence. --------------------------------------------------------------------------------- */

/* Errors over steps, for schemes "lobatto(2..5), midpoint" (NULL: that of the options or the model) and numbers of steps
 * "8..256" (doubled from 8 on) or "10, 20, 50". Every run covers the whole time, from "from" until "until". An error is
 * the largest at the times that all runs share, against a reference of higher order and finer step. How far that one
 * can be trusted (`doubt`) is how far a second reference, of another order and step, parts from it. */
enum { DAL_OF_Q, DAL_OF_P, DAL_OF_ENERGY, DAL_QUANTITIES };

typedef struct {
    long        steps;
    double      step;
    double      error[DAL_QUANTITIES];
    double      order[DAL_QUANTITIES];    /* against the row before; NaN where one of them tells nothing */
    int         roundoff[DAL_QUANTITIES]; /* 1: the error is not above what the reference is sure of    */
    const char *failure;                  /* why it could not be run; NULL: it was                      */
} dal_convergence_row;

typedef struct {
    const char                *name, *title;
    int                        claimed;
    double                     observed[DAL_QUANTITIES]; /* from the finest rows above roundoff; NaN: too few */
    int                        missed; /* 1: an observed order is more than 0.3 below the claimed one */
    size_t                     rows;
    const dal_convergence_row *row;
} dal_convergence_scheme;

typedef struct {
    const char                   *model, *file;
    double                        from, until;
    long                          times; /* at which errors are taken */
    const char                   *reference, *second;
    long                          reference_steps, second_steps;
    double                        doubt[DAL_QUANTITIES];
    size_t                        schemes;
    const dal_convergence_scheme *scheme;
} dal_convergence;

DAL_API dal_status dal_converge(const dal_model *m, const dal_options *o, const char *schemes, const char *steps,
                                dal_convergence **out);
DAL_API void       dal_convergence_free(dal_convergence *c);

/* Equivalence: the potential V, a let or an expression of t, parameters and coordinates, is moved between L and the
 * forces. L + alpha V with f - alpha dV/dq is the same physics for every alpha; a scheme that takes L and f at the same
 * points gives the same motion. Prints how far the motions part for alpha = 0, 0.1, ..., 1. */
DAL_API dal_status dal_check_equivalence(const dal_model *m, const dal_options *o, const char *potential, FILE *out);

/* Variational order: on the chord of the exact motion from the start, the discrete Lagrangian, the discrete forces on both
 * ends and the momenta that they make are compared with the exact ones, for a few steps. A scheme of order r has an error
 * O(h^(r+1)) in the first, and O(h^r) in what pairs with a variation of an end; observed is r, from each. `doubled` is how far
 * the equations of the doubled system, in which forces are part of a Lagrangian, are from the forced ones where both copies
 * agree, relative to their size; NaN: the curve has no control points. For at most two coordinates without relations. */
enum {
    DAL_OF_LAGRANGIAN,
    DAL_OF_FORCE_AT_START,
    DAL_OF_FORCE_AT_END,
    DAL_OF_MOMENTA,
    DAL_VARIATIONAL
};

typedef struct {
    double step;
    double error[DAL_VARIATIONAL];
    double order[DAL_VARIATIONAL];    /* against the row before; NaN where one of them tells nothing */
    int    roundoff[DAL_VARIATIONAL]; /* 1: the error is roundoff                                    */
} dal_variational_row;

typedef struct {
    const char                *model, *file, *scheme;
    int                        claimed;
    size_t                     rows;
    const dal_variational_row *row;
    double                     observed[DAL_VARIATIONAL]; /* from the finest rows above roundoff */
    double                     doubled;
} dal_variational;

DAL_API dal_status dal_variational_order(const dal_model *m, const dal_options *o, dal_variational **out);
DAL_API void       dal_variational_free(dal_variational *v);

#ifdef __cplusplus
}
#endif
#endif
