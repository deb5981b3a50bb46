/* values.h - inside the evaluation of a model's numbers. */
#ifndef LANG_VALUES_H
#define LANG_VALUES_H

#include "lang/language.h"

void evaluate_starts(world *w, values *out);                                      /* starts.c  */
void evaluate_ties(world *w, values *out);                                        /* ties.c    */
void evaluate_columns(world *w, lang *l, const source *asked, values *out);       /* columns.c */

#endif
