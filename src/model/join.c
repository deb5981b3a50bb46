/* join.c - terms of one statement that look different become one term.
 *
 *     sum(k in 1..N: m[k]/2*(sum(j in 1..k: l*sin(th[j]))')^2)
 *
 * has N terms of N shapes. Each holds the one before it; by itself it has k^2 second derivatives,
 * and those of all terms are N^3/3. Taken as one, what they share is one node, its derivative one
 * sum over all that use it, and the number of operations that of the entries, N^2. */
#include "model/shape.h"

#include <math.h>
#include <string.h>

enum {
    JOIN_COORDINATES = 256, /* of a system in which dense blocks always pay          */
    JOIN_INSTANCES = 8      /* terms of one shape that are better evaluated in lanes */
};

typedef struct {
    mem     *m;
    element *to;
    vec(slot) slots;
    int *number[SLOT_KINDS]; /* of (kind, index): its variable; -1: none yet */
} joining;

/* Terms with many instances are better off in lanes, so they stay as they are. */
static bool is_joinable(const element *el)
{
    return (el->kind == EL_LAGRANGIAN || el->kind == EL_HAMILTONIAN) && el->instances &&
           el->instances < JOIN_INSTANCES;
}

/* How many elements from `first` on come from one statement and can be joined. */
static int stretch(const model *md, int first)
{
    const element *el = md->elements.at;
    int            end = first;
    while (end < md->elements.n && is_joinable(&el[end]) && el[end].kind == el[first].kind &&
           !memcmp(&el[end].at, &el[first].at, sizeof(span)))
        end++;
    return end - first;
}

/* A table per kind of slot, since the same coordinate may be met in many terms. */
static joining joining_new(mem *m, const model *md, element *to)
{
    const int axes = md->turns ? TURNING_MATRIX * md->turns->count : 0;
    const int size[SLOT_KINDS] = {
        [SLOT_TIME] = 1,           [SLOT_DATA] = md->data.n,   [SLOT_PARAMETER] = md->parameters,
        [SLOT_INPUT] = md->inputs, [SLOT_Q] = md->coordinates, [SLOT_V] = md->coordinates,
        [SLOT_P] = md->coordinates, [SLOT_AXIS_1] = axes,      [SLOT_AXIS_2] = axes,
        [SLOT_AXIS_3] = axes};
    joining j = {.m = m, .to = to};
    for (int kind = 0; kind < SLOT_KINDS; kind++) {
        j.number[kind] = mem_resize(m, NULL, (size_t)(size[kind] + 1) * sizeof(int));
        for (int k = 0; k < size[kind]; k++) j.number[kind][k] = -1;
    }
    return j;
}

/* The joined element's variable for what slot s of this instance reads: one for each thing read. */
static expr variable(joining *j, const slot *s, int instance)
{
    const int index = slot_index(s, instance);
    int      *number = &j->number[s->kind][index];
    if (*number < 0) {
        *number = j->slots.n;
        vec_push(j->m, j->slots, (slot){.kind = s->kind, .base = index});
    }
    return expr_var(&j->to->g, *number);
}

/* One instance of el, copied into the joined graph. */
static expr term(joining *j, const element *el, int instance)
{
    expr *image = mem_resize(j->m, NULL, (size_t)(el->slots + 1) * sizeof *image);
    int  *memo = mem_resize(j->m, NULL, (size_t)(el->g.nodes.n + 1) * sizeof *memo);
    for (int k = 0; k < el->slots; k++) image[k] = variable(j, &el->slot[k], instance);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    expr e = expr_import(&j->to->g, &el->g, el->root[0], image, memo);
    mem_drop(j->m, memo);
    mem_drop(j->m, image);
    return e;
}

/* Their sum as one element with one instance. */
static const element *joined(mem *m, const model *md, int first, int count)
{
    const element *el = &md->elements.at[first];
    element       *to = mem_array(m, 1, element);
    joining        j = joining_new(m, md, to);
    vec(expr) terms = {0};
    *to = (element){.kind = el->kind, .at = el->at, .instances = 1, .roots = 1};
    graph_init(&to->g, m);
    for (int e = 0; e < count; e++)
        for (int k = 0; k < el[e].instances; k++) {
            expr x = term(&j, &el[e], k);
            vec_push(m, terms, x);
        }
    to->root = mem_array(m, 1, expr);
    to->root[0] = expr_sum(&to->g, terms.at, terms.n);
    to->slot = j.slots.at, to->slots = j.slots.n;
    for (int kind = 0; kind < SLOT_KINDS; kind++) mem_drop(m, j.number[kind]);
    vec_drop(m, terms);
    return to;
}

/* Second derivatives of the terms by themselves, sum of squares, and of the one that they become. */
static bool pays(const model *md, int first, int count)
{
    double alone = 0, all = 0;
    for (const element *el = md->elements.at + first, *end = el + count; el < end; el++) {
        alone += (double)el->slots * el->slots * el->instances;
        all += (double)el->slots * el->instances;
    }
    if (md->coordinates <= JOIN_COORDINATES) return true;
    all = fmin(all, 2.0 * md->coordinates);
    return all * all <= alone;
}

/* Returns how many elements of the model *out stands for. */
int join_terms(mem *m, const model *md, int first, const element **out)
{
    int count = stretch(md, first);
    if (count > 1 && !pays(md, first, count)) count = 0;
    *out = count > 1 ? joined(m, md, first, count) : &md->elements.at[first];
    return count > 1 ? count : 1;
}
