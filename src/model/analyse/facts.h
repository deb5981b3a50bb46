/* facts.h - inside the analysis: the parts that need numbers, and groups of what hangs together. */
#ifndef MODEL_ANALYSE_FACTS_H
#define MODEL_ANALYSE_FACTS_H

#include "model/analyse/analyse.h"
#include "model/shape.h"

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

/* analyse/rank.c, analyse/symmetry.c */
void analyse_ranks(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a);
void analyse_symmetries(mem *m, const compiled *c, bound *b, const sys_point *start, analysis *a);

#endif
