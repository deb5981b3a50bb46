/* vary.c - how interaction forces change with time, parameters and inputs, the state
 * and the reactions staying as they are.                                     theory.md [TANGENT] */
#include "mech/interaction/inside.h"

#include <string.h>

typedef struct {
    sys_variation is;
    interaction  *x;
} variation;

static double *vector(mem *m, int n)
{
    return mem_array(m, n + 1, double);
}

/* change: of the whole, beside its state; moved: along the motion that u describes. */
void joint_change_room(interaction *x, mem *m)
{
    const int n = x->of->n, rows = x->of->m + x->of->r, K = pattern_count(&x->of->K),
              A = pattern_count(&x->of->A);
    x->change = (sys_change){.Lq = vector(m, n),
                             .Lw = vector(m, n),
                             .f = vector(m, n),
                             .e = vector(m, rows),
                             .g = vector(m, x->of->r),
                             .reaction = vector(m, n),
                             .L = vector(m, 1),
                             .Lt = vector(m, 1)};
    x->moved = (sys_change){.Lw = vector(m, n),
                            .e = vector(m, rows),
                            .Lqw = vector(m, K),
                            .Lww = vector(m, K),
                            .A = vector(m, A),
                            .eq = vector(m, A)};
}

/* How the whole system changes along a direction, with these weights of all its rows. */
static void vary_whole(interaction *x, const sys_point *at, const double *lam,
                       const sys_direction *along)
{
    sys_point here = *at;
    here.lam = lam;
    x->beside->eval(x->beside->self, &here, along, &x->change);
}

/* The change of c: that of d/dt L_w - L_q - f - A^T lam and of d/dt e. */
static void change_inner(interaction *x, const sys_point *at, const sys_direction *along, double *c)
{
    const node_equations *g = &x->grid;
    sys_motion            by = joint_motion(x, at->inner);
    vary_whole(x, at, at->inner + g->nu, along);
    x->rates->vary(x->rates->self, at, &by, along, &x->moved);
    for (int i = 0; i < g->n; i++) {
        c[i] = -x->change.Lq[i] - x->change.f[i] - x->change.reaction[i];
        /* of a Lagrangian coordinate both stand in one row */
        c[node_velocity_of(g, i)] = (node_is_phase(g, i) ? 0 : c[i]) + x->moved.Lw[i];
    }
    memcpy(c + g->nu, x->moved.e, (size_t)g->relations * sizeof *c);
}

/* f changes as f + A_c^T lam_c does, lam held. f or c may be NULL: it is not wanted. */
void joint_change(interaction *x, const sys_point *at, const sys_direction *along, double *f,
                  double *c)
{
    if (c) change_inner(x, at, along, c);
    if (!f) return;
    vary_whole(x, at, joint_forces(x, at->inner + x->grid.nu), along);
    for (int i = 0; i < x->of->n; i++) f[i] = x->change.f[i] + x->change.reaction[i];
}

/* Of the system without the removed rows: everything but f is that of the whole, by the kept
 * rows. */
static void eval(void *self, const sys_point *at, const sys_direction *along, const sys_change *out)
{
    interaction *x = ((variation *)self)->x;
    const size_t bytes = (size_t)x->of->n * sizeof(double);
    vary_whole(x, at, joint_kept(x, at->lam), along);
    memcpy(out->Lq, x->change.Lq, bytes), memcpy(out->Lw, x->change.Lw, bytes);
    if (out->L) *out->L = *x->change.L, *out->Lt = *x->change.Lt;
    memcpy(out->f, x->change.f, bytes), memcpy(out->reaction, x->change.reaction, bytes);
    for (int a = 0; a < x->sys.m + x->sys.r; a++) {
        out->e[a] = x->change.e[x->row[a]];
        if (a >= x->sys.m) out->g[a - x->sys.m] = x->change.g[x->row[a] - x->of->m];
    }
    if (at->inner) joint_change(x, at, along, out->f, out->inner);
}

sys_variation *joint_vary(void *self, mem *m)
{
    variation *v = mem_array(m, 1, variation);
    v->x = self, v->is = (sys_variation){v, eval, true};
    return &v->is;
}
