/* explicit.c - explicit steps, in which every range of rows drifts, is evaluated and is kicked
 * while it is in cache; several steps follow each other through the rows. */
#include "mech/stepper/explicit.h"

#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/roughest.h"
#include "step/sum.h"

#include <float.h>
#include <math.h>

/* The point of the rule at x, 0 or 1; -1: none. */
static int point_at(const samples *rule, int side, double x)
{
    for (int i = 0; i < rule->count; i++)
        if (rule->x[side][i] == x) return i;
    return -1;
}

static bool sampled_at_ends(const samples *rule)
{
    int ends = (point_at(rule, 0, 0) >= 0) + (point_at(rule, 0, 1) >= 0);
    return ends == rule->count;
}

/* Forces stand where the points of the rule have them, which nobody reads before they are
 * completed. */
static void make_rooms(stepper *st)
{
    const equations  *eq = &st->eq;
    const dal_system *sys = st->sys;
    explicit_steps   *x = &st->explicitly;
    x->room[0] = (explicit_room){st->q, st->q_low, st->p, st->p_low, NULL, NULL};
    x->room[1] = (explicit_room){st->q0, st->q0_low, st->p0, st->p0_low, NULL, NULL};
    for (int k = 0; k <= IN_TURN; k++) {
        sys_values *out = &x->out[k];
        x->at[k] = (sys_point){.q = x->room[k & 1].q, .w = eq->zero, .v = eq->zero};
        *out = k < 2 ? eq->rule.out[k < eq->rule.count ? k : 0] : x->out[k & 1];
        if (k >= 2) continue;
        if (k >= eq->rule.count) out->Lq = mem_array(st->m, sys->n, double);
        if (k >= eq->rule.count && sys->forced) out->f = mem_array(st->m, sys->n, double);
        if (sys->selective) out->Lw = NULL;
        x->room[k].F = out->Lq, x->room[k].f = out->f;
    }
}

/* Does the field join no two coordinates? */
static bool is_on_diagonal(const dal_system *sys, field f)
{
    const pattern *K = &sys->K;
    for (int i = 0; i < sys->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            if (K->column[k] != i && (!sys->present[f] || sys->present[f][k])) return false;
    return true;
}

static bool forces_fit(const dal_system *sys)
{
    if (!sys->forced || sys->varies[F_FW] == FIELD_ZERO) return true;
    return sys->varies[F_FW] == FIELD_CONSTANT && is_on_diagonal(sys, F_FW);
}

void explicit_init(stepper *st)
{
    const equations  *eq = &st->eq;
    const dal_system *sys = st->sys;
    explicit_steps   *x = &st->explicitly;
    x->carried = -1;
    x->fits = st->options.principle != ENERGY && st->sch.curve == CURVE_POLYNOMIAL && eq->d == 1 &&
              eq->constant && eq->diagonal && !eq->phase && !eq->relations && !eq->force.count &&
              sampled_at_ends(&eq->rule) && (sys->autonomous || sys->driven) &&
              sys->varies[F_LWW] == FIELD_CONSTANT && sys->varies[F_LQW] == FIELD_ZERO &&
              forces_fit(sys);
    if (!x->fits) return;
    x->mass = mem_array(st->m, sys->n, double);
    x->shift = mem_array(st->m, sys->n, double);
    x->driven = sys->driven;
    x->damped = sys->forced && sys->varies[F_FW] != FIELD_ZERO;
    if (x->damped) x->resistance = mem_array(st->m, sys->n, double);
    if (sys->local && !st->saved) st->saved = mem_array(st->m, 4 * sys->n, double);
    make_rooms(st);
}

/* Masses do not depend on the state, but whether they can be evaluated may. */
void explicit_restart(stepper *st)
{
    st->explicitly.ready &= st->explicitly.usable;
    st->explicitly.due = false, st->explicitly.carried = -1;
}

void explicit_forget(stepper *st)
{
    st->explicitly.ready = false;
    explicit_restart(st);
}

/* L_ww, L_w and f_v at rest, and nothing else where that can be left out. */
static bool evaluate_at_rest(stepper *st, sys_values *out)
{
    const equations *eq = &st->eq;
    sys_point        at = {.t = eq->t, .q = st->q, .w = eq->zero, .v = eq->zero};
    *out = eq->rule.out[0];
    for (int f = 0; f < F_COUNT && st->sys->selective; f++)
        if (f != F_LWW && f != F_FW) out->on_K[f] = NULL;
    if (st->sys->selective) out->Lq = out->f = NULL;
    const unsigned of_force = st->explicitly.damped ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0;
    return !st->sys->eval(st->sys->self, WANT_GRADIENT | WANT_HESSIAN | of_force, 1, &at, out);
}

/* M, a and R, from the derivatives of L and f at rest. */
static void prepare(stepper *st)
{
    explicit_steps *x = &st->explicitly;
    sys_values      rest;
    const pattern  *K = &st->sys->K;
    x->ready = true, x->shifted = false, x->usable = evaluate_at_rest(st, &rest);
    for (int j = 0; j < st->sys->n && x->usable; j++) {
        const int jj = pattern_find(K, j, j);
        x->mass[j] = rest.on_K[F_LWW][jj];
        if (x->damped) x->resistance[j] = -rest.on_K[F_FW][jj];
        x->shift[j] = rest.Lw[j];
        x->shifted |= x->shift[j] != 0;
        x->usable = fabs(x->mass[j]) >= DBL_MIN && fabs(x->mass[j]) <= DBL_MAX;
    }
    x->carried = -1;
}

const double *explicit_masses(stepper *st)
{
    const explicit_steps *x = &st->explicitly;
    if (!x->ready) prepare(st);
    return x->usable && !x->shifted ? x->mass : NULL;
}

const double *explicit_resistances(const stepper *st)
{
    return st->explicitly.damped ? st->explicitly.resistance : NULL;
}

/* F = L_q + f */
static void add_forces(const stepper *st, explicit_room *r, int from, int to)
{
    double *restrict F = r->F;
    const double *restrict f = r->f;
    for (int j = from; st->eq.want.residual & WANT_FORCE && j < to; j++) F[j] += f[j];
}

explicit_room *explicit_find_room(stepper *st)
{
    st->explicitly.now = st->q == st->explicitly.room[1].q;
    return &st->explicitly.room[st->explicitly.now];
}

/* What all steps of one length share: the coefficients of F before and after; 0 where the rule has
 * no point. */
typedef struct {
    bool   before, after; /* is F evaluated there?                    */
    double drift;         /* of F_0 in the momentum of the drift      */
    double c0, c1;        /* of F_0 and F_1 in the kick               */
    double b0, b1;        /* weights                                  */
} explicit_terms;

static explicit_terms find_terms(const equations *eq)
{
    const samples *rule = &eq->rule;
    const int      from = point_at(rule, eq->mirrored, 0), to = point_at(rule, eq->mirrored, 1);
    explicit_terms c = {.before = from >= 0, .after = to >= 0};
    if (c.before) c.b0 = rule->b[from], c.c0 = eq->h * c.b0, c.drift = eq->c.q[from];
    if (c.after) c.b1 = rule->b[to], c.c1 = eq->h * c.b1;
    return c;
}

/* One step from room to room, of which ranges of rows drift before the forces there are evaluated
 * and are kicked after that. */
typedef struct {
    stepper              *st;
    const explicit_terms *c;
    explicit_room        *from, *to;
    bool                  finite;
    double                along0, along1, lost; /* powers of f_0, f_1 and R, times h */
} explicit_motion;

/*     z = h (M + c R)^-1 (p_0 - a + c F),  q_1 = q_0 + z */
static void drift(void *self, int from, int to)
{
    const explicit_motion *s = self;
    stepper               *st = s->st;
    const explicit_steps  *x = &st->explicitly;
    const explicit_room   *was = s->from, *is = s->to;
    const double *restrict F = s->c->before ? was->F : st->eq.zero;
    const double *restrict p = was->p, *restrict p_low = was->p_low, *restrict mass = x->mass;
    double *restrict z = st->y;
    const double h = st->eq.h, c = s->c->drift;
    if (x->damped)
        for (int j = from; j < to; j++)
            z[j] = h * (((p[j] - x->shift[j]) + c * F[j]) + p_low[j]) /
                   (mass[j] + c * x->resistance[j]);
    else if (x->shifted)
        for (int j = from; j < to; j++)
            z[j] = h * (((p[j] - x->shift[j]) + c * F[j]) + p_low[j]) / mass[j];
    else if (st->options.plain_summation)
        for (int j = from; j < to; j++) z[j] = h * (p[j] + c * F[j]) / mass[j];
    else
        for (int j = from; j < to; j++) z[j] = h * ((p[j] + c * F[j]) + p_low[j]) / mass[j];
    advance(is->q + from, is->q_low + from, was->q + from, was->q_low + from, z + from, to - from,
            st->options.plain_summation);
}

/*     p^- = p_0 + c_0 F_0 + c_1 F_1 - (c_0 + c_1) R z/h */
static void kick_rows(const explicit_motion *s, int from, int to)
{
    const stepper        *st = s->st;
    const explicit_terms *c = s->c;
    const double *restrict F0 = c->before ? s->from->F : st->eq.zero;
    const double *restrict F1 = c->after ? s->to->F : st->eq.zero;
    const double *restrict p0 = s->from->p, *restrict p0_low = s->from->p_low;
    double *restrict p = s->to->p, *restrict p_low = s->to->p_low;
    const double c0 = c->c0, c1 = c->c1, by = (c0 + c1) / st->eq.h;
    const double *restrict R = st->explicitly.resistance;
    if (st->explicitly.damped)
        for (int j = from; j < to; j++) {
            const double dp = (c0 * F0[j] + c1 * F1[j]) - by * R[j] * st->y[j];
            if (st->options.plain_summation) p[j] = p0[j] + dp;
            else carry(p0[j], dp + p0_low[j], &p[j], &p_low[j]);
        }
    else if (st->options.plain_summation)
        for (int j = from; j < to; j++) p[j] = p0[j] + (c0 * F0[j] + c1 * F1[j]);
    else
        for (int j = from; j < to; j++)
            carry(p0[j], (c0 * F0[j] + c1 * F1[j]) + p0_low[j], &p[j], &p_low[j]);
}

/*     sum_i b_i (f^i - R z/h) . z                                              theory.md [POWER] */
static void count_work(explicit_motion *s, int from, int to)
{
    const double *z = s->st->y, *R = s->st->explicitly.resistance;
    const double *f0 = s->from->f, *f1 = s->to->f;
    for (int j = from; s->c->before && j < to; j++) s->along0 += f0[j] * z[j];
    for (int j = from; s->c->after && j < to; j++) s->along1 += f1[j] * z[j];
    for (int j = from; s->st->explicitly.damped && j < to; j++) s->lost += R[j] * z[j] * z[j];
}

static double work(const explicit_motion *s)
{
    const explicit_terms *c = s->c;
    return c->b0 * s->along0 + c->b1 * s->along1 - (c->b0 + c->b1) * (s->lost / s->st->eq.h);
}

static void kick(void *self, int from, int to)
{
    explicit_motion *s = self;
    if (s->c->after) add_forces(s->st, s->to, from, to);
    kick_rows(s, from, to);
    s->finite = s->finite && all_finite(s->st->y + from, to - from) &&
                all_finite(s->to->p + from, to - from);
    if (s->st->sys->forced) count_work(s, from, to);
}

static void stay(void *self, int from, int to)
{
    (void)self, (void)from, (void)to;
}

static void take_forces(void *self, int from, int to)
{
    const explicit_motion *s = self;
    add_forces(s->st, s->to, from, to);
}

/* F at the present state is then known, if a step needs it. */
static bool begin(stepper *st, const explicit_terms *c, double t)
{
    if (!st->explicitly.ready) prepare(st);
    if (st->explicitly.carried >= 0) return st->explicitly.usable;
    explicit_steps  *x = &st->explicitly;
    explicit_motion  s = {.st = st, .to = explicit_find_room(st)};
    const sys_ranges by = {&s, stay, take_forces};
    x->at[x->now].t = t;
    return x->usable && (!c->before || !sys_eval_in_turn(st->sys, st->eq.want.residual, 1, 1,
                                                         &x->at[x->now], &x->out[x->now], &by));
}

/* Steps that follow each other through the rows, from room to room: t, where each ends, and what
 * becomes its work. False, and the state is as it was: some number is not finite. */
static bool move(stepper *st, const explicit_terms *c, const double *t, int count, double *works)
{
    explicit_steps *x = &st->explicitly;
    explicit_motion s[IN_TURN];
    sys_ranges      by[IN_TURN];
    const int       first = !x->now; /* the room where the first step ends */
    bool            good = true;
    for (int k = 0; k < count; k++) {
        const int to = (first + k) & 1;
        s[k] = (explicit_motion){st, c, &x->room[!to], &x->room[to], true, 0, 0, 0};
        by[k] = (sys_ranges){&s[k], drift, kick};
        x->at[first + k].t = t[k];
    }
    if (count > 1) stepper_save(st, false);
    if (c->after)
        good = !sys_eval_in_turn(st->sys, st->eq.want.residual, count, 1, &x->at[first],
                                 &x->out[first], by);
    else drift(s, 0, st->eq.n), kick(s, 0, st->eq.n);
    x->carried = c->after ? 0 : -1;
    for (int k = 0; k < count; k++) good = good && s[k].finite;
    if (!good) {
        if (count > 1) stepper_save(st, true), x->carried = -1;
        return false;
    }
    for (int k = 0; k < count; k++) {
        stepper_swap(st), x->now = !x->now;
        works[k] = st->sys->forced ? work(&s[k]) : 0;
    }
    return true;
}

bool explicit_substep(stepper *st)
{
    explicit_steps *x = &st->explicitly;
    equations      *eq = &st->eq;
    if (!x->fits || st->watch.asked) return explicit_forget(st), false;
    const explicit_terms c = find_terms(eq);
    const double         t = eq->t + eq->h;
    double               made;
    if (!begin(st, &c, eq->t) || !move(st, &c, &t, 1, &made)) return explicit_forget(st), false;
    x->due = true, st->nw.iterations = 0, st->work += made;
    return true;
}

long explicit_advance(stepper *st, const steps_asked *along, long count, double *done)
{
    equations   *eq = &st->eq;
    const double from = along->from, h = along->h;
    const long   k = along->k;
    long         made = 0;
    if (st->watch.asked || st->sch.substeps > 1) return 0;
    stepper_begin_step(st, from + (double)k * h, h, h < 0);
    const explicit_terms c = find_terms(eq);
    const bool           noted = !st->engine && st->rough.sum;
    int                  most = c.after && st->sys->local && !noted ? IN_TURN : 1;
    while (made < count) {
        const int these = count - made < most ? (int)(count - made) : most;
        double    t[IN_TURN + 1], works[IN_TURN];
        for (int i = 0; i <= these; i++) t[i] = from + (double)(k + made + i) * h;
        const bool good = begin(st, &c, t[0]) && move(st, &c, t + 1, these, works);
        if (!good && these == 1) break;
        most = good ? most : 1; /* one by one, as far as it goes */
        if (good && noted)
            note_roughness(&st->rough, st->sys->n, 1, t[0], h, st->q0, st->p0, st->q);
        for (int i = 0; good && i < these; i++, made++) *done += st->work = works[i], eq->t = t[i];
    }
    if (made < count) explicit_forget(st);
    if (!made) return 0;
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    st->explicitly.due = true, st->nw.iterations = 0, st->last = st->y,
    st->last_h = st->history_h = h;
    st->t = from + (double)(k + made) * h, st->nw.count.steps += made, st->stepped = true;
    stepper_moved(st);
    return made;
}

void explicit_complete(stepper *st)
{
    equations_evaluate(&st->eq, st->y, st->nw.r);
    st->explicitly.due = false, st->explicitly.carried = -1; /* F was where L_q is now */
}
