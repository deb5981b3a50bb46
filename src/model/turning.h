/* turning.h - coordinates that are no numbers: rotations R, and directions n = R e_3.
 *
 * Each has three rows, of which q is a chart and w the spin in body axes, with dR = R [zeta]; the
 * nine entries of R are what a model reads. A direction has the inertia 1 about itself, so that
 * its third row has a velocity: none.                                      theory.md [ROTATION] */
#ifndef MODEL_TURNING_H
#define MODEL_TURNING_H

typedef struct {
    int            count;
    int           *first;     /* row of each; two more follow it                       */
    unsigned char *direction; /* of each: only its third axis is meant                 */
    int           *of_row;    /* per coordinate: which of them it belongs to, or -1    */
} turning;

enum { TURNING_MATRIX = 9, TURNING_QUATERNION = 4 };

/* How many numbers a state has: n, then all matrices, then all quaternions. */
static inline int turning_width(const turning *t, int n)
{
    return n + (t ? (TURNING_MATRIX + TURNING_QUATERNION) * t->count : 0);
}

/* Where the momentum of one begins that is shown, in space axes, among the numbers of p. */
static inline int turning_shown(const turning *t, int n, int k)
{
    return n + 3 * (t->count + k);
}

/* How many numbers of p belong to a state: n, then momenta that are carried, and shown. */
static inline int turning_momenta(const turning *t, int n)
{
    return n + (t ? 6 * t->count : 0);
}

/* Where component j of what is shown of one stands: of its momentum among the numbers of p; of its
 * quaternion, or of a direction n = R e_3, among those of q. */
static inline int turning_column(const turning *t, int n, int k, int j, int of_p)
{
    if (of_p) return turning_shown(t, n, k) + j;
    return t->direction[k] ? n + TURNING_MATRIX * k + 3 * j + 2
                           : n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k + j;
}

/* How many of them are directions, which have two degrees of freedom. */
static inline int turning_directions(const turning *t)
{
    int count = 0;
    for (int k = 0; t && k < t->count; k++) count += t->direction[k] != 0;
    return count;
}

#endif
