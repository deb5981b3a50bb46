/* stages.h - chains and lattices of masses 1 and springs V = d^2/2 + d^4/4 by schemes of several
 * stages, as one would write them by hand. */
#ifndef BENCH_STAGES_H
#define BENCH_STAGES_H

typedef enum { CHAIN, LATTICE, CELLS } layout;

/* stages 1 .. 4: gauss, 0: Verlet's steps composed by Yoshida's coefficients of order four;
 * -1: Verlet's steps themselves. n masses, of a lattice n^2. */
typedef struct hand hand;
hand               *hand_new(layout of, int n, int stages, double h);
double              hand_advance(hand *x, long steps); /* seconds */
const double       *hand_positions(const hand *x);
void                hand_free(hand *x);

#endif
