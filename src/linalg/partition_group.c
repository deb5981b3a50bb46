/* partition_group.c - elimination and back substitution of a group, eight partitions in vector
 * lanes, as step/partition.h and step/band_factors.h have them: compiled here for every reach, and
 * given to compiled passes as text, which contain it with constant sizes and the vectors of their
 * machine. */
#include "linalg/partition.h"

#include "base/text_of.h"
#include "step/embedded.h"

#include <math.h>

#include "step/partition.h"

#include "step/band_factors.h"

void group_write(text *out, int reach)
{
    text_printf(out, "enum { GROUP = %d, PARTITION_REACH = %d };\n", GROUP, reach);
    text_printf(out, "enum { PARTITION_TILE = %d, GROUP_PLANE = %d };\n", PARTITION_TILE,
                GROUP_PLANE);
    text_printf(out, "typedef struct { %s } group;\n", TEXT_OF_ALL(GROUP_FIELDS));
    text_add(out, step_text("partition.h"));
}

void band_factors_write(text *out, int reach)
{
    group_write(out, reach);
    text_printf(out, "enum { FACTOR_CHUNK = %d };\n", FACTOR_CHUNK);
    text_add(out, step_text("band_factors.h"));
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
    turn_out(together, rows, x, GROUP_PLANE);
}

void group_side_down(const group *s, int reach, const double *r, ptrdiff_t plane, int from,
                     int rows)
{
    switch (reach) {
    case 1: take_side(1, s, r, plane, from, rows); return;
    case 2: take_side(2, s, r, plane, from, rows); return;
    case 3: take_side(3, s, r, plane, from, rows); return;
    default: take_side(reach, s, r, plane, from, rows);
    }
}

void group_side_up(const group *s, int reach, int from, int rows, double *x, ptrdiff_t plane)
{
    switch (reach) {
    case 1: give_solution(1, s, from, rows, x, plane); return;
    case 2: give_solution(2, s, from, rows, x, plane); return;
    case 3: give_solution(3, s, from, rows, x, plane); return;
    default: give_solution(reach, s, from, rows, x, plane);
    }
}
