/* ngspice.c - ngspice with the ladder: a process that is given a netlist and says itself what its
 * transient took.
 *
 * Trapezoidal rule, steps of at most 0.1, tolerances so wide that it always takes that; after its
 * start it makes a few steps more than asked for. The time in which it orders its matrix, once, is
 * in a row of its own. */
#include "../bench.h"
#include "large.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SEEN = 8 }; /* voltages that are compared: those of the first cells */

typedef struct {
    event  e;
    double x[SEEN], step, order; /* seconds of a step, and of ordering spread over all */
} job;

static void netlist(const job *j, FILE *f)
{
    const double h = step_of(LADDER_MIDPOINT);
    const long   steps = j->e.steps * (j->e.rounds + 1);
    fprintf(f, "ladder\nV1 n0 0 SIN(0 1 0.15915494309189535)\n");
    for (int k = 1; k <= j->e.n; k++)
        fprintf(f, "L%d n%d m%d 1\nR%d m%d n%d %g\nC%d n%d 0 1\n", k, k - 1, k, k, k, k, RESISTANCE,
                k, k);
    fprintf(f, ".options noacct method=trap reltol=1 abstol=1 vntol=1 chgtol=1 trtol=1e6 "
               "numdgt=12\n.control\nsave");
    for (int k = 1; k <= SEEN; k++) fprintf(f, " v(n%d)", k);
    fprintf(f, "\ntran %g %.10g 0 %g uic\nrusage everything\n", h, h * (double)steps, h);
    for (int k = 1; k <= SEEN; k++)
        fprintf(f, "let x%d = v(n%d)[length(v(n%d))-1]\nprint x%d\n", k, k, k, k);
    fprintf(f, "quit\n.endc\n.end\n");
}

static double children(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)use.ru_utime.tv_sec + (double)use.ru_stime.tv_sec +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static void read_account(job *j, FILE *f)
{
    char   line[256];
    double transient = 0, order = 0, points = 0, value;
    int    cell;
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "Transient analysis time = %lf", &transient);
        sscanf(line, "Matrix reorder time = %lf", &order);
        sscanf(line, "Transient timepoints = %lf", &points);
        if (sscanf(line, "x%d = %lf", &cell, &value) == 2 && cell <= SEEN) j->x[cell - 1] = value;
    }
    j->step = points > 0 ? (transient - order) / points : -1, j->order = order / points;
}

/* Its account is of time on the wall; the share of a processor that it had is that of the whole
 * process. */
static double advance(void *self, long steps)
{
    job   *j = self;
    char   path[] = "/tmp/bench_ladder_XXXXXX", command[256];
    int    fd = mkstemp(path);
    FILE  *f = fd < 0 ? NULL : fdopen(fd, "w");
    double used = children(), begin = elapsed();
    if (!f) return -1;
    netlist(j, f), fclose(f);
    snprintf(command, sizeof command, "%s -b %s 2>/dev/null", WITH_NGSPICE, path);
    f = popen(command, "r");
    if (f) read_account(j, f), pclose(f);
    unlink(path);
    double share = (children() - used) / (elapsed() - begin);
    j->step *= share, j->order *= share;
    return j->step * (double)steps;
}

static double with_ordering(void *self)
{
    const job *j = self;
    return (j->step + j->order) * (double)j->e.steps;
}

static void *start(const event *e)
{
    if (e->which != LADDER_MIDPOINT || e->compensated || e->n > 100000) return NULL;
    job *j = calloc(1, sizeof *j);
    if (j) j->e = *e;
    return j;
}

static void look(void *self, double *x)
{
    memcpy(x, ((job *)self)->x, sizeof(double) * SEEN);
}

static void stop(void *self)
{
    free(self);
}

const runner *ngspice(int k)
{
    static const runner trap = {.name = "ngspice",
                                .start = start,
                                .advance = advance,
                                .look = look,
                                .stop = stop,
                                .at_once = 1,
                                .also = "ngspice, with its ordering",
                                .second = with_ordering};
    return k ? NULL : &trap;
}
