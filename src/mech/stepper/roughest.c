/* roughest.c - room for what is kept of the step that stands out, in lanes, and how it is saved. */
#include "mech/stepper/roughest.h"

#include "mech/stepper/stepper.h"

#include <string.h>

enum { ARRAYS = 9 };

typedef struct {
    double    **at;
    int         n;
    const char *name;
} array_of;

static void list_arrays(roughness *of, int n, array_of list[ARRAYS])
{
    const array_of all[ARRAYS] = {
        {&of->sum, n, "sum"}, {&of->weight, n, "weight"}, {&of->z, 2 * n, "z"},
        {&of->p, 2 * n, "p"}, {&of->from, 4 * n, "from"}, {&of->most, 1, "most"},
        {&of->t, 1, "t"},     {&of->known, 1, "known"},   {&of->seen, 1, "seen"}};
    memcpy(list, all, sizeof all);
}

void roughest_clear(roughness *of, int n, int lanes)
{
    array_of all[ARRAYS];
    list_arrays(of, n, all);
    for (int k = 0; k < ARRAYS; k++)
        memset(*all[k].at, 0, (size_t)all[k].n * (size_t)lanes * sizeof(double));
    of->noted = 0;
}

void roughest_room(mem *m, roughness *of, int n, int lanes)
{
    array_of all[ARRAYS];
    list_arrays(of, n, all);
    for (int k = 0; k < ARRAYS; k++)
        *all[k].at = mem_lines(m, ((size_t)all[k].n + 1) * (size_t)lanes);
    roughest_clear(of, n, lanes);
}

void roughest_copy(const roughness *to, int to_lane, int to_lanes, const roughness *from,
                   int from_lane, int from_lanes, int n)
{
    array_of  a[ARRAYS], b[ARRAYS];
    roughness into = *to, out = *from;
    list_arrays(&into, n, a), list_arrays(&out, n, b);
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < a[k].n; i++)
            (*a[k].at)[i * to_lanes + to_lane] = (*b[k].at)[i * from_lanes + from_lane];
}

void roughest_archive(stepper *st, archive *r)
{
    array_of all[ARRAYS];
    list_arrays(&st->rough, st->sys->n, all);
    for (int k = 0; k < ARRAYS; k++) archive_doubles(r, all[k].name, *all[k].at, (size_t)all[k].n);
    archive_long(r, "noted", &st->rough.noted);
}
