/* machine_solve.c - the linear systems of a block, J delta = -r, solved in lockstep: rows are
 * exchanged by selection, so that every member can have its own pivots. */
#include "linalg/kinds.h"
#include "mech/ensemble/machine.h"

#include <float.h>
#include <math.h>

static bool is_good(double x) { return (fabs(x) >= DBL_MIN) & (fabs(x) <= DBL_MAX); }

static double unless(bool good, double fine) { return good ? fine : 0; }

static void divide(lane_machine *k)
{
    for (int i = 0; i < k->N; i++) {
        const double *pivot = entry(k->J, i * (k->N + 1)), *r = entry(k->r, i);
        double       *delta = entry(k->delta, i);
        for (int l = 0; l < LANES; l++) delta[l] = -r[l] / pivot[l];
        for (int l = 0; l < LANES; l++) k->fine[l] = unless(is_good(pivot[l]), k->fine[l]);
    }
}

static void solve_two(lane_machine *k)
{
    const double *restrict J = k->J, *restrict r = k->r;
    double *restrict delta = k->delta, *restrict fine = k->fine;
    for (int l = 0; l < LANES; l++) {
        const double a = J[l], b = J[LANES + l], c = J[2 * LANES + l], d = J[3 * LANES + l];
        const double x = a * d, y = b * c, det = x - y, inverse = 1 / det;
        delta[l] = (b * r[LANES + l] - d * r[l]) * inverse;
        delta[LANES + l] = (c * r[l] - a * r[LANES + l]) * inverse;
        fine[l] =
            unless((fabs(det) > 4 * DBL_EPSILON * (fabs(x) + fabs(y))) & is_good(det), fine[l]);
    }
}

typedef struct { /* of rows and of columns */
    double weight[LANE_UNKNOWNS][LANES], scale[LANE_UNKNOWNS][LANES];
} weights;

/* Scales rows by their largest entry, then columns by their largest scaled entry. */
static void weigh(lane_machine *k, weights *w)
{
    *w = (weights){0};
    for (int i = 0; i < k->N; i++) {
        double *most = w->weight[i];
        for (int j = 0; j < k->N; j++)
            for (int l = 0; l < LANES; l++) {
                const double size = fabs(entry(k->J, i * k->N + j)[l]);
                most[l] = size > most[l] ? size : most[l];
            }
        for (int l = 0; l < LANES; l++) {
            k->fine[l] = unless(is_good(most[l]), k->fine[l]);
            most[l] = 1 / most[l];
        }
        for (int j = 0; j < k->N; j++)
            for (int l = 0; l < LANES; l++) {
                const double x = fabs(entry(k->J, i * k->N + j)[l]) * most[l];
                w->scale[j][l] = x > w->scale[j][l] ? x : w->scale[j][l];
            }
    }
}

static void exchange(double *restrict x, double *restrict y, const double *restrict where)
{
    for (int l = 0; l < LANES; l++) {
        const double a = where[l] > 0 ? y[l] : x[l], b = where[l] > 0 ? x[l] : y[l];
        x[l] = a, y[l] = b;
    }
}

/* Brings up the largest entry of column c relative to its row. */
static void bring_up(lane_machine *k, weights *w, int c)
{
    double where[LANES];
    for (int i = c + 1; i < k->N; i++) {
        const double *low = entry(k->J, i * k->N + c), *high = entry(k->J, c * k->N + c);
        for (int l = 0; l < LANES; l++)
            where[l] = fabs(low[l]) * w->weight[i][l] > fabs(high[l]) * w->weight[c][l] ? 1 : 0;
        for (int j = c; j < k->N; j++)
            exchange(entry(k->J, c * k->N + j), entry(k->J, i * k->N + j), where);
        exchange(entry(k->delta, c), entry(k->delta, i), where);
        exchange(w->weight[c], w->weight[i], where);
    }
}

/* to -= c x */
static void subtract(double *restrict to, const double *restrict c, const double *restrict x)
{
    for (int l = 0; l < LANES; l++) to[l] -= c[l] * x[l];
}

static void eliminate(lane_machine *k, weights *w, int c)
{
    const double *pivot = entry(k->J, c * k->N + c), negligible = solver_negligible(k->N);
    double       *inverse = w->weight[c], factor[LANES];
    for (int l = 0; l < LANES; l++) {
        const double size = fabs(pivot[l]);
        k->fine[l] = unless((size * inverse[l] > negligible * w->scale[c][l]) & (size <= DBL_MAX),
                            k->fine[l]);
        inverse[l] = 1 / pivot[l];
    }
    for (int i = c + 1; i < k->N; i++) {
        for (int l = 0; l < LANES; l++) factor[l] = entry(k->J, i * k->N + c)[l] * inverse[l];
        for (int j = c + 1; j < k->N; j++)
            subtract(entry(k->J, i * k->N + j), factor, entry(k->J, c * k->N + j));
        subtract(entry(k->delta, i), factor, entry(k->delta, c));
    }
}

static void solve_many(lane_machine *k)
{
    weights w;
    for (int i = 0; i < k->N * LANES; i++) k->delta[i] = -k->r[i];
    weigh(k, &w);
    for (int c = 0; c < k->N; c++) bring_up(k, &w, c), eliminate(k, &w, c);
    for (int c = k->N - 1; c >= 0; c--) {
        double *x = entry(k->delta, c);
        for (int l = 0; l < LANES; l++) x[l] *= w.weight[c][l];
        for (int i = 0; i < c; i++) subtract(entry(k->delta, i), entry(k->J, i * k->N + c), x);
    }
}

void lane_solve(lane_machine *k)
{
    for (int l = 0; l < LANES; l++) k->fine[l] = 1;
    if (k->direct || k->N == 1) divide(k);
    else if (k->N == 2) solve_two(k);
    else solve_many(k);
}
