/* cells.h - comma-separated text, cell by cell. */
#ifndef RUN_CELLS_H
#define RUN_CELLS_H

#include "base/diag.h"

typedef struct {
    const char *from, *to; /* without blanks and quotes around it */
} cell;

/* The next cell of the line that ends at `end`; *at moves behind its comma, and is NULL after the
 * last. A comma between quotes belongs to the cell. */
cell cell_next(const char **at, const char *end);
bool cell_number(cell c, double *out);
bool cell_is(cell c, const char *word);
span cell_span(const source *of, cell c);

/* The next line that is not blank, as a cell; false: there is none. *at moves behind it. */
bool line_next(const source *of, const char **at, cell *out);

#endif
