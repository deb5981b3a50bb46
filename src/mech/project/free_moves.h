/* free_moves.h - moving the state along directions U without inertia until an equation holds there:
 * what algebraic.h and primary.h have in common. */
#ifndef MECH_PROJECT_FREE_MOVES_H
#define MECH_PROJECT_FREE_MOVES_H

#include "mech/end/end.h"

typedef struct free_moves {
    dal_system   *sys;
    int           n, k; /* k directions; 0: nothing to do          */
    const double *U;    /* k rows of n                             */
    const double *W;    /* along which the equations are, U as a rule */
    const int    *massless; /* or NULL: U are these coordinates, and is not written out */
    int          *of_K; /* then: places of the entries of K in their matrix; -1: none  */
    pattern       full; /* k x k, or where they are coordinates that part of K       */
    solver       *lu;
    double       *values, *x;  /* the equations' Jacobian, and their values */
    double       *from;       /* dq before the last move                     */
    double       *q, *dq, *dp; /* where it is now, what moved it there, and p with it */
    /* fields at q, in arrays that the end solve lends */
    sys_values    out;
    double        off;    /* how far the equations were from holding before anything moved, */
    double        forces; /* and the largest force in the system then                       */
} free_moves;

/* An equation of every coordinate, that is to hold along the directions: what is left of it, with
 * what it refers to, and how that changes with q, by entries of K. */
typedef struct {
    double (*left)(const free_moves *a, int i, const double *with);
    double (*slope)(const free_moves *a, int e);
} free_equation;

/* Along k directions of U, from the first-th on, sharing the workspace of the end solve. */
void free_moves_init(free_moves *a, mem *m, dal_system *sys, const node_equations *g, int first,
                     int k);
void free_moves_free(free_moves *a);

/* Evaluates the system at q + dq with velocity v; returns the size of the position, or -1 if it has
 * no value there. */
double free_moves_evaluate(free_moves *a, unsigned want, double t, const double *q,
                           const double *q_low, const double *v);

/* x = W left,   values = W slope U^T */
void free_moves_gather(free_moves *a, const free_equation *of, const double *with);

/* dp = (L_qw + f_w) dq: the change of momentum that goes with a move dq. */
void free_moves_drag(free_moves *a);

/* dq -= U^T values^-1 x; returns the largest change, or -1 if the matrix is singular. */
double free_moves_correct(free_moves *a);

#endif
