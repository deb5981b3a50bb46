/* newton.h - the solve of one step: Newton's iteration with the exact Jacobian, stopped when the
 * estimated remaining error is below roundoff. */
#ifndef MECH_SOLVE_NEWTON_H
#define MECH_SOLVE_NEWTON_H

#include "mech/equations.h"
#include "mech/large/passes.h"

enum { NEWTON_MOST = 40, NEWTON_HISTORY = 12, UPDATES_MOST = 16 };

/* A factorisation and the step that it belongs to. */
typedef struct {
    solver *lu;
    double  h;
    bool    mirrored, ready;
    double *kept; /* the matrix, where it outlives its step; else NULL */
    kept_band *strands; /* of a linear chain: its factors, for passes; NULL: they do not fit */
    bool    in_strands; /* they are good                                                     */
} factored;

typedef struct {
    equations        *eq;
    factored         *cache; /* one per length of substep when the Jacobian is constant, else one */
    int               lengths;
    factored         *now;
    double           *r, *delta, *trial, *natural, *scale;
    double            residual[NEWTON_HISTORY]; /* of the last solve, for messages */
    int               iterations;
    bool              singular, not_finite;
    bool              in_passes; /* the last correction was, and left neither r nor delta, but */
    double            largest;   /* the largest number in it                                   */
    newton_statistics count;

    bool    quasi; /* the Jacobian is kept and updated (broyden.c) */
    double *update, *length, *first;
    int    *diagonal; /* of the Jacobian: entry numbers, -1 where it has none */
} newton;

/* NULL result of solver_new (a kind that does not exist or does not fit) is refused with a
 * sentence. */
dal_status newton_init(newton *nw, mem *m, equations *eq, int lengths, const char *kind, text *why);
void       newton_keep(newton *nw, mem *m); /* have newton_solve keep its Jacobian over steps */
void       newton_forget(newton *nw); /* parameters changed: no factorisation is good any more */

/* Improves y until it solves eq. `known` are past solutions that set the scale of each unknown.
 * False: it did not converge, or (newton_solve) y was no good prediction; nw tells which. The array
 * that y is may change places with one of newton_solve's own. */
bool newton_solve(newton *nw, double **y, const double *const known[2]);
bool newton_in_passes(const newton *nw); /* then known may be NULL: the scales are those in nw */
bool newton_damped(newton *nw, double *y, const double *const known[2]);

/* Full corrections, however large: where slopes change at once, as a diode's do, a correction that
 * leads to the other side tells nothing of the one that comes next. */
bool newton_undamped(newton *nw, double *y, const double *const known[2]);

/* linear.c: the same for a linear chain with passes, from its past to the state at the end of the
 * step, which is `to`; the solution goes to to->past, room of the past that past_take then
 * takes. */
bool newton_linear(newton *nw, past *before, end_state *to, double *work);

/* Parts of the iteration that broyden.c shares; broyden_solve is newton_solve with a Jacobian that
 * is kept. */
void   newton_begin(newton *nw);
bool   newton_correction(newton *nw, const double *y);
bool   newton_is_noise(const newton *nw, const double *y);
bool   newton_reactions_hold(const newton *nw, const double *y);
bool   broyden_solve(newton *nw, double *y, const double *const known[2]);

/* improve.c: the scale of each unknown, its size now and in the last two steps; and how large a
 * correction is: relative to its unknown, and to the largest unknown of its block, increments or
 * stage momenta. The latter judges progress only: an unknown that is still 0, as from rest, says
 * nothing about that by itself. */
typedef struct {
    double relative, overall;
} correction;
void       newton_scales(newton *nw, const double *y, const double *const known[2]);
double     newton_relative_size(const newton *nw, const double *delta, const double *y);
double     newton_overall_size(const newton *nw, const double *delta, const double *y);
/* y += delta; known: scales first */
correction newton_improve(newton *nw, double *y, const double *const *known);

/* What its size, and that of the one before, say of a correction: it was the last, there are more,
 * or only the residual can tell. strays: it is so large that this leads nowhere. patience_ends:
 * after so many, noise may be all that is left. */
typedef enum { NEWTON_ENDS, NEWTON_GOES_ON, NEWTON_DOUBTS } newton_verdict;
newton_verdict newton_judge(correction made, double before);
bool           newton_strays(const newton *nw, correction made, double before);
bool           newton_patience_ends(const newton *nw);
void           newton_count(newton *nw); /* its iterations among those of all steps */

/* Says what went wrong, in the names of the system. before: the last steps, or NULL. */
dal_status newton_explain(newton *nw, mem *m, const double *y, const past *before, text *why);
void       say_coordinate(const dal_system *sys, int i, text *out);

/* blowup.c: adds that the motion runs away, and where it has got to; false: it does not. */
bool blowup_explain(const equations *eq, const past *before, text *why);

#endif
