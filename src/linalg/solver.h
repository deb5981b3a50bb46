/* solver.h - linear systems that are solved again and again: analyse once, factor often, solve.
 *
 * Singular, for every kind, means this. Rows and columns are brought to a largest entry of one,
 *     b_ij = a_ij / (r_i c_j),   r_i = max_j |a_ij|,   c_j = max_i |a_ij| / r_i,
 * and in some column no pivot of b is left that is above 16 n eps (eps = 2^-52; where rounding
 * leaves a pivot for a zero, it is below that in 99 of 100 random matrices; the dense kind takes
 * columns first, then rows). Being relative to row and column alike, the rule does not mind units:
 * a system that mixes 1/h^2 with 1 is not singular for it. Up to 512 unknowns a matrix that seems
 * singular is looked at again in units of its own (rescale.h). Entries that are not finite, and
 * rows that are empty or below the normal numbers, count as singular too. */
#ifndef LINALG_SOLVER_H
#define LINALG_SOLVER_H

#include "base/archive.h"
#include "linalg/dense.h"
#include "linalg/pattern.h"

typedef struct solver      solver;

/* A kind of solver. The table in solver.c lists them; solver_new takes the first that fits. */
typedef struct {
    const char *name, *title;
    bool (*fits)(mem *m, const pattern *p);           /* a good choice? m is for work space only  */
    void *(*analyse)(mem *m, const pattern *p);       /* NULL: cannot take this pattern           */
    bool (*factor)(void *self, const double *values); /* false: singular to working precision     */
    void (*solve)(const void *self, double *x);       /* in place: right-hand side to solution    */
    void (*free)(void *self);                         /* what m does not hold; NULL: nothing      */
    /* A kind that keeps its pivots from one matrix to the next (NULL: none does): the entries it
     * chose them at, NULL if it has none yet; and choosing them again, at such entries. */
    const double *(*pivoted_at)(const void *self);
    bool (*pivot_at)(void *self, const double *entries);
    double (*effort)(const void *self); /* solver_effort, where it can be told; NULL: 1 */
    double (*work)(const void *self);   /* solver_work; NULL: the entries of the pattern */
    bool (*aim)(void *self, double part, const double *size); /* solver_aim; NULL: it is exact  */
    const char *(*used)(const void *self);                    /* solver_used; NULL: itself      */
    int (*patience)(const void *self);                        /* solver_patience; NULL: 0       */
} solver_kind;

/* For a square pattern, whose arrays must outlive the solver. kind NULL: choose; a name that is not
 * in this build, or cannot take the pattern, gives NULL. What the solver holds goes with m. */
solver     *solver_new(mem *m, const pattern *p, const char *kind);

/* The kind for a matrix that may be symmetric and definite, and for which no other kind than that
 * of sparse matrices in general would be chosen; NULL: there is none, or it would not pay. */
const char *solver_for_definite(mem *m, const pattern *p);

/* How accurate the next solutions are to be, where they are found by iteration: their error is at
 * most `part` of them, or roundoff of `size`, in the norm max_k |a_kk|^(1/2) |x_k|. After
 * solver_factor. False: they are as exact as roundoff lets them. */
bool        solver_aim(solver *s, double part, const double *size);
bool        solver_factor(solver *s, const double *values); /* of the entries, in pattern order */
void        solver_solve(const solver *s, double *x);
const char *solver_name(const solver *s);
const char *solver_used(const solver *s); /* its own kind, or the one it left matrices to */
bool        solver_iterates(const solver *s);
const char *solver_title(const solver *s);  /* what it is for, in words */
int         solver_patience(solver *s); /* iterations for a solution beyond which it is left to
                                           factors; 0: it does not iterate */
double      solver_work(const solver *s);   /* of a solution, in multiplications */
double      solver_effort(const solver *s); /* of a factorisation, in solves with its factors */
void        solver_free(solver *s); /* early, while m lives on; NULL is fine */

/* What of the past influences the factorisations to come: the entries at which pivots were chosen,
 * as many as the pattern has, or those that iterations have failed at; NULL: nothing does. A fresh
 * solver that is told of them goes on with the same bits. */
const double *solver_past(const solver *s);
bool          solver_recall(solver *s, const double *past);

/* The kinds of this build, in order of preference. */
const solver_kind *const *solver_kinds(int *count);

/* pivots.c: saves or restores the pivots of one that is refactored repeatedly; m lends memory. */
void solver_archive(solver *lu, const pattern *shape, archive *r, mem *m, const char *name);

#endif
