/* roughest.h - where the steps are the least smooth: where a second difference of increments stands
 * out the most among those of its coordinate,
 *
 *     r = max_j |z_j - 2 z'_j + z''_j| / mean of it so far                  theory.md [RESOLUTION]
 */
#ifndef MECH_STEPPER_ROUGHEST_H
#define MECH_STEPPER_ROUGHEST_H

#include "base/archive.h"

typedef struct stepper stepper;

typedef struct {    /* the text of codegen.c declares the same */
    double *sum;    /* n: of all second differences; NULL: nobody asks                */
    double *weight; /* n: 1/mean                                                      */
    double *z;      /* 2 n: the last two increments, the newest first                 */
    double *last;   /* 2 n: q and p where the last step began                         */
    double *from;   /* 3 n: q and p where the roughest begins, and how far it goes    */
    double  most;   /* the largest r so far                                           */
    long    known;  /* differences in the sums                                        */
    long    seen;   /* steps in a row that these are of                               */
    long    k;      /* the number of the roughest; -1: it was known before            */
} roughness;

typedef struct {
    roughness of;
    double    t, h; /* when the roughest begins           */
    double    part; /* of a step, that z is the increment of */
    double   *step; /* n: room                            */
} roughest;

void roughest_watch(stepper *st); /* takes room */
void roughest_archive(stepper *st, archive *r);

/* A step by the general engine from t, q0 and p0, which has led to the present state. */
void roughest_note(stepper *st, double t, double h, const double *q0, const double *p0);

/* The same of an explicit step from q0 and p0, by its forces; it is the k-th of those that begin
 * and end below. */
void roughest_note_forces(stepper *st, long k, const double *F0, const double *F1);

/* Before and after steps of others, which begin at from + k h; part: the last substep in each. */
roughness *roughest_begin(stepper *st);
void       roughest_end(stepper *st, double from, double h, double part, const double *z);

/* The state was changed by others. */
static inline void roughest_forget(roughest *rough)
{
    rough->of.seen = 0, rough->of.most = 0;
}

#endif
