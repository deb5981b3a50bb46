/* networks.h - masses 1 and springs V = d^2/2 + d^4/4 between them, by the midpoint rule as one would
 * write it by hand: Newton's iteration by conjugate gradients, in a tree from its leaves. */
#ifndef BENCH_NETWORKS_H
#define BENCH_NETWORKS_H

#include <stdbool.h>

typedef enum { LATTICE, NETWORK, TREE, RODS, PENDULUMS } layout;
typedef struct hand    hand;
typedef struct linkage linkage;

/* A lattice has n masses a side; a network two springs for each mass, spring e between network_end(n,
 * e, 0) and network_end(n, e, 1); mass k > 0 of a tree hangs on (k - 1)/2. */
int           network_end(int n, int e, int which);
hand         *hand_new(layout of, int n, double h);
double        hand_advance(hand *x, long steps); /* seconds */
const double *hand_positions(const hand *x);
void          hand_free(hand *x);

/* Rods instead of springs, in a chain or as pendulums. */
linkage      *linkage_new(bool chain, int n, double h);
void          linkage_step(linkage *r);
const double *linkage_positions(const linkage *r); /* all x, then all y */
void          linkage_free(linkage *r);

#endif
