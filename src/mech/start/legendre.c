/* legendre.c - Newton's iteration on the momenta, with Lambda_ww on the pattern of the system. */
#include "mech/start/legendre.h"


#include "step/words.h"

#include "step/judge.h"

#include <math.h>

enum { ITERATIONS_MOST = 30 };

/* Everything is kept from point to point, and allocated once. */
struct legendre {
    dal_system *sys;
    double     *values, *r;
    solver     *lu;
    sys_values  out;
};

legendre *legendre_new(mem *m, dal_system *sys)
{
    const int K = pattern_count(&sys->K);
    legendre *l = mem_array(m, 1, legendre);
    l->sys = sys;
    l->values = mem_array(m, K + 1, double), l->r = mem_array(m, sys->n + 1, double);
    l->out.Lq = mem_array(m, sys->n + 1, double), l->out.Lw = mem_array(m, sys->n + 1, double);
    for (int f = F_LQQ; f <= F_LWW; f++) l->out.on_K[f] = mem_array(m, K + 1, double);
    l->lu = solver_new(m, &sys->K, NULL);
    return l;
}

void legendre_free(legendre *l)
{
    if (l) solver_free(l->lu);
}

/* Rows of Lagrangian coordinates are those of the unit matrix. */
static bool factor(legendre *l)
{
    const dal_system *sys = l->sys;
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            int j = sys->K.column[k];
            if (sys->hamiltonian[i]) l->values[k] = sys->hamiltonian[j] ? l->out.on_K[F_LWW][k] : 0;
            else l->values[k] = i == j;
        }
    return solver_factor(l->lu, l->values);
}

/* Newton's iteration. */
bool legendre_solve(legendre *l, double t, const double *q, const double *v, double *w)
{
    const dal_system *sys = l->sys;
    const sys_point   at = {.t = t, .q = q, .w = w, .v = v};
    double            before = HUGE_VAL;
    for (int it = 0; it < ITERATIONS_MOST; it++) {
        double change = 0, size = 0;
        if (sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &at, &l->out) || !factor(l))
            return false;
        for (int i = 0; i < sys->n; i++) l->r[i] = sys->hamiltonian[i] ? v[i] + l->out.Lw[i] : 0;
        solver_solve(l->lu, l->r);
        for (int i = 0; i < sys->n; i++) {
            w[i] -= l->r[i];
            change = fmax(change, fabs(l->r[i])), size = fmax(size, fabs(w[i]));
        }
        if (!isfinite(change) || change > 4 * before) return false;
        if (was_last(change, before, size)) return true;
        before = change;
    }
    return false;
}

void legendre_archive(legendre *l, archive *r, mem *m)
{
    solver_archive(l->lu, &l->sys->K, r, m, "legendre");
}
