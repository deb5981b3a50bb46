/* kept.h - a long band matrix in strands (strands.h), factored once for many right-hand sides. A
 * right-hand side goes down all strands tile by tile, as it is evaluated, and the solution comes up
 * tile by tile, so that neither need be stored as a whole. Without exchanges of rows: where those
 * might be needed, it says so and the caller takes the way that has them.
 *
 * Of row i of a strand, with d_i its pivot and l_ik what is eliminated with the row k above it,
 * there is kept
 *
 *     g_i = r_i - sum_k (l_ik / d_{i-k}) g_{i-k},   x_i = -g_i / d_i - sum_k u_ik x_{i+k} - f_i.s
 *
 * in the letters of strands.h, so that A x + r = 0: x is the correction of what left r. In a chain
 * of equal links pivots soon have a limit, and with it all that is kept: rows come in chunks, and a
 * chunk with the numbers of the one before it is read there. */
#ifndef LINALG_KEPT_H
#define LINALG_KEPT_H

#include "linalg/pattern.h"
#include "linalg/strands.h"

enum {
    KEPT_CHUNK = 24, /* rows, so that sites of 2, 3, 4, 6, 8 .. unknowns can be told to be equal */
    KEPT_TILE = 240  /* rows that are taken at a time, and a few more at the end of a strand    */
};
enum { KEPT_PLANE = KEPT_TILE + 8 };

/* Compiled passes declare the same struct, of the same text. The numbers of a row that eight
 * strands have together lie together. */
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

typedef struct kept_joint kept_joint;

typedef struct {
    int         n, reach, ropes; /* as of strands                                              */
    int         length;          /* in whole eights; the last ends with rows of the identity   */
    kept_rope  *rope;
    kept_joint *joint; /* of each strand */
    double     *small, *x;
    double    **factor, **spike, **g; /* of each rope: room for what it reads, and writes */
    int       **chunk;
    bool        apart; /* spikes die within strands: joints see no further than the next one */
    bool        exact; /* the factors are those of a matrix that is symmetric like this one, and
                          differs by roundoff */
} kept_band;

bool  kept_fits(int n, int reach); /* false: too short, or too wide */
int   kept_ropes(int n);
kept_band *kept_new(mem *m, int n, int reach);

/* False: rows might have to be exchanged, or a number is not finite. */
bool kept_factor(kept_band *k, const pattern *p, const double *values);

/* Rows from .. from + rows - 1 of all strands of a rope, those of strand l from r + l KEPT_PLANE
 * on; the last tile has the joints too, behind its inner rows. Then the small system of the joints
 * of all ropes, and the solution, the last tile first. Different ropes may be taken at the same
 * time.
 *
 * Of strands that are apart, a rope can also go up once the next one has gone down, and what it has
 * read and written is still at hand: kept_alternate has ropes take turns with two rooms for g, and
 * kept_join_rope is for one of them, those before it first. */
void kept_begin(const kept_rope *s, int reach);
void kept_down(const kept_rope *s, int reach, const double *r, int from, int rows);
void kept_join(kept_band *k);
void kept_alternate(kept_band *k, bool turns);
void kept_join_rope(kept_band *k, int number);
void kept_up(const kept_rope *s, int reach, int from, int rows, double *x);

/* The same of one reach as C text: kept_rope, kept_begin, kept_down and kept_up; and vectors of
 * four, v4, at V(pointer). */
void kept_write(text *out, int reach);

#endif
