/* repeated.h - parts of a run made again with half the step, and what they tell of its errors.
 *                                                                       theory.md [ACCURACY] */
#ifndef MECH_STEPPER_REPEATED_H
#define MECH_STEPPER_REPEATED_H

/* From the start, from a state behind the middle, and from the roughest step (roughest.h). */
enum { PART_START, PART_MIDDLE, PART_ROUGHEST, REPEATED_PARTS };

typedef struct {    /* e ~ t^g */
    double most, g; /* most: the largest e; negative: not known */
    double length;  /* steps                                    */
    double mean;    /* of e, the root of its mean square,       */
    double last;    /* and e at the end                         */
} part_error;

#endif
