/* ties.h - relations that merely make two coordinates move as one, and what remains when they are
 * eliminated.
 *
 *     a q_i + b q_j = c  (connect without primes),    a v_i + b v_j = 0  (with primes);    a, b, c
 * constant
 *
 * make a forest over the coordinates, so that q = T z + c with one entry in every row of T, and z
 * has one coordinate for every tree: its first. The ground, number `md->coordinates`, is a
 * coordinate that stays 0: a relation of one coordinate, a q_i = c or v_i = 0, ties it to that, and
 * nothing is left of the tree of the ground. theory.md [TIES] */
#ifndef MODEL_TIES_TIES_H
#define MODEL_TIES_TIES_H

#include "model/ties/junctions.h"

#include <stdint.h>

typedef struct { /* an edge: q_child follows q_parent */
    int  relation;
    int  element, instance; /* where it is written */
    int  child, parent;
    bool position; /* without primes: c is part of it; else the starts give it */
} tie;

typedef enum {
    TIE_NONE,
    TIE_JOINS,
    TIE_REPEATS
} tie_role; /* no tie; an edge; between two that are joined already */

enum {
    NUMBER_ONE,
    NUMBER_ZERO,
    NUMBERS_KNOWN
}; /* the first two numbers, known before any parameter is */

struct ties {
    const model *md;
    int          coordinates;    /* of z                                               */
    int         *z;              /* of each coordinate of the model; -1: it is fixed   */
    int         *first;          /* of each z: the coordinate it is                    */
    int          joins, repeats; /* how many                                           */
    tie         *join;           /* parents before children                            */
    tie         *repeat;
    uint8_t     *role;           /* of each relation: a tie_role                       */
    int         *slope, *offset; /* q_i = number[slope[i]] z + number[offset[i]]       */
    int          numbers;
    const junctions *cut;         /* coordinates of z that relations take out; NULL: none */
    bool         sequenced;      /* z are numbered along a chain, not as the model has them  */
};

/* How many coordinates are left in the end, and which of the model each is. */
int  ties_left(const ties *t);
int *ties_first(mem *m, const ties *t);
bool ties_is_constant(mem *m, const model *md, const element *el); /* but for coordinates */

/* Two-term relations with constant coefficients between Lagrangian coordinates. Lives in m. */
const ties *ties_find(mem *m, const model *md);

static inline bool ties_take_out(const ties *t)
{
    return t->joins || t->cut;
}

/* ties/sequence.c: numbers z along the chain that they are, if one is found only so. */
bool ties_sequence(mem *m, ties *t);

/* ties/coefficients.c. A relation that is linear is its values at 0 and at the unit vectors. */
typedef struct {
    const model  *md;
    const double *parameter; /* NULL: as if all were 0 */
    double       *vars, *scratch;
} tie_reader;
tie_reader tie_reader_new(mem *m, const model *md, const double *parameter);
void       tie_read(const tie_reader *r, const tie *t, double *child, double *parent,
                    double *constant);

/* What they are with the parameters of a simulation. */
typedef struct {
    const ties *of;
    double     *number;
    double     *child, *parent; /* coefficients of each join in its relation, */
    double     *constant;       /* and what they add up to                    */
    double     *pivot;          /* coefficient, in its relation, of each z that is taken out */
} tie_numbers;

/* Errors: a coefficient that is 0, and repeats that contradict what they repeat. Repeats that agree
 * are noted. */
dal_status ties_evaluate(mem *m, const ties *t, const double *parameter, diags *ds,
                         tie_numbers *out);

/* After the start is known: offsets from it where the relations do not give them. */
void ties_begin(const tie_numbers *n, const double *q);

static inline double tie_slope(const tie_numbers *n, int i)
{
    return n->number[n->of->slope[i]];
}
static inline double tie_offset(const tie_numbers *n, int i)
{
    return n->number[n->of->offset[i]];
}

/* lam of the joins from the forces that the raw equations leave over, rho = A^T lam: leaves first.
 * rho is used up. */
void ties_reactions(const tie_numbers *n, double *rho, double *lam_of_join);

#endif
