/* minimum_degree.c - the order of elimination.h, found on the graph that is left: an unknown is
 * taken out, and those that it was joined to are joined to each other. */
#include "linalg/elimination.h"

#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HUB = 16, NONE = -1 }; /* a hub is joined to more than that many */

/* An unknown: how many it is joined to, the first of its list of them, and its neighbours among
 * those of its degree that may be next. */
typedef struct {
    int  degree, list, before, after;
    int  waits; /* for so many                            */
    bool bare;  /* it has no diagonal entry               */
    bool hub;   /* that bare ones do not wait for         */
    bool gone;
} knot;

/* Lists have both ends of every edge, those of the pattern first; `edges` has each edge once. */
typedef struct {
    mem  *m;
    int   n, given, least;
    knot *of;
    int  *front, *back; /* the knots that may be next, by degree: those that came first, first */
    vec(int) to;
    vec(int) next;
    uint64_t *edges; /* a hash table, in which 0 is free */
    size_t    slots, taken;
} graph;

static uint64_t key_of(int i, int j)
{
    const uint64_t a = (uint64_t)(i < j ? i : j), b = (uint64_t)(i < j ? j : i);
    return (a << 32 | b) + 1;
}

static uint64_t *slot_of(const graph *g, uint64_t key)
{
    size_t k = (size_t)(key * 0x9E3779B97F4A7C15u >> 24) & (g->slots - 1);
    while (g->edges[k] && g->edges[k] != key) k = (k + 1) & (g->slots - 1);
    return &g->edges[k];
}

static void make_slots(graph *g)
{
    uint64_t    *old = g->edges;
    const size_t count = g->slots;
    g->slots = count ? 2 * count : 1024;
    g->edges = mem_resize(g->m, NULL, g->slots * sizeof *g->edges);
    memset(g->edges, 0, g->slots * sizeof *g->edges);
    for (size_t k = 0; k < count; k++)
        if (old[k]) *slot_of(g, old[k]) = old[k];
    mem_drop(g->m, old);
}

static void list(graph *g, int i, int j)
{
    vec_push(g->m, g->to, j);
    vec_push(g->m, g->next, g->of[i].list);
    g->of[i].list = g->to.n - 1, g->of[i].degree++;
}

static void join(graph *g, int i, int j)
{
    if (2 * g->taken >= g->slots) make_slots(g);
    uint64_t *at = slot_of(g, key_of(i, j));
    if (*at) return;
    *at = key_of(i, j), g->taken++;
    list(g, i, j), list(g, j, i);
}

/* What waits is in no list of those that may be next. */
static void enter(graph *g, int i)
{
    knot     *k = &g->of[i];
    const int d = k->degree;
    if (k->waits) return;
    k->before = g->back[d], k->after = NONE;
    *(g->back[d] == NONE ? &g->front[d] : &g->of[g->back[d]].after) = i;
    g->back[d] = i;
    if (d < g->least) g->least = d;
}

static void leave(graph *g, int i)
{
    const knot *k = &g->of[i];
    if (k->waits) return;
    *(k->before == NONE ? &g->front[k->degree] : &g->of[k->before].after) = k->after;
    *(k->after == NONE ? &g->back[k->degree] : &g->of[k->after].before) = k->before;
}

static void count_awaited(graph *g, int i)
{
    for (int e = g->of[i].list; e != NONE; e = g->next.at[e]) {
        const knot *other = &g->of[g->to.at[e]];
        g->of[i].waits += !other->bare && !other->hub;
    }
}

static graph graph_of(mem *m, const pattern *p)
{
    graph        g = {.m = m, .n = p->rows, .least = p->rows};
    const size_t n = (size_t)p->rows + 1;
    g.of = mem_resize(m, NULL, n * sizeof *g.of);
    g.front = mem_resize(m, NULL, n * sizeof *g.front);
    g.back = mem_resize(m, NULL, n * sizeof *g.back);
    for (size_t i = 0; i < n; i++) g.of[i] = (knot){.list = NONE, .bare = true};
    for (size_t i = 0; i < n; i++) g.front[i] = g.back[i] = NONE;
    for (int i = 0; i < g.n; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (p->column[k] != i) join(&g, i, p->column[k]);
            else g.of[i].bare = false;
    g.given = g.to.n;
    for (int i = 0; i < g.n; i++) g.of[i].hub = g.of[i].degree > HUB;
    for (int i = 0; i < g.n; i++)
        if (g.of[i].bare) count_awaited(&g, i);
    for (int i = 0; i < g.n; i++) enter(&g, i);
    return g;
}

static void graph_drop(graph *g)
{
    mem *m = g->m;
    mem_drop(m, g->of), mem_drop(m, g->front), mem_drop(m, g->back), mem_drop(m, g->edges);
    vec_drop(m, g->to), vec_drop(m, g->next);
}

/* One of the least degree; NONE: all are taken. */
static int next_of(graph *g)
{
    while (g->least < g->n && g->front[g->least] == NONE) g->least++;
    return g->least < g->n ? g->front[g->least] : NONE;
}

/* Takes i out. Those that are left of its neighbours, which are returned behind `later`, meet. */
static int take_out(graph *g, int i, int *later)
{
    int count = 0;
    leave(g, i);
    g->of[i].gone = true;
    for (int e = g->of[i].list; e != NONE; e = g->next.at[e]) {
        const int j = g->to.at[e];
        knot     *k = &g->of[j];
        if (k->gone) continue;
        leave(g, j);
        later[count++] = j, k->degree--;
        if (k->waits && e < g->given && !g->of[i].bare && !g->of[i].hub) k->waits--;
    }
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) join(g, later[a], later[b]);
    for (int a = 0; a < count; a++) enter(g, later[a]);
    return count;
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* From unknowns to pivots. */
static void number_later(mem *m, elimination *e)
{
    int *place = mem_resize(m, NULL, ((size_t)e->n + 1) * sizeof *place);
    for (int k = 0; k < e->n; k++) place[e->order[k]] = k;
    for (int k = 0; k < e->start[e->n]; k++) e->later[k] = place[e->later[k]];
    for (int k = 0; k < e->n; k++)
        qsort(e->later + e->start[k], (size_t)(e->start[k + 1] - e->start[k]), sizeof *e->later,
              ascending);
    mem_drop(m, place);
}

bool elimination_find(mem *m, const pattern *p, long long most, elimination *out)
{
    graph        g = graph_of(m, p);
    const size_t n = (size_t)p->rows + 1;
    long long    pairs = 0;
    vec(int) later = {0};
    *out = (elimination){.n = p->rows,
                         .order = mem_resize(m, NULL, n * sizeof(int)),
                         .start = mem_resize(m, NULL, n * sizeof(int))};
    out->start[0] = 0;
    vec_reserve(m, later, 1);
    for (int k = 0, i; (i = next_of(&g)) != NONE; k++) {
        const int degree = g.of[i].degree;
        pairs += (long long)degree * (degree - 1) / 2;
        if (pairs > most) break;
        vec_reserve(m, later, degree + 1);
        later.n += take_out(&g, i, later.at + later.n);
        out->order[k] = i, out->start[k + 1] = later.n;
    }
    graph_drop(&g);
    out->later = later.at;
    if (pairs <= most) number_later(m, out);
    else elimination_drop(m, out);
    return pairs <= most;
}

void elimination_drop(mem *m, elimination *e)
{
    mem_drop(m, e->order), mem_drop(m, e->start), mem_drop(m, e->later);
    e->order = e->start = e->later = NULL;
}
