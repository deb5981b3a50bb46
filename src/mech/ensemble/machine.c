/* machine.c - prediction, Newton's iteration and the compensated update for all members of a
 * block. The decisions are those of newton.c, made for each member.           theory.md [NEWTON] */
#include "mech/ensemble/machine.h"
#include "step/words.h"

#include "step/judge.h"

#include <float.h>
#include <string.h>

bool lane_machine_fits(const stepper *st, const compiled *c)
{
    const equations *eq = &st->eq;
    return !eq->relations && !eq->phase && !eq->shot && !eq->force.count && !eq->sys->inner &&
           !eq->rows && eq->size <= LANE_UNKNOWNS && members_eval_fits(c);
}

static void make_room(lane_machine *k, mem *m)
{
    const int n = k->n, N = k->N, points = k->eq->rule.count,
              entries = pattern_count(&k->eq->sys->K);
    double **of_N[] = {&k->y, &k->r, &k->delta, &k->scale}, **of_n[] = {&k->q, &k->v, &k->dp};
    double **of_points[] = {&k->c.cw, &k->c.cq, &k->c.l, &k->c.slope};
    double **result[] = {&k->out.Lq, &k->out.Lw, &k->out.f};
    for (int i = 0; i < 4; i++) *of_N[i] = mem_array(m, N * LANES, double);
    for (int i = 0; i < 3; i++) *of_n[i] = mem_array(m, n * LANES, double);
    for (int i = 0; i < 4; i++) *of_points[i] = mem_array(m, points * k->d, double);
    for (int i = 0; i < 3; i++) *result[i] = mem_array(m, n * LANES, double);
    for (int f = 0; f < F_COUNT; f++) k->out.on_K[f] = mem_array(m, entries * LANES, double);
    k->J = mem_array(m, N * N * LANES, double);
    k->J0 = mem_array(m, N * N * LANES, double);
    k->was = mem_array(m, 5 * n * LANES, double);
}

lane_machine *lane_machine_new(mem *m, const stepper *st, const compiled *c)
{
    const equations *eq = &st->eq;
    lane_machine    *k = mem_array(m, 1, lane_machine);
    *k = (lane_machine){.eq = eq, .sch = &st->sch, .n = eq->n, .d = eq->d, .N = eq->size};
    k->plain = st->options.plain_summation, k->direct = eq->constant && eq->diagonal;
    k->residual = eq->residual_mask;
    k->jacobian = k->residual | WANT_HESSIAN | (eq->sys->forced ? WANT_FORCE_JACOBIAN : 0);
    k->of = members_eval_new(m, c, (const unsigned[]){k->residual, k->jacobian}, 2, LANES);
    if (k->d > 1) k->X = curve_continued(m, eq->control.x[0], k->d);
    make_room(k, m);
    return k;
}

/* Prediction. ---------------------------------------------------------------------------------- */

/*     y = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}, or its last difference along the curve */
static void predict(lane_machine *k, double *const a[LANES_LEAD], int j)
{
    double e[LANE_UNKNOWNS][LANES];
    for (int nu = 0; nu < k->d; nu++)
        for (int l = 0; l < LANES; l++) {
            const int    i = (j * k->d + nu) * LANES + l;
            const double a0 = a[0][i], a1 = a[1][i], a2 = a[2][i], a3 = a[3][i];
            e[nu][l] = (a0 - a3) - 3 * (a1 - a2);
            k->y[i] = 3 * (a0 - a1) + a2;
        }
    for (int nu = 0; nu < k->d; nu++)
        for (int mu = 0; mu < k->d; mu++) {
            const double along = k->X ? k->X[nu * k->d + mu] : 1;
            for (int l = 0; l < LANES; l++) entry(k->y, j * k->d + mu)[l] += along * e[nu][l];
        }
}

/* The scale of an unknown: its size now and in the last two steps. */
static void find_scales(double *restrict scale, const double *restrict y, const double *restrict a,
                        const double *restrict b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const double x = fabs(y[i]), z = fabs(a[i]), w = fabs(b[i]), most = x < z ? z : x;
        scale[i] = most < w ? w : most;
    }
}

static void begin(lane_machine *k, const lane_state *s, int at)
{
    const size_t size = (size_t)k->N * LANES;
    double      *a[LANES_LEAD], *ring = s->past + (size_t)at * LANES_LEAD * size;
    for (int i = 0; i < LANES_LEAD; i++)
        a[i] = ring + (size_t)((s->head[at] + i) % LANES_LEAD) * size;
    for (int l = 0; l < LANES; l++) k->eta[l] = HUGE_VAL, k->active[l] = s->alive[l];
    if (k->direct) {
        memset(k->y, 0, size * sizeof *k->y), memset(k->scale, 0, size * sizeof *k->scale);
        return;
    }
    for (int j = 0; j < k->n; j++) predict(k, a, j);
    find_scales(k->scale, k->y, a[0], a[1], size);
}

/* Newton. -------------------------------------------------------------------------------------- */

/* The largest correction relative to the largest unknown; y is the corrected one. */
static double overall_of(const lane_machine *k, int l)
{
    double d = 0, s = 0;
    for (int i = l; i < k->N * LANES; i += LANES)
        d = larger(d, k->delta[i]), s = larger(larger(s, k->y[i]), k->scale[i]);
    return larger_ratio(0, d, s);
}

/* Is every correction below the roundoff of the largest position? */
static bool is_noise_of(const lane_machine *k, const lane_state *s, int l)
{
    double x = 0, d = 0;
    for (int i = l; i < k->n * LANES; i += LANES) x = larger(x, s->q[i]);
    for (int i = l; i < k->N * LANES; i += LANES)
        x = larger(x, k->y[i]), d = larger(d, k->delta[i]);
    return d <= 64 * DBL_EPSILON * x;
}

/* The largest correction relative to its unknown, as a fraction; on: is the member still
 * iterating? */
typedef struct {
    double most[LANES], beside[LANES], on[LANES];
} largest;

static void improve_one(double *restrict y, const double *restrict delta,
                        const double *restrict scale, double *restrict fine, largest *restrict x)
{
    for (int l = 0; l < LANES; l++) {
        const double z = y[l] + delta[l], d = fabs(delta[l]), a = fabs(z),
                     s = a < scale[l] ? scale[l] : a;
        const bool more = (d >= DBL_MIN) & (d * x->beside[l] > x->most[l] * s);
        x->most[l] = more ? d : x->most[l];
        x->beside[l] = more ? s : x->beside[l];
        fine[l] = d <= DBL_MAX ? fine[l] : 0;
        y[l] = x->on[l] > 0 ? z : y[l];
    }
}

/* Adds the corrections of members that are still iterating; eta: the largest relative to its
 * unknown. */
static void improve(lane_machine *k)
{
    largest x;
    for (int l = 0; l < LANES; l++) x.most[l] = 0, x.beside[l] = 1, x.on[l] = k->active[l];
    for (int i = 0; i < k->N; i++)
        improve_one(entry(k->y, i), entry(k->delta, i), entry(k->scale, i), k->fine, &x);
    for (int l = 0; l < LANES; l++) k->last[l] = k->eta[l], k->eta[l] = x.most[l] / x.beside[l];
}

/* Was that the last correction of a member? Rare cases are tested last. */
static bool is_last(const lane_machine *k, const lane_state *s, int l, int iteration)
{
    const double eta = k->eta[l], last = k->last[l];
    if (k->direct) return true;
    if (k->eq->constant) return judge_linear(overall_of(k, l), last, false) == ENDS;
    if (eta <= SQUARED) return true;
    if (judge(eta, overall_of(k, l), last, HUGE_VAL, true, false, false) == ENDS) return true;
    return iteration > PATIENCE && is_noise_of(k, s, l);
}

static bool is_astray(const lane_machine *k, int l, int iteration)
{
    const double eta = k->eta[l];
    if (k->eq->constant) return !(eta < FAR);
    return eta > 4 * k->last[l] || !(eta < FAR) || (iteration == 1 && overall_of(k, l) > ASTRAY);
}

/* One iteration of all members; do any go on? */
static bool iterate(lane_machine *k, lane_state *s, double t, int iteration)
{
    bool any = false;
    lane_rows_residual(k, s, t, !k->eq->constant);
    if (k->eq->constant) memcpy(k->J, k->J0, (size_t)(k->N * k->N) * LANES * sizeof *k->J);
    lane_solve(k);
    improve(k);
    for (int l = 0; l < LANES; l++) {
        if (!k->active[l]) continue;
        const bool fine = k->fine[l] > 0, going = fine && !is_last(k, s, l, iteration);
        const bool lost = !fine || (going && is_astray(k, l, iteration));
        if (lost) s->alive[l] = 0;
        k->active[l] = going && !lost;
        any |= k->active[l];
    }
    return any;
}

/* Steps. --------------------------------------------------------------------------------------- */

static void keep(lane_machine *k, const lane_state *s)
{
    const double *const state[] = {s->q, s->q_low, s->p, s->p_low};
    const size_t        size = (size_t)k->n * LANES;
    for (size_t i = 0; i < 4; i++) memcpy(k->was + i * size, state[i], size * sizeof *k->was);
    memcpy(k->was + 4 * size, s->work, LANES * sizeof *k->was);
}

/* A member lost in this step returns to the beginning of the step. */
static void restore(const lane_machine *k, lane_state *s, int l)
{
    double *const state[] = {s->q, s->q_low, s->p, s->p_low};
    const int     size = k->n * LANES;
    for (int i = 0; i < 4; i++)
        for (int j = l; j < size; j += LANES) state[i][j] = k->was[i * size + j];
    s->work[l] = k->was[4 * size + l];
}

/*     x + dx in two parts                                                  theory.md [SUMMATION] */
static void advance_lanes(double *restrict x, double *restrict low, const double *restrict dx,
                          bool plain)
{
    if (plain)
        for (int l = 0; l < LANES; l++) x[l] += dx[l];
    else
        for (int l = 0; l < LANES; l++) add_in_two(x[l], low[l], dx[l], &x[l], &low[l]);
}

/* The state at the end of a substep. */
static void conclude(lane_machine *k, lane_state *s, double t, int at)
{
    const size_t size = (size_t)k->N * LANES;
    double       finite[LANES] = {0};
    s->head[at] = (s->head[at] + LANES_LEAD - 1) % LANES_LEAD;
    memcpy(s->past + (size_t)(at * LANES_LEAD + s->head[at]) * size, k->y, size * sizeof *k->y);
    lane_rows_finish(k, s, t);
    for (int j = 0; j < k->n; j++) {
        for (int l = 0; l < LANES; l++) finite[l] += 0 * entry(k->dp, j)[l];
        advance_lanes(entry(s->q, j), entry(s->q_low, j), entry(k->y, j * k->d + k->d - 1),
                      k->plain);
        advance_lanes(entry(s->p, j), entry(s->p_low, j), entry(k->dp, j), k->plain);
    }
    for (int l = 0; l < LANES; l++) {
        s->work[l] += k->work[l];
        if (finite[l] != 0 || k->active[l]) s->alive[l] = 0;
    }
}

static void substep(lane_machine *k, lane_state *s, double t, double h, int at)
{
    const bool other = h != k->c.h;
    if (other) lane_rows_tune(k, h);
    begin(k, s, at);
    if (other && k->eq->constant) {
        lane_rows_residual(k, s, t, true);
        memcpy(k->J0, k->J, (size_t)(k->N * k->N) * LANES * sizeof *k->J);
    }
    for (int iteration = 1; iteration <= ITERATIONS; iteration++)
        if (!iterate(k, s, t, iteration)) break;
    conclude(k, s, t, at);
}

/* A composition: Phi_{gamma_s h} o ... o Phi_{gamma_1 h}; run backward, the last first.
 *                                                                            theory.md [COMPOSE] */
static bool step(lane_machine *k, lane_state *s, double t)
{
    const int count = k->sch->substeps;
    double    done = 0;
    bool      lost = false, before[LANES];
    for (int l = 0; l < LANES; l++) before[l] = s->alive[l];
    keep(k, s);
    for (int j = 0; j < count; j++) {
        const int    at = k->side ? count - 1 - j : j;
        const double length = count > 1 ? k->sch->gamma[at] : 1;
        substep(k, s, t + done * s->h, length * s->h, at);
        done += length;
    }
    for (int l = 0; l < LANES; l++) {
        if (!before[l] || s->alive[l]) continue;
        restore(k, s, l);
        lost = true;
    }
    return !lost;
}

long lane_machine_steps(lane_machine *k, lane_state *s, long count)
{
    long made = 0;
    bool good = true;
    k->side = s->h < 0, k->c.h = 0;
    members_eval_parameters(k->of, s->par);
    for (; made < count && good; made++) good = step(k, s, s->from + (double)(s->k + made) * s->h);
    s->k += made;
    return made;
}
