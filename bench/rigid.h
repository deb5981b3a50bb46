/* rigid.h - the free rigid body by hand, for the table of rigid.c. */
#ifndef BENCH_RIGID_H
#define BENCH_RIGID_H

/* Seconds for so many steps; mu: the momentum in body axes at their end. */
double rigid_by_hand(const double J[3], const double spin[3], double h, long steps, double mu[3]);

#endif
