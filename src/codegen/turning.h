/* turning.h - rotations and directions, while the equations of a step are being written. */
#ifndef CODEGEN_TURNING_H
#define CODEGEN_TURNING_H

#include "codegen/inside.h"

int  turning_count(const codegen *f); /* 0: there are none, and nothing below is asked */
bool turning_row(const codegen *f, int j);
bool turning_entry(const codegen *f, const field_root *r); /* with a row or column of one */

void        turning_tables(codegen *f);
const char *turning_middles(codegen *f);
const char *turning_places(codegen *f, point_set set);
const char *turning_rows_text(codegen *f, bool second, int k);
const char *turning_entries(codegen *f);
const char *turning_gains(codegen *f);

/* A result of a program at point i; what its entries in rows and columns of rotations add to the
 * Jacobian, from `moves` of that point. */
extern const char turning_letter[]; /* of a set of points */
const char       *turning_slot(codegen *f, const program *p, point_set set, int held);
const char       *turning_pairs(codegen *f, const program *p, point_set set);

/* turning_relations.c: do relations hold or read a rotation? "const vector3 kappa = A^T lam;" on
 * rotation k at node i, "" without; and what they add to the Jacobian. */
bool        turning_bound(const codegen *f);
const char *turning_reaction(codegen *f, bool second, int k);
const char *turning_relations(codegen *f);

#endif
