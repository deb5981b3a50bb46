/* band_factors_text.c - C text for forward elimination of right-hand sides and back substitution
 * over eight partitions, in vectors, with blocks of four by four numbers transposed. */
#include "base/text_of.h"
#include "linalg/band_factors.h"
#include "step/embedded.h"

void band_factors_write(text *out, int reach)
{
    text_printf(
        out,
        "enum { B = %d, GROUP = %d, FACTOR_CHUNK = %d, FACTOR_TILE = %d, FACTOR_PLANE = %d };\n",
        reach, GROUP, FACTOR_CHUNK, FACTOR_TILE, FACTOR_PLANE);
    text_printf(out, "typedef struct { %s } factor_group;\n", TEXT_OF_ALL(FACTOR_FIELDS));
    text_add(out, step_text("band_factors.h"));
}
