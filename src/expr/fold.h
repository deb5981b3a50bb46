/* fold.h - expressions for the eye: known ones by their names, common factors once. */
#ifndef EXPR_FOLD_H
#define EXPR_FOLD_H

#include "expr/graph.h"

typedef struct {
    expr value, name; /* the name is a variable */
    bool rate;        /* it is made of rates: see `defining` */
} expr_named;

typedef struct {
    graph            *g;
    const expr_named *known; /* folded themselves, the shorter ones first */
    int               n;
    bool (*steady)(void *self, int variable); /* a parameter: it stands first in a product */
    void *self;
    expr  spread; /* a sum that keeps common factors in its terms; EXPR_NONE: none */
    bool  spread_all;
    bool  defining; /* a rate: names that are made of rates would lead in a circle */
} folding;

/* e as a node of the same graph. `whole` false: e itself is being defined, and keeps its form. */
expr expr_fold(const folding *f, expr e, bool whole);

#endif
