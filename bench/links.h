/* links.h - the pendulum of n links by hand, for the table of pendulum.c. */
#ifndef BENCH_LINKS_H
#define BENCH_LINKS_H

enum { LINKS = 100 };
typedef enum { LINKS_DENSE, LINKS_LINEAR, LINKS_WAYS } links_way;

/* Seconds for so many steps from rest at 0.5; th: where they end. */
double links_by_hand(int n, links_way way, double h, long steps, double *th);

#endif
