/* event_locate.c - where in a step an event is: the root of
 *
 *     F(theta) = f(t0 + theta, q, v),   (q, v) after one step of length theta from where it began,
 *
 * within a bracket. The curve of the step proposes where to look, the steps decide.
 *                                                                             theory.md [EVENTS] */
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>

typedef struct {
    dal_sim   *s;
    int        k;    /* the event                                       */
    bool       rate; /* its row's rate, not its value                   */
    dal_status bad;  /* of a step that could not be made                */
} event_function;

static double value_at(event_function *of, double theta)
{
    dal_sim *s = of->s;
    events  *x = s->events;
    if (of->bad) return NAN;
    of->bad = events_along(s, theta);
    if (of->bad) return NAN;
    events_read(s, &x->try);
    return of->rate ? x->try.rate[x->at[of->k].row] : x->try.f[of->k];
}

typedef struct {
    double a, fa, b, fb; /* of different signs; |fb| <= |fa| */
} bracket;

static void order(bracket *x)
{
    if (fabs(x->fa) >= fabs(x->fb)) return;
    const double a = x->a, fa = x->fa;
    x->a = x->b, x->fa = x->fb, x->b = a, x->fb = fa;
}

/* The next place of the secant or of the parabola through three, if it lies well within; else the
 * middle (Brent). */
static double next_place(const bracket *x, double c, double fc, double before)
{
    const double half = (x->a - x->b) / 2, s = x->fb / fc;
    double       p, q;
    if (c == x->a) p = 2 * half * s, q = 1 - s;
    else {
        const double r = x->fb / x->fa, w = fc / x->fa;
        p = s * (2 * half * w * (w - r) - (x->b - c) * (r - 1));
        q = (w - 1) * (r - 1) * (s - 1);
    }
    if (p > 0) q = -q;
    p = fabs(p);
    const bool within = 2 * p < fmin(3 * half * q - fabs(half * q) * 0.01, fabs(before * q));
    return within ? p / q : half;
}

/* Where what an event reads jumps, its place is behind the jump. */
static void pass_jump(bracket *x, double range)
{
    static const double JUMP = 1e-6; /* of what the function changes by within the step */
    if (x->fb > 0 && -x->fa > JUMP * range) x->b = x->a;
}

/* To the last bits of theta; the state is there. */
static double root(event_function *of, bracket x, double h)
{
    enum { MOST = 200 };
    const double least = 2 * DBL_EPSILON * fabs(h), range = fabs(x.fa - x.fb);
    double       c = x.a, fc = x.fa, by = x.b - x.a, before = by;
    order(&x);
    c = x.a, fc = x.fa;
    for (int k = 0; k < MOST && !of->bad; k++) {
        if (x.fb == 0 || fabs(x.a - x.b) <= 2 * least) break;
        const double step = fabs(before) >= least && fabs(fc) > fabs(x.fb)
                                ? next_place(&x, c, fc, before)
                                : (x.a - x.b) / 2;
        before = by, by = step;
        c = x.b, fc = x.fb;
        x.b += fabs(by) > least ? by : x.a > x.b ? least : -least;
        x.fb = value_at(of, x.b);
        if ((x.fb > 0) == (x.fa > 0)) x.a = c, x.fa = fc, before = by = x.b - c;
        order(&x);
    }
    pass_jump(&x, range);
    value_at(of, x.b);
    return x.b;
}

/* f is 0 where the step begins, up to roundoff: where is it more than that? -1: nowhere. */
static double positive_stretch(event_function *of, double h, double least, double *f)
{
    enum { HALVES = 24 };
    double theta = h;
    for (int j = 0; j < HALVES && !of->bad; j++) {
        theta /= 2;
        *f = value_at(of, theta);
        if (*f > least) return theta;
    }
    return -1;
}

/* The event k, whose f < 0 at the end of the bracket. */
static dal_status locate(dal_sim *s, int k, double h, double end, double f_end, double *theta)
{
    const events  *x = s->events;
    event_function of = {.s = s, .k = k};
    bracket        in = {0, x->begin.f[k], end, f_end};
    const double   least = 1e-9 * fabs(f_end), f0 = in.fa;
    if (!(f0 > least)) in.a = positive_stretch(&of, end, fmax(f0, 0), &in.fa);
    if (of.bad) return of.bad;
    if (in.a < 0 && f0 > 0) in = (bracket){0, f0, end, f_end};
    if (in.a < 0) return *theta = 0, events_along(s, 0);
    *theta = root(&of, in, h);
    return of.bad;
}

/* A contact, or a row of velocities that holds one way. */
static bool is_open(const events *x, int k)
{
    const event *e = &x->at[k % x->count];
    const bool   one_way = e->kind == EVENT_CONTACT || e->kind == EVENT_ONE_SIDED;
    return k < x->count && one_way && !x->closed[e->row];
}

/* Has it happened? What touches and rests may be off by roundoff. */
static bool is_past(const events *x, const event_values *at, int k)
{
    return at->f[k] < (is_open(x, k) ? -at->rest[x->at[k].row] : 0);
}

/* Could it have happened before where another has? A contact that has just been left may be back.
 */
static bool may_be_earlier(const dal_sim *s, int k)
{
    const events *x = s->events;
    if (!is_past(x, &x->try, k)) return false;
    return x->begin.f[k] > 0 ||
           (is_open(x, k) && x->try.f[k] < -events_near(s, x->at[k].row));
}

static bool is_branch(const events *x, int k)
{
    return k >= 0 && k < x->count && x->at[k].kind == EVENT_SWITCH;
}

/* The one that seems to be first among those with f < 0; of several at once a branch, which the
 * others may read. */
static int seems_first(const events *x, const event_values *end)
{
    int    which = -1;
    double earliest = HUGE_VAL;
    for (int k = 0; k < 2 * x->count; k++) {
        if (!is_past(x, end, k)) continue;
        const double f0 = fmax(x->begin.f[k], 0), at = f0 / (f0 - end->f[k]);
        if (at < earliest || (at == earliest && is_branch(x, k) && !is_branch(x, which)))
            earliest = at, which = k;
    }
    return which;
}

/* From one that is past to those that are earlier, until none is. */
static dal_status go_to_first(dal_sim *s, double h, const event_values *end, double hi, int *which,
                              double *theta)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    *theta = hi;
    for (int k = seems_first(x, end); k >= 0 && !bad;) {
        double       at;
        const double f = end->f[k];
        bad = locate(s, k, h, *theta, f, &at);
        if (bad) return bad;
        const double near = 8 * DBL_EPSILON * fabs(h);
        const bool   before = is_branch(x, k) && !is_branch(x, *which) && at <= *theta + near,
                   earlier = *which < 0 || at < *theta - near;
        if (!earlier && !before) return events_along(s, *theta);
        *which = k, *theta = at;
        if (at == 0) return DAL_OK;
        events_read(s, &x->try);
        end = &x->try;
        k = -1;
        for (int j = 0; j < 2 * x->count; j++)
            if (j != *which && may_be_earlier(s, j) && (k < 0 || x->try.f[j] < x->try.f[k])) k = j;
    }
    return bad;
}

/* Contacts that come nearer and go again: the cubic of both ends tells how near. */
static bool may_touch(double f0, double r0, double f1, double r1, double h)
{
    if (!(r0 < 0 && r1 > 0)) return false;
    const double A = f1 - f0 - h * r0, B = h * (r1 - r0), c2 = 3 * A - B, c3 = B - 2 * A,
                 root = sqrt(fmax(c2 * c2 - 3 * c3 * h * r0, 0)),
                 x = c2 + root > 0 ? -h * r0 / (c2 + root) : 0.5;
    const double least = f0 + x * (h * r0 + x * (c2 + c3 * x));
    return least < 0.1 * (fmax(f0, f1) - least);
}

/* The nearest place of a contact, on the steps; true: it is past. */
static bool touches(dal_sim *s, int k, double h, double *at, dal_status *bad)
{
    events        *x = s->events;
    const int      row = x->at[k].row;
    event_function of = {.s = s, .k = k, .rate = true};
    *at = root(&of, (bracket){0, x->begin.rate[row], h, x->end.rate[row]}, h);
    *bad = of.bad;
    if (of.bad) return false;
    events_read(s, &x->try);
    return x->try.f[k] < 0;
}

/* Values between both ends that the curve proposes and a step confirms. */
static bool dips(dal_sim *s, double h, double *at, dal_status *bad)
{
    enum { SAMPLES = 4 };
    events *x = s->events;
    for (int i = 1; i < SAMPLES; i++) {
        const double part_way = (double)i / SAMPLES;
        bool         below = false;
        events_guess(s, h, part_way, &x->try);
        for (int k = 0; k < x->count; k++) below |= x->try.f[k] < 0 && x->at[k].row < 0;
        if (!below) continue;
        *bad = events_along(s, *at = part_way * h);
        if (*bad) return false;
        events_read(s, &x->try);
        if (seems_first(x, &x->try) >= 0) return true;
        *bad = events_along(s, h);
        if (*bad) return false;
    }
    return false;
}

dal_status events_first(dal_sim *s, double h, int *which, double *theta)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    double     at;
    *which = -1;
    events_read(s, &x->end);
    if (seems_first(x, &x->end) >= 0) return go_to_first(s, h, &x->end, h, which, theta);
    for (int k = 0; k < x->count; k++) {
        const int row = x->at[k].row;
        if (x->at[k].kind != EVENT_CONTACT || x->closed[row]) continue;
        if (!may_touch(x->begin.f[k], x->begin.rate[row], x->end.f[k], x->end.rate[row], h))
            continue;
        const bool past = touches(s, k, h, &at, &bad);
        if (bad) return bad;
        if (past) return go_to_first(s, h, &x->try, at, which, theta);
        bad = events_along(s, h);
        if (bad) return bad;
    }
    if (x->conditions && dips(s, h, &at, &bad)) return go_to_first(s, h, &x->try, at, which, theta);
    return bad;
}
