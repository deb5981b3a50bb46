/* main.c - from a thousand parts to a million: the library, loops by hand and other libraries, in
 * one run, interleaved.
 *
 *     bench_large [MOST [LEAST]]      tables of LEAST (10^3) to MOST parts (10^6, with BENCH=quick
 * 10^5) */
#include "../bench.h"
#include "large.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static runners *const files[] = {
    ours,    by_hand, in_lanes,
#ifdef WITH_ODEINT
    odeint,
#endif
#ifdef WITH_PETSC
    petsc,
#endif
#ifdef WITH_ARKODE_KLU
    arkode,
#endif
#ifdef WITH_NGSPICE
    ngspice,
#endif
};
enum { FILES = sizeof files / sizeof *files, ENTRANTS = 16 };

typedef struct {
    const runner *by;
    void         *self;
    int           counted, is_ours; /* rounds                                   */
    long          steps;            /* of a round                               */
    double        t[ROUNDS];        /* seconds of a step                        */
    double        also[ROUNDS];     /* by the other clock, if there is one      */
    double        newton[ROUNDS];   /* iterations a step, if they are known     */
    double        far;              /* positions from those of the first        */
} entrant;

static const char *const titles[] = {
    [SPRINGS_VERLET] = "springs, trapezoid",
    [SPRINGS_MIDPOINT] = "springs, midpoint",
    [LADDER_MIDPOINT] = "RLC ladder, midpoint",
};

/* Seconds. Explicit steps and those of the ladder are so short that their rounds are made longer
 * than the first one: by so much that what another contestant left in the cache, and who else has
 * work for one of two processors, count for little. */
#define LONG_ROUND 0.25

static int lengthens(const event *e)
{
    return e->which != SPRINGS_MIDPOINT;
}

static int gather(const event *e, entrant *all)
{
    int n = 0;
    for (int f = 0; f < FILES; f++)
        for (int k = 0; files[f](k); k++) {
            all[n] = (entrant){.by = files[f](k), .is_ours = files[f] == ours, .steps = e->steps};
            all[n].self = all[n].by->start(e);
            if (all[n].self) n++;
        }
    return n;
}

static int sites_of(const event *e)
{
    return e->which == LADDER_MIDPOINT ? e->n : e->n + 1;
}

static double distance(const entrant *a, const double *x, double *y, int sites)
{
    double far = 0;
    memcpy(y, x, (size_t)sites * sizeof *y);
    a->by->look(a->self, y);
    for (int i = 0; i < sites; i++) far = fmax(far, fabs(x[i] - y[i]));
    return far;
}

static void compare(const event *e, entrant *all, int n)
{
    const int sites = sites_of(e);
    double   *x = doubles(sites), *y = doubles(sites);
    all[0].by->look(all[0].self, x);
    for (int k = 0; k < n; k++) all[k].far = distance(&all[k], x, y, sites);
    free(x), free(y);
}

/* One contestant, one round; the first of them (-1) is not counted. */
static void advance(const event *e, entrant *a, int round)
{
    if (a->by->at_once && (round < 0 || round >= (e->n < 100000 ? 3 : 1))) return;
    double spent = a->by->advance(a->self, a->steps) / (double)a->steps;
    if (round < 0 && lengthens(e)) a->steps = (long)fmax((double)e->steps, LONG_ROUND / spent);
    if (round < 0 || spent <= 0) return;
    a->t[a->counted] = spent;
    if (a->by->also) a->also[a->counted] = a->by->second(a->self) / (double)a->steps;
    if (a->by->iterations) a->newton[a->counted] = a->by->iterations(a->self);
    a->counted++;
}

/* All contestants, round by round; those that cannot go on where they were run only a few times.
 * Positions are compared where all have made the same number of steps. */
static void compete(const event *e, entrant *all, int n)
{
    for (int r = -1; r < e->rounds; r++) {
        for (int k = 0; k < n; k++) advance(e, &all[k], r);
        if (lengthens(e) ? r < 0 : r + 1 == e->rounds) compare(e, all, n);
    }
}

static const entrant *hand_of(const entrant *all, int n)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(all[k].by->name, "by hand")) return &all[k];
    return all;
}

static int fewer(int a, int b)
{
    return a < b ? a : b;
}

static void row(const event *e, const char *name, const double *t, int counted, const entrant *hand)
{
    const double sites = sites_of(e);
    timing       x = summarise(t, counted), to = ratio(t, hand->t, fewer(counted, hand->counted));
    printf("| %d | %s | %.2f | %.2f | %.2f-%.2f |", e->n, name, x.median / sites * 1e9, to.median,
           to.low, to.high);
}

/* Seconds of a step and Newton iteration. Rounds of many parts are few steps from the start, where
 * a step takes more of them than later in the motion. */
static void iteration_reading(const char *title, const entrant *a)
{
    double each[ROUNDS], least = 1;
    for (int r = 0; r < a->counted; r++) {
        each[r] = a->t[r] / a->newton[r];
        if (a->newton[r] < least) least = a->newton[r];
    }
    if (least > 0) reading(title, "dalembert, vm, an iteration", each, a->counted);
}

static void print(const event *e, const entrant *all, int n)
{
    char title[80];
    snprintf(title, sizeof title, "%s, %s, %d", titles[e->which],
             e->compensated ? "compensated" : "plain", e->n);
    for (int k = 0; k < n; k++) {
        const entrant *a = &all[k];
        if (!a->counted) continue;
        row(e, a->by->name, a->t, a->counted, hand_of(all, n));
        if (a->by->iterations && a->by->iterations(a->self) > 0)
            printf(" %.1f |", a->by->iterations(a->self));
        else printf(" |");
        printf(" %.0e |", a->far);
        const making *made = a->is_ours ? ours_making(a->self) : NULL;
        if (made)
            printf(" %.2f | %.0f | %.0f |\n", made->seconds, made->held / e->n, made->most / e->n);
        else printf(" | | |\n");
        reading(title, a->by->name, a->t, a->counted);
        if (!strcmp(a->by->name, "dalembert, vm")) {
            iteration_reading(title, a);
            reading(title, "set-up", &made->seconds, 1), reading(title, "bytes", &made->most, 1);
        }
        if (!a->by->also) continue;
        row(e, a->by->also, a->also, a->counted, hand_of(all, n));
        printf(" | | | | |\n");
        reading(title, a->by->also, a->also, a->counted);
    }
    fflush(stdout);
}

/* Of the first round, and where rounds are not made longer of all: as many as take some
 * milliseconds by hand. */
static long steps_of(task which, int n)
{
    return (long)(which == SPRINGS_VERLET    ? fmax(200, (n < 100000 ? 5e7 : 1e8) / n)
                  : which == LADDER_MIDPOINT ? fmax(5, 1e6 / n)
                                             : fmax(3, (n < 100000 ? 5e5 : 2e6) / n));
}

static void hold(task which, int compensated, int n)
{
    const int most = which == SPRINGS_MIDPOINT && n >= 1000000 ? 3
                     : which == SPRINGS_VERLET && n >= 100000  ? ROUNDS
                                                               : 5;
    event     e = {which, n, compensated, steps_of(which, n), fewer(rounds(), most)};
    entrant   all[ENTRANTS];
    char      words[80];
    snprintf(words, sizeof words, "%s sums, N = %d", compensated ? "compensated" : "plain", n);
    progress(titles[which], words);
    int taking_part = gather(&e, all);
    compete(&e, all, taking_part);
    print(&e, all, taking_part);
    for (int k = 0; k < taking_part; k++) all[k].by->stop(all[k].self);
}

static void table(task which, int compensated, int least, int most)
{
    printf("\n### %s%s, h = %g, %s sums\n\n| N | by | ns | ratio | of rounds | iterations | "
           "difference | set-up, s | bytes a part | at most |\n"
           "|---|---|---|---|---|---|---|---|---|---|\n",
           titles[which], which == SPRINGS_VERLET ? " (Verlet)" : "", step_of(which),
           compensated ? "compensated" : "plain");
    for (int n = least; n <= most; n *= 10) hold(which, compensated, n);
}

int main(int argc, char **argv)
{
    int most = argc > 1  ? atoi(argv[1])
               : quick() ? 100000
                         : 1000000,
        least = argc > 2 ? atoi(argv[2]) : 1000;
    printf(
        "\n## Large systems, made of parts\n\n"
        "Springs with half a mass at either end, V = d^2/2 + d^4/4, tied end to end; cells of a "
        "coil, a resistor and a capacitor that meet\n"
        "in Kirchhoff nodes, driven at one end. Nanoseconds of processor time per mass or cell "
        "and step, all Newton iterations\n"
        "included; the ratio is to the scalar loop by hand, by rounds; the difference is from "
        "the first line, of the positions or of\n"
        "the capacitors' charges, where all have made the same number of steps. Set-up is not "
        "counted, for others neither: first factorisations\n"
        "are made in a round that is not. Rounds of explicit steps and of the ladder take a quarter "
        "of a second or more.\n"
        "Newton stops everywhere when the next correction would be below roundoff, except in "
        "ARKODE (tolerance 1e-10, Jacobian kept as long\n"
        "as it sees fit) and where PETSc keeps its Jacobian; both have the exact Jacobian, "
        "ordered so that nothing fills in, and factor that\n"
        "of the ladder once. PETSc's Verlet moves, kicks and moves, which ends a little "
        "elsewhere. ngspice steps by the trapezoidal rule,\n"
        "which does too; only its first eight cells are compared. 8 lanes: the chain in eight "
        "stretches side by side in vectors. Bytes are\n"
        "those of the library, held and at most.\n");
    for (task which = SPRINGS_VERLET; which <= LADDER_MIDPOINT; which++)
        for (int compensated = 0; compensated < 2; compensated++)
            table(which, compensated, least, most);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("\nPeak resident memory of all contestants together: %.2f GB.\n",
           (double)use.ru_maxrss / 1e6);
    return 0;
}
