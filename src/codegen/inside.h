/* inside.h - inside the code generator: the equations of a step while they are being written. */
#ifndef CODEGEN_INSIDE_H
#define CODEGEN_INSIDE_H

#include "codegen/c_text.h"
#include "codegen/export.h"
#include "mech/stepper/stepper.h"
#include "model/fields.h"

/* Arguments of sines and cosines that programs of one set of points share, as text. */
typedef vec(const char *) angle_list;

/* A function that evaluates some entries at all points of a set, one lane per point. */
typedef struct {
    const char *name;
    int         lanes;
    vec(const field_root *) root;
    int          *slot; /* of each root: where its lanes begin in the results, / lanes */
    int           slots;
    const kernel *k;
    bool          seldom; /* called: its sines are left to the library, which compiles sooner */
    bool          calls;  /* functions that no vector unit has */
    angle_list   *near;   /* called again and again close by: sines by increments, angles.c */
} program;

/* Points of the curve, of one kind. */
typedef enum { AT_RULE, AT_FORCE, AT_CONTROL, AT_GAUSS, SETS, AT_SHOT = SETS } point_set;

typedef struct shot_curve shot_curve; /* shooting.c */

typedef struct { /* simplified_newton.c: at the points, at the control nodes, at the points once */
    program    points, nodes, inertia;
    angle_list at_points, at_nodes;
} rate_programs;

typedef struct {
    writer           w;
    const stepper   *st;
    const equations *eq;
    const fields    *f;
    int              n, d, m, relations, phase, N; /* N: unknowns                          */
    int              points[SETS];
    int              side; /* 1: the curve is run backward                                 */
    bool             forced, here; /* forces are sampled with L                            */
    bool             damped;       /* some of them are damping                             */
    bool             energy;       /* decides the length of the step: border.c, energy.c   */
    bool             linear;       /* the Jacobian never changes                           */
    bool             frozen;       /* it is kept over iterations while they converge well  */
    bool             fixed_point;  /* inertia is constant: stages are iterated first       */
    bool             by_rates;     /* or velocities, by a matrix at each point             */
    rate_programs    rates;        /* simplified_newton.c                                  */
    shot_curve      *shot;         /* NULL: the curve is a polynomial                      */
    bool             forward;      /* the rule's part of it by forward differentiation   */
    bool             plain;        /* no compensated summation                             */
    bool             follows;      /* inputs change within a step: inputs.c                */
    bool             one_piece;    /* few unknowns: all of a step is one function          */
    program          of[SETS][2];  /* [1]: with what enters the Jacobian                   */
    program          constant;     /* entries of the Jacobian that do not vary             */
    int              operations;
    vec(int) circles;          /* numbers of angles that functions are written for */
    bool members;              /* of an ensemble, in lanes: lanes.c                         */
    vec(const char *) carried; /* texts of src/step that were written */
    bool        exported;      /* for a file of its own: nobody asks for the state before */
    int         whole;         /* equations of the model as written: export_observed.c     */
    const char *state;         /* name of the struct that it takes                          */
} codegen;

/* points.c */
void        program_init(codegen *f, program *p, const char *title, int lanes);
void        program_add(codegen *f, program *p, const field_root *root);
void        program_make(codegen *f, program *p);
void        program_write(codegen *f, const program *p);
int         program_slot(const program *p, field_name of, int row, int col); /* -1: zero */
const char *program_call(codegen *f, const program *p, point_set set);
const char *program_arguments(codegen *f, const program *p); /* as declared: "const real *q, " */
const char *program_passed(codegen *f, const program *p, point_set set); /* and as passed      */
const char *program_variable(codegen *f, const program *p, int k);       /* read in lane i     */
bool        program_reads(const program *p, int variable);
int         operands_of(expr_op op);

/* angles.c: a program whose sines and cosines are made for all lanes at once */
bool angles_fit(const codegen *f, const program *p);
void angles_write(codegen *f, const program *p);
void angles_list(codegen *f, const program *p); /* arguments, with three numbers in `near` each */
void circle_write(codegen *f, int lanes);       /* the function that makes so many, once */

/* forward.c, forward_rows.c */
bool        forward_pays(codegen *f);
void        forward_write(codegen *f);
const char *forward_call(codegen *f);

/* residual.c: place, residual, jacobian, finish; the head of one of them, of whose arguments `rest`
 * are the last */
void rows_write(codegen *f);
void function_open(codegen *f, const char *type, const char *title, const char *rest);

/* jacobian.c */
const char *entries_text(codegen *f, const program *p, point_set set, bool constant);
void        blocks_write(codegen *f);

/* codegen.c: a file of src/step as it stands, once; export.c: whose NAME_ becomes that of the
 * stepper */
void verbatim(codegen *f, const char *file);
void roughest_write(codegen *f); /* where steps are looked at */
void verbatim_named(codegen *f, const char *file, const char *title);

/* fixed_point.c, steps.c, explicit.c */
bool fixed_point_fits(const codegen *f);
void fixed_point_write(codegen *f);
void steps_write(codegen *f);
void explicit_write(codegen *f);
void predict_write(codegen *f);
bool is_direct(const codegen *f); /* each unknown is divided out */

/* forces.c: functions `forces` and `masses`; array[j lanes + i] = value of lane i (NULL: 0); F =
 * L_q
 * + f of coordinate j from a program's results oR, and f where its work is asked for; is there any?
 */
void forces_write(codegen *f);
void masses_write(codegen *f);
void gather_write(codegen *f, const char *array, int lanes, int j, const char *value);
void force_gather(codegen *f, const program *p, int j);
bool force_acts(codegen *f, const program *p, int j);

/* project.c; are there moves after a whole step? */
void project_write(codegen *f);
bool projects_after(const codegen *f);

/* bent.c: moves at both ends of every curve; unknowns at its end */
void bent_write(codegen *f);
int  bent_unknowns(const codegen *f);

/* inputs.c: an input as a program reads it, and where those of a set begin; the array u of a
 * function that makes steps: how many numbers it holds (0: it is that of the state), and where
 * those of the two ends of a step begin */
const char *inputs_variable(codegen *f, const program *p, int k);
const char *inputs_passed(codegen *f, point_set set);
void        inputs_write(codegen *f);
int         inputs_numbers(const codegen *f);
int         inputs_at_end(const codegen *f, bool last);

/* border.c: the row and the column of the length of a step; energies of a curve at its end */
bool        border_wants(const codegen *f, point_set set, const field_root *r, bool second);
const char *border_text(codegen *f);
const char *energies_text(codegen *f);

/* simplified_newton.c */
bool simplified_newton_fits(codegen *f);
void simplified_newton_write(codegen *f);

/* shooting.c: programs of a curve that is shot, false: they cannot be written; its text up to
 * Newton's iteration; points at once, 0: the curve is a polynomial */
bool shooting_prepare(codegen *f, text *why);
void shooting_write(codegen *f);
int  shooting_lanes(const codegen *f);

/* lanes.c: what is different for many members; an operation of theirs */
bool lanes_fit(const codegen *f);
void lanes_write(codegen *f);
void lanes_operation(codegen *f, expr_op op, const char *const *arg);

/* end.c: velocities and energy at a state, for a file of its own. False: too large. */
bool end_write(codegen *f, const compiled *c, const char *title);

/* export_observed.c: outputs and reactions of the model as it was written, likewise. */
bool observed_write(codegen *f, const export_facts *x);

/* Is a step tried without Newton's matrix first? */
static inline bool iterates_first(const codegen *f)
{
    return f->fixed_point || f->by_rates;
}

static inline bool is_phase(const codegen *f, int i)
{
    return f->eq->phase_number[i] >= 0;
}

/* Is coordinate i a state, sampled by l_nu + u_nu? */
static inline bool of_state(const codegen *f, int i)
{
    return is_state(f->eq, i);
}

static inline const samples *samples_of(const codegen *f, point_set set)
{
    const samples *const of[] = {&f->eq->rule, &f->eq->force, &f->eq->control, &f->eq->gauss};
    return of[set];
}

#endif
