/* bent.h - directions without inertia that relations, time or the state bend.
 *
 * Their velocities and the reactions of the relations that they meet are multipliers of index 2, so
 * a step ends, and begins, with a move along the columns of these multipliers:
 *
 *     q_1 = q^- + x,   p_1 = p^- + B x + sign A_G^T mu,   x = sign X xi,   B = L_qv + f_v
 *     (a) L_v(t,q,v) - A_L^T nu + Y sigma = p                   n
 *     (b) A v + beta = 0                                        M
 *     (c) N^T (L_q + f - L_vq v - L_vt + A_G^T lam) = 0         k
 *     (d) g_G(t,q) = 0                                          r_G
 *     (e) v_j = v_ref_j, coordinates j that stand for R         k_S           theory.md [BENT]
 *
 * at the end of a step, for v, nu, lam, sigma, xi and mu together. A Hamiltonian coordinate has its
 * momentum w among the unknowns: w - A_L^T nu = p in (a), and v = -Lambda_w behind (e). A state has
 * g - z' = 0 in (a). Relations are of two kinds:
 * G, which meet directions without inertia and leave some of them free, act inside the step; L, all
 * others, act at its nodes. N spans the null space of [L_vv; A_L], X that of [L_vv; A_L; W_G] with
 * the velocity relations W_G of kind G, V that of [L_vv; A]; Y and R are the directions in V along
 * which no velocity makes a force, and by which it makes none. */
#ifndef MECH_BENT_BENT_H
#define MECH_BENT_BENT_H

#include "base/diag.h"
#include "linalg/fixed_pivots.h"
#include "linalg/solver.h"
#include "mech/equations/row_changes.h"
#include "mech/solve/predict.h"
#include "model/system.h"

/* Bases, as rows of n, and the matrices whose null spaces they are. */
typedef struct {
    fixed_pivots of_N, of_X, of_V, of_left, of_right, of_now;
    double      *stack, *D, *Y, *R; /* [L_vv; A_L; W_G; the rest of A]; V^T (L_qv - L_vq + f_v) V */
    double       nothing;           /* what is no entry of D                                      */
} bent_bases;

/* The end solve: unknowns w, nu, lam, sigma, xi, mu, velocities of Hamiltonian coordinates, and
 * where they begin. */
typedef struct {
    int     at_nu, at_lam, at_sigma, at_xi, at_mu, at_phase, size;
    double *y, *r, *step;
    int    *velocity; /* of each coordinate: the unknown that it is   */
    pattern J;
    double *values;
    solver *lu;
    double *q, *v, *x, *v_ref, *room; /* n: where it is, and the move             */
    double *column;                   /* one of the matrix                            */
    double  size_q, apart;            /* the largest position; how far x was from X xi */
    double *weights[2];               /* of the curvature in (a), and in (c)          */
    double *curvature;                /* entries of K: that of (c)                    */
    double *Cq, *Cv;                  /* entries of K: d(B x)/dq, d(B x)/dv           */
    double *turning, *room_K;         /* entries of K, where N turns: what (c) gains   */
    double *pivots, *c, *c_L;         /* by its pivots: n and M weights of L_vv and A_L */
} bent_end;

/* Reactions at a state: a, lam, tau. */
typedef struct {
    pattern J;
    double *values, *r;
    solver *lu;
} bent_reaction_matrix;

/* The curve of a step is solved for together with its end, where the beginning moves. */
typedef struct {
    double    *first;    /* dq, dp at the beginning, of each of (xi, mu)            */
    double    *response; /* unknowns of the curve: their correction; by (xi, mu)    */
    double    *carried;  /* dq^-, dp^-, and dv of the curve's end                   */
    history   *before;   /* ends of the last steps, of each substep                 */
    double    *dq, *dp;  /* the move at one end                                     */
    double    *w_end, *v_end, *lam_end; /* velocity and reactions there                    */
    double    *p;       /* of a start                                              */
    double    *low;     /* 2 n: lower parts of q^- and p^-                         */
    dal_status failed;  /* why there was no end                                    */
    double     stride;  /* the largest increment of late                           */
    bool       changed; /* k_S is another one where the step ended                 */
} bent_pass;

typedef struct {
    mem        *own; /* everything is in it */
    dal_system *sys;
    sys_rates  *rates;                  /* NULL: third derivatives are not known, and left out */
    int         n, M, k, kx, kv, stiff; /* relations; dim N, X, V; k_S                  */
    int         phases;                 /* Hamiltonian coordinates                      */
    int         inner, positions;       /* relations of kind G; the holonomic among them */
    uint8_t    *inside;                 /* of each relation: it is of kind G             */
    int        *number;                 /* of each relation, in its kind                 */
    bool        turns;           /* the kernel of L_vv turns with the state                      */
    bool        straight, ready; /* N, X and V stay as they are; they are known  */
    bool        felt;            /* a move at the beginning is: it is made at both ends           */
    bool        poor;            /* pivots have become poor ones                                  */
    bool        drags;           /* B turns with the state, and it is known how                   */
    sys_values  out;
    sys_change  rate, turned[2];
    double     *still; /* n zeros */

    bent_bases           along;
    bent_end             end;
    bent_reaction_matrix reactions;
    bent_pass            pass;
    row_changes          row; /* of the curve */

    /* the state that was accepted last: velocity, reactions of kind G, momentum where none can be
     */
    bool    known;
    double *w, *v, *lam, *sigma;
} bent_moves;

/* Has coordinate i a momentum of its own, or no momentum at all? Neither is a direction without
 * inertia. */
static inline bool bent_is_phase(const dal_system *sys, int i)
{
    return sys->hamiltonian && sys->hamiltonian[i];
}
static inline bool bent_is_state(const dal_system *sys, int i)
{
    return sys->state && sys->state[i];
}
/* L_ww at an entry of row i of K, as directions without inertia see it. */
double bent_inertia(const dal_system *sys, const sys_values *out, int i, int e);

typedef enum {
    BENT_NOT, /* present directions, if any, stay as they are                     */
    BENT_FITS,
    BENT_REFUSED, /* they bend, and there is no step for them: `why` says so          */
} bent_kind;

/* What is known before one looks: BENT_BY_DRAG, that coefficients L_qv and f_v of velocities vary
 * somewhere; along these directions both must, to bend them. */
typedef enum { BENT_PERHAPS, BENT_BY_DRAG, BENT_SURELY } bent_hint;

/* components.c: sorts relations and counts directions at (t, q, v); everything is allocated. */
bent_kind bent_find(mem *m, dal_system *sys, const sys_point *at, bent_hint hint, bent_moves **out,
                    text *why);
void      bent_free(bent_moves *b);
/* Why damping, states or relations that hold them do not go with it, by the fields at hand; NULL:
 * they do. */
const char *bent_beside(bent_moves *b);
/* The same of directions that do not bend, all of whose relations act at the nodes. NULL: they are
 * others nearby. */
bent_moves *bent_straight(mem *m, dal_system *sys, const sys_point *at);

/* Does B = L_qv + f_v vary? */
bool bent_drag_varies(const dal_system *sys);

/* bases.c: chooses pivots at a state; false: the dimensions are others there. */
bool bent_choose(bent_moves *b, const sys_point *at);
/* N, X, V, Y, R from the fields at hand; false: these pivots do not serve there. */
bool bent_find_bases(bent_moves *b);
/* The relation in a row of the stack; -1: it is one of L_vv. */
int bent_relation_of(const bent_moves *b, int row);
/* Is k_S what it was, by the fields at hand? */
bool bent_keeps_kinds(bent_moves *b);
/* Everything at (t, q, v); false: there is no value. */
bool bent_evaluate(bent_moves *b, unsigned want, const sys_point *at);

/* A state in two parts. */
typedef struct {
    double        t;
    const double *q, *q_low, *p, *p_low;
} bent_state;

/* A correction of the end: by how much it changes xi, velocities relative to their size, and the
 * way that they would lead in a step. */
typedef struct {
    double moved, speed, way;
} bent_correction;

/* end.c: the end solve from (q^-, p^-), of a step that begins unmoved. v_end holds a guess, and the
 * reference of (e); lam_end a guess. Then they are those of the end, dq and dp the moves, and y has
 * xi and mu from at_xi on. */
dal_status bent_solve(bent_moves *b, const bent_state *from);

/* Do these equations determine the state there? True also where they have no value. */
bool bent_decides(bent_moves *b, const bent_state *from);

/* The same of a state that no step has led to: dq is the move to where it balances, with the
 * velocities v_end where there is inertia, and p the momentum there. */
dal_status bent_balance(bent_moves *b, double t, const double *q);

/* C_q = d(B x)/dq and C_v = d(B x)/dv, x held. */
void bent_turn(bent_moves *b, const sys_point *at, const double *x, double *Cq, double *Cv);

/* d(L_vv x)/dq, x held, at entries of K. */
void bent_turn_inertia(bent_moves *b, const sys_point *at, const double *x, double *to);

/* Its pieces: what (xi, mu) do at the beginning, at the state (t, q, v), into `first`; residual and
 * matrix at y; how (a) to (d) change with q^- and p^-; a correction by both; was it the last?; and
 * what was found. */
bool bent_begin(bent_moves *b, const sys_point *at);
bool bent_look(bent_moves *b, const bent_state *from, int sign);
void bent_change(bent_moves *b, const double *dq, const double *dp, double *to);
bool bent_correct(bent_moves *b, bent_correction *made);
bool bent_settled(bent_moves *b, int sign, bent_correction *made, bent_correction before);
void bent_take(bent_moves *b);
void bent_predict(bent_moves *b, const history *before, int sign); /* y, from v_end and lam_end */
int  bent_held(const bent_moves *b, int s);      /* the coordinate of row s of (e) */
int  bent_row_of_Lw(const bent_moves *b, int i); /* of (a), or v + Lambda_w = 0 */

/* curve.c: room for it, of a step by these equations. */
void bent_join(bent_moves *b, equations *eq, int substeps);
/* One correction of the curve y and of its end: r is the residual, and then the correction of y,
 * not made; from is where y leads. */
bool bent_correct_both(bent_moves *b, const solver *lu, double *r, const bent_state *from, int sign,
                       bent_correction *made);

/* reactions.c: of all relations, and dv/dt but for what lies along V, unless it is NULL. */
bool bent_reactions(bent_moves *b, const sys_point *at, double *lam, double *rate);

/* velocity.c: velocities along R, which (a) to (d) leave open, from the derivative of (c), where no
 * acceleration enters that; else v stays as it is. */
void bent_settle_velocity(bent_moves *b, double t, const double *q, const double *lam,
                          const double *w, double *v);

#endif
