/* goals.c - what is asked of the speed, beside what was measured: bench_goals READINGS
 *
 * A goal compares two readings, or one reading with a number. The best of several contestants is the fastest of those that
 * took part; rounds are compared one by one, and the median counts. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { AT_MOST, AT_LEAST } sense;

typedef struct {
    const char *words;   /* what is compared */
    const char *of, *by; /* the reading      */
    const char *to, *best; /* the other one; of names separated by |, the fastest; NULL: none */
    double      scale;   /* of the quotient, or of the reading */
    sense       which;
    double      limit;
    const char *unit;
} goal;

#define STEP_GOALS(problem)                                                                                            \
    {problem ", `midpoint`, native : by hand", problem ", midpoint", "dalembert", problem ", midpoint", "by hand", 1,  \
     AT_MOST, 1.5, "x"},                                                                                               \
    {problem ", `midpoint`, native : KINSOL", problem ", midpoint", "dalembert", problem ", midpoint", "KINSOL", 1,    \
     AT_MOST, 0.1, "x"},                                                                                               \
    {problem ", `midpoint`, vm : native", problem ", midpoint", "dalembert, vm", problem ", midpoint", "dalembert", 1, \
     AT_MOST, 8, "x"},                                                                                                 \
    {problem ", `midpoint`, vm : best of KINSOL, ARKODE, GSL, PETSc", problem ", midpoint", "dalembert, vm",           \
     problem ", midpoint", "KINSOL|ARKODE midpoint|GSL rk2imp|PETSc theta", 1, AT_MOST, 1, "x"}
#define VERLET_GOALS(problem)                                                                                          \
    {problem ", `trapezoid`, native : by hand", problem ", trapezoid", "dalembert", problem ", trapezoid", "by hand",  \
     1, AT_MOST, 1.5, "x"},                                                                                            \
    {problem ", `trapezoid`, native : odeint", problem ", trapezoid", "dalembert", problem ", trapezoid",              \
     "odeint velocity_verlet", 1, AT_MOST, 1.2, "x"},                                                                  \
    {problem ", `trapezoid`, vm : native", problem ", trapezoid", "dalembert, vm", problem ", trapezoid", "dalembert", \
     1, AT_MOST, 8, "x"}
#define TO(words, problem, best, limit)                                                                                \
    {problem " " words, problem, "dalembert", problem, best, 1, AT_MOST, limit, "x"}
#define LINKS(n, of_trep)                                                                                              \
    {"pendulum of " #n " links : by hand", "pendulum of " #n " links", "dalembert", "pendulum of " #n " links",        \
     "by hand", 1, AT_MOST, 3, "x"},                                                                                   \
    {"pendulum of " #n " links : ARKODE", "pendulum of " #n " links", "dalembert", "pendulum of " #n " links",         \
     "ARKODE midpoint", 1, AT_MOST, 0.4, "x"},                                                                         \
    {"pendulum of " #n " links : trep", "pendulum of " #n " links", "dalembert", "pendulum of " #n " links", "trep",   \
     1, AT_MOST, of_trep, "x"}
#define LARGE(words, problem, ours, best, limit) {problem ", " words, problem, ours, problem, best, 1, AT_MOST, limit, "x"}
#define CHAIN(n)                                                                                                       \
    LARGE("native : one pass by hand", "springs, trapezoid, plain, " #n, "dalembert", "by hand", 1.5),                 \
    LARGE("native : by hand", "springs, trapezoid, compensated, " #n, "dalembert", "by hand", 1.5),                    \
    LARGE("native : best of odeint, PETSc", "springs, trapezoid, plain, " #n, "dalembert",                             \
          "odeint velocity_verlet|PETSc", 0.4),                                                                        \
    {"springs, trapezoid, plain, " #n ", 2 threads : 1, faster, elapsed", "springs, trapezoid, plain, " #n,            \
     "dalembert", "springs, trapezoid, plain, " #n, "dalembert, 2 threads, elapsed", 1, AT_LEAST, 1.6, "x"}
#define FPUT(n)                                                                                                        \
    LARGE("native : scalar Newton by hand", "springs, midpoint, plain, " #n, "dalembert", "by hand", 1),               \
    LARGE("native : 8 lanes by hand (the stretch)", "springs, midpoint, plain, " #n, "dalembert", "by hand, 8 lanes",  \
          2),                                                                                                          \
    LARGE("native : scalar Newton by hand", "springs, midpoint, compensated, " #n, "dalembert", "by hand", 1),         \
    LARGE("native : PETSc", "springs, midpoint, plain, " #n, "dalembert", "PETSc", 0.1),                               \
    LARGE("native : PETSc, Jacobian kept", "springs, midpoint, plain, " #n, "dalembert", "PETSc, Jacobian kept", 0.1), \
    LARGE("native : ARKODE + KLU", "springs, midpoint, plain, " #n, "dalembert", "ARKODE + KLU", 0.05)
#define CELLS(n)                                                                                                       \
    LARGE("native : 8 lanes by hand", "RLC ladder, midpoint, plain, " #n, "dalembert", "by hand, 8 lanes", 5),         \
    LARGE("native : PETSc", "RLC ladder, midpoint, plain, " #n, "dalembert", "PETSc", 0.2),                            \
    LARGE("native : ARKODE + KLU", "RLC ladder, midpoint, plain, " #n, "dalembert", "ARKODE + KLU", 0.05)
#define FLAT(words, problem)                                                                                           \
    {words ", vm, a part of 10^6 : a part of 10^3", problem ", 1000000", "dalembert, vm", problem ", 1000",            \
     "dalembert, vm", 1e-3, AT_MOST, 1.5, "x"}

static const goal goals[] = {
    STEP_GOALS("double well"),
    STEP_GOALS("Kepler, e = 0.6"),
    STEP_GOALS("coupled van der Pol"),
    VERLET_GOALS("double well"),
    VERLET_GOALS("Kepler, e = 0.6"),
    LINKS(2, 1 / 30.0),
    LINKS(10, 1 / 80.0),
    LINKS(30, 1 / 500.0),
    TO(": Gauss-12 by hand", "double well, to 1e-10", "Gauss by hand", 1.5),
    TO(": best of GSL, odeint", "double well, to 1e-10", "GSL rk8pd|odeint rkf78", 0.35),
    TO(": Gauss-12 by hand", "Kepler, e = 0.6, to 1e-10", "Gauss by hand", 1.5),
    TO(": GSL", "Kepler, e = 0.6, to 1e-10", "GSL rk8pd", 0.85),
    TO(": IAS15 of REBOUND", "Kepler, e = 0.6, to 1e-10", "IAS15", 0.25),
    TO(": Gauss-12 by hand", "coupled van der Pol, to 1e-10", "Gauss by hand", 1.5),
    TO(": GSL", "coupled van der Pol, to 1e-10", "GSL rk8pd", 1),
    TO(": best of SUNDIALS", "coupled van der Pol, to 1e-10", "CVODE Adams|ARKODE erk8", 0.1),
    TO(": Gauss-8 by hand", "Chaplygin's sleigh, to 1e-06", "Gauss by hand", 1.5),
    TO(": IDA", "Chaplygin's sleigh, to 1e-06", "IDA index 2", 0.05),
    TO(": CVODE", "Chaplygin's sleigh, to 1e-06", "CVODE Adams", 0.1),
    {"ensemble, `midpoint`, in blocks : one by one, faster", "ensemble, midpoint", "one by one", "ensemble, midpoint",
     "in blocks", 1, AT_LEAST, 4, "x"},
    {"ensemble, 2 threads : 1, faster, elapsed", "ensemble, midpoint", "1 thread, elapsed", "ensemble, midpoint",
     "2 threads, elapsed", 1, AT_LEAST, 1.7, "x"},
    CHAIN(100000),
    CHAIN(1000000),
    FPUT(100000),
    CELLS(1000),
    CELLS(10000),
    CELLS(100000),
    LARGE("native : ngspice", "RLC ladder, midpoint, plain, 1000", "dalembert", "ngspice", 1 / 50.0),
    LARGE("native : ngspice with its ordering", "RLC ladder, midpoint, plain, 100000", "dalembert",
          "ngspice, with its ordering", 1 / 250.0),
    {"RLC ladder, native, 10^5 cells : 10^4 cells", "RLC ladder, midpoint, plain, 100000", "dalembert",
     "RLC ladder, midpoint, plain, 10000", "dalembert", 1, AT_MOST, 15, "x"},
    {"10^6 springs as parts, made in", "springs, trapezoid, compensated, 1000000", "set-up", NULL, NULL, 1, AT_MOST, 10,
     " s"},
    {"10^6 springs as parts, memory at most", "springs, trapezoid, compensated, 1000000", "bytes", NULL, NULL, 1e-9,
     AT_MOST, 2, " GB"},
    {"10^6 springs, `trapezoid`, vm, a mass", "springs, trapezoid, compensated, 1000000", "dalembert, vm", NULL, NULL,
     1e3, AT_MOST, 15, " ns"},
    {"10^6 springs, `midpoint`, vm, a mass and Newton iteration", "springs, midpoint, compensated, 1000000",
     "dalembert, vm, an iteration", NULL, NULL, 1e3, AT_MOST, 60, " ns"},
    FLAT("springs, `trapezoid`", "springs, trapezoid, compensated"),
    FLAT("springs, `midpoint`", "springs, midpoint, compensated"),
    FLAT("RLC ladder, `midpoint`", "RLC ladder, midpoint, compensated"),
    {"first step, vm", "first step", "vm", NULL, NULL, 1e3, AT_MOST, 10, " ms"},
    {"first step, native, compiled", "first step", "native, compiled", NULL, NULL, 1e3, AT_MOST, 150, " ms"},
    {"first step, native, kept", "first step", "native, kept", NULL, NULL, 1e3, AT_MOST, 10, " ms"},
};

/* The rounds of a reading, if it was taken: how many. The last one of a name counts. */
static int find(FILE *f, const char *problem, const char *by, size_t length, double *t)
{
    char line[512], key[256];
    int  found = 0;
    snprintf(key, sizeof key, "%s; %.*s\t", problem, (int)length, by);
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, key, strlen(key))) continue;
        char *at = line + strlen(key), *end;
        for (found = 0; found < ROUNDS; found++, at = end) {
            t[found] = strtod(at, &end);
            if (end == at) break;
        }
    }
    return found;
}

/* The fastest of the names in a|b|c. */
static int find_best(FILE *f, const char *problem, const char *names, double *t)
{
    int    best = 0;
    double least = 0;
    for (const char *name = names; name; name = strchr(name, '|'), name = name ? name + 1 : NULL) {
        double other[ROUNDS];
        int    n = find(f, problem, name, strcspn(name, "|"), other);
        if (!n || (best && summarise(other, n).median >= least)) continue;
        best = n, least = summarise(other, n).median;
        memcpy(t, other, sizeof other);
    }
    return best;
}

static void print(FILE *f, const goal *g)
{
    double t[ROUNDS], other[ROUNDS];
    int    n = find(f, g->of, g->by, strlen(g->by), t), m = g->to ? find_best(f, g->to, g->best, other) : n;
    printf("| %s | %s %.3g%s |", g->words, g->which == AT_MOST ? "at most" : "at least", g->limit, g->unit);
    if (!n || !m) {
        printf(" | | not measured here |\n");
        return;
    }
    n = n < m ? n : m;
    if (!g->to)
        for (int r = 0; r < n; r++) other[r] = 1;
    timing x = ratio(t, other, n);
    double value = x.median * g->scale;
    int    met = g->which == AT_MOST ? value <= g->limit : value >= g->limit;
    printf(" %.3g%s | %.3g-%.3g | %s |\n", value, g->unit, x.low * g->scale, x.high * g->scale, met ? "met" : "**not met**");
}

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!f) return fprintf(stderr, "bench_goals READINGS\n"), 1;
    printf("\n## Goals\n\nRatios of times in one run, median and range of the rounds.\n\n| what | goal | measured | of rounds | |\n|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof goals / sizeof *goals; k++) print(f, &goals[k]);
    fclose(f);
    return 0;
}
