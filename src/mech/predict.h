/* predict.h - where Newton begins: past steps continued as a polynomial in the step number. */
#ifndef MECH_PREDICT_H
#define MECH_PREDICT_H

#include "base/mem.h"

#include <stdbool.h>

enum { PAST_MOST = 4 };

/* The unknowns of the last steps of one length; each substep of a composition has its own. */
typedef struct {
    double *y[PAST_MOST]; /* newest first */
    int     count, size;
} past;

void past_init(past *p, mem *m, int size);
void past_push(past *p, const double *y);
double *past_oldest(past *p); /* where the next solution goes, */
void past_turn(past *p);      /* once it is there              */
void past_extrapolate(const past *p, double *y); /* count > 0 */

#endif
