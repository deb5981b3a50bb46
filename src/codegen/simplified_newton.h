/* simplified_newton.h - inside simplified_newton.c: what step/simplified_newton.h asks of the model
 * at sample points and nodes (point_terms.c), and its matrices (point_matrices.c). */
#ifndef CODEGEN_SIMPLIFIED_NEWTON_H
#define CODEGEN_SIMPLIFIED_NEWTON_H

#include "codegen/factors.h"

/* Of what a function at the points takes, and may not read. */
#define UNREAD_AT_POINTS "(void)tR;\n(void)qR;\n(void)vR;\n(void)par;\n(void)u;\n(void)nearR;\n"

/* point_matrices.c */
factors matrix_shape(codegen *f);
void    matrices_write(codegen *f, const factors *b);
void    inertia_sizes_write(codegen *f);
bool    rate_by_positions(codegen *f); /* is an entry made by way of positions? */

/* point_terms.c */
int  rate_lanes(const codegen *f); /* points of the rule, as whole vectors              */
int  rate_nodes(const codegen *f); /* where reactions act, or positions are constrained */
bool rate_reads(const codegen *f, const program *p, int j); /* position j               */
bool rate_pushed(codegen *f, int j);                        /* by a force               */
bool rate_reacts(codegen *f, int j);                        /* in some relation         */
void point_terms_write(codegen *f);
void node_terms_write(codegen *f);

#endif
