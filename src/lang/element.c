/* element.c - instances with the same graph are one element: the graph is kept once, each instance
 * adds its indices. */
#include "lang/elaborate.h"
#include "lang/language.h"

#include <string.h>

/* Runs. ---------------------------------------------------------------------------------------- */

int run_index(const run *r, int k)
{
    return r->at ? r->at[k] : r->base + k * r->stride;
}

/* The first two indices set the stride; the first that breaks it turns the run into a list. */
static void run_add(mem *m, run *r, int k, int index)
{
    if (!r->at) {
        if (k == 0) r->base = index;
        if (k == 1) r->stride = index - r->base;
        if (r->base + k * r->stride == index) return;
        int *at = NULL;
        vec_grow(m, (void **)&at, &r->room, k + 1, sizeof *at);
        for (int i = 0; i < k; i++) at[i] = r->base + i * r->stride;
        r->at = at;
    }
    if (k == r->room) vec_grow(m, (void **)&r->at, &r->room, k + 1, sizeof *r->at);
    r->at[k] = index;
}

static slot run_finish(mem *m, const run *r, slot_kind kind, int instances)
{
    slot s = {.kind = kind, .base = r->base, .stride = r->stride};
    if (r->at) s.at = mem_resize(m, r->at, (size_t)instances * sizeof *r->at);
    return s;
}

/* Shapes. -------------------------------------------------------------------------------------- */

/* Constants are compared by their bits, so that 0 and -0 differ. */
static bool same_node(const expr_node *a, const expr_node *b)
{
    if (a->op != b->op || a->n != b->n || a->first != b->first) return false;
    if (a->op == OP_CONST) return !memcmp(&a->value, &b->value, sizeof a->value);
    if (a->op == OP_VAR) return a->variable == b->variable;
    return a->op != OP_POWI || a->power == b->power;
}

/* Equal graphs, variable for variable, of the same statement. */
static bool same_shape(const draft *d, const sheet *s, const instance *it)
{
    if (d->made.kind != it->kind || d->made.roots != it->roots || d->nodes != s->g.nodes.n ||
        d->args != s->g.args.n || d->variables != s->slots.n ||
        memcmp(&d->made.at, &it->from->at, sizeof(span)))
        return false;
    for (int i = 0; i < d->variables; i++)
        if (d->kind[i] != s->slots.at[i].kind) return false;
    for (int i = 0; i < it->roots; i++)
        if (d->root[i] != it->root[i]) return false;
    for (int i = 0; i < d->nodes; i++)
        if (!same_node(&d->node[i], &s->g.nodes.at[i])) return false;
    return !d->args || !memcmp(d->arg, s->g.args.at, (size_t)d->args * sizeof(int));
}

/* FNV over what same_shape compares; constants are left out. */
static int hash_shape(const sheet *s, const instance *it)
{
    uint32_t h = (uint32_t)it->kind * 31 + (uint32_t)it->from->at.start;
    for (int i = 0; i < s->slots.n; i++) h = (h ^ (uint32_t)s->slots.at[i].kind) * 16777619u;
    for (int i = 0; i < s->g.nodes.n; i++) {
        const expr_node *n = &s->g.nodes.at[i];
        h = (h ^ n->op ^ (uint32_t)n->n << 8) * 16777619u;
        if (n->op == OP_VAR) h = (h ^ (uint32_t)n->variable) * 16777619u;
        else if (n->op == OP_POWI) h = (h ^ (uint32_t)n->power) * 16777619u;
    }
    for (int i = 0; i < s->g.args.n; i++) h = (h ^ (uint32_t)s->g.args.at[i]) * 16777619u;
    for (int i = 0; i < it->roots; i++) h = (h ^ (uint32_t)it->root[i]) * 16777619u;
    return (int)(h ^ h >> 15);
}

/* New shapes. ---------------------------------------------------------------------------------- */

#define copy_of(m, from, count, type)                                                              \
    ((count) ? memcpy(mem_array((m), (count), type), (from), (size_t)(count) * sizeof(type)) : NULL)

/* The sheet as it was emitted is what further instances are compared with. */
static void keep_sheet(mem *m, draft *d, const sheet *s, const instance *it)
{
    d->nodes = s->g.nodes.n, d->args = s->g.args.n, d->variables = s->slots.n;
    d->node = copy_of(m, s->g.nodes.at, d->nodes, expr_node);
    d->arg = copy_of(m, s->g.args.at, d->args, int);
    d->root = copy_of(m, it->root, it->roots, expr);
    d->kind = mem_array(m, d->variables, slot_kind);
    for (int i = 0; i < d->variables; i++) d->kind[i] = s->slots.at[i].kind;
}

/* The element's own graph: only what its roots hold, in variables that occur. */
static void keep_graph(elaborator *e, draft *d, const sheet *s, const instance *it)
{
    model   *md = e->md;
    uint8_t *used = mem_array(e->w.m, s->slots.n, uint8_t);
    expr_uses(&s->g, it->root, it->roots, used, s->slots.n);
    graph_init(&d->made.g, &md->m);
    d->variable = mem_array(e->w.m, s->slots.n, int);
    e->image.n = e->memo.n = 0;
    for (int i = 0; i < s->slots.n; i++) {
        expr x = used[i] ? expr_var(&d->made.g, d->made.slots) : EXPR_NONE;
        vec_push(e->w.m, e->image, x);
        if (used[i]) d->variable[d->made.slots++] = i;
    }
    for (int i = 0; i < s->g.nodes.n; i++) vec_push(e->w.m, e->memo, EXPR_NONE);
    d->made.root = mem_array(&md->m, it->roots, expr);
    for (int i = 0; i < it->roots; i++)
        d->made.root[i] = expr_import(&d->made.g, &s->g, it->root[i], e->image.at, e->memo.at);
}

/* Who prints the first instance will want to know. */
static void keep_lets(elaborator *e)
{
    language *kept = e->md->language;
    for (int i = 0; i < e->em.lets.n; i++) vec_push(&e->md->m, kept->lets, e->em.lets.at[i]);
}

static int draft_new(elaborator *e, const sheet *s, const instance *it)
{
    draft d = {.made = {.kind = it->kind,
                        .damping = it->from->kind == STMT_DAMPING,
                        .at = it->from->at,
                        .roots = it->roots}};
    keep_sheet(e->w.m, &d, s, it);
    keep_graph(e, &d, s, it);
    d.index = mem_array(e->w.m, d.made.slots, run);
    d.target = mem_array(e->w.m, it->roots, run);
    vec_push(e->w.m, e->drafts, d);
    keep_lets(e);
    return e->drafts.n - 1;
}

/* Shapes with one hash are told apart by k, the number of the collision. */
static int find_draft(elaborator *e, const sheet *s, const instance *it, bool *fresh)
{
    int hash = hash_shape(s, it);
    for (int k = 0;; k++) {
        int at = map_keep(&e->shapes, it->term, hash, k, e->drafts.n, fresh);
        if (*fresh) return draft_new(e, s, it);
        if (same_shape(&e->drafts.at[at], s, it)) return at;
    }
}

/* Adds one more instance; `fresh` tells that this is its first. Returns the draft's number. */
int element_add(elaborator *e, sheet *s, const instance *it, bool *fresh)
{
    int    at = find_draft(e, s, it, fresh);
    draft *d = &e->drafts.at[at];
    int    k = d->made.instances++;
    for (int i = 0; i < d->made.slots; i++)
        run_add(&e->md->m, &d->index[i], k, s->slots.at[d->variable[i]].index);
    for (int i = 0; i < it->roots; i++)
        run_add(&e->md->m, &d->target[i], k, it->target ? it->target[i] : 0);
    run_add(&e->md->m, &d->owner, k, it->owner);
    return at;
}

/* Drafts become elements of the model, which own their lists of indices. */
void elements_finish(elaborator *e)
{
    mem *m = &e->md->m;
    for (int i = 0; i < e->drafts.n; i++) {
        draft  *d = &e->drafts.at[i];
        element made = d->made;
        made.slot = mem_array(m, made.slots, slot);
        made.target = mem_array(m, made.roots, slot);
        for (int k = 0; k < made.slots; k++)
            made.slot[k] = run_finish(m, &d->index[k], d->kind[d->variable[k]], made.instances);
        for (int k = 0; k < made.roots; k++)
            made.target[k] = run_finish(m, &d->target[k], SLOT_Q, made.instances);
        made.owner = run_finish(m, &d->owner, SLOT_ENERGY, made.instances);
        vec_push(m, e->md->elements, made);
    }
}
