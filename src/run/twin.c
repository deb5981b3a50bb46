/* twin.c - the same model with half the step, from the same start, beside the states that were kept
 * of the run: after twice as many steps, or where steps choose their length at the same times. */
#include "run/twin.h"

#include "mech/stepper/stepper.h"
#include "run/engine_table.h"
#include "run/halved.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

enum { EARLY = 50, AT_LEAST = 64 }; /* the first part is one of so many, of at least these steps */

static const double SETUP = 1e6, SETUP_STEPPER = 2e4; /* ns that it takes to make either */

/* Making. -------------------------------------------------------------------------------------- */

static const source *kept_list(mem *m, const source *of, int n)
{
    source *list = mem_array(m, n + 1, source);
    for (int i = 0; i < n; i++) list[i] = *source_kept(m, &of[i]);
    return list;
}

/* Texts of the caller's, to be read again at the end. */
static request kept_request(mem *m, const request *r)
{
    request out = {.map = r->map,
                   .jacobian = source_kept(m, r->jacobian),
                   .solver = source_kept(m, r->solver),
                   .interconnection = source_kept(m, r->interconnection),
                   .backend = source_kept(m, r->backend),
                   .project_start = r->project_start,
                   .insist = r->insist,
                   .beside = true};
    for (int k = 0; k < SETTINGS; k++) out.over.setting[k] = source_kept(m, r->over.setting[k]);
    out.over.set = kept_list(m, r->over.set, r->over.sets), out.over.sets = r->over.sets;
    out.over.start = kept_list(m, r->over.start, r->over.starts), out.over.starts = r->over.starts;
    return out;
}

static twin_states states_new(mem *m, int width)
{
    return (twin_states){mem_array(m, TWIN_STATES * width, double),
                         mem_array(m, TWIN_STATES, double), mem_array(m, TWIN_STATES, double), 0};
}

/* Lengths by the energy principle follow from a state, so that a stepper is enough. */
twin *twin_new(dal_sim *s, const subject *of, const request *r)
{
    const bool energy = s->plan.method.principle == ENERGY,
               whole = s->events || s->pace || s->joint;
    if (r->beside || !s->md || s->follow.n || energy == whole) return NULL;
    const int width = turning_width(s->sys->turns, s->sys->n);
    twin     *w = mem_array(&s->m, 1, twin);
    *w = (twin){.of = energy ? NULL : of,
                .asked = kept_request(&s->m, r),
                .input = copy_of(&s->m, s->val.input, inputs_of(s)),
                .early = states_new(&s->m, width),
                .late = states_new(&s->m, width),
                .behind = states_new(&s->m, width)};
    return w;
}

void twin_restart(dal_sim *s)
{
    twin *w = s->mon.accurate.twin;
    if (!w) return;
    memcpy(w->input, s->val.input, (size_t)inputs_of(s) * sizeof *w->input);
    w->early.n = w->late.n = w->behind.n = 0, w->changed = false;
}

/* Whose states are compared: those of the whole, or of the solved system. */
static const double *positions(const dal_sim *s)
{
    return twin_is_whole(s->mon.accurate.twin) ? state_q(s) : s->st->q;
}

/* States of the run. --------------------------------------------------------------------------- */

static void keep(dal_sim *s, twin_states *to)
{
    const int width = accuracy_width(s);
    memcpy(to->q + to->n * width, positions(s), (size_t)width * sizeof *to->q);
    to->k[to->n] = (double)s->k, to->t[to->n++] = s->t;
}

/* How much of the run lies behind, 0 to 1; beyond its end, more. */
static double part_done(const dal_sim *s)
{
    const plan *p = &s->plan;
    return p->timed ? (s->t - p->from) / (p->until - p->from) : (double)s->k / (double)p->steps;
}

/* A stepper is made at once: members of sweeps, which can spare nothing, make some steps again. */
static bool is_brief(const dal_sim *s)
{
    return !s->call.spare && !twin_is_whole(s->mon.accurate.twin);
}

static double least_of(const dal_sim *s)
{
    return is_brief(s) ? fmax(FREE_BRIEF, 2 * (double)s->plan.sample) : AT_LEAST;
}

bool twin_is_behind(const dal_sim *s)
{
    static const double MIDDLE = 0.6;
    return part_done(s) >= MIDDLE;
}

/* Whose lengths tell that of the step to come. */
static void keep_behind(dal_sim *s)
{
    twin                *w = s->mon.accurate.twin;
    const repeated_part *middle = &s->mon.accurate.part[PART_MIDDLE];
    if (w->of || middle->k < 0) return;
    if (middle->k == s->k) w->t = s->t, w->h = stepper_length(s->st);
    else if (w->behind.n < TWIN_STATES) keep(s, &w->behind);
}

void twin_take(dal_sim *s)
{
    twin        *w = s->mon.accurate.twin;
    const double done = part_done(s) * TWIN_STATES;
    const double first = fmax(1.0 / EARLY, least_of(s) / (double)s->plan.steps);
    for (int i = 0; i < inputs_of(s); i++) w->changed |= s->val.input[i] != w->input[i];
    keep_behind(s);
    if (!s->k || done >= TWIN_STATES) return;
    if (w->early.n < TWIN_STATES && done <= first * TWIN_STATES && done >= w->early.n * first)
        keep(s, &w->early);
    if (w->late.n < TWIN_STATES - 1 && done >= w->late.n + 1) keep(s, &w->late);
}

void twin_change(dal_sim *s)
{
    if (s->mon.accurate.twin) s->mon.accurate.twin->changed = true;
}

/* Repetition. ---------------------------------------------------------------------------------- */

static void end_simulation(void *s)
{
    simulation_end(s);
}

/* With half the step, and as many steps as that takes. */
static request halved(mem *m, const dal_sim *s)
{
    static const source vm = {"--backend", "vm", 2};
    request             r = s->mon.accurate.twin->asked;
    source             *step = mem_array(m, 1, source), *steps = mem_array(m, 1, source);
    *step = (source){"--step", mem_printf(m, "%.17g", fabs(s->plan.h) / 2), 0};
    *steps = (source){"--steps", mem_printf(m, "%ld", 2 * s->plan.steps), 0};
    r.over.setting[SET_STEP] = step;
    if (!s->plan.timed) r.over.setting[SET_STEPS] = steps, r.over.setting[SET_UNTIL] = NULL;
    if (!s->engine.native) r.backend = &vm;
    return r;
}

/* It is freed with m. NULL: it cannot be made. */
static dal_sim *begin(mem *m, dal_sim *s, diags *quiet)
{
    const request r = halved(m, s);
    dal_sim      *t = mem_array(m, 1, dal_sim);
    mem_init(&t->m, m->heap);
    t->m.guard = s->m.guard, t->ds = quiet, t->cx = s->cx;
    mem_at_end(m, end_simulation, t);
    if (simulation_start(t, s->mon.accurate.twin->of, &r)) return NULL;
    t->plan.h = s->plan.h / 2; /* exactly */
    return pace_restart(t, NULL) ? NULL : t;
}

static bool has_stopped(const dal_sim *t)
{
    return t->events && t->events->stopped;
}

/* To where the run was after k steps, at the time `at`. */
static bool reach(dal_sim *t, double k, double at)
{
    const double towards = t->plan.h < 0 ? -1 : 1;
    bool         bad = false;
    if (!t->pace) {
        while (!bad && (double)t->k < 2 * k && !has_stopped(t)) bad = simulation_some(t, 1);
        return !bad;
    }
    times_hide(t);
    while (!bad && (at - t->t) * towards > plan_rest(&t->plan)) bad = simulation_some(t, 1);
    if (!bad && !times_is_now(t, at)) bad = times_show(t, at, true);
    return !bad;
}

/* ns, by the cost model of the engines; events and paces are looked at in every step, and Newton's
 * iteration for a length takes more of them. */
static double cost(const dal_sim *s, double steps)
{
    static const double WATCHED = 5;
    const dal_sim      *by = s->pace && s->pace->run ? s->pace->run : s;
    return WATCHED * engines[GENERAL].cost(&by->engine.of, by->engine.native).ns * steps;
}

static double setup(const dal_sim *s)
{
    return twin_is_whole(s->mon.accurate.twin) ? SETUP : SETUP_STEPPER;
}

/* Steps of the run that can be made again: by what the context can spare, and a share of the run.
 */
static double affordable(dal_sim *s)
{
    static const double EARNED = 0.02, SHARE = 0.04; /* of what the run has taken */
    const double        run = cost(s, (double)s->k);
    double             *spare = s->call.spare;
    if (spare) *spare += EARNED * run;
    return ((spare ? *spare : 0) + SHARE * run - setup(s)) / cost(s, 2);
}

static void spend(dal_sim *s, double steps)
{
    if (s->call.spare) *s->call.spare = fmax(*s->call.spare - cost(s, 2 * steps) - setup(s), 0);
}

/* Before the first event a motion tells nothing of what follows it. */
static bool has_more_events(const dal_sim *s, const dal_sim *t)
{
    return s->events && !t->events->past.log.n && s->events->past.log.n;
}

/* A run that is made again: by a simulation, or by a stepper. */
typedef struct {
    dal_sim    *whole;
    halved_run *steps;
} again;

static again begin_again(mem *m, dal_sim *s, diags *quiet, int number)
{
    const twin          *w = s->mon.accurate.twin;
    const repeated_part *of = &s->mon.accurate.part[number];
    const bool           start = number == PART_START;
    const halved_from    from = {of->q, of->p, of->v, start ? s->plan.from : w->t,
                              start ? s->plan.h : w->h};
    return twin_is_whole(w) ? (again){.whole = begin(m, s, quiet)}
                            : (again){.steps = halved_begin(m, s, &from)};
}

/* Positions where the run was after k steps, at the time t. */
static const double *positions_at(const dal_sim *s, const again *x, double k, double t)
{
    if (x->steps) return halved_at(x->steps, t, (double)s->k);
    return reach(x->whole, k, t) ? state_q(x->whole) : NULL;
}

/* e at states that were kept, and at the end of the run. */
static part_error compare(dal_sim *s, const again *x, const twin_states *with, bool to_end)
{
    const int        width = accuracy_width(s);
    const part_error lost = {.most = 1, .last = 1, .length = 1};
    double           e[TWIN_STATES];
    int              n = 0;
    for (int i = 0; i < with->n + to_end; i++) {
        const bool    last = i == with->n;
        const double *q = last ? positions(s) : with->q + i * width;
        const double *by_halves =
            positions_at(s, x, last ? (double)s->k : with->k[i], last ? s->t : with->t[i]);
        if (!by_halves) return lost;
        e[n++] = accuracy_apart(s, q, by_halves);
    }
    if (!to_end && x->whole && has_more_events(s, x->whole))
        return (part_error){.most = -1, .length = 1};
    return part_error_of(e, n, to_end ? s->k : (long)with->k[n - 1]);
}

/* Those that can be reached; of a long run some of its first part. */
static twin_states within(const twin *w, double steps)
{
    enum { FEW = 4 };
    twin_states of = w->late;
    while (of.n && of.k[of.n - 1] > steps) of.n--;
    if (of.n < FEW) of = w->early;
    while (of.n && of.k[of.n - 1] > steps) of.n--;
    return of;
}

/* e of a part at these states, the first of which is `from` steps from the start. */
static part_error error_of(dal_sim *s, int number, const twin_states *with, bool to_end)
{
    const double from = (double)s->mon.accurate.part[number].k;
    part_error   found = {.most = -1, .length = 1};
    const int    needed = twin_is_whole(s->mon.accurate.twin) ? 2 : 1;
    if (s->mon.accurate.twin->changed || (!to_end && with->n < needed)) return found;
    spend(s, (to_end ? (double)s->k : with->k[with->n - 1]) - from);
    mem  *m = mem_child(&s->m);
    diags quiet;
    diags_init(&quiet, m);
    const again x = begin_again(m, s, &quiet, number);
    if (x.whole || x.steps) found = compare(s, &x, with, to_end), found.length -= from;
    mem_free(m);
    return found;
}

/* Parts of so many steps. */
static void errors_within(dal_sim *s, double steps, part_error found[REPEATED_PARTS])
{
    const twin       *w = s->mon.accurate.twin;
    const bool        whole = (double)s->k <= steps;
    const twin_states with = within(w, steps);
    twin_states       behind = w->behind;
    found[PART_START] = error_of(s, PART_START, &with, whole);
    while (behind.n && behind.k[behind.n - 1] > (double)s->mon.accurate.part[PART_MIDDLE].k + steps)
        behind.n--;
    if (!whole && !w->of && w->h != 0)
        found[PART_MIDDLE] = error_of(s, PART_MIDDLE, &behind, false);
}

/* What is in doubt after a few steps is made again further. */
void twin_errors(dal_sim *s, part_error found[REPEATED_PARTS])
{
    const double steps = affordable(s);
    const bool   brief = is_brief(s);
    errors_within(s, brief ? fmax(steps, least_of(s)) : steps, found);
    if (brief && error_is_doubtful(error_continued(found, (double)s->k)))
        errors_within(s, fmax(steps, FREE_MOST), found);
}

/* Checkpoints. --------------------------------------------------------------------------------- */

/* Steps and times that the run has come by, one after the other: it is made again up to them. */
static bool are_in_order(const dal_sim *s, const twin_states *of)
{
    const double towards = s->plan.h < 0 ? -1 : 1;
    double       k = 0, t = s->plan.from;
    for (int i = 0; i < of->n; k = of->k[i], t = of->t[i], i++)
        if (!(of->k[i] > k && of->k[i] <= (double)s->k && (of->t[i] - t) * towards >= 0 &&
              (s->t - of->t[i]) * towards >= 0))
            return false;
    return true;
}

static void archive_states(archive *r, twin_states *of, size_t width, const char *const word[4])
{
    archive_doubles(r, word[0], of->q, TWIN_STATES * width);
    archive_doubles(r, word[1], of->k, TWIN_STATES),
        archive_doubles(r, word[2], of->t, TWIN_STATES);
    archive_int(r, word[3], &of->n);
    if (of->n < 0 || of->n > TWIN_STATES) archive_refuse(r, "its states are damaged");
}

static void archive_behind(archive *r, twin *w, size_t width)
{
    static const char *const word[4] = {"behind_q", "behind_k", "behind_t", "behind"};
    archive_states(r, &w->behind, width, word);
    archive_double(r, "middle_t", &w->t), archive_double(r, "middle_h", &w->h);
    if (w->behind.n && !(isfinite(w->t) && isfinite(w->h) && w->h != 0))
        archive_refuse(r, "its states are damaged");
}

void twin_archive(dal_sim *s, archive *r)
{
    static const char *const word[2][4] = {{"early_q", "early_k", "early_t", "early"},
                                           {"late_q", "late_k", "late_t", "late"}};
    twin                    *w = s->mon.accurate.twin;
    const size_t             width = (size_t)accuracy_width(s);
    archive_states(r, &w->early, width, word[0]);
    archive_states(r, &w->late, width, word[1]);
    if (!w->of) archive_behind(r, w, width);
    archive_bool(r, "changed", &w->changed);
    if (r->reading && !r->bad && !w->changed &&
        !(are_in_order(s, &w->early) && are_in_order(s, &w->late) && are_in_order(s, &w->behind)))
        archive_refuse(r, "its states are damaged");
}
