/* leaps.c - how steps are made of passes: on one thread or several, several steps in one pass over memory, and back
 * where one of them fails. */
#include "mech/leaps_inside.h"

#include <math.h>
#include <string.h>

enum { HALO_MOST = 1024 };

/* Both ends of the curve are sampled, no part is shorter than what its neighbours read of it. */
static bool fits(const stepper *st)
{
    const samples *rule = &st->eq.rule;
    return st->leap.fits && st->sch.substeps == 1 && !st->sys->forced && rule->count == 2 && rule->b[0] == rule->b[1] &&
           st->sys->row_plan;
}

static void make_room(leaps *l, mem *m, int n)
{
    const int parts = crew_size(l->hands);
    l->x.kick = mem_array(m, n, double);
    l->over = mem_array(m, n, double);
    l->same = mem_array(m, n / ROWS_TILE + 1, double);
    l->x.over = l->over, l->x.same = l->same;
    l->x.edge = mem_array(m, (parts + 1) * 2 * row_plan_halo(l->plan) + 1, double);
    l->x.n = n;
}

leaps *leaps_new(mem *m, stepper *st, crew *hands, bool native, text *why)
{
    const row_plan *plan = fits(st) ? st->sys->row_plan(st->sys->self, m, OF_FORCE, 0) : NULL;
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    if (st->sys->n / ROWS_TILE < 8 * crew_size(hands) || row_plan_halo(plan) > 4 * ROWS_TILE) hands = NULL;
    leaps *l = mem_array(m, 1, leaps);
    l->plan = plan, l->hands = hands, l->plain = st->options.plain_summation;
    make_room(l, m, st->sys->n);
    if (!st->saved) st->saved = mem_array(m, 4 * st->sys->n, double);
    if (!native || !leaps_compile(l, m, why)) leaps_make_machines(l, m);
    return l;
}

bool leaps_compiled(const leaps *l)
{
    return l && !l->machine;
}

void leaps_forget(leaps *l)
{
    if (l) l->known = 0;
}

static void step_rows(const leaps *l, leap_range *r, int part)
{
    if (l->machine) machine_step(l, r, part);
    else l->step(&l->x, r, part);
}

typedef enum { FORCES, EDGES, STEP } what;

typedef struct {
    leaps *l;
    what   what;
} share;

/* Where the rows at both ends of a part will be: its neighbours need them, and cannot know when they get there. */
static void find_edges(const leaps *l, int from, int to, int part)
{
    const int halo = row_plan_halo(l->plan);
    double   *low = l->x.edge + (ptrdiff_t)part * 2 * halo, *high = low + halo;
    for (int k = 0; k < halo && from + k < to; k++) {
        double rest = l->x.q_low[from + k];
        low[k] = l->x.q[from + k];
        leaps_add(l, &low[k], &rest, leaps_drift(l, from + k));
    }
    for (int k = 0; k < halo && to - halo + k >= from; k++) {
        double rest = l->x.q_low[to - halo + k];
        high[k] = l->x.q[to - halo + k];
        leaps_add(l, &high[k], &rest, leaps_drift(l, to - halo + k));
    }
}

static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    const leaps *l = s->l;
    int          from, to;
    crew_range(l->x.n, ROWS_TILE, part, parts, &from, &to);
    leap_range all = {from, to, from, to, from};
    if (s->what == EDGES) find_edges(l, from, to, part);
    else if (s->what == STEP) step_rows(l, &all, part);
    else if (l->machine) machine_forces(l, &all, part);
    else l->forces(&l->x, &all, part);
}

static void everywhere(leaps *l, what call)
{
    share s = {l, call};
    crew_work(l->hands, do_share, &s);
}

static void one_step(leaps *l)
{
    if (crew_size(l->hands) > 1) everywhere(l, EDGES);
    everywhere(l, STEP);
}

/* Several steps in one pass over memory: each follows the one before it a little behind, on rows that are still at hand.
 * Step s may move no position that step s - 1 will still read, and needs what that has done a halo ahead: so it stays two
 * halos behind. */
enum { WAVE = 8, STRIP = 16 * ROWS_TILE };

static void wave(leaps *l, int steps)
{
    const int  n = l->x.n, behind = (2 * row_plan_halo(l->plan) + ROWS_TILE - 1) / ROWS_TILE * ROWS_TILE;
    leap_range r[WAVE];
    for (int s = 0; s < steps; s++) r[s] = (leap_range){.from = 0, .to = n};
    for (long long front = STRIP; r[steps - 1].b < n; front += STRIP)
        for (int s = 0; s < steps; s++) {
            long long end = front - (long long)s * behind;
            r[s].a = r[s].b;
            if (end > r[s].b) r[s].b = end < n ? (int)end : n;
            if (r[s].a < r[s].b) step_rows(l, &r[s], 0);
        }
}

static void many_steps(leaps *l, long count)
{
    const bool waves = crew_size(l->hands) == 1 && l->x.n > 4 * STRIP && row_plan_halo(l->plan) <= ROWS_TILE;
    for (long k = 0, some; k < count; k += some) {
        some = waves && count - k > 1 ? (count - k < WAVE ? count - k : WAVE) : 1;
        if (some > 1) wave(l, (int)some);
        else one_step(l);
    }
}

/* Points the pass at the state of the stepper, with the forces there. */
static void begin(leaps *l, stepper *st, double h)
{
    const samples *rule = &st->eq.rule;
    leap          *x = &l->x;
    st->sys->row_reads(st->sys->self, l->plan, st->t, &l->reads);
    x->s = &l->reads, x->c = l->c;
    x->q = st->q, x->q_low = st->q_low, x->p = st->p, x->p_low = st->p_low;
    x->h = h, l->c[ROW_LQ] = h * rule->b[0];
    if (l->known != h) everywhere(l, FORCES);
    l->known = h;
}

static void copy_state(double *const to[4], double *const from[4], int n)
{
    for (int k = 0; k < 4; k++) memcpy(to[k], from[k], (size_t)n * sizeof **to);
}

/* What is not finite stays so: looking at the end of many steps is enough. */
static bool is_finite(const stepper *st)
{
    return all_finite(st->q, st->sys->n) && all_finite(st->p, st->sys->n);
}

static void note_curve(const leaps *l, stepper *st)
{
    for (int i = 0; i < l->x.n; i++) st->y[i] = leaps_drift(l, i);
}

/* `count` steps, of which the last leaves the state before it and its curve for those who look. */
static void make(leaps *l, stepper *st, long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low}, *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    many_steps(l, count - 1);
    copy_state(before, now, st->sys->n);
    note_curve(l, st);
    one_step(l);
}

/* Back to the state that was kept, and on as far as it goes: the steps are the same as they were. */
static long replay(leaps *l, stepper *st, double *const kept[4], long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low};
    long    good = 0;
    copy_state(now, kept, st->sys->n);
    everywhere(l, FORCES);
    for (one_step(l); good < count && is_finite(st); good++) one_step(l);
    copy_state(now, kept, st->sys->n);
    everywhere(l, FORCES);
    if (good) make(l, st, good);
    return good;
}

static bool take_masses(leaps *l, stepper *st)
{
    const int n = l->x.n, halo = row_plan_halo(l->plan);
    bool      known = st->leap.ready;
    if (!explicit_masses(st, l->over)) return false;
    for (int a = 0; a < n && !known; a += ROWS_TILE) {
        double *same = &l->same[a / ROWS_TILE];
        *same = l->over[a];
        for (int i = a; i < n && i < a + ROWS_TILE + halo; i++)
            if (l->over[i] != l->over[a]) *same = (double)NAN;
    }
    return true;
}

long leaps_make(stepper *st, double h, long count)
{
    leaps  *l = st->leaps;
    int     n = st->sys->n;
    double *now[] = {st->q, st->q_low, st->p, st->p_low}, *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    double *kept[] = {st->saved, st->saved + n, st->saved + 2 * n, st->saved + 3 * n};
    if (!take_masses(l, st)) return 0;
    begin(l, st, h);
    if (count > 1) copy_state(kept, now, n);
    make(l, st, count);
    if (is_finite(st)) return count;
    if (count > 1) return replay(l, st, kept, count - 1);
    copy_state(now, before, n);
    return leaps_forget(l), 0;
}

long leaps_leap(stepper *st, double from, long k, double h, long count)
{
    equations *eq = &st->eq;
    stepper_pose(st, from + (double)k * h, h, h < 0);
    long made = st->watch || !count ? 0 : leaps_make(st, h, count);
    if (!made) return 0;
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    eq->t = from + (double)(k + made - 1) * h;
    equations_tune(eq, h, h < 0);
    st->leap.carried = -1, st->leap.due = true;
    st->last = st->y, st->last_h = st->past_h = h, st->work = 0, st->stepped = true;
    st->known = st->reactions = st->kicked_known = false;
    st->t = from + (double)(k + made) * h;
    st->nw.count.steps += made;
    return made;
}
