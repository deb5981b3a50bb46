/* roughest.h - where the steps are the least smooth: where a second difference of increments stands
 * out the most among those of its coordinate,
 *
 *     r = max_j |z_j - 2 z'_j + z''_j| / mean of it so far                  theory.md [RESOLUTION]
 */
#ifndef MECH_STEPPER_ROUGHEST_H
#define MECH_STEPPER_ROUGHEST_H

#include "base/archive.h"

typedef struct stepper stepper;

typedef struct roughness { /* the text of codegen.c declares the same, of one system or of many in
                              lanes */
    double *sum;           /* n: of all second differences; NULL: nobody asks                */
    double *weight;        /* n: 1/mean                                                      */
    double *z;             /* 2 n: the last two increments, the newest first                 */
    double *p;             /* 2 n: where these began                                         */
    double *from;          /* 4 n: q and p where the roughest begins, how far it goes, and D */
    double *t;             /* when it begins                                                 */
    double *most;          /* its r                                                          */
    double *known;         /* differences in the sums                                        */
    double *seen;          /* steps that the increments are of: 0, 1 or 2                    */
    long    noted;         /* steps                                                          */
} roughness;

/* Room for n coordinates in as many lanes; what was noted there is forgotten. */
void roughest_room(mem *m, roughness *of, int n, int lanes);
void roughest_clear(roughness *of, int n, int lanes);

/* From one lane of many to another. */
void roughest_copy(const roughness *to, int to_lane, int to_lanes, const roughness *from,
                   int from_lane, int from_lanes, int n);

void roughest_archive(stepper *st, archive *r);

/* The state was changed by others. */
static inline void roughest_forget(const roughness *of)
{
    if (of->sum) *of->seen = 0;
}

#endif
