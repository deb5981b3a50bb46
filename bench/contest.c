/* contest.c - small problems: the library, loops by hand and other libraries, in one run, interleaved.
 *
 *     bench_contest                          all tables
 *     bench_contest count PROBLEM NAME N     N midpoint steps of one contestant, for a tool that counts instructions */
#include "bench.h"
#include "problem.h"

#include <math.h>
#include <string.h>

static entrants *const files[] = {
    ours, by_hand,
#ifdef WITH_ODEINT
    odeint,
#endif
#ifdef WITH_GSL
    gsl,
#endif
#ifdef WITH_SUNDIALS
    sundials,
#endif
#ifdef WITH_SCIPY
    scipy,
#endif
};
enum { FILES = sizeof files / sizeof *files, ENTRANTS = 16 };

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

/* Everyone's step, of the same length. ---------------------------------------------------------------------------- */

static void race_steps(race r, const char *method, const problem *p, double h, long steps)
{
    const contestant *all[ENTRANTS];
    double            t[ENTRANTS][ROUNDS], y[ENTRANTS][MOST] = {{0}}, hand = 0;
    int               n = gather(r, all), good[ENTRANTS];
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++) good[k] = all[k]->run(p, h, h * (double)steps, y[k], &t[k][round]);
    for (int k = 0; k < n; k++)
        if (good[k] && !strcmp(all[k]->name, "by hand")) hand = summarise(t[k], ROUNDS).median;
    for (int k = 0; k < n; k++) {
        double far = 0;
        if (!good[k]) continue;
        timing x = summarise(t[k], ROUNDS);
        for (int i = 0; i < p->n; i++) far = fmax(far, fabs(y[k][i] - y[0][i]));
        printf("| %s | %s, h = %g | %s | %.1f | %.2f | %.2f | %.0e |\n", k ? "" : p->name, method, h, all[k]->name,
               x.median * 1e9 / (double)steps, x.median / hand, x.spread, far);
        fflush(stdout);
    }
}

static void steps_table(void)
{
    printf("\n## One step\n\nNanoseconds of processor time; the ratio is to the loop by hand, the last column the distance of the final\n"
           "position from the first line's. By hand, and by dalembert, sums are compensated and Newton goes to roundoff; other libraries\n"
           "neither compensate nor go below 1e-12, and GSL's rk2imp makes two half steps, so that it ends elsewhere.\n\n"
           "| problem | method | by | ns per step | ratio | spread | difference |\n|---|---|---|---|---|---|---|\n");
    race_steps(MIDPOINT_STEPS, "midpoint", &double_well, 0.01, 100000);
    race_steps(MIDPOINT_STEPS, "midpoint", &kepler, 0.01, 100000);
    race_steps(MIDPOINT_STEPS, "midpoint", &van_der_pol, 0.01, 100000);
    race_steps(VERLET_STEPS, "trapezoid (Verlet)", &double_well, 0.01, 500000);
    race_steps(VERLET_STEPS, "trapezoid (Verlet)", &kepler, 0.01, 200000);
}

/* Everyone's fastest way to an accuracy. ---------------------------------------------------------------------------- */

static double error_of(const problem *p, const double *y, const double *end)
{
    double far = 0;
    int    size = p->size == 2 * p->n ? p->size : p->n;
    for (int i = 0; i < size; i++) far = fmax(far, fabs(y[i] - end[i]));
    return isfinite(far) ? far : HUGE_VAL;
}

/* The coarsest setting that reaches the accuracy with all finer ones tried nearby; 0: none. */
static double find_setting(const contestant *c, const problem *p, const double *end, double accuracy)
{
    const int scripted = !strncmp(c->name, "scipy", 5);
    double    setting = c->by_step ? 1.0 : accuracy, ratio = c->by_step ? 0.85 : scripted ? 0.1 : 0.5;
    for (int k = 0; k < (scripted ? 5 : 45) && setting > 2e-16; k++, setting *= ratio) {
        double y[MOST] = {0}, cpu;
        if (!c->run(p, setting, p->until, y, &cpu)) {
            if (!k) return 0;
            continue;
        }
        if (error_of(p, y, end) <= accuracy) return setting;
        if (cpu > 5) return 0;
    }
    return 0;
}

static void race_to(const problem *p, double accuracy)
{
    const contestant *all[ENTRANTS];
    double            t[ENTRANTS][ROUNDS], end[MOST], setting[ENTRANTS], hand = 0;
    int               n = gather(ACCURACY, all);
    reference(p, end);
    for (int k = 0; k < n; k++) setting[k] = find_setting(all[k], p, end, accuracy);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++) {
            double y[MOST];
            if (setting[k] > 0) all[k]->run(p, setting[k], p->until, y, &t[k][round]);
        }
    for (int k = 0; k < n; k++)
        if (setting[k] > 0 && !strcmp(all[k]->name, "Gauss by hand")) hand = summarise(t[k], ROUNDS).median;
    for (int k = 0; k < n; k++) {
        if (!strncmp(all[k]->name, "IDA", 3) && p != &sleigh) continue;
        if (k) printf("| | | %s |", all[k]->name);
        else printf("| %s, T = %.0f | %.0e | %s |", p->name, p->until, accuracy, all[k]->name);
        if (setting[k] <= 0) {
            printf(" not reached | | | |\n");
            continue;
        }
        timing x = summarise(t[k], ROUNDS);
        printf(" %.3f | %.2f | %.2f | %s%.2g |\n", 1e3 * x.median, x.median / hand, x.spread,
               all[k]->by_step ? "h = " : "tolerance ", setting[k]);
        fflush(stdout);
    }
}

static void accuracy_table(void)
{
    printf("\n## To an accuracy\n\nMilliseconds of processor time without set-up, with the coarsest step or tolerance whose final state is that\n"
           "accurate. dalembert and the loops by hand use `gauss(6)`, for the sleigh `gauss(4)`.\n\n"
           "| problem | error | by | ms | ratio | spread | with |\n|---|---|---|---|---|---|---|\n");
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
    steps_table();
    accuracy_table();
    pendulums();
    latencies();
    return 0;
}
