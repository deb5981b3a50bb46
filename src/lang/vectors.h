/* vectors.h - expressions of vectors and matrices, all components at once: as expressions of a
 * graph, or as numbers that are known before a run. */
#ifndef LANG_VECTORS_H
#define LANG_VECTORS_H

#include "lang/world.h"

typedef union {
    expr   e;
    double x;
} scalar;

typedef struct {
    ast_shape shape;
    bool      diagonal; /* of a matrix: what is beside its diagonal is 0 by construction */
    bool      rotation; /* its inverse is its transpose                                  */
    int       turned;   /* k: it is R_k, or R_k b with b behind the vector; -k: the inverse; 0 */
    scalar    at[MOST_COMPONENTS]; /* of a matrix, row by row */
} quantity;

typedef struct { /* what components are, and how they are computed with */
    void  *self;
    world *w;
    int   *level; /* of what is being evaluated, in each other */
    scalar (*constant)(void *self, double x);
    scalar (*sum)(void *self, const scalar *term, int n);
    scalar (*negative)(void *self, scalar a);
    scalar (*product)(void *self, scalar a, scalar b);
    scalar (*quotient)(void *self, scalar a, scalar b);
    scalar (*root)(void *self, scalar a);
    scalar (*number)(void *self, const env *v, const ast *a); /* of an expression that is one */
    quantity (*leaf)(void *self, const env *v, const ast *a); /* names, rates, other calls    */
} arithmetic;

/* An expression of any shape. */
quantity quantity_of(const arithmetic *k, const env *v, const ast *a);

/* dot(a, b), norm(a) and components: numbers that are made of vectors. */
scalar             number_of_vectors(const arithmetic *k, const env *v, const ast *a);
static inline bool is_of_vectors(builtin_kind f)
{
    return f == FN_DOT || f == FN_NORM;
}

quantity quantity_sum(const arithmetic *k, const quantity *term, int n, ast_shape shape);
quantity quantity_negative(const arithmetic *k, quantity a);
quantity quantity_cross(const arithmetic *k, const quantity *a, const quantity *b);
quantity quantity_times(const arithmetic *k, quantity a, quantity b);
quantity quantity_over(const arithmetic *k, quantity a, quantity b); /* b: a number */

/* What a path with indices, or with fewer, takes of the value of its symbol. */
quantity quantity_slice(const quantity *of, int first, ast_shape shape);

/* number_vectors.c: of what holds no state. */
quantity numbers(world *w, const env *v, const ast *a);
double   number_from_vectors(world *w, const env *v, const ast *a);
quantity numbers_of_definition(world *w, const spot *at);       /* all of the value of a let */
actual  *arguments_of(world *w, const env *v, const ast *call); /* to be dropped; NULL: too many */

#endif
