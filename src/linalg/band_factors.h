/* band_factors.h - a long band matrix in partitions (partition.h), factored once for many
 * right-hand sides. A right-hand side is eliminated tile by tile, as it is evaluated, and the
 * solution is delivered tile by tile, so neither needs to be stored as a whole. There is no
 * pivoting: where row exchanges might be needed the caller is told, and factors the matrix with
 * pivoting instead.
 *
 * Row i of a partition, with pivot d_i and l_ik the entry eliminated with the row k above it,
 * keeps the coefficients of
 *
 *     g_i = r_i - sum_k (l_ik / d_{i-k}) g_{i-k},   x_i = -g_i / d_i - sum_k u_ik x_{i+k} - f_i.s
 *
 * in the letters of partition.h, so that A x + r = 0: x is the Newton correction for the residual
 * r. In a chain of equal links the pivots converge quickly, and all coefficients with them. Rows
 * are therefore stored in chunks, and a chunk equal to the one before it is read from there. */
#ifndef LINALG_BAND_FACTORS_H
#define LINALG_BAND_FACTORS_H

#include "linalg/pattern.h"
#include "linalg/partition.h"

enum {
    FACTOR_CHUNK = 24, /* rows, whole sites of 2, 3, 4, 6, 8 .. unknowns            */
    FACTOR_TILE = 240  /* rows at a time, and a few more at the end of a partition      */
};
enum { FACTOR_PLANE = FACTOR_TILE + 8 };

/* The eight partitions of a group are interleaved. Compiled passes declare the same struct from the
 * same text. */
#define FACTOR_FIELDS                                                                              \
    const double *factor;      /* of a row: -1/d, l_1/d .. l_B/d, u_1 .. u_B */                    \
    const int    *chunk;       /* of each, where its factors are: the number of one like it */     \
    const double *spike;       /* f_1 .. f_B, t_1 .. t_B of rows in which they live */             \
    double       *g;           /* behind B rows of zeros */                                        \
    double       *sum;         /* t.g: B of them */                                                \
    double       *end;         /* right-hand sides of the separators: B of them */                 \
    double       *before, *next; /* s; unknowns behind the row that is next on the way up */       \
    double       *separator;   /* and the separators */                                            \
    int           inner, alive; /* rows of a partition without its separators; those with spikes */
typedef struct {
    FACTOR_FIELDS
} factor_group;

typedef struct {
    int         n, reach, groups; /* as of partitions                                            */
    int         length;          /* in whole eights; the last ends with rows of the identity   */
    factor_group  *group;
    separators     *separator; /* of each partition */
    group        front; /* of those that are being factored, and their rows */
    double     *planes;
    double     *small, *x;
    double    **factor, **spike, **g; /* of each group: room for what it reads, and writes */
    int       **chunk;
    bool apart; /* spikes decay within partitions: separators depend on their neighbours only */
    bool        exact; /* the matrix is symmetric, and the factors are those of a symmetric matrix
                        * equal to it up to roundoff */
} band_factors;

bool  band_factors_fits(int n, int reach); /* false: too short, or too wide */
int   band_factors_groups(int n);
band_factors *band_factors_new(mem *m, int n, int reach);

/* False: row exchanges might be needed, or a number is not finite. */
bool band_factors_factor(band_factors *k, const pattern *p, const double *values);

/* A right-hand side is eliminated and back-substituted group by group by compiled text:
 * band_factors_begin, then band_factors_down for rows from .. from + rows - 1 of all partitions
 * of a group, those of partition l beginning at r + l FACTOR_PLANE; the last tile contains the
 * separators too, behind its inner rows. Then the Schur complement system of the separators of
 * all groups is solved, and band_factors_up gives the solution, the last tile first. Different
 * groups may be processed concurrently.
 *
 * Where spikes decay within partitions, a group can also be back-substituted once the next one
 * has been eliminated, while its data are still in cache: band_factors_alternate makes groups
 * alternate between two buffers for g, and band_factors_join_group solves for the separators of
 * one group, in order. */
void band_factors_join(band_factors *k);
void band_factors_alternate(band_factors *k, bool turns);
void band_factors_join_group(band_factors *k, int number);

/* C text for one reach: factor_group, band_factors_begin(s, reach), band_factors_down(s, reach,
 * r, from, rows) and band_factors_up(s, reach, from, rows, x); and vectors of four, v4, at
 * V(pointer). */
void band_factors_write(text *out, int reach);

#endif
