/* factors.h - small matrices, one at each of some points, a lane each, factored without exchanges
 * by text that is written for them: which entries are zero is known by then. */
#ifndef CODEGEN_FACTORS_H
#define CODEGEN_FACTORS_H

#include "codegen/inside.h"

typedef struct {
    int          size, lanes;
    const char **entry;  /* by row, in lane i; NULL: it is 0      */
    bool        *filled; /* entries of L and U that are not 0     */
    int         *place;  /* of an entry that is kept; -1: of none */
    int          held;   /* numbers that are kept at each point   */
} factors;

factors factors_of(codegen *f, int size, int lanes, const char **entry);

/* What stands in a loop over i: l, u and e = 1/u as constants, and what is kept of them in K;
 * `pivot` writes e of row k. */
void factors_write(codegen *f, const factors *b,
                   void (*pivot)(codegen *f, const factors *b, int k));

/* The terms that were taken from the diagonal in row k, by size: " + fabs(l u)..." */
const char *factors_taken(codegen *f, const factors *b, int k);

/* Function `divide`: r <- K^-1 r at every point, of so many columns. */
void factors_divide(codegen *f, const factors *b);

#endif
