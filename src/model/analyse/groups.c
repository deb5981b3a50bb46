/* groups.c - connected components of coordinates: union-find with path halving, the smallest index
 * leads. */
#include "model/analyse/facts.h"

groups groups_new(mem *m, int n)
{
    groups g = {n, mem_resize(m, NULL, (size_t)(n + 1) * sizeof *g.of)};
    for (int i = 0; i < n; i++) g.of[i] = i;
    return g;
}

/* Path halving: every other node is made to point to its grandparent. */
int groups_find(groups *g, int i)
{
    while (g->of[i] != i) i = g->of[i] = g->of[g->of[i]];
    return i;
}

/* The smaller leader leads, so that groups are numbered by their first member. */
void groups_join(groups *g, int i, int j)
{
    i = groups_find(g, i), j = groups_find(g, j);
    if (i < j) g->of[j] = i;
    else g->of[i] = j;
}

void groups_join_rows(groups *g, const pattern *p)
{
    for (int a = 0; a < p->rows; a++)
        for (int k = p->start[a] + 1; k < p->start[a + 1]; k++)
            groups_join(g, p->column[p->start[a]], p->column[k]);
}

int groups_count(groups *g)
{
    int n = 0;
    for (int i = 0; i < g->n; i++) n += g->of[i] == i;
    return n;
}
