/* plan.c - one setting after the other: the caller's text if there is one, else the model's, else
 * the default. */
#include "run/plan.h"

#include "base/plain.h"

#include <math.h>
#include <string.h>

typedef struct {
    const request *r;
    const values  *v;
    diags         *ds;
    mem           *m;
} desk;

/* The setting that counts: words and place of the caller's text, or what the model says. */
static setting words_of(const desk *d, setting_key key)
{
    const source *over = d->r->over.setting[key];
    if (!over) return d->v->set[key];
    return (setting){.given = true, .at = source_span(over), .words = over->text};
}

/* out->given false: nobody said anything, and number is of no meaning. */
static dal_status number_of(const desk *d, setting_key key, setting *out)
{
    const source *over = d->r->over.setting[key];
    *out = words_of(d, key);
    if (over && d->v->set[key].at.of == over) *out = d->v->set[key]; /* an expression, evaluated */
    else if (over && !text_is_number(over->text, &out->number))
        return diag_error(d->ds, DAL_INVALID, out->at, "a number, as 0.01 or 1e-3",
                          "'%s' is not a number", over->text);
    if (out->given && !isfinite(out->number))
        return diag_error(d->ds, DAL_INVALID, out->at, NULL, "%s is not finite", setting_name[key]);
    return DAL_OK;
}

/* A count: a whole number of at least `least`. */
static dal_status count_of(const desk *d, const char *what, setting s, long least, long *out)
{
    if (!s.given) return DAL_OK;
    if (s.number != floor(s.number) || s.number < (double)least || s.number > 1e15)
        return diag_error(d->ds, DAL_INVALID, s.at, NULL, "%s must be a whole number, %ld or more",
                          what, least);
    *out = (long)s.number;
    return DAL_OK;
}

/* The place of a word in a list that ends with NULL; an error with the choices if it is not
 * there. */
static dal_status choose(const desk *d, setting_key key, const char *const *choices, int *out)
{
    setting s = words_of(d, key);
    text    known = text_new(d->m);
    int     count = 0;
    for (; choices[count]; count++) {
        if (!s.given || !strcmp(s.words, choices[count])) break;
        text_printf(&known, "%s%s", count ? ", " : "", choices[count]);
    }
    *out = choices[count] ? count : 0;
    if (choices[count]) return DAL_OK;
    const char *near = name_nearest(s.words, choices, count);
    return diag_error(d->ds, DAL_INVALID, s.at,
                      near ? mem_printf(d->m, "did you mean '%s'?", near) : text_str(&known),
                      "'%s' is not a %s; there are %s", s.words, setting_name[key],
                      text_str(&known));
}

/* What the words mean is left to the scheme and the stepper. */
static dal_status plan_method(const desk *d, plan *p)
{
    static const char *const principles[] = {"dirac+", "dirac-", "energy", NULL};
    static const char *const retractions[] = {"midpoint", "left", "right", NULL};
    static const char *const momenta[] = {"projected", "papers", NULL};
    static const char *const sums[] = {"compensated", "plain", NULL};
    static const char *const powers[] = {"nodes", "lines", NULL};
    static const char *const switches[] = {"located", "free", NULL};
    int                      which = 0, bend = 0, report = 0, plain = 0, power = 0, loose = 0;
    dal_status               bad = choose(d, SET_PRINCIPLE, principles, &which);
    if (!bad) bad = choose(d, SET_RETRACTION, retractions, &bend);
    if (!bad) bad = choose(d, SET_MOMENTUM, momenta, &report);
    if (!bad) bad = choose(d, SET_SUMMATION, sums, &plain);
    if (!bad) bad = choose(d, SET_POWER, powers, &power);
    if (!bad) bad = choose(d, SET_SWITCHES, switches, &loose);
    if (bad) return bad;
    p->principle = principles[which];
    p->located = !loose, p->insists_located = p->located && words_of(d, SET_SWITCHES).given;
    p->method = (step_options){.principle = (principle)which,
                               .retraction = (retraction)bend,
                               .momentum = (momentum)report,
                               .power = (power_along)power,
                               .plain_summation = plain};
    return DAL_OK;
}

static dal_status plan_scheme(const desk *d, plan *p)
{
    setting     s = words_of(d, SET_SCHEME), f = words_of(d, SET_FORCE);
    setting     bend = words_of(d, SET_RETRACTION);
    text        why = text_new(d->m);
    const char *words = s.given ? s.words : "midpoint", *force = f.given ? f.words : NULL;
    dal_status  bad = scheme_parse(&p->scheme, words, force, &why);
    if (bad) {
        /* is it the rule of the forces that is wrong? */
        span at = force && !scheme_parse(&p->scheme, words, NULL, &(text){.m = d->m}) ? f.at : s.at;
        return diag_error(d->ds, bad, at, NULL, "%s", text_str(&why));
    }
    if (p->method.retraction != RETRACTION_MIDPOINT && p->scheme.degree != 1)
        return diag_error(
            d->ds, DAL_INVALID, bend.at, NULL,
            "retraction = %s needs polynomial(1), as in midpoint, trapezoid or rectangle; "
            "%s constrains stage by stage",
            bend.words, p->scheme.title);
    return DAL_OK;
}

/* N, the number of steps to the first grid time at or after `until`; a multiple counts as one
 * within 1e-9. */
dal_status plan_until(plan *p, double until, span at, diags *ds)
{
    double x = (until - p->from) / p->h, near = round(x);
    if (x < 0) p->h = -p->h, x = -x, near = -near;
    double n = fabs(x - near) <= 1e-9 * fmax(1, x) ? near : ceil(x);
    if (n > 1e15)
        return diag_error(ds, DAL_INVALID, at, NULL,
                          "%.3g steps are too many; take a larger step or an earlier end", n);
    p->steps = (long)n;
    p->until = until, p->by_time = true;
    p->timed = p->method.principle == ENERGY || p->pace.given;
    return DAL_OK;
}

double plan_rest(const plan *p)
{
    return 1e-9 * fabs(p->h);
}

/* The expression itself is read with the model. */
static dal_status plan_pace(const desk *d, plan *p)
{
    static const char *const ways[] = {"best", "canonical", "plain", "density", NULL};
    const setting            how = words_of(d, SET_PACING);
    int                      which = PACING_BEST;
    p->pace = words_of(d, SET_PACE);
    dal_status bad = how.given ? choose(d, SET_PACING, ways, &which) : DAL_OK;
    p->pacing = (pacing)which;
    if (d->r->refers) p->pace.given = false; /* a reference has fixed steps */
    if (bad || d->r->refers) return bad;
    if (how.given && !p->pace.given)
        return diag_error(d->ds, DAL_INVALID, how.at, "pace = auto",
                          "pacing says how steps follow a pace, and none is given");
    if (p->pace.given && p->method.principle == ENERGY)
        return diag_error(d->ds, DAL_INVALID, p->pace.at, "principle = dirac+",
                          "principle = energy decides the length of its steps: there is no pace");
    if (p->pace.given && p->method.momentum == MOMENTUM_PAPERS)
        return diag_error(d->ds, DAL_INVALID, p->pace.at, "momentum = projected",
                          "momentum = papers is that of steps of one length: there is no pace");
    return DAL_OK;
}

/* An end of the caller's replaces the model's, whichever of until and steps it is. */
static dal_status plan_times(const desk *d, plan *p)
{
    const source *const *over = d->r->over.setting;
    setting        from, step, until, steps;
    dal_status     bad = number_of(d, SET_FROM, &from);
    if (!bad) bad = number_of(d, SET_STEP, &step);
    if (!bad) bad = number_of(d, SET_UNTIL, &until);
    if (!bad) bad = number_of(d, SET_STEPS, &steps);
    if (bad) return bad;
    if (over[SET_UNTIL] && !over[SET_STEPS]) steps.given = false;
    if (over[SET_STEPS] && !over[SET_UNTIL]) until.given = false;
    if (until.given && steps.given)
        return diag_error(d->ds, DAL_INVALID, steps.at, NULL,
                          "until and steps both say where the run ends; give only one of them");
    const bool endless = !until.given && !steps.given;
    if (!step.given)
        return diag_error(
            d->ds, DAL_INVALID, d->v->simulate,
            endless ? "put step = 0.01 and until = 10 into simulate { }, each on a line of its "
                      "own, or add --step 0.01 --until 10"
                    : "put step = 0.01 into simulate { }, or add --step 0.01",
            endless ? "no step is given, and no end" : "no step is given");
    if (!(step.number > 0))
        return diag_error(d->ds, DAL_INVALID, step.at, NULL,
                          "the step must be positive; an end before the beginning runs backward");
    p->from = from.given ? from.number : 0, p->h = step.number, p->steps = -1;
    if (until.given) return plan_until(p, until.number, until.at, d->ds);
    return count_of(d, "steps", steps, 0, &p->steps);
}

static breakdown breakdown_of(const source *words)
{
    if (!words) return BREAKDOWN_STOPS;
    return !strcmp(words->text, "fixed")   ? BREAKDOWN_HOLDS
           : !strcmp(words->text, "reset") ? BREAKDOWN_RESETS
                                           : BREAKDOWN_STOPS;
}

/* The energy principle alone chooses its step, so that there can be bounds, or none to be found. */
static dal_status plan_bounds(const desk *d, plan *p)
{
    setting    least, most;
    const bool energy = p->method.principle == ENERGY;
    if (d->r->refers && !energy) return DAL_OK;
    dal_status bad = number_of(d, SET_H_MIN, &least);
    if (!bad) bad = number_of(d, SET_H_MAX, &most);
    if (bad) return bad;
    if (!energy && (least.given || most.given))
        return diag_error(d->ds, DAL_INVALID, least.given ? least.at : most.at, NULL,
                          "h_min and h_max bound the step of principle = energy; %s has a fixed "
                          "one",
                          p->principle);
    p->breakdown = breakdown_of(d->r->on_breakdown);
    if (!energy && p->breakdown != BREAKDOWN_STOPS)
        return diag_error(d->ds, DAL_INVALID, source_span(d->r->on_breakdown), NULL,
                          "on-breakdown is for principle = energy, which may find no step; %s has "
                          "a fixed one",
                          p->principle);
    if (!energy && p->method.power != POWER_NODES)
        return diag_error(d->ds, DAL_INVALID, words_of(d, SET_POWER).at, NULL,
                          "power = lines says how principle = energy takes the work of forces; %s "
                          "has no balance of energy",
                          p->principle);
    if (energy && d->r->inputs)
        return diag_error(d->ds, DAL_INVALID, source_span(&d->r->input[0]), NULL,
                          "principle = energy differentiates in time, and an input that follows a "
                          "file has no derivative: write it as a function of t in the model");
    if ((least.given && !(least.number > 0 && least.number <= fabs(p->h))) ||
        (most.given && !(most.number >= fabs(p->h))))
        return diag_error(d->ds, DAL_INVALID, least.given ? least.at : most.at, NULL,
                          "the step, %.10g, must lie between h_min and h_max, and h_min above 0",
                          fabs(p->h));
    p->method.least_step = least.given ? least.number : 0;
    p->method.most_step = most.given ? most.number : 0;
    return DAL_OK;
}

/* 0 if they are not asked for. */
static dal_status plan_exponents(const desk *d, plan *p)
{
    const source *words = d->r->lyapunov;
    if (!words) return DAL_OK;
    setting count = {.given = true, .at = source_span(words)};
    if (!text_is_number(words->text, &count.number)) count.number = -1;
    return count_of(d, "lyapunov", count, 1, &p->exponents);
}

/* Of the energy: a hundred samples tell all, and a thousand cost little. */
long plan_samples(long steps)
{
    return steps > 3000 ? steps / 1000 : steps > 300 ? 3 : 1;
}

/* The numbers behind "times", as they are written: an interval, or a list in brackets. */
static dal_status read_times(const desk *d, const setting *s, plan *p)
{
    static const char hint[] = "type 'times 0.1', or a list: 'times [1, 2.5, 4]'";
    const char       *c = s->words + strlen("times");
    const bool        list = strchr(c, '[') != NULL;
    double           *at = mem_array(d->m, (int)strlen(c) / 2 + 1, double);
    int               n = 0;
    for (c += strspn(c, " ["); *c && *c != ']'; c += strspn(c, " ,")) {
        char *end;
        at[n] = plain_strtod(c, &end);
        if (end == c || !isfinite(at[n]))
            return diag_error(d->ds, DAL_INVALID, s->at, hint, "a time is not a number: '%s'", c);
        c = end, n++;
    }
    if (!n) return diag_error(d->ds, DAL_INVALID, s->at, hint, "no times are given");
    for (int i = 1; i < n; i++)
        if ((at[i] - at[i - 1]) * p->h <= 0)
            return diag_error(d->ds, DAL_INVALID, s->at, NULL,
                              "times are listed in the order of the run, but %.10g comes after "
                              "%.10g",
                              at[i], at[i - 1]);
    if (list && (at[0] - p->from) * p->h < 0)
        return diag_error(d->ds, DAL_INVALID, s->at, NULL,
                          "the time %.10g lies before the run, which begins at %.10g", at[0],
                          p->from);
    if (!list && !(at[0] > 0))
        return diag_error(d->ds, DAL_INVALID, s->at, hint,
                          "the interval of times must be positive, and it is %.10g", at[0]);
    p->record = 0;
    p->times = (requested_times){list ? 0 : copysign(at[0], p->h), at, list ? n : 0};
    return DAL_OK;
}

static bool asks_for_times(const setting *s)
{
    return s->given && s->words && !strncmp(s->words, "times", strlen("times"));
}

/* About a thousand diagnostics in a run, if nobody says how many. */
static dal_status plan_records(const desk *d, plan *p)
{
    const source *over = d->r->over.setting[SET_RECORD], *monitor = d->r->monitor;
    const bool    read = over && d->v->set[SET_RECORD].at.of == over;
    setting       record = read ? d->v->set[SET_RECORD] : words_of(d, SET_RECORD);
    const bool    times = asks_for_times(&record);
    dal_status    bad = times ? DAL_OK : number_of(d, SET_RECORD, &record);
    p->record = 1, p->monitor = p->steps > 1000 ? p->steps / 1000 : 1;
    p->sample = plan_samples(p->steps);
    if (times) bad = read_times(d, &record, p);
    else if (!bad) bad = count_of(d, "record", record, 0, &p->record);
    p->spaced = monitor == NULL;
    if (bad || !monitor) return bad;
    setting every = {.given = true, .at = source_span(monitor)};
    if (!text_is_number(monitor->text, &every.number)) every.number = -1;
    return count_of(d, "monitor", every, 1, &p->monitor);
}

/* 0 if nobody said how many, which counts as one. */
static dal_status plan_threads(const desk *d, plan *p)
{
    const source *of = d->r->threads;
    long          count = 1;
    if (!of) return DAL_OK;
    setting words = {.given = true, .at = source_span(of)};
    if (!text_is_number(of->text, &words.number) || words.number > 256) words.number = -1;
    dal_status bad = count_of(d, "threads (at most 256)", words, 1, &count);
    p->method.threads = (int)count;
    return bad;
}

/* The papers' momenta after the kick are made of the multipliers of every relation. */
static bool momenta_need_multipliers(const plan *p)
{
    return p->method.momentum == MOMENTUM_PAPERS &&
           (p->method.principle == DIRAC_MINUS) == (p->h > 0);
}

/* Words were checked as options before. */
static joining joining_of(const source *words)
{
    static const char *const words_for[INTERCONNECTIONS] = {"eliminate", "multipliers", "forces",
                                                            "reactions"};
    for (int k = 0; words && k < INTERCONNECTIONS; k++)
        if (!strcmp(words->text, words_for[k])) return (joining)k;
    return ELIMINATE;
}

/* The first error ends it, since later settings depend on earlier ones. */
dal_status plan_make(plan *p, const request *r, const values *v, diags *ds, mem *m)
{
    desk d = {r, v, ds, m};
    *p = (plan){.steps = -1};
    dal_status bad = plan_method(&d, p);
    if (!bad) bad = plan_scheme(&d, p);
    if (!bad) bad = plan_pace(&d, p);
    if (!bad) bad = plan_times(&d, p);
    if (!bad) bad = plan_bounds(&d, p);
    if (!bad) bad = plan_records(&d, p);
    if (!bad) bad = plan_threads(&d, p);
    if (!bad) bad = plan_exponents(&d, p);
    p->joined = joining_of(r->interconnection);
    p->method.step = p->method.momentum == MOMENTUM_PAPERS ? p->h : 0;
    p->keeps_ties = p->joined == ELIMINATE && momenta_need_multipliers(p);
    if (p->keeps_ties) p->joined = MULTIPLIERS;
    p->backend = !r->backend || !strcmp(r->backend->text, "auto") ? BACKEND_AUTO
                 : !strcmp(r->backend->text, "vm")                ? BACKEND_VM
                                                                  : BACKEND_NATIVE;
    p->method.map = r->map;
    p->method.jacobian = !r->jacobian || !strcmp(r->jacobian->text, "auto") ? JACOBIAN_AUTO
                         : !strcmp(r->jacobian->text, "newton")             ? JACOBIAN_NEWTON
                                                                            : JACOBIAN_BROYDEN;
    if (!bad && p->method.jacobian == JACOBIAN_BROYDEN && p->method.principle == ENERGY)
        bad = diag_error(ds, DAL_INVALID, source_span(r->jacobian), "--jacobian newton",
                         "principle = energy needs the Jacobian of every iteration");
    p->method.solver = r->solver && strcmp(r->solver->text, "auto") ? r->solver->text : NULL;
    return bad;
}
