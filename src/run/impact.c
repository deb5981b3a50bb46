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
    for (int i = 0; i < sys->n; i++) x->hit.n[i] = 0;
    for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++)
        x->hit.n[sys->A.column[e]] += x->room.A[e];
}

/* The rate with this impulse; the state has it. */
static double rate_with(const impact *of, double lam)
{
    dal_sim  *s = of->s;
    events   *x = s->events;
    const int n = s->sys->n;
    for (int i = 0; i < n; i++) x->hit.struck[i] = x->p[i] + lam * x->hit.n[i];
    events_put(s, x->t, x->q, x->hit.struck, x->v);
    const double *v = events_v(s);
    double        rate = of->moves;
    for (int i = 0; i < n; i++) rate += x->hit.n[i] * v[i];
    return rate;
}

/* What the reactions nu of moving relations A v + b = 0 add: -nu.b = (p+ - p- - lam n).v+ */
static double work_of_relations(const dal_sim *s)
{
    const events *x = s->events;
    const double *p = events_p(s), *v = events_v(s);
    double        work = 0;
    if (!s->sys->m && !s->sys->r) return 0;
    for (int i = 0; i < s->sys->n; i++) work += (p[i] - x->hit.struck[i]) * v[i];
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
    for (int i = 0; i < s->sys->n; i++)
        nn += x->hit.n[i] * x->hit.n[i], np += fabs(x->hit.n[i] * x->p[i]);
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
        gained += (x->hit.struck[i] - x->p[i]) * (v[i] + x->v[i]) / 2;
        along += x->hit.n[i] * v[i];
    }
    if (!(fabs(along) > 0) || after == 0) return;
    for (int i = 0; i < n; i++) x->hit.struck[i] -= x->hit.n[i] * gained / along;
    memcpy(x->hit.t[0], x->v, (size_t)n * sizeof(double));
    events_put(s, x->t, x->q, x->hit.struck, x->hit.t[0]);
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
    for (int i = 0; i < s->sys->n; i++) of.moves -= x->hit.n[i] * x->v[i];
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
    double x[3]; /* along the normal, then one or two tangents: rates, or impulses */
} contact_vector;

typedef struct {      /* rates = at + G lam */
    int            n; /* 1 and the tangents */
    double         G[3][3];
    contact_vector at;
} compliance;

/* Rates with these impulses; the state has them. */
static contact_vector rates_with(dal_sim *s, const event *e, const contact_vector *lam)
{
    events        *x = s->events;
    contact_vector rate = {{0}};
    for (int i = 0; i < s->sys->n; i++) {
        double p = x->p[i] + lam->x[0] * x->hit.n[i];
        for (int k = 0; k < e->rubs; k++) p += lam->x[1 + k] * x->hit.t[k][i];
        x->hit.struck[i] = p;
    }
    events_put(s, x->t, x->q, x->hit.struck, x->v);
    events_read(s, &x->try);
    for (int k = 0; k <= e->rubs; k++) rate.x[k] = x->try.rate[e->row + k];
    return rate;
}

/*     G = d rates/d lam, columns by an impulse of this size each */
static void take_compliance(dal_sim *s, const event *e, double size, compliance *c)
{
    const contact_vector none = {{0}}, here = rates_with(s, e, &none);
    c->n = 1 + e->rubs;
    for (int j = 0; j < c->n; j++) {
        contact_vector one = {{0}};
        one.x[j] = size;
        const contact_vector there = rates_with(s, e, &one);
        for (int i = 0; i < c->n; i++) c->G[i][j] = (there.x[i] - here.x[i]) / size;
    }
}

/* at + G lam = rate, by elimination with pivots. */
static contact_vector impulse_for(const compliance *c, contact_vector rate)
{
    double         A[3][4] = {{0}};
    contact_vector lam = {{0}};
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) A[i][j] = c->G[i][j];
        A[i][3] = rate.x[i] - c->at.x[i];
    }
    for (int k = 0; k < c->n; k++) {
        int p = k;
        for (int i = k + 1; i < c->n; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        for (int j = 0; j < 4; j++) {
            const double a = A[k][j];
            A[k][j] = A[p][j], A[p][j] = a;
        }
        for (int i = k + 1; i < c->n; i++)
            for (int j = 3; j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    for (int k = c->n - 1; k >= 0; k--) {
        double b = A[k][3];
        for (int j = k + 1; j < c->n; j++) b -= A[k][j] * lam.x[j];
        lam.x[k] = b / A[k][k];
    }
    return lam;
}

/* The impulse on the edge of the cone with the tangent e, lam_t = mu lam_n e, that makes the rate
 * of the normal the target. */
static contact_vector impulse_along(const compliance *c, double mu, double target,
                                    const double e[2])
{
    double by = c->G[0][0];
    for (int k = 1; k < c->n; k++) by += mu * c->G[0][k] * e[k - 1];
    contact_vector lam = {{(target - c->at.x[0]) / by}};
    for (int k = 1; k < c->n; k++) lam.x[k] = mu * lam.x[0] * e[k - 1];
    return lam;
}

/*     e x s+, which is 0 where the slip s+ lies along e; *against: that it is opposite to it, as
 * friction is, and that the impulse pushes */
static double turned_from(const compliance *c, double mu, double target, double angle,
                          bool *against)
{
    const double         e[2] = {cos(angle), sin(angle)};
    const contact_vector lam = impulse_along(c, mu, target, e);
    double               slip[2] = {c->at.x[1], c->at.x[2]};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) slip[i] += c->G[1 + i][k] * lam.x[k];
    *against = e[0] * slip[0] + e[1] * slip[1] <= 0 && lam.x[0] > 0;
    return e[0] * slip[1] - e[1] * slip[0];
}

/* Between two angles where it has different signs. */
static double bisected(const compliance *c, double mu, double target, double a, double b,
                       bool *against)
{
    double fa = turned_from(c, mu, target, a, against);
    for (int k = 0; k < 64; k++) {
        const double m = (a + b) / 2, f = turned_from(c, mu, target, m, against);
        if (m == a || m == b) break;
        if ((f > 0) == (fa > 0)) a = m, fa = f;
        else b = m;
    }
    turned_from(c, mu, target, b, against);
    return b;
}

/* The direction of the impulse of sliding: opposite to the slip after the impact; of several the
 * nearest to the impulse that would hold. False: there is none. */
static bool slide_against(const compliance *c, double mu, double target, contact_vector *lam)
{
    enum { LOOKS = 32 };
    const double turn = 2 * acos(-1) / LOOKS, near = atan2(lam->x[2], lam->x[1]);
    for (int i = 0; i < LOOKS; i++) { /* near, then on both sides of it */
        const double from = near + ((i & 1 ? -(i + 1) / 2 : i / 2) - 0.5) * turn;
        bool         against, other;
        const double f0 = turned_from(c, mu, target, from, &against),
                     f1 = turned_from(c, mu, target, from + turn, &other);
        if ((f0 > 0) == (f1 > 0)) continue;
        const double angle = bisected(c, mu, target, from, from + turn, &against),
                     e[2] = {cos(angle), sin(angle)};
        if (!against) continue;
        *lam = impulse_along(c, mu, target, e);
        return true;
    }
    return false;
}

/* Holds if |lam_t| <= mu lam_n, else slides on the edge of the cone. */
static bool impulse_in_cone(const compliance *c, double mu, double target, contact_vector *lam)
{
    *lam = impulse_for(c, (contact_vector){{target}});
    const double by = c->n == 2 ? fabs(lam->x[1]) : hypot(lam->x[1], lam->x[2]);
    if (by <= mu * lam->x[0]) return true;
    if (c->n == 3) return slide_against(c, mu, target, lam);
    const double e[2] = {lam->x[1] > 0 ? 1 : -1, 0};
    *lam = impulse_along(c, mu, target, e);
    return isfinite(lam->x[0]);
}

/* Some corrections for roundoff and for kinetic energies that are not quadratic. */
static dal_status rub(dal_sim *s, const event *e, double mu, double target, double *impulse)
{
    enum { CORRECTIONS = 4 };
    events        *x = s->events;
    contact_vector lam = {{0}};
    compliance     c;
    bool           found = true;
    for (int k = 0; k < e->rubs; k++) {
        take_row(s, e->row + 1 + k);
        memcpy(x->hit.t[k], x->hit.n, (size_t)s->sys->n * sizeof(double));
    }
    take_row(s, e->row);
    take_compliance(s, e, size_of_impulse(s), &c);
    for (int k = 0; k < CORRECTIONS && found; k++) {
        c.at = rates_with(s, e, &lam);
        for (int i = 0; i < c.n; i++)
            for (int j = 0; j < c.n; j++) c.at.x[i] -= c.G[i][j] * lam.x[j];
        found = impulse_in_cone(&c, mu, target, &lam) && isfinite(lam.x[0] + lam.x[1] + lam.x[2]);
    }
    if (found) rates_with(s, e, &lam);
    *impulse = lam.x[0];
    if (found) return DAL_OK;
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
    dal_status bad = events_spend(s);
    if (bad) return bad;
    bad = e->rubs && mu > 0 ? rub(s, e, mu, -restitution * before, &impulse)
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
        events_release(s, e), held = true;
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
