/* values.h - inside the evaluation of a model's numbers. */
#ifndef LANG_VALUES_H
#define LANG_VALUES_H

#include "lang/language.h"

/* values.c: a world without overrides in it; its numbers, but for the columns. */
void world_begin(world *w, lang *l, const model *md, diags *ds, mem *m);
void evaluate_numbers(world *w, lang *l, const overrides *over, values *out);

void evaluate_starts(world *w, values *out);                                /* starts.c  */
void evaluate_ties(world *w, values *out);                                  /* tied_starts.c */
void evaluate_columns(world *w, lang *l, const source *asked, values *out); /* columns.c */

#endif
