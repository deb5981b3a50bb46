/* pattern.h - where the entries of a sparse matrix are, apart from what they are worth. */
#ifndef LINALG_PATTERN_H
#define LINALG_PATTERN_H

#include "base/mem.h"

#include <stdbool.h>

/* By rows; columns ascend within a row. A full one is the row-major dense matrix. */
typedef struct {
    int  rows, columns;
    int *start;  /* rows + 1             */
    int *column; /* start[rows] entries  */
} pattern;

static inline int pattern_count(const pattern *p) { return p->start[p->rows]; }

bool pattern_is_full(const pattern *p);
bool pattern_is_diagonal(const pattern *p);               /* square, the whole diagonal, no other */
bool pattern_is_symmetric(const pattern *p);              /* with the whole diagonal          */
int  pattern_find(const pattern *p, int row, int column); /* entry number, or -1                  */

/* From (row, column) pairs, repeated ones merged, in linear time. place[k] (place may be NULL)
 * becomes the entry of pair k. The arrays live in m. */
pattern pattern_from_pairs(mem *m, int rows, int columns, const int *row, const int *column,
                           int count, int *place);

/* Reverse Cuthill-McKee: position[i] becomes the place of unknown i in an order that brings the
 * entries of a square pattern near its diagonal. Linear time for bounded row lengths. */
void pattern_order(mem *m, const pattern *p, int *position);

#endif
