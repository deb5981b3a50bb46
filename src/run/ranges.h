/* ranges.h - lists with ranges in them: "lobatto(2..5), midpoint" and "8..256". */
#ifndef RUN_RANGES_H
#define RUN_RANGES_H

#include "base/diag.h"

typedef vec(const source *) source_list; /* each a text of its own, for messages */
typedef vec(long) count_list;

/* Splits at the commas outside brackets; a..b within a piece stands for each whole number in
 * turn. */
dal_status ranges_words(mem *m, diags *ds, const source *of, source_list *out);

/* Whole numbers, ascending, each once; a..b doubles from a as long as it stays below or at b. */
dal_status ranges_counts(mem *m, diags *ds, const source *of, count_list *out);

#endif
