/* dalembert.h - structure-preserving simulation: a model in, a trajectory out.
 *
 *     #include <dalembert.h>
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
 * Build with `cc program.c $(pkg-config --cflags --libs dalembert)`, or in CMake with
 * find_package(dalembert) and target_link_libraries(program dalembert::dalembert).
 *
 * Errors:    a call that can fail returns a dal_status, 0 on success; the context holds the message
 *            (dal_report, dal_message_at). After a failure everything is as it was before the call:
 *            a failed step leaves the state unchanged, a failed constructor sets *out to NULL. For
 *            functions that return a pointer or a number, the failure value is stated below. NULL
 *            for an object or a required argument gives DAL_INVALID; functions without a status
 *            then return NULL, 0 or NaN.
 * Ownership: you free what you receive through an out pointer or from a `new` (freeing NULL does
 *            nothing). Other returned pointers are borrowed and live as long as the object they
 *            belong to. Arguments are copied where they are needed after the call, except `self`
 *            pointers, which must outlive the object made with them. Free simulations before their
 *            model, and everything before its context.
 * Threads:   there are no globals, and nothing is printed or written unless you ask for it. Use one
 *            context per thread. A model is immutable and may be shared by many threads: each makes
 *            its own context, options from that context, and simulations from the model with those
 *            options. Use everything else from one thread at a time.
 * Numbers:   units are those of the model. Numbers in texts are written as in C, whatever the
 *            locale: "1e-3". Calls compute with rounding to nearest, whatever the caller's mode,
 *            and restore that mode. Do not trap floating-point exceptions around them: compiled
 *            steps raise some.
 *
 * Sections: status codes, contexts, options, models, simulations and their tangents, results,
 * pictures and plots, runs, checkpoints, ranks, ensembles, methods and their claims, measured orders, models
 * made of functions, retractions and Dirac structures. */
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

/* Versions are semantic: within a major version (before 1.0: a minor one) programs continue to
 * compile and link. Trajectories have a version of their own, which increases whenever a release
 * changes a bit of any of them; the changelog says under "Numerics" which and why. */
#define DAL_VERSION_MAJOR 0
#define DAL_VERSION_MINOR 2
#define DAL_VERSION_PATCH 0
#define DAL_TRAJECTORY_VERSION 2

DAL_API const char *dal_version(void);            /* of the loaded library, "0.2.0"     */
DAL_API int         dal_trajectory_version(void); /* of the loaded library              */

/* Ends the compilers that run for this process, at once, with their children. For a signal handler
 * that ends the process: a group of their own keeps them from a terminal's interrupt. */
DAL_API void dal_stop_compilers(void);

/* Status codes. -------------------------------------------------------------------------------- */

typedef enum {
    DAL_OK,          /* success                                                    */
    DAL_SYNTAX,      /* the text is not a valid model                              */
    DAL_INVALID,     /* the model cannot be run as written; or an invalid option or
                        argument: a name that does not exist, sizes that do not match */
    DAL_SINGULAR,    /* the equations of a step have no unique solution            */
    DAL_DIVERGED,    /* Newton's iteration failed, or a value was not finite       */
    DAL_BREAKDOWN,   /* the energy principle has no further step                   */
    DAL_IO,          /* a file could not be read or written                        */
    DAL_NOMEM,       /* out of memory                                              */
    DAL_INTERRUPTED  /* the observer asked to stop                                 */
} dal_status;

DAL_API const char *dal_status_text(dal_status status); /* "out of memory"; never NULL */

typedef struct dal_context dal_context; /* messages, allocator                         */
typedef struct dal_options dal_options; /* how to run, by key                          */
typedef struct dal_model   dal_model;   /* what the physics is: immutable              */
typedef struct dal_sim     dal_sim;     /* where it has got to: state and workspace    */

/* Contexts. ------------------------------------------------------------------------------------ */

/* An allocator of your own: p == NULL allocates, size == 0 frees, else it resizes as realloc
 * does. It returns NULL if it cannot, and the call in progress then ends with DAL_NOMEM. All memory
 * of the library comes through it, except that of KLU, which sparse systems may use. It is called
 * from the threads that use the context or a model of it. */
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
    const char  *file;         /* NULL: the message has no place in a text      */
    int          line, column; /* from 1, in characters                         */
    const char  *text;         /* one line: what is wrong                       */
    const char  *hint;         /* what to do instead, or NULL                   */
} dal_message;

/* Messages accumulate until they are cleared, and outlive the objects they are about; repeated ones
 * are kept once. dal_report prints them all, each with its line of text and a caret; colour is 0 or
 * 1. dal_message_at takes an index < dal_message_count and returns an empty message beyond the
 * last; its texts live until the messages are cleared. */
DAL_API size_t      dal_message_count(const dal_context *cx);
DAL_API dal_message dal_message_at(const dal_context *cx, size_t index);
DAL_API void        dal_report(dal_context *cx, FILE *out, int colour);
DAL_API void        dal_messages_clear(dal_context *cx);

/* Options. ------------------------------------------------------------------------------------- */

/* Options override the settings of a model's `simulate` block, and add some that concern only a
 * run. The program's flags and help come from the same table: key "scheme" is `--scheme`.
 * dal_option_rows lists them all. */
enum { DAL_OPTION_REPEATS = 1, DAL_OPTION_SWITCH = 2 };
typedef struct {
    const char *key;
    const char *argument; /* "H", "NAME=VALUE"; NULL for a switch                  */
    const char *choices;  /* "midpoint|left|right", or NULL: anything              */
    const char *help;     /* one line                                              */
    unsigned    flags;
} dal_option;
DAL_API const dal_option *dal_option_rows(size_t *count);

/* A value is checked when it is set, as far as possible without a model: DAL_INVALID for an unknown
 * key or choice. Setting an option again replaces it; those that repeat ("set", "start", "input")
 * accumulate. A switch takes "yes" or "no"; NULL means "yes". Options are read when a model or a
 * simulation is made, and may be changed or freed afterwards. */
DAL_API dal_options *dal_options_new(dal_context *cx); /* NULL: out of memory */
DAL_API dal_status   dal_options_set(dal_options *o, const char *key, const char *text);
DAL_API const char  *dal_options_get(const dal_options *o, const char *key); /* NULL: not set */
/* The index-th value of an option that repeats; NULL beyond the last. */
DAL_API const char  *dal_options_at(const dal_options *o, const char *key, size_t index);
DAL_API void         dal_options_free(dal_options *o);

/* Models. -------------------------------------------------------------------------------------- */

/* Loads a file, or parses a text that messages will call `name` (NULL: "text"). Options may be
 * NULL; those that matter here are "system" (default: the last one) and "set" where it sets a size.
 * All errors in the text are reported, not only the first. Models can also be made of C functions:
 * dal_model_from_callbacks, further below. */
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
DAL_API const char *dal_model_file(const dal_model *m);   /* the path as given; NULL: no text   */
DAL_API const char *dal_model_text(const dal_model *m);   /* the text of the file               */
DAL_API size_t      dal_model_count(const dal_model *m, dal_kind kind);
/* Writes the name ("cell[3].i") like snprintf and returns its length; 0: no such index, or out of
 * memory. */
DAL_API size_t      dal_model_name(const dal_model *m, dal_kind kind, size_t index, char *out,
                                   size_t room);
/* The index of a name among its kind; -1: there is none. */
DAL_API long        dal_model_find(const dal_model *m, dal_kind kind, const char *name);
/* The string behind its name in the model ("m", "rad"); "" if there is none or no such index. It
 * lives as long as the model. */
DAL_API const char *dal_model_unit(const dal_model *m, dal_kind kind, size_t index);

/* Prints an analysis of the system, without running it: what `dalembert check` prints. */
DAL_API dal_status dal_check(const dal_model *m, const dal_options *o, FILE *out);

/* The same analysis as named values: "coordinates" 2, "linear" 0 or 1, "cyclic_coordinates" their
 * names (docs/cli.md lists them all; later versions may add more). Problems with the model or its
 * start are explained by dal_check; here they are only a status. */
typedef enum { DAL_FACT_NUMBER, DAL_FACT_TRUTH, DAL_FACT_NAMES } dal_fact_kind;
typedef struct {
    const char        *name;
    dal_fact_kind      kind;
    double             number; /* NaN: not known; a truth is 0 or 1; for names their count */
    size_t             names;
    const char *const *text;
} dal_fact;
typedef struct {
    size_t          count;
    const dal_fact *fact;
} dal_facts;
DAL_API dal_status dal_analyse(const dal_model *m, const dal_options *o, dal_facts **out);
DAL_API void       dal_facts_free(dal_facts *f);

/* Prints what was derived from the model; dal_views lists the views: "model", "equations", ...
 * "discrete latex" is "discrete" in LaTeX. */
typedef struct {
    const char *name, *help;
    int         usual; /* 1: shown by default */
} dal_view;
DAL_API const dal_view *dal_views(size_t *count);
DAL_API dal_status dal_show(const dal_model *m, const dal_options *o, const char *view, FILE *out);

/* Simulations. --------------------------------------------------------------------------------- */

/* dal_sim_new allocates everything; stepping allocates nothing (except in KLU, when it chooses new
 * pivots for a large sparse system). The options may be NULL if the model says everything needed;
 * messages go to the context of the options, or to that of the model without options. The model
 * must outlive the simulation. */
DAL_API dal_status dal_sim_new(const dal_model *m, const dal_options *o, dal_sim **out);
DAL_API void       dal_sim_free(dal_sim *s);

DAL_API dal_status dal_step(dal_sim *s); /* (q_k, p_k) -> (q_k+1, p_k+1); on failure unchanged */
/* Takes `count` steps, as one call of the compiled code where there is one; nothing is recorded or
 * monitored. A failing step ends it and leaves the state where that step began. */
DAL_API dal_status dal_advance(dal_sim *s, long count);
DAL_API double     dal_time(const dal_sim *s);
DAL_API long       dal_steps(const dal_sim *s);     /* taken so far                           */
DAL_API long       dal_steps_planned(const dal_sim *s); /* in the whole run; -1: no end was given */

/* Reading the state; the pointers are valid until the next step. Coordinates are in the order of
 * DAL_COORDINATES. p is the momentum dL/dv, with constraints projected so that they hold; v is NaN
 * where the state does not determine it. A rotation or direction has three rows: 0 in q, its spin
 * and its momentum in body axes in v and p; dal_measure reads "R.w", "n[1]" and "p(R)[1]". */
DAL_API const double *dal_q(const dal_sim *s);
DAL_API const double *dal_p(const dal_sim *s);
DAL_API const double *dal_v(const dal_sim *s);
DAL_API size_t        dal_size(const dal_sim *s); /* of each of them */

/* Setting the state, by positions and either velocities or momenta (the other one NULL). It is
 * checked and completed like the start of a model: numbers must be finite and constraints must
 * hold, unless "project-start" was set when the simulation was made; otherwise DAL_INVALID. The
 * step count and the summary start over; "until" keeps its time, "steps" its number. Setting a
 * state read with dal_q and dal_p continues the same motion up to roundoff: the low-order parts of
 * compensated summation are lost. */
DAL_API dal_status dal_set_state(dal_sim *s, double t, const double *q, const double *v,
                                 const double *p);

/* Inputs keep their value until they are set again, so that a controller can sit in the loop: read
 * the state, set the input, step. dal_inputs returns all of them, in the order of DAL_INPUTS, and
 * may be written to at any time; entries of inputs that follow a file or are bound by an outer
 * system are ignored. dal_set_input sets one by name; DAL_INVALID: there is no such input, an outer
 * system binds it, or it stands in a holonomic relation, since positions cannot jump. */
DAL_API double    *dal_inputs(dal_sim *s, size_t *count);
DAL_API dal_status dal_set_input(dal_sim *s, const char *name, double value);

/* Changing parameters between steps. Only the named parameter changes: others that the model
 * computes from it keep their values (unlike with the option "set"). DAL_INVALID: there is no such
 * parameter, sizes depend on it, a holonomic constraint would not hold at the present state, or
 * directions would lose or gain inertia (m = 0). The state (q, p) is unchanged. */
DAL_API const double *dal_parameters(const dal_sim *s); /* in the order of DAL_PARAMETERS */
DAL_API dal_status    dal_parameter(const dal_sim *s, const char *name, double *out);
DAL_API dal_status    dal_set_parameter(dal_sim *s, const char *name, double value);

/* The tangent of a step: the exact derivative of its end with respect to its start, parameters,
 * inputs, time and length, for the step that dal_step would take next; the state does not change.
 * For linearisation, control, sensitivities, Lyapunov exponents. NULL members count as 0;
 * `parameter` has an entry for each of DAL_PARAMETERS, all independent (for k2 = 2*k1 give both
 * entries), `input` for each of DAL_INPUTS. Directions of q must satisfy the constraints to first
 * order; momenta are the projected ones.
 *     out: `count` rows of 2n, the change of q_k+1, then of p_k+1, along each direction
 *     matrix: 2n rows of 2n, d(q, p)_k+1 / d(q, p)_k
 * Rotations move by R exp(eta): their rows are eta and the change of p, both in body axes; rows of
 * a direction n are the changes of n and of p(n), in space axes.
 * With principle = energy the state is (q, p, t, E), and rows and columns have 2n + 2 numbers in
 * this order; h matters only for steps of given length, such as the first, and E only for the
 * others. */
typedef struct {
    const double *q, *p; /* n each */
    double        t, h;
    const double *parameter, *input;
    double        E;
} dal_direction;
DAL_API size_t     dal_tangent_size(const dal_sim *s); /* 2n, or 2n + 2 */
DAL_API dal_status dal_tangent(dal_sim *s, size_t count, const dal_direction *along, double *out);
DAL_API dal_status dal_tangent_matrix(dal_sim *s, double *matrix);

/* Results. ------------------------------------------------------------------------------------- */

/* Any quantity by name: "x", "p(x)", "energy", an output, a symmetry, a named constraint (its
 * multiplier). DAL_INVALID: there is none of this name. */
DAL_API dal_status dal_measure(dal_sim *s, const char *name, double *out);

/* Pictures: the `draw` statements of a model, figure by figure, all in a plane or all in space.
 * `words` is the string of a text, the colour of any other figure, or NULL. A place has two numbers
 * in a plane, three in space. A point, a text and a trail (the path of a point) have one place, a
 * spring and an arrow two (from, to), a line one for each of its corners; a circle has a radius
 * behind its place. In space, a sphere has its centre and its radius, a box its centre and its three
 * edges, a cylinder the centres of its ends and its radius; or, if it was drawn with a rotation, the
 * nine numbers of that, row by row, behind its centre: a sphere then 13 numbers, a box 15, and a
 * cylinder (about its third axis) 14, of which the last two are radius and length. */
typedef enum {
    DAL_FIGURE_POINT,
    DAL_FIGURE_LINE,
    DAL_FIGURE_CIRCLE,
    DAL_FIGURE_SPRING,
    DAL_FIGURE_TEXT,
    DAL_FIGURE_SPHERE,
    DAL_FIGURE_BOX,
    DAL_FIGURE_CYLINDER,
    DAL_FIGURE_ARROW,
    DAL_FIGURE_TRAIL
} dal_figure;
typedef struct {
    dal_figure  figure;
    const char *words;
    size_t      first, count; /* of its numbers among all that dal_draw writes */
} dal_drawing;
DAL_API const dal_drawing *dal_drawings(const dal_model *m, size_t *count);
DAL_API size_t             dal_drawn(const dal_model *m); /* how many numbers there are in all */
DAL_API int                dal_drawn_dimensions(const dal_model *m); /* 2, 3; 0: nothing is drawn */
DAL_API const char        *dal_figure_name(dal_figure figure); /* "circle" */

/* At any time and position; t and q need not be the present ones. With rotations or directions in
 * the model, q must be what dal_q returned: it has more numbers than dal_size then. */
DAL_API void dal_draw(dal_sim *s, double t, const double *q, double *out);

/* The same of a recorded row, with its numbers in the order of dal_columns. DAL_INVALID: a
 * coordinate is not among the columns. */
DAL_API dal_status dal_draw_row(dal_sim *s, const double *row, double *out);

/* Rows of results. The option "columns" selects; the default is everything, of the inputs those
 * that follow a file. */
typedef enum {
    DAL_COLUMN_TIME,
    DAL_COLUMN_COORDINATE,
    DAL_COLUMN_MOMENTUM,
    DAL_COLUMN_OUTPUT,
    DAL_COLUMN_ENERGY,
    DAL_COLUMN_SYMMETRY,
    DAL_COLUMN_MULTIPLIER,
    DAL_COLUMN_STEP,            /* with principle = energy: h, */
    DAL_COLUMN_DISCRETE_ENERGY, /* and the energy of a chord   */
    DAL_COLUMN_INPUT            /* at the time of the row      */
} dal_column_kind;
typedef struct {
    dal_column_kind kind;
    const char     *name; /* as in the header of the file: "p(x)" */
    const char     *of;   /* the quantity itself: "x"             */
    const char     *unit; /* as given in the model, or ""         */
} dal_column;
DAL_API const dal_column *dal_columns(const dal_sim *s, size_t *count);
DAL_API void              dal_row(dal_sim *s, double *out); /* the columns at the present state */

/* The same as comma-separated text; numbers read back to the same bits. DAL_IO: writing failed. */
DAL_API dal_status dal_csv_header(dal_sim *s, FILE *out);
DAL_API dal_status dal_csv_row(dal_sim *s, FILE *out);

/* Of what happens at an instant of a run, see dal_events. */
typedef struct {
    double      t;
    const char *name;    /* "floor", "first.wall", "when (clock.dal:5)" */
    const char *what;    /* "hits", "closes", "opens", "fires"; a closed contact "sticks", "slips" */
    double      impulse; /* of an impact, or of what a row that closes has stopped */
    double      energy;  /* by how much it has changed                  */
} dal_event;

/* Plots: curves in panels above each other, drawn as SVG or with characters. A point that is not
 * finite breaks the line, as does one without a logarithm on a logarithmic axis; long curves are
 * thinned so that no extreme is lost. Texts are UTF-8 and shown as they are: nothing in them is
 * markup. Successive panels with the same xlabel share one axis. */
enum {
    DAL_CURVE_POINTS = 1, /* marks at its points                                            */
    DAL_CURVE_OPEN = 2,   /* they are open                                                  */
    DAL_CURVE_BARE = 4,   /* no line joins them                                             */
    DAL_CURVE_AREA = 8    /* a polygon, filled, its label beside it: a triangle for a slope */
};
typedef struct {
    const double *x, *y;
    size_t        points;
    const char   *label;  /* in the legend; NULL: not there                                  */
    unsigned      flags;  /* DAL_CURVE_...                                                   */
    int           colour; /* 0, 1, ...: one that can be told from the others; -1: grey       */
} dal_curve;

enum {
    DAL_PANEL_LOG_X = 1, /* logarithmic axes                           */
    DAL_PANEL_LOG_Y = 2,
    DAL_PANEL_EQUAL = 4,  /* one unit is as long on both axes           */
    DAL_PANEL_LOW = 8,    /* about half as high as others: for errors   */
    DAL_PANEL_EVENTS = 16 /* x is time: events are marked at the axis   */
};
typedef struct {
    const dal_curve *curve;
    size_t           curves;
    const char      *xlabel, *ylabel; /* or NULL       */
    unsigned         flags;           /* DAL_PANEL_... */
} dal_panel;

typedef struct {
    size_t           size; /* sizeof(dal_plot) */
    const dal_panel *panel;
    size_t           panels;
    const char      *title;         /* or NULL                                   */
    double           width, height; /* in pixels or characters; 0: what it needs */
    const dal_event
          *event; /* in order of time; near ones share a mark, whose words name the first */
    size_t events;
} dal_plot;

/* Formats: "svg"; "text", with the dots of Braille; "ansi", the same in the colours of a terminal;
 * "ascii"; "gnuplot", a script that sets no terminal and no output. DAL_INVALID: another format, no
 * panel, a curve without points; DAL_IO: writing failed, without a message, since only the caller
 * knows the name of the file. */
DAL_API dal_status dal_plot_write(dal_context *cx, const dal_plot *plot, const char *format,
                                  FILE *out);
DAL_API dal_status dal_plot_size(dal_context *cx, const dal_plot *plot, double *width,
                                 double *height); /* of its SVG, in pixels */

/* Runs. ---------------------------------------------------------------------------------------- */

/* Callbacks during a run; each may be NULL. Returning anything but DAL_OK ends the run, and dal_run
 * returns that status. A callback may read the simulation and set inputs and parameters; stepping,
 * setting the state or running it again is DAL_INVALID, and it must not free the simulation or
 * longjmp out. Compiled steps are taken many at a time if no `step` callback needs the states in
 * between: `wait` is then called every few thousand steps; `step` is always called after each. */
typedef struct {
    dal_status (*row)(void *self, dal_sim *s);  /* at every recorded state: first, last, each nth */
    dal_status (*step)(void *self, dal_sim *s); /* after every step: a controller                 */
    void *self;
    dal_status (*wait)(void *self, dal_sim *s); /* now and then: progress, an interrupt           */
} dal_observer;

/* Runs from the present state to the end ("until" or "steps"; DAL_INVALID if there is none). The
 * observer may be NULL. After an observer has ended a run, calling it again continues. */
DAL_API dal_status dal_run(dal_sim *s, const dal_observer *observer);

/* The same, recording into memory: consecutive rows with one number per column. When `room` rows
 * are full it returns DAL_INTERRUPTED, and calling it again continues. *count is the number of rows
 * written, however it ended. The observer's `row` is not called, its `wait` about fifty times a
 * second. */
DAL_API dal_status dal_run_rows(dal_sim *s, const dal_observer *observer, double *rows, size_t room,
                                size_t *count);

typedef struct {
    double first, last, min, max;
} dal_range;

typedef struct {
    const char *name; /* of a declared symmetry, or p(x) of a cyclic coordinate */
    double      first, max_drift;
} dal_momentum;

/* Statistics of a run so far. Quantities are evaluated at about 1000 states (option "monitor"), the
 * last among them; the energy also in rows that hold it. Residuals are the largest ones found. */
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
    int                 is_fused;               /* it is compiled as a whole           */

    /* principle = energy: lengths of all steps; energy of the chords, and the largest error of its
     * balance E_k - E_0 = sum (f.v - dL/dt); 2-norm condition of the steps, 0 if it was not
     * measured */
    int       is_adaptive;
    dal_range length, condition;
    double    discrete_energy, balance_error;
    int       is_held; /* 1: it broke down at this time, and went on with a fixed step */
    double    held_from;
    long      resets; /* how often it broke down and repeated its last length, and when first */
    double    reset_first;

    size_t        exponents; /* of Lyapunov, the largest first; 0 unless "lyapunov" was set */
    const double *exponent;  /* over the second half of the run; NaN before the second step */

    /* What solved the steps: "explicit" (nothing is solved), "linear", "newton", "broyden" (Newton
     * with a Jacobian that is kept over steps), "fixed point" (sweeps over the stages, without the
     * matrix of the step), or both, "fixed point and newton". newton_iterations counts Newton's,
     * and the solves of linear steps; `solver` is "none" where no linear equations were solved. */
    const char *solved_by;
    long        fixed_point_sweeps;
    int         fixed_point_max_sweeps;

    const double *exponent_error; /* of each exponent, from its spread; NaN: not known */

    /* 1: the equations jump or have a kink in time, which leaves this of the order; and where */
    int         is_reduced, reduced_order;
    const char *reduced_by;

    double length_noise; /* principle = energy: the largest roundoff of h, relative to it */

    /* principle = energy: `condition` is that of the step in increments and h; this one in the
     * unknowns of its paper, increments divided by h, and h */
    dal_range condition_papers;

    /* of a run that is over: how far positions are off, about, in parts of their amplitude; NaN:
     * not known */
    double error_estimate;

    /* steps that follow a pace: how ("canonical", "density"), and then their `length`, `step` being that
     * of tau; NULL: there is none */
    const char *pacing;
} dal_summary;
DAL_API const dal_summary *dal_summarise(dal_sim *s);

/* Where energy is stored, spent and transferred, and what changes momenta, over the steps taken so
 * far (NULL unless the option "ledger" was set when the simulation was made). For every part with
 * all parts inside it, the whole system first:
 *     last - first = work + received,
 * up to the order of the scheme, and up to terms of L that are written outside the part or depend
 * on time. A connection (written with `connect`) does work on each of its sides; these add up to
 * `net`, which is 0 unless the connection moves by itself. */
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
/* A declared symmetry's momentum J = p.xi - F, and what has changed it: forces and damping along xi,
 * reactions, and L itself where it changes along xi by more than F does (0 for a symmetry of L):
 *     last - first = forces + relations + lagrangian,
 * up to roundoff, for every polynomial curve. NaN: of curves that are shot, and of a xi that
 * eliminated ties do not allow (interconnection = multipliers keeps them). */
typedef struct {
    const char *name;
    double      first, last;
    double      forces, relations, lagrangian;
} dal_impulses;
typedef struct {
    size_t              accounts, passages;
    const dal_account  *account;
    const dal_passage  *passage;
    size_t              symmetries;
    const dal_impulses *impulses; /* of each */
} dal_ledger;
DAL_API const dal_ledger *dal_ledger_of(dal_sim *s);

/* What happened at instants of the steps so far, in order: impacts of contacts, rows that close and
 * open (contacts at rest, blocked constraints, friction that holds), conditions that became true.
 * Branches of expressions that were left are not listed. The list is valid until the next step. */
DAL_API const dal_event *dal_events(dal_sim *s, size_t *count);

/* The step as stand-alone C99 that starts at the present state: a source, a header, and a small
 * program that uses them. `name` is that of the files without suffix, and the prefix of all names
 * in them; single: float instead of double. The texts are valid until the simulation is freed. */
typedef struct {
    const char *source, *header, *program;
} dal_exported;
DAL_API dal_status dal_export(dal_sim *s, const char *name, int single, dal_exported *out);

/* Checkpoints. --------------------------------------------------------------------------------- */

/* A checkpoint holds everything that determines the bits of further steps, with the texts and
 * options of the simulation, which continues from it as if it had never stopped. It may be taken
 * between any two steps, also by an observer. The file is replaced atomically: there is always
 * either the old checkpoint or the new one. The bytes in memory are valid until the next save. */
DAL_API dal_status dal_sim_save(dal_sim *s, const char *path);
DAL_API dal_status dal_sim_save_to_memory(dal_sim *s, const void **bytes, size_t *length);

/* A text of your own, stored under a key in every checkpoint from now on. What dal_sim_note_of
 * returns is valid until another text is stored under the same key. */
DAL_API dal_status  dal_sim_note(dal_sim *s, const char *key, const char *text);
DAL_API const char *dal_sim_note_of(const dal_sim *s, const char *key); /* NULL: there is none */

/* Sets a new end for a simulation that has begun or was resumed: key is "until" (a time) or "steps"
 * (counted from the start). The motion is that of a run with this end from the beginning. *spare
 * (may be NULL) is 1 if the last row an observer received was recorded only because the run ended
 * there, so that a longer run would not have it. DAL_INVALID: an unknown key, not a number, or an
 * end in the past. */
DAL_API dal_status dal_sim_extend(dal_sim *s, const char *key, const char *text, int *spare);

/* A file that is truncated, damaged or not a checkpoint is refused: DAL_IO, with the reason. */
typedef struct dal_checkpoint dal_checkpoint;
DAL_API dal_status dal_checkpoint_load(dal_context *cx, const char *path, dal_checkpoint **out);
DAL_API dal_status dal_checkpoint_parse(dal_context *cx, const void *bytes, size_t length,
                                        dal_checkpoint **out);
DAL_API void       dal_checkpoint_free(dal_checkpoint *c);

/* The options that the simulation was made with, set in o. */
DAL_API dal_status dal_checkpoint_options(const dal_checkpoint *c, dal_options *o);

/* Recreates the model and the simulation; no other file is needed. Warns if files of the model have
 * changed since, and continues with the old text. */
DAL_API dal_status dal_checkpoint_resume(const dal_checkpoint *c, dal_model **m, dal_sim **s);

/* Restores only the state, into a simulation that was made in the same way: for models made of
 * functions, or to return to an earlier state. */
DAL_API dal_status dal_sim_restore(dal_sim *s, const dal_checkpoint *c);

/* Ranks. --------------------------------------------------------------------------------------- */

/* A program that mpirun has started as several processes, the ranks, calls the first of these
 * before anything else: the sweeps and simulations of this context are then shared by all ranks,
 * each of which makes the same calls. A simulation whose steps cannot be shared is refused by
 * dal_sim_new (docs/large.md); all ranks have its whole state after every call, and an observer
 * that ends a run on one of them ends it on all. *rank: which one this is, 0 .. *count - 1; a
 * program that was started alone is 0 of 1, and nothing happens. DAL_INVALID: this build has no MPI,
 * or another one than mpirun has. Call it for one context of a process; where MPI has begun already,
 * its communicator is copied.
 *
 * The second takes leave of the others and waits for them, before the context is freed; `status` is
 * how it went on this rank. A rank that takes leave early ends what the others share with it. */
DAL_API dal_status dal_ranks_begin(dal_context *cx, int *rank, int *count);
DAL_API void       dal_ranks_end(dal_context *cx, dal_status status);

/* Ensembles. ----------------------------------------------------------------------------------- */

/* Many runs ("members") of one model, with different parameters and starts. What is swept is set by
 * these keys:
 *     dal_sweep_set(w, "grid", "k=1..10/19")   dal_sweep_set(w, "random", "x=normal(0, 1)")
 *     "members", "seed", "from-csv"
 * which are combined in all ways. "threads" is 1 by default; an allocator of your own is called
 * from all of them. Results do not depend on the number of threads, bit for bit. Model and options
 * must outlive the sweep.
 *
 * Of several ranks, each has so many threads. Members are handed out as ranks come for more; what
 * came out of them is collected on rank 0, whose observer alone is told of members. A rank whose
 * observer ends the sweep ends it for all. */
typedef struct dal_sweep dal_sweep;
DAL_API const dal_option *dal_sweep_option_rows(size_t *count);
DAL_API dal_status        dal_sweep_new(const dal_model *m, const dal_options *o, dal_sweep **out);
DAL_API dal_status        dal_sweep_set(dal_sweep *w, const char *key, const char *text);
DAL_API void              dal_sweep_free(dal_sweep *w);

/* The values of a member: what was swept, then the last row of its run, then the drift of its
 * energy. */
typedef struct {
    const char *name;  /* "k", "start(x)", "t", "x", "p(x)", ..., "energy_drift" */
    int         swept; /* 1: given, 0: computed                                  */
} dal_sweep_column;
typedef struct {
    size_t        index;          /* from 0                                       */
    dal_status    status;         /* DAL_INVALID: it could not begin; else how it ended */
    const char   *error, *warning; /* the first of each, or NULL                   */
    const double *value;          /* by column, up to its last good state; NaN: there is none */
} dal_member;

/* Callbacks during a sweep; each may be NULL. Returning anything but DAL_OK ends the sweep. The
 * first two are called on the thread that runs the member, `worker` being 0 .. threads-1 (each runs
 * one member at a time); the others on the caller's thread. */
typedef struct {
    dal_status (*row)(void *self, int worker, size_t member, dal_sim *s); /* at recorded states */
    dal_status (*last)(void *self, int worker, size_t member);   /* after the last of them      */
    dal_status (*member)(void *self, const dal_member *m);       /* of each, in their order     */
    dal_status (*wait)(void *self, size_t done, size_t members); /* before the first, and now
                                                                    and then: an interrupt      */
    void *self;
} dal_sweep_observer;

/* Runs all members. A member that fails does not make the sweep fail. After an observer has ended a
 * sweep, calling it again runs the remaining members. */
DAL_API dal_status dal_sweep_run(dal_sweep *w, const dal_sweep_observer *observer);

/* Columns are known from the first call of `member`; a member is known once it is done. */
DAL_API const dal_sweep_column *dal_sweep_columns(const dal_sweep *w, size_t *count);
DAL_API size_t                  dal_sweep_members(const dal_sweep *w);
DAL_API dal_member              dal_sweep_member(const dal_sweep *w, size_t index);

enum { DAL_QUANTILES = 5 }; /* 5, 25, 50, 75 and 95 % */
typedef struct {
    const char *name;
    size_t      count; /* of members that came to their end, with a finite value */
    double      mean, sd, min, max, quantile[DAL_QUANTILES];
} dal_statistics;
typedef struct {
    const char           *model, *file, *scheme, *principle;
    size_t                members, done, failed, refused; /* refused: it could not begin */
    size_t                warned, first_warned, first_failed; /* of no meaning without any */
    size_t                together; /* of them in blocks, many at once */
    long                  steps;    /* of all members */
    int                   threads;
    double                seconds;
    size_t                columns; /* that came out, of the members that are done */
    const dal_statistics *column;
    const char           *backend; /* "native", or "vm" where steps are interpreted */
    int                   ranks;   /* 1, unless there are several */
} dal_sweep_summary;
DAL_API const dal_sweep_summary *dal_sweep_summarise(dal_sweep *w); /* NULL: out of memory */
/* Methods and their properties, all of which are verified by the tests. ------------------------ */

/* DAL_DAMPS: stiff damping is gone after a step, however long that is. */
enum { DAL_SYMMETRIC = 1, DAL_SYMPLECTIC = 2, DAL_DAMPS = 4 };
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

/* What to cite: BibTeX of the program, and of the papers behind the scheme, the principle and the
 * constraints of a model as the options have it run. m may be NULL: the program, and every paper.
 */
DAL_API dal_status dal_cite(dal_context *cx, const dal_model *m, const dal_options *o, FILE *out);

/* Convergence. --------------------------------------------------------------------------------- */

/* Errors for schemes "lobatto(2..5), midpoint" (NULL: that of the options or the model) and numbers
 * of steps "8..256" (doubling) or "10, 20, 50" (NULL: six doublings, starting from the option
 * "step" or from 8). Every run covers the whole time, from "from" until "until". An error is the
 * largest at the times that all runs share (of principle = energy, where steps say how long the
 * first one is: that at the end of a run), against a reference of higher order and finer step. The
 * uncertainty of the reference (`doubt`) is its difference from a second one, of another order and
 * step. */
enum { DAL_OF_Q, DAL_OF_P, DAL_OF_ENERGY, DAL_QUANTITIES };

typedef struct {
    long        steps;
    double      step;
    double      error[DAL_QUANTITIES];
    double      order[DAL_QUANTITIES];    /* against the row before; NaN where one tells nothing */
    int         roundoff[DAL_QUANTITIES]; /* 1: not above the uncertainty of the reference       */
    const char *failure;                  /* why it could not be run; NULL: it was               */
} dal_convergence_row;

typedef struct {
    const char                *name, *title;
    int                        claimed;
    double                     observed[DAL_QUANTITIES]; /* from the finest rows; NaN: too few */
    int                        missed; /* 1: one is more than 0.3 below the claimed order */
    size_t                     rows;
    const dal_convergence_row *row;
} dal_convergence_scheme;

typedef struct {
    const char                   *model, *file;
    double                        from, until;
    long                          times; /* at which errors are taken; 0: each run at its own end */
    const char                   *reference, *second;
    long                          reference_steps, second_steps;
    double                        doubt[DAL_QUANTITIES];
    size_t                        schemes;
    const dal_convergence_scheme *scheme;
} dal_convergence;

DAL_API dal_status dal_converge(const dal_model *m, const dal_options *o, const char *schemes,
                                const char *steps, dal_convergence **out);
DAL_API void       dal_convergence_free(dal_convergence *c);

/* Equivalence: W, a let or an expression in t, parameters, coordinates and, linearly, velocities, is
 * shifted between L and the forces. L + alpha W with f - alpha (dW/dq - d/dt dW/dv) is the same
 * physics for every alpha; a scheme that evaluates L and f at the same points gives the same motion
 * for a potential, and for a term with velocities where its rule integrates their parts exactly.
 * How far the motions differ for alpha = 0, 0.1, ..., 1, printed or as numbers. */
DAL_API dal_status dal_check_equivalence(const dal_model *m, const dal_options *o, const char *W,
                                         FILE *out);

typedef enum {
    DAL_EQUIVALENT,        /* positions and momenta agree to roundoff                            */
    DAL_WEAKLY_EQUIVALENT, /* positions do, and momenta but for alpha dW/dv, which they must have */
    DAL_NOT_EQUIVALENT
} dal_equivalence_kind;
typedef struct {
    double alpha;
    double q, p;    /* the largest differences from the motion with alpha = 0 */
    double shifted; /* that of p - alpha dW/dv                                */
    double failed;  /* the time after which no step could be made, or NaN     */
} dal_split;
typedef struct {
    const char          *model, *file, *scheme;
    dal_equivalence_kind kind;
    int                  moves; /* 1: W holds velocities */
    size_t               splits;
    const dal_split     *split;
    double               moved_q, moved_p; /* by a start that is changed in its last digit */
} dal_equivalence;
DAL_API dal_status dal_equivalence_of(const dal_model *m, const dal_options *o, const char *W,
                                      dal_equivalence **out);
DAL_API void       dal_equivalence_free(dal_equivalence *e);

/* Variational order: on a chord from the start along the first velocity, the discrete Lagrangian, the
 * discrete forces on both ends and the momenta that they make are compared with the exact ones,
 * for a few steps. A scheme of order r has an error O(h^(r+1)) in the first, and O(h^r) in what
 * pairs with a variation of an end or of its time; observed is r, from each. Of a composition the
 * curve goes through all of its substeps; with holonomic relations ends lie on the surface, and what
 * is compared is along it. `doubled` is how far the equations of the doubled system, in which forces
 * are part of a Lagrangian, are from the forced ones where both copies agree, relative to their
 * size; NaN: of compositions, Hamiltonian coordinates, and curves without control points. For at
 * most 64 coordinates; DAL_INVALID: what has no L_d is listed in docs/theory.md, [DUPLICATION]. */
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
    double order[DAL_VARIATIONAL];    /* against the row before; NaN where one tells nothing */
    int    roundoff[DAL_VARIATIONAL]; /* 1: the error is roundoff                            */
} dal_variational_row;

/* The same of the powers g_d^- and g_d^+ of the energy principle, and of the energies at both ends
 * that they make. */
enum { DAL_OF_POWER_AT_START, DAL_OF_POWER_AT_END, DAL_OF_ENERGIES, DAL_POWERS };

typedef struct {
    double error[DAL_POWERS], order[DAL_POWERS];
    int    roundoff[DAL_POWERS];
} dal_variational_powers;

typedef struct {
    const char                   *model, *file, *scheme;
    int                           claimed;
    size_t                        rows;
    const dal_variational_row    *row;
    double                        observed[DAL_VARIATIONAL]; /* from the finest rows above roundoff */
    double                        doubled;
    const dal_variational_powers *power; /* of as many rows; NaN: of curves that are shot */
    double                        power_observed[DAL_POWERS];
} dal_variational;

DAL_API dal_status dal_variational_order(const dal_model *m, const dal_options *o,
                                         dal_variational **out);
DAL_API void       dal_variational_free(dal_variational *v);

/* The forced system as half of a larger one without forces, L(Q,V) - L(q,v) - K (docs/theory.md,
 * [DUPLICATION]; of a Hamiltonian alike), run by the same scheme from the diagonal Q = q beside the
 * forced run, for several K; d = q - Q, or R_Q^-1(q) and -R_q^-1(Q) with a retraction among the
 * options. Of systems without relations, rotations, damping and states, of at most 50 coordinates, and
 * schemes that are not shot; DAL_INVALID otherwise. */
typedef enum {
    DAL_JOINT_MEAN,    /* K = (F(q,v) + F(Q,V)).d/2       */
    DAL_JOINT_BETWEEN, /* K = F((q+Q)/2, (v+V)/2).(q - Q) */
    DAL_JOINT_BEYOND,  /* the first, with |q - Q|^2 sum_j (q - Q)_j */
    DAL_JOINTS
} dal_joint;
typedef struct {
    double off_diagonal; /* the largest |Q - q|: the diagonal is invariant                */
    double apart;        /* the largest |Q - q| from the forced run                       */
    double observed;     /* order, by steps h, h/2, h/4 of the doubled run; NaN: roundoff */
} dal_doubled;
typedef struct {
    const char *model, *file, *scheme;
    int         claimed, coordinates; /* coordinates: of the doubled system */
    double      step;
    long        steps;                         /* at most 100    */
    double      off_diagonal, apart, observed; /* with the first */
    dal_doubled by[DAL_JOINTS];
} dal_duplicate;
DAL_API dal_status dal_duplicate_of(const dal_model *m, const dal_options *o, dal_duplicate **out);
DAL_API void       dal_duplicate_free(dal_duplicate *d);

/* Discrete objects. ---------------------------------------------------------------------------- */

/* What a scheme makes of a chord from q0 to q1 over h, and what is exact on it, along the motion
 * between these ends (docs/theory.md, [DUPLICATION] and [TULCZYJEW]):
 *     L_d,   D1 L_d, D2 L_d,   f_d^-, f_d^+,   g_d^-, g_d^+ (of schemes with a polynomial curve, else NaN)
 *     p0 = -D1 L_d - f_d^-,    p1 = D2 L_d + f_d^+       the two discrete Legendre transforms
 * Of systems of at most 16 coordinates with velocities and without relations, and schemes that are
 * no compositions: otherwise DAL_INVALID, with the reason. One thread at a time. */
typedef struct dal_discrete dal_discrete;
DAL_API dal_status dal_discrete_new(const dal_model *m, const dal_options *o, dal_discrete **out);
DAL_API void       dal_discrete_free(dal_discrete *d);
DAL_API int        dal_discrete_coordinates(const dal_discrete *d); /* n */

typedef enum { DAL_BY_SCHEME, DAL_EXACTLY } dal_means;
typedef struct { /* n numbers each, valid until the next call */
    double        L, power_minus, power_plus;
    const double *D1, *D2, *force_minus, *force_plus, *p0, *p1;
} dal_discrete_values;

/* DAL_DIVERGED: no curve was found between these ends; exactly, the message says where they are
 * conjugate, so that no function of both exists. Exact values are good to 1e-13 of their size. */
DAL_API dal_status dal_discrete_at(dal_discrete *d, dal_means by, double t, double h,
                                   const double *q0, const double *q1, dal_discrete_values *out);

/* d(-p0, p1)/d(q0, q1), 2n x 2n numbers by rows: without forces the second derivatives of L_d. Not of
 * curves that are shot: DAL_DIVERGED. */
DAL_API dal_status dal_discrete_second(dal_discrete *d, dal_means by, double t, double h,
                                       const double *q0, const double *q1, double *second);

/* H_d^+(q0, p1) = p1.q1 - L_d and H_d^-(p0, q1) = -p0.q0 - L_d, and the other ends, which are their
 * derivatives: p0 = D1 H_d^+, q1 = D2 H_d^+; q0 = -D1 H_d^-, p1 = -D2 H_d^- (with forces, these are
 * no derivatives: p0 and p1 above include them). Write n numbers each; any but H may be NULL. */
DAL_API dal_status dal_discrete_plus(dal_discrete *d, dal_means by, double t, double h,
                                     const double *q0, const double *p1, double *H, double *p0,
                                     double *q1);
DAL_API dal_status dal_discrete_minus(dal_discrete *d, dal_means by, double t, double h,
                                      const double *p0, const double *q1, double *H, double *q0,
                                      double *p1);

/* The maps of the discrete Tulczyjew triple, signed permutations of four blocks of n numbers:
 *     kappa_d  ((q0,p0),(q1,p1)) -> (q0, q1, -p0, p1)     gamma_d^+ (q0, q1, a0, a1) -> (q0, a1, -a0, q1)
 *     Omega_d^+        "         -> (q0, p1, p0, q1)      gamma_d^-        "       -> (-a0, q1, -q0, -a1)
 *     Omega_d^-        "         -> (p0, q1, -q0, -p1)
 * and their inverses. y must not be x. */
typedef enum { DAL_KAPPA, DAL_OMEGA_PLUS, DAL_OMEGA_MINUS, DAL_GAMMA_PLUS, DAL_GAMMA_MINUS } dal_triple_map;
DAL_API void dal_triple(dal_triple_map map, int n, const double *x, double *y);
DAL_API void dal_triple_inverse(dal_triple_map map, int n, const double *y, double *x);

/* A generating function of your own, W(a, b): L_d(q0, q1), H_d^+(q0, p1) or H_d^-(p0, q1), with a
 * constraint set (q0, q1) in Delta_d, or with a Dirac structure that need not be induced by one
 * (docs/theory.md, [GENERATING]). Functions return 0; otherwise, or with a number that is not
 * finite, there is no step. */
typedef enum { DAL_TYPE_1, DAL_TYPE_2, DAL_TYPE_3 } dal_generating_type;
typedef struct {
    size_t              size; /* of this struct */
    int                 n, rows;
    dal_generating_type type;
    void               *self;
    int (*value)(void *self, double t, double h, const double *a, const double *b, double *W);
    /* dW/da, dW/db, n numbers each; forces f_d^-, f_d^+ are added here. NULL: differences of value,
     * with which steps are good to about 1e-11. */
    int (*gradient)(void *self, double t, double h, const double *a, const double *b, double *by_a,
                    double *by_b);
    /* `rows` numbers that are 0 in Delta_d, and the one-forms of Delta at q, rows x n */
    int (*constraint)(void *self, double t, double h, const double *q0, const double *q1,
                      double *r);
    int (*one_forms)(void *self, double t, const double *q, double *W);
    /* Of types 2 and 3: 2n numbers that are 0 where (v, a) belongs to the structure at z = (q0, p0,
     * q1, p1), v = (q1 - q0, p1 - p0), a = (D1 H_d^+ - p1, D2 H_d^+ - q0) forward and
     * (D2 H_d^- + p0, D1 H_d^- + q1) backward. NULL: it is induced by the constraint. */
    int (*structure)(void *self, double h, const double *z, const double *v, const double *a,
                     double *r);
} dal_generating;

typedef enum { DAL_FORWARD, DAL_BACKWARD } dal_side_of;

/* A step from (q0, p0), by the (+) or (-) equations: p before its kick W^T mu at the same point, or
 * after it. *q1 and *p1 hold where to begin, as q0 and p0, and receive n numbers each; mu, `rows` of
 * them, may be NULL. DAL_INVALID: functions are missing; DAL_DIVERGED: there is no step. */
DAL_API dal_status dal_generating_step(dal_context *cx, const dal_generating *g, dal_side_of side,
                                       double t, double h, const double *q0, const double *p0,
                                       double *q1, double *p1, double *mu);

/* Models made of C functions instead of a text. ------------------------------------------------ */

/* A system of n coordinates is, at (t, q, v),
 *
 *     L(t,q,v)     f(t,q,v)     A(t,q) v + b(t,q) = 0     g(t,q) = 0
 *
 * a Lagrangian, forces, velocity constraints and holonomic constraints. For a Hamiltonian
 * coordinate the momentum takes the place of the velocity: L stands for L - H, so that its
 * derivative in p_i is -dH/dp_i, and every index v below means p for it (except in e and A, which
 * always use velocities). One function evaluates whatever is requested of all this. */
typedef struct {
    double        t;
    const double *q;
    const double *v; /* of Lagrangian coordinates; of all if constraints are requested (which are
                        never requested together with the rest)                               */
    const double *p;                 /* of Hamiltonian coordinates; do not read the others    */
    const double *lam;               /* for the curvature: one per constraint; NULL means 0   */
    const double *parameter, *input; /* of the simulation                                     */
} dal_point;

/* What may be requested, and where it goes. Write everything that is requested, and nothing else.
 * Constraints ("relations") are numbered with the velocity constraints first; a holonomic one
 * enters e and A through its time derivative, g_q v + g_t. */
enum {
    DAL_WANT_L = 1,                    /* L                                                */
    DAL_WANT_GRADIENT = 2,             /* Lq, Lv                                           */
    DAL_WANT_HESSIAN = 4,              /* Lqq, Lqv, Lvv: (i,j) is d2L/dq_i dv_j ...        */
    DAL_WANT_FORCE = 8,                /* f                                                */
    DAL_WANT_FORCE_JACOBIAN = 16,      /* fq, fv: row i is the gradient of f_i             */
    DAL_WANT_TIME = 32,                /* Lt, Ltt, Lqt, Lvt, ft; not asked for if autonomous */
    DAL_WANT_RELATIONS = 64,           /* e = A v + b, and A                               */
    DAL_WANT_HOLONOMIC = 128,          /* g                                                */
    DAL_WANT_RELATIONS_JACOBIAN = 256  /* eq = d e/d q, et, curvature_ij = sum lam_a dA_ai/dq_j */
};
typedef struct {
    double  L, Lt, Ltt;
    double *Lq, *Lv, *f, *Lqt, *Lvt, *ft; /* n                             */
    double *Lqq, *Lqv, *Lvv;              /* entries of `hessian`          */
    double *fq, *fv;                      /* entries of `force`            */
    double *curvature;                    /* entries of `curvature`        */
    double *e, *et;                       /* relations                     */
    double *A, *eq;                       /* entries of `relations`        */
    double *g;                            /* holonomic                     */
    char    why[200];                     /* if there is no value: the reason, for the message */
} dal_evaluation;

/* The sparsity pattern of a matrix, by rows: the entries of row i are start[i] .. start[i+1] - 1,
 * each with its column. start == NULL: the matrix is full, stored row by row. Values are in the
 * order of the pattern. */
typedef struct {
    const int *start, *column;
} dal_pattern;

/* for `zero` and `constant` below */
enum { DAL_LQQ = 1, DAL_LQV = 2, DAL_LVV = 4, DAL_FQ = 8, DAL_FV = 16, DAL_F = 32, DAL_A = 64 };

typedef struct {
    size_t             size;         /* sizeof(dal_callbacks), so that this struct can grow  */
    const char        *name;         /* of the system; NULL: "callbacks"                     */
    int                coordinates, constraints, holonomic, parameters, inputs;
    const char *const *coordinate;   /* names; NULL: q1, q2, ...                             */
    const char *const *relation;     /* NULL: "constraint 1", ..., "holonomic 1", ...        */
    const char *const *parameter;    /* NULL: parameter1, ...                                */
    const char *const *input;        /* NULL: input1, ...                                    */
    const double      *q, *v, *p;    /* the start; NULL: 0. p counts for Hamiltonian ones    */
    const double      *parameter_value, *input_value; /* to begin with; NULL: 0              */
    const unsigned char *hamiltonian; /* n flags; NULL: none is                              */
    dal_pattern        hessian;      /* n x n: Lqq, Lqv, Lvv                                 */
    dal_pattern        force;        /* n x n: fq, fv                                        */
    dal_pattern        curvature;    /* n x n                                                */
    dal_pattern        relations;    /* (constraints + holonomic) x n: A, eq                 */
    int                autonomous;   /* nothing depends on t or on an input                  */
    unsigned           zero;         /* what is zero or constant: saves work, and 0 is always */
    unsigned           constant;     /* right; with DAL_F in `zero` no forces are requested  */
    unsigned           missing;      /* which DAL_WANT_ derivatives eval does not provide    */
    const double      *typical_q, *typical_v; /* scales for finite differences; NULL: 1      */
    double             typical_t;    /* 0: 1                                                 */
    void              *self;
    /* Returns non-zero if there is no value here; out->why may give the reason. Simulations of one
     * model may call it from several threads at once: it must not write to *self without a lock. */
    int (*eval)(void *self, unsigned want, const dal_point *at, dal_evaluation *out);
} dal_callbacks;

/* The struct and everything it points to are copied, except `self`. DAL_INVALID, with a message:
 * sizes, a pattern out of order, a name given twice.
 *
 * Missing derivatives (HESSIAN, FORCE_JACOBIAN, TIME, RELATIONS_JACOBIAN may be) are replaced by
 * central differences, with columns that share no row evaluated together. The equations of a
 * step contain first derivatives only, so the motion agrees with that of exact derivatives to
 * roundoff as long as Newton's iteration converges; it costs two evaluations per colour and
 * iteration, and reaction forces are accurate to about 1e-9. The option jacobian = broyden keeps
 * a Jacobian over many steps and updates it, at the price of a few more iterations;
 * docs/embedding.md has figures. */
DAL_API dal_status dal_model_from_callbacks(dal_context *cx, const dal_callbacks *callbacks,
                                            dal_model **out);

/* Retractions and Dirac structures. ------------------------------------------------------------ */

/* Maps a velocity at a point to a second point, and back: q1 = R_q(v), R_q(0) = q, with derivative
 * 1 there. Points and velocities are n numbers: coordinates of a chart, or of the space in which Q
 * is embedded. Derivatives are n x n, row by row, and not requested if NULL. Non-zero: there is no
 * such point or velocity. */
typedef struct {
    int   n;
    void *self;
    int (*apply)(void *self, int n, const double *q, const double *v, double *q1, double *by_q,
                 double *by_v);
    int (*inverse)(void *self, int n, const double *q, const double *q1, double *v, double *by_q,
                   double *by_q1);
} dal_retraction;

/* q + v on R^n, and (q + v)/|q + v| on the unit sphere of R^n, v orthogonal to q. */
DAL_API dal_retraction dal_retraction_flat(int n);
DAL_API dal_retraction dal_retraction_sphere(int n);

/* Has simulations made with these options take their discrete velocity constraints along chords of
 * the retraction, W(b) v = 0, with b and v as the option "retraction" says: at the left end, the
 * right one, or the midpoint, q1 = R_b(h v/2) and q0 = R_b(-h v/2). NULL: q + v. The curve must be
 * polynomial(1), alone or in a composition, and n the number of coordinates; dal_sim_new says so otherwise. The struct is
 * copied, `self` is yours. */
DAL_API dal_status dal_options_retraction(dal_options *o, const dal_retraction *R);

/* One-forms on Q: `rows` x n numbers W at q, and where dW is not NULL their derivatives,
 * dW[(a*n + i)*n + j] = d W_ai/d q_j. Rows may depend on each other. Not 0: no value. With eval ==
 * NULL they are the numbers in `constant`. */
typedef struct {
    int           n, rows;
    const double *constant;
    void         *self;
    int (*eval)(void *self, const double *q, double *W, double *dW);
} dal_one_forms;

/* A discrete Dirac structure, forward (+) or backward (-): which covectors alpha belong to a pair
 * of points z = (q0, p0, q1, p1), 4n numbers each. alpha is written (q0, p1 | a_q, a_p) forward,
 * over the base (q0, p1), and (p0, q1 | a_p, a_q) backward. docs/theory.md, [DIRAC] and [BOWTIE],
 * has the definitions. A structure that is combined from others reads them: free it before them.
 * Unlike models, structures have work space of their own: one thread at a time. */
typedef enum { DAL_AT_MIDPOINT, DAL_AT_LEFT, DAL_AT_RIGHT } dal_place;
typedef struct dal_structure dal_structure;

/* Induced by Delta = ker W:  (q0, q1) obeys W along the chord, and alpha is Omega_d(z) up to the
 * annihilator of Delta. An interaction is the same with 0 for Omega_d; with no rows it is neutral
 * for the bowtie. R may be NULL: flat. DAL_INVALID: sizes that do not fit. */
DAL_API dal_status dal_structure_induced(dal_context *cx, dal_side_of side, const dal_one_forms *W,
                                         const dal_retraction *R, dal_place at,
                                         dal_structure **out);
DAL_API dal_status dal_structure_interaction(dal_context *cx, dal_side_of side,
                                             const dal_one_forms *W, const dal_retraction *R,
                                             dal_place at, dal_structure **out);

/* Side by side on Q_1 x ... x Q_N; and the product on one Q that connects: alpha = a + b with z in
 * both. DAL_INVALID if sides or sizes differ. */
DAL_API dal_status dal_structure_direct_sum(dal_context *cx, dal_structure *const *part,
                                            size_t parts, dal_structure **out);
DAL_API dal_status dal_structure_bowtie(dal_context *cx, dal_structure *a, dal_structure *b,
                                        dal_structure **out);
DAL_API void       dal_structure_free(dal_structure *D);

DAL_API int dal_structure_coordinates(const dal_structure *D); /* n         */
DAL_API int dal_structure_relations(const dal_structure *D);   /* rows of W */

/* Membership: how far (z, alpha) is from D, as the largest of the violated relations h W_d, the
 * mismatch of the base, and the distance of the fibre from what is allowed. NaN: z is out of the
 * reach of the retraction, or there is no memory. */
DAL_API double dal_structure_residual(dal_structure *D, double h, const double *z,
                                      const double *alpha);

/* Omega_d(z), 4n numbers: the covector of an unconstrained pair. And the discrete Dirac
 * differential of a discrete Lagrangian with D1 = D1 L_d(q0,q1), D2 = D2 L_d(q0,q1), forces added.
 */
DAL_API void dal_structure_flat(const dal_structure *D, const double *z, double *alpha);
DAL_API void dal_structure_differential(const dal_structure *D, const double *q0, const double *q1,
                                        const double *D1, const double *D2, double *alpha);

/* The relations h W_d at z (one per row), and generators of the annihilator in the fibre (rows of
 * 2n numbers, *count of them, valid until the next call); out of reach: NaN, NULL. */
DAL_API void          dal_structure_constraint(dal_structure *D, double h, const double *z,
                                               double *out);
DAL_API const double *dal_structure_annihilator(dal_structure *D, double h, const double *z,
                                                size_t *count);

/* Directions in which one can leave z within D over a fixed base, (v_q, v_p, a_q, a_p): writes an
 * orthonormal basis, rows of 4n numbers, into room for 4n of them, and returns how many there are:
 * 2n where D is a Dirac structure. *defect (may be NULL) is how far they are from isotropic for
 * <a, v'> + <a', v>: 0. Returns 0 out of reach. */
DAL_API int dal_structure_fibre(dal_structure *D, double h, const double *z, double *basis,
                                double *defect);

/* The distribution Delta = ker W of `rows` one-forms, and its annihilator im W^T: an orthonormal
 * basis, rows of n numbers, into room for n of them; returns how many there are, -1: no memory. */
DAL_API int dal_distribution(dal_context *cx, const double *W, int rows, int n, double *basis);
DAL_API int dal_annihilator(dal_context *cx, const double *W, int rows, int n, double *basis);

/* The Dirac structure on T*Q at a point, which Delta = ker W induces there: all (v_q, v_p, a_q, a_p) with
 * v_q in Delta, a_p = v_q and a_q + v_p in its annihilator. An orthonormal basis, rows of 4n numbers,
 * into room for 4n of them; returns how many there are, 2n, or -1: no memory. And how far x, 4n
 * numbers, is from it: 0 for (q', p', -L_q - f, q') of a motion; NaN: no memory. */
DAL_API int    dal_dirac(dal_context *cx, const double *W, int rows, int n, double *basis);
DAL_API double dal_dirac_residual(dal_context *cx, const double *W, int rows, int n,
                                  const double *x);

/* The one-forms A of all relations at the present state: relations x n numbers, velocity
 * constraints first. */
DAL_API void dal_relations(dal_sim *s, double *A);

#ifdef __cplusplus
}
#endif
#endif
