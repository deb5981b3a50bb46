/* defect.c - watches the energy that nothing accounts for. The work of forces is that of the steps,
 * exactly; what time and moving relations add is known at the samples only, and so is its
 * uncertainty. Sound runs keep D small, or bring it back again and again; of others it stays. */
#include "run/defect.h"

#include "mech/stability/stability.h"
#include "run/random.h"
#include "run/simulation.h"
#include "run/stability.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double LARGE = 0.1;      /* of S: more than a sound run leaves for long, beyond G    */
static const double ALL = 1;          /* or ever                                                  */
static const double CERTAIN = 2;      /* standard deviations                                      */
static const double OUTBURST = 10;    /* growth of ln S that nothing but a runaway has ...        */
static const double TURNOVERS = 3;    /* ... beyond this multiple of what P may have caused       */
enum { STAYS = 48, STAYS_LEAST = 4 }; /* samples at the end, all beyond the limit                */

/* An input in L counts: it may change with time, or be changed by the caller. */
void defect_init(dal_sim *s)
{
    energy_defect    *d = &s->mon.defect;
    const dal_system *sys = state_solved(s);
    const int         n = sys->n, rows = sys->m + sys->r;
    const bool        moves = rows && sys->rheonomic;
    *d = (energy_defect){.want = (sys->timed ? WANT_TIME : 0u) | (moves ? WANT_RELATIONS : 0u)};
    if (d->want) d->w = mem_array(&s->m, n, double);
    if (sys->timed) {
        double **of_n[] = {&d->room.Lqt, &d->room.Lwt, &d->room.ft};
        for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
            *of_n[k] = mem_array(&s->m, n, double);
        if (inputs_of(s)) d->input = copy_of(&s->m, s->val.input, inputs_of(s));
    }
    if (moves) {
        d->room.e = mem_array(&s->m, rows, double);
        d->room.A = mem_array(&s->m, pattern_count(&sys->A), double);
    }
}

/* Room, and what is asked for, stay. */
void defect_resume(dal_sim *s, const energy_defect *from)
{
    energy_defect      *d = &s->mon.defect;
    const energy_defect own = *d;
    *d = *from;
    d->want = own.want, d->room = own.room, d->w = own.w, d->input = own.input;
    if (d->input) memcpy(d->input, s->val.input, (size_t)inputs_of(s) * sizeof *d->input);
}

void defect_restart(dal_sim *s)
{
    const energy_defect begun = {.first = reading_energy(s), .last = -1};
    defect_resume(s, &begun);
    defect_take(s);
}

/* Samples that are far apart, or from which an integral is made, lie anywhere in their stretch,
 * lest they all meet the same phase of a motion. */
static bool is_scattered(const dal_sim *s)
{
    enum { FAR = 16, LARGE_SYSTEM = 5000 };
    return s->mon.defect.want || (s->plan.sample >= FAR && s->sys->n < LARGE_SYSTEM);
}

static long sample_of_stretch(const dal_sim *s, long stretch)
{
    const long apart = s->plan.sample;
    if (!is_scattered(s)) return stretch * apart;
    return stretch * apart + (long)(random_key((uint64_t)stretch, "sample") % (uint64_t)apart);
}

/* The step of the next sample. */
static long next_sample(const dal_sim *s)
{
    const long stretch = s->k / s->plan.sample, here = sample_of_stretch(s, stretch);
    return here > s->k ? here : sample_of_stretch(s, stretch + 1);
}

/*     lam.beta = sum_a lam_a (e_a - A_a v) */
static double relations_power(dal_sim *s, const double *v)
{
    const dal_system *sys = state_solved(s);
    const sys_values *at = &s->mon.defect.room;
    const double     *lam = stepper_multipliers(s->st);
    double            sum = 0;
    for (int a = 0; a < sys->m + sys->r; a++) {
        double beta = at->e[a];
        for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++)
            beta -= at->A[e] * v[sys->A.column[e]];
        sum += lam[a] * beta;
    }
    return sum;
}

/* P at the present state; NaN: it is not known there. */
static double power(dal_sim *s)
{
    energy_defect *d = &s->mon.defect;
    dal_system    *sys = state_solved(s);
    double         P = 0;
    const double  *v = stepper_v(s->st), *p = sys->hamiltonian ? stepper_p(s->st) : NULL;
    for (int i = 0; i < sys->n; i++) d->w[i] = p && sys->hamiltonian[i] ? p[i] : v[i];
    const sys_point at = {.t = s->t, .q = stepper_q(s->st), .w = d->w, .v = v};
    if (sys->eval(sys->self, d->want, 1, &at, &d->room)) return (double)NAN;
    if (d->want & WANT_TIME) P -= d->room.Lt;
    if (d->want & WANT_RELATIONS) P -= relations_power(s, v);
    return P;
}

/* Since the sample before, by the trapezoidal rule. Were P at random in each stretch, with the
 * variance (P - P')^2/2, the integral would have this one. */
static void add_stretch(energy_defect *d, double dt, double work, double P, double rate)
{
    d->gained += dt * (P + d->P) / 2;
    d->variance += dt * dt * (P - d->P) * (P - d->P) / 2;
    d->gross += fabs(work - d->work);
    d->poured += fabs(dt) * (fabs(P) + fabs(d->P)) / 2;
    d->turnover += fabs(dt) * (rate + d->rate) / 2;
}

/* One more sample of D: `large`, and on the same side as before, it stays; else it returns. Where
 * energies are larger than on average, as near a centre of attraction, D may be so, too: too large
 * for the average only, it tells nothing. */
static void count_sample(energy_defect *d, double left, double sure, double S)
{
    const bool large = sure > LARGE * S, crosses = left * d->left < 0;
    if (!large && sure > LARGE * d->mean) return;
    if (!large || crosses) {
        if (d->run > d->longest) d->longest = d->run;
        d->run = 0;
    }
    d->run += large, d->left = left;
}

/* A state where energy or power are not known is left out. */
void defect_take(dal_sim *s)
{
    energy_defect *d = &s->mon.defect;
    const double   E = reading_energy(s), size = s->now.energy_size, work = s->mon.sum.work;
    if (d->last == s->k) return;
    const double P = d->want ? power(s) : 0;
    d->next = s->plan.sample == 1 ? s->k + 1 : next_sample(s);
    if (!isfinite(E + size + P)) return;
    d->sizes += size, d->samples++, d->most = fmax(d->most, size);
    d->mean = fmax(d->mean, d->sizes / (double)d->samples);
    if (d->mean_first == 0) d->mean_first = d->mean;
    const double S = fmax(fmax(d->mean, size), DBL_MIN), rate = fabs(P) / S;
    if (d->samples > 1) add_stretch(d, s->t - d->t, work, P, rate);
    d->last = s->k, d->t = s->t, d->work = work, d->P = P, d->rate = rate;
    /* what damping takes from a motion that no step resolves is not all in the work */
    if (state_solved(s)->damped) d->first = fmin(d->first, E - work - d->gained);
    const double left = E - d->first - work, D = left - d->gained;
    const double unsure = CERTAIN * sqrt(d->variance) + d->gross + d->poured;
    d->level += (D - d->level) / (double)d->samples;
    d->part = fmax(fabs(D) - unsure, 0) / S;
    d->growth = fabs(left) > LARGE * (S + d->gross) ? log(d->mean / d->mean_first) : 0;
    /* near the limit of stability linear oscillations settle at another energy than the first */
    const double off = stiffness_varies(state_solved(s)) ? D : D - d->level;
    count_sample(d, off, fabs(off) - unsure, S);
}

void defect_jump(dal_sim *s, double by)
{
    s->mon.defect.first += by;
}

/* The energy with the inputs before, and with those now. */
void defect_inputs(dal_sim *s)
{
    double   *then = s->mon.defect.input, *now = s->val.input;
    const int inputs = inputs_of(s);
    if (!memcmp(then, now, (size_t)inputs * sizeof *now)) return;
    double E[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < inputs; i++) {
            const double other = then[i];
            then[i] = now[i], now[i] = other;
        }
        s->now.have = 0, E[k] = reading_energy(s);
    }
    memcpy(then, now, (size_t)inputs * sizeof *now);
    defect_jump(s, E[1] - E[0]);
}

/* Gauss points keep oscillations of any rate at their energy: where nothing changes it, a large
 * change is an error of the steps at any time. */
static bool strays(const dal_sim *s)
{
    const dal_system *sys = s->sys;
    const dal_range  *e = &s->mon.sum.energy;
    return !s->events && scheme_is_gauss(&s->plan.scheme) && sys->autonomous && !sys->rheonomic &&
           !sys->forced && !s->mon.defect.want && e->max - e->min > LARGE * s->mon.defect.most;
}

/* A motion near the limit of stability returns to a small defect again and again; only where every
 * state is a sample, fewer of them tell. What P may have caused takes some to know, too. */
defect_verdict defect_judge(const dal_sim *s)
{
    enum { FEW = 16 };
    const energy_defect *d = &s->mon.defect;
    const bool           every = s->plan.sample == 1, vague = d->want && !every && d->samples < FEW;
    long                 needed = every ? d->samples / 2 : STAYS;
    if (needed > STAYS) needed = STAYS;
    if (needed < STAYS_LEAST) needed = STAYS_LEAST;
    if (needed < 4 * d->longest) needed = 4 * d->longest;
    if (vague) return d->growth > OUTBURST ? DEFECT_OPEN : DEFECT_SMALL;
    if (d->growth > OUTBURST + TURNOVERS * d->turnover) return DEFECT_LARGE;
    if (d->part > ALL || d->run >= needed || strays(s)) return DEFECT_LARGE;
    return d->run ? DEFECT_OPEN : DEFECT_SMALL;
}

/* False: it is of a version that had no such sums. */
bool defect_archive(energy_defect *d, archive *r)
{
    double *const sums[] = {&d->first, &d->gained, &d->variance,   &d->gross,  &d->turnover,
                            &d->sizes, &d->mean,   &d->mean_first, &d->t,      &d->P,
                            &d->left,  &d->part,   &d->work,       &d->growth, &d->poured,
                            &d->rate,  &d->most};
    enum { SUMS = sizeof sums / sizeof *sums };
    double all[SUMS];
    for (int i = 0; i < SUMS; i++) all[i] = *sums[i];
    archive_section(r, "defect.");
    if (r->reading && archive_count(r, "sums") < 0) return false;
    archive_doubles(r, "sums", all, SUMS);
    for (int i = 0; i < SUMS; i++) *sums[i] = all[i];
    archive_long(r, "samples", &d->samples), archive_long(r, "run", &d->run);
    archive_long(r, "longest", &d->longest), archive_long(r, "last", &d->last);
    archive_long(r, "next", &d->next);
    if (!r->reading || archive_count(r, "level") >= 0) archive_double(r, "level", &d->level);
    return true;
}
