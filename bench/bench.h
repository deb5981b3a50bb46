/* bench.h - time, medians, ratios and readings: what every benchmark shares. Benchmarks print
 * tables; they are no tests.
 *
 * Contestants are measured in rounds, one after the other in each, so that a slow machine is slow
 * for all; a ratio is the median of the ratios of the rounds. BENCH=quick takes fewer rounds and
 * smaller systems. */
#ifndef BENCH_H
#define BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

enum { ROUNDS = 7 };

double seconds(void);    /* of this thread's processor time */
double elapsed(void);    /* on the wall                       */
double processors(void); /* of all threads of the process  */

typedef struct {
    double median, low, high, spread; /* spread: largest over smallest */
} timing;

timing summarise(const double *t, int n); /* n <= ROUNDS */
timing ratio(const double *a, const double *b, int n);

int  quick(void); /* BENCH=quick */
int  rounds(void);
void progress(const char *what, const char *of); /* a line on stderr */

/* What was measured, for the list of goals: a line of the file $BENCH_READINGS, if there is one.
 * Seconds, by rounds. */
void reading(const char *problem, const char *by, const double *t, int n);

#ifdef __cplusplus
}
#endif
#endif
