/* corners.h - jumps and kinks of the equations in time, and how smooth these are there. */
#ifndef MODEL_ANALYSE_CORNERS_H
#define MODEL_ANALYSE_CORNERS_H

#include "model/analyse/analyse.h"

enum { SMOOTH = 3 }; /* derivatives that are looked at, the value being the first */

typedef struct { /* the rows of a table that an input follows */
    int           input, n;
    const double *t;
} corner_table;

typedef struct { /* the times of a run */
    double from, h;
    long   steps;
    bool   any_time; /* steps choose their lengths: no time is known to lie between two of them */
    bool   at_ends;  /* a step evaluates the equations at its ends                               */
    int    tables;
    const corner_table *table;
} corners_asked;

typedef struct {
    kink   is;    /* the expression and its place; of a table the name of the input */
    int    input; /* whose table has a row there; -1: none                          */
    double t;
    int    smooth;  /* the derivative that jumps; 0: the value itself */
    bool   on_grid; /* t lies between two steps                                       */
} corner;

/* Those that lower the order of a step; returns how many, in memory of m. */
int corners_find(mem *m, bound *b, const sys_point *start, const corners_asked *asked,
                 corner **list);

#endif
