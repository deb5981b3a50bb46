/* loops.h - inside rows/emit*.c: a pass as loops over the instances of each term, each into arrays
 * of its own, and which arrays a row is the sum of. */
#ifndef MODEL_ROWS_LOOPS_H
#define MODEL_ROWS_LOOPS_H

#include "kernel/emit_c.h"
#include "model/rows/row_terms.h"

typedef struct { /* one loop: a term and those of its outputs that are wanted */
    const row_term *t;
    int             term, outputs;
    int            *output;
    int            *twin;   /* of each, an earlier one that it is, or minus that; itself: none */
    bool           *negative;
    bool           *shared; /* it is the twin of another                                        */
    int            *shift;  /* its row less that of its twin                                    */
} row_loop;

typedef struct row_loops {
    const row_plan *p;
    int             planes, loops; /* plane 0 is y, plane 1 + reach + o is J at distance o */
    row_loop       *loop;
} row_loops;

row_loops     row_loops_new(mem *m, const row_plan *p, unsigned wanted);
int           row_loops_plane(const row_loops *w, const row_loop *l, int y);
/* used: of each variable of the term */
const kernel *row_loop_kernel(mem *m, const row_loop *l, uint8_t *used);

/* Output y times the number of its source, as text. */
void row_loop_product(const row_loop *l, int y, const emission *e, text *out);

/* The array to which outputs without one of their own are added: the first of their plane that no
 * other shares. */
bool row_loops_own(const row_loops *w, int plane, int *loop, int *y);
bool row_loops_need_zeros(const row_loops *w, int plane); /* an array of zeros to begin with */

/* The array of the text in which an input is found. */
bool        row_input_is_coordinate(feed_kind from);
const char *row_input_array(feed_kind from);

#endif
