/* stages.c - schemes of several stages and compositions on large systems: the library beside loops
 * by hand of the same method. */
#include "stages.h"
#include "bench.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPRING(d) "(" d ")^2/2 + (" d ")^4/4"
#define WAVE "for k in 1..N { start x[k] = 0.3*sin(0.37*k) }\n"

static const char CHAIN_MODEL[] =
    "system Chain {\n parameter N = 10000\n coordinate x[N]\n"
    " lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: " SPRING(
        "x[k+1]-x[k]") ")"
                       " - x[1]^2/2 - x[N]^2/2\n " WAVE "}\n";
static const char LATTICE_MODEL[] =
    "system Lattice {\n parameter N = 100\n coordinate u[N][N]\n"
    " lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 - u[i][j]^2/20)\n"
    " lagrangian -sum(i in 1..N-1, j in 1..N: " SPRING(
        "u[i+1][j]-u[i][j]") ")"
                             " - sum(i in 1..N, j in 1..N-1: " SPRING(
                                 "u[i][j+1]-u[i][j]") ")\n"
                                                      " for i in 1..N { for j in 1..N { start u[i][j] = 0.3*sin(0.37*i)*cos(0.21*j) } }\n}\n";
static const char CELLS_MODEL[] =
    "system Cell {\n coordinate a[4]\n"
    " lagrangian sum(k in 1..4: a[k]'^2/2) - sum(k in 1..3: " SPRING(
        "a[k+1]-a[k]") ")\n}\n"
                       "system Cells {\n parameter N = 2500\n part cell[N]: Cell\n"
                       " lagrangian -sum(k in 1..N-1: (cell[k+1].a[1]-cell[k].a[4])^2/2) - cell[1].a[1]^2/2\n"
                       " for k in 1..N { start cell[k].a[1] = 0.3*sin(0.37*k) }\n}\n";

typedef struct {
    const char *name, *model, *scheme;
    layout      of;
    int         n, stages; /* of stages.h */
    double      h;
} race;

static const race races[] = {
    {"chain of 10000, gauss(2), h = 0.5", CHAIN_MODEL, "gauss(2)", CHAIN, 10000, 2, 0.5},
    {"chain of 10000, gauss(3), h = 0.5", CHAIN_MODEL, "gauss(3)", CHAIN, 10000, 3, 0.5},
    {"chain of 10000, gauss(4), h = 0.5", CHAIN_MODEL, "gauss(4)", CHAIN, 10000, 4, 0.5},
    {"chain of 10000, gauss(2), h = 0.1", CHAIN_MODEL, "gauss(2)", CHAIN, 10000, 2, 0.1},
    {"chain of 10000, gauss(4), h = 0.1", CHAIN_MODEL, "gauss(4)", CHAIN, 10000, 4, 0.1},
    {"lattice of 100^2, gauss(2), h = 0.5", LATTICE_MODEL, "gauss(2)", LATTICE, 100, 2, 0.5},
    {"lattice of 100^2, gauss(3), h = 0.5", LATTICE_MODEL, "gauss(3)", LATTICE, 100, 3, 0.5},
    {"chain of 10000, Yoshida's composition, h = 0.1", CHAIN_MODEL,
     "compose(trapezoid, yoshida(4))", CHAIN, 10000, 0, 0.1},
    {"cells of 4 atoms, gauss(2), h = 0.1", CELLS_MODEL, "gauss(2)", CELLS, 10000, 2, 0.1},
    {"cells of 4 atoms, trapezoid, h = 0.1", CELLS_MODEL, "trapezoid", CELLS, 10000, -1, 0.1},
};
enum { RACES = sizeof races / sizeof *races };

static session begin(const race *r)
{
    session x = session_new();
    char    step[32];
    snprintf(step, sizeof step, "%.17g", r->h);
    dal_options_set(x.o, "scheme", r->scheme), dal_options_set(x.o, "step", step);
    dal_options_set(x.o, "steps", "1000000000"), dal_options_set(x.o, "backend", "native");
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "monitor", "1000000000");
    dal_options_set(x.o, "columns", "energy");
    if (session_start(&x, "stages.dal", r->model)) dal_report(x.cx, stderr, 0), exit(1);
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
    hand   *y = hand_new(r->of, r->n, r->stages, r->h);
    double  a[ROUNDS], b[ROUNDS];
    long    steps = r->stages > 0 ? 100 : 2000;
    progress("stages", r->name);
    advance(&x, 10), hand_advance(y, 10);
    const double far = distance(&x, y);
    for (int k = 0; k < rounds(); k++) {
        a[k] = advance(&x, steps) / (double)steps;
        b[k] = hand_advance(y, steps) / (double)steps;
    }
    row(r, "dalembert", a, b, far), row(r, "by hand", b, b, 0);
    session_free(&x), hand_free(y);
}

int main(void)
{
    puts(
        "\n## Stages and compositions of large systems\n\nNanoseconds of processor time per mass and "
        "step, sums compensated. By hand: the same method, its stages iterated\nwithout a matrix "
        "until the largest of all changes leaves nothing above roundoff; dalembert goes on until that holds "
        "for\neach coordinate beside its own increment. The difference is that of positions after ten "
        "steps.\n\n| problem | by | ns | ratio | of rounds | difference |\n|---|---|---|---|---|---|");
    for (int k = 0; k < RACES; k++) compete(&races[k]);
    return 0;
}
