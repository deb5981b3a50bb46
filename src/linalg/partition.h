/* partition.h - the partition (SPIKE) method for a long band matrix: it is cut into partitions of
 * equal length that are eliminated independently of each other, eight partitions (a group) in the
 * lanes of vectors. No division waits for the one before it, and rows arrive a tile at a time, as
 * they are evaluated, so the matrix is never stored. There is no pivoting: where row exchanges
 * might be needed the caller is told, and factors the matrix with pivoting instead.
 *
 * Row i of a partition, after elimination of the rows above it in the partition and division by
 * its pivot, reads
 *
 *     x_i + u_i1 x_{i+1} + .. + u_iB x_{i+B} + f_i.s = g_i,
 *
 * where s are the last B unknowns of the preceding partition and f_i is the spike they cause. The
 * last B rows of all partitions, the separators, form a Schur complement system once the first B
 * unknowns of the following partition are eliminated from them:
 *
 *     x_j = sum_i t_ji (g_i - f_i.s) + t_j.S,     t_ji = delta_ji - sum_k t_j,i-k u_i-k,k,
 *
 * where S are the last B unknowns of that partition. f and t decay along a partition whenever the
 * matrix is diagonally dominant; values below 1e-90 are set to 0, and rows where all have decayed
 * are skipped. */
#ifndef LINALG_PARTITION_H
#define LINALG_PARTITION_H

#include "base/text.h"
#include "linalg/band.h"

#include <stdbool.h>

enum {
    GROUP = 8,           /* partitions side by side                           */
    PARTITION_REACH = 5, /* most entries on either side of the diagonal       */
    PARTITION_TILE = 240, /* rows of a partition that are taken at a time     */
    FACTOR_CHUNK = 24     /* rows of factors: whole sites of 2, 3, 4, 6, 8 .. */
};

/* The eight partitions of a group are interleaved: the numbers of row i begin at (B + 1) GROUP i.
 * Compiled passes declare the same struct from the same text. */
#define GROUP_FIELDS                                                                               \
    double *row;           /* u_1 .. u_B, g, behind B rows of zeros */                             \
    double *spike;         /* f_1 .. f_B, t_1 .. t_B; before the first row f says that x is s */   \
    double *sum;           /* t.g, and t.f: B and B B of them */                                   \
    double *end;           /* the separators as they were given: B rows of 2 B + 2, r first */     \
    double *fault;         /* above 0: a pivot of this partition cannot be trusted */              \
    double *before;        /* s */                                                                 \
    double *next;          /* unknowns behind the next row on the way up; at first the separators */\
    double *separator;     /* and those for good */                                                \
    double *factor;        /* NULL, or the factors that are kept (band_factors.h): of a row */     \
                           /* 1/d, l_1/d .. l_B/d, u_1 .. u_B */                                   \
    int    *chunk;         /* of each chunk of them, where it is: the number of one like it */     \
    double *g;             /* with them: g_i, behind B rows of zeros */                            \
    int     length, alive; /* rows of a partition; those in which spikes live */
typedef struct {
    GROUP_FIELDS
} group;

typedef struct {
    int     n, reach, groups; /* rows, entries beside the diagonal                           */
    int     length; /* rows of a partition; the last one ends with rows of the identity     */
    group  *group;
    band    small;  /* the system of the separators */
    double *x;      /* its right-hand side, then its solution */
} partitions;

/* The length of a partition is a multiple of `site`. NULL: the matrix is too short or its band too
 * wide. */
partitions *partitions_new(mem *m, int n, int reach, int site);

/* For matrices whose factors are kept: the division without the rows, into so many groups, and what
 * the groups know of their separators. False: too short, or too wide. */
bool partitions_fit(int n, int reach, int groups);
partitions partitions_divide(mem *m, int n, int reach, int groups, int site);

/* Forward elimination of rows from .. from + rows - 1 of the partitions of a group, tile after
 * tile. For each partition there are 2 B + 2 planes of GROUP_PLANE numbers: the right-hand side,
 * then the entries from left to right. Different groups may be processed concurrently. */
enum { GROUP_PLANE = PARTITION_TILE + 8 };
void group_begin(group *s, int reach);
void group_down(group *s, int reach, const double *planes, int from, int rows);

typedef enum { PARTITIONS_JOINED, PARTITIONS_PIVOTS, PARTITIONS_NOT_FINITE } partition_end;

/* Solves for the separators once all rows have been eliminated. PIVOTS: row exchanges might be
 * needed. */
partition_end partitions_join(partitions *s);

/* Factors s->small. False: digits were lost where rows might have been exchanged. */
bool partitions_factor(const partitions *s);

/* Solves for those of groups from .. to-1, given the right-hand sides s->x and the factors
 * s->small, and gives every partition those that it begins and ends with. Groups before them have
 * theirs, or are solved with them. */
void partitions_solve(const partitions *s, int from, int to);

/* The separators of a partition after elimination of all rows above them in it,
 *
 *     f.s + E S + C (first unknowns of the next partition) = g,        x_j = tg_j - tf_j.s + t_j.S
 *
 * and its first unknowns x_j. l: for other right-hand sides, where factors are kept. */
typedef struct {
    double f[PARTITION_REACH][PARTITION_REACH], E[PARTITION_REACH][PARTITION_REACH],
        C[PARTITION_REACH][PARTITION_REACH], l[PARTITION_REACH][PARTITION_REACH];
    double t[PARTITION_REACH][PARTITION_REACH], tf[PARTITION_REACH][PARTITION_REACH];
    double g[PARTITION_REACH], tg[PARTITION_REACH];
} separators;
group   group_new(mem *m, int length, int reach);
separators group_separators(const group *s, int reach, int l);

/* The rows of partition `at` in the Schur complement, 2 B - 1 entries on either side of the
 * diagonal, and its right-hand side. next: of the partition behind it; NULL: there is none. */
void separators_enter(const separators *own, const separators *next, int reach, int at,
                      const band *small, double *x);

/* Back substitution, the last tile first: rows from .. of partition l begin at x + l GROUP_PLANE.
 */
void group_up(group *s, int reach, int from, int rows, double *x);

/* The same of a right-hand side alone, with kept factors (band_factors.h): numbers of partition l
 * begin at l times `plane`. */
void group_side_down(const group *s, int reach, const double *r, ptrdiff_t plane, int from,
                     int rows);
void group_side_up(const group *s, int reach, int from, int rows, double *x, ptrdiff_t plane);

/* The operations on tiles as C text, for one reach B: the type group and static functions
 * begin_group(B, s), take_rows(B, s, ..), give_rows(B, s, from, rows, together) and
 * turn_out(together, rows, x, plane), which do as those above, and IN_LANES. Rows that are
 * evaluated where they are eliminated are taken one by one: open_front(B, s, row, at), eliminate(B,
 * spikes, at, U, e, l, ..) in every lane, close_front(s, at), and, while spikes are alive,
 * follow_spikes(B, s, row, ..) and finally mind_spikes(B, s, row). */
void group_write(text *out, int reach);

/* And for kept factors take_side(B, s, r, plane, from, rows) and give_solution(B, s, from, rows, x,
 * plane). */
void band_factors_write(text *out, int reach);

#endif
