/* interconnection.c - Parks and Leok on interconnected systems: springs and a circuit, torn and
 * joined again. */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>

static double parting(const record *a, const char *of_a, const record *b, const char *of_b)
{
    return largest_gap(record_column(a, of_a), record_column(b, of_b),
                       a->rows < b->rows ? a->rows : b->rows);
}

static void draw(chart *c, const record *r, const char *name, const char *label)
{
    chart_curve(c, label, record_column(r, "t"), record_column(r, name), r->rows);
}

/* The least of several times for all steps, without recording. */
static double seconds(study *s, const char *model, const char *options)
{
    enum { TIMES = 20 };
    double least = INFINITY;
    char  *quiet = text("record=0; monitor=1000000%s%s", *options ? "; " : "", options);
    for (int k = 0; k < TIMES; k++)
        least = fmin(least, study_run(s, model, quiet)->end.run_seconds);
    free(quiet);
    return least;
}

/* Times of another machine and program: only their ratio can be compared. */
static void found_times(study *s, const char *whole, const char *torn, const char *printed)
{
    const double a = seconds(s, whole, ""), b = seconds(s, torn, "interconnection=multipliers"),
                 c = seconds(s, torn, "");
    found_explained(s, "run time, whole and torn", printed,
                    "seconds, the least of 1000 runs there and of 20 here; another machine and "
                    "language; ours is torn with multipliers",
                    "%.1e, %.1e", a, b);
    found_explained(s, "run time, torn, ties eliminated", "", NULL, "%.1e", c);
}

/* Tied by multipliers, as in the paper: eliminated ties would give the whole system, bit by bit. */
static void springs(study *s)
{
    const record *whole = study_run(s, "papers/whole_springs", "");
    const record *torn = study_run(s, "papers/torn_springs", "interconnection=multipliers");
    double        gap =
        fmax(parting(torn, "first.x1", whole, "x1"),
             fmax(parting(torn, "first.x2", whole, "x2"), parting(torn, "last.x", whole, "x3")));
    found_claim(s, "torn and whole: positions, 1000 steps", "directly on top", "below 1e-12",
                gap < 1e-12, "%.1e apart", gap);
    chart *c = study_chart(s, "Figure 3: positions of the masses", "t", "x");
    draw(c, whole, "x1", "x1"), draw(c, whole, "x2", "x2"), draw(c, whole, "x3", "x3");
    draw(c, torn, "last.x", "x3, torn");

    found_claim(s, "energy, least", "5.47 (of the axis)", "within 0.005",
                fabs(torn->end.energy.min - 5.47) < 5e-3, "%.4f", torn->end.energy.min);
    found_claim(s, "energy, most", "5.51 (of the axis)", "within 0.005",
                fabs(torn->end.energy.max - 5.51) < 5e-3, "%.4f", torn->end.energy.max);
    c = study_chart(s, "Figure 4: energy", "t", "energy");
    draw(c, whole, "energy", "whole"), draw(c, torn, "energy", "torn");
    found_claim(s, "the tie, first.x2 = last.end", "machine precision", "below 1e-14",
                parting(torn, "first.x2", torn, "last.end") < 1e-14, "%.1e",
                parting(torn, "first.x2", torn, "last.end"));
    found_times(s, "papers/whole_springs", "papers/torn_springs", "0.0028, 0.0029");
}

static void long_springs(study *s)
{
    const record *r =
        study_run(s, "papers/torn_springs", "interconnection=multipliers; steps=100000; record=20");
    range all = range_of(record_column(r, "energy"), r->rows);
    range late = range_of(record_column(r, "energy") + r->rows / 2, r->rows - r->rows / 2);
    found_claim(s, "energy over 100,000 steps, least", "5.46 (of the axis)", "within 0.005",
                fabs(all.least - 5.46) < 5e-3, "%.4f", all.least);
    found_claim(s, "energy over 100,000 steps, most", "5.51 (of the axis)", "within 0.005",
                fabs(all.most - 5.51) < 5e-3, "%.4f", all.most);
    found_claim(s, "it oscillates and does not drift", "oscillates", "no wider than the whole",
                late.most - late.least < 1.01 * (all.most - all.least) && late.most <= all.most,
                "%.4f wide in the second half", late.most - late.least);
    chart *c = study_chart(s, "Figure 6: energy over 100,000 steps", "t", "energy");
    draw(c, r, "energy", "");
}

static void circuit(study *s)
{
    const record *whole = study_run(s, "papers/whole_circuit", "");
    const record *torn = study_run(s, "papers/torn_circuit", "interconnection=multipliers");
    double        gap = parting(torn, "right.qC", whole, "qC");
    found_claim(s, "torn and whole: charge of the capacitor", "agree very closely", "below 1e-12",
                gap < 1e-12, "%.1e apart", gap);
    found_claim(s, "torn and whole: energy", "agree very closely", "below 1e-12",
                parting(torn, "energy", whole, "energy") < 1e-12, "%.1e apart",
                parting(torn, "energy", whole, "energy"));
    found_claim(s, "the port, left.qS = right.qS", "machine precision", "below 1e-14",
                parting(torn, "left.qS", torn, "right.qS") < 1e-14, "%.1e",
                parting(torn, "left.qS", torn, "right.qS"));
    const record *printed = study_run(s, "papers/whole_circuit", "set=R=-1");
    found_claim(s, "energy, 37.5 at the start, at the end", "almost none", "below 1e-3",
                record_last(torn, "energy") < 1e-3, "%.2e", record_last(torn, "energy"));
    found_explained(s, "energy at the end with the resistor as in (123)", "",
                    "its sign there makes the resistor a source; the figures show the right one",
                    "%.2e", record_last(printed, "energy"));
    found_times(s, "papers/whole_circuit", "papers/torn_circuit", "8.16e-4, 8.51e-4");
    chart *c = study_chart(s, "Figure 9: charge of the capacitor", "t", "qC");
    draw(c, whole, "qC", "whole"), draw(c, torn, "right.qC", "torn");
    c = study_chart(s, "Figure 10: energy", "t", "energy");
    draw(c, whole, "energy", "whole"), draw(c, torn, "energy", "torn");
}

static const study_row rows[] = {
    {"Figures 3, 4, 5", "Three masses on springs, in one piece and torn at the second mass",
     springs},
    {"Figure 6", "The same for 100,000 steps", long_springs},
    {"Figures 9, 10, 11", "A parallel RLC circuit, in one piece and torn at the capacitor",
     circuit},
};

const paper paper_interconnection = {
    .name = "interconnection",
    .authors = "Parks and Leok",
    .title = "Variational integrators for interconnected Lagrange-Dirac systems",
    .journal = "Journal of Nonlinear Science 27 (2017) 1399-1434",
    .row = rows,
    .rows = sizeof rows / sizeof *rows,
};
