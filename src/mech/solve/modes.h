/* modes.h - the matrix of a step whose system is frozen in the middle of its curve, split by the
 * eigenvectors of the scheme: each of its eigenvalues has a matrix of the size of the system, each
 * complex pair one of twice that.                                              theory.md [MODES]
 *
 *     J = sum_f h^power T_f x F,    T_f: d x d, of the scheme,    F: n x n, fields of the system
 *     (U S^-1 x 1) J (V x 1) = diag_k sum_f h^power t_fk F,    t_fk = (U S^-1 T_f V)_kk
 *
 * S is the table of L_vv, V and U = V^-1 are the eigenvectors of S^-1 N, N that of L_qq. */
#ifndef MECH_SOLVE_MODES_H
#define MECH_SOLVE_MODES_H

#include "mech/equations/equations.h"

typedef struct modes modes;

/* NULL: the equations are not those of increments alone, the scheme has no such eigenvectors, or
 * one of the matrices would cost what that of the whole step does. */
modes *modes_new(mem *m, equations *eq);
void   modes_free(modes *md);
void   modes_forget(modes *md); /* parameters changed */

/* Are there factors for the present step length? Evaluates the system in the middle of the curve y
 * and factors; false: a value is not finite, or a matrix singular. They last until they are
 * dropped. */
bool modes_ready(const modes *md);
bool modes_factor(modes *md, const double *y);
void modes_drop(modes *md);

bool modes_expensive(const modes *md);        /* factoring takes as long as several solves */
void modes_solve(const modes *md, double *x); /* x = J^-1 x */

void modes_archive(modes *md, archive *r, mem *m);

#endif
