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

#endif
