/* junctions.h - relations of several velocities with constant coefficients, such as Kirchhoff's
 * current law, each of which eliminates one coordinate that occurs in no other of them:
 *
 *     a_p v_p + sum a_k v_k = 0   makes   z_p = sum b_k z_k + c,
 *     b_k = -a_k/a_p,   c from the start
 *
 * in the coordinates z that remain after ties (ties.h). A large network of this kind becomes a
 * system without relations, often a chain. In small systems nothing is eliminated: their relations
 * cost little.                                                                  theory.md [TIES] */
#ifndef MODEL_TIES_JUNCTIONS_H
#define MODEL_TIES_JUNCTIONS_H

#include "model/model.h"

enum { JUNCTION_TERMS = 4,      /* most others of one relation                */
       JUNCTIONS_LEAST = 64 }; /* fewer relations than this stay relations  */

typedef struct {
    int relation, element, instance;
    int pivot; /* the z that is taken out                   */
    int terms;
    int z[JUNCTION_TERMS], number[JUNCTION_TERMS]; /* the others, and which numbers are their b */
    int offset;                                /* and c                                    */
} junction;

typedef struct {
    int     count;
    junction *at;
    int    *of; /* of each z: the junction that takes it out; -1: none */
    int    *y;  /* its number among those that are left; -1          */
} junctions;

typedef struct ties ties;

/* NULL: too few. Numbers of theirs are counted on from t->numbers. */
const junctions *junctions_find(mem *m, ties *t);

#endif
