/* discrete.c - discrete Lagrangians and forces of a scheme and of the exact motion; and the doubled
 * system, whose discrete action gives the same equations.                theory.md [DUPLICATION] */
#include "mech/dirac/discrete_inside.h"

#include <math.h>
#include <string.h>

/* of the pieces that the exact motion is made of */
enum { EXACT_DEGREE = 8 };

/* Setting up. ---------------------------------------------------------------------------------- */

static void room_for_values(discretiser *c, mem *m)
{
    c->out.Lq = mem_array(m, c->n, double), c->out.Lw = mem_array(m, c->n, double);
    c->out.f = mem_array(m, c->n, double);
}

/* Why there is no L_d; NULL: there is one. */
static const char *unfit(const dal_system *sys, const scheme *sch)
{
    const bool inside = sch->degree > 1 || sch->substeps > 1;
    return sys->damped  ? "damping is tested with upwinded functions, which are no variations of a "
                          "curve: write force instead of damping, and use gauss(s)"
           : sys->state ? "states are equations of first order, which have no Lagrangian"
           : sys->turns ? "rotations and directions are not followed on chords"
           : sys->inner ? "connections as forces are not followed on chords"
           : sys->m && inside
               ? "a curve of several points is no extremum under velocity constraints, so that no "
                 "L_d(q0, q1) belongs to it: use midpoint, trapezoid or rectangle"
               : NULL;
}

discretiser *discretiser_new(mem *m, dal_system *sys, const scheme *sch, text *why)
{
    discretiser *c = mem_array(m, 1, discretiser);
    const char  *lacks = unfit(sys, sch);
    c->m = m, c->sys = sys, c->sch = c->fine = *sch, c->n = sys->n, c->one = 1;
    if (sys->n > DISCRETE_MOST) {
        text_printf(why, "chords are compared for at most %d coordinates, and this system has %d",
                    DISCRETE_MOST, sys->n);
        return NULL;
    }
    if (lacks) {
        text_add(why, lacks);
        return NULL;
    }
    c->fine.degree = EXACT_DEGREE;
    quadrature_gauss(&c->fine.rule, EXACT_DEGREE), c->fine.force = c->fine.rule;
    room_for_values(c, m);
    if (sch->curve == CURVE_SHOOTING) return shot_prepare(c, why) ? c : NULL;
    c->of_scheme =
        extremal_new(m, sys, sch, sch->substeps, sch->substeps > 1 ? c->sch.gamma : &c->one);
    return c;
}

void discretiser_free(discretiser *c)
{
    if (!c) return;
    flow_free(c->shot), solver_free(c->of_B), extremal_free(c->of_scheme);
    for (int k = 0; k < DIVISIONS; k++) extremal_free(c->exact[k]);
}

int discrete_degree(const discretiser *c)
{
    return c->of_scheme && c->sch.substeps == 1 && !c->sys->hamiltonian ? c->sch.degree : 0;
}

bool discrete_evaluate(discretiser *c, unsigned want, double t, const double *q, const double *v)
{
    sys_point at = {.t = t, .q = q, .w = v, .v = v};
    if (!c->sys->forced) {
        memset(c->out.f, 0, (size_t)c->n * sizeof *c->out.f);
        want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    }
    return !c->sys->eval(c->sys->self, want, 1, &at, &c->out);
}

/* Chords. -------------------------------------------------------------------------------------- */

bool discrete_by_scheme(discretiser *c, const chord_ends *at, discrete *out)
{
    c->last = c->of_scheme;
    return c->of_scheme ? extremal_find(c->of_scheme, at, out) : discrete_shot(c, at, out);
}

bool discrete_second(discretiser *c, double *second)
{
    return c->last && extremal_second(c->last, second);
}

/* The motion on 2^(k+1) equal parts. */
static extremal *divided(discretiser *c, int k)
{
    const int parts = 2 << k;
    if (!c->exact[k]) {
        double *share = mem_array(c->m, parts, double);
        for (int j = 0; j < parts; j++) share[j] = 1.0 / parts;
        c->exact[k] = extremal_new(c->m, c->sys, &c->fine, parts, share);
    }
    return c->last = c->exact[k];
}

/* The largest difference of two, relative to the size of what is compared. */
static double apart(const discrete *a, const discrete *b, int n)
{
    double most = fabs(a->L - b->L), size = fabs(a->L);
    for (int j = 0; j < n; j++) {
        most = fmax(most, fmax(fabs(a->p0[j] - b->p0[j]), fabs(a->p1[j] - b->p1[j])));
        size = fmax(size, fmax(fabs(a->p0[j]), fabs(a->p1[j])));
    }
    return size > 0 ? most / size : most;
}

/* The coarser of the last two, once they agree: its sums have the smaller roundoff. */
static bool divide(discretiser *c, const chord_ends *at, discrete *out)
{
    static const double SETTLED = 1e-14;
    discrete            finer;
    double              before = HUGE_VAL;
    bool                found = false;
    for (int k = 0; k < DIVISIONS; k++) {
        if (!extremal_find(divided(c, k), at, &finer)) {
            if (found) break;
            continue;
        }
        const double now = found ? apart(out, &finer, c->n) : HUGE_VAL;
        if (now <= SETTLED || (found && now > before / 2)) return true;
        *out = finer, before = now, found = true;
    }
    return found;
}

bool discrete_exactly(discretiser *c, const chord_ends *at, discrete *out, text *why)
{
    if (c->sys->m) {
        text_add(why, "motions under velocity constraints are no extrema between their ends: no "
                      "exact L_d(q0, q1) belongs to them");
        return false;
    }
    const bool found = divide(c, at, out);
    if (at->given == BOTH_ENDS && extremal_is_conjugate(c->last))
        text_printf(why,
                    "the ends are conjugate points of a motion over h = %.6g: its first velocity "
                    "is not determined by them",
                    at->h);
    else if (found) return true;
    else text_printf(why, "no motion over h = %.6g was found between these ends", at->h);
    return false;
}

/* Doubling. ------------------------------------------------------------------------------------ */

bool discrete_gradient(discretiser *c, double t, double h, const double *Q, double *G)
{
    return extremal_gradient(c->of_scheme, t, h, Q, G);
}

/*     h sum_i b_i [L(Q,V) - L(q,v)]^i - (h/2) sum_j b'_j [(F(q,v) + F(Q,V)).(q - Q)]^j */
double discrete_doubled_action(discretiser *c, double t, double h, const double *Q, const double *q)
{
    const quadrature *r = &c->sch.rule, *rf = &c->sch.force;
    double            sum = 0, x[2][DISCRETE_MOST], v[DISCRETE_MOST];
    for (int i = 0; i < r->s; i++)
        for (int copy = 0; copy < 2; copy++) {
            extremal_point(c->of_scheme, ON_RULE, i, h, copy ? q : Q, x[copy], v);
            if (!discrete_evaluate(c, WANT_L, t + r->c[i] * h, x[copy], v)) return (double)NAN;
            sum += (copy ? -1 : 1) * h * r->b[i] * c->out.L;
        }
    for (int i = 0; i < rf->s; i++) {
        double force[DISCRETE_MOST] = {0};
        for (int copy = 0; copy < 2; copy++) {
            extremal_point(c->of_scheme, ON_FORCE, i, h, copy ? q : Q, x[copy], v);
            if (!discrete_evaluate(c, WANT_FORCE, t + rf->c[i] * h, x[copy], v)) return (double)NAN;
            for (int j = 0; j < c->n; j++) force[j] += c->out.f[j] / 2;
        }
        for (int j = 0; j < c->n; j++) sum -= h * rf->b[i] * force[j] * (x[1][j] - x[0][j]);
    }
    return sum;
}
