/* stiff.h - stiff problems as differential equations, and who solves them to a tolerance. */
#ifndef BENCH_STIFF_H
#define BENCH_STIFF_H

#ifdef __cplusplus
extern "C" {
#endif

enum { STIFF_MOST = 40 }; /* numbers of a state */

typedef struct {
    const char *name, *model, *scheme; /* model: in the language, with its step and its end */
    int         size;
    double      until, every; /* every: time between jumps of the right-hand side; 0: it has none */
    void (*start)(double *y);
    void (*rhs)(double t, double after, const double *y, double *dy); /* after: the last jump */
    int         shown; /* that many numbers of y are compared, as the model names them        */
    const char *named[4];
    int         at[4];
    double      exact[4];
} stiff_problem;

/* Seconds of processor time; y becomes the end, *steps their number. Negative: it failed. */
typedef double stiff_solver(const stiff_problem *p, double tolerance, double *y, long *steps);
stiff_solver   by_ida, by_arkode;

#ifdef __cplusplus
}
#endif
#endif
