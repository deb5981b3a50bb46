/* turning_changes.h - rotations in the changes of a step.           theory.md [TANGENT] [ROTATION]
 *
 * A change of a rotation is (eta, dmu), both in body axes: dR = R [eta], mu = R^T pi. Within a step
 * the base of its chart moves:
 *
 *     u = D_a dZ^d/2,   eta_m = exp(-a) eta_0 + u,   dy = sum_nu l_nu dZ^nu - dZ^d/2
 *     dm_0 = exp(-a) dmu_0 + m_0 x u,   dm_1 = dm_0 + dM
 *     eta_1 = exp(-a) eta_m + u,        dmu_1 = exp(-a) dm_1 + mu_1 x u
 *
 * A direction n = R e_3 is changed with its frame R, which is any. */
#ifndef MECH_EQUATIONS_TURNING_CHANGES_H
#define MECH_EQUATIONS_TURNING_CHANGES_H

#include "mech/equations/row_changes.h"

typedef struct turning_changes {
    double *eta;     /* n: of the bases                       */
    double *at;      /* n: of what M sums up, at a point      */
    double *dS, *dM; /* n: of these sums                      */
} turning_changes;

turning_changes *turning_changes_new(mem *m, int n);

/* Before the points of a step are moved: eta, and sums that are 0. */
void turning_changes_begin(const row_changes *c, const part_direction *d);

/* Rows of dq at a point, found as those of numbers: dy. */
void turning_changes_place(const row_changes *c, const part_direction *d);

/* What the bases add at a point of the rule, and at a point of relations. */
void turning_changes_fields(const row_changes *c, const sys_values *at);
void turning_changes_curvature(const row_changes *c, const sys_values *at);

/* The row R_0, of which dG_0 is known; p^- and q at the end of the curve. */
void turning_changes_rows(const row_changes *c, const part_direction *d, double *r);
void turning_changes_momentum(const row_changes *c, const part_direction *d, double *dp);
void turning_changes_end(const row_changes *c, const part_direction *d, double *dq);

/* Of directions n and momenta p = j x n, at a state of momenta mu: from (dn, dp) in space axes, and
 * back. */
void turning_changes_to_body(const turning *t, int n, const double *q, const double *mu, double *dq,
                             double *dp);
void turning_changes_to_space(const turning *t, int n, const double *q, const double *mu,
                              double *dq, double *dp);

/* At a grid point, where y = 0, of the momentum p = D_y^T mu in the chart:
 *     dp = dmu - mu x eta/2,   and back: sign = -1 */
void turning_changes_in_chart(const turning *t, int sign, const double *mu, const double *dq,
                              double *dp);

#endif
