/* networks.h - masses 1 and springs V = d^2/2 + d^4/4 between them, by the midpoint rule as one would
 * write it by hand: Newton's iteration by conjugate gradients, in a tree from its leaves. */
#ifndef BENCH_NETWORKS_H
#define BENCH_NETWORKS_H

typedef enum { LATTICE, NETWORK, TREE } layout;
typedef struct hand hand;

/* A lattice has n masses a side; a network two springs for each mass, spring e between network_end(n,
 * e, 0) and network_end(n, e, 1); mass k > 0 of a tree hangs on (k - 1)/2. */
int           network_end(int n, int e, int which);
hand         *hand_new(layout of, int n, double h);
double        hand_advance(hand *x, long steps); /* seconds */
const double *hand_positions(const hand *x);
void          hand_free(hand *x);

#endif
