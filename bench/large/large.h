/* large.h - the large problems, and who takes part in them.
 *
 * A contestant is made once, for a problem of n parts; then it goes on by so many steps in every
 * round and says how long that took. The first round is not counted, so that orderings and first
 * factorisations belong to the set-up, as reading a text does. Contestants that are not installed
 * are left out when this is configured. */
#ifndef BENCH_LARGE_H
#define BENCH_LARGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Springs: n of them, V = d^2/2 + d^4/4 each, between n + 1 masses of 1, at the ends 1/2; x_i =
 * sin(i/2)/2 at rest. The ladder: n cells of a coil of 1 and a resistor of 0.05 in a row and a
 * capacitor of 1 across, driven by sin(t). What is compared at the end is the positions of the
 * masses, and the charges of the capacitors. */
typedef enum { SPRINGS_VERLET, SPRINGS_MIDPOINT, LADDER_MIDPOINT } task;

#define RESISTANCE 0.05

/* Steps. */
#define H_VERLET 0.1
#define H_SPRINGS 0.8
#define H_LADDER 0.1

static inline double step_of(task which)
{
    return which == SPRINGS_VERLET ? H_VERLET : which == SPRINGS_MIDPOINT ? H_SPRINGS : H_LADDER;
}

typedef struct {
    task which;
    int  n;
    int  compensated; /* sums: whoever cannot is in the race of plain ones */
    long steps;       /* of the first round                               */
    int  rounds;      /* that are counted, after the first one            */
} event;

typedef struct {
    const char *name;
    void *(*start)(const event *e); /* NULL: it does not take part                         */
    double (*advance)(void *self, long steps); /* more: seconds, of the processor unless... */
    void (*look)(void *self, double *x);
    void (*stop)(void *self);
    double (*iterations)(void *self); /* of Newton, a step, in the last round; NULL: unknown   */
    int         on_the_wall;          /* ... it says so                                       */
    int         at_once;              /* it makes all steps of all rounds in one go           */
    const char *also;                 /* what else the last round says, in a row of its own: */
    double (*second)(void *self);     /* seconds                                             */
} runner;

/* What a simulation of the library took to make. */
typedef struct {
    double seconds;
    double held, most; /* bytes: at the end, and at the peak */
} making;

/* The k-th contestant of a file, from 0; NULL behind the last. */
typedef const runner *runners(int k);
runners               ours, by_hand, in_lanes;
#ifdef WITH_ODEINT
runners odeint;
#endif
#ifdef WITH_PETSC
runners petsc;
#endif
#ifdef WITH_ARKODE_KLU
runners arkode;
#endif
#ifdef WITH_NGSPICE
runners ngspice;
#endif

const making *ours_making(const void *self);

/* Shared by those who write the equations out: a spring pulls with d + d^3. */
static inline double pull(double d)
{
    return d + d * d * d;
}
static inline double stiffness(double d)
{
    return 1 + 3 * d * d;
}
static inline double mass_of(int i, int masses)
{
    return i == 0 || i == masses - 1 ? 0.5 : 1;
}
void    chain_start(int masses, double *x);
double *doubles(long n); /* zeros, from calloc; ends the program without memory */

#ifdef __cplusplus
}
#endif
#endif
