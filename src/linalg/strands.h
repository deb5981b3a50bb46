/* strands.h - the partition (SPIKE) method for a long band matrix: it is cut into strands of equal
 * length that are eliminated independently of each other, eight strands (a rope) in the lanes of
 * vectors. No division waits for the one before it, and rows arrive a tile at a time, as they are
 * evaluated, so the matrix is never stored. There is no pivoting: where row exchanges might be
 * needed the caller is told, and factors the matrix with pivoting instead.
 *
 * Row i of a strand, after elimination of the rows above it in the strand and division by its
 * pivot, reads
 *
 *     x_i + u_i1 x_{i+1} + .. + u_iB x_{i+B} + f_i.s = g_i,
 *
 * where s are the last B unknowns of the preceding strand and f_i is the spike they cause. The last
 * B rows of all strands, the joints, form a Schur complement system once the first B unknowns of
 * the following strand are eliminated from them:
 *
 *     x_j = sum_i t_ji (g_i - f_i.s) + t_j.S,     t_ji = delta_ji - sum_k t_j,i-k u_i-k,k,
 *
 * where S are the last B unknowns of that strand. f and t decay along a strand whenever the matrix
 * is diagonally dominant; values below 1e-90 are set to 0, and rows where all have decayed are
 * skipped. */
#ifndef LINALG_STRANDS_H
#define LINALG_STRANDS_H

#include "base/text.h"

#include <stdbool.h>

enum {
    ROPE = 8,          /* strands side by side                              */
    STRANDS_REACH = 5, /* most entries on either side of the diagonal       */
    STRANDS_TILE = 120 /* rows of a strand that are taken at a time         */
};

/* A loop over the strands of a rope. gcc 12 would unroll a short loop completely before it looks
 * for vectors in it. */
#if defined __GNUC__ && !defined __clang__
#define IN_LANES(l) _Pragma("GCC unroll 1") for (int l = 0; l < ROPE; l++)
#else
#define IN_LANES(l) for (int l = 0; l < ROPE; l++)
#endif

/* The eight strands of a rope are interleaved: the numbers of row i begin at (B + 1) ROPE i.
 * Compiled passes declare the same struct from the same text. */
#define ROPE_FIELDS                                                                                \
    double *row;    /* u_1 .. u_B, g, behind B rows of zeros                                  */   \
    double *spike;  /* f_1 .. f_B, t_1 .. t_B; before the first row f says that x is s        */   \
    double *sum;    /* t.g, and t.f: B and B B of them                                        */   \
    double *end;    /* the joints as they were given: B rows of 2 B + 2                       */   \
    double *fault;  /* above 0: a pivot of this strand cannot be trusted                      */   \
    double *before; /* s                                                                      */   \
    double *next;   /* unknowns behind the row that is next on the way up; at first the joints */  \
    double *joint;  /* and those for good                                                      */  \
    double *factor; /* NULL, or where the factors of kept.h go                                 */  \
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

/* The length of a strand is a multiple of `site`. NULL: the matrix is too short or its band too
 * wide. */
strands *strands_new(mem *m, int n, int reach, int site);

/* Forward elimination of rows from .. from + rows - 1 of the strands of a rope, tile after tile.
 * For each strand there are 2 B + 2 planes of ROPE_PLANE numbers: the right-hand side, then the
 * entries from left to right. Different ropes may be processed concurrently. */
enum { ROPE_PLANE = STRANDS_TILE + 8 };
void rope_begin(rope *s, int reach);
void rope_down(rope *s, int reach, const double *planes, int from, int rows);

typedef enum { STRANDS_JOINED, STRANDS_PIVOTS, STRANDS_NOT_FINITE } strands_end;

/* Solves for the joints once all rows have been eliminated. PIVOTS: row exchanges might be
 * needed. */
strands_end strands_join(strands *s);

/* The joints of a strand after elimination of all rows above them in it,
 *
 *     f.s + E S + C (first unknowns of the next strand) = g,        x_j = tg_j - tf_j.s + t_j.S
 *
 * and its first unknowns x_j. l: for other right-hand sides, where factors are kept. */
typedef struct {
    double f[STRANDS_REACH][STRANDS_REACH], E[STRANDS_REACH][STRANDS_REACH],
        C[STRANDS_REACH][STRANDS_REACH], l[STRANDS_REACH][STRANDS_REACH];
    double t[STRANDS_REACH][STRANDS_REACH], tf[STRANDS_REACH][STRANDS_REACH];
    double g[STRANDS_REACH], tg[STRANDS_REACH];
} joints;
rope   rope_new(mem *m, int length, int reach);
joints rope_joints(const rope *s, int reach, int l);

/* The rows of strand `at` in the Schur complement, 4 B - 1 entries each, and its right-hand side.
 * next: of the strand behind it; NULL: there is none. */
void joints_enter(const joints *own, const joints *next, int reach, int at, double *small,
                  double *x);

/* Back substitution, the last tile first: rows from .. of strand l begin at x + l ROPE_PLANE. */
void rope_up(rope *s, int reach, int from, int rows, double *x);

/* The operations on tiles as C text, for one reach B: the type rope and static functions
 * begin_rope(B, s), take_rows(B, s, ..), give_rows(B, s, from, rows, together) and
 * turn_out(together, rows, x), which do as those above, and IN_LANES. Rows that are evaluated where
 * they are eliminated are taken one by one: open_front(B, s, row, at), eliminate(B, spikes, at,
 * U, e, l, ..) in every lane, close_front(s, at), and, while spikes are alive, follow_spikes(B,
 * s, row, ..) and finally mind_spikes(B, s, row). */
void rope_write(text *out, int reach);

#endif
