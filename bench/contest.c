/* contest.c - small problems: the library, hand-written loops and other libraries, interleaved in
 * one run.
 *
 *     bench_contest                          all tables
 *     bench_contest pendulums                that table only; also: rigid, rods, bodies, accuracy
 *     bench_contest count PROBLEM NAME N     N midpoint steps of one contestant, to be counted */
#include "bench.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static entrants *const files[] = {
    ours, by_hand, ias15,
#ifdef WITH_ODEINT
    odeint,
#endif
#ifdef WITH_GSL
    gsl,
#endif
#ifdef WITH_SUNDIALS
    sundials,
#endif
#ifdef WITH_PETSC
    petsc,
#endif
#ifdef WITH_SCIPY
    scipy,
#endif
};
enum { FILES = sizeof files / sizeof *files, ENTRANTS = 16 };

static const char *names[RACES] = {"midpoint", "trapezoid", "accuracy"};

double cpu_seconds(void)
{
    return seconds();
}

long whole_steps(double h, double until)
{
    return (long)fmax(1, ceil(until / h - 1e-9));
}

static int gather(race r, const contestant **all)
{
    int n = 0;
    for (int f = 0; f < FILES; f++)
        for (int k = 0; files[f](r, k); k++) all[n++] = files[f](r, k);
    return n;
}

/* Everyone's step, of the same length. --------------------------------------------------------- */

typedef struct {
    double t[ENTRANTS][ROUNDS]; /* seconds */
    int    good[ENTRANTS];
} result;

/* The place of one of the contestants; 0 if it is not there. */
static int place(const contestant **all, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(all[k]->name, name)) return k;
    return 0;
}

static void race_steps(race r, const char *method, const problem *p, double h, long steps)
{
    const contestant *all[ENTRANTS];
    double            y[ENTRANTS][MOST] = {{0}};
    result            x = {.good = {0}};
    int               n = gather(r, all), hand = place(all, n, "by hand");
    char              title[80];
    snprintf(title, sizeof title, "%s, %s", p->name, names[r]);
    progress(title, NULL);
    for (int round = 0; round < rounds(); round++)
        for (int k = 0; k < n; k++) {
            long own = all[k]->slow ? steps / 20 : steps;
            x.good[k] = all[k]->run(p, h, h * (double)own, y[k], &x.t[k][round]);
            x.t[k][round] /= (double)own;
        }
    for (int k = 0; k < n; k++) {
        double far = 0;
        if (!x.good[k]) continue;
        timing own = summarise(x.t[k], rounds()), to = ratio(x.t[k], x.t[hand], rounds());
        double first[MOST], unused;
        if (all[k]->slow) all[0]->run(p, h, h * (double)(steps / 20), first, &unused);
        else memcpy(first, y[0], sizeof first);
        for (int i = 0; i < p->n; i++) far = fmax(far, fabs(y[k][i] - first[i]));
        printf("| %s | %s, h = %g | %s | %.1f | %.2f | %.2f-%.2f | %.0e |\n", k ? "" : p->name,
               method, h, all[k]->name, own.median * 1e9, to.median, to.low, to.high, far);
        reading(title, all[k]->name, x.t[k], rounds());
        fflush(stdout);
    }
}

static void steps_table(void)
{
    printf("\n## One step\n\nNanoseconds of processor time; the ratio is to the loop by hand, the "
           "last column the distance of the final\n"
           "position from the first line's. By hand, and by dalembert, sums are compensated and "
           "Newton goes to roundoff; other libraries\n"
           "neither compensate nor go below 1e-12, GSL's rk2imp makes two half steps, so that it "
           "ends elsewhere, and PETSc makes fewer steps.\n\n"
           "| problem | method | by | ns per step | ratio | of rounds | difference "
           "|\n|---|---|---|---|---|---|---|\n");
    race_steps(MIDPOINT_STEPS, "midpoint", &double_well, 0.01, 100000);
    race_steps(MIDPOINT_STEPS, "midpoint", &kepler, 0.01, 100000);
    race_steps(MIDPOINT_STEPS, "midpoint", &van_der_pol, 0.01, 100000);
    race_steps(VERLET_STEPS, "trapezoid (Verlet)", &double_well, 0.01, 500000);
    race_steps(VERLET_STEPS, "trapezoid (Verlet)", &kepler, 0.01, 200000);
}

/* Everyone's fastest way to an accuracy. ------------------------------------------------------- */

static double error_of(const problem *p, const double *y, const double *end)
{
    double far = 0;
    int    size = p->size == 2 * p->n ? p->size : p->n;
    for (int i = 0; i < size; i++)
        far = isfinite(y[i]) ? fmax(far, fabs(y[i] - end[i])) : HUGE_VAL;
    return far;
}

/* The coarsest setting that reaches the accuracy; 0: none. Of steps the next shorter one must too,
 * since errors of long ones may vanish by accident. */
static double find_setting(const contestant *c, const problem *p, const double *end,
                           double accuracy)
{
    const int    scripted = c->slow;
    const double ratio = c->by_step ? 0.95 : scripted ? 0.1 : 0.7;
    double       setting = c->by_step ? 1.5 : accuracy, found = 0;
    for (int k = 0; k < (scripted ? 5 : 90) && setting > 2e-16; k++, setting *= ratio) {
        double    y[MOST] = {0}, cpu = 0;
        const int good =
            c->run(p, setting, p->until, y, &cpu) && error_of(p, y, end) <= accuracy;
        if (good && !c->by_step) return setting;
        if (good && found > 0) return found;
        if (cpu > 5) return 0;
        found = good ? setting : 0;
    }
    return found;
}

/* One round: of runs shorter than a millisecond several, in turn with those of the others, and
 * their median. What is far behind runs in the first round only. */
static void round_of(const contestant **all, int n, const problem *p, const double *setting,
                     int round, result *x)
{
    double t[ENTRANTS][ROUNDS], y[MOST];
    int    runs[ENTRANTS] = {0};
    for (int turn = 0; turn < ROUNDS; turn++)
        for (int k = 0; k < n; k++) {
            if (setting[k] <= 0 || (all[k]->slow && round)) continue;
            if (turn && t[k][0] > 1e-3) continue;
            all[k]->run(p, setting[k], p->until, y, &t[k][runs[k]++]);
        }
    for (int k = 0; k < n; k++)
        x->t[k][round] = runs[k] ? summarise(t[k], runs[k]).median : x->t[k][0];
}

static void print_reached(const contestant *c, double setting, const double *t, const double *hand)
{
    if (setting <= 0) {
        printf(" not reached | | | |\n");
        return;
    }
    timing own = summarise(t, rounds()), to = ratio(t, hand, rounds());
    printf(" %.3f | %.2f | %.2f-%.2f | %s%.3g |\n", 1e3 * own.median, to.median, to.low, to.high,
           c->by_step ? "h = " : "tolerance ", setting);
}

static void race_to(const problem *p, double accuracy)
{
    const contestant *all[ENTRANTS];
    double            end[MOST], setting[ENTRANTS];
    result            x = {.good = {0}};
    int               n = gather(ACCURACY, all), hand = place(all, n, "Gauss by hand");
    char              title[80];
    snprintf(title, sizeof title, "%s, to %.0e", p->name, accuracy);
    progress(title, NULL);
    reference(p, end);
    for (int k = 0; k < n; k++) setting[k] = find_setting(all[k], p, end, accuracy);
    for (int round = 0; round < rounds(); round++) round_of(all, n, p, setting, round, &x);
    for (int k = 0; k < n; k++) {
        if (!strncmp(all[k]->name, p == &sleigh ? "IAS15" : "IDA", 3)) continue;
        if (k) printf("| | | %s |", all[k]->name);
        else printf("| %s, T = %.0f | %.0e | %s |", p->name, p->until, accuracy, all[k]->name);
        print_reached(all[k], setting[k], x.t[k], x.t[hand]);
        if (setting[k] > 0) reading(title, all[k]->name, x.t[k], rounds());
        fflush(stdout);
    }
}

static void accuracy_table(void)
{
    printf("\n## To an accuracy\n\nMilliseconds of processor time without set-up, with the "
           "coarsest step or tolerance whose final state is that\n"
           "accurate (of a step, the next shorter one must be accurate too): steps from 1.5 down by "
           "factors of 0.95, tolerances by 0.7. Runs shorter than a\n"
           "millisecond are made %d times a round, in turn with those of the others, and their "
           "median counts. dalembert uses `gauss(6)`, for the\n"
           "sleigh `gauss(4)`, and makes its steps by `dal_advance`, without diagnostics; the "
           "loops by hand Nystroem's method at the same points,\n"
           "which integrates accelerations twice exactly and has a smaller error, for the sleigh "
           "`gauss(4)`. IAS15 is written out for these problems, a stand-in for REBOUND's; its "
           "tolerance\nhere is (epsilon / 1000)^2. scipy is run once.\n\n"
           "| problem | error | by | ms | ratio | of rounds | with "
           "|\n|---|---|---|---|---|---|---|\n",
           ROUNDS);
    race_to(&double_well, 1e-10), race_to(&kepler, 1e-10);
    race_to(&van_der_pol, 1e-10), race_to(&van_der_pol, 1e-6);
    race_to(&sleigh, 1e-6);
}

static int count(const char *which, const char *who, long steps)
{
    static const problem *const known[] = {&double_well, &kepler, &van_der_pol};
    const contestant           *all[ENTRANTS];
    double                      y[MOST], cpu;
    for (int n = gather(MIDPOINT_STEPS, all), k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            if (!strcmp(all[k]->name, who) && !strcmp(known[i]->name, which))
                return !all[k]->run(known[i], 0.01, 0.01 * (double)steps, y, &cpu);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "count")) return count(argv[2], argv[3], atol(argv[4]));
    if (argc == 2 && !strcmp(argv[1], "pendulums")) return pendulums(), 0;
    if (argc == 2 && !strcmp(argv[1], "rigid")) return rigid_bodies(), 0;
    if (argc == 2 && !strcmp(argv[1], "rods")) return rods(), 0;
    if (argc == 2 && !strcmp(argv[1], "bodies")) return bodies(), 0;
    if (argc == 2 && !strcmp(argv[1], "orbits")) return orbits(), 0;
    if (argc == 2 && !strcmp(argv[1], "shots")) return shots(), 0;
    if (argc == 2 && !strcmp(argv[1], "accuracy")) return accuracy_table(), 0;
    steps_table();
    accuracy_table();
    pendulums();
    rigid_bodies();
    rods();
    orbits();
    shots();
    bodies();
    latencies();
    return 0;
}
