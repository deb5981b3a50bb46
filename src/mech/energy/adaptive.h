/* adaptive.h - the energy principle: time is a variable too, and its equation determines the step
 * length.                                                                        theory.md [ENERGY]
 *
 *     unknowns (y, h),   state (t, q, p, E)
 *     r(y) = 0 as in equations.h,   S(y, h) = D1L_d + g^- = E
 *
 * What the fixed step solves for is solved as there; the row S and the column h border it. With
 * y(h) the fixed step of length h, phi(h) = S(y(h), h) - E is the one equation that is left; its
 * slope is the Schur complement of the border, and carries the sign of what decides h:
 *     dphi/dh = -r (r+1) h^(r-1) e + ...                                   theory.md [BREAKDOWN] */
#ifndef MECH_ENERGY_ADAPTIVE_H
#define MECH_ENERGY_ADAPTIVE_H

#include "base/archive.h"
#include "mech/equations/row_changes.h"
#include "mech/solve/newton.h"
#include "mech/solve/predict.h"

typedef enum {
    STEP_DECIDED,
    STEP_UNDECIDED, /* e goes through 0: no step of this energy follows             */
    STEP_ANY,       /* e is 0 along the motion: every length keeps the energy       */
    STEP_DROWNED,   /* what decides h is below roundoff                             */
    STEP_LOST,      /* no length near the last one has this energy                  */
    STEP_TOO_LONG,
    STEP_TOO_SHORT
} step_outcome;

typedef struct {
    double least, most; /* of |h|; 0: no bound */
} step_bounds;

typedef struct condition_work condition_work;

typedef struct { /* points between the stages, for the work along the curve        */
    samples at;
    double *after[2]; /* 1 - B there: the weights of L at or before each, either way    */
} work_lines;

typedef struct { /* where the work of forces is summed, and the share of it that E_1 has */
    const samples *at;
    const double  *after;
} work_points;

typedef struct {
    newton         *nw;
    equations      *eq;
    solver         *lu;    /* of J                                                       */
    condition_work *large; /* NULL: K is small                                           */
    work_lines     *lines; /* NULL: power is taken at the nodes                          */
    row_changes     moves; /* of relations in time, if they have any                     */
    int             order;
    step_bounds     bounds;
    bool            held;  /* h is not solved for                                        */
    bool            anew;  /* nor in the next step, whose energy is kept from then on    */
    bool            chose; /* it was, in the last one                                    */

    double  E, E_low; /* what the balance of energy says, in two parts                  */
    double  shift;    /* of what is kept against it, since it began anew                */
    double  chord;    /* -D3L_d - g^+ of the last curve                                 */
    double  h[HISTORY_MOST]; /* the last lengths, newest first; 0: none yet                */
    int     sign;     /* of dphi/dh at the beginning; 0: not known                      */
    double *row, *column, corner; /* dS/dy, dr/dh, dS/dh                               */
    double  S, size, slope;       /* size: sum of the sizes of what S adds up           */
    double  noise;                /* roundoff of h relative to it, in the last step     */
    double  wide; /* least size beside which corrections are measured                     */
    double *r, *x, *c, *kept;     /* R; J^-1 R, J^-1 dG/dh; y before                    */
    double *work;                 /* 4 n                                                */

    step_outcome outcome;
    int          iterations;
    double       tried; /* the length at which it ended */
} adaptive;

/* The reason in `why` if the principle cannot take the system or the scheme; before newton_init,
 * since more is then asked of every evaluation. */
dal_status adaptive_prepare(equations *eq, mem *m, const scheme *sch, power_along power, text *why);
dal_status adaptive_init(adaptive *a, mem *m, newton *nw, const scheme *sch, power_along power,
                         step_bounds bounds, const char *solver, text *why);
void       adaptive_free(adaptive *a);
void       adaptive_forget(adaptive *a); /* the next step is the first */

/* Where to begin: h_{k-1}^2/h_{k-2}, at most twice and at least half the last; `first` if there is
 * none, or it is held. Begun anew: the last one, and `first` if that was begun anew as well. */
double adaptive_predict(const adaptive *a, double first);

/* y solves the fixed step of length eq->h; on success (y, eq->h) solve the extended one. The first
 * step, and those that are held, stay as they are. */
bool adaptive_solve(adaptive *a, double *y);

/* After the last evaluation of the curve y: its energy, and the balance. */
void adaptive_finish(adaptive *a, const double *y, bool plain);

/* e of the last step, by the slope. Its roundoff relative to itself is adaptive_noise. */
double adaptive_coefficient(const adaptive *a);
double adaptive_noise(const adaptive *a);

/* S, row, column and corner at y; for tests, and for K itself (row-major; with d n + 1 rows, and
 * those of implicit forces). */
bool adaptive_assemble(adaptive *a, const double *y);
void adaptive_matrix(const adaptive *a, double *K);

/* border.c: r, S and the border of K at y; u, the velocities without those of Hamiltonian
 * coordinates; and the points of the work, which are evaluated anew if they lie along lines. */
bool          border_sum(adaptive *a, const double *y);
const double *adaptive_rates(const adaptive *a, const double *v);
work_points   adaptive_work_points(const adaptive *a);
bool          adaptive_place_lines(const adaptive *a, const double *y, bool with_jacobian);

/* condition.c: of K in the 2-norm, at the last step that was decided; exact for a small one, by
 * iteration for a large one. With the increments Z of that step: in the papers' unknowns (Z/h, h).
 * NaN: there is none. */
dal_status condition_init(adaptive *a, mem *m, const char *solver);
void       condition_free(adaptive *a);
double     adaptive_condition(adaptive *a, mem *m, const double *Z);
void       condition_archive(adaptive *a, archive *r, mem *m); /* for a checkpoint */

static inline double border_dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += x[j] * y[j];
    return sum;
}

/* breakdown.c: what ended it, and what to try. */
step_outcome adaptive_diagnose(adaptive *a, const double *y);
dal_status   adaptive_explain(const adaptive *a, double t, const scheme *sch, text *why);

#endif
