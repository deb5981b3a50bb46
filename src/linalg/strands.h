/* strands.h - a long band matrix cut into strands of equal length that are eliminated side by side,
 * eight of them a rope: no division waits for the one before it, and the rows come a tile at a
 * time, as they are evaluated, and are never stored. Without exchanges of rows: where those might
 * be needed, it says so and the caller takes the way that has them.
 *
 * Row i of a strand, divided by its pivot, once those above it in the strand are eliminated, reads
 *
 *     x_i + u_i1 x_{i+1} + .. + u_iB x_{i+B} + f_i.s = g_i,
 *
 * s being the last B unknowns of the strand before. The last B rows of all strands, the joints,
 * make a small system of their own once the first B unknowns of the next strand are taken out of
 * them:
 *
 *     x_j = sum_i t_ji (g_i - f_i.s) + t_j.S,     t_ji = delta_ji - sum_k t_j,i-k u_i-k,k,
 *
 * S being the last B unknowns of that strand. f and t die away along a strand whenever the matrix
 * is dominated by its diagonal; what is smaller than 1e-90 counts as 0, and nothing is computed
 * with it. */
#ifndef LINALG_STRANDS_H
#define LINALG_STRANDS_H

#include "base/text.h"

#include <stdbool.h>

enum {
    ROPE = 8,          /* strands side by side                              */
    STRANDS_REACH = 5, /* most entries on either side of the diagonal       */
    STRANDS_TILE = 120 /* rows of a strand that are taken at a time         */
};

/* A loop over the strands of a rope: gcc 12 would write a short one out before it looks for vectors
 * in it. */
#if defined __GNUC__ && !defined __clang__
#define IN_LANES(l) _Pragma("GCC unroll 1") for (int l = 0; l < ROPE; l++)
#else
#define IN_LANES(l) for (int l = 0; l < ROPE; l++)
#endif

/* Numbers that eight strands have together lie together: those of row i from (B + 1) ROPE i on.
 * Compiled passes declare the same struct, of the same text. */
#define ROPE_FIELDS                                                                                \
    double *row;    /* u_1 .. u_B, g, behind B rows of zeros                                  */   \
    double *spike;  /* f_1 .. f_B, t_1 .. t_B; before the first row f says that x is s        */   \
    double *sum;    /* t.g, and t.f: B and B B of them                                        */   \
    double *end;    /* the joints as they were given: B rows of 2 B + 2                       */   \
    double *fault;  /* above 0: a pivot of this strand cannot be trusted                      */   \
    double *before; /* s                                                                      */   \
    double *next;   /* unknowns behind the row that is next on the way up; at first the joints */  \
    double *joint;  /* and those for good                                                      */  \
    int     length, alive; /* rows of a strand; those in which spikes live, whole tiles        */
typedef struct {
    ROPE_FIELDS
} rope;

typedef struct {
    int     n, reach, ropes; /* rows, entries beside the diagonal                     */
    int     length; /* rows of a strand; the last one ends with rows of the identity   */
    rope   *rope;
    double *small, *x; /* the system of the joints, and its solution */
} strands;

/* The length of a strand is a multiple of `site`. NULL: too short, or too wide. */
strands *strands_new(mem *m, int n, int reach, int site);

/* A matrix and its right-hand side, tile after tile of each rope: rows from .. from + rows - 1 of
 * its strands. Of every strand there are 2 B + 2 planes, the right-hand side first and then the
 * entries from the left, each with room for ROPE_PLANE numbers. Different ropes may be taken at the
 * same time. */
enum { ROPE_PLANE = STRANDS_TILE + 8 };
void rope_begin(rope *s, int reach);
void rope_down(rope *s, int reach, const double *planes, int from, int rows);

typedef enum { STRANDS_JOINED, STRANDS_PIVOTS, STRANDS_NOT_FINITE, STRANDS_LONG } strands_end;

/* Solves for the joints once all rows were taken. PIVOTS: rows might have to be exchanged. */
strands_end strands_join(strands *s);

/* Where spikes die within every strand, joints see no further than to the beginning of the next
 * strand. So a rope can go up once the next one has begun, and what it was eliminated to is still
 * at hand. LONG: some spike lives. next: `sum` of the next rope, NULL behind the last; small: room
 * of rope_room(reach) numbers. rope_follow: what the first strand begins with, the last joints of
 * the rope before. rope_copy: of a rope that went down as far as its spikes live. */
rope        strands_rope(mem *m, int length, int reach);
int         rope_room(int reach);
strands_end rope_join(rope *s, int reach, const double *next, double *small);
void        rope_copy(rope *to, const rope *from, int reach);
void        rope_follow(rope *s, int reach, const double *joint);

/* Then the solution, the last tile first: rows from .. of strand l begin at x + l ROPE_PLANE. */
void rope_up(rope *s, int reach, int from, int rows, double *x);

/* All that is done with tiles as C text, for one reach B: rope, and static functions begin_rope(B,
 * s), take_rows(B, s, ..), give_rows(B, s, from, rows, together) and turn_out(together, rows, x),
 * which do as those above, and IN_LANES. Rows that are made where they are eliminated are taken one
 * by one: open_front(B, s, row, at), eliminate(B, spikes, look, at, U, e, l, ..) in every lane,
 * close_front(s, at), and, as long as spikes live, follow_spikes(B, s, row, ..) and in the end
 * mind_spikes(B, s, row). */
void rope_write(text *out, int reach);

#endif
