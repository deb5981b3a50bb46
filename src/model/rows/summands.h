/* summands.h - inside rows/uniform.c and emit_uniform.c: the terms that every row of a region is
 * the sum of. */
#ifndef MODEL_ROWS_SUMMANDS_H
#define MODEL_ROWS_SUMMANDS_H

#include "model/rows/uniform.h"
#include "model/rows/loops.h"

/* A term of the pattern. Instance k at a site gives output y to row phase + out[y] + k stride from
 * where the site begins, and reads coordinate phase + in[j] + k stride. */
struct lane_term {
    const row_loop *of;
    int             number;         /* of the loop                                             */
    int             phase, per_site;
    int            *in, *out;
    int             first, history; /* instances before those that come with a site, from `first` */
    int             still, moving;  /* numbers of its first input of either kind               */
};

#endif
