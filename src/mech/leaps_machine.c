/* leaps_machine.c - the pass of leaps_text.c without a compiler: the same sums in the same order,
 * so the same bits. */
#include "mech/leaps_inside.h"

#include <string.h>

void leaps_make_machines(leaps *l, mem *m)
{
    const int parts = crew_size(l->hands);
    l->machine = mem_array(m, parts, row_machine *);
    for (int k = 0; k < parts; k++) l->machine[k] = row_machine_new(m, l->plan, OF_FORCE);
}

void machine_forces(const leaps *l, const leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a; a < r->b; a += ROWS_TILE) {
        const int b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b, first = a > halo ? a - halo : 0;
        row_machine_run(l->machine[part], l->x.s, l->x.c, l->x.q + first, NULL, first, a, b);
        memcpy(l->x.kick + a, row_machine_sum(l->machine[part], 0),
               (size_t)(b - a) * sizeof(double));
    }
}

/* Positions of rows from .. to-1 move on. */
static void move(const leaps *l, int from, int to)
{
    double *restrict Q = l->x.q, *restrict Q_low = l->x.q_low;
    const double *restrict P = l->x.p, *restrict P_low = l->x.p_low, *restrict K = l->x.kick,
                           *restrict drift = l->x.drift;
    if (l->plain)
        for (int i = from; i < to; i++) Q[i] += drift[i] * (P[i] + K[i]);
    else
        for (int i = from; i < to; i++)
            leap_add(&Q[i], &Q_low[i], drift[i] * ((P[i] + K[i]) + P_low[i]));
}

static void kick(const leaps *l, const double *restrict force, int a, int b)
{
    double *restrict P = l->x.p + a, *restrict P_low = l->x.p_low + a, *restrict K = l->x.kick + a;
    if (l->plain)
        for (int i = 0; i < b - a; i++) P[i] = (P[i] + K[i]) + force[i], K[i] = force[i];
    else
        for (int i = 0; i < b - a; i++)
            leap_add(&P[i], &P_low[i], K[i] + force[i]), K[i] = force[i];
}

void machine_step(const leaps *l, leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a, b; a < r->b; a = b) {
        b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b;
        const int end = b + halo < r->to ? b + halo : r->to, first = a > halo ? a - halo : 0;
        move(l, r->done, end);
        r->done = end > r->done ? end : r->done;
        row_machine_run(l->machine[part], l->x.s, l->x.c, l->x.q + first, NULL, first, a, b);
        kick(l, row_machine_sum(l->machine[part], 0), a, b);
    }
}
