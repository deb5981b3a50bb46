/* generator.h - what declared symmetries move, read off their momenta:
 *
 *     J = sum_i p_i xi_i(t,q) - F(t,q),    xi_i = dJ/dp_i,    F = -J where p = 0
 *                                                                           theory.md [SYMMETRY] */
#ifndef MODEL_GENERATOR_H
#define MODEL_GENERATOR_H

#include "model/compile.h"

typedef struct generators generators;

/* Of all symmetries of a model; what is taken from m is freed with it. Evaluating takes no memory.
 */
generators *generators_new(mem *m, const compiled *c);

typedef struct {
    double *xi;    /* n                                        */
    double *Jq;    /* n; NULL: not wanted                      */
    double  J, Jt; /* Jt: with Jq                              */
} generator_values;

/* Symmetry s at a point with these momenta; NULL: with none. */
void generator_eval(generators *g, bound *b, int s, const sys_point *at, const double *p,
                    generator_values *out);

#endif
