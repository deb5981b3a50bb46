/* energy_principle.c - Sharma, Patil and Woolsey: time as a variable, in a double well, under a
 * force, with damping. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs. ---------------------------------------------------------------------------------------- */

/* With time as a variable, and with as many equal steps over the same time. */
typedef struct {
    const record *adaptive, *fixed;
} pair;

/* The fixed run has the average length of the adaptive one, so that both cost the same. */
static pair run_both(study *s, const char *model, const char *settings, double h)
{
    char        *options = text("%s; step=%g", settings, h);
    pair         p = {.adaptive = study_run(s, model, options)};
    const double last = record_last(p.adaptive, "t"), n = fmax(1, (double)p.adaptive->rows - 1);
    free(options);
    options = text("%s; principle=dirac+; step=%.17g; until=%.17g", settings, last / n, last);
    p.fixed = study_run(s, model, options);
    free(options);
    return p;
}

/* q at the time t from a fine run with equal steps, by the cubic with its values and slopes. */
static double between(const record *fine, double t)
{
    const double *q = record_column(fine, "q"), *v = record_column(fine, "p(q)");
    const double  h = fine->end.step;
    long          i = (long)(t / h);
    if (i > fine->rows - 2) i = fine->rows - 2;
    const double x = t / h - (double)i, y = 1 - x;
    return (1 + 2 * x) * y * y * q[i] + x * x * (1 + 2 * y) * q[i + 1] +
           x * y * h * (y * v[i] - x * v[i + 1]);
}

/* Of each run at its own times. */
static void draw_error(chart *c, const record *r, const record *fine, const char *label)
{
    const double *t = record_column(r, "t"), *q = record_column(r, "q");
    double       *error = need(NULL, (size_t)r->rows + 1, sizeof *error);
    for (long i = 0; i < r->rows; i++) error[i] = q[i] - between(fine, t[i]);
    chart_curve(c, label, t, error, r->rows);
    free(error);
}

/*     max_i |q_i - q(t_i)| */
static double trajectory_error(const record *r, const record *fine)
{
    const double *t = record_column(r, "t"), *q = record_column(r, "q");
    double        most = 0;
    for (long i = 0; i < r->rows; i++) most = fmax(most, fabs(q[i] - between(fine, t[i])));
    return most;
}

/* Which run errs less, beside what the paper says of it. Errors within a tenth are the same; if the
 * other errs less, that is the contrary of what the paper says. */
static void compare_errors(study *s, const char *what, const char *printed, double adaptive,
                           double fixed, const char *why)
{
    const char *ours = adaptive < 0.9 * fixed   ? "adaptive better"
                       : fixed < 0.9 * adaptive ? "fixed better"
                                                : "the same";
    if (!strcmp(ours, printed))
        found_claim(s, what, printed,
                    strcmp(ours, "the same") ? "by a tenth or more" : "within a tenth", true,
                    "%.1e, %.1e", adaptive, fixed);
    else if (strcmp(ours, "the same"))
        found_contrary(s, what, printed, why, "%.1e, %.1e", adaptive, fixed);
    else found_explained(s, what, printed, why, "%.1e, %.1e", adaptive, fixed);
}

/* The double well. ----------------------------------------------------------------------------- */

/* Energy of the chord from i to i + 1, as the paper has it, less that of the first. */
static double *chord_errors(const record *r)
{
    const double *t = record_column(r, "t"), *q = record_column(r, "q");
    double       *error = need(NULL, (size_t)r->rows + 1, sizeof *error), first = 0;
    for (long i = 0; i + 1 < r->rows; i++) {
        double v = (q[i + 1] - q[i]) / (t[i + 1] - t[i]), m = (q[i] + q[i + 1]) / 2;
        double energy = v * v / 2 + (m * m * m * m - m * m) / 2;
        if (!i) first = energy;
        error[i] = energy - first;
    }
    return error;
}

typedef struct {
    const char *title, *start, *fixed_error; /* printed */
    const char *why;                         /* it is not ours; NULL: it is */
    double      step, order;                 /* of the printed error        */
} well;

static void draw_well(study *s, const well *w, pair p, const record *fine, const double *adaptive,
                      const double *fixed)
{
    char  *title = text("%s: phase space", w->title);
    chart *c = study_chart(s, title, "q", "p");
    free(title);
    chart_curve(c, "exact", record_column(fine, "q"), record_column(fine, "p(q)"), fine->rows);
    chart_curve(c, "adaptive", record_column(p.adaptive, "q"), record_column(p.adaptive, "p(q)"),
                p.adaptive->rows);
    c = study_chart(s, "Error of the discrete energy", "t", "|E - E0|");
    c->log_y = true;
    chart_curve(c, "adaptive", record_column(p.adaptive, "t"), adaptive, p.adaptive->rows - 1);
    chart_curve(c, "fixed", record_column(p.fixed, "t"), fixed, p.fixed->rows - 1);
    c = study_chart(s, "Error of the trajectory", "t", "q - exact");
    draw_error(c, p.adaptive, fine, "adaptive"), draw_error(c, p.fixed, fine, "fixed");
    c = study_chart(s, "Length of the steps", "t", "h");
    chart_curve(c, "", record_column(p.adaptive, "t") + 1, record_column(p.adaptive, "h") + 1,
                p.adaptive->rows - 1);
}

/* gauss(4) with a step of 0.002 stands for the exact motion. */
static void show_well(study *s, const well *w)
{
    char *settings = text("start=q=%s", w->start),
         *what = text("%s, fixed step: energy error", w->title);
    pair  p = run_both(s, "papers/energy_well", settings, w->step);
    char *options = text("%s; principle=dirac+; scheme=gauss(4); step=0.002; until=51", settings);
    const record *fine = study_run(s, "papers/energy_well", options);
    free(settings), free(options);
    if (s->failure) return;
    double *adaptive = chord_errors(p.adaptive), *fixed = chord_errors(p.fixed);
    double  kept = largest_gap(adaptive, NULL, p.adaptive->rows - 1),
           lost = largest_gap(fixed, NULL, p.fixed->rows - 1);
    if (w->why) found_explained(s, what, w->fixed_error, w->why, "%.1e", lost);
    else
        found_claim(s, what, w->fixed_error, "within a power of ten",
                    fabs(log10(lost) - w->order) <= 1, "%.1e", lost);
    free(what), what = text("%s, adaptive: energy error", w->title);
    found_claim(s, what, "about 1e-14", "below 1e-12", kept < 1e-12, "%.1e", kept);
    free(what), what = text("%s, adaptive and fixed: trajectory", w->title);
    compare_errors(s, what, "adaptive better", trajectory_error(p.adaptive, fine),
                   trajectory_error(p.fixed, fine), "the steps hardly vary from this start");
    draw_well(s, w, p, fine, adaptive, fixed);
    free(what), free(adaptive), free(fixed);
}

static void small_steps(study *s)
{
    show_well(s, &(well){"q0 = 0.74", "0.74", "about 1e-8", NULL, 0.01, -8});
    show_well(s, &(well){"q0 = 0.995", "0.995", "about 1e-6",
                         "as many equal steps as the adaptive run takes are 0.021 long, and their "
                         "chords err by this",
                         0.01, 0});
    if (s->failure) return;
    const record *wide = s->record[3]; /* the adaptive run of the second start */
    found_claim(s, "q0 = 0.995: longest step over the first", "4 times", "within 1",
                fabs(wide->end.length.max / 0.01 - 4) < 1, "%.2f", wide->end.length.max / 0.01);
}

static void large_steps(study *s)
{
    show_well(s, &(well){"q0 = 0.74, h0 = 0.1", "0.74", "larger than before", NULL, 0.1, -6});
    show_well(s, &(well){"q0 = 0.995, h0 = 0.1", "0.995", "larger than before", NULL, 0.1, -3});
}

/* The longer the step, the better the energy decides it: the condition falls with h0. */
static void condition(study *s)
{
    static const double      h[] = {0.01, 0.02, 0.04, 0.07, 0.1};
    double                   cond[2][5];
    static const char *const start[] = {"0.74", "0.995"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 5; i++) {
            char *options = text("start=q=%s; step=%g; until=10; monitor=1", start[k], h[i]);
            cond[k][i] = study_run(s, "papers/energy_well", options)->end.condition.max;
            free(options);
        }
    found_claim(s, "condition from h0 = 0.1 to 0.01, q0 = 0.74", "grows", "50 times",
                cond[0][0] > 50 * cond[0][4], "%.1e to %.1e", cond[0][4], cond[0][0]);
    found_claim(s, "condition from h0 = 0.1 to 0.01, q0 = 0.995", "grows", "5 times",
                cond[1][0] > 5 * cond[1][4], "%.1e to %.1e", cond[1][4], cond[1][0]);
    chart *c = study_chart(s, "Figure 7: condition of a step", "h0", "condition");
    c->log_x = c->log_y = true;
    chart_curve(c, "q0 = 0.74", h, cond[0], 5), chart_curve(c, "q0 = 0.995", h, cond[1], 5);
}

/* Forces. -------------------------------------------------------------------------------------- */

/* Both runs of an oscillator m = 1, k = 4, and a fine one. */
typedef struct {
    pair          both;
    const record *fine;
} trial;

/* The fine run goes on a little longer, since the adaptive one may overshoot the end. */
static trial run_trial(study *s, const char *model, const char *settings, double until)
{
    char *options = text("%s; until=%g", settings, until);
    trial t = {.both = run_both(s, model, options, 0.01)};
    free(options);
    options =
        text("%s; principle=dirac+; scheme=gauss(4); step=0.001; until=%g", settings, until + 2);
    t.fine = study_run(s, model, options);
    free(options);
    return t;
}

/* Largest error of the energy of a chord, from the time `since` on, against the exact one at its
 * middle: one definition for both. */
static double energy_error(const record *r, const record *fine, double since)
{
    const double *t = record_column(r, "t"), *q = record_column(r, "q");
    double        most = 0, small = 1e-4;
    for (long i = 0; i + 1 < r->rows; i++) {
        double middle = (t[i] + t[i + 1]) / 2, v = (q[i + 1] - q[i]) / (t[i + 1] - t[i]),
               m = (q[i] + q[i + 1]) / 2;
        double x = between(fine, middle),
               u = (between(fine, middle + small) - between(fine, middle - small)) / (2 * small);
        if (middle >= since) most = fmax(most, fabs(v * v / 2 + 2 * m * m - u * u / 2 - 2 * x * x));
    }
    return most;
}

/* Two errors, and what the paper says of them. */
typedef struct {
    const char *printed, *why; /* ours is another */
} comparison;

static void compare_trajectories(study *s, trial t, const char *name, comparison of)
{
    char *what = text("%s: trajectory, adaptive and fixed", name);
    compare_errors(s, what, of.printed, trajectory_error(t.both.adaptive, t.fine),
                   trajectory_error(t.both.fixed, t.fine), of.why);
    free(what);
}

static void draw_trial(study *s, trial t, const char *name)
{
    chart *c = study_chart(s, name, "t", "q");
    chart_curve(c, "exact", record_column(t.fine, "t"), record_column(t.fine, "q"), t.fine->rows);
    chart_curve(c, "adaptive", record_column(t.both.adaptive, "t"),
                record_column(t.both.adaptive, "q"), t.both.adaptive->rows);
    char *what = text("%s: error of the trajectory", name);
    c = study_chart(s, what, "t", "q - exact");
    draw_error(c, t.both.adaptive, t.fine, "adaptive"),
        draw_error(c, t.both.fixed, t.fine, "fixed");
    free(what);
}

static void draw_lengths(chart *c, const record *r, const char *label)
{
    chart_curve(c, label, record_column(r, "t") + 1, record_column(r, "h") + 1, r->rows - 1);
}

/* Where nothing is printed, ours is shown with a word on why. */
static void found_lengths(study *s, const char *name, const char *least, const char *most,
                          dal_range h)
{
    char *what = text("%s: shortest, longest step", name), *printed = text("%s, %s", least, most);
    if (*least)
        found_claim(s, what, printed, "within 0.001",
                    fabs(h.min - atof(least)) < 1e-3 && fabs(h.max - atof(most)) < 1e-3,
                    "%.4f, %.4f", h.min, h.max);
    else
        found_explained(s, what, "",
                        "the paper gives neither start nor force; ours are v0 = 1, F0 = 1",
                        "%.4f, %.4f", h.min, h.max);
    free(what), free(printed);
}

/* Three frequencies of the driving force. */
static void forced(study *s)
{
    static const struct {
        const char *sigma, *least, *most, *trajectory, *energy;
    } row[] = {{"0.1", "0.0095", "0.0105", "the same", "1e-4, 1e-2"},
               {"2", "", "", "fixed better", "1e-4, 1e-1"},
               {"5", "0.007", "0.022", "fixed better", "1e-4, 1e-1"}};
    chart *lengths = study_chart(s, "Figure 11: length of the steps", "t", "h");
    for (int i = 0; i < 3 && !s->failure; i++) {
        char *settings = text("set=sigma=%s", row[i].sigma),
             *name = text("sigma = %s", row[i].sigma);
        trial t = run_trial(s, "papers/energy_forced", settings, 20);
        if (!s->failure) {
            found_lengths(s, name, row[i].least, row[i].most, t.both.adaptive->end.length);
            compare_trajectories(
                s, t, name,
                (comparison){row[i].trajectory, "the paper gives neither start nor force"});
            char *what = text("%s: energy, adaptive and fixed", name);
            found_explained(s, what, row[i].energy,
                            "the paper does not define the energy of the fixed steps; here it is "
                            "one definition for both",
                            "%.1e, %.1e", energy_error(t.both.adaptive, t.fine, 0),
                            energy_error(t.both.fixed, t.fine, 0));
            free(what);
            draw_trial(s, t, name);
            draw_lengths(lengths, t.both.adaptive, name);
        }
        free(settings), free(name);
    }
}

/* Damping. ------------------------------------------------------------------------------------- */

/* In the direction of `sign`, up to roundoff of the lengths. */
static bool grows(const double *h, long n, int sign)
{
    for (long i = 1; i < n; i++)
        if (sign * (h[i] - h[i - 1]) < -1e-9 * h[i - 1]) return false;
    return true;
}

/*     ln(h_n/h_1) / (t_n - t_1) / c, which is 1/(2m) by theory.md [BREAKDOWN] */
static void found_growth(study *s, const record *r, const char *name, double c)
{
    const double *h = record_column(r, "h") + 1, *t = record_column(r, "t") + 1;
    const long    n = r->rows - 1;
    char         *what = text("%s: the step", name);
    found_claim(s, what, "increases", "at every step", grows(h, n, 1), "%.4f to %.4f", h[0],
                h[n - 1]);
    free(what), what = text("%s: rate of its growth over c", name);
    found_explained(s, what, "", "it grows as exp(c t/(2 m))", "%.3f",
                    log(h[n - 1] / h[0]) / (t[n - 1] - t[0]) / c);
    free(what);
}

/* Three ratios zeta of damping; c = 2 zeta omega m. */
static void damped(study *s)
{
    static const double zeta[] = {0.001, 0.01, 0.05};
    chart              *lengths = study_chart(s, "Figure 15: length of the steps", "t", "h");
    lengths->log_y = true;
    for (int i = 0; i < 3 && !s->failure; i++) {
        const double c = 4 * zeta[i]; /* 2 zeta omega m, omega = 2 */
        char        *settings = text("set=c=%g", c), *name = text("zeta = %g", zeta[i]);
        trial        t = run_trial(s, "papers/energy_damped", settings, 40);
        if (!s->failure) {
            found_growth(s, t.both.adaptive, name, c);
            compare_trajectories(s, t, name,
                                 (comparison){"adaptive better",
                                              "largest error over the whole run; the growing "
                                              "steps lose accuracy towards its end"});
            char *what = text("%s: energy in the last tenth", name);
            compare_errors(s, what, "fixed better", energy_error(t.both.adaptive, t.fine, 36),
                           energy_error(t.both.fixed, t.fine, 36),
                           "the paper does not define the energy of the fixed steps");
            free(what);
            draw_trial(s, t, name);
            draw_lengths(lengths, t.both.adaptive, name);
        }
        free(settings), free(name);
    }
}

/* The paper has it in a sentence. */
static void driven_by_damping(study *s)
{
    const record *r = study_run(s, "papers/energy_damped", "set=c=-0.04; step=0.1; until=40");
    const double *h = record_column(r, "h") + 1;
    const long    n = r->rows - 1;
    found_claim(s, "zeta = -0.01: the step", "uniformly decreasing", "at every step",
                grows(h, n, -1), "%.4f to %.4f", h[0], h[n - 1]);
    chart *c = study_chart(s, "Length of the steps, negative damping", "t", "h");
    draw_lengths(c, r, "");
}

/* Neither figure nor text gives the starts: these two have the printed errors and lengths. */
static void starts(study *s)
{
    found_explained(s, "starts of the double well", "",
                    "the paper has two regions and no numbers; from these the errors and lengths "
                    "of steps are those of its figures",
                    "q0 = 0.74, 0.995");
    found_explained(s, "starts and force of the oscillators", "",
                    "not given either; amplitude 1 for the damped one", "v0 = 1, F0 = 1; q0 = 1");
}

static const study_row rows[] = {
    {"Starts", "What the paper leaves open", starts},
    {"Figures 1, 2, 3, 4", "A double well from two starts, h0 = 0.01", small_steps},
    {"Figures 5, 6", "The same with h0 = 0.1", large_steps},
    {"Figure 7", "Condition of the equations as the step shrinks", condition},
    {"Figures 8, 9, 10, 11", "A driven oscillator at three frequencies", forced},
    {"Figures 12, 13, 14, 15", "A damped oscillator, three ratios of damping", damped},
    {"Section 5.3", "A negative damping", driven_by_damping},
};

const paper paper_energy = {
    .name = "energy",
    .authors = "Sharma, Patil and Woolsey",
    .title = "Energy-preserving variational integrators for forced Lagrangian systems",
    .journal = "Communications in Nonlinear Science and Numerical Simulation 64 (2018) 159-177",
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
};
