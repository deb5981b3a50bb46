/* members.h - a system evaluated for many members of an ensemble at once, each with parameters and
 * inputs of its own: the programs of the scalar machine, run by the batched one. The operations are
 * the same, so a member gets the bits that it would get alone. Entry i of member l stands at
 * i*width + l of every array. */
#ifndef MODEL_MEMBERS_H
#define MODEL_MEMBERS_H

#include "model/compile.h"

typedef struct members_eval members_eval;

/* Not if some terms of the system have many instances, which take the lanes for themselves. */
bool members_eval_fits(const compiled *c);

/* For requests want[0..n) and `width` members, at most KERNEL_BLOCK. */
members_eval *members_eval_new(mem *m, const compiled *c, const unsigned *want, int n, int width);

void members_eval_parameters(members_eval *e, const double *par);

typedef struct {
    double        t;
    const double *q, *w, *u; /* w: velocities, nothing is Hamiltonian */
} members_point;
void members_eval_run(members_eval *e, unsigned want, const members_point *at, sys_values *out);

#endif
