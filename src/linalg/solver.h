/* solver.h - linear systems that are solved again and again: analyse once, factor often, solve. */
#ifndef LINALG_SOLVER_H
#define LINALG_SOLVER_H

#include "base/mem.h"

#include <stdbool.h>

/* A sparse pattern by rows; columns ascend within a row. A full one is the row-major dense matrix. */
typedef struct {
    int  rows, columns;
    int *start;  /* rows + 1 */
    int *column; /* start[rows] entries */
} pattern;

static inline int pattern_count(const pattern *p) { return p->start[p->rows]; }
bool pattern_is_full(const pattern *p);
bool pattern_is_diagonal(const pattern *p);
int  pattern_find(const pattern *p, int row, int column); /* entry number, or -1 */

/* From (row, column) pairs, repeated ones merged. place[k] (may be NULL) becomes the entry of pair k. */
pattern pattern_from_pairs(mem *m, int rows, int columns, const int *row, const int *column, int count, int *place);

typedef struct solver solver;

/* A kind of solver. The table in solver.c lists them; solver_new takes the first that fits. */
typedef struct {
    const char *name, *title;
    bool (*fits)(const pattern *p);
    void *(*analyse)(mem *m, const pattern *p);
    bool (*factor)(void *self, const double *values);   /* false: singular to working precision */
    void (*solve)(const void *self, double *x);         /* in place; the right-hand side becomes the solution */
    void (*free)(void *self);                           /* what does not live in m; may be NULL */
} solver_kind;

solver     *solver_new(mem *m, const pattern *p, const char *kind); /* kind NULL: choose */
bool        solver_factor(solver *s, const double *values);
void        solver_solve(solver *s, double *x);
const char *solver_name(const solver *s);
void        solver_free(solver *s);

/* dense.c: for analysis, not for stepping. Row-major. -------------------------------------------- */
/* Singular values and right singular vectors (rows of vt) of an m x n matrix, by one-sided Jacobi: accurate for
 * small ones. work-free: allocates from m and gives it back. sigma has n entries, descending; a is not changed. */
void dense_svd(mem *m, const double *a, int rows, int columns, double *sigma, double *vt);
/* Rank with relative tolerance tol (0: max(rows, columns) * eps * largest), null space as rows of `null` (may be NULL). */
int  dense_rank(mem *m, const double *a, int rows, int columns, double tol, double *null);
/* Minimum-norm least-squares solution x of a x = b, by the same decomposition. */
void dense_least_norm(mem *m, const double *a, int rows, int columns, const double *b, double tol, double *x);

#endif
