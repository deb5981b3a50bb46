/* massless.c - directions without inertia of systems too large for dense matrices of directions:
 * those that are coordinates themselves, with neither inertia nor relations. */
#include "mech/degenerate/degenerate.h"
#include "mech/degenerate/inside.h"

#include <math.h>

/* Of a coordinate without inertia and relations: no velocity pushes it (stiff), those of its like
 * do (moving), or only those of others do (coupled), which rules this way out. */
typedef enum { WITH_INERTIA, STIFF, MOVING, COUPLED } bareness;

/* Neither L_ww nor A has an entry for it, whatever the state. */
static void find_coordinates(const dal_system *sys, bareness *kind)
{
    const pattern *K = &sys->K, *A = &sys->A;
    const uint8_t *inertia = sys->present[F_LWW];
    for (int i = 0; i < sys->n; i++) {
        bool any = sys->varies[F_LWW] && !inertia;
        for (int e = K->start[i]; e < K->start[i + 1] && sys->varies[F_LWW] && inertia; e++)
            any |= inertia[e] || inertia[sys->transpose[e]];
        kind[i] = any || (sys->hamiltonian && sys->hamiltonian[i]) ? WITH_INERTIA : STIFF;
    }
    for (int k = 0; k < pattern_count(A); k++) kind[A->column[k]] = WITH_INERTIA;
}

/* Do velocities along these coordinates make forces along them, do velocities of others, or
 * none? */
static void sort_coordinates(const dal_system *sys, const sys_values *at, bareness *kind)
{
    const pattern *K = &sys->K;
    for (int i = 0; i < sys->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const int j = K->column[e];
            if (!kind[i] || !kind[j] || degeneracy_push(sys, at, e) == 0) continue;
            kind[i] = kind[j] = MOVING;
        }
    for (int i = 0; i < sys->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1] && kind[i] == STIFF; e++)
            if (degeneracy_push(sys, at, e) != 0) kind[i] = COUPLED;
}

/* The first of them, counted from 1, in which L is of first order, L_vq != 0;  0: none. */
static int find_first_order(const dal_system *sys, const sys_values *at, const int *massless,
                            int count)
{
    const pattern *K = &sys->K;
    const double  *Lqw = at->on_K[F_LQW];
    for (int u = 0; u < count && sys->varies[F_LQW]; u++)
        for (int e = K->start[massless[u]]; e < K->start[massless[u] + 1]; e++)
            if (Lqw[sys->transpose[e]] != 0) return u + 1;
    return 0;
}

static bool evaluate(mem *m, dal_system *sys, const sys_point *at, sys_values *out)
{
    unsigned want = WANT_GRADIENT | WANT_HESSIAN;
    if (sys->m + sys->r) want |= WANT_RELATIONS;
    if (sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    *out = degeneracy_fields(m, sys);
    return !sys->eval(sys->self, want, 1, at, out);
}

/* `room` is given back, `massless` is taken from m: first those that velocities push, then stiff
 * ones. */
bool degeneracy_find_massless(mem *m, dal_system *sys, const sys_point *at, degeneracy *out)
{
    const int  n = sys->n;
    mem       *room = mem_child(m);
    bareness  *kind = mem_array(room, n, bareness);
    sys_values values;
    int        count[COUPLED + 1] = {0};
    find_coordinates(sys, kind);
    const bool good = evaluate(room, sys, at, &values);
    if (good) sort_coordinates(sys, &values, kind);
    for (int i = 0; i < n; i++) count[kind[i]]++;
    *out = (degeneracy){.dimension = count[MOVING] + count[STIFF], .resistive = count[MOVING]};
    if (good && out->dimension && !count[COUPLED]) {
        int *massless = mem_array(m, out->dimension, int), to[] = {0, count[MOVING], 0};
        for (int i = 0; i < n; i++)
            if (kind[i]) massless[to[kind[i]]++] = i;
        out->massless = massless;
        out->first_order = find_first_order(sys, &values, massless, out->dimension);
    }
    mem_free(room);
    return out->massless;
}
