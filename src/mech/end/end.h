/* end.h - what is reported at a grid point: velocity, projected momentum, reactions.
 *
 *     Lambda_w(t,q,w) - A^T nu + U sigma = p^-  (w - A^T nu = p^- for Hamiltonian coordinates)
 *     A v + beta = 0,   U^T (L_q + f - L_wq v - L_wt) = 0                         theory.md [END]
 *     (instead U^T ((L_qq + f_q) v + L_qt + f_t) = 0, where only stiffness acts along U)
 *
 * with v = w for Lagrangian coordinates and v = -Lambda_w for Hamiltonian ones. Without
 * relations this is the Legendre transformation. The same matrix gives the reactions. */
#ifndef MECH_END_END_H
#define MECH_END_END_H

#include "base/text.h"
#include "mech/degenerate/degenerate.h"
#include "mech/redundant/redundant.h"
#include "model/system.h"

/* Velocities are momenta over masses, where the matrix is constant and diagonal. */
typedef struct {
    bool    fits;
    double *offset; /* L_w(t, q, 0); NULL: it depends on t or q */
    bool    known;
} momenta_division;

typedef struct {
    /* x = (w, V, nu, sigma): unknowns of the solve; J, values, r: matrix and residual in that
     * order */
    dal_system *sys;
    int         n, relations, phase;
    int         k, resistive;       /* dim U; velocity makes force in the first ones   */
    int         coupled;            /* those behind them: there, velocities of others do */
    int         first_order;        /* L is of first order along this one, from 1       */
    bool        loose;              /* and stiffness does not decide where they are     */
    int         V, nu, sigma, size; /* where v of Hamiltonian coordinates, nu, sigma begin */
    int        *phase_number;
    int         border;    /* k; 0 where U are coordinates themselves, whose balances stand in the
                              place of their momenta then:                        */
    const int  *massless;  /* these, or NULL                                       */
    int        *of_massless; /* of each coordinate: its number among them, or -1     */
    int       *of_balance; /* places of their entries of K in J                 */
    double    *U;          /* k rows of n, orthonormal                        */
    double    *W;          /* along which forces balance: U as a rule         */
    /* the matrix, the unknowns, and what is left of the equations (later the correction) */
    pattern    J;
    double    *values, *x, *r;
    double    *step;  /* that led to x, as what was taken off            */
    double    *terms; /* sizes of what each equation adds up                */
    double    *unit;  /* of each multiplier, in which it is solved for   */
    solver    *lu;
    int       *of_K, *of_A, *of_AT; /* places of the entries in J; -1: none            */
    /* diagonal: the 1 of w and of v in the two rows of a Hamiltonian coordinate; of_U, of_UT:
     * the border */
    int       *diagonal, *of_U, *of_UT;
    redundancy *redundant; /* NULL: the relations are independent             */
    int        *of_P;
    bool       constant, ready; /* the matrix never changes; it is factored        */
    bool       momenta_alone;   /* the iteration evaluates L, L_w and L_ww only    */
    momenta_division divides;
    sys_point  at;
    sys_values out;
    /* w and v as x has them, which `at` points to during the iteration */
    double    *w, *v;
} node_equations;

/* end/make.c: U, W and their kinds are those of `of`; its arrays are copied, but for `massless`,
 * which must stay. */
void node_equations_init(node_equations *g, mem *m, dal_system *sys, const degeneracy *of);
void node_equations_free(node_equations *g);

/* w and v from p at (t, q); w holds a guess. nu and sigma may be NULL. */
dal_status node_solve(node_equations *g, double t, const double *q, const double *p, double *w,
                      double *v, double *nu, double *sigma);

/* L at (t, q, w, v), with the bits that node_solve has left in out.L at its solution, if it
 * evaluates momenta alone; false: L has no value. */
bool node_lagrangian(node_equations *g, double t, const double *q, const double *w,
                     const double *v);

/* end/divide.c: the same by one division per momentum, where that suffices; false: it does not. */
bool node_divide_momenta(node_equations *g, double t, const double *q, const double *p, double *w,
                         double *v);

/* Reactions at (t, q, w, v): forces, of the order of the scheme; and dw/dt, unless it is NULL.
 *                                                                           theory.md [REACTION] */
dal_status node_reactions(node_equations *g, double t, const double *q, const double *w,
                          const double *v, double *lam, double *rate);

/* How the solution at (t, q, w, v, nu) changes: first everything is evaluated and factored there,
 * then each change of q, p^-, time, parameters and inputs gives that of the momentum. `written` may
 * be NULL.                                                                   theory.md [TANGENT] */
bool node_linearise(node_equations *g, double t, const double *q, const double *w, const double *v,
                    const double *nu);
void node_change(node_equations *g, const double *dq, const double *dp, const sys_change *written,
                 double *reported);

/* Is the matrix regular at (t, q, w, v)? It stays factored there. */
bool node_is_regular(node_equations *g, double t, const double *q, const double *w,
                     const double *v);

/* end.c, for end/change.c and end/turn.c: evaluates the system at a point, assembles the matrix
 * there, and solves for r. */
bool node_evaluate(node_equations *g, unsigned want);
bool node_factor(node_equations *g);
void node_divide(node_equations *g);

/* end/units.c: the units of the multipliers at that place. */
void node_units(node_equations *g);

/* Is coordinate i Hamiltonian? */
static inline bool node_is_phase(const node_equations *g, int i)
{
    return g->phase_number[i] >= 0;
}

/* The unknown that the velocity of coordinate i is. */
static inline int node_velocity_of(const node_equations *g, int i)
{
    return node_is_phase(g, i) ? g->V + g->phase_number[i] : i;
}

/* Momentum of Lagrangian coordinates at the last point: Lambda_w. */
static inline const double *node_gradient(const node_equations *g)
{
    return g->out.Lw;
}

#endif
