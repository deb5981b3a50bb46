/* inertia.c - does a motion run into states where its inertia is singular? A step that was not
 * solved is followed straight on from the last one, and the determinant of L_vv with it. */
#include "linalg/dense.h"
#include "mech/solve/newton.h"

#include <math.h>
#include <string.h>

enum { INERTIA_MOST = 32, PLACES = 96, BEHIND = 32 }; /* of a last step: 1 behind to 2 ahead */

typedef struct {
    const equations *eq;
    const double    *by; /* of the last step   */
    double          *q, *v, *a;
    sys_values       out;
} path;

/* 0 where only roundoff is left of a pivot, as along directions that have no inertia anywhere. */
static double determinant(double *a, int n)
{
    static const double ROUNDOFF = 1e-13;
    double              product, size = 0;
    for (int k = 0; k < n * n; k++) size = fmax(size, fabs(a[k]));
    return dense_echelon(a, n, n, NULL, n, ROUNDOFF * size, &product) < n ? 0 : product;
}

/* At q + s by, or with one coordinate moved alone; NaN: it cannot be evaluated there. */
static double inertia_at(const path *p, double s, int alone)
{
    const dal_system *sys = p->eq->sys;
    const int         n = sys->n;
    for (int i = 0; i < n; i++)
        p->q[i] = p->eq->q[i] + (alone < 0 || alone == i ? s * p->by[i] : 0);
    const sys_point at = {.t = p->eq->t, .q = p->q, .w = p->v, .v = p->v};
    sys_values      out = p->out;
    if (sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &at, &out)) return (double)NAN;
    memset(p->a, 0, sizeof *p->a * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            p->a[i * n + sys->K.column[k]] = out.on_K[F_LWW][k];
    return determinant(p->a, n);
}

/* Where it is smallest, or about to change its sign: false, nowhere small beside its largest. */
static bool find_singular(const path *p, double *where)
{
    static const double SMALL = 0.01;
    double              least = HUGE_VAL, most = 0, before = 0;
    for (int k = 0; k <= PLACES; k++) {
        const double s = (double)(k - BEHIND) / BEHIND, now = inertia_at(p, s, -1);
        const double size = before * now < 0 ? 0 : fabs(now);
        if (size < least) least = size, *where = s;
        most = fmax(most, fabs(now)), before = now;
    }
    return least < SMALL * most;
}

/* The coordinate that alone changes it most. */
static int find_coordinate(const path *p, double where)
{
    const double here = inertia_at(p, 0, -1);
    double       most = -1;
    int          found = 0;
    for (int i = 0; i < p->eq->n; i++) {
        const double change = fabs(inertia_at(p, where, i) - here);
        if (change > most) most = change, found = i;
    }
    return found;
}

/* by: the last increment Z^d, along which q goes on; v = by/h. */
static path path_new(mem *m, const equations *eq, const history *before)
{
    const int n = eq->n, entries = eq->sys->K.start[n];
    path      p = {.eq = eq, .by = before->y[0] + (eq->d - 1) * n};
    double  **of_n[] = {&p.q, &p.v, &p.out.Lq, &p.out.Lw};
    for (int k = 0; k < 4; k++) *of_n[k] = mem_array(m, n, double);
    for (int k = F_LQQ; k <= F_LWW; k++) p.out.on_K[k] = mem_array(m, entries, double);
    p.a = mem_array(m, n * n, double);
    for (int i = 0; i < n; i++) p.v[i] = p.by[i] / eq->h;
    return p;
}

/* Only where inertia varies and neither relations nor momenta are among the unknowns; a determinant
 * is computed at every place, so the system has to be small. */
bool inertia_explain(const equations *eq, mem *m, const history *before, text *why)
{
    double where = 0;
    if (!before || !before->count || eq->shot || eq->relations || eq->phase ||
        eq->n > INERTIA_MOST || eq->sys->varies[F_LWW] != FIELD_VARIES)
        return false;
    mem       *room = mem_child(m);
    const path p = path_new(room, eq, before);
    const bool found = find_singular(&p, &where);
    if (found) {
        const int i = find_coordinate(&p, where);
        text_add(why, "; the inertia becomes singular near ");
        say_coordinate(eq->sys, i, why);
        text_printf(
            why,
            " = %.3g, where the equations do not determine the motion; if that is a pole of "
            "angles, Cartesian coordinates with a holonomic constraint have none",
            eq->q[i] + where * p.by[i]);
    }
    mem_free(room);
    return found;
}
