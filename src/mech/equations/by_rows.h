/* by_rows.h - the equations of a long chain, evaluated row by row without storing what the rows
 * consist of: what Newton's iteration and the end of a step ask of the engine that does so
 * (large/passes.c). */
#ifndef MECH_EQUATIONS_BY_ROWS_H
#define MECH_EQUATIONS_BY_ROWS_H

#include "linalg/partition.h"

typedef struct equations equations;
typedef struct newton    newton;
typedef struct history   history;
typedef struct by_rows   by_rows;

/* The size of a correction: the largest relative to its unknown, the largest of all, and the
 * largest unknown. */
typedef struct {
    double relative, most, size;
} row_measure;

/* to = y - J^-1 r(y). scale is the recent size of each unknown, computed there from y and two past
 * solutions unless those are NULL. first: the first correction of a step; later ones have the same
 * state and scale. */
typedef struct {
    const double        *y;
    double              *to, *scale;
    const double *const *known;
    bool                 first;
} row_unknowns;

/* The destination of a step: the state, in two parts. y: for a linear chain, where that goes. */
typedef struct {
    double *q, *q_low, *p, *p_low, *y;
    bool    plain;
} end_state;

struct by_rows {
    /* A complete Newton correction; NULL: it makes none. */
    partition_end (*correct)(by_rows *self, const equations *eq, const row_unknowns *u,
                             row_measure *made);

    /* Computes the state at the end of the curve y and adds the work along it to *work. False: some
     * number is not finite. NULL: it is computed as always. */
    bool (*end)(by_rows *self, const equations *eq, const double *y, const end_state *to,
                double *work);

    /* A whole step of linear equations, from past solutions; y goes to to->y, which history_take
     * then adopts. False: Newton's iteration is to make it. NULL: they are not linear. */
    bool (*step_linear)(newton *nw, history *before, end_state *to, double *work);
};

#endif
