/* leapfrog_machine.c - the pass of leapfrog_text.c without a compiler: the same sums in the same
 * order, so the same bits. */
#include "mech/large/leapfrog_inside.h"

#include <string.h>

void leapfrog_make_machines(leapfrog *l, mem *m)
{
    const int parts = thread_pool_size(l->pool);
    l->machine = mem_array(m, parts, row_machine *);
    for (int k = 0; k < parts; k++) l->machine[k] = row_machine_new(m, l->plan, OF_FORCE);
    if (!l->x.force) return;
    l->alone = mem_array(m, parts, row_machine *);
    for (int k = 0; k < parts; k++) l->alone[k] = row_machine_new(m, l->plan, OF_F_ALONE);
}

/* What the machine gives rows a .. b-1, at most a tile of them. */
static const double *rows_of(const leapfrog *l, const leapfrog_pass *x, const row_machine *by,
                             int a, int b)
{
    const int halo = row_plan_halo(l->plan), first = a > halo ? a - halo : 0;
    row_machine_run(by, x->s, x->c, x->q + first, NULL, first, a, b);
    return row_machine_sum(by, 0);
}

void machine_forces(const leapfrog *l, const leapfrog_pass *x, const leapfrog_range *r, int part)
{
    for (int a = r->a; a < r->b; a += ROWS_TILE) {
        const int    b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b;
        const size_t bytes = (size_t)(b - a) * sizeof(double);
        memcpy(l->x.kick + a, rows_of(l, x, l->machine[part], a, b), bytes);
        if (l->x.force) memcpy(l->x.force + a, rows_of(l, x, l->alone[part], a, b), bytes);
    }
}

/* Positions of rows from .. to-1 drift. */
static void move(const leapfrog *l, int from, int to)
{
    double *restrict Q = l->x.q, *restrict Q_low = l->x.q_low;
    const double *restrict P = l->x.p, *restrict P_low = l->x.p_low, *restrict K = l->x.kick,
                           *restrict drift = l->x.drift;
    if (l->plain)
        for (int i = from; i < to; i++) Q[i] += drift[i] * (P[i] + K[i]);
    else
        for (int i = from; i < to; i++)
            leapfrog_add(&Q[i], &Q_low[i], drift[i] * ((P[i] + K[i]) + P_low[i]));
}

static void kick(const leapfrog *l, const double *restrict force, int a, int b)
{
    double *restrict P = l->x.p + a, *restrict P_low = l->x.p_low + a, *restrict K = l->x.kick + a;
    if (l->plain)
        for (int i = 0; i < b - a; i++) P[i] = (P[i] + K[i]) + force[i], K[i] = force[i];
    else
        for (int i = 0; i < b - a; i++)
            leapfrog_add(&P[i], &P_low[i], K[i] + force[i]), K[i] = force[i];
}

/* The same with R z subtracted, and z kept for the work. */
static void kick_less(const leapfrog *l, const double *restrict force, int a, int b,
                      double *restrict z)
{
    double *restrict P = l->x.p + a, *restrict P_low = l->x.p_low + a, *restrict K = l->x.kick + a;
    const double *restrict R = l->x.resistance ? l->x.resistance + a : NULL;
    for (int i = 0; i < b - a; i++) {
        const double middle = P[i] + K[i];
        z[i] = l->x.drift[a + i] * (l->plain ? middle : middle + P_low[i]);
        const double lost = R ? R[i] * z[i] : 0;
        if (l->plain) P[i] = (R ? middle - lost : middle) + force[i];
        else leapfrog_add(&P[i], &P_low[i], R ? (K[i] + force[i]) - lost : K[i] + force[i]);
        K[i] = force[i];
        if (R) l->x.work[a + i] -= z[i] * lost;
    }
}

static void count_work(const leapfrog *l, const double *restrict force, const double *restrict z,
                       int a, int b)
{
    double *restrict F = l->x.force + a, *restrict W = l->x.work + a;
    for (int i = 0; i < b - a; i++) W[i] += z[i] * (F[i] + force[i]), F[i] = force[i];
}

void machine_step(const leapfrog *l, const leapfrog_pass *x, leapfrog_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    double    z[ROWS_TILE];
    for (int a = r->a, b; a < r->b; a = b) {
        b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b;
        const int end = b + halo < r->to ? b + halo : r->to;
        move(l, r->done, end);
        r->done = end > r->done ? end : r->done;
        const double *force = rows_of(l, x, l->machine[part], a, b);
        if (l->x.work) kick_less(l, force, a, b, z);
        else kick(l, force, a, b);
        if (l->x.force) count_work(l, rows_of(l, x, l->alone[part], a, b), z, a, b);
    }
}
