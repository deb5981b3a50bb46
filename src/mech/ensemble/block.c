/* block.c - steppers into the lanes of a block, and back. */
#include "mech/ensemble/block.h"

#include "mech/stepper/stepper.h"

#include <string.h>

/* Numbers of all lanes, in vectors; `known` is common to them. */
lane_block *lane_block_new(mem *m, const stepper *st, int lanes, int parameters, int inputs)
{
    lane_block *b = mem_array(m, 1, lane_block);
    const int   n = st->sys->n, N = st->eq.size, substeps = st->sch.substeps;
    double    **of_n[] = {&b->s.q, &b->s.q_low, &b->s.p, &b->s.p_low};
    *b = (lane_block){.lanes = lanes,
                      .n = n,
                      .unknowns = N,
                      .substeps = substeps,
                      .parameters = parameters,
                      .inputs = inputs};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
        *of_n[k] = mem_lines(m, (size_t)n * (size_t)lanes);
    b->s.before = mem_lines(m, 4 * (size_t)n * (size_t)lanes);
    b->par = mem_lines(m, ((size_t)parameters + 1) * (size_t)lanes);
    b->u = mem_lines(m, ((size_t)inputs + 1) * (size_t)lanes);
    b->s.history = mem_lines(m, (size_t)substeps * HISTORY_MOST * (size_t)N * (size_t)lanes);
    b->s.known = mem_array(m, substeps, int);
    b->s.work = mem_lines(m, (size_t)lanes), b->s.last_work = mem_lines(m, (size_t)lanes);
    b->s.on = (long long *)(void *)mem_lines(m, (size_t)lanes);
    b->s.par = b->par, b->s.u = b->u;
    if (!st->rough.sum) return b;
    roughest_room(m, &b->rough, n, lanes), b->s.rough = &b->rough;
    for (int l = 0; l < lanes; l++) b->like[l].way = mem_array(m, n + 1, double);
    return b;
}

/* Members have made k steps before. */
void lane_block_begin(lane_block *b, double from, double h, long k)
{
    b->s.from = from, b->s.h = h, b->s.k = k;
    for (int j = 0; j < b->substeps; j++) b->s.known[j] = k < HISTORY_MOST ? (int)k : HISTORY_MOST;
    memset(b->s.work, 0, (size_t)b->lanes * sizeof *b->s.work);
    memset(b->s.on, 0, (size_t)b->lanes * sizeof *b->s.on);
    if (!b->s.rough) return;
    roughest_clear(&b->rough, b->n, b->lanes);
    for (int l = 0; l < b->lanes; l++) {
        b->like[l] = (usual_steps){.way = b->like[l].way};
        memset(b->like[l].way, 0, (size_t)b->n * sizeof *b->like[l].way);
    }
}

void lane_block_sample(lane_block *b)
{
    for (int l = 0; b->s.rough && l < b->lanes; l++)
        if (b->s.on[l])
            usual_add(&b->like[l], b->n, b->lanes, b->s.p + l, b->rough.z + l, b->s.h,
                      b->rough.most[l]);
}

/* Copies. -------------------------------------------------------------------------------------- */

enum { COPIED = 10 };

/* Arrays of the block and of a copy, and their lengths. */
static void arrays_of(const lane_block *b, const lane_copy *c, double *own[COPIED],
                      double *kept[COPIED], size_t size[COPIED])
{
    const lane_state *s = &b->s;
    const size_t      lanes = (size_t)b->lanes, n = (size_t)b->n * lanes;
    const size_t      past = (size_t)(b->substeps * HISTORY_MOST * b->unknowns) * lanes;
    double *const     from[] = {s->q,       s->q_low, s->p,         s->p_low, s->before,
                                s->history, s->work,  s->last_work, b->par,   b->u};
    double *const     to[] = {c->q,       c->q_low, c->p,         c->p_low, c->before,
                              c->history, c->work,  c->last_work, c->par,   c->u};
    const size_t      length[] = {n,
                                  n,
                                  n,
                                  n,
                                  4 * n,
                                  past,
                                  lanes,
                                  lanes,
                                  (size_t)b->parameters * lanes,
                                  (size_t)b->inputs * lanes};
    for (int i = 0; i < COPIED; i++) own[i] = from[i], kept[i] = to[i], size[i] = length[i];
}

static void copy_room(mem *m, const lane_block *b, lane_copy *c)
{
    double *own[COPIED], *kept[COPIED],
        **to[] = {&c->q,       &c->q_low, &c->p,         &c->p_low, &c->before,
                  &c->history, &c->work,  &c->last_work, &c->par,   &c->u};
    size_t size[COPIED];
    *c = (lane_copy){0};
    arrays_of(b, c, own, kept, size);
    for (int i = 0; i < COPIED; i++) *to[i] = mem_lines(m, size[i] + 1);
    c->known = mem_array(m, b->substeps, int), c->on = mem_array(m, b->lanes, long long);
}

void lane_block_repeats(mem *m, lane_block *b, int states)
{
    lane_repetition *of = &b->again;
    const int        n = b->n * b->lanes;
    for (int k = 0; k < REPEATED_PARTS; k++) copy_room(m, b, &of->part[k]);
    copy_room(m, b, &of->end);
    of->least = mem_array(m, n, double), of->most = mem_array(m, n, double);
    of->action = mem_array(m, n, double), of->met = mem_array(m, states * n, double);
}

void lane_block_save(lane_block *b, lane_copy *to)
{
    double *own[COPIED], *kept[COPIED];
    size_t  size[COPIED];
    arrays_of(b, to, own, kept, size);
    for (int i = 0; i < COPIED; i++) memcpy(kept[i], own[i], size[i] * sizeof **own);
    memcpy(to->known, b->s.known, (size_t)b->substeps * sizeof *to->known);
    memcpy(to->on, b->s.on, (size_t)b->lanes * sizeof *to->on);
    to->k = b->s.k;
}

void lane_block_restore(lane_block *b, const lane_copy *from)
{
    double *own[COPIED], *kept[COPIED];
    size_t  size[COPIED];
    arrays_of(b, from, own, kept, size);
    for (int i = 0; i < COPIED; i++) memcpy(own[i], kept[i], size[i] * sizeof **own);
    memcpy(b->s.known, from->known, (size_t)b->substeps * sizeof *from->known);
    memcpy(b->s.on, from->on, (size_t)b->lanes * sizeof *from->on);
    b->s.k = from->k;
}

/* Lanes. --------------------------------------------------------------------------------------- */

static void put(const lane_block *b, double *to, int l, const double *from, int n)
{
    for (int i = 0; i < n; i++) to[i * b->lanes + l] = from[i];
}

static void take(const lane_block *b, double *to, const double *from, int l, int n)
{
    for (int i = 0; i < n; i++) to[i] = from[i * b->lanes + l];
}

/* The solution of substep j, a steps ago. */
static double *history_at(const lane_block *b, int j, int a)
{
    return b->s.history + (size_t)(j * HISTORY_MOST + a) * (size_t)(b->unknowns * b->lanes);
}

/* A stepper that had to begin anew repeats the oldest solution that it has. */
static void put_history(const lane_block *b, int l, const stepper *st)
{
    for (int j = 0; st->history && j < b->substeps; j++)
        for (int a = 0; a < b->s.known[j]; a++) {
            const history *own = &st->history[j];
            put(b, history_at(b, j, a), l, own->y[a < own->count ? a : own->count - 1],
                b->unknowns);
        }
}

void lane_block_load(lane_block *b, int l, stepper *st, const double *par, const double *u)
{
    put(b, b->s.q, l, st->q, b->n), put(b, b->s.q_low, l, st->q_low, b->n);
    put(b, b->s.p, l, st->p, b->n), put(b, b->s.p_low, l, st->p_low, b->n);
    put_history(b, l, st);
    put(b, b->par, l, par, b->parameters), put(b, b->u, l, u, b->inputs);
    if (b->s.rough && st->rough.sum) roughest_copy(&b->rough, l, b->lanes, &st->rough, 0, 1, b->n);
    b->s.on[l] = -1;
}

/* Z^nu = x_nu z, stage momenta equal to that of the state. */
static void guess_before(lane_block *b, int l, int substep, const stepper *like)
{
    const equations *eq = &like->eq;
    const double     part = b->substeps > 1 ? like->sch.gamma[substep] : 1;
    const double    *p = b->rough.from + b->n * b->lanes, *z = p + b->n * b->lanes;
    double          *y = history_at(b, substep, 0);
    for (int i = 0; i < b->unknowns; i++) y[i * b->lanes + l] = 0;
    for (int nu = 1; nu <= eq->d; nu++)
        for (int j = 0; j < b->n; j++)
            y[((nu - 1) * b->n + j) * b->lanes + l] =
                part * eq->control.x[0][nu] * z[j * b->lanes + l];
    for (int i = 0; i < eq->s; i++)
        for (int j = 0; j < eq->phase; j++)
            y[(eq->P + i * eq->phase + j) * b->lanes + l] = p[eq->phase_list[j] * b->lanes + l];
}

void lane_block_roughest(lane_block *b, int l, const stepper *like)
{
    const double *q = b->rough.from, *p = q + b->n * b->lanes;
    for (int i = l; i < b->n * b->lanes; i += b->lanes) {
        b->s.q[i] = q[i], b->s.p[i] = p[i];
        b->s.q_low[i] = b->s.p_low[i] = 0;
    }
    for (int j = 0; j < b->substeps; j++) guess_before(b, l, j, like), b->s.known[j] = 1;
}

static void repeat(const lane_block *b, double *x, int n, int first)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < b->lanes; l++)
            if (!b->s.on[l]) x[i * b->lanes + l] = x[i * b->lanes + first];
}

bool lane_block_fill(lane_block *b)
{
    int first = 0;
    while (first < b->lanes && !b->s.on[first]) first++;
    if (first == b->lanes) return false;
    double *of_n[] = {b->s.q, b->s.q_low, b->s.p, b->s.p_low};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) repeat(b, of_n[k], b->n, first);
    repeat(b, b->par, b->parameters, first), repeat(b, b->u, b->inputs, first);
    repeat(b, b->s.history, b->substeps * HISTORY_MOST * b->unknowns, first);
    return true;
}

/* Past solutions, newest first; of a lane that was lost the newest is none. */
static void take_history(const lane_block *b, int l, stepper *st)
{
    const int lost = !b->s.on[l];
    for (int j = 0; st->history && j < b->substeps; j++) {
        history *own = &st->history[j];
        own->count = b->s.known[j] - lost;
        for (int a = 0; a < own->count; a++)
            take(b, own->y[a], history_at(b, j, a + lost), l, b->unknowns);
    }
}

/* A lane that was lost is where its last step began, so its time is one step less. */
void lane_block_store(const lane_block *b, int l, stepper *st)
{
    const int    last = b->s.h < 0 ? 0 : b->substeps - 1;
    const double part = b->substeps > 1 ? st->sch.gamma[last] : 1;
    take(b, st->q, b->s.q, l, b->n), take(b, st->q_low, b->s.q_low, l, b->n);
    take(b, st->p, b->s.p, l, b->n), take(b, st->p_low, b->s.p_low, l, b->n);
    take_history(b, l, st);
    stepper_forget_engine(st), explicit_forget(st);
    st->t = b->s.from + (double)(b->s.k - !b->s.on[l]) * b->s.h, st->history_h = b->s.h;
    st->last = st->history ? st->history[last].y[0] : NULL, st->last_h = part * b->s.h;
    st->stepped = false;
    stepper_moved(st);
    if (!b->s.rough || !st->rough.sum) return;
    roughest_copy(&st->rough, 0, 1, &b->rough, l, b->lanes, b->n);
    st->rough.noted = b->rough.noted;
}

void lane_block_numbers(const lane_block *b, int l, double *par, double *u)
{
    take(b, par, b->par, l, b->parameters), take(b, u, b->u, l, b->inputs);
}

bool stepper_is_plain(const stepper *st)
{
    return !st->watch.asked && !st->energy && !stepper_projects(st) && !st->massless.singular;
}

/* Bit for bit: lanes share every coefficient. */
static bool same(const double *a, const double *b, int n)
{
    return !n || !memcmp(a, b, (size_t)n * sizeof *a);
}

static bool same_samples(const samples *a, const samples *b)
{
    return a->count == b->count && same(a->x[0], b->x[0], a->count) && same(a->b, b->b, a->count);
}

/* Sizes, substeps, all points and weights, and how sums are formed. */
bool steppers_are_alike(const stepper *a, const stepper *b)
{
    return a->eq.n == b->eq.n && a->eq.size == b->eq.size && a->eq.d == b->eq.d &&
           a->sch.substeps == b->sch.substeps &&
           same(a->sch.gamma, b->sch.gamma, a->sch.substeps) &&
           same_samples(&a->eq.rule, &b->eq.rule) && same_samples(&a->eq.force, &b->eq.force) &&
           same_samples(&a->eq.control, &b->eq.control) &&
           a->options.plain_summation == b->options.plain_summation;
}
