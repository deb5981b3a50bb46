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
#include <string.h>

typedef struct {
    dal_sim   *s;
    int        k;    /* the event                                       */
    bool       rate; /* its row's rate, not its value                   */
    dal_status bad;  /* of a step that could not be made                */
} event_function;

/* >= 0 until something is to be done; of a condition that holds, while it does. Tangents of
 * contacts stand behind the events. */
static double lasting(const events *x, const event_values *at, int k)
{
    return k < x->count && x->at[k].row < 0 && x->is_true[k] ? at->asked[x->at[k].asked] : at->f[k];
}

static double value_at(event_function *of, double theta)
{
    dal_sim *s = of->s;
    events  *x = s->events;
    if (of->bad) return NAN;
    of->bad = events_along(s, theta);
    if (of->bad) return NAN;
    events_read(s, &x->try);
    return of->rate ? x->try.rate[x->at[of->k].row] : lasting(x, &x->try, of->k);
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
    if (in.a < 0 && f0 > 4 * DBL_EPSILON * fabs(f_end)) in = (bracket){0, f0, end, f_end};
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
    const event *e = &x->at[k % x->count];
    const bool   held = k < x->count && e->kind == EVENT_CONTACT && x->closed[e->row];
    return at->f[k] < (is_open(x, k) ? -at->rest[e->row] : held ? -x->pull : 0);
}

/* Could it have happened before where another has? A contact that has just been left may be back.
 */
static bool may_be_earlier(const dal_sim *s, int k)
{
    const events *x = s->events;
    if (!is_past(x, &x->try, k)) return false;
    return x->begin.f[k] > 0 || (is_open(x, k) && x->try.f[k] < -events_near(s, x->at[k].row));
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

/* Between both ends. --------------------------------------------------------------------------- */

/* Near the ends, too: there the slope is seen. */
static const double PLACE[EVENT_PLACES] = {0, 1.0 / 64, 0.25, 0.5, 0.75, 63.0 / 64, 1};

typedef struct { /* the middle one is the lowest */
    double x[3], f[3];
} hollow;

/* Where the parabola through all three is lowest, and how low. */
static double bottom(const hollow *at, double *low)
{
    const double a = at->x[0] - at->x[1], b = at->x[2] - at->x[1], fa = at->f[0] - at->f[1],
                 fb = at->f[2] - at->f[1];
    const double c = (fa / a - fb / b) / (a - b), s = fa / a - c * a;
    const double by = c > 0 ? -s / (2 * c) : 0;
    *low = at->f[1] + by * (s + c * by);
    return at->x[1] + by;
}

/* A value between the first and the last; the lowest stays in the middle. */
static void put_between(hollow *at, double x, double f)
{
    const int side = x > at->x[1] ? 2 : 0;
    if (f < at->f[1]) {
        at->x[2 - side] = at->x[1], at->f[2 - side] = at->f[1];
        at->x[1] = x, at->f[1] = f;
    } else at->x[side] = x, at->f[side] = f;
}

/* Does the event k fall below 0 there, on the steps? *at: where; the state is there. */
static bool falls(dal_sim *s, int k, hollow in, double *at, dal_status *bad)
{
    enum { MOST = 20 };
    event_function of = {.s = s, .k = k};
    double         low;
    for (int i = 0; i < 3; i++) in.f[i] = value_at(&of, in.x[i]);
    for (int i = 0; i < MOST && !of.bad; i++) {
        const bool   narrow = in.f[1] < in.f[0] && in.f[1] < in.f[2];
        const double width = in.x[2] - in.x[0], x = narrow ? bottom(&in, &low) : in.x[1];
        if (in.f[1] < 0 || !narrow || fabs(x - in.x[1]) < 1e-7 * width) break;
        if (low > 0.2 * (fmin(in.f[0], in.f[2]) - low)) break;
        put_between(&in, x, value_at(&of, x));
    }
    *at = in.x[1], *bad = of.bad;
    if (of.bad || !(in.f[1] < 0)) return false;
    value_at(&of, *at);
    *bad = of.bad;
    return !of.bad;
}

/* Is the event one that may pass 0 there and back? Contacts have rates that tell; of a branch that
 * was held where it meets the other, and is let go, the end of the step does. */
static bool is_sampled(const events *x, int k)
{
    const event *e = &x->at[k];
    if (x->met[k] > EVENTS_IN_STEP) return false;
    return e->row < 0 || (e->kind != EVENT_CONTACT && !x->closed[e->row]);
}

/* The first hollow of an event below 0, or near it, that the curve proposes and steps confirm; of
 * one that has just happened, and is 0 up to roundoff, below that. */
static bool hollow_of(dal_sim *s, int k, double h, const double *f, double *at, dal_status *bad)
{
    const double grain = s->events->grain[k];
    for (int i = 1; i + 1 < EVENT_PLACES; i++) {
        hollow in = {{PLACE[i - 1] * h, PLACE[i] * h, PLACE[i + 1] * h},
                     {f[i - 1], f[i], f[i + 1]}};
        double low;
        if (!(in.f[1] < 0) && !(in.f[1] < in.f[0] && in.f[1] < in.f[2])) continue;
        bottom(&in, &low);
        if (low > 0.1 * (fmax(in.f[0], in.f[2]) - low)) continue;
        if (!(f[0] > grain) && !(fmin(low, in.f[1]) < -grain)) continue;
        if (falls(s, k, in, at, bad)) return true;
        if (!*bad) *bad = events_along(s, h);
        if (*bad) return false;
    }
    return false;
}

static void take_samples(dal_sim *s, double h)
{
    events *x = s->events;
    for (int i = 0; i < EVENT_PLACES; i++) {
        const event_values *at = i == 0 ? &x->begin : i + 1 == EVENT_PLACES ? &x->end : &x->try;
        if (at == &x->try) events_guess(s, h, PLACE[i], &x->try);
        for (int k = 0; k < x->count; k++) x->sample[i * x->count + k] = lasting(x, at, k);
    }
}

/* The event that is past between both ends of a step of length h that was just made, but for one;
 * -1: none. */
static int dips(dal_sim *s, double h, int but, double *at, dal_status *bad)
{
    events *x = s->events;
    take_samples(s, h);
    for (int k = 0; k < x->count; k++) {
        double f[EVENT_PLACES];
        if (k == but || !is_sampled(x, k)) continue;
        for (int i = 0; i < EVENT_PLACES; i++) f[i] = x->sample[i * x->count + k];
        if (hollow_of(s, k, h, f, at, bad)) return k;
        if (*bad) return -1;
    }
    return -1;
}

/* The first event of a step, from its end or from where something is past. A condition that holds
 * no longer, dip, is one if there is none before. */
static dal_status back_to_first(dal_sim *s, double h, double hi, int dip, int *which, double *theta)
{
    enum { MOST = 20 };
    events    *x = s->events;
    dal_status bad = DAL_OK;
    for (int i = 0; i < MOST && !bad; i++) {
        *which = -1;
        events_read(s, &x->end);
        bad = go_to_first(s, h, &x->end, hi, which, theta);
        if (*which < 0) *which = dip, *theta = hi;
        if (bad || !x->conditions || !(*theta > 0)) break;
        events_read(s, &x->end);
        /* since when a condition holds no longer is of no interest */
        const bool ends = dip >= 0 && *which == dip && x->is_true[dip];
        const int  earlier = dips(s, *theta, ends ? dip : -1, &hi, &bad);
        if (earlier < 0) break;
        dip = earlier;
    }
    return bad;
}

/* How large values of an event are in this step: beside that, roundoff. */
static void note_grain(events *x)
{
    for (int k = 0; k < x->count; k++)
        if (x->at[k].row < 0)
            x->grain[k] =
                1e-9 * fabs(x->end.asked[x->at[k].asked] - x->begin.asked[x->at[k].asked]);
}

dal_status events_first(dal_sim *s, double h, int *which, double *theta)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    double     at;
    *which = -1;
    events_read(s, &x->end);
    note_grain(x);
    x->pull = events_pull(s);
    if (seems_first(x, &x->end) >= 0) return back_to_first(s, h, h, -1, which, theta);
    for (int k = 0; k < x->count; k++) {
        const int row = x->at[k].row;
        if (x->at[k].kind != EVENT_CONTACT || x->closed[row]) continue;
        if (!may_touch(x->begin.f[k], x->begin.rate[row], x->end.f[k], x->end.rate[row], h))
            continue;
        const bool past = touches(s, k, h, &at, &bad);
        if (bad) return bad;
        if (past) return back_to_first(s, h, at, -1, which, theta);
        bad = events_along(s, h);
        if (bad) return bad;
    }
    const int k = x->conditions ? dips(s, h, -1, &at, &bad) : -1;
    return k < 0 ? bad : back_to_first(s, h, at, k, which, theta);
}
