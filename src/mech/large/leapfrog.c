/* leapfrog.c - explicit steps made in time tiles, and how to go back where one of them fails. */
#include "mech/large/leapfrog_inside.h"

#include <math.h>
#include <string.h>

enum {
    HALO_MOST = 1024,
    KICK_SLOT = 10, /* behind those of the state */
    DRIFT_SLOT,
    FORCE_SLOT,
    WORK_SLOT,
    LANES_LEAST = 16 /* steps, for which the state is turned into lanes and back */
};

/* Both ends of the curve are sampled, with the same weight. */
static bool fits(const stepper *st)
{
    const samples *rule = &st->eq.rule;
    return st->explicitly.fits && (st->sch.substeps == 1 || !st->sys->forced) &&
           rule->count == 2 && rule->b[0] == rule->b[1];
}

/* The forces on the rows. f is evaluated at velocity zero, since the rest of it is -R v. */
static const row_plan *find_plan(mem *m, const stepper *st)
{
    const row_plan *plan = fits(st) ? row_plan_new(m, st->sys, OF_FORCE, 0) : NULL;
    return plan && st->sys->forced ? row_plan_at_rest(m, plan) : plan;
}

/* Work needs what each row gained, and the forces at both ends of a step. */
static void make_room_for_work(leapfrog *l, mem *m, const stepper *st)
{
    l->x.resistance = explicit_resistances(st);
    if (row_plan_gives(l->plan, ROW_F)) l->x.force = mem_apart(m, (size_t)l->n, FORCE_SLOT);
    if (!l->x.resistance && !l->x.force) return;
    l->x.work = mem_apart(m, (size_t)l->n, WORK_SLOT);
    l->tile_work = mem_array(m, l->n / ROWS_TILE + 1, double);
}

static void make_room(leapfrog *l, mem *m, int n)
{
    l->x.kick = mem_apart(m, (size_t)n, KICK_SLOT);
    l->drift = mem_apart(m, (size_t)n, DRIFT_SLOT);
    l->same = mem_array(m, n / ROWS_TILE + 1, double);
    l->good = mem_array(m, thread_pool_size(l->pool), bool);
    l->x.drift = l->drift, l->x.same = l->same, l->x.c = l->c[0];
}

static bool share(leapfrog *l, mem *m, ranks *of, text *why)
{
    int       most;
    const int reach = leapfrog_reach(l, &most);
    if (leapfrog_share(l, m, of, reach, most)) return true;
    text_printf(why, "%d coordinates, each joined to others up to %d away, are too few for %d ranks",
                l->n, reach, of->count);
    return false;
}

/* Few rows for each thread, or a halo nearly as wide, are not shared. */
leapfrog *leapfrog_new(mem *m, stepper *st, thread_pool *pool, ranks *of, bool compiles, text *why)
{
    const row_plan *plan = find_plan(m, st);
    const int       n = st->sys->n, each = n / thread_pool_size(pool);
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    leapfrog *l = mem_array(m, 1, leapfrog);
    l->plan = plan, l->driven = st->explicitly.driven;
    l->n = n, l->plain = st->options.plain_summation;
    l->parts = st->sch.substeps, l->gamma = st->sch.gamma;
    l->pool = each < 8 * ROWS_TILE || each < 8 * row_plan_halo(plan) ? NULL : pool;
    make_room(l, m, n);
    make_room_for_work(l, m, st);
    if (!st->saved) st->saved = mem_array(m, 4 * n, double);
    /* momenta in the middle of a step are none where the next one has another length */
    if (compiles && (l->parts == 1 || !l->plain)) l->in_lanes = row_lanes_new(m, plan, OF_FORCE, n);
    l->lanes_forced = l->in_lanes && row_lanes_give(l->in_lanes, ROW_F);
    if (of && !share(l, m, of, why)) return NULL;
    leapfrog_divide(l, m);
    if (!compiles) return l;
    if (!leapfrog_compile(l, m, why)) return NULL;
    if (l->in_lanes) leapfrog_divide_lanes(l, m);
    return l;
}

/* Neither the kick nor the drift belongs to what is there now. */
void leapfrog_forget(stepper *st)
{
    st->leapfrog->known = st->leapfrog->weighed = 0;
}

static void forces_of_part(void *self, int part, int parts)
{
    const leapfrog *l = self;
    leapfrog_range  r = {0};
    if (l->mine) r.a = l->mine->from, r.b = l->mine->to;
    else thread_pool_range(l->n, ROWS_TILE, part, parts, &r.a, &r.b);
    l->forces(&l->x, &r);
}

/* The kick (h/2) F at the present state. */
static void find_forces(leapfrog *l)
{
    leapfrog_read(l, 0);
    thread_pool_work(leapfrog_pool(l, 1), forces_of_part, l);
}

static bool is_lost(const leapfrog *l)
{
    return l->mine && l->mine->is_lost;
}

static void time_tiles(leapfrog *l, leapfrog_division *d, long count)
{
    for (; count > 0 && !is_lost(l); count -= d->steps)
        leapfrog_time_tile(l, d, count < d->steps ? (int)count : d->steps);
}

static void one_step(leapfrog *l)
{
    leapfrog_time_tile(l, &l->rows, 1);
}

/* With plain sums the lanes hold momenta in the middle of a step; the step before the last is made
 * in place to recover those at its end. */
static void many_steps(leapfrog *l, long count)
{
    if (!l->side_by_side.blocks || count < LANES_LEAST) {
        time_tiles(l, &l->rows, count);
        return;
    }
    leapfrog_begin_lanes(l);
    time_tiles(l, &l->side_by_side, count - l->plain);
    leapfrog_end_lanes(l);
    if (l->plain) one_step(l);
}

/* Points the pass at the state of the stepper, with the forces there. */
static void begin(leapfrog *l, stepper *st, double h)
{
    leapfrog_pass *x = &l->x;
    const bool known = l->known == h;
    x->s = l->reads;
    x->q = st->q, x->q_low = st->q_low, x->p = st->p, x->p_low = st->p_low;
    l->known = h;
    if (known) leapfrog_read(l, 0);
    else find_forces(l);
}

/* Work on all rows of the state, shared by all threads. */
typedef struct {
    const leapfrog  *l;
    double *const   *to, *const *from; /* q, q_low, p, p_low */
    double          *curve;
    bool            *good;
    bool             whole; /* also those rows that other ranks have */
} state_pass;

static void range_of(const state_pass *s, int part, int parts, int *from, int *to)
{
    const rank_rows *w = s->whole ? NULL : s->l->mine;
    if (w) *from = w->own, *to = w->end;
    else thread_pool_range(s->l->n, ROWS_TILE, part, parts, from, to);
}

static void over_rows(leapfrog *l, void (*work)(void *self, int share, int parts), state_pass *s)
{
    s->l = l;
    thread_pool_work(leapfrog_pool(l, 1), work, s);
}

static void copy_part(void *self, int share, int parts)
{
    const state_pass *s = self;
    int               from, to;
    range_of(s, share, parts, &from, &to);
    for (int k = 0; k < 4; k += 1 + s->l->plain) /* plain sums leave nothing over */
        memcpy(s->to[k] + from, s->from[k] + from, (size_t)(to - from) * sizeof **s->to);
}

static void copy_state(leapfrog *l, double *const to[4], double *const from[4], bool whole)
{
    over_rows(l, copy_part, &(state_pass){.to = to, .from = from, .whole = whole});
}

static void look_at_part(void *self, int share, int parts)
{
    const state_pass *s = self;
    int               from, to;
    range_of(s, share, parts, &from, &to);
    s->good[share] =
        all_finite(s->l->x.q + from, to - from) && all_finite(s->l->x.p + from, to - from);
}

/* Non-finite numbers stay non-finite, so checking after many steps is enough. */
static bool is_finite(leapfrog *l)
{
    bool good = true;
    for (int k = 0; k < thread_pool_size(l->pool); k++) l->good[k] = true;
    over_rows(l, look_at_part, &(state_pass){.good = l->good, .whole = true});
    for (int k = 0; k < thread_pool_size(l->pool); k++) good &= l->good[k];
    return good;
}

/* The work of all forces since it was last read, tile by tile. */
static void add_up_part(void *self, int share, int parts)
{
    const state_pass *s = self;
    double           *W = s->l->x.work;
    int               from, to;
    range_of(s, share, parts, &from, &to);
    for (int a = from; a < to; a += ROWS_TILE) {
        double sum = 0;
        for (int i = a; i < to && i < a + ROWS_TILE; i++) sum += W[i], W[i] = 0;
        s->l->tile_work[a / ROWS_TILE] = sum;
    }
}

/* Of the rows beside its own, a rank has added up a part only. */
static void leave_work(leapfrog *l)
{
    const rank_rows *w = l->mine;
    memset(l->x.work + w->from, 0, (size_t)(w->own - w->from) * sizeof(double));
    memset(l->x.work + w->end, 0, (size_t)(w->to - w->end) * sizeof(double));
    leapfrog_gather(l, l->tile_work, ROWS_TILE);
}

/* Rows hold h times the work, and are set to 0. */
static double take_work(leapfrog *l)
{
    double sum = 0;
    if (!l->x.work) return 0;
    over_rows(l, add_up_part, &(state_pass){0});
    if (l->mine) leave_work(l);
    for (int a = 0; a < l->n; a += ROWS_TILE) sum += l->tile_work[a / ROWS_TILE];
    return sum / l->known;
}

/*     z = h (M + (h/2) R)^-1 (p_0 + k_0),   q_1 = q_0 + z,
 *     p_1 = p_0 + (k_0 + k_1) - R z,   k = (h/2) F(q)                            theory.md [DEL] */
static void note_part(void *self, int share, int parts)
{
    const state_pass *s = self;
    const leapfrog_pass *x = &s->l->x;
    double *restrict z = s->curve;
    const double by = leapfrog_part(s->l, s->l->now);
    int          from, to;
    range_of(s, share, parts, &from, &to);
    for (int i = from; i < to; i++) {
        const double p = x->p[i] + by * x->kick[i];
        z[i] = by * x->drift[i] * (s->l->plain ? p : p + x->p_low[i]);
    }
}

static void note_curve(leapfrog *l, double *curve)
{
    over_rows(l, note_part, &(state_pass){.curve = curve});
}

/* All ranks have all of the state, of the one before and of the curve between them. */
static void gather(leapfrog *l, double *const now[4], double *const before[4], double *curve)
{
    for (int k = 0; k < 4; k += 1 + l->plain)
        leapfrog_gather(l, now[k], 1), leapfrog_gather(l, before[k], 1);
    leapfrog_gather(l, curve, 1);
}

/* `count` steps, or substeps of compositions; the last one leaves the previous state and its curve
 * for those who read them. */
static void make(leapfrog *l, stepper *st, long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low},
           *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    many_steps(l, count - 1);
    l->all_work = count > 1 ? take_work(l) : 0;
    copy_state(l, before, now, false);
    note_curve(l, st->y);
    one_step(l);
    l->last_work = take_work(l), l->all_work += l->last_work;
    if (l->mine) gather(l, now, before, st->y);
}

static bool is_finite_so_far(leapfrog *l)
{
    if (l->mine) leapfrog_gather(l, l->x.q, 1), leapfrog_gather(l, l->x.p, 1);
    return is_finite(l);
}

/* Restores the saved state and steps as far as possible: the steps are the same as they were. */
static long replay(leapfrog *l, stepper *st, double *const kept[4], long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low};
    long    good = 0;
    copy_state(l, now, kept, true);
    l->now = l->first, find_forces(l);
    /* how many are finite, then those once more: the last of them leaves its curve */
    for (one_step(l); good < count && is_finite_so_far(l); good++) one_step(l);
    copy_state(l, now, kept, true);
    l->now = l->first, find_forces(l), take_work(l);
    good -= good % l->parts; /* whole steps */
    if (good) make(l, st, good);
    return good;
}

/* False: damping would remove all inertia. */
static bool find_drift(leapfrog *l, const double *mass, double h)
{
    const double *R = l->x.resistance, by = l->c[0][ROW_F];
    for (int i = 0; i < l->n; i++) {
        const double inertia = R ? mass[i] + by * R[i] : mass[i];
        l->drift[i] = h * (1 / inertia);
        if (inertia == 0) return false;
    }
    return true;
}

/* Drift of each row, and of each tile if all of its rows have the same; NaN if they have not. */
static bool take_masses(leapfrog *l, stepper *st, double h)
{
    const int     n = l->n;
    const double *mass = explicit_masses(st);
    if (!mass || l->weighed == h) return mass;
    for (int k = 0; k < l->side_by_side.blocks; k++) l->side_by_side.block[k].weighed = false;
    for (int k = 0; k <= STEPS_MOST; k++)
        l->c[k][ROW_LQ] = l->c[k][ROW_F] = h * st->eq.rule.b[0];
    if (!find_drift(l, mass, h)) return false;
    l->weighed = h;
    for (int a = 0; a < n; a += ROWS_TILE) {
        double *same = &l->same[a / ROWS_TILE];
        *same = l->drift[a];
        for (int i = a; i < n && i < a + ROWS_TILE; i++)
            if (l->drift[i] != l->drift[a]) *same = (double)NAN;
    }
    return true;
}

/* The state before is kept, since a number that is not finite shows only at the end. */
static long steps_from_here(leapfrog *l, stepper *st, double h, long count)
{
    const int n = l->n;
    double *now[] = {st->q, st->q_low, st->p, st->p_low},
           *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    double *kept[] = {st->saved, st->saved + n, st->saved + 2 * n, st->saved + 3 * n};
    begin(l, st, h);
    if (count > 1 || l->mine) copy_state(l, kept, now, true);
    make(l, st, count);
    const bool good = is_finite(l);
    const long made = good ? count : count > 1 ? replay(l, st, kept, count - 1) : 0;
    const bool lost = is_lost(l);
    if (made && !lost) return made;
    copy_state(l, now, count > 1 || lost ? kept : before, true);
    return l->known = 0, 0;
}

/* Up to `count` steps from the present state, and how many were made; inside, substeps are counted.
 * A step that would lead to non-finite numbers is not made: the state is then the one before it. */
static long make_steps(leapfrog *l, stepper *st, const steps_asked *along)
{
    if (!take_masses(l, st, along->h)) return 0;
    l->from = along->from, l->first = l->now = along->k * l->parts, l->back = along->h < 0;
    l->awake = leapfrog_pool(l, along->count * l->parts);
    const long made = steps_from_here(l, st, along->h, along->count * l->parts);
    l->awake = false;
    return made / l->parts;
}

/* Afterwards the stepper is as if step.c had made the last step, but for its sample points,
 * which explicit_complete evaluates on demand. */
long leapfrog_advance(stepper *st, const steps_asked *along, steps_made *out)
{
    equations   *eq = &st->eq;
    const double from = along->from, h = along->h;
    if (st->watch.asked) return 0;
    stepper_begin_step(st, from + (double)along->k * h, h, h < 0);
    const long made = make_steps(st->leapfrog, st, along), end = along->k + made;
    if (is_lost(st->leapfrog)) out->lost = &st->leapfrog->mine->lost;
    if (!made) return 0;
    out->work += st->leapfrog->all_work, st->work = st->leapfrog->last_work;
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    eq->t = leapfrog_time(st->leapfrog, end * st->leapfrog->parts - 1);
    equations_set_step(eq, leapfrog_part(st->leapfrog, -1) * h, h < 0);
    st->explicitly.carried = -1, st->explicitly.due = true;
    st->last = st->y, st->last_h = eq->h, st->history_h = h, st->stepped = true;
    stepper_moved(st);
    st->t = from + (double)end * h;
    st->nw.count.steps += made;
    return made;
}
