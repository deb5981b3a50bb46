/* row_terms.h - inside runs.c and rows/emit.c: the terms of a system as their passes see them. */
#ifndef MODEL_ROWS_ROW_TERMS_H
#define MODEL_ROWS_ROW_TERMS_H

#include "kernel/kernel.h"
#include "model/bound.h"
#include "model/rows/runs.h"

enum { ROWS_NEAR = 32 }; /* rows beyond a stretch to which the outputs of one term may go */

typedef struct {
    feed_kind from;
    int       feed;   /* number of the variable in the term's graph */
    int       stride; /* from one instance of a run to the next     */
} row_input;

typedef struct {
    const yield *of;
    row_source   source;
    int          offset; /* of an entry: column - row */
} row_output;

typedef struct {
    const derived *d;
    int            inputs, outputs, nodes;
    row_input     *input;
    row_output    *output;
    int            stride, halo;
    int            apart; /* numbers of two consecutive instances of a run */
    bool           rare; /* so few instances that they are added one by one */
    run_table      table;
} row_term;

static inline bool is_coordinate(feed_kind from)
{
    return from == FROM_Q || from == FROM_W || from == FROM_V;
}

struct row_plan {
    bound           *of; /* whose numbers are read */
    unsigned         wanted;
    int              reach, halo, nodes, terms;
    row_term        *term;
    const run_table *table;
    vec(row_region)  region; /* none, if a term has a stride */
};

void row_plan_find_regions(mem *m, row_plan *p); /* rows/regions.c */

#endif
