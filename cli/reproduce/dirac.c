/* dirac.c - Leok and Ohsawa on discrete Dirac structures. The paper has no numbers; its statements
 * do. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

/* The knife edge on a plane with g sin(alpha) = 4.905 that turns at the rate 1: a cycloid. */
static double off_cycloid(const record *r)
{
    const double *t = record_column(r, "t"), *x = record_column(r, "x"), *y = record_column(r, "y"),
                 a = 4.905;
    double gap = 0;
    for (long i = 0; i < r->rows; i++)
        gap = fmax(gap, fmax(fabs(x[i] - a / 4 * (1 - cos(2 * t[i]))),
                             fabs(y[i] - a / 4 * (2 * t[i] - sin(2 * t[i])))));
    return gap;
}

/* Both forms of the (+) step are one motion; midpoints are there to show what the left end
 * costs. */
static void knife_edge(study *s)
{
    const record *left = study_run(s, "papers/knife_edge", "");
    const record *other = study_run(s, "papers/knife_edge_hamiltonian", "");
    const record *middle =
        study_run(s, "papers/knife_edge", "scheme=midpoint; retraction=midpoint");
    double gap =
        fmax(largest_gap(record_column(left, "x"), record_column(other, "x"), left->rows),
             largest_gap(record_column(left, "p(y)"), record_column(other, "p(y)"), left->rows));
    found_claim(s, "(+) Lagrangian and (+) Hamiltonian steps", "the same", "below 1e-11",
                gap < 1e-11, "%.1e apart", gap);
    found_claim(s, "membership in the discrete Dirac structure", "every step", "below 1e-12",
                left->end.dirac_residual < 1e-12, "%.0e", left->end.dirac_residual);
    found_claim(s, "the constraint", "every step", "below 1e-13",
                left->end.constraint_residual < 1e-13, "%.0e", left->end.constraint_residual);
    found_explained(s, "from the exact cycloid: left rectangle, left retraction", "", "order 1",
                    "%.3f", off_cycloid(left));
    found_explained(s, "from the exact cycloid: midpoints", "", "order 2, at the same cost", "%.5f",
                    off_cycloid(middle));
    chart *c = study_chart(s, "A knife edge on a tilted plane", "x", "y");
    chart_curve(c, "left", record_column(left, "x"), record_column(left, "y"), left->rows);
    chart_curve(c, "midpoints", record_column(middle, "x"), record_column(middle, "y"),
                middle->rows);
}

/* Directions without inertia: the left rectangle has no step, which is a finding too. */
static void circuit(study *s)
{
    const record *r = study_run(s, "papers/lc_circuit", "");
    range         energy = range_of(record_column(r, "energy"), r->rows);
    const record *left =
        study_attempt(s, "papers/lc_circuit", "scheme=rectangle(0); retraction=left");
    const char *rank = left->message ? strstr(left->message, "rank ") : NULL;
    found_explained(s, "a step with the left rectangle", "",
                    "qC1 and qC3 share a charge that has no inertia: with the rectangle the "
                    "equations have no unique "
                    "solution, with midpoints they have",
                    left->status == DAL_SINGULAR && rank ? "%.11s: refused" : "made", rank);
    found_claim(s, "Kirchhoff's laws, midpoints", "every step", "below 1e-14",
                r->end.constraint_residual < 1e-14, "%.0e", r->end.constraint_residual);
    found_explained(s, "energy over 500 steps", "", NULL, "%.0e wide", energy.most - energy.least);
    chart        *c = study_chart(s, "An inductor and three capacitors", "t", "charge");
    const double *t = record_column(r, "t");
    chart_curve(c, "qC1", t, record_column(r, "qC1"), r->rows);
    chart_curve(c, "qC2", t, record_column(r, "qC2"), r->rows);
    chart_curve(c, "qC3", t, record_column(r, "qC3"), r->rows);
}

/*     x = 2 sin(t/2),   y = 2 (1 - cos(t/2)): the exact circle, with which q is compared */
static void disk(study *s)
{
    const record *r = study_run(s, "papers/rolling_disk", "");
    const double *t = record_column(r, "t"), *x = record_column(r, "x"), *y = record_column(r, "y");
    double        gap = 0; /* x = 2 sin(t/2), y = 2 (1 - cos(t/2)) */
    for (long i = 0; i < r->rows; i++)
        gap = fmax(gap, fmax(fabs(x[i] - 2 * sin(t[i] / 2)), fabs(y[i] - 2 * (1 - cos(t[i] / 2)))));
    found_claim(s, "rolling without slipping", "every step", "below 1e-14",
                r->end.constraint_residual < 1e-14, "%.0e", r->end.constraint_residual);
    found_explained(s, "from the exact circle, 400 steps with midpoints", "", NULL, "%.5f", gap);
    chart *c = study_chart(s, "A rolling disk", "x", "y");
    chart_curve(c, "", x, y, r->rows);
}

static const study_row rows[] = {
    {"Lagrange-Dirac and Hamilton-Dirac",
     "A knife edge: Lagrangian and Hamiltonian sides, retractions", knife_edge},
    {"Degenerate Lagrangians",
     "One inductor, three capacitors: a degenerate Lagrangian with constraints", circuit},
    {"Nonholonomic constraints", "A vertical disk rolling on a plane", disk},
};

const paper paper_dirac = {
    .name = "dirac",
    .authors = "Leok and Ohsawa",
    .title = "Discrete Dirac structures and implicit discrete Lagrangian and Hamiltonian systems",
    .journal = "AIP Conference Proceedings 1260 (2010); the paper has statements and no numbers",
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
};
