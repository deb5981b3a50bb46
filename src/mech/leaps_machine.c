/* leaps_machine.c - the pass of leaps_text.c without a compiler: the same sums in the same order, so the same bits. */
#include "mech/leaps_inside.h"

#include <string.h>

void leaps_make_machines(leaps *l, mem *m)
{
    const int parts = crew_size(l->hands);
    l->machine = mem_array(m, parts, row_machine *);
    l->room = mem_array(m, parts, double *);
    for (int k = 0; k < parts; k++) {
        l->machine[k] = row_machine_new(m, l->plan, OF_FORCE);
        l->room[k] = mem_array(m, ROWS_TILE + 2 * row_plan_halo(l->plan), double);
    }
}

void leaps_add(const leaps *l, double *x, double *low, double d)
{
    if (l->plain) *x += d;
    else add_in_two(*x, *low, d, x, low);
}

double leaps_drift(const leaps *l, int i)
{
    const leap *x = &l->x;
    double      p = x->p[i] + x->kick[i];
    return (x->h * x->over[i]) * (l->plain ? p : p + x->p_low[i]);
}

void machine_forces(const leaps *l, const leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a; a < r->b; a += ROWS_TILE) {
        const int b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b, first = a > halo ? a - halo : 0;
        row_machine_run(l->machine[part], l->x.s, l->x.c, l->x.q + first, NULL, first, a, b);
        memcpy(l->x.kick + a, row_machine_sum(l->machine[part], 0), (size_t)(b - a) * sizeof(double));
    }
}

/* Positions of rows from .. to-1 move on. */
static void move(const leaps *l, int from, int to)
{
    double *restrict Q = l->x.q, *restrict Q_low = l->x.q_low;
    const double *restrict P = l->x.p, *restrict P_low = l->x.p_low, *restrict K = l->x.kick, *restrict over = l->x.over;
    const double h = l->x.h;
    if (l->plain)
        for (int i = from; i < to; i++) Q[i] += (h * over[i]) * (P[i] + K[i]);
    else
        for (int i = from; i < to; i++)
            add_in_two(Q[i], Q_low[i], (h * over[i]) * ((P[i] + K[i]) + P_low[i]), &Q[i], &Q_low[i]);
}

static void kick(const leaps *l, const double *restrict force, int a, int b)
{
    double *restrict P = l->x.p + a, *restrict P_low = l->x.p_low + a, *restrict K = l->x.kick + a;
    if (l->plain)
        for (int i = 0; i < b - a; i++) P[i] += K[i] + force[i], K[i] = force[i];
    else
        for (int i = 0; i < b - a; i++)
            add_in_two(P[i], P_low[i], K[i] + force[i], &P[i], &P_low[i]), K[i] = force[i];
}

/* Positions first .. high-1, of which those beyond the part are where its neighbours say they will be. */
static const double *around(const leaps *l, int part, const leap_range *r, int first, int high)
{
    const int     from = r->from, to = r->to;
    const int     halo = row_plan_halo(l->plan);
    const double *before = l->x.edge + ((ptrdiff_t)part * 2 - 1) * halo, *next = l->x.edge + ((ptrdiff_t)part + 1) * 2 * halo;
    double       *W = l->room[part];
    if (first >= from && high <= to) return l->x.q + first;
    for (int i = first; i < from; i++) W[i - first] = before[i - from + halo];
    for (int i = first < from ? from : first; i < high && i < to; i++) W[i - first] = l->x.q[i];
    for (int i = to; i < high; i++) W[i - first] = next[i - to];
    return W;
}

void machine_step(const leaps *l, leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a, b; a < r->b; a = b) {
        b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b;
        const int high = b + halo < l->x.n ? b + halo : l->x.n, end = high < r->to ? high : r->to;
        const int first = a > halo ? a - halo : 0;
        move(l, r->done, end);
        r->done = end > r->done ? end : r->done;
        row_machine_run(l->machine[part], l->x.s, l->x.c, around(l, part, r, first, high), NULL, first, a, b);
        kick(l, row_machine_sum(l->machine[part], 0), a, b);
    }
}
