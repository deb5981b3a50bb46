/* problem.h - what the contest is about: a problem in every form that a contestant may want, and
 * contestants.
 *
 * A contestant solves a problem with one setting, a step or a tolerance, and says how much
 * processor time that took without its set-up. Contestants that are not installed are left out when
 * this is configured. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST = 8 }; /* numbers of a state in the form of an ordinary differential equation */

typedef struct {
    const char *name, *model; /* model: in the language */
    int         n;            /* coordinates                                       */
    int         size;         /* of y = (q, v), or fewer where a constraint binds v */
    double      start[MOST], until;
    int         periods; /* after so many the end is the start again; 0: it is not known */
    void (*rhs)(double t, const double *y, double *dy);
    /* q'' = F, NULL: it is not of that form; and its derivatives, by rows */
    void (*force)(const double *q, const double *v, double *F);
    void (*slopes)(const double *q, const double *v, double *Fq, double *Fv);
} problem;

extern const problem double_well, kepler, close_orbit, van_der_pol, sleigh;

/* Runs to `until` with a step or tolerance; then y is the last state. False: it could not. */
typedef int solve(const problem *p, double setting, double until, double *y, double *cpu_seconds);

typedef struct {
    const char *name;
    solve      *run;
    int         by_step; /* the setting is a step, else a tolerance             */
    int         slow;    /* it is so far behind that it is measured less often */
} contestant;

typedef enum { MIDPOINT_STEPS, VERLET_STEPS, ACCURACY, RACES } race;

/* The next contestant of a file in a race, from 0; NULL after the last. */
typedef const contestant *entrants(race r, int k);
entrants ours, by_hand, ias15;
#ifdef WITH_GSL
entrants gsl;
#endif
#ifdef WITH_SUNDIALS
entrants sundials;
#endif
#ifdef WITH_ODEINT
entrants odeint;
#endif
#ifdef WITH_PETSC
entrants petsc;
#endif
#ifdef WITH_SCIPY
entrants scipy;
#endif

double cpu_seconds(void);
/* steps of about h that end at `until`: their number */
long   whole_steps(double h, double until);
void   reference(const problem *p, double *y); /* the state at p->until, to about 1e-13 */
void   latencies(void);                        /* prints how long a first step takes */
void   pendulums(void);                        /* prints the table of n-link pendulums */
void   rigid_bodies(void);                     /* and of a free rigid body */
void   rods(void);                             /* and of rods with ball joints */
void   orbits(void);                           /* of a close orbit, by steps that adapt */
void   shots(void);                            /* of curves that are shot              */
void   bodies(void);                           /* and of bodies that attract each other */
/* a model by midpoint: seconds */
double run_words(const char *words, int n, const char *backend, double h, long steps, double *q);
double pendulum_by_arkode(int n, double h, long steps, double *th); /* seconds */

#ifdef __cplusplus
}
#endif
#endif
