/* facts.h - inside the analysis: the parts that need numbers, and groups of what hangs together. */
#ifndef MODEL_ANALYSE_FACTS_H
#define MODEL_ANALYSE_FACTS_H

#include "model/analyse/analyse.h"
#include "model/shape.h"

#include <math.h>

/* Union-find: of[i] leads to the smallest member of i's group. */
typedef struct {
    int n, *of;
} groups;

groups groups_new(mem *m, int n);
int    groups_find(groups *g, int i);
void   groups_join(groups *g, int i, int j);
void   groups_join_rows(groups *g, const pattern *p); /* the columns of each row hang together */
int    groups_count(groups *g);

/* analyse/analyse.c: did the user write what goes there, or is it a derivative? */
bool analyse_written(const compiled *c, const derived *d, sink s);

/* analyse/open.c: coordinates, one of each part that they make idle */
int analyse_open(mem *m, const model *md, int **open);

/* analyse/rank.c, analyse/symmetry.c, analyse/finite.c */
void analyse_ranks(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a);
void analyse_symmetries(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a);

void analyse_finite(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a);

/* analyse/leaf.c: what a velocity row keeps, as text; NULL: it cannot be named */
const char *analyse_leaf(mem *m, const compiled *c, int row);

/* In [-1, 1), by a linear congruence, so that a check says the same every time. */
static inline double analyse_noise(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline bool all_finite(const double *x, int n)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

#endif
