/* handmade.h - models put together by hand, so that the compiler is tested without the parser.
 *
 *     hand h;
 *     hand_begin(&h, 2, 1);                           coordinates x0, x1; parameter k0
 *     hand_element(&h, EL_LAGRANGIAN, 1);
 *     hand_root(&h, expr_mul(h.g, hand_q(&h, 0), hand_q(&h, 1)), 0);
 *     const model *md = hand_end(&h); */
#ifndef TESTS_HANDMADE_H
#define TESTS_HANDMADE_H

#include "model/model.h"

#include <string.h>

typedef struct {
    model    md;
    element *el; /* the one being written */
    graph   *g;  /* its graph             */
    source   src;
    mem     *m;
} hand;

static name hand_name(hand *h, const char *stem, int k)
{
    const char *s = mem_printf(h->m, "%s%d", stem, k);
    return names_intern(&h->md.ns, s, strlen(s));
}

static void hand_members(hand *h, layout *l, member_kind kind, const char *stem, int count)
{
    for (int k = 0; k < count; k++)
        l->member[l->members++] =
            (member){.kind = kind, .word = hand_name(h, stem, k), .offset = k, .count = 1};
    l->count[kind] = count;
}

/* Coordinates x0, x1, ..., parameters k0, ..., outputs out0, ..., one part. */
static void hand_begin_all(hand *h, int n, int parameters, int inputs, int outputs, int symmetries)
{
    memset(h, 0, sizeof *h);
    h->m = &h->md.m;
    mem_init(h->m, mem_heap_default());
    names_init(&h->md.ns, h->m);
    h->src = (source){"hand.dal", "first line\nsecond line\nthird line\n", 34};
    layout *l = mem_array(h->m, 1, layout);
    l->member = mem_array(h->m, n + parameters + inputs + outputs + symmetries + 1, member);
    l->system = h->md.system = names_intern(&h->md.ns, "Hand", 4);
    hand_members(h, l, MEMBER_COORDINATE, "x", n);
    hand_members(h, l, MEMBER_PARAMETER, "k", parameters);
    hand_members(h, l, MEMBER_INPUT, "u", inputs);
    hand_members(h, l, MEMBER_OUTPUT, "out", outputs);
    hand_members(h, l, MEMBER_SYMMETRY, "sym", symmetries);
    h->md.file = "hand.dal";
    h->md.coordinates = n, h->md.parameters = parameters, h->md.inputs = inputs;
    h->md.outputs = outputs, h->md.symmetries = symmetries;
    h->md.hamiltonian = mem_array(h->m, n + 1, unsigned char);
    h->md.structural = mem_array(h->m, parameters + 1, unsigned char);
    vec_push(h->m, h->md.parts,
             (part){.shape = l, .parent = -1, .member = -1, .energy_first = 0, .energy_last = 1});
}

static inline void hand_begin(hand *h, int n, int parameters)
{
    hand_begin_all(h, n, parameters, 0, 0, 0);
}

static inline void hand_element(hand *h, element_kind kind, int instances)
{
    element el = {.kind = kind, .instances = instances, .at = {&h->src, 11, 17}};
    el.slot = mem_array(h->m, 64, slot);
    el.root = mem_array(h->m, 64, expr);
    el.target = mem_array(h->m, 64, slot);
    vec_push(h->m, h->md.elements, el);
    h->el = &h->md.elements.at[h->md.elements.n - 1];
    h->g = &h->el->g;
    graph_init(h->g, h->m);
}

static inline expr hand_slot(hand *h, slot s)
{
    h->el->slot[h->el->slots] = s;
    return expr_var(h->g, h->el->slots++);
}

/* slots of instance k: index base + k*stride */
static inline expr hand_run(hand *h, slot_kind kind, int base, int stride)
{
    return hand_slot(h, (slot){kind, base, stride, NULL});
}

static inline expr hand_list(hand *h, slot_kind kind, const int *at)
{
    return hand_slot(h, (slot){kind, 0, 0, at});
}

static inline expr hand_t(hand *h)
{
    return hand_run(h, SLOT_TIME, 0, 0);
}
static inline expr hand_q(hand *h, int i)
{
    return hand_run(h, SLOT_Q, i, 0);
}
static inline expr hand_v(hand *h, int i)
{
    return hand_run(h, SLOT_V, i, 0);
}
static inline expr hand_p(hand *h, int i)
{
    return hand_run(h, SLOT_P, i, 0);
}
static inline expr hand_k(hand *h, int i)
{
    return hand_run(h, SLOT_PARAMETER, i, 0);
}

static inline void hand_root_run(hand *h, expr root, int base, int stride)
{
    h->el->root[h->el->roots] = root;
    h->el->target[h->el->roots++] = (slot){.base = base, .stride = stride};
}

static inline void hand_root(hand *h, expr root, int target)
{
    hand_root_run(h, root, target, 0);
}

/* the rows of one relation element */
static inline int hand_relations(hand *h, relation_kind kind, int count)
{
    int first = h->md.relation.n;
    for (int k = 0; k < count; k++)
        vec_push(h->m, h->md.relation,
                 (relation){.kind = kind, .at = {&h->src, 11, 17}, .member = -1, .offset = k});
    h->md.relations = h->md.relation.n;
    return first;
}

static inline const model *hand_end(hand *h)
{
    return &h->md;
}

static inline void hand_free(hand *h)
{
    mem m = h->md.m;
    mem_free(&m);
}

/* small sums */
static inline expr half_square(graph *g, expr e)
{
    return expr_mul(g, expr_const(g, 0.5), expr_powi(g, e, 2));
}

#endif
