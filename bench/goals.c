/* goals.c - performance goals compared with measurements: bench_goals READINGS
 *
 * Rounds are compared one by one, and the median counts. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *problem, *who; /* the reading, */
    const char *other, *whom;  /* over this one, if there is one */
    double      scale, limit;
    int         at_least; /* else at most */
    const char *unit;
    const char *through; /* one that was measured, where whom, not installed here, took so many */
    double      times;   /* times as long elsewhere                                             */
} goal;

static const goal goals[] = {
#define AT_MOST(problem, who, whom, limit) {problem, who, problem, whom, 1, limit, 0, "x", 0, 0},
#define THROUGH(problem, who, whom, limit, through, times)                                         \
    {problem, who, problem, whom, 1, limit, 0, "x", through, times},
#define FASTER(problem, who, whom, limit) {problem, whom, problem, who, 1, limit, 1, "x", 0, 0},
#define GROWTH(problem, larger, parts, who, limit)                                                 \
    {larger, who, problem, who, 1.0 / (parts), limit, 0, "x", 0, 0},
#define BELOW(problem, who, scale, limit, unit)                                                    \
    {problem, who, NULL, NULL, scale, limit, 0, unit, 0, 0},
#include "goals.def"
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
        double other[ROUNDS] = {0};
        int    n = find(f, problem, name, strcspn(name, "|"), other);
        if (!n || (best && summarise(other, n).median >= least)) continue;
        best = n, least = summarise(other, n).median;
        memcpy(t, other, sizeof other);
    }
    return best;
}

/* a|b|c as a list */
static void print_names(const char *names)
{
    for (const char *c = names; *c; c++) {
        if (*c == '|') printf(", ");
        else putchar(*c);
    }
}

static void print_what(const goal *g)
{
    const char *who = g->at_least ? g->whom : g->who, *whom = g->at_least ? g->who : g->whom;
    printf("| %s | %s | ", g->problem, who);
    if (g->other && strcmp(g->problem, g->other))
        printf("%s%s", g->other, g->scale < 1 ? ", a part" : "");
    else if (whom) print_names(whom);
    printf(" |");
}

/* What was not measured, or an estimate of it. */
static void print_missing(FILE *f, const goal *g, const double *t, int n)
{
    double other[ROUNDS];
    int    m = g->through ? find(f, g->problem, g->through, strlen(g->through), other) : 0;
    if (n && m)
        printf(" about %.2g%s | | not measured: through %s |\n",
               ratio(t, other, n < m ? n : m).median / g->times, g->unit, g->through);
    else printf(" | | not measured |\n");
}

/* 1: it is met, 0: not, -1: it could not be told. */
static int print(FILE *f, const goal *g)
{
    double t[ROUNDS], other[ROUNDS] = {1, 1, 1, 1, 1, 1, 1};
    int    n = find(f, g->problem, g->who, strlen(g->who), t);
    int    m = g->other ? find_best(f, g->other, g->whom, other) : n;
    print_what(g);
    printf(" %s %.3g%s |", g->at_least ? "at least" : "at most", g->limit, g->unit);
    if (!n || !m) return print_missing(f, g, t, n), -1;
    timing x = ratio(t, other, n < m ? n : m);
    double value = x.median * g->scale;
    int    met = g->at_least ? value >= g->limit : value <= g->limit;
    printf(" %.3g%s | %.3g-%.3g | %s |\n", value, g->unit, x.low * g->scale, x.high * g->scale,
           met ? "met" : "**not met**");
    return met;
}

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    int   met = 0, told = 0, all = sizeof goals / sizeof *goals;
    if (!f) return fprintf(stderr, "bench_goals READINGS\n"), 1;
    printf(
        "\n## Goals\n\nThe first against the second: ratios of their times in one run, the median "
        "of the rounds and their range.\nThrough another: by its ratio, and how many times as long "
        "as that one trep took for the same steps on another\nAMD EPYC (6.2, 31 and 142).\n\n"
        "| problem | | against | goal | measured | of rounds | |\n"
        "|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < all; k++) {
        int is = print(f, &goals[k]);
        met += is > 0, told += is >= 0;
    }
    printf("\n%d of %d goals are met; %d could not be measured here.\n", met, all, all - told);
    fclose(f);
    return 0;
}
