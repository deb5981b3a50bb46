/* accuracy.c - makes parts of a run again, with its step and with half of it:
 *
 *     e(t) = max_j |q_j - q_j by halves| / A_j / (1 - 2^-r),   A_j = half the range of q_j
 *
 * Attitudes differ by an angle, and A is half the largest from the start. A part tells how e grows,
 * e ~ t^g, and so what it is at the end.                                  theory.md [ACCURACY] */
#include "run/accuracy.h"

#include "mech/rotation/state.h"
#include "mech/stepper/compiled_step.h"
#include "mech/stepper/stepper.h"
#include "run/engine_table.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

static const double OFF = 0.35;      /* of the amplitude: this is warned of,                  */
static const double OFF_LAST = 0.25; /* of a whole run made again: at its end,                */
static const double OFF_MEAN = 0.5;  /* or on average                                         */
static const double LOST = 1;        /* where half a step has no solution                     */
static const double DOUBT = 0.02;    /* and this is looked at again, of a member of a sweep   */
static const double NEARLY = 2;      /* times more or less than what is warned of: run alone  */
static const double FINE = 0.01;     /* what a better step is to leave                        */
static const double SHARE = 1e-3;    /* of the largest |p v|: less, and it does not count     */
static const double GRAIN = 1e-9;    /* of a position, or an angle: what moves by less, rests */
static const double FURTHER = 10;    /* times as far from the start as before                 */

/* Steps that choose their length, functions with a state of their own and connections that are
 * forces cannot be made again by halves as they are. */
static bool is_asked(const dal_sim *s)
{
    enum { LARGE = 20000 };
    const bool alone = !s->pace && !s->events && !s->joint && s->plan.method.principle != ENERGY;
    return s->md && (s->mon.accurate.twin || alone) && s->plan.steps > 0 &&
           state_solved(s)->n <= LARGE;
}

/* Modes and paces have systems of their own, so that states of the whole are compared. */
const dal_system *accuracy_system(const dal_sim *s)
{
    return twin_is_whole(s->mon.accurate.twin) ? s->sys : state_solved(s);
}

/* Numbers of a state: matrices and quaternions of rotations stand behind the coordinates. */
int accuracy_width(const dal_sim *s)
{
    const dal_system *sys = accuracy_system(s);
    return turning_width(sys->turns, sys->n);
}

void accuracy_init(dal_sim *s)
{
    accuracy *of = &s->mon.accurate;
    *of = (accuracy){.twin = of->twin};
    if (!is_asked(s)) return;
    const int n = accuracy_system(s)->n, width = accuracy_width(s);
    double  **room[] = {&of->least, &of->most, &of->action, &of->reach, &of->left};
    for (size_t k = 0; k < sizeof room / sizeof *room; k++) *room[k] = mem_array(&s->m, n, double);
    for (int k = 0; k < REPEATED_PARTS; k++)
        of->part[k] = (repeated_part){-1, mem_array(&s->m, width, double),
                                      mem_array(&s->m, n, double), mem_array(&s->m, n, double)};
    of->met = mem_array(&s->m, KEPT_STATES * width, double);
    of->kept = mem_array(&s->m, KEPT_STATES * width, double);
    of->kept_at = mem_array(&s->m, KEPT_STATES, double);
    of->input = mem_array(&s->m, inputs_of(s) + 1, double);
}

void accuracy_restart(dal_sim *s)
{
    enum { SAMPLES = 256 };
    accuracy *of = &s->mon.accurate;
    s->mon.sum.error_estimate = (double)NAN;
    of->doubted = of->blocked = false, of->keeps = 0;
    if (!of->least) return;
    twin_restart(s);
    of->next = s->k, of->apart = s->plan.timed ? 1 : s->plan.steps / SAMPLES + 1;
    for (int j = 0; j < accuracy_system(s)->n; j++)
        of->least[j] = HUGE_VAL, of->most[j] = -HUGE_VAL, of->action[j] = of->reach[j] = 0;
    for (int k = 0; k < REPEATED_PARTS; k++) of->part[k].k = -1;
    accuracy_take(s);
}

/* v: a slope for the first prediction, a multiple of it. */
static void keep(const dal_sim *s, repeated_part *of, long k, const double *const state[3],
                 double multiple)
{
    const int n = accuracy_system(s)->n;
    of->k = k;
    memcpy(of->q + n, state[0] + n, (size_t)(accuracy_width(s) - n) * sizeof *of->q);
    for (int j = 0; j < n; j++)
        of->q[j] = state[0][j], of->p[j] = state[1][j], of->v[j] = state[2][j] * multiple;
}

/* Row j of the positions beside others: an angle in the first row of a rotation, if it turns. */
static double difference(const dal_sim *s, int j, const double *q, const double *other)
{
    const dal_system *sys = accuracy_system(s);
    const int         k = sys->turns ? sys->turns->of_row[j] : -1;
    if (k < 0) return q[j] - other[j];
    const double angle = turning_apart(sys->turns, sys->n, k, q, other);
    return j == sys->turns->first[k] ? angle : 0;
}

/* How far it is from the start. */
static double way_of(const dal_sim *s, int j, const double *q)
{
    const turning *t = accuracy_system(s)->turns;
    const double   way = difference(s, j, q, s->mon.accurate.part[PART_START].q);
    return t && t->of_row[j] >= 0 && way <= GRAIN ? 0 : way;
}

/* The row in which the action of row j counts. */
static int counts_in(const dal_sim *s, int j)
{
    const turning *t = accuracy_system(s)->turns;
    return t && t->of_row[j] >= 0 ? t->first[t->of_row[j]] : j;
}

/* States of the run that are spread over it, but its last. */
static void keep_way(dal_sim *s)
{
    accuracy *of = &s->mon.accurate;
    const int width = accuracy_width(s);
    if (of->keeps == KEPT_STATES - 1 || s->k * KEPT_STATES < (of->keeps + 1) * s->plan.steps)
        return;
    memcpy(of->kept + of->keeps * width, s->st->q, (size_t)width * sizeof *of->kept);
    of->kept_at[of->keeps++] = (double)s->k;
}

/* The middle of the run. */
static bool is_behind(const dal_sim *s)
{
    return s->mon.accurate.twin ? twin_is_behind(s) : s->k >= middle_of(s->plan.steps);
}

void accuracy_take(dal_sim *s)
{
    accuracy *of = &s->mon.accurate;
    const int n = accuracy_system(s)->n;
    if (!of->least || s->k < of->next) return;
    const bool          whole = twin_is_whole(of->twin);
    const double       *q = whole ? state_q(s) : s->st->q, *p = whole ? state_p(s) : s->st->p;
    repeated_part      *start = &of->part[PART_START], *middle = &of->part[PART_MIDDLE];
    const double *const v = whole ? state_v(s) : stepper_v(s->st), *const state[] = {q, p, v};
    if (start->k < 0) keep(s, start, s->k, state, 1);
    else if (middle->k < 0 && is_behind(s)) keep(s, middle, s->k, state, 1);
    of->next = s->k + of->apart;
    if (of->twin) twin_take(s);
    else keep_way(s);
    for (int j = 0; j < n; j++) {
        const double way = way_of(s, j, q), moved = start->q[j] + way;
        of->least[j] = fmin(of->least[j], moved), of->most[j] = fmax(of->most[j], moved);
        if (fabs(way) > FURTHER * of->reach[j])
            of->reach[j] = fabs(way), of->left[j] = (double)(s->k - start->k);
        of->action[counts_in(s, j)] += fabs(p[j] * v[j]);
    }
}

/* The roughest step is in the stepper. */
static void take_roughest(dal_sim *s)
{
    const roughness *rough = &s->st->rough;
    const int        n = state_solved(s)->n;
    if (!rough->sum || !(*rough->most > 0)) return;
    const double *const state[] = {rough->from, rough->from + n, rough->from + 2 * n};
    keep(s, &s->mon.accurate.part[PART_ROUGHEST], lround((*rough->t - s->plan.from) / s->plan.h),
         state, 1 / s->plan.h);
}

/* Repetition. ---------------------------------------------------------------------------------- */

/* How much longer a step of the repetition takes than one of the run. */
static double cost_beside(const dal_sim *s)
{
    const engine_case *c = &s->engine.of;
    if (s->engine.name >= COMPILED) return 1;
    const double own = engines[s->engine.name].cost(c, true).ns,
                 other = engines[GENERAL].cost(c, true).ns;
    return own > 0 ? fmax(other / own, 1) : 1;
}

/* Steps that hardly count beside what it takes to set up a run, or to go on with a sweep. */
static long free_steps(const dal_sim *s)
{
    static const double FREE = 4e4; /* ns */
    const double        ns = engines[GENERAL].cost(&s->engine.of, s->engine.native).ns;
    return ns * FREE_MOST < FREE    ? FREE_MOST
           : ns * FREE_LEAST > FREE ? FREE_LEAST
                                    : (long)(FREE / ns);
}

long part_length(const dal_sim *s, long steps, long free, int of, int *parts)
{
    static const double MOST = 1e6; /* longer ones tell no more, and a file may claim any number */
    const double        share = fmin((double)steps / (of * cost_beside(s)), MOST);
    const long          all = share < (double)free ? free : (long)share;
    *parts = all >= steps ? 1 : REPEATED_PARTS;
    return all >= steps ? steps : all / REPEATED_PARTS;
}

static bool make_stepper(dal_sim *s)
{
    accuracy    *of = &s->mon.accurate;
    step_options alike = s->plan.method;
    text         why = text_new(&s->m);
    alike.choose = NULL, alike.threads = 0;
    alike.solver = s->st->options.solver; /* the plan's is its caller's, who may have freed it */
    if (!of->st) stepper_new(&s->m, state_solved(s), &s->plan.scheme, &alike, &of->st, &why);
    text_drop(&why);
    return of->st != NULL;
}

/* By the function that makes the steps of the run, if there is one. */
static void put(dal_sim *s, const repeated_part *at, double h)
{
    stepper           *st = s->mon.accurate.st;
    const step_numbers numbers = engine_numbers(s);
    stepper_set(st, s->plan.from + (double)at->k * s->plan.h, at->q, at->p, at->v);
    if (s->st->engine != &engines[COMPILED]) return;
    stepper_use_compiled(st, s->st->compiled->call, h, &numbers);
    stepper_use(st, &engines[COMPILED]);
}

/* From step *made to step `until` of length h. */
static bool go_to(dal_sim *s, const repeated_part *from, double h, long *made, long until)
{
    steps_made  out = {0};
    text        why = text_new(&s->m);
    steps_asked along = {.from = s->plan.from + (double)from->k * s->plan.h, .h = h};
    bool        bad = false;
    while (*made < until && !bad) {
        along.k = *made, along.count = until - *made, out.made = 0;
        bad = stepper_advance(s->mon.accurate.st, &along, &out, &why) != DAL_OK;
        *made += out.made;
    }
    text_drop(&why);
    return !bad;
}

double apart_of(double difference, double least, double most, double share)
{
    const double amplitude = (most - least) / 2;
    const bool   slight = share > 0 && share < SHARE;
    if (slight || amplitude <= GRAIN * fmax(fabs(most), fabs(least))) return 0;
    return fabs(difference) / amplitude;
}

static double apart(const dal_sim *s, const double *q, const double *other)
{
    static const double ROUNDOFF = 1e-16; /* of the widest range */
    const accuracy     *of = &s->mon.accurate;
    const int           n = accuracy_system(s)->n;
    double              most = 0, strongest = 0, widest = 0;
    for (int j = 0; j < n; j++)
        strongest = fmax(strongest, of->action[j]),
        widest = fmax(widest, of->most[j] - of->least[j]);
    for (int j = 0; j < n; j++)
        if (of->most[j] - of->least[j] > ROUNDOFF * widest)
            most = fmax(most, apart_of(difference(s, j, q, other), of->least[j], of->most[j],
                                       strongest > 0 ? of->action[j] / strongest : 0));
    return most;
}

/* For how many steps has a run rested that nothing moves but roundoff? q: after `some` of them. */
static double rested_for(const dal_sim *s, const double *q, long some)
{
    static const double NOTHING = 1e-12, MOVED = 1e-6;
    const accuracy     *of = &s->mon.accurate;
    const double       *from = of->part[PART_START].q;
    double              left = 0;
    if (!state_solved(s)->autonomous || s->sys->rheonomic || s->follow.n) return 0;
    for (int j = 0; j < state_solved(s)->n; j++) {
        if (fabs(way_of(s, j, q)) > NOTHING * fabs(from[j])) return 0;
        if (of->reach[j] > MOVED * fabs(from[j])) left = fmax(left, of->left[j]);
    }
    return left > (double)some ? left : 0;
}

/*     e ~ t^g,   R = rms of the second half / rms of the first,   R^2 = 2^(2g+1) - 1 */
static double growth(const double *e, int n)
{
    double sum[2] = {0};
    int    count[2] = {0};
    for (int i = 0; i < n; i++) sum[2 * i >= n] += e[i] * e[i], count[2 * i >= n]++;
    if (!count[0] || !(sum[0] > 0)) return 1;
    return fmin(fmax((log2(sum[1] / count[1] / (sum[0] / count[0]) + 1) - 1) / 2, 0), 1);
}

part_error part_error_of(const double *e, int n, long length)
{
    part_error of = {0, growth(e, n), (double)length, 0, e[n - 1]};
    for (int i = 0; i < n; i++) of.most = fmax(of.most, e[i]), of.mean += e[i] * e[i] / n;
    of.mean = sqrt(of.mean);
    return of;
}

/*     E = max e (n/l)^g */
double error_continued(const part_error found[REPEATED_PARTS], double steps)
{
    double error = -1;
    for (int k = 0; k < REPEATED_PARTS; k++)
        if (found[k].most >= 0)
            error = fmax(error, found[k].most * pow(fmax(steps / found[k].length, 1), found[k].g));
    return error;
}

bool error_is_doubtful(double error)
{
    return error > DOUBT;
}

static int order_of(const dal_sim *s) /* r */
{
    return s->mon.sum.order > 1 ? s->mon.sum.order : 1;
}

double accuracy_apart(const dal_sim *s, const double *q, const double *by_halves)
{
    return apart(s, q, by_halves) / (1 - pow(2, -order_of(s)));
}

typedef enum { REPEATED, REPEATED_NOT, HALVES_FAIL } repetition;

/* e at `states` steps of the part, made twice. */
static repetition repeat(dal_sim *s, const repeated_part *of, long length, int states, double *e)
{
    const int    width = accuracy_width(s);
    const double h = s->plan.h;
    for (int parts = 1; parts <= 2; parts++) {
        long    made = 0;
        double *met = s->mon.accurate.met;
        put(s, of, h / parts);
        for (int i = 0; i < states; i++, met += width) {
            if (!go_to(s, of, h / parts, &made, parts * (length * (i + 1) / states)))
                return parts == 1 ? REPEATED_NOT : HALVES_FAIL;
            if (parts == 1) memcpy(met, s->mon.accurate.st->q, (size_t)width * sizeof *met);
            else e[i] = apart(s, met, s->mon.accurate.st->q) / (1 - pow(2, -order_of(s)));
        }
    }
    return REPEATED;
}

/* Steps after which an error has faded: constant damping forgets what is older. */
static double remembered(dal_sim *s)
{
    static const double LONG = 2; /* times of the decay */
    dal_system         *sys = state_solved(s);
    const double       *v = stepper_v(s->st);
    const sys_point     at = {.t = s->t, .q = s->st->q, .w = v, .v = v};
    if (sys->varies[F_FW] != FIELD_CONSTANT) return HUGE_VAL;
    const double rate = stability_fading(&s->m, sys, &at);
    return rate > 0 ? LONG / (rate * fabs(s->plan.h)) : HUGE_VAL;
}

/* Was the whole run made again? */
static bool is_whole(const dal_sim *s)
{
    const part_error *from_start = &s->mon.accurate.found[PART_START];
    return from_start->most >= 0 && from_start->length >= (double)s->k;
}

static part_error error_of_part(dal_sim *s, const repeated_part *of, long length)
{
    const part_error unknown = {.most = -1, .length = 1}, lost = {.most = LOST, .length = 1};
    double           e[KEPT_STATES];
    if (of->k < 0) return unknown;
    if (length > s->k - of->k) length = s->k - of->k;
    const int states = length < KEPT_STATES ? (int)length : KEPT_STATES;
    if (length < 2) return unknown;
    const repetition made = repeat(s, of, length, states, e);
    if (made != REPEATED) return made == HALVES_FAIL ? lost : unknown;
    if (of == &s->mon.accurate.part[PART_START])
        s->mon.accurate.rested = rested_for(s, s->mon.accurate.st->q, length);
    return part_error_of(e, states, length);
}

/* Inputs that follow a file are those of other times meanwhile. */
static void repeat_parts(dal_sim *s, long length, int parts)
{
    accuracy    *of = &s->mon.accurate;
    const size_t bytes = (size_t)inputs_of(s) * sizeof *of->input;
    of->rested = 0;
    for (int k = 0; k < REPEATED_PARTS; k++) of->found[k].most = -1;
    if (!make_stepper(s)) return;
    memcpy(of->input, s->val.input, bytes);
    take_roughest(s);
    for (int k = 0; k < parts; k++) of->found[k] = error_of_part(s, &of->part[k], length);
    memcpy(s->val.input, of->input, bytes);
}

/* Negative: not known. What damping forgets is of no interest where nothing is in doubt. */
static double error_at_end(dal_sim *s)
{
    const part_error *found = s->mon.accurate.found;
    const double      error = error_continued(found, (double)s->k);
    return error_is_doubtful(error) ? error_continued(found, fmin((double)s->k, remembered(s)))
                                    : error;
}

static double error_of_parts(dal_sim *s, bool brief)
{
    const int  of = s->mon.accurate.brief ? PART_OF_MEMBER : PART_OF_RUN;
    int        parts;
    const long length = part_length(s, s->k, brief ? FREE_BRIEF : free_steps(s), of, &parts);
    repeat_parts(s, length, parts);
    return error_at_end(s);
}

/* e at the states that were kept of the run, and at its end: the run is made with half the step. */
static part_error compare_whole(dal_sim *s)
{
    accuracy            *of = &s->mon.accurate;
    const repeated_part *start = &of->part[PART_START];
    const double         h = s->plan.h / 2;
    double               e[KEPT_STATES];
    long                 made = 0;
    int                  states = 0;
    put(s, start, h);
    for (int i = 0; i <= of->keeps; i++) {
        const bool    last = i == of->keeps;
        const double  k = (last ? (double)s->k : of->kept_at[i]) - (double)start->k;
        const double *met = last ? s->st->q : of->kept + i * accuracy_width(s);
        if (!(2 * k > (double)made && k <= (double)(s->k - start->k))) continue;
        if (!go_to(s, start, h, &made, 2 * (long)k)) return (part_error){.most = LOST, .length = 1};
        e[states++] = apart(s, met, s->mon.accurate.st->q) / (1 - pow(2, -order_of(s)));
    }
    return part_error_of(e, states, s->k);
}

/* Steps of about m h, from a state to step k of the run. */
static bool stride(dal_sim *s, const repeated_part *from, long k, double m)
{
    const double length = (double)(k - from->k), steps = ceil(length / m);
    const double h = s->plan.h * length / steps;
    long         made = 0;
    put(s, from, h);
    return go_to(s, from, h, &made, (long)steps);
}

/* e of the run made with steps of m h, the largest at every fourth state that was kept. */
static double error_of_longer(dal_sim *s, double m)
{
    enum { EACH = 4 };
    accuracy            *of = &s->mon.accurate;
    const repeated_part *at = &of->part[PART_START];
    repeated_part       *on = &of->part[PART_ROUGHEST];
    double               most = 0;
    for (int i = EACH - 1; i < of->keeps + EACH; i += EACH) {
        const bool    last = i >= of->keeps;
        const long    k = last ? s->k : (long)of->kept_at[i];
        const double *met = last ? s->st->q : of->kept + i * accuracy_width(s);
        if (k <= at->k) continue;
        if (!stride(s, at, k, m)) return HUGE_VAL;
        most = fmax(most, apart(s, met, s->mon.accurate.st->q) / (1 - pow(m, -order_of(s))));
        const double *const state[] = {of->st->q, of->st->p, stepper_v(of->st)};
        keep(s, on, k, state, 1), at = on;
    }
    return most;
}

/* Is so much work worth it for this error, and can it be afforded? Then it is spent. */
static bool affords(dal_sim *s, double ns, double error)
{
    static const double WORK = 3e10; /* ns */
    if (ns > fmin(WORK * error, *s->call.spare)) return false;
    *s->call.spare -= ns;
    return true;
}

/*     e of m h = m^r e of h,   m = (TENTH / E)^(1/r)
 *
 * Longer steps that do well vouch for the steps of the run, and are few; *error may grow. */
static bool is_vouched_for(dal_sim *s, double run, double *error)
{
    static const double TENTH = 0.1, LEAST = 2, MOST = 64, HARDER = 2; /* to solve: so many times */
    const int           r = order_of(s);
    const double        m = fmin(pow(TENTH / *error, 1.0 / r), MOST);
    if (m < LEAST || m * KEPT_STATES > (double)s->k || !affords(s, HARDER * run / m, *error))
        return false;
    const double longer = error_of_longer(s, m);
    if (longer < OFF) *error = fmax(*error, longer * pow(m, -r));
    return longer < OFF;
}

/* Not if the run is without hope, or known as a whole. */
static bool repays_whole(dal_sim *s, double *error)
{
    static const double EARNED = 0.02, HOPELESS = 2; /* of what a run takes; of the amplitude */
    const engine       *by = &engines[s->engine.name == COMPILED ? COMPILED : GENERAL];
    const double        run = by->cost(&s->engine.of, s->engine.native).ns * (double)s->k;
    if (!s->call.spare) return false;
    *s->call.spare += EARNED * run;
    if (s->mon.accurate.rested > 0 || is_whole(s)) return false;
    if (!(*error > 0 && *error < HOPELESS)) return false;
    return !is_vouched_for(s, run, error) && affords(s, 2 * run, *error);
}

/* Errors of sensitive motions grow along the run as no part of it tells. */
static double error_of_whole(dal_sim *s, double error)
{
    accuracy    *of = &s->mon.accurate;
    const size_t bytes = (size_t)inputs_of(s) * sizeof *of->input;
    memcpy(of->input, s->val.input, bytes);
    const bool       repays = repays_whole(s, &error);
    const part_error whole = repays ? compare_whole(s) : (part_error){0};
    memcpy(s->val.input, of->input, bytes);
    if (!repays) return error;
    for (int k = 0; k < REPEATED_PARTS; k++) of->found[k].most = -1;
    of->found[PART_START] = whole;
    return error_at_end(s);
}

/* An error that comes and goes with the motion may be small at the end by chance. */
static double off_at_end(const dal_sim *s, double error)
{
    const part_error *whole = &s->mon.accurate.found[PART_START];
    if (!is_whole(s)) return error > OFF ? error : 0;
    return whole->last > OFF_LAST || whole->mean > OFF_MEAN ? fmax(whole->last, whole->mean) : 0;
}

static void tell_way(dal_sim *s, double error)
{
    diag_note(s->ds, span_none(), "`converge` tells more",
              "positions on the way are off by up to %.1g of their amplitude, those at the end by "
              "%.1g, to judge by the run made with half the step",
              error, s->mon.accurate.found[PART_START].last);
}

/* Near the stability limit of a scheme motions are bounded and have another phase, as those know
 * who go there: this is noted, and is no doubt about the run. */
static void tell(dal_sim *s, double error)
{
    text hint = text_new(&s->m), by = text_new(&s->m);
    text_printf(&hint, "try a step of %.1g; `converge` tells more",
                fabs(s->plan.h) * pow(FINE / error, 1.0 / s->mon.sum.order));
    if (error < 1) text_printf(&by, "about %.1g of their amplitude", error);
    else text_add(&by, "about as much as they move");
    if (!s->mon.accurate.twin && stability_is_near(s))
        diag_note(s->ds, span_none(), text_str(&hint),
                  "the step is near the stability limit of %s, where phases are lost: positions "
                  "at the end are off by %s",
                  s->plan.scheme.name, text_str(&by));
    else
        diag_warning(s->ds, span_none(), text_str(&hint),
                     "positions at the end are off by %s, to judge by %s made with half the step",
                     text_str(&by), is_whole(s) ? "the run" : "parts of the run");
    text_drop(&hint), text_drop(&by);
}

/* Errors are of no interest where roundoff has made the motion. */
static void tell_rest(dal_sim *s, double steps)
{
    diag_warning(s->ds, span_none(), "let it start beside the equilibrium",
                 "the start is an unstable equilibrium, which the run has left at about t = %.3g: "
                 "roundoff decides when",
                 s->plan.from + steps * s->plan.h);
}

/* Blocks know another roughest step than a run alone, which has tried some of them. */
static bool is_close(const accuracy *of, double error)
{
    return of->lost || (of->again && error > OFF / NEARLY && error < OFF * NEARLY);
}

static double error_by_twin(dal_sim *s)
{
    accuracy *of = &s->mon.accurate;
    of->rested = 0;
    for (int k = 0; k < REPEATED_PARTS; k++) of->found[k].most = -1;
    twin_errors(s, of->found);
    return error_continued(of->found, (double)s->k);
}

static double error_of_run(dal_sim *s)
{
    const accuracy *of = &s->mon.accurate;
    if (of->twin) return error_by_twin(s);
    if (of->blocked) return error_at_end(s);
    double error = error_of_parts(s, of->brief);
    if (of->brief && error_is_doubtful(error)) error = error_of_parts(s, false);
    return error_of_whole(s, error);
}

void accuracy_judge(dal_sim *s)
{
    accuracy *of = &s->mon.accurate;
    if (!of->least || s->mon.sum.status || reliable_rests(s)) return;
    const double error = error_of_run(s);
    of->doubted = of->blocked && is_close(of, error);
    if (of->doubted || error < 0) return;
    s->mon.sum.error_estimate = error;
    const double off = off_at_end(s, error);
    if (of->rested > 0) tell_rest(s, of->rested);
    else if (off > 0) tell(s, off);
    else if (error > OFF) tell_way(s, error);
}

void accuracy_resume(dal_sim *s, const part_error found[REPEATED_PARTS], bool lost)
{
    accuracy *of = &s->mon.accurate;
    of->blocked = true, of->lost = lost, of->rested = 0;
    for (int k = 0; k < REPEATED_PARTS; k++) of->found[k] = found[k];
}

void accuracy_end(dal_sim *s)
{
    if (s->mon.accurate.st) stepper_free(s->mon.accurate.st);
    s->mon.accurate.st = NULL;
}
