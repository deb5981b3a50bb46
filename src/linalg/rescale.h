/* rescale.h - row and column scalings that make the entries of a matrix as equal in size as
 * possible: for a matrix that looks singular but may only mix different units. */
#ifndef LINALG_RESCALE_H
#define LINALG_RESCALE_H

#include "linalg/pattern.h"

typedef struct {
    pattern p;
    double *row, *column; /* factors: powers of two              */
    double *sum;          /* room                                */
    int    *count;
    double *values;       /* row_i a_ij column_j of the last one */
} rescaling;

rescaling *rescaling_new(mem *m, const pattern *p);

/* The scaled entries; NULL if an entry is not finite, or units are much alike already. */
const double *rescaling_apply(rescaling *s, const double *values);

#endif
