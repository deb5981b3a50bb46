/* redundant.h - relations that follow from others: combinations of them that vanish,
 *
 *     Y^T A = 0,   Y orthonormal,   P = S E Y^T                           theory.md [REDUNDANT]
 *
 * where E has a row for each relation that follows from others, and S_a = A_a M^-1 A_a^T with the
 * diagonal of the inertia M. Relations that share coordinates, directly or
 * through others, form a group; each group has its own Y. */
#ifndef MECH_REDUNDANT_REDUNDANT_H
#define MECH_REDUNDANT_REDUNDANT_H

#include "model/system.h"

enum { GROUP_MOST = 160 }; /* relations of a group; larger ones are taken as independent */

typedef struct {
    int     rows, columns;
    int    *row, *column; /* relations, and the coordinates in them                              */
    int    *order;        /* of its rows: independent ones first, holonomic ones foremost        */
    int     open;         /* how many follow from the others                                     */
    double  least;        /* the least that is left of an independent one beside others, 0 .. 1  */
    double *P;            /* rows x rows                                                         */
} relation_group;

typedef struct {
    const dal_system *sys;
    relation_group   *group;
    int               groups, entries; /* entries: of all P, which stand one after the other     */
    double           *P;
    int              *diagonal;             /* entries of K; -1: none                            */
    int              *local;                /* number of a coordinate within its group           */
    double           *weight;               /* of coordinates: M^-1/2                            */
    double           *left, *made, *length; /* room for one group: what is left of its rows, of  */
    double           *size;                 /* this length, and what they are made of            */
} redundancy;

/* Groups of two relations and more. */
void redundancy_init(redundancy *of, mem *m, const dal_system *sys);

/* Y and P where A and L_ww have these entries; how many relations follow from others. */
int redundancy_find(redundancy *of, const double *A, const double *L_ww);

/* The combination of a group's rows that makes its k-th independent row, k < rows - open, or that
 * vanishes. */
const double *redundancy_combination(const redundancy *of, const relation_group *g, int k);

/* Numbers of (q, v) that rows which follow from others seem to bind, and do not. */
int redundancy_numbers(const redundancy *of);

/* g->least where A has these entries; Y is lost. */
double redundancy_least(redundancy *of, relation_group *g, const double *A);

/*     r_a += c sum_b P_ab lam_b */
void redundancy_add(const redundancy *of, double c, const double *lam, double *r);

/* crossing.c: the first group that comes to depend on each other between two positions, or so near
 * to it that these do not resolve it; NULL: none. Groups of more coordinates are not looked at. */
enum { CROSSING_COLUMNS = 64 };
const relation_group *redundancy_crosses(redundancy *of, const double *A0, const double *A1);

/* hold.c: do relations that depend on each other at (t, q) do so along the motion as well, and
 * agree with each other? They may be off by the digits that were typed: the position on them, in m;
 * NULL: they do not. A little further, and at t + dt, their rank must be the same. */
const double *redundancy_holds(mem *m, dal_system *sys, double t, double dt, const double *q);

#endif
