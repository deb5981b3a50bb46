/* equations.h - the equations of one step on one curve: unknowns, residual, exact sparse Jacobian.
 *
 *     y = (Z^1 .. Z^d, lam^0 .. lam^{d-1}, P^1 .. P^s)                      theory.md [CONSTRAINED]
 *     R_nu = delta_{nu 0} p_0 + G_nu + h w_nu A(t_nu, Q^nu)^T lam^nu         nu = 0 .. d-1
 *     G_nu = sum_i b_i [l'_nu L_w + h l_nu (L_q + f) - h u_nu D]^i           theory.md [DAMPING]
 *     C_k  = W v + b at the Gauss(d) points,  D_k = g(t_k, Q^k)/h            k = 1 .. d
 *            + h w_{k-1} P lam^{k-1} in both, where relations are redundant  theory.md [REDUNDANT]
 *     R_nu + h sum_i b_i l_nu(c_i) A(t_i, q^i)^T lam^i,  g(t_i, q^i)/h at the Gauss points instead,
 *            of relations that meet directions without inertia                 theory.md [BENT]
 *     b_i h (v^i + Lambda_w^i) = 0 for Hamiltonian coordinates               theory.md [PHASE]
 *
 * Blocks may be empty: without relations and Hamiltonian coordinates only the Z are left.
 * Equations are numbered like the unknowns (R_{nu-1} like Z^nu, C and D like lam, the phase
 * rows like P). */
#ifndef MECH_EQUATIONS_EQUATIONS_H
#define MECH_EQUATIONS_EQUATIONS_H

#include "mech/equations/by_rows.h"
#include "mech/redundant/redundant.h"
#include "mech/scheme/method.h"
#include "mech/scheme/scheme.h"
#include "model/system.h"

/* Points of the curve where the system is evaluated. Index [1] is the curve run backward: its
 * points are mirrored, so that a step of length -h undoes the step of length h whatever the
 * quadrature. */
typedef struct {
    int         count;
    double     *x[2];  /* abscissas in [0, 1]                                   */
    basis       at[2]; /* l_nu, l'_nu there                                     */
    double     *slope; /* l'_nu/h, for the present step                         */
    double     *b;     /* weights                                               */
    double     *q, *v; /* count * n                                             */
    double     *w;     /* v, with momenta in the places of Hamiltonian coordinates */
    sys_point  *point;
    sys_values *out;
    sys_values *anew; /* the same without the fields that do not change; NULL: all are evaluated */
    sys_values *forces; /* `out` without L_w, where that can be left out */
} samples;

/* One summand of a Jacobian block: base * h^power * field. */
typedef struct {
    const double *field;
    double        base[2];
    int           power;
} term;

/* Entries of the Jacobian with the same summands: entry[e] of K or A goes to place[e] of J,
 * e from `first` on. */
typedef struct {
    int  first, count;
    int  entry, place; /* of the first */
    int  first_term, terms;
    bool constant;
    bool in_order; /* entries are consecutive            */
    bool straight; /* and so are the places they go to   */
} block;

/* The Jacobian as sums of fields, laid out once. */
typedef struct {
    int     blocks, terms;
    block  *block;
    term   *term;
    double *coefficient;   /* base * h^power of each term                              */
    int    *entry, *place; /* NULL: every block is straight                            */
    bool    primed;        /* its constant fields were evaluated                       */
    bool    filled;        /* values hold the constant blocks for this h               */
    double *identity;      /* 1 on the diagonal of K                                   */
    double *whole;         /* implicit forces: room for unknowns and those of theirs   */
    double *L_wq; /* on K at the points of the rule: the transpose of L_qw; NULL: that is 0 */
} jacobian_sums;

typedef struct shooting        shooting;        /* shooting.h        */
typedef struct retraction_rows retraction_rows; /* retraction_rows.h */
typedef struct turning_rows    turning_rows;    /* turning_rows.h    */

typedef void take_rows(void *self, int from, int to);

typedef struct {       /* of damping and states                              theory.md [DAMPING] */
    double *at[2];     /* u_nu at the points of the rule, forward and backward; NULL: unused     */
    int     states;    /* coordinates that are sampled with l_nu + u_nu: how many, which         */
    int    *state_list;
    const upwind_end *end; /* p^- without what cancels in it; NULL: no damping             */
} upwinding;

typedef struct {                 /* what evaluations ask for                             */
    unsigned residual;           /* of the rule's points                                 */
    unsigned jacobian, constant; /* besides: with every Jacobian, and with the first one */
    unsigned relation;           /* WANT_RELATIONS_JACOBIAN, if something varies         */
} eval_wants;

/*     R_nu = sum_i w L_w + q L_q + f f + d D,   by rows nu */
typedef struct {
    double *w, *q, *f, *d; /* d NULL: nothing is damped */
} row_weights;

struct equations {
    /* what is solved for, and how its curve is made */
    dal_system      *sys;
    by_rows         *rows;       /* NULL: the system is evaluated as a whole                 */
    shooting        *shot;       /* NULL: the curve is a polynomial; else see shooting.h      */
    redundancy      *redundant;  /* NULL: the relations are independent                       */
    retraction_rows *along;      /* NULL: constraints are taken on the curve itself           */
    turning_rows    *turn;       /* NULL: all coordinates are numbers                         */
    const uint8_t   *inside;     /* of each relation: it acts at the Gauss points; NULL: none does */
    double          *lam_at[2];  /* then: multipliers at the nodes, and at the Gauss points   */
    int         n, m, relations; /* relations = m + r                                        */
    int         d, s;            /* degree of the curve, points of the rule                  */
    int         phase;           /* Hamiltonian coordinates: how many, which, their numbers  */
    int        *phase_list, *phase_number;
    int         lam, P, size; /* where the multipliers and the stage momenta begin in y   */

    samples rule, force, control, gauss; /* force.count = 0: f is sampled with L             */
    upwinding upwind;

    bool    single; /* one point, degree one, nothing but coordinates           */
    /* the substep at hand */
    double  t, h;
    int     mirrored;
    row_weights c;
    double *impulse;      /* h w_nu                                                   */

    const double *q, *q_low, *p, *p_low; /* the state, in two parts                          */
    bool          begun; /* A where the step begins was evaluated, and stays as it is            */
    bool balanced; /* the rows R hold: they are affine, and a correction has just solved them  */

    /* the Jacobian: sparsity, entries, and what they are made of */
    pattern  J;
    double  *values;
    jacobian_sums sum;
    bool     diagonal;      /* and is diagonal in shape                                 */
    bool          constant;      /* the Jacobian depends on h alone                          */
    bool          affine;        /* of a chord: the rows R are affine in Z and lam           */
    eval_wants    want;
    double       *zero, *scratch;
};

/* Two sentences in `why` when the scheme cannot take the system. */
dal_status equations_init(equations *eq, mem *m, dal_system *sys, const scheme *sch, retraction how,
                          const retraction_map *map, text *why);

/* Points x of the curve with weights b, at which forces are evaluated. */
void equations_force_samples(equations *eq, mem *m, samples *set, const double *x, const double *b,
                             int count);

/* The system at the points of a set as they stand, without fields that do not change if these are
 * known; not 0: a callback failed. */
int samples_evaluate(const samples *set, const dal_system *sys, unsigned want, bool known);

void equations_set_step(equations *eq, double h, bool mirrored); /* cheap when nothing changed */

/* At the beginning of a step: which combinations of relations vanish there? */
void equations_find_redundant(equations *eq);

void equations_free(equations *eq);

/* Has these relations act at the Gauss points, inside the step, instead of at its nodes. The
 * pattern is another one then. */
void equations_take_inside(equations *eq, mem *m, const uint8_t *inside);

/* x = J^-1 x. Behind the unknowns J has those of implicit forces at their points, and the equations
 * that these always fulfil: so they are carried along, and left out. */
void equations_divide(const equations *eq, const solver *lu, double *x);
static inline int equations_extent(const equations *eq)
{
    return eq->J.rows;
}
static inline const samples *force_points(const equations *eq)
{
    return eq->force.count ? &eq->force : &eq->rule;
}

/* residual.c: r = r(y); with_jacobian also evaluates the fields that equations_fill then gathers.
 * False: a value is not finite, or a callback failed. */
bool   all_finite(const double *x, int n);
bool   equations_residual(equations *eq, const double *y, double *r, bool with_jacobian);
bool   equations_evaluate(equations *eq, const double *y, double *r);
bool   equations_at_rest(equations *eq, double *r); /* R_0 - p_0 of a chord for Z = lam = 0 */
void   equations_place(const equations *eq, const samples *set, const double *y, int from,
                       int to); /* t; rows of q, v */
void   equations_kick(const equations *eq, const double *y,
                      double *p);           /* p += h w_0 A^T lam^0        */

/* What changes the momentum along y: L_q, f and reactions, without L_w; not of shooting curves.
 * Ranges of rows are taken as soon as they are known (with reactions all rows at once), and of
 * these: p^- - p_0, from dp[0] on, and the work; without reactions, if y is NULL. */
bool   equations_forces(equations *eq, const double *y, take_rows *take, void *self);
void   equations_momentum(const equations *eq, const double *y, double *dp, int from, int to);
double equations_work(const equations *eq, int from, int to);

/* few_rows.c: the same residual where there is one point and at most FEW_ROWS; evaluates `want`
 * into `out`. */
enum { FEW_ROWS = 6 };
bool few_residual(const equations *eq, unsigned want, sys_values *out, const double *y, double *r);

/* For each row the sum of the sizes of what it adds up: roundoff is eps times that. */
void equations_row_sizes(const equations *eq, const double *y, double *size);

/* jacobian.c */
void equations_pattern(equations *eq, mem *m);
void equations_fill(equations *eq);
bool equations_factor(equations *eq, solver *lu); /* fills first; false: singular */

/* Its row is no equation of momentum. */
static inline bool is_state(const equations *eq, int j)
{
    return eq->upwind.states && eq->sys->state[j];
}

/* Do relations hold, or act, at the Gauss points? */
static inline bool equations_use_gauss(const equations *eq)
{
    return eq->m || eq->inside || eq->turn;
}

/* Does relation a act at the Gauss points? */
static inline bool acts_inside(const equations *eq, int a)
{
    return eq->inside && eq->inside[a];
}

/* The samples at which multiplier i of relation a acts, and where row i of a holonomic one holds.
 */
static inline const sys_values *reaction_at(const equations *eq, int a, int i)
{
    return acts_inside(eq, a) ? &eq->gauss.out[i] : &eq->control.out[i];
}
static inline const sys_values *position_at(const equations *eq, int a, int i)
{
    return acts_inside(eq, a) ? &eq->gauss.out[i] : &eq->control.out[i + 1];
}

/* h b_i l_nu(c_i): the impulse of a unit multiplier at Gauss point i, in row nu */
static inline double inner_impulse(const equations *eq, int nu, int i)
{
    return eq->h * eq->gauss.b[i] * eq->gauss.at[eq->mirrored].l[i * (eq->d + 1) + nu];
}

static inline const double *stage_momentum(const equations *eq, const double *y, int i, int j)
{
    return y + eq->P + i * eq->phase + j;
}

/* Fields of the last evaluation of a set of points. */
static inline double *field_at(const samples *set, int i, field f)
{
    return set->out[i].on_K[f];
}

#endif
