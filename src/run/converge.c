/* converge.c - every scheme runs with every number of steps over the same time. Its errors are
 * measured against a reference of higher order and finer step, at the times that all runs share; a
 * second reference, of another order and step, tells how accurate the first is, and smaller errors
 * count as roundoff. Runs of the energy principle have no times in common: each is measured at its
 * end, beside a reference of fixed steps that ends there. */
#include "run/converge.h"

#include "run/ranges.h"

#include <float.h>
#include <math.h>

enum { QUANTITIES = DAL_QUANTITIES, REFERENCE_ORDER = 12, REFINEMENTS = 6, FITTED = 3 };

typedef struct {
    const convergence_job *job;
    int                    n; /* coordinates                              */
    const turning         *turns; /* rotations and directions, or NULL        */
    int                    positions; /* numbers of q: with the matrices of rotations */
    double                 from, until;
    long                   times; /* shared by all runs: a divisor of all steps */
    source_list            scheme;
    count_list             steps;
    int                    order; /* the highest that is claimed              */
    const char            *force; /* a rule of their own for the forces, or NULL */
    double                *exact; /* the reference                            */
    double                 size[QUANTITIES], doubt[QUANTITIES];
    bool                   chooses; /* runs choose their steps, and end where these do */
    const source          *best;    /* then: scheme and steps of the reference      */
    long                   best_steps;
} study;

/* One run. ------------------------------------------------------------------------------------- */

/* q, p and the energy at every shared time */
static int sample_width(const study *st)
{
    return st->positions + st->n + 1;
}

static double *samples_new(const study *st)
{
    return mem_array(st->job->m, st->times * sample_width(st), double);
}

/* Entry e of matrix k; a direction is its third axis, about which the others turn as they like. */
static bool is_compared(const turning *t, int k, int e)
{
    return !t->direction[k] || e % 3 == 2;
}

/* q, then p, then the energy; momenta of rotations and directions in space axes. */
static void take_sample(const study *st, dal_sim *s, double *to)
{
    const double  *q = state_q(s), *p = state_p(s);
    const turning *t = st->turns;
    for (int i = 0; i < st->n; i++) *to++ = q[i];
    for (int k = 0; t && k < t->count; k++)
        for (int e = 0; e < TURNING_MATRIX; e++)
            if (is_compared(t, k, e)) *to++ = q[st->n + TURNING_MATRIX * k + e];
    for (int i = 0; i < st->n; i++) {
        const int k = t ? t->of_row[i] : -1;
        *to++ = k < 0 ? p[i] : p[turning_shown(t, st->n, k) + i - t->first[k]];
    }
    *to = reading_energy(s);
}

static void end_simulation(void *s)
{
    simulation_end(s);
}

/* The run that was asked for, but by the most accurate means: forces by the rule of the scheme,
 * relations where they are most accurate, and the momentum of the motion. */
static request undistorted(const study *st, const source *words)
{
    static const source midpoint = {"--retraction", "midpoint", 8},
                        projected = {"--momentum", "projected", 9},
                        fixed = {"--principle", "dirac+", 6};
    request r = st->job->asked;
    r.over.setting[SET_RETRACTION] = &midpoint, r.over.setting[SET_MOMENTUM] = &projected;
    r.map = NULL; /* which is for chords */
    if (st->chooses) r.over.setting[SET_PRINCIPLE] = &fixed, r.refers = true;
    if (st->force) r.over.setting[SET_FORCE] = words;
    return r;
}

/* The simulation is freed with the job's memory, however this ends. */
static dal_status begin(const study *st, const source *words, long steps, bool refers, diags *ds,
                        dal_sim **out)
{
    mem    *m = st->job->m;
    double  h = (st->until - st->from) / (double)steps;
    source  step = {"--step", mem_printf(m, "%.17g", fabs(h)), 0};
    source  count = {"--steps", mem_printf(m, "%ld", steps), 0};
    request r = refers ? undistorted(st, words) : st->job->asked;
    r.over.setting[SET_SCHEME] = words, r.over.setting[SET_STEP] = &step;
    r.over.setting[SET_STEPS] = &count, r.over.setting[SET_UNTIL] = NULL;
    dal_sim *s = *out = mem_array(m, 1, dal_sim);
    mem_init(&s->m, m->heap);
    s->m.guard = m->guard, s->ds = ds;
    mem_at_end(m, end_simulation, s);
    dal_status bad = simulation_start(s, st->job->of, &r);
    /* the text of a number may be rounded, and is positive */
    s->plan.h = h; /* exactly, and backward if the end comes first */
    return bad ? bad : pace_restart(s, NULL);
}

/* sample: its numbers for each shared time, which all numbers of steps divide. */
static dal_status run(const study *st, const source *words, long steps, bool refers, diags *ds,
                      double *sample)
{
    dal_sim   *s;
    dal_status bad = begin(st, words, steps, refers, ds, &s);
    long       every = steps / st->times;
    for (long k = 1; !bad && k <= steps; k++) {
        bad = simulation_some(s, 1);
        if (!bad && k % every == 0) take_sample(st, s, sample + (k / every - 1) * sample_width(st));
    }
    simulation_end(s);
    return bad;
}

/* The same of a run whose first step has that length, and which chooses the others: its state at
 * the first time at or past `until`, and that time. Steps that shrink without end are no run. */
static dal_status run_to_end(const study *st, const source *words, long steps, diags *ds,
                             double *sample, double *end)
{
    enum { SHRINKING = 100 };
    dal_sim   *s;
    dal_status bad = begin(st, words, steps, false, ds, &s);
    const bool forward = st->until > st->from;
    while (!bad && (forward ? s->t < st->until : s->t > st->until)) {
        if (s->k > SHRINKING * steps)
            bad = diag_error(ds, DAL_BREAKDOWN, span_none(), NULL,
                             "steps have shrunk to %.3g by t = %.6g", stepper_length(s->st), s->t);
        else bad = simulation_some(s, 1);
    }
    if (!bad) take_sample(st, s, sample);
    *end = s->t;
    simulation_end(s);
    return bad;
}

/* Differences. --------------------------------------------------------------------------------- */

/* Which of the three an entry of a sample belongs to. */
static int quantity_of(const study *st, long entry)
{
    long i = entry % sample_width(st);
    return i < st->positions             ? DAL_OF_Q
           : i < st->positions + st->n ? DAL_OF_P
                                       : DAL_OF_ENERGY;
}

/* the largest |a - b| of each quantity, b NULL standing for 0; not a number if one is */
static void differences(const study *st, const double *a, const double *b, double *most)
{
    for (int k = 0; k < QUANTITIES; k++) most[k] = 0;
    for (long i = 0; i < st->times * sample_width(st); i++) {
        double *to = &most[quantity_of(st, i)], by = fabs(a[i] - (b ? b[i] : 0));
        if (!isnan(*to) && !(by <= *to)) *to = by;
    }
}

/* Of messages that nobody else will show. */
static const char *first_error(const diags *ds)
{
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].kind == DIAG_ERROR) return ds->list.at[i].message;
    return "it cannot be run";
}

/* The reference. ------------------------------------------------------------------------------- */

static const source *gauss(mem *m, int s)
{
    source *words = mem_array(m, 1, source);
    *words = (source){"--scheme", mem_printf(m, "gauss(%d)", s), 0};
    return words;
}

typedef struct {
    const source *scheme;
    long          steps;
    double       *sample;
} reference;

static dal_status run_reference(const study *st, reference *r, int s, long steps, diags *ds)
{
    *r = (reference){gauss(st->job->m, s), steps, samples_new(st)};
    return run(st, r->scheme, steps, true, ds, r->sample);
}

/* the larger of the relative doubts */
static double worst_doubt(const study *st)
{
    double worst = 0;
    for (int k = 0; k < QUANTITIES; k++) {
        double by = st->doubt[k] / (st->size[k] + DBL_MIN);
        if (st->size[k] > 0 && !(by <= worst)) worst = by;
    }
    return worst;
}

/* Two runs, by gauss(s) and gauss(s + 1), with 2 and 3 times the largest number of steps; both are
 * refined as long as that brings them closer to each other. */
static dal_status make_reference(study *st, dal_convergence *out)
{
    diags      quiet, *loud = st->job->ds;
    /* gauss(s) has order 2s: above all that is claimed, and at least 12 */
    int        s = (st->order > REFERENCE_ORDER ? st->order : REFERENCE_ORDER) / 2 + 1;
    long       most = st->steps.n ? st->steps.at[st->steps.n - 1] : 1;
    double     best = INFINITY;
    dal_status bad = DAL_OK;
    diags_init(&quiet, st->job->m);
    for (int k = 0; k < REFINEMENTS; k++, most *= 2) {
        reference a = {0}, b = {0};
        double    before[QUANTITIES], sizes[QUANTITIES];
        bad = run_reference(st, &a, s, 2 * most, k + 1 < REFINEMENTS ? &quiet : loud);
        if (!bad) bad = run_reference(st, &b, s + 1, 3 * most, k + 1 < REFINEMENTS ? &quiet : loud);
        if (bad == DAL_INVALID && k + 1 < REFINEMENTS)
            return diag_error(loud, bad, span_none(), NULL, "the reference cannot be made: %s",
                              first_error(&quiet));
        /* wrong options will not get better, and memory not more */
        if (bad == DAL_INVALID || bad == DAL_NOMEM) break;
        if (bad) continue;
        for (int i = 0; i < QUANTITIES; i++) before[i] = st->doubt[i], sizes[i] = st->size[i];
        differences(st, a.sample, b.sample, st->doubt), differences(st, b.sample, NULL, st->size);
        double now = worst_doubt(st);
        /* the two have not come closer: what was there before is the best */
        if (!(now < best)) {
            for (int i = 0; i < QUANTITIES; i++) st->doubt[i] = before[i], st->size[i] = sizes[i];
            break;
        }
        st->exact = b.sample, st->best = b.scheme, st->best_steps = b.steps;
        out->reference = b.scheme->text, out->reference_steps = b.steps;
        out->second = a.scheme->text, out->second_steps = a.steps;
        if (now < 1e-13 || now > best / 2) break;
        best = now;
    }
    if (bad && !st->exact) return bad;
    for (int i = 0; i < QUANTITIES; i++) out->doubt[i] = st->doubt[i];
    return DAL_OK;
}

/* Rows. ---------------------------------------------------------------------------------------- */

/* What an error must exceed to say something of a scheme. */
static double floor_of(const study *st, int quantity)
{
    return fmax(10 * st->doubt[quantity], 64 * DBL_EPSILON * st->size[quantity]);
}

/* Beside a reference that ends where the run does. */
static bool fails(const study *st, const source *words, long steps, diags *own, double *sample,
                  const double **exact)
{
    study   there = *st;
    double *at_end;
    *exact = st->exact;
    if (!st->chooses) return run(st, words, steps, false, own, sample) != DAL_OK;
    if (run_to_end(st, words, steps, own, sample, &there.until)) return true;
    *exact = at_end = samples_new(st);
    return run(&there, st->best, st->best_steps, true, own, at_end) != DAL_OK;
}

/* A run that fails is a row too, with its reason and errors that are no numbers. */
static void make_row(const study *st, const source *words, long steps, double *sample,
                     dal_convergence_row *row)
{
    diags own;
    diags_init(&own, st->job->m);
    *row =
        (dal_convergence_row){.steps = steps, .step = fabs(st->until - st->from) / (double)steps};
    const double *exact;
    bool          failed = fails(st, words, steps, &own, sample, &exact);
    if (failed) row->failure = first_error(&own);
    differences(st, sample, exact, row->error);
    for (int k = 0; k < QUANTITIES; k++) {
        if (failed) row->error[k] = NAN;
        row->roundoff[k] = row->error[k] <= floor_of(st, k);
        row->order[k] = NAN;
    }
}

/* Does this row say something of the order? */
static bool tells(const dal_convergence_row *row, int k)
{
    return !row->failure && !row->roundoff[k] && isfinite(row->error[k]);
}

/* The slope of log error over log step, by least squares through the finest rows above roundoff. */
static double fitted_order(const dal_convergence_row *row, size_t rows, int k)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = rows; i-- > 0 && n < FITTED;) {
        if (!tells(&row[i], k)) continue;
        double u = log(row[i].step), v = log(row[i].error[k]);
        n++, x += u, y += v, xx += u * u, xy += u * v;
    }
    return (n * xy - x * y) / (n > 1 ? n * xx - x * x : 0.0); /* 0/0: not a number */
}

/*     order_i = log(e_{i-1}/e_i) / log(h_{i-1}/h_i) between neighbours, and fitted over the finest
 */
static void note_orders(dal_convergence_scheme *of, dal_convergence_row *row)
{
    for (int k = 0; k < QUANTITIES; k++) {
        for (size_t i = 1; i < of->rows; i++)
            if (tells(&row[i], k) && tells(&row[i - 1], k))
                row[i].order[k] =
                    log(row[i - 1].error[k] / row[i].error[k]) / log(row[i - 1].step / row[i].step);
        of->observed[k] = fitted_order(row, of->rows, k);
        if (of->observed[k] < of->claimed - 0.3) of->missed = 1;
    }
}

static void make_scheme(const study *st, const source *words, dal_convergence_scheme *of)
{
    mem                 *m = st->job->m;
    dal_convergence_row *row = mem_array(m, st->steps.n, dal_convergence_row);
    double              *sample = samples_new(st);
    for (int i = 0; i < st->steps.n; i++) make_row(st, words, st->steps.at[i], sample, &row[i]);
    of->rows = (size_t)st->steps.n, of->row = row;
    note_orders(of, row);
}

/* The study. ----------------------------------------------------------------------------------- */

/* Euclid's. */
static long common_divisor(long a, long b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* The coarsest of six that double: the step that was asked for, else an eighth of the time. */
static void choose_steps(study *st, const plan *p)
{
    long coarsest = st->job->asked.over.setting[SET_STEP] && p->steps > 0 ? p->steps : 8;
    for (int k = 0; k < 6; k++) vec_push(st->job->m, st->steps, coarsest << k);
}

/* From and until, as the request or the model say; and the scheme and the steps, where the job does
 * not list them. */
static dal_status read_times(study *st)
{
    static const source    short_step = {"--step", "0.01", 4};
    const convergence_job *job = st->job;
    request                asked = job->asked;
    values                 val = {0};
    plan                   p;
    const model           *md = job->of->md;
    dal_status             bad = md ? md->by->evaluate(md, &asked.over, job->ds, job->m, &val) : DAL_OK;
    if (bad) return bad;
    const source *force = asked.over.setting[SET_FORCE];
    st->force = force ? force->text : val.set[SET_FORCE].words;
    if (st->scheme.n) asked.over.setting[SET_SCHEME] = st->scheme.at[0];
    if (!asked.over.setting[SET_STEP] && !val.set[SET_STEP].given)
        asked.over.setting[SET_STEP] = &short_step;
    bad = plan_make(&p, &asked, &val, job->ds, job->m);
    if (bad) return bad;
    st->chooses = p.method.principle == ENERGY || p.pace.given;
    st->from = p.from, st->until = p.from + (double)p.steps * p.h;
    if (p.by_time) st->until = p.until;
    if (p.steps < 0 || st->until == st->from)
        return diag_error(job->ds, DAL_INVALID, val.simulate,
                          "put until = 10 into simulate { }, or add --until 10", "no end is given");
    if (!st->scheme.n) {
        source *own = mem_array(job->m, 1, source);
        *own = (source){"--scheme", mem_printf(job->m, "%s", p.scheme.name), 0};
        vec_push(job->m, st->scheme, own);
    }
    if (!job->steps) choose_steps(st, &p);
    return DAL_OK;
}

/* What the scheme claims for this system. */
static int claimed_here(const study *st, const source *words, int order)
{
    dal_sim *s;
    diags    quiet;
    diags_init(&quiet, st->job->m);
    if (!begin(st, words, st->steps.at[0], false, &quiet, &s)) order = stepper_order(s->st);
    simulation_end(s);
    return order;
}

/* Names, claims and the highest order; a scheme that is none ends it. */
static dal_status read_schemes(study *st, dal_convergence_scheme *of)
{
    const convergence_job *job = st->job;
    for (int i = 0; i < st->scheme.n; i++) {
        text          why = text_new(job->m);
        scheme        sch;
        const source *words = st->scheme.at[i];
        dal_status    bad = scheme_parse(&sch, words->text, st->force, &why);
        if (bad) return diag_error(job->ds, bad, source_span(words), NULL, "%s", text_str(&why));
        of[i] = (dal_convergence_scheme){.name = words->text,
                                         .title = mem_printf(job->m, "%s", sch.title),
                                         .claimed = claimed_here(st, words, sch.order)};
        if (sch.order > st->order) st->order = sch.order;
    }
    return DAL_OK;
}

/* A failing scheme is a row, not an error; errors are wrong options and a reference that cannot
 * be made. */
dal_status converge(const convergence_job *job, dal_convergence *out)
{
    study st = {.job = job, .n = job->of->md ? job->of->md->coordinates : job->of->made->sys.n};
    st.turns = job->of->md ? job->of->md->turns : NULL;
    st.positions = st.n;
    for (int k = 0; st.turns && k < st.turns->count; k++)
        for (int e = 0; e < TURNING_MATRIX; e++) st.positions += is_compared(st.turns, k, e);
    dal_status bad =
        job->schemes ? ranges_words(job->m, job->ds, job->schemes, &st.scheme) : DAL_OK;
    if (!bad && job->steps) bad = ranges_counts(job->m, job->ds, job->steps, &st.steps);
    if (!bad) bad = read_times(&st);
    if (bad) return bad;
    dal_convergence_scheme *of = mem_array(job->m, st.scheme.n, dal_convergence_scheme);
    for (int i = 0; i < st.steps.n; i++) st.times = common_divisor(st.times, st.steps.at[i]);
    if (st.chooses) st.times = 1;
    bad = read_schemes(&st, of);
    if (!bad) bad = make_reference(&st, out);
    if (bad) return bad;
    for (int i = 0; i < st.scheme.n; i++) make_scheme(&st, st.scheme.at[i], &of[i]);
    out->model = job->of->title, out->file = job->of->md ? job->of->md->file : "";
    out->from = st.from, out->until = st.until, out->times = st.chooses ? 0 : st.times;
    out->schemes = (size_t)st.scheme.n, out->scheme = of;
    return DAL_OK;
}
