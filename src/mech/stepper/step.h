/* step.h - one step of a system: (t, q, p)_k -> (t, q, p)_{k+1} by a scheme and a principle. */
#ifndef MECH_STEPPER_STEP_H
#define MECH_STEPPER_STEP_H

#include "base/diag.h"
#include "mech/scheme/method.h"
#include "mech/scheme/scheme.h"
#include "model/system.h"

/* Everything is allocated here; stepper_step allocates nothing. Fails with a sentence in `why` when
 * the scheme cannot handle the system; *out is then NULL. */
dal_status stepper_new(mem *m, dal_system *sys, const scheme *sch, const step_options *o,
                       stepper **out, text *why);
void       stepper_free(stepper *st);

/* Sets the state (start.h makes a consistent one). v may be NULL; it serves the first prediction.
 * To be called again after parameters have changed: nothing that was computed from them is kept.
 * _move: parameters are those of the last call. */
void stepper_set(stepper *st, double t, const double *q, const double *p, const double *v);
void stepper_move(stepper *st, double t, const double *q, const double *p, const double *v);

/* Is the scheme stable along the directions without inertia of the state that was put? Otherwise a
 * sentence in `why`, unless the caller insists. Singular equations are left to the step, which
 * knows their rank.                                                       theory.md [DEGENERATE] */
dal_status stepper_judge(stepper *st, bool insist, text *why);

/* How often the equations of a substep are usually solved; more than once where it projects at both
 * its ends. */
int stepper_solves(const stepper *st);

/* The order of q and p at the grid points: that of the scheme, as far as the system allows. */
int stepper_order(const stepper *st);

/* Does the kernel of inertia turn under stiffness alone? Then momentum is left along it, as small as
 * the error of a step.                                                      theory.md [BENT] */
bool stepper_turns_massless(const stepper *st);
/* Along directions that bend, under stiffness alone: p holds what the scheme leaves there. */
bool stepper_bends_stiff(const stepper *st);

/* Is there a direction without inertia at the state that was put? The first, in the names of the
 * system. */
bool stepper_massless(const stepper *st, text *direction);

/* Are there some, all along states? */
bool stepper_massless_are_states(const stepper *st);

/* Parameters have changed: are there as many of them? They decide what a step is. Otherwise a
 * sentence in `why`; nothing moves. */
bool stepper_keeps_inertia(stepper *st, text *why);

/* How many numbers of (q, p) such directions leave without freedom: their momenta, and where only
 * stiffness acts their positions too. */
int stepper_bound_numbers(const stepper *st);

/* Has a step passed a place where relations lose rank? Where and when it first did, and the names of
 * these relations; NULL: none has. Engines other than the general one are looked at by
 * stepper_balances. */
const double *stepper_dead_point(const stepper *st, double *t, text *relations);

/* The largest angle by which a rotation or direction has turned in a step so far; 0: there are none. */
double stepper_turned(const stepper *st);

/* How many relations only seem to, since they follow from others. */
int stepper_redundant_numbers(const stepper *st);

/* Where only stiffness acts along a direction without inertia, the forces along it must balance. A
 * state that does not satisfy this is moved to the nearest one that does (true in *moved), or a
 * sentence in `why` says where that is; DAL_SINGULAR: none was found, and the imbalance is
 * large. */
dal_status stepper_balance(stepper *st, bool move, bool *moved, text *why);

/* One step of length h (negative runs backward). On failure the state is unchanged, and `why` says
 * at which time, in which equation the residual is worst, the history of the residual, and what to
 * try. */
dal_status stepper_step(stepper *st, double t, double h, text *why);

/* The energy principle: stepper_step uses its h for the first step only, and then chooses.
 * DAL_BREAKDOWN says that nothing determines the next length; stepper_hold makes it continue with
 * the given h, and stepper_reset repeat the last length once (the given one, if the last step was a
 * reset too), whose energy is conserved from then on.                         theory.md [ENERGY] */
void   stepper_hold(stepper *st);
void   stepper_reset(stepper *st);
double stepper_length(const stepper *st);          /* of the last step; 0: none was made       */
double stepper_discrete_energy(const stepper *st); /* of the last chord, at its end            */
double stepper_balance_error(const stepper *st);   /* of E_k - E_0 = sum (f.v - L_t)           */
void   stepper_adopt_energy(stepper *st, const stepper *from); /* goes on as that one would */
double stepper_length_noise(stepper *st); /* roundoff of the last length, relative to it    */
/* 2-norm, of the last step, in the papers' unknowns or ours; NaN: undecided */
double stepper_condition(stepper *st, bool papers);
double stepper_error_coefficient(stepper *st, double *noise); /* e, its relative roundoff */
/* e of the midpoint rule at the present state, by its formula; NaN: inertia varies, or it is not
 * defined. What was evaluated at the last curve is lost. */
double stepper_midpoint_coefficient(stepper *st);

/* At the present grid point. v and, with relations, p come from an end solve, made when first asked
 * for (theory.md [END]); they are NaN where it has no solution, and stepper_end says why. */
double        stepper_time(const stepper *st);
const double *stepper_q(const stepper *st);
const double *stepper_p(stepper *st); /* the reported momentum */
const double *stepper_v(stepper *st);
const double *stepper_gradient(stepper *st); /* L_w there */
bool          stepper_lagrangian(stepper *st, double *L); /* false: L is had as well elsewhere */
dal_status    stepper_end(stepper *st, text *why); /* why may be NULL */
const double *stepper_multipliers(stepper *st); /* m + r reactions: theory.md [REACTION]   */
const double *stepper_rates(stepper *st);       /* d w/d t: accelerations, rates of momenta */
bool          stepper_reactions_at(stepper *st, const sys_point *at, double *lam,
                                   double *rate); /* at any point */

/* The curve of the last step (of its last part, if it is composed) at the points where something
 * was sampled:
 *     integral of x dt = sum weight x,   p^- = sum end_w L_w + end_q (L_q + f) + end_d D
 *                                                                            theory.md [GALERKIN]
 * Valid until the next step; where forces have no rule of their own both are the same points. */
typedef struct {
    const sys_point *at;
    double           weight, end_w, end_q, end_d;
} curve_point;
/* POINTS_OF_RELATIONS, where A v + beta = 0: who will ask for them says so before the first
 * step. */
typedef enum { POINTS_OF_L, POINTS_OF_FORCE, POINTS_OF_RELATIONS } curve_points;
void        stepper_prepare_points(stepper *st);
/* Positions where L is sampled on the last curve, for who wants no more: how many, and each with its
 * weight. */
int           stepper_place(stepper *st);
const double *stepper_placed(const stepper *st, int i, double *weight);
int         stepper_points(stepper *st, curve_points of);
curve_point stepper_point(stepper *st, curve_points of, int i);

/* Is called after every curve, also of those that make up a composition; then its points can be
 * read. NULL: none. */
void stepper_watch(stepper *st, void (*watch)(void *self, stepper *st), void *self);

/* Of the last step, for diagnostics. */
double stepper_work(const stepper *st);            /* h sum b_i f.v                              */
typedef struct {
    double power;      /* of the discrete balance; NaN: there is none */
    double membership; /* in the discrete Dirac structure             */
    double momentum;   /* along directions without inertia: |U sigma| */
} step_balances;       /* what is left of each: roundoff              */
step_balances stepper_balances(stepper *st);
typedef struct { /* of sys->eval, in every step */
    unsigned want;
    int      points;
} step_request;
enum { STEP_REQUESTS = 8 };
int stepper_requests(const stepper *st, step_request out[STEP_REQUESTS]); /* workload.c; how many */
/* Of small systems: how often a step makes these requests, what it takes besides them, and what
 * compilers take for a whole step besides its operations; about. */
int    stepper_evaluations(const stepper *st);
double stepper_own_ns(const stepper *st);
double stepper_dense_ns(const stepper *st);   /* the same with a dense matrix */
bool   stepper_eliminates(const stepper *st); /* multipliers alone, or with little fill */
double stepper_compile_seconds(const stepper *st);

const newton_statistics *stepper_statistics(const stepper *st);
const char *stepper_solver(const stepper *st);     /* "diagonal", "dense", ...                   */
const char *stepper_solver_used(const stepper *st); /* the one that it was left to                */
bool        stepper_iterates(const stepper *st);    /* the solver does: nothing is factored       */
void        stepper_print_solver(const stepper *st, text *out); /* "klu: sparse LU ..."          */
bool        stepper_explicit(const stepper *st);
bool        stepper_keeps_jacobian(const stepper *st); /* over steps (broyden.c)             */
bool        stepper_simplifies(const stepper *st);     /* its corrections (simplified.c)     */
bool        stepper_linear(const stepper *st);     /* constant Jacobian: factored once           */

#endif
