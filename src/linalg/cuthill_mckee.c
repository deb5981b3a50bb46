/* cuthill_mckee.c - reverse Cuthill-McKee: neighbours get neighbouring numbers, so that chains and
 * rings of any numbering become narrow bands. */
#include "linalg/pattern.h"

#include <string.h>

/* The graph of A + A^T without its diagonal; neighbour lists may repeat an entry, and have those of
 * low degree first. */
typedef struct {
    int *start, *to;
} neighbours;

static int degree(const neighbours *g, int i)
{
    return g->start[i + 1] - g->start[i];
}

/* The nodes 0 .. n-1, those of low degree first. */
static int *nodes_by_degree(mem *m, const neighbours *g, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        if (degree(g, i) > most) most = degree(g, i);
    int *node = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *node);
    int *next = mem_resize(m, NULL, ((size_t)most + 2) * sizeof *next);
    memset(next, 0, ((size_t)most + 2) * sizeof *next);
    for (int i = 0; i < n; i++) next[degree(g, i) + 1]++;
    for (int d = 0; d < most; d++) next[d + 1] += next[d];
    for (int i = 0; i < n; i++) node[next[degree(g, i)]++] = i;
    mem_drop(m, next);
    return node;
}

/* Sorts all lists at once: nodes enter those of their neighbours in the order of their degree. */
static void sort_lists(mem *m, neighbours *g, int n)
{
    int *node = nodes_by_degree(m, g, n);
    int *next = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *next);
    int *to = mem_resize(m, NULL, ((size_t)g->start[n] + 1) * sizeof *to);
    memcpy(next, g->start, ((size_t)n + 1) * sizeof *next);
    for (int x = 0; x < n; x++)
        for (int k = g->start[node[x]]; k < g->start[node[x] + 1]; k++)
            to[next[g->to[k]]++] = node[x];
    mem_drop(m, g->to), mem_drop(m, next), mem_drop(m, node);
    g->to = to;
}

static neighbours neighbours_of(mem *m, const pattern *p)
{
    size_t     n = (size_t)p->rows;
    neighbours g = {.start = mem_resize(m, NULL, (n + 2) * sizeof *g.start)};
    memset(g.start, 0, (n + 2) * sizeof *g.start);
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (p->column[k] != i) g.start[i + 2]++, g.start[p->column[k] + 2]++;
    for (size_t i = 0; i < n; i++) g.start[i + 2] += g.start[i + 1];
    g.to = mem_resize(m, NULL, ((size_t)g.start[n + 1] + 1) * sizeof *g.to);
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            int j = p->column[k];
            if (j == i) continue;
            g.to[g.start[i + 1]++] = j;
            g.to[g.start[j + 1]++] = i;
        }
    sort_lists(m, &g, p->rows);
    return g;
}

/* Breadth first from `root`: queue[0 .. count) are those reached, *level is the depth. Within one
 * level and parent, those of low degree come first. seen[] is marked with `mark`. */
static int sweep(const neighbours *g, int root, int *queue, int *seen, int mark, int *depth)
{
    int count = 0, level_end = 1;
    *depth = 0;
    queue[count++] = root, seen[root] = mark;
    for (int head = 0; head < count; head++) {
        if (head == level_end) level_end = count, ++*depth;
        for (int k = g->start[queue[head]]; k < g->start[queue[head] + 1]; k++) {
            int i = g->to[k];
            if (seen[i] != mark) seen[i] = mark, queue[count++] = i;
        }
    }
    return count;
}

/* Numbers the component of `root` from `next` on, starting at an end of it: the last one reached
 * from anywhere is taken as the next root for as long as that makes the levels more. */
static int number_component(const neighbours *g, int root, int *queue, int *seen, int *mark,
                            int next, int *position, int n)
{
    int depth, deeper, count = sweep(g, root, queue, seen, ++*mark, &depth);
    for (;;) {
        root = queue[count - 1];
        sweep(g, root, queue, seen, ++*mark, &deeper);
        if (deeper <= depth) break;
        depth = deeper;
    }
    for (int k = 0; k < count; k++) position[queue[k]] = n - 1 - (next + k);
    return next + count;
}

void pattern_order(mem *m, const pattern *p, int *position)
{
    size_t     n = (size_t)p->rows;
    neighbours g = neighbours_of(m, p);
    int       *queue = mem_resize(m, NULL, (n + 1) * sizeof *queue);
    int       *seen = mem_resize(m, NULL, (n + 1) * sizeof *seen);
    int        mark = 0;
    memset(seen, 0, (n + 1) * sizeof *seen);
    for (int i = 0, next = 0; i < p->rows; i++)
        if (!seen[i]) next = number_component(&g, i, queue, seen, &mark, next, position, p->rows);
    mem_drop(m, seen), mem_drop(m, queue), mem_drop(m, g.to), mem_drop(m, g.start);
}
