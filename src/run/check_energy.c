/* check_energy.c - will the energy determine the step length? The motion is followed with fixed
 * steps, watching the sign of the quantity that would determine it.        theory.md [BREAKDOWN] */
#include "run/check.h"

#include <math.h>
#include <string.h>

enum { STEPS_MOST = 4000, WORK_MOST = 400000 }; /* steps; times coordinates */

typedef struct {
    double e, least, most; /* e at the first chord; the range of |e|            */
    double lost;           /* time from which e has another sign, if it has     */
    bool   decides, breaks;
    double until;
} forecast;

/* False: e has changed its sign, or too little of it is known. The first chord sets the sign. */
static bool watch(forecast *f, stepper *st, bool first)
{
    static const double SEEN = 1e-3; /* relative roundoff of e up to which its sign counts */
    double              noise, e = stepper_error_coefficient(st, &noise);
    if (noise > SEEN && first) return f->decides = false;
    if (first) f->e = e, f->least = f->most = fabs(e);
    f->least = fmin(f->least, fabs(e)), f->most = fmax(f->most, fabs(e));
    f->breaks = e * f->e <= 0 || noise > SEEN;
    return !f->breaks;
}

/* From the start on, as far as the run goes, but at most so many steps; lost is where it ended. */
static dal_status follow(const description *d, const check_case *c, const scheme *sch, forecast *f,
                         text *why)
{
    stepper   *st = NULL;
    const int  n = check_solved(c)->n;
    dal_status bad = check_begin(c, d->m, sch, &st, why);
    if (bad) return bad;
    long   most = c->plan.steps < 0 ? STEPS_MOST : c->plan.steps;
    double t = c->plan.from;
    if (most > STEPS_MOST) most = STEPS_MOST;
    if (most > WORK_MOST / n + 1) most = WORK_MOST / n + 1;
    *f = (forecast){.decides = true};
    stepper_hold(st); /* steps of a fixed length: what the energy would decide is only watched */
    for (long k = 0; k < most && !bad; k++) {
        bad = stepper_step(st, t, c->plan.h, why);
        if (!bad && !watch(f, st, k == 0)) break;
        t = c->plan.from + (double)(k + 1) * c->plan.h;
    }
    f->lost = f->until = t;
    stepper_free(st);
    return bad;
}

/*     h^(r+1) e = const for conservative systems */
static void say_range(const check_case *c, const scheme *sch, const forecast *f, text *out)
{
    double power = 1.0 / (sch->order + 1), h = fabs(c->plan.h);
    text_printf(out, "e keeps its sign until t = %.6g", f->until);
    if (check_solved(c)->autonomous && !check_solved(c)->forced)
        text_printf(out, "; h between %.3g and %.3g", h * pow(fabs(f->e) / f->most, power),
                    h * pow(fabs(f->e) / f->least, power));
}

/* In words: whether and where the step will be determined. */
static void say(const check_case *c, const scheme *sch, const forecast *f, text *out)
{
    if (!f->decides)
        text_printf(out,
                    "nothing determines h: e is 0, as in free motion, or the step is too "
                    "short for order %d",
                    sch->order);
    else if (f->breaks)
        text_printf(out, "breaks down near t = %.4g, where e goes through 0", f->lost);
    else say_range(c, sch, f, out);
}

/* A warning only for the scheme that was asked for. */
static void print_forecast(const description *d, const check_case *c, const char *words,
                           const scheme *sch, bool chosen)
{
    forecast   f = {0};
    text       how = text_new(d->m);
    dal_status bad = follow(d, c, sch, &f, &how);
    if (!bad) say(c, sch, &f, &how);
    text_printf(d->out, "    %-30s %s%s\n", words, bad ? "no: " : "", text_str(&how));
    if (chosen && !bad && (!f.decides || f.breaks))
        diag_warning(d->ds, span_none(),
                     "a Gauss rule, a fixed step (dirac+), or --on-breakdown fixed or reset",
                     "principle = energy with %s: %s", words, text_str(&how));
    text_drop(&how);
}

/* Of the midpoint rule, at the start: reactions count as forces do. */
static void print_formula(const description *d, const check_case *c)
{
    scheme   sch;
    stepper *st = NULL;
    text     why = text_new(d->m);
    if (!scheme_parse(&sch, "midpoint", NULL, &why) && !check_begin(c, d->m, &sch, &st, &why)) {
        const double e = stepper_midpoint_coefficient(st);
        if (isfinite(e))
            text_printf(
                d->out,
                "    of midpoint e = (v.V''v + V'.V'/M - F.F/M)/24, F = %s: %.4g at the start\n",
                check_solved(c)->m + check_solved(c)->r ? "forces and reactions" : "forces", e);
    }
    stepper_free(st);
    text_drop(&why);
}

void check_energy(const description *d, const check_case *c)
{
    static const char *const others[] = {"midpoint",   "gauss(2)",   "gauss(3)",
                                         "lobatto(2)", "lobatto(3)", "lobatto(4)"};
    text                     why = text_new(d->m);
    scheme                   sch;
    text_printf(d->out,
                "  %-12s what determines the step along the motion: e of h^(r+1) e = "
                "const\n",
                "energy");
    print_formula(d, c);
    print_forecast(d, c, c->plan.scheme.name, &c->plan.scheme, true);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!scheme_parse(&sch, others[i], NULL, &why) && strcmp(sch.title, c->plan.scheme.title))
            print_forecast(d, c, others[i], &sch, false);
}
