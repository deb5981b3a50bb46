/* forced.c - Parks and Leok on forced systems: one table, three figures. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

/* q'' + c q' + q = 0, q(0) = 0, q'(0) = 1 */
static double damped(double t)
{
    const double c = 0.01, w = sqrt(1 - c * c / 4);
    return exp(-c * t / 2) * sin(w * t) / w;
}

/*     |q(t) - exact| at t = 5 periods of 2 pi */
static double error_after_five_periods(study *s, const char *scheme, int per_period)
{
    char         *options = text("scheme=%s; step=%.17g; steps=%d; record=0", scheme,
                                 6.283185307179586 / per_period, 5 * per_period);
    const record *r = study_run(s, "papers/damped_oscillator", options);
    free(options);
    return fabs(record_last(r, "q") - damped(record_last(r, "t")));
}

/* The printed ratios are those of printed errors, which are rounded to `unit`: as far as that goes
 * they are ours. */
static void found_ratios(study *s, const char *name, const char *const *error,
                         const char *const *ratio, double unit, const double *ours)
{
    for (int i = 1; i < 4; i++) {
        const double a = strtod(error[i - 1], NULL), b = strtod(error[i], NULL);
        const double is = ours[i - 1] / ours[i], be = strtod(ratio[i - 1], NULL);
        char        *what = text("%s order, error ratio at %d steps", name, 20 << i);
        if (fabs(is / be - 1) <= unit / a + unit / b)
            found_claim(s, what, ratio[i - 1], "to the digits of its errors", true, "%.4f", is);
        else
            found_explained(s, what, ratio[i - 1], "as its errors, of which it is the ratio",
                            "%.4f", is);
        free(what);
    }
}

/* Second order against the printed digits, fourth order by its slope, since the paper leaves its
 * start open. */
static void table_1(study *s)
{
    static const char *const second[] = {"0.2275", "0.0557", "0.0138", "0.0035"};
    static const char *const fourth[] = {"6.551e-05", "5.16e-06", "3.4e-07", "2e-08"};
    static const char *const second_ratio[] = {"4.0844", "4.0362", "3.9429"};
    static const char *const fourth_ratio[] = {"12.696", "15.176", "17"};
    double                   steps[4], error[2][4];
    for (int i = 0; i < 4; i++) {
        int   n = 20 << i;
        char *what = text("second order, %d steps a period", n);
        error[0][i] = error_after_five_periods(s, "shooting(taylor(2)) with trapezoid", n);
        error[1][i] = error_after_five_periods(s, "shooting(taylor(4)) with simpson", n);
        steps[i] = n;
        found_number(s, what, second[i], error[0][i], 5e-5);
        free(what);
    }
    found_ratios(s, "second", second, second_ratio, 5e-5, error[0]);
    for (int i = 0; i < 4; i++) {
        char *what = text("fourth order, %d steps a period", 20 << i);
        found_explained(s, what, fourth[i],
                        i ? NULL
                          : "the paper gives neither start nor measure; with those that give its "
                            "second-order row in every "
                            "digit, the fourth-order one is 8, 4, 3 % larger",
                        "%.4g", error[1][i]);
        free(what);
    }
    found_ratios(s, "fourth", fourth, fourth_ratio, 5e-9, error[1]);
    found_claim(s, "order of the second-order row", "2", "within 0.05",
                fabs(log2(error[0][2] / error[0][3]) - 2) < 0.05, "%.2f",
                log2(error[0][2] / error[0][3]));
    found_claim(s, "order of the fourth-order row", "4", "within 0.05",
                fabs(log2(error[1][2] / error[1][3]) - 4) < 0.05, "%.2f",
                log2(error[1][2] / error[1][3]));
    chart *c = study_chart(s, "Error after five periods", "steps a period", "|q - exact|");
    c->log_x = c->log_y = true;
    chart_curve(c, "taylor(2), trapezoid", steps, error[0], 4);
    chart_curve(c, "taylor(4), simpson", steps, error[1], 4);
}

/* The part alpha of the potential is a force: how far does the motion part from that of alpha =
 * 0? */
static double deviation(study *s, const char *rules, double alpha, const record *whole)
{
    char         *options = text("%s; set=alpha=%g; start=q=0; start=p(q)=1", rules, alpha);
    const record *r = study_run(s, "papers/split_oscillator", options);
    free(options);
    return largest_gap(record_column(r, "q"), record_column(whole, "q"), r->rows);
}

static void figure_1(study *s)
{
    static const char *const rules[] = {
        "force=trapezoid", "force=midpoint",
        "scheme=shooting(taylor(2)) with midpoint; force=midpoint",
        "scheme=shooting(taylor(2)) with midpoint; force=trapezoid"};
    const record *trapezoid =
        study_run(s, "papers/split_oscillator", "set=alpha=0; start=q=0; start=p(q)=1");
    const record *midpoint = study_run(s, "papers/split_oscillator",
                                       "scheme=shooting(taylor(2)) with midpoint; set=alpha=0; "
                                       "start=q=0; start=p(q)=1");
    double        alpha[11], apart[4][11];
    for (int i = 0; i <= 10; i++) {
        alpha[i] = 0.1 * i;
        for (int k = 0; k < 4; k++)
            apart[k][i] = deviation(s, rules[k], alpha[i], k < 2 ? trapezoid : midpoint);
    }
    const double  same = fmax(range_of(apart[0], 11).most, range_of(apart[2], 11).most);
    const double *other = apart[1], gap = largest_gap(apart[1], apart[3], 11);
    found_claim(s, "one rule for L and f: deviation, any alpha", "the same solution", "below 1e-13",
                same < 1e-13, "%.1e", same);
    found_claim(s, "trapezoid and midpoint: grows with alpha", "veer away",
                "100 times that of alpha = 0", other[10] > 100 * other[0] && other[10] > other[5],
                "%.2e at alpha = 1", other[10]);
    found_explained(s, "the same at half of it", "",
                    "the figure has no scale, and the paper no start; from q = 0, p = 1 the "
                    "deviation is h^2/4 * alpha",
                    "%.2e at alpha = 1/2", other[5]);
    found_claim(s, "midpoint and trapezoid: from the pair above", "directly atop",
                "below a hundredth of it", gap < 0.01 * other[10], "%.1e", gap);
    chart *c = study_chart(s, "Largest deviation from alpha = 0", "alpha", "|q - q(alpha = 0)|");
    chart_curve(c, "trapezoid, trapezoid", alpha, apart[0], 11);
    chart_curve(c, "trapezoid, midpoint", alpha, apart[1], 11);
    chart_curve(c, "midpoint, midpoint", alpha, apart[2], 11);
    chart_curve(c, "midpoint, trapezoid", alpha, apart[3], 11);
}

static double off_cosine(const record *r, double start)
{
    const double *t = record_column(r, "t"), *q = record_column(r, "q");
    double        most = 0;
    for (long i = 0; i < r->rows; i++) most = fmax(most, fabs(q[i] - start * cos(t[i])));
    return most;
}

/* The paper does not give its start. From 1 the motion is lost as in the figure; from 0.5 it is
 * not. */
static void figure_2(study *s)
{
    static const char two_rules[] = "scheme=shooting(rk4) with simpson; force=trapezoid";
    const record     *same = study_run(s, "papers/cancelled_force", "");
    const record     *other = study_attempt(s, "papers/cancelled_force", two_rules);
    char             *options = text("%s; start=q=0.5", two_rules);
    const record     *half = study_attempt(s, "papers/cancelled_force", options);
    const double     *t = record_column(same, "t"), *lost = record_column(other, "q");
    double           *exact = need(NULL, (size_t)same->rows + 1, sizeof *exact);
    long              first = 0;
    for (long i = 0; i < same->rows; i++) exact[i] = cos(t[i]);
    while (first < other->rows && fabs(lost[first] - exact[first]) < 0.1) first++;
    found_claim(s, "trapezoid for both: error within 400 steps", "indistinguishable", "below 1e-6",
                off_cosine(same, 1) < 1e-6, "%.2e", off_cosine(same, 1));
    found_claim(s, "simpson and trapezoid: first step off by 0.1", "veers wildly away",
                "within 400 steps", first < other->rows, "%ld", first);
    if (other->status)
        found_explained(
            s, "simpson and trapezoid: last step that can be made", "",
            "then no solution is near: a strong potential and a force that no longer cancels it",
            "%ld", other->rows - 1);
    found_explained(s, "simpson and trapezoid from q0 = 0.5: error", "",
                    "the paper gives no start; ours is q0 = 1. From 0.5 the motion is not lost",
                    "%.2e in %ld steps", off_cosine(half, 0.5), half->rows - 1);
    chart *c = study_chart(s, "A potential 100 q^5 and the force that cancels it", "t", "q");
    chart_curve(c, "exact", t, exact, same->rows);
    chart_curve(c, "one rule", t, record_column(same, "q"), same->rows);
    chart_curve(c, "two rules", t, lost, other->rows);
    free(exact), free(options);
}

/* L q'' + R q' + q/C = 0, q(0) = 1, q'(0) = 0 */
static double ringing(double t)
{
    const double L = 0.75, C = 3, R = 0.1, a = R / (2 * L), w = sqrt(1 / (L * C) - a * a);
    return exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
}

static void figure_3(study *s)
{
    const record *r = study_run(s, "papers/rlc_loop", "");
    const double *t = record_column(r, "t"), *q = record_column(r, "qC");
    double       *exact = need(NULL, (size_t)r->rows + 1, sizeof *exact);
    for (long i = 0; i < r->rows; i++) exact[i] = ringing(t[i]);
    found_claim(s, "charge against the exact one, 1000 steps", "almost identical", "below 1e-3",
                largest_gap(q, exact, r->rows) < 1e-3, "%.2e", largest_gap(q, exact, r->rows));
    found_claim(s, "Kirchhoff's laws", "held", "below 1e-14", r->end.constraint_residual < 1e-14,
                "to %.0e", r->end.constraint_residual);
    chart *c = study_chart(s, "Charge of the capacitor", "t", "qC");
    chart_curve(c, "exact", t, exact, r->rows);
    chart_curve(c, "forced discrete Dirac", t, q, r->rows);
    free(exact);
}

static const study_row rows[] = {
    {"Table 1", "Errors of shooting integrators on a damped oscillator", table_1},
    {"Figure 1", "A potential that is written, in part, as a force", figure_1},
    {"Figure 2", "A strong potential and the force that cancels it", figure_2},
    {"Figure 3", "An RLC loop in charges, two of them without inertia", figure_3},
};

const paper paper_forced = {
    .name = "forced",
    .authors = "Parks and Leok",
    .title = "Constructing equivalence-preserving Dirac variational integrators with forces",
    .journal = "IMA Journal of Numerical Analysis; arXiv:1703.03045",
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
};
