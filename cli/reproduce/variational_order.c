/* variational_order.c - Martin de Diego and Sato on variational order: coupled van der Pol
 * oscillators, Lobatto with 2 to 5 points. */
#include "reproduce.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SIZES = 8, MEMBERS = 25 }; /* steps 1, 2, 4, ... 128 within the time 1 */

static const char *const names[] = {"q1", "q2", "p(q1)", "p(q2)", "energy"};
enum { QUANTITIES = 5, ENERGY_IS = 4 };

typedef struct {
    double x[QUANTITIES];
} ending;

static ending end_of(study *s, const char *scheme, int steps, const char *start)
{
    char *options =
        text("scheme=%s; step=%.17g; steps=%d; record=0%s", scheme, 1.0 / steps, steps, start);
    const record *r = study_run(s, "van_der_pol", options);
    ending        e;
    free(options);
    for (int k = 0; k < QUANTITIES; k++) e.x[k] = record_last(r, names[k]);
    return e;
}

static void sizes(double *h)
{
    for (int i = 0; i < SIZES; i++) h[i] = 1.0 / (1 << i);
}

/* From the two finest steps whose errors stand well above roundoff. */
static double observed(const double *error)
{
    int last = SIZES - 1;
    while (last > 1 && error[last] < 3e-12) last--;
    return log2(error[last - 1] / error[last]);
}

static void single_run(study *s)
{
    ending exact = end_of(s, "gauss(6)", 100, ""), e;
    double h[SIZES], error[QUANTITIES][SIZES];
    sizes(h);
    for (int i = 0; i < SIZES; i++) {
        e = end_of(s, "lobatto(3)", 1 << i, "");
        for (int k = 0; k < QUANTITIES; k++) error[k][i] = fabs(e.x[k] - exact.x[k]);
    }
    chart *c = study_chart(s, "Diagram 7.1: errors of lobatto(3)", "h", "error at t = 1");
    c->log_x = c->log_y = true;
    for (int k = 0; k < QUANTITIES; k++) {
        char *what = text("order in %s", names[k]);
        found_claim(s, what, "4", "within 0.2", fabs(observed(error[k]) - 4) < 0.2, "%.2f",
                    observed(error[k]));
        chart_curve(c, names[k], h, error[k], SIZES);
        free(what);
    }
}

/* Evenly spread over [-4, 4], the same on every machine. */
static double spread(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return -4 + 8 * ((double)(*state >> 11) / 9007199254740992.0);
}

static char *random_start(uint64_t *state)
{
    double a = spread(state), b = spread(state), c = spread(state), d = spread(state);
    return text("; start=q1=%.17g; start=q2=%.17g; start=q1'=%.17g; start=q2'=%.17g", a, b, c, d);
}

static void ensemble(study *s)
{
    enum { FIRST = 3 };
    double   h[SIZES], mean[SIZES] = {0}, least[SIZES], most[SIZES] = {0};
    uint64_t state = 1;
    sizes(h);
    for (int i = 0; i < SIZES; i++) least[i] = INFINITY;
    for (int m = 0; m < MEMBERS; m++) {
        char  *start = random_start(&state);
        ending exact = end_of(s, "gauss(6)", 100, start);
        for (int i = FIRST; i < SIZES; i++) {
            ending e = end_of(s, "lobatto(3)", 1 << i, start);
            double error = 0;
            for (int k = 0; k < ENERGY_IS; k++)
                error += (e.x[k] - exact.x[k]) * (e.x[k] - exact.x[k]);
            error = sqrt(error);
            mean[i] += error / MEMBERS, least[i] = fmin(least[i], error),
                                        most[i] = fmax(most[i], error);
        }
        free(start);
    }
    found_claim(s, "order of the mean of 25 starts", "4", "within 0.2",
                fabs(observed(mean) - 4) < 0.2, "%.2f", observed(mean));
    found_explained(
        s, "largest over least error, h = 1/128", "",
        "the starts of the paper are not given; ours are 25 others from the same square", "%.0f",
        most[SIZES - 1] / least[SIZES - 1]);
    chart *c =
        study_chart(s, "Diagram 7.2: errors of an ensemble, lobatto(3)", "h", "|(q, p) - exact|");
    c->log_x = c->log_y = true;
    chart_curve(c, "mean", h + FIRST, mean + FIRST, SIZES - FIRST);
    chart_curve(c, "least", h + FIRST, least + FIRST, SIZES - FIRST);
    chart_curve(c, "most", h + FIRST, most + FIRST, SIZES - FIRST);
}

static void every_lobatto(study *s)
{
    ending exact = end_of(s, "gauss(6)", 100, "");
    double h[SIZES], error[SIZES];
    sizes(h);
    chart *c = study_chart(s, "Diagram 7.3: error in the energy", "h", "|energy - exact|");
    c->log_x = c->log_y = true;
    for (int points = 2; points <= 5; points++) {
        char *scheme = text("lobatto(%d)", points), *claimed = text("%d", 2 * points - 2);
        char *what = text("order of %s in the energy", scheme);
        for (int i = 0; i < SIZES; i++)
            error[i] = fabs(end_of(s, scheme, 1 << i, "").x[ENERGY_IS] - exact.x[ENERGY_IS]);
        found_claim(s, what, claimed, "within 0.35",
                    fabs(observed(error) - (2 * points - 2)) < 0.35, "%.2f", observed(error));
        chart_curve(c, scheme, h, error, SIZES);
        free(scheme), free(claimed), free(what);
    }
}

static const study_row rows[] = {
    {"Diagram 7.1", "Errors of each component and of the energy, one run", single_run},
    {"Diagram 7.2", "Errors of an ensemble", ensemble},
    {"Diagram 7.3", "Errors in the energy with 2, 3, 4 and 5 points", every_lobatto},
};

const paper paper_order = {
    .name = "order",
    .authors = "Martin de Diego and Sato",
    .title = "Variational order for forced Lagrangian systems",
    .journal = "Nonlinearity 31 (2018) 3814-3846",
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
};
