/* examine.c - analyses what is to be run, at the start as it was written; if the system cannot be
 * judged at that guess, once more at the start it is moved to. */
#include "run/examine.h"

#include "mech/redundant/redundant.h"
#include "mech/start/start.h"
#include "model/charts.h"

/* w: momenta of Hamiltonian coordinates, velocities of the others. */
static sys_point point_of(const examined *x, double *q, double *v, const double *p)
{
    const dal_system *sys = x->sys;
    double           *w = mem_array(x->m, sys->n, double);
    for (int i = 0; i < sys->n; i++) w[i] = sys->hamiltonian && sys->hamiltonian[i] ? p[i] : v[i];
    return (sys_point){.t = x->t, .q = q, .w = w, .v = v};
}

/* Ties that repeat others are noted and left out: they are no reason to call its relations
 * dependent. */
static const analysis *analyse_there(const examined *x, const sys_point *at, const compiled **c)
{
    const solved_form *without = x->of->solved[MULTIPLIERS];
    *c = x->of->compiled;
    if (x->form) return analyse_at(x->m, *c, x->form, x->bound, at);
    if (!without) return analyse(x->m, *c, x->bound, at);
    *c = without->compiled;
    bound *b = bound_new(x->m, *c, x->val->parameter, x->val->input);
    if (x->sys->charts) charts_look(bound_system(b), charts_seen(x->sys));
    return analyse(x->m, *c, b, at);
}

/* Only then is a start that violates relations worth a second look. */
bool start_may_move(const values *val, bool project, int n)
{
    bool moves = project;
    for (int i = 0; i < n && !moves; i++) moves = val->given[i] & (FREE_Q | FREE_V | FREE_P);
    return moves;
}

/* Where relations depend on each other, they may do so along the motion as well. A position that is
 * off by the digits that were typed hides that. */
static const analysis *judge_dependent(const examined *x, const analysis *a, sys_point at,
                                       const compiled **c)
{
    enum { LARGE = 400 }; /* coordinates, where only what is plain is looked into */
    if (!a->finite || !x->sys->A.rows || (!a->dependent.n && x->sys->n > LARGE)) return a;
    at.q = redundancy_holds(x->m, x->sys, x->t, x->h, at.q);
    if (!at.q) return a;
    analysis *found = mem_array(x->m, 1, analysis);
    *found = *analyse_there(x, &at, c);
    found->dependent.redundant = found->dependent.n > 0;
    return found;
}

/* Charts of rotations, as the start was written. */
static void look_at_start(const examined *x)
{
    if (x->sys->charts) charts_look(x->sys, x->val->q + x->sys->n);
}

/* c: the model that the facts number their rows by. */
static const analysis *analyse_moved(const examined *x, const compiled **c, sys_point *where)
{
    const int       n = x->sys->n;
    const values   *val = x->val;
    sys_point       at = *where = point_of(x, val->q, val->v, val->p);
    const analysis *a = analyse_there(x, &at, c);
    if ((a->finite && !a->dependent.n && !a->idles) || !start_may_move(val, x->project, n)) return a;
    text  why = text_new(x->m);
    start moved = {.t = x->t,
                   .q = copy_of(x->m, val->q, turning_width(x->sys->turns, n)),
                   .v = copy_of(x->m, val->v, n),
                   .p = copy_of(x->m, val->p, n),
                   .given = val->given,
                   .project = x->project};
    if (x->sys->charts) charts_look(x->sys, moved.q + n);
    if (start_complete(x->m, x->sys, &moved, &why) || !moved.moved) {
        look_at_start(x);
        return a;
    }
    *where = point_of(x, moved.q, moved.v, moved.p);
    return analyse_there(x, where, c);
}

const analysis *analyse_start(const examined *x, const compiled **c)
{
    sys_point       at;
    const analysis *a = analyse_moved(x, c, &at);
    a = judge_dependent(x, a, at, c);
    look_at_start(x);
    return a;
}
