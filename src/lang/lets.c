/* lets.c - the lets of all parts as expressions, for those who print equations: an equation that
 * keeps the names which the user gave is short. */
#include "lang/emit.h"
#include "lang/language.h"

#include <stdlib.h>

/* Of a model that is printed coordinate by coordinate: so many lets, with so many nodes in all. */
enum { READ_MOST = 1024, READ_NODES = 20000 };

typedef struct {
    let_place at;
    bool      first; /* in the first instance of a term, which is printed for all */
} wanted_let;

typedef struct {
    world   w;
    diags   unheard; /* what is wrong with a let is said elsewhere */
    emitter em;
    model   into; /* takes their data */
    mem    *m;
    vec(wanted_let) wanted;
    vec(named_let) all;
    int nodes; /* of them */
} collector;

/* "upper.x1", "X[3]" */
static const char *name_of(collector *c, const spot *at)
{
    text out = text_new(c->m);
    model_part_name(c->w.md, at->part, &out);
    text_printf(&out, "%s%s", out.n ? "." : "", at->s->word);
    for (int i = 0; i < at->s->dims; i++) text_printf(&out, "[%d]", at->index[i]);
    return text_str(&out);
}

/* A copy of the sheet, which the next let empties. */
static void keep(collector *c, const spot *at, expr value, expr rate)
{
    const sheet *s = &c->em.s;
    named_let    made = {.name = name_of(c, at), .value = value, .rate = rate};
    expr        *image = mem_array(c->m, s->slots.n + 1, expr);
    int         *memo = mem_array(c->m, s->g.nodes.n + 1, int);
    graph_init(&made.g, c->m);
    made.slots = s->slots.n, made.slot = mem_array(c->m, s->slots.n + 1, slot);
    for (int i = 0; i < s->slots.n; i++) {
        made.slot[i] = (slot){.kind = s->slots.at[i].kind, .base = s->slots.at[i].index};
        image[i] = expr_var(&made.g, i);
    }
    for (int i = 0; i < s->g.nodes.n; i++) memo[i] = EXPR_NONE;
    made.value = expr_import(&made.g, &s->g, value, image, memo);
    if (rate != EXPR_NONE) made.rate = expr_import(&made.g, &s->g, rate, image, memo);
    c->nodes += made.g.nodes.n;
    vec_push(c->m, c->all, made);
}

/* The rate of what holds velocities would hold accelerations. */
static void collect(collector *c, const spot *at)
{
    const unsigned moving = 1u << SLOT_V | 1u << SLOT_P | 1u << SLOT_MULTIPLIER | 1u << SLOT_ENERGY;
    emitter_reset(&c->em, PLACE_LET);
    c->w.failed = false;
    const expr value = emit_spot(&c->em, at, at->s->at);
    if (c->w.failed || value == EXPR_NONE) return;
    const bool rated = !hold_kinds(&c->em, &value, 1, moving) &&
                       hold_kinds(&c->em, &value, 1, 1u << SLOT_Q | 1u << SLOT_TIME);
    const expr rate = rated ? emit_rate(&c->em, value) : EXPR_NONE;
    keep(c, at, value, rate);
}

/* All of an array, as long as it will be read. */
static void want_array(collector *c, const symbol *s, int of)
{
    const extent *x = form_of(&c->w, of)->extent[s->number];
    int           count = 1;
    for (int i = 0; i < s->dims && x; i++) count *= x[i].high - x[i].low + 1;
    if (s->dims && !x) return;
    for (int k = 0; k < count && c->wanted.n < READ_MOST; k++)
        vec_push(c->m, c->wanted, (wanted_let){{s, of, k}, false});
}

/* Those of a small model, whose terms are all printed. */
static void want_all(collector *c)
{
    const model *md = c->w.md;
    for (int p = 0; p < md->parts.n && c->wanted.n < READ_MOST; p++) {
        const sys *of = form_of(&c->w, p)->of;
        for (int i = 0; i < of->symbol.n; i++)
            if (of->symbol.at[i]->kind == SYM_LET) want_array(c, of->symbol.at[i], p);
    }
}

/* Those of a large one, of which the first instance of every term is printed. */
static void want_first(collector *c)
{
    const language *kept = c->w.md->language;
    for (int i = 0; i < kept->lets.n; i++)
        vec_push(c->m, c->wanted, (wanted_let){kept->lets.at[i], true});
}

/* By part, then as they were declared. */
static int compare_places(const let_place *x, const let_place *y)
{
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    if (x->s != y->s) return x->s->number < y->s->number ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int compare_wanted(const void *a, const void *b)
{
    const wanted_let *x = a, *y = b;
    const int         order = compare_places(&x->at, &y->at);
    return order ? order : y->first - x->first;
}

static void collect_wanted(collector *c)
{
    const let_place *last = NULL;
    if (c->wanted.n) qsort(c->wanted.at, (size_t)c->wanted.n, sizeof *c->wanted.at, compare_wanted);
    for (int i = 0; i < c->wanted.n; i++) {
        const let_place *p = &c->wanted.at[i].at;
        spot             at = {.s = p->s, .part = p->part, .offset = p->offset};
        const extent    *x = form_of(&c->w, p->part)->extent[p->s->number];
        if (last && !compare_places(last, p)) continue;
        if (!c->wanted.at[i].first && c->nodes > READ_NODES) continue;
        if (p->s->dims) indices_of_offset(x, p->s->dims, p->offset, at.index);
        collect(c, &at);
        last = p;
    }
}

static void free_data(void *into)
{
    mem_free(into);
}

void language_lets(const model *md, const overrides *over, mem *m, let_list *out)
{
    collector *c = mem_array(m, 1, collector);
    c->m = m, c->into = *md;
    mem_init(&c->into.m, m->heap);
    c->into.m.guard = m->guard;
    mem_at_end(m, free_data, &c->into.m);
    c->into.data.at = NULL, c->into.data.n = c->into.data.room = 0;
    diags_init(&c->unheard, m);
    world_again(&c->w, md, over, &c->unheard, m);
    emitter_init(&c->em, &c->w, &c->into);
    want_all(c), want_first(c);
    collect_wanted(c);
    *out = (let_list){c->all.n, c->all.at, c->into.data.at};
}
