/* system.h - what a system is to the methods: functions of (t, q, w) with fixed sparsity.
 *
 *     Lambda(t,q,w) = L - H        f(t,q,w)        e = A(t,q) v + beta(t,q) = 0        g(t,q) = 0
 *
 * D is that part of f which is damping: who asks for forces gets all of them in f.
 *
 * w_i is the velocity v_i of a Lagrangian coordinate and the momentum p_i of a Hamiltonian one, so
 * that one residual serves both (docs/theory.md [PHASE]). Rows 0 .. m-1 of e are velocity
 * constraints, rows m .. m+r-1 are the holonomic ones in their velocity form G v + g_t. A model
 * compiled from text fulfils this interface; so does a struct of C callbacks from a user's program.
 * The methods cannot tell them apart. */
#ifndef MODEL_SYSTEM_H
#define MODEL_SYSTEM_H

#include "base/text.h"
#include "dalembert.h"
#include "linalg/solver.h"
#include "model/turning.h"

#include <stdint.h>

/* Fields that live on the pattern K (n x n, symmetric, with a full diagonal). Entry (i,j): */
typedef enum {
    F_LQQ, /* d2 Lambda / dq_i dq_j                              */
    F_LQW, /* d2 Lambda / dq_i dw_j   (L_wq is its transpose)    */
    F_LWW, /* d2 Lambda / dw_i dw_j                              */
    F_FQ,  /* d f_i / dq_j                                       */
    F_FW,  /* d f_i / dw_j                                       */
    F_CURV,/* sum_a lam_a d A_ai / dq_j                          */
    F_DQ,  /* d D_i / dq_j, of a system that is damped           */
    F_DW,  /* d D_i / dw_j                                       */
    F_COUNT
} field;

enum { FIELD_ZERO, FIELD_CONSTANT, FIELD_VARIES }; /* constant: in t, q and w */

enum {                  /* what an evaluation is asked for                                        */
    WANT_L = 1,         /* L: the value of Lambda (p.v - H has its p.v added by the methods)      */
    WANT_GRADIENT = 2,  /* Lq, Lw                                                                 */
    WANT_HESSIAN = 4,   /* Lqq, Lqw, Lww                                                          */
    WANT_FORCE = 8,     /* f, D                                                                   */
    WANT_FORCE_JACOBIAN = 16, /* fq, fw, Dq, Dw                                                   */
    WANT_TIME = 32,     /* Lt, Lqt, Lwt, Ltt, ft                                                  */
    WANT_RELATIONS = 64,   /* e, A                                                                */
    WANT_HOLONOMIC = 128,  /* g                                                                   */
    WANT_RELATIONS_JACOBIAN = 256, /* eq, et, curvature (with lam)                                */
    WANT_MOMENTA = 512, /* Lw alone; WANT_HESSIAN is Lww alone then. Of selective systems         */
};

typedef struct {
    double        t;
    const double *q, *w; /* n each                                                       */
    const double *v;     /* velocities, for the relations; equals w where nothing is Hamiltonian */
    const double *lam;   /* m + r: weights of the curvature; NULL counts as 0            */
    const double *inner; /* the unknowns of implicit forces there, if they are known     */
    const double *base;  /* matrices of the rotations on which charts are centred; NULL: now's */
    bool          still; /* only charts move there: bodies do not, so that A has no derivatives ... */
    bool          known; /* ... and in body axes it is what it was when it was evaluated last */
} sys_point;

/* Implicit forces depend on unknowns u of their own: f = f(t,q,w,u) with c(t,q,v,w,u) = 0. f_q, f_w
 * and f_t are then those with u held fixed, and the rest of their derivatives is here. */
typedef struct {
    int     size;      /* of u and c                                                */
    pattern of_u;      /* size x size: c_u                                          */
    pattern of_state;  /* size x n: c_q; c_v; c_w, in Hamiltonian columns (of others v is w) */
    pattern force;     /* n x size: f_u                                             */
    bool    constant;  /* none of them changes                                      */
} sys_inner;
typedef struct {
    double *u;
    double *c_u, *c_q, *c_v, *c_w, *f_u; /* entries of the patterns; with WANT_FORCE_JACOBIAN */
    double *c_t;                         /* with WANT_TIME; NULL: not wanted                  */
} inner_values;

typedef struct { /* where results go; only what is wanted is touched, all of it is overwritten */
    double  L, Lt, Ltt;
    double *Lq, *Lw, *f;        /* n                                    */
    double *D;                  /* n, of a system that is damped        */
    double *on_K[F_COUNT];      /* entries of K                         */
    double *Lqt, *Lwt, *ft;     /* n: derivatives of Lq, Lw, f in t     */
    double *e, *et;             /* m + r                                */
    double *A, *eq;             /* entries of A: d e/d v, d e/d q       */
    double *g;                  /* r                                    */
    inner_values inner;         /* of implicit forces                   */
    struct chart_values *base;  /* of rotations: how all this changes with the base of their charts
                                   (model/charts.h); NULL: not wanted                  */
} sys_values;

/* The functions of an unconstrained Lagrangian system on power series (kernel/jet.h), in 2n
 * directions. The caller fills in t, q, w; the results stay in the interpreter until the next
 * evaluation. */
typedef struct sys_jets {
    struct jet_interpreter *interpreter;
    double             *t, **q, **w;        /* n series each                   */
    const double      **force, **Lw, **Lww; /* L_q + f and L_w: n, L_ww: n x n */
    void               *self;
    void              (*eval)(struct sys_jets *j, int degree, bool second);
} sys_jets;

/* How everything changes with t, parameters and inputs, in one direction of these, at a point whose
 * q, w, v and lam are held fixed. */
typedef struct {
    double        t;
    const double *parameter, *input; /* NULL counts as 0 */
} sys_direction;
typedef struct {
    double *Lq, *Lw, *f; /* n                       */
    double *D;           /* n; NULL: not wanted     */
    double *e, *g;       /* m + r, r                */
    double *reaction;    /* n: of sum_a lam_a A_ai  */
    double *inner;       /* of implicit forces: c   */
    double *L, *Lt;      /* one number each; NULL: not wanted */
    double *Lqq, *Lqw, *Lww, *fq, *fw; /* entries of K: by rates only, as are ... */
    double *A, *eq;      /* ... entries of A        */
    double *eta, *reaction_eta; /* n: of L_eta + f_eta and of A_eta^T lam, where something turns */
} sys_change;
typedef struct sys_variation {
    void *self;
    void (*eval)(void *self, const sys_point *at, const sys_direction *along,
                 const sys_change *out);
    bool tells_energy; /* L and Lt are among what it gives */
} sys_variation;

/* How momenta and relations change along a motion with q' = v and these w', v', and their
 * derivatives with that:
 *     d/dt L_w = L_wt + L_wq v + L_ww w',  d/dt e = e_t + e_q v + A v',  d/dt of L_qw, L_ww, A, e_q
 * and of L_q, f and their derivatives, if there is room for them. vary: how those of L_w, e, L_q
 * and f change again with t, parameters and inputs, the motion staying as it is. */
typedef struct {
    const double *w, *v; /* rates of these */
} sys_motion;
typedef struct sys_rates {
    void *self;
    void (*eval)(void *self, const sys_point *at, const sys_motion *by, const sys_change *out);
    void (*vary)(void *self, const sys_point *at, const sys_motion *by, const sys_direction *along,
                 const sys_change *out);
} sys_rates;

/* Evaluates `count` points in one call; non-zero: a callback failed, and says why in its own way.
 */
typedef int sys_eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out);

/* The same over ranges of rows, for a method that makes its points and uses the results while the
 * evaluation goes on. place: rows from .. to - 1 of q, w and v are about to be read (some of them
 * are announced twice); take: these rows of the results over n and K (but for derivatives in t) are
 * complete, each once, in ascending order. */
typedef struct {
    void *self;
    void (*place)(void *self, int from, int to);
    void (*take)(void *self, int from, int to);
} sys_ranges;

/* `turns` evaluations of `count` points each, with by[turn]. Rows that a turn places may be made of
 * those that the turn before has taken, and go where the turn before that had its own: where rows
 * are joined to their neighbours only, turns follow each other at a distance, in cache. */
typedef int sys_eval_ranges(void *self, unsigned want, int turns, int count, const sys_point *at,
                            sys_values *out, const sys_ranges *by);

/* For messages: "x", "first.x2"; "rod", "constraint (chain.dal:17)". */
typedef void sys_name(const void *self, int index, text *out);

typedef struct dal_system {
    int            n, m, r;
    const uint8_t *hamiltonian;       /* n flags; NULL: all Lagrangian                          */
    pattern        K;                 /* n x n                                                  */
    const int     *transpose;         /* entry (j,i) of each entry (i,j) of K                   */
    const uint8_t *present[F_COUNT];  /* per entry of K: may the field be non-zero there?       */
    uint8_t        varies[F_COUNT];   /* FIELD_ZERO, FIELD_CONSTANT, FIELD_VARIES               */
    pattern        A;                 /* (m + r) x n                                            */
    bool           constant_A;        /* A does not depend on t, q                              */
    bool           relations_free_of_q; /* e does not depend on q (set it only if sure)         */
    bool           autonomous;        /* nothing depends on t or on an input                    */
    bool           timed;             /* t or an input stands in L or H                         */
    bool           driven;            /* t stands in L_q or f, not in L_w or f_w; no input does */
    bool           forced;            /* some f is not identically 0                            */
    const turning *turns;             /* coordinates that are no numbers; NULL: none            */
    struct charts *charts;            /* through which they are seen; NULL: q is numbers, then
                                         matrices, and w the spin in body axes                  */
    const uint8_t *damped;            /* n flags: D may be other than 0; NULL: there is none    */
    const uint8_t *state;             /* n flags: f = g - z' is all of its row; NULL: of none   */
    bool           jumps;             /* some sign, floor or condition depends on the state     */
    bool           kinks;             /* or a derivative does, as that of abs, min and max      */
    bool           redundant; /* some relations follow from others; set by who has found it */
    bool           rheonomic;         /* some beta or g_t is not identically 0                  */
    bool           inputs_move; /* some g holds an input, whose rate its velocity form needs    */
    bool           selective;         /* an array of results may be NULL: then it is not computed */
    bool           local;             /* turns of eval_ranges follow each other in cache        */
    int            tied;              /* coordinates taken out with their ties; for messages   */

    void     *self;
    sys_eval *eval;
    sys_eval_ranges *eval_ranges; /* NULL: eval does all rows at once */
    sys_name *coordinate_name, *relation_name;
    /* a value was not finite: names the expression of the user and its place. May be NULL. */
    bool (*nonfinite_source)(void *self, const sys_point *at, text *out);
    /* for curves that are shot: room for series up to tau^degree. NULL, or the member is: `why`
     * ends a sentence that begins with what cannot be had */
    sys_jets *(*jets)(void *self, mem *m, int degree, text *why);
    sys_variation *(*vary)(void *self, mem *m); /* NULL: only q and w are known to matter */
    sys_rates *(*rates)(void *self, mem *m);    /* NULL: not known                        */
    const sys_inner *inner;                     /* NULL: forces are functions of t, q, w  */
} dal_system;

/* By ranges, if the system has any. Who is told comes by value, so that a compiler sees the
 * functions to be called and small systems pay nothing. */
static inline int sys_eval_in_turn(const dal_system *sys, unsigned want, int turns, int count,
                                   const sys_point *at, sys_values *out, const sys_ranges *by)
{
    int bad = 0;
    if (sys->eval_ranges) return sys->eval_ranges(sys->self, want, turns, count, at, out, by);
    for (int k = 0; k < turns && !bad; k++, by++, at += count, out += count) {
        by->place(by->self, 0, sys->n);
        bad = sys->eval(sys->self, want, count, at, out);
        if (!bad) by->take(by->self, 0, sys->n);
    }
    return bad;
}

/* An array of results, of which there need be none where nobody reads it. */
static inline double *sys_room(mem *m, const dal_system *sys, bool read, int count)
{
    return read || !sys->selective ? mem_array(m, count, double) : NULL;
}

#endif
