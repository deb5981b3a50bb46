/* partition_group.c - elimination and back substitution of a group, eight partitions in vector
 * lanes, as step/partition.h has them: compiled here for every reach, and given to compiled passes
 * as text, which contain it with constant sizes and the vectors of their machine. */
#include "linalg/partition.h"

#include "base/text_of.h"
#include "step/embedded.h"

#include <math.h>

#include "step/partition.h"

void group_write(text *out, int reach)
{
    text_printf(out, "enum { GROUP = %d, PARTITION_REACH = %d };\n", GROUP, reach);
    text_printf(out, "enum { PARTITION_TILE = %d, GROUP_PLANE = %d };\n", PARTITION_TILE,
                GROUP_PLANE);
    text_printf(out, "typedef struct { %s } group;\n", TEXT_OF_ALL(GROUP_FIELDS));
    text_add(out, step_text("partition.h"));
}

void group_begin(group *s, int reach)
{
    begin_group(reach, s);
}

/* The reach is a compile-time constant in each of these instances, so that compilers unroll the
 * loops. */
void group_down(group *s, int reach, const double *of, int from, int rows)
{
    switch (reach) {
    case 1: take_rows(1, s, of, from, rows); return;
    case 2: take_rows(2, s, of, from, rows); return;
    case 3: take_rows(3, s, of, from, rows); return;
    default: take_rows(reach, s, of, from, rows);
    }
}

void group_up(group *s, int reach, int from, int rows, double *x)
{
    double together[GROUP_PLANE * GROUP] = {0};
    switch (reach) {
    case 1: give_rows(1, s, from, rows, together); break;
    case 2: give_rows(2, s, from, rows, together); break;
    case 3: give_rows(3, s, from, rows, together); break;
    default: give_rows(reach, s, from, rows, together);
    }
    turn_out(together, rows, x);
}
