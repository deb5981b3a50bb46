/* impact.c - a row n of the rate phi' = n.v + phi_t takes an impulse lam:
 *
 *     p+ = p- + lam n,   v+ from p+ by the end solve, with all relations kept,
 *     n.v+ + phi_t = -e (n.v- + phi_t);       elastic: E(v+) = E(v-) - lam phi_t
 *
 * One number is unknown, and v+ is linear in it where the kinetic energy is quadratic.
 *                                                                             theory.md [EVENTS] */
#include "mech/stepper/stepper.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    dal_sim *s;
    int      row;
    double   before; /* its rate      */
    double   moves;  /* phi_t         */
    double   energy; /* of the model  */
} impact;

/* n, dense; also p and v as they are, in x->p and x->v. */
static void take_row(dal_sim *s, int row)
{
    events           *x = s->events;
    const dal_system *sys = x->sys;
    const int         a = x->row_at[row];
    events_keep(s);
    events_read(s, &x->try);
    for (int i = 0; i < sys->n; i++) x->n[i] = 0;
    for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++)
        x->n[sys->A.column[e]] += x->room.A[e];
}

/* The rate with this impulse; the state has it. */
static double rate_with(const impact *of, double lam)
{
    dal_sim  *s = of->s;
    events   *x = s->events;
    const int n = s->sys->n;
    for (int i = 0; i < n; i++) x->struck[i] = x->p[i] + lam * x->n[i];
    events_put(s, x->t, x->q, x->struck, x->v);
    const double *v = events_v(s);
    double        rate = of->moves;
    for (int i = 0; i < n; i++) rate += x->n[i] * v[i];
    return rate;
}

/* What the reactions nu of moving relations A v + b = 0 add: -nu.b = (p+ - p- - lam n).v+ */
static double work_of_relations(const dal_sim *s)
{
    const events *x = s->events;
    const double *p = events_p(s), *v = events_v(s);
    double        work = 0;
    if (!s->sys->m && !s->sys->r) return 0;
    for (int i = 0; i < s->sys->n; i++) work += (p[i] - x->struck[i]) * v[i];
    return work;
}

static double energy_with(const impact *of, double lam)
{
    rate_with(of, lam);
    return reading_energy(events_run(of->s)) - of->energy + lam * of->moves -
           work_of_relations(of->s);
}

/* Something of the size of the impulse that stops it. */
static double size_of_impulse(const dal_sim *s)
{
    const events *x = s->events;
    double        nn = 0, np = 0;
    for (int i = 0; i < s->sys->n; i++) nn += x->n[i] * x->n[i], np += fabs(x->n[i] * x->p[i]);
    return np > 0 ? np / nn : 1;
}

typedef double of_impulse(const impact *of, double lam);

/* By secants from two values; linear ones need one. */
static bool solve(const impact *of, of_impulse *f, double target, double *lam, double other)
{
    enum { MOST = 60 };
    double f0 = f(of, other) - target, f1 = f(of, *lam) - target, last = HUGE_VAL;
    for (int k = 0; k < MOST && f1 != f0; k++) {
        const double by = -f1 * (*lam - other) / (f1 - f0);
        if (!isfinite(by)) return false;
        if (fabs(by) <= 2 * DBL_EPSILON * fabs(*lam) || (k > 3 && fabs(by) >= last)) return true;
        last = fabs(by), other = *lam, f0 = f1;
        *lam += by, f1 = f(of, *lam) - target;
    }
    return isfinite(f1);
}

/* G/lam, whose root is not lam = 0 */
static double gain_with(const impact *of, double lam)
{
    return energy_with(of, lam) / lam;
}

/* The energy that the rounded momenta have gained,
 *     (p+ - p-).(v+ + v-)/2 + lam phi_t,
 * is taken off them once, along n. */
static void take_roundoff_off(const impact *of, double lam)
{
    dal_sim      *s = of->s;
    events       *x = s->events;
    const int     n = s->sys->n;
    const double  after = rate_with(of, lam);
    const double *v = events_v(s);
    double        gained = lam * of->moves, along = 0;
    for (int i = 0; i < n; i++) {
        gained += (x->struck[i] - x->p[i]) * (v[i] + x->v[i]) / 2;
        along += x->n[i] * v[i];
    }
    if (!(fabs(along) > 0) || after == 0) return;
    for (int i = 0; i < n; i++) x->struck[i] -= x->n[i] * gained / along;
    memcpy(x->along, x->v, (size_t)n * sizeof(double));
    events_put(s, x->t, x->q, x->struck, x->along);
}

/* What is left of the energy of an elastic impact by roundoff,
 *     lam (n.(v+ + v-)/2 + phi_t),
 * is taken off; where the kinetic energy is not quadratic the law is another. */
static bool keep_energy(const impact *of, double *lam)
{
    static const double ROUNDOFF = 1e-9;
    dal_sim            *run = events_run(of->s);
    const double        G = energy_with(of, *lam);
    if (fabs(G) > ROUNDOFF * run->now.energy_size)
        return solve(of, gain_with, 0, lam, *lam * (1 + 1e-4));
    take_roundoff_off(of, *lam);
    return true;
}

dal_status events_strike(dal_sim *s, int row, double restitution, double *impulse)
{
    events *x = s->events;
    impact  of = {.s = s, .row = row};
    take_row(s, row);
    of.before = x->try.rate[row], of.moves = of.before;
    for (int i = 0; i < s->sys->n; i++) of.moves -= x->n[i] * x->v[i];
    of.energy = reading_energy(events_run(s));
    const double size = size_of_impulse(s), target = -restitution * of.before;
    double       lam = size;
    bool struck = rate_with(&of, size) != of.before && solve(&of, rate_with, target, &lam, 0);
    if (struck) rate_with(&of, lam);
    if (struck && restitution == 1) struck = keep_energy(&of, &lam);
    *impulse = lam;
    if (struck) return DAL_OK;
    text_add(&s->why, "no inertia stands against the impact at ");
    model_name(s->md, MEMBER_EVENT, x->of_row[row], &s->why);
    return DAL_SINGULAR;
}

/* Friction. ------------------------------------------------------------------------------------ */

typedef struct {
    double n, s; /* along the normal and the tangent: rates, or impulses */
} pair;

/* Rates with both impulses; the state has them. */
static pair rates_with(dal_sim *s, const event *e, pair lam)
{
    events *x = s->events;
    for (int i = 0; i < s->sys->n; i++)
        x->struck[i] = x->p[i] + lam.n * x->n[i] + lam.s * x->along[i];
    events_put(s, x->t, x->q, x->struck, x->v);
    events_read(s, &x->try);
    return (pair){x->try.rate[e->row], x->try.rate[e->row + 1]};
}

/*     d rates/d lam, columns by an impulse of this size each */
static void compliance(dal_sim *s, const event *e, pair at, double size, double G[4])
{
    const pair here = rates_with(s, e, at), n = rates_with(s, e, (pair){at.n + size, at.s}),
               t = rates_with(s, e, (pair){at.n, at.s + size});
    G[0] = (n.n - here.n) / size, G[1] = (t.n - here.n) / size;
    G[2] = (n.s - here.s) / size, G[3] = (t.s - here.s) / size;
}

/* Sticks if |lam_s| <= mu lam_n, else slides with lam_s = -+ mu lam_n. Two corrections for roundoff
 * and for kinetic energies that are not quadratic. */
static dal_status rub(dal_sim *s, const event *e, double mu, double target, double *impulse)
{
    enum { CORRECTIONS = 4 };
    events *x = s->events;
    double  G[4], slides = 0;
    pair    lam = {0, 0};
    take_row(s, e->row + 1);
    memcpy(x->along, x->n, (size_t)s->sys->n * sizeof(double));
    take_row(s, e->row);
    const double size = size_of_impulse(s);
    compliance(s, e, lam, size, G);
    for (int k = 0; k < CORRECTIONS; k++) {
        const pair   off = rates_with(s, e, lam);
        const double rn = target - off.n, rs = -off.s, det = G[0] * G[3] - G[1] * G[2];
        pair         by = {(G[3] * rn - G[1] * rs) / det, (G[0] * rs - G[2] * rn) / det};
        if (slides == 0 && fabs(lam.s + by.s) > mu * (lam.n + by.n))
            slides = lam.s + by.s > 0 ? mu : -mu;
        if (slides != 0) by.n = rn / (G[0] + slides * G[1]), by.s = slides * (lam.n + by.n) - lam.s;
        lam.n += by.n, lam.s += by.s;
        if (!isfinite(lam.n + lam.s)) break;
    }
    rates_with(s, e, lam);
    *impulse = lam.n;
    if (isfinite(lam.n + lam.s)) return DAL_OK;
    text_add(&s->why, "no inertia stands against the friction of ");
    model_name(s->md, MEMBER_EVENT, x->of_row[e->row], &s->why);
    return DAL_SINGULAR;
}

/* Several. ------------------------------------------------------------------------------------- */

/* The contact that approaches fastest among those that touch; -1: none does. */
static int fastest(const dal_sim *s)
{
    const events *x = s->events;
    int           which = -1;
    double        speed = 0;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_CONTACT || x->closed[e->row]) continue;
        const double rate = -x->try.rate[e->row];
        if (x->try.row[e->row] > events_near(s, e->row)) continue;
        if (rate > events_slow(s, e->row) && rate > speed) speed = rate, which = k;
    }
    return which;
}

static dal_status hit(dal_sim *s, int k)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const double restitution = x->try.asked[e->asked], mu = x->try.asked[e->asked + 1],
                 before = x->try.rate[e->row], energy = reading_energy(events_run(s));
    double     impulse;
    dal_status bad = e->rubs && mu > 0 ? rub(s, e, mu, -restitution * before, &impulse)
                                       : events_strike(s, e->row, restitution, &impulse);
    if (!bad) events_note(s, k, impulse, reading_energy(events_run(s)) - energy, EVENT_HITS);
    return bad;
}

/* Impacts without end: what touches and is this slow by now closes at once, with p as it is. */
dal_status events_collapse(dal_sim *s, double slow)
{
    events *x = s->events;
    events_read(s, &x->try);
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_CONTACT || x->closed[e->row]) continue;
        if (x->try.row[e->row] > events_near(s, e->row)) continue;
        if (fabs(x->try.rate[e->row]) > slow * x->speed[e->row]) continue;
        x->closed[e->row] = 1;
        events_note(s, k, 0, 0, EVENT_CLOSES);
    }
    return events_enter(s);
}

/* How many at most before they collapse: elastic ones do not. */
static int most_impacts(const dal_sim *s)
{
    const events *x = s->events;
    int           touching = 0;
    bool          elastic = false;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_CONTACT || x->try.row[e->row] > events_near(s, e->row)) continue;
        touching++, elastic |= x->try.asked[e->asked] == 1;
    }
    return elastic ? 1000 + 4 * x->count : 30 + 2 * touching;
}

/* Those that were closed take part as if they were open: an impulse does not pull. */
dal_status events_impacts(dal_sim *s)
{
    events    *x = s->events;
    bool       held = false;
    dal_status bad = DAL_OK;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_CONTACT || !x->closed[e->row]) continue;
        x->closed[e->row] = 0, held = true;
        if (e->rubs) x->closed[e->row + 1] = 0;
    }
    if (held) bad = events_enter(s);
    events_read(s, &x->try);
    const int most = most_impacts(s);
    for (double slow = 1e-6; slow < 10 && !bad; slow *= 100) {
        for (int i = 0; i < most && !bad; i++) {
            const int k = fastest(s);
            if (k < 0) return DAL_OK;
            bad = hit(s, k);
            events_read(s, &x->try);
        }
        if (!bad) bad = events_collapse(s, slow);
        events_read(s, &x->try);
    }
    return bad;
}
