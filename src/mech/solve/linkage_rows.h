/* linkage_rows.h - loops of linkage.c over relations of one shape and over coordinates. They stand
 * apart so that compilers keep what they know of the arrays, and make vectors of them. */
#ifndef MECH_SOLVE_LINKAGE_ROWS_H
#define MECH_SOLVE_LINKAGE_ROWS_H

#include <stdbool.h>

/* One entry of the rows of a matrix: x[i stride] belongs to relation i. */
typedef struct {
    int width;  /* entries from row to row                 */
    int stride; /* columns from row to row                 */
    int count;  /* relations                               */
} entry_rows;

/*     z_j += A_aj x_a;   first: nothing was there */
void rows_add(const entry_rows *of, double *z, const double *A, const double *x, bool first);

/*     B_ja = D_jj^-1 h w A_aj,   z_j -= B_ja lam_a */
void rows_react(const entry_rows *of, double *z, double *B, const double *A, const double *inverse,
                double impulse, const double *lam);

/*     (G B)_ab += G_aj B_jb;   first: nothing was there. slots: entries of G B from row to row */
void rows_multiply(const entry_rows *of, double *GB, int slots, const double *G, const double *B,
                   bool first);

/* What a correction has done to the increments, in ABREAST numbers that do not wait for each other.
 */
enum { ABREAST = 16, ROWS_MOVED = 4 * ABREAST };
typedef struct {
    double most[ABREAST], size[ABREAST]; /* the largest of it, and of them                       */
    double over[ABREAST]; /* above 0: some is neither small beside its own, nor roundoff         */
} changes;
typedef struct {
    double most, size, over;
} moved;

/*     Z -= dz,   q_1 = q + Z,   of ROWS_MOVED coordinates, or of n. last: increments of the step
 * before; small: beside an increment */
void  rows_move(double *restrict z, double *restrict q_1, const double *restrict last,
                const double *restrict q, const double *restrict low, const double *restrict dz,
                double small, changes *restrict c);
void  rows_move_few(double *restrict z, double *restrict q_1, const double *restrict last,
                    const double *restrict q, const double *restrict low, const double *restrict dz,
                    double small, int n, changes *restrict c);
moved rows_largest(const changes *c);

#endif
