/* kept.h - a long band matrix in strands (strands.h), factored once for many right-hand sides. A
 * right-hand side is eliminated tile by tile, as it is evaluated, and the solution is delivered
 * tile by tile, so neither needs to be stored as a whole. There is no pivoting: where row exchanges
 * might be needed the caller is told, and factors the matrix with pivoting instead.
 *
 * Row i of a strand, with pivot d_i and l_ik the entry eliminated with the row k above it, keeps
 * the coefficients of
 *
 *     g_i = r_i - sum_k (l_ik / d_{i-k}) g_{i-k},   x_i = -g_i / d_i - sum_k u_ik x_{i+k} - f_i.s
 *
 * in the letters of strands.h, so that A x + r = 0: x is the Newton correction for the residual r.
 * In a chain of equal links the pivots converge quickly, and all coefficients with them. Rows are
 * therefore stored in chunks, and a chunk equal to the one before it is read from there. */
#ifndef LINALG_KEPT_H
#define LINALG_KEPT_H

#include "linalg/pattern.h"
#include "linalg/strands.h"

enum {
    KEPT_CHUNK = 24, /* rows, whole sites of 2, 3, 4, 6, 8 .. unknowns            */
    KEPT_TILE = 240  /* rows at a time, and a few more at the end of a strand      */
};
enum { KEPT_PLANE = KEPT_TILE + 8 };

/* The eight strands of a rope are interleaved. Compiled passes declare the same struct from the
 * same text. */
#define KEPT_FIELDS                                                                                \
    const double *factor;        /* of a row: -1/d, l_1/d .. l_B/d, u_1 .. u_B             */      \
    const int    *chunk;         /* of each, where its factors are: the number of one like it */   \
    const double *spike;         /* f_1 .. f_B, t_1 .. t_B of rows in which they live      */      \
    double       *g;             /* behind B rows of zeros                                 */      \
    double       *sum;           /* t.g: B of them                                         */      \
    double       *end;           /* right-hand sides of the joints: B of them              */      \
    double       *before, *next; /* s; unknowns behind the row that is next on the way up  */      \
    double       *joint;         /* and the joints                                         */      \
    int           inner, alive;  /* rows of a strand without its joints; those with spikes */
typedef struct {
    KEPT_FIELDS
} kept_rope;

typedef struct {
    int         n, reach, ropes; /* as of strands                                              */
    int         length;          /* in whole eights; the last ends with rows of the identity   */
    kept_rope  *rope;
    joints     *joint; /* of each strand */
    rope        front; /* of those that are being factored, and their rows */
    double     *planes;
    double     *small, *x;
    double    **factor, **spike, **g; /* of each rope: room for what it reads, and writes */
    int       **chunk;
    bool        apart; /* spikes decay within strands: joints depend on their neighbours only */
    bool        exact; /* the matrix is symmetric, and the factors are those of a symmetric matrix
                        * equal to it up to roundoff */
} kept_band;

bool  kept_fits(int n, int reach); /* false: too short, or too wide */
int   kept_ropes(int n);
kept_band *kept_new(mem *m, int n, int reach);

/* False: row exchanges might be needed, or a number is not finite. */
bool kept_factor(kept_band *k, const pattern *p, const double *values);

/* A right-hand side is eliminated and back-substituted rope by rope by compiled text: kept_begin,
 * then kept_down for rows from .. from + rows - 1 of all strands of a rope, those of strand l
 * beginning at r + l KEPT_PLANE; the last tile contains the joints too, behind its inner rows. Then
 * the Schur complement system of the joints of all ropes is solved, and kept_up gives the solution,
 * the last tile first. Different ropes may be processed concurrently.
 *
 * Where spikes decay within strands, a rope can also be back-substituted once the next one has been
 * eliminated, while its data are still in cache: kept_alternate makes ropes alternate between two
 * buffers for g, and kept_join_rope solves for the joints of one rope, in order. */
void kept_join(kept_band *k);
void kept_alternate(kept_band *k, bool turns);
void kept_join_rope(kept_band *k, int number);

/* C text for one reach: kept_rope, kept_begin(s, reach), kept_down(s, reach, r, from, rows) and
 * kept_up(s, reach, from, rows, x); and vectors of four, v4, at V(pointer). */
void kept_write(text *out, int reach);

#endif
