/* stepper.h - the inside of a stepper, for the files that make its steps and report on them. */
#ifndef MECH_STEPPER_STEPPER_H
#define MECH_STEPPER_STEPPER_H

#include "base/thread_pool.h"
#include "mech/bent/bent.h"
#include "mech/degenerate/degenerate.h"
#include "mech/end/end.h"
#include "mech/energy/adaptive.h"
#include "mech/project/algebraic.h"
#include "mech/project/primary.h"
#include "mech/solve/newton.h"
#include "mech/solve/predict.h"
#include "mech/start/legendre.h"
#include "mech/stepper/compiled_step.h"
#include "mech/stepper/engine.h"
#include "mech/stepper/explicit.h"
#include "mech/stepper/parts.h"
#include "mech/stepper/picard.h"
#include "mech/stepper/roughest.h"
#include "mech/stepper/step.h"
#include "mech/stepper/symmetric_projection.h"

#include <math.h>

typedef struct leapfrog leapfrog; /* large/leapfrog.h */

typedef struct {                    /* along directions without inertia, U */
    algebraic            algebraic; /* balance where only stiffness acts                      */
    bent_moves          *straight;  /* the same where forces hold velocities of others, or NULL */
    algebraic            start;     /* both, by moves of q alone: of a start                  */
    primary              primary;   /* p as a function of q                                   */
    symmetric_projection ends;      /* the same at both ends of a step                        */
    bent_moves                *bent;      /* NULL: they do not bend                                 */
    const char          *unbent;    /* they bend, and this is why no step follows them; or NULL */
    bool                 projects;  /* the state is moved after every step                    */
    bool                 singular;  /* the scheme alone decides nothing                       */
    const double        *turning;   /* or NULL: one of U that has inertia at other velocities */
} massless_moves;

typedef struct { /* that a step has passed */
    redundancy           *of;
    const relation_group *group; /* which loses rank there; NULL: none has */
    double                t, *q;
} dead_point;

typedef struct {                 /* at the present grid point, computed on demand */
    unsigned   known;            /* which are those of now: 0 as soon as the state moves */
    dal_status reached;          /* how the end solve ended                              */
    double    *w, *v, *reported, *nu, *sigma, *lam, *rate;
    const double *gradient; /* L_w at v: p, or `reported`                        */
    double        L;        /* at v, where the end solve gives it                */
} node_values;
enum {
    KNOWN_END = 1,
    KNOWN_REACTIONS = 2,
    KNOWN_KICK = 4,
    KNOWN_L = 8
}; /* v, p, nu, sigma; lam, rate; kicked; L */

typedef struct {
    int    width;   /* numbers in q, p and their low parts: n, and what rotations have behind them */
    double most;    /* the largest angle of a rotation in a step                                   */
    int    too_far; /* the rotation that a step turned too far; -1: none                           */
} turning_facts;

typedef struct {
    void (*tell)(void *self, stepper *st); /* of every curve of a step ... */
    void *self;
    bool  asked; /* ... where somebody asks, and none is only tried */
} curve_watch;

/* The papers' (-) momentum, where it is asked for. */
typedef struct {
    double *ahead; /* unknowns of the next step */
    double *kicked;
} kick_ahead;

/* Momenta at the points of relations. */
typedef struct {
    legendre *of;    /* NULL: unasked, or all are velocities */
    bool      known; /* of the last curve                    */
} point_momenta;

struct stepper {
    /* what the steps are of: the system, the scheme and the options */
    mem         *m;
    dal_system  *sys;
    scheme       sch;
    step_options options;

    /* how they are made: the general solve, the special ones, and what has come before */
    equations      eq;
    newton         nw;
    explicit_steps explicitly;
    picard         picard;
    const engine  *engine; /* NULL: the general one                             */
    compiled_step *compiled; /* NULL: the step is not compiled as a whole         */
    adaptive      *energy; /* NULL: h is given                                  */
    thread_pool   *pool;   /* NULL: one thread                                  */
    leapfrog      *leapfrog; /* NULL: explicit steps are made by explicit.c       */
    history       *history;  /* one per substep                                        */
    smaller_parts  parts;     /* where a solution is doubted                            */
    double         history_h; /* length of the step they belong to                      */
    double   *y;      /* unknowns of the last substep: own_y, or in the history      */
    double   *own_y;

    /* the state: q = q + q_low, p = p + p_low. What is carried is p^-, theory.md [CONSTRAINED];
     * only p modulo im A^T matters, so the projected p is computed when it is asked for. */
    double        t;
    double       *q, *q_low, *p, *p_low;
    double       *q0, *q0_low, *p0, *p0_low; /* at the beginning of the last substep    */
    double       *saved;                     /* and of a step of several: 4 turn.width  */
    const double *last;                      /* unknowns of the last curve; NULL: none  */
    double        last_h;
    double       *slope; /* room for stepper_slope; v at the start  */
    double       *dp;
    double        work;           /* of the last step                        */
    kick_ahead    papers;
    bool          stepped; /* y belongs to the present state          */

    node_equations grid; /* what is reported, computed on demand    */
    massless_moves massless;
    node_values    node;

    dead_point dead;
    roughness  rough;

    turning_facts turn;
    point_momenta momenta;

    curve_watch watch;
};

/* Charts of rotations are centred where the state is, but within a step. */
void stepper_look(const stepper *st);

/* The state is another: what is reported of it has to be computed anew. */
static inline void stepper_moved(stepper *st)
{
    st->node.known = 0;
}

/* Do solutions of the steps before predict one of this length? Lengths that follow a pace are a
 * smooth function of the number of the step, and so are the solutions. */
static inline bool stepper_goes_on(const stepper *st, double h)
{
    return fabs(h - st->history_h) <= 1e-9 * fabs(h) || (st->options.paced && h * st->history_h > 0);
}

/* step.c: to = x + dx, in two parts unless sums are plain. */
void advance(double *restrict to, double *restrict to_low, const double *restrict x,
             const double *restrict low, const double *restrict dx, int n, bool plain);

/* project.c: is the state moved after every step, along directions without inertia? */
static inline bool stepper_projects(const stepper *st)
{
    return st->massless.projects;
}
/* And along directions that neither turn nor hold velocities of others, written out in full? */
bool stepper_projects_plainly(const stepper *st);
void stepper_project(stepper *st, double t, const double *v); /* v: slope at the end */
void stepper_moves(const stepper *st, double *x, double *low, const double *by); /* x += by */

/* step.c: one step by the general engine, whatever the stepper's own is. */
dal_status stepper_general(stepper *st, double t, double h, text *why);

/* step.c: the pattern of the equations is another one: Newton's iteration begins anew. */
void stepper_new_matrix(stepper *st);

/* step.c: the equations of a substep from the present state; the state becomes the one before. */
void stepper_begin_step(stepper *st, double t, double h, bool mirrored);
void stepper_swap(stepper *st);
void stepper_save(stepper *st, bool back); /* the state, or back to it */

/* step.c: one curve from the present state; `before` are its solutions before, or NULL. */
bool stepper_substep(stepper *st, double t, double h, bool mirrored, history *before);

/* Evaluates the sample points of the last curve, for those who read them, if no step has. */
void stepper_complete(stepper *st);

/* guess.c: unknowns of the next substep by v_scale times the slope; `before` may be NULL. */
void          stepper_guess(stepper *st, const history *before, double v_scale, double *y);
const double *stepper_slope(stepper *st);
const double *stepper_kicked(stepper *st);

/* The papers' momenta: p_k before the kick for dirac+, after it for dirac-. What a step carries is
 * the one before the kick in the direction it runs in, the other looks ahead. theory.md [DIRAC] */
static inline bool stepper_looks_ahead(const stepper *st)
{
    const bool forward = st->history_h >= 0, plus = st->options.principle == DIRAC_PLUS;
    return st->options.momentum == MOMENTUM_PAPERS && st->eq.relations && forward != plus;
}

/* bent_step.c: where an end solve begins, with these velocities and the present momenta. */
void bent_guess(const stepper *st, bent_moves *b, const double *v);
/* One curve with a move at both ends, along directions that bend; its solution. */
bool       bent_follow(stepper *st, const history *before, double *y);
bool       bent_substep(stepper *st, double t, double h, bool mirrored, history *before);
bool       bent_reach(stepper *st, bool *balanced); /* velocity and reactions of the present state */
void       bent_adopt(stepper *st);                 /* moves it to where it balances              */
dal_status bent_explain(const stepper *st, text *why);

/* dead_point.c */
void dead_point_init(stepper *st);
void dead_point_note(stepper *st);
void dead_point_explain(stepper *st, text *why); /* of a step that failed */

/* reaction_stiffness.c: adds to a message that reactions oscillate faster than the step resolves,
 * and the bound on the step. */
double reaction_stiffness_explain(stepper *st, text *why); /* a step that is stable; 0: it is */

/* shorter.c: what to try where a step of length h failed, by trying what can be solved from its state.
 * stable: the longest step that a reason which was told allows; 0: no reason is known. */
void shorter_step_advise(stepper *st, double t, double h, double stable, text *why);

void       report_init(stepper *st); /* report.c */
void       report_find_massless(stepper *st);
bool       report_write_out(stepper *st); /* U in full, where it is coordinates; false: too large */
void       report_free(stepper *st);

#endif
