/* networks.c - the midpoint rule on lattices, networks, trees and linkages: the library beside loops
 * by hand. */
#include "networks.h"
#include "bench.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPRING(d) "(" d ")^2/2 + (" d ")^4/4"
#define FAR "x[mod(e, N) + 1] - x[mod(e*7919 + 31 + floor(e/N)*13, N) + 1]"
#define MASSES " coordinate x[N], y[N]\n" \
               " lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2 - 9.81*y[k])\n"
#define WAVE " for k in 1..N { start x[k] = 0.3*sin(0.37*k) }\n}\n"

static const char *const models[] = {
    [LATTICE] = " coordinate u[N][N]\n"
                " lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 - u[i][j]^2/20)\n"
                " lagrangian -sum(i in 1..N-1, j in 1..N: " SPRING("u[i+1][j] - u[i][j]") ")\n"
                " lagrangian -sum(i in 1..N, j in 1..N-1: " SPRING("u[i][j+1] - u[i][j]") ")\n"
                " for i in 1..N { for j in 1..N {"
                " start u[i][j] = 0.3*sin(0.37*i)*cos(0.21*j) } }\n}\n",
    [NETWORK] = " coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2/2 - x[k]^2/10)\n"
                " lagrangian -sum(e in 0..2*N-1: " SPRING(FAR) ")\n" WAVE,
    [TREE] = " coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2/2) - x[1]^2/2\n"
             " lagrangian -sum(k in 2..N: " SPRING("x[k] - x[floor(k/2)]") ")\n" WAVE,
    [RODS] = MASSES " holonomic first: x[1]^2 + y[1]^2 = 1\n"
             " holonomic rod[k in 2..N]: (x[k] - x[k-1])^2 + (y[k] - y[k-1])^2 = 1\n"
             " for k in 1..N { start x[k] = k*sin(1), y[k] = -k*cos(1) }\n}\n",
    [PENDULUMS] = MASSES " holonomic rod[k in 1..N]: x[k]^2 + y[k]^2 = 1\n"
                  " for k in 1..N { start x[k] = sin(k/N), y[k] = -cos(k/N) }\n}\n",
};

typedef struct {
    const char *name;
    layout      of;
    int         n;
    double      h;
    long        steps; /* of a round */
} race;

static const race races[] = {
    {"lattice of 100^2, midpoint, h = 0.1", LATTICE, 100, 0.1, 200},
    {"lattice of 100^2, midpoint, h = 0.5", LATTICE, 100, 0.5, 100},
    {"lattice of 100^2, midpoint, h = 3", LATTICE, 100, 3, 20},
    {"lattice of 300^2, midpoint, h = 0.5", LATTICE, 300, 0.5, 10},
    {"lattice of 1000^2, midpoint, h = 0.5", LATTICE, 1000, 0.5, 2},
    {"network of 1000, midpoint, h = 0.3", NETWORK, 1000, 0.3, 300},
    {"network of 1000, midpoint, h = 2", NETWORK, 1000, 2, 100},
    {"network of 10000, midpoint, h = 0.3", NETWORK, 10000, 0.3, 30},
    {"tree of 10000, midpoint, h = 0.3", TREE, 10000, 0.3, 100},
    {"rods, 100, midpoint, h = 0.002", RODS, 100, 0.002, 1000},
    {"rods, 1000, midpoint, h = 0.0005", RODS, 1000, 0.0005, 100},
    {"rods, 10000, midpoint, h = 0.0002", RODS, 10000, 0.0002, 10},
    {"pendulums, 10000, midpoint, h = 0.01", PENDULUMS, 10000, 0.01, 30},
};
enum { RACES = sizeof races / sizeof *races };

static session begin(const race *r)
{
    session x = session_new();
    char    step[32], model[1024];
    snprintf(step, sizeof step, "%.17g", r->h);
    snprintf(model, sizeof model, "system Network {\n parameter N = %d\n%s", r->n, models[r->of]);
    dal_options_set(x.o, "scheme", "midpoint"), dal_options_set(x.o, "step", step);
    dal_options_set(x.o, "steps", "1000000000"), dal_options_set(x.o, "backend", "native");
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "monitor", "1000000000");
    dal_options_set(x.o, "columns", "energy");
    if (session_start(&x, "networks.dal", model)) dal_report(x.cx, stderr, 0), exit(1);
    return x;
}

static double advance(session *x, long steps)
{
    const double from = seconds();
    if (dal_advance(x->s, steps)) dal_report(x->cx, stderr, 0), exit(1);
    return seconds() - from;
}

static double distance(const session *x, const hand *y)
{
    double far = 0;
    for (size_t j = 0; j < dal_size(x->s); j++)
        far = fmax(far, fabs(dal_q(x->s)[j] - hand_positions(y)[j]));
    return far;
}

static void row(const race *r, const char *by, const double *t, const double *other, double far)
{
    const double sites = r->of == LATTICE ? (double)r->n * r->n : r->n;
    const timing own = summarise(t, rounds()), to = ratio(t, other, rounds());
    printf("| %s | %s | %.1f | %.2f | %.2f-%.2f | %.0e |\n", r->name, by, own.median / sites * 1e9,
           to.median, to.low, to.high, far);
    reading(r->name, by, t, rounds());
    fflush(stdout);
}

/* The first ten steps, after which both predict from as many, are compared, and not timed. */
static void compete(const race *r)
{
    session x = begin(r);
    hand   *y = hand_new(r->of, r->n, r->h);
    double  a[ROUNDS], b[ROUNDS];
    progress("networks", r->name);
    advance(&x, 10), hand_advance(y, 10);
    const double far = distance(&x, y);
    for (int k = 0; k < rounds(); k++) {
        a[k] = advance(&x, r->steps) / (double)r->steps;
        b[k] = hand_advance(y, r->steps) / (double)r->steps;
    }
    row(r, "dalembert", a, b, far), row(r, "by hand", b, b, 0);
    session_free(&x), hand_free(y);
}

/* bench_networks [part of the name of a problem] */
int main(int argc, char **argv)
{
    puts("\n## Lattices, networks, trees and linkages\n\nNanoseconds of processor time per mass and step of the "
         "midpoint rule. By hand: Newton's iteration to roundoff,\nby matrix-free conjugate gradients, "
         "in trees by elimination from the leaves, in linkages for the multipliers alone (RATTLE); sums are plain. The difference is that of\npositions "
         "after ten steps.\n\n| problem | by | ns | ratio | of rounds | difference |\n"
         "|---|---|---|---|---|---|");
    for (int k = 0; k < RACES; k++)
        if (argc < 2 || strstr(races[k].name, argv[1])) compete(&races[k]);
    return 0;
}
