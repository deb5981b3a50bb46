/* resolution.c - compares steps with the same steps made in two parts. A motion that every step
 * resolves badly, as near the limit of stability, is no matter of single steps; where a step is
 * off that stands out among others, the run has lost its way there.       theory.md [RESOLUTION] */
#include "run/resolution.h"

#include "mech/stepper/stepper.h"
#include "run/corners.h"
#include "run/simulation.h"
#include "run/stability.h"

#include <math.h>
#include <string.h>

static const double APART = 0.25; /* of the way of a step: it is not that of the motion        */
static const double ENERGY_OFF = 0.075; /* of 2T: no later step takes it back                     */
static const double BESIDE = 1e-3;   /* of the way: with less, an energy is roundoff              */
static const double SHARE = 1e-3;    /* of 2T: with less, a coordinate does not count             */
static const double STANDS_OUT = 50; /* times what is usual                                      */
static const double OUTLIER = 4;     /* second difference, times the mean, that is tried at once  */
static const double FURTHER = 1.25;  /* than what was tried, for another trial                    */

/* Coefficients that are the same everywhere leave nothing that a single step could miss; where laws
 * jump by themselves parts of a step tell nothing, and what damping and states lose within a step
 * is not resolved on purpose. */
static bool is_watched(const dal_sim *s)
{
    enum { UNKNOWNS_MOST = 512 };
    const dal_system *sys = state_solved(s);
    const bool        varies = sys->m + sys->r > 0 || stiffness_varies(sys);
    return varies && s->st->eq.size <= UNKNOWNS_MOST && !sys->turns && !sys->jumps && !sys->kinks &&
           !sys->damped && !sys->state && !s->joint && !s->made && !s->pace && !s->events &&
           s->plan.method.principle != ENERGY;
}

/* When the next step is tried as it comes: spread over the run, or, if its end is not known, over
 * ever longer stretches. */
static long next_usual(const dal_sim *s)
{
    enum { SHORT = 1000, FEW = 3 };
    const resolution *of = &s->mon.resolved;
    const long        steps = s->plan.timed ? -1 : s->plan.steps;
    const int         most = steps < SHORT ? FEW : USUAL_MOST;
    if (of->usual == USUAL_MOST || (steps >= 0 && of->usual == most)) return -1;
    return steps < 0 ? 2 * s->k + 1 : steps * (2 * of->usual + 1) / (2 * most);
}

void resolution_init(dal_sim *s)
{
    resolution *of = &s->mon.resolved;
    *of = (resolution){0};
    if (!is_watched(s)) return;
    const int n = state_solved(s)->n;
    double   *way = mem_array(&s->m, n + 1, double);
    if (!trial_new(&s->m, &of->with, state_solved(s), &s->plan.scheme, &s->plan.method, way))
        return;
    of->like.way = way, of->kept = mem_array(&s->m, USUAL_MOST * (3 * n + 1), double);
    roughest_room(&s->m, &s->st->rough, n, 1);
    resolution_restart(s);
}

void resolution_restart(dal_sim *s)
{
    resolution *of = &s->mon.resolved;
    const int   n = state_solved(s)->n;
    *of = (resolution){.with = of->with, .kept = of->kept, .like.way = of->like.way};
    if (!of->with.st) return;
    memset(of->like.way, 0, (size_t)n * sizeof *of->like.way);
    roughest_clear(&s->st->rough, n, 1);
    of->next = next_usual(s);
}

/* The roughest step is in the stepper already. */
void resolution_resume(dal_sim *s, const usual_steps *like)
{
    resolution   *of = &s->mon.resolved;
    double *const way = of->like.way;
    *of = (resolution){.with = of->with, .kept = of->kept, .next = -1, .blocked = true};
    if (!of->with.st) return;
    of->like = *like, of->like.way = way;
    memcpy(way, like->way, (size_t)state_solved(s)->n * sizeof *way);
}

/* Few in a short run: a trial takes as long as some steps of the general engine. */
static bool can_afford(const dal_sim *s)
{
    enum { FREE = 9, STEPS = 150, COMPILED_STEPS = 3000 };
    const long each = s->engine.name == GENERAL ? STEPS : COMPILED_STEPS;
    return s->mon.resolved.trials < FREE + s->k / each;
}

/* The present state, as good as any; it is tried if there is reason to. */
static void keep_usual(dal_sim *s)
{
    resolution  *of = &s->mon.resolved;
    const int    n = s->st->sys->n;
    const size_t bytes = (size_t)n * sizeof(double);
    double      *to = of->kept + of->usual++ * (3 * n + 1);
    to[0] = s->t;
    memcpy(to + 1, s->st->q, bytes), memcpy(to + 1 + n, s->st->p, bytes);
    memcpy(to + 1 + 2 * n, s->st->rough.z, bytes);
}

/* What an energy is compared with: 2T on average, but where damping depends on the state, what is
 * off in a fast jump is forgotten with its energy. */
static double scale_of(const resolution *of, const disagreement *by, double mean)
{
    const bool forgets = of->with.st->sys->varies[F_FW] == FIELD_VARIES;
    return forgets ? fmax(mean, by->size) : mean;
}

/* How much worse is it than what is tolerated? */
static double excess(const resolution *of, const disagreement *by, double beside)
{
    const double apart = trial_apart(&of->with, by),
                 energy = by->energy / (ENERGY_OFF * scale_of(of, by, beside));
    return fmax(apart / APART, apart > BESIDE ? energy : 0);
}

static void take_worse(resolution *of, const disagreement *by, trial_end end)
{
    if (of->fails || end == TRIAL_UNKNOWN) return;
    of->fails = end == TRIAL_PARTS_FAIL;
    if (!of->fails && excess(of, by, of->like.then) <= excess(of, &of->worst, of->beside)) return;
    of->worst = *by, of->t = of->with.t, of->beside = of->like.then;
}

/* The roughest of the steps that were not looked at yet, the one behind it, and on while they get
 * worse. */
static void try_roughest(dal_sim *s)
{
    enum { LEAST = 3, MOST = 8 };
    static const double SOUND = 0.05; /* of what is tolerated */
    resolution         *of = &s->mon.resolved;
    const roughness    *rough = &s->st->rough;
    const double       *from = rough->from;
    const int           n = s->st->sys->n;
    double              before = 0, now = 0;
    trial_end           end = TRIAL_MADE;
    trial_begin(&of->with, *rough->t, s->plan.h, from, from + n, from + 2 * n);
    for (int i = 0; i < LEAST || (i < MOST && now > SOUND && now > before); i++) {
        disagreement by;
        if (i) trial_go_on(&of->with);
        end = trial_compare(&of->with, &by);
        take_worse(of, &by, end);
        before = now, now = excess(of, &by, of->like.then), of->trials++;
        if (end != TRIAL_MADE) break;
    }
    for (int j = 0; j < n; j++) rough->from[3 * n + j] *= FURTHER;
    *rough->most *= FURTHER, of->like.noticed = *rough->most, of->examined = *rough->t;
}

/* A step has come that stands out more than the last that was tried. */
static bool is_due(const dal_sim *s)
{
    const roughness *rough = &s->st->rough;
    return *rough->most > 0 && (!s->mon.resolved.trials || *rough->t != s->mon.resolved.examined);
}

void resolution_take(dal_sim *s)
{
    resolution      *of = &s->mon.resolved;
    const roughness *rough = &s->st->rough;
    if (!of->with.st || !(*rough->seen > 0)) return;
    usual_add(&of->like, state_solved(s)->n, 1, s->st->p, rough->z, s->plan.h, *rough->most);
    if (of->next >= 0 && s->k >= of->next) keep_usual(s), of->next = next_usual(s);
    if (!of->blocked && is_due(s) && *rough->most > OUTLIER && can_afford(s)) try_roughest(s);
}

/* A passage may raise the mean till then, and what follows it the mean of all. */
static double size_of(const resolution *of)
{
    return scale_of(of, &of->worst, fmin(of->beside, of->like.size));
}

static double median(const double *of, int n)
{
    double x[USUAL_MOST] = {0};
    for (int i = 0; i < n; i++) {
        int k = i;
        for (; k > 0 && x[k - 1] > of[i]; k--) x[k] = x[k - 1];
        x[k] = of[i];
    }
    return n ? x[n / 2] : 0;
}

/* How far usual steps are off: medians. */
static void try_usual(dal_sim *s, double *apart, double *energy)
{
    resolution  *of = &s->mon.resolved;
    const int    n = s->st->sys->n;
    double       all_apart[USUAL_MOST], all_energy[USUAL_MOST];
    int          made = 0;
    disagreement by;
    for (int i = 0; i < of->usual; i++) {
        const double *at = of->kept + i * (3 * n + 1);
        trial_begin(&of->with, at[0], s->plan.h, at + 1, at + 1 + n, at + 1 + 2 * n);
        if (trial_compare(&of->with, &by) != TRIAL_MADE) continue;
        all_apart[made] = trial_apart(&of->with, &by), all_energy[made++] = by.energy;
    }
    *apart = median(all_apart, made), *energy = median(all_energy, made);
}

/* Is the worst step too far off, and does it stand out? */
static bool is_lost(dal_sim *s)
{
    resolution  *of = &s->mon.resolved;
    const double apart = trial_apart(&of->with, &of->worst), energy = of->worst.energy;
    const double size = size_of(of);
    const bool   counts = energy > SHARE * size || s->st->grid.k > 0;
    const bool   far = counts && apart > APART;
    const bool   strong = apart > BESIDE && energy > ENERGY_OFF * size;
    double       usual, usual_energy;
    if (!of->fails && !far && !strong) return false;
    try_usual(s, &usual, &usual_energy);
    if (of->fails) return STANDS_OUT * usual < 1;
    return (far && apart > STANDS_OUT * usual) || (strong && energy > STANDS_OUT * usual_energy);
}

/* Second differences that hardly bend the way, of a step that is no exception, leave nothing that a
 * trial could find:
 *
 *     r < 50,   D_j < 0.1 |z_j|,   sum_j |p_j| D_j sqrt(D_j/|z_j|) / h < 0.1 * 2T */
static bool is_smooth(const dal_sim *s)
{
    static const double LITTLE = 0.1;
    const int           n = s->st->sys->n;
    const double       *from = s->st->rough.from, *p = from + n, *z = p + n, *D = z + n;
    const usual_steps  *like = &s->mon.resolved.like;
    double              energy = 0;
    if (*s->st->rough.most > STANDS_OUT) return false;
    for (int j = 0; j < n; j++) {
        const double way = fmax(fabs(z[j]), like->way[j]);
        if (D[j] > LITTLE * way) return false;
        if (D[j] > 0) energy += fabs(p[j]) * D[j] * sqrt(D[j] / way);
    }
    return energy < LITTLE * fabs(s->plan.h) * like->size;
}

void resolution_warn(dal_sim *s)
{
    static const double NEARLY = 0.05; /* of what is tolerated: other steps may be worse */
    resolution         *of = &s->mon.resolved;
    if (!of->with.st) return;
    if (of->blocked ? !is_smooth(s) : is_due(s)) try_roughest(s);
    of->doubted = of->fails || excess(of, &of->worst, size_of(of)) > NEARLY;
    if (of->blocked || !is_lost(s) || reliable_rests(s)) return;
    if (!s->mon.sum.is_reduced) corners_note(s);
    if (s->mon.sum.is_reduced) return; /* that was said */
    text by = text_new(&s->m), called = text_new(&s->m);
    state_solved(s)->coordinate_name(state_solved(s)->self, of->worst.of, &called);
    if (of->fails) text_add(&by, "half of it has no solution");
    else
        text_printf(&by,
                    "made in two parts it ends elsewhere, by %.2g of its way in %s and by %.2g of "
                    "the average 2T in energy",
                    trial_apart(&of->with, &of->worst), text_str(&called),
                    of->worst.energy / size_of(of));
    diag_warning(s->ds, span_none(),
                 "try a smaller step, and see whether the motion changes; near a pole of angles, "
                 "write Cartesian coordinates with a holonomic constraint",
                 "the step at t = %.6g does not resolve the motion: %s", of->t, text_str(&by));
    text_drop(&by), text_drop(&called);
}

void resolution_archive(dal_sim *s, archive *r)
{
    resolution   *of = &s->mon.resolved;
    double *const one[] = {&of->like.size,    &of->examined,   &of->worst.off, &of->worst.way,
                           &of->worst.energy, &of->worst.size, &of->t,         &of->beside,
                           &of->like.noticed, &of->like.then};
    enum { ONES = sizeof one / sizeof *one };
    double all[ONES];
    if (!of->with.st) return;
    for (int i = 0; i < ONES; i++) all[i] = *one[i];
    archive_section(r, "resolved."); /* 0.2.0 has other ones */
    if (r->reading && archive_count(r, "found") < 0) {
        archive_section(r, "");
        return;
    }
    archive_doubles(r, "found", all, ONES);
    archive_doubles(r, "usual", of->like.way, (size_t)state_solved(s)->n);
    archive_doubles(r, "kept", of->kept, USUAL_MOST * (3 * (size_t)state_solved(s)->n + 1));
    for (int i = 0; i < ONES; i++) *one[i] = all[i];
    archive_long(r, "samples", &of->like.samples), archive_long(r, "next", &of->next);
    archive_int(r, "tried", &of->usual), archive_int(r, "trials", &of->trials);
    archive_int(r, "coordinate", &of->worst.of), archive_bool(r, "fails", &of->fails);
    if (of->usual < 0 || of->usual > USUAL_MOST || of->worst.of < 0 ||
        of->worst.of >= state_solved(s)->n)
        archive_refuse(r, "its examined steps are damaged");
    roughest_archive(s->st, r);
    archive_section(r, "");
}
