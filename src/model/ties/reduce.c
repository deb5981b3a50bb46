/* reduce.c - substitutes q = T z + c into every element of a model. The derivatives that follow are
 * those of the reduced system by the chain rule, so nothing after this needs to know of ties. */
#include "model/ties/reduce.h"

#include <stdlib.h>

typedef struct {
    mem        *m;
    const ties *t;
    bool        eliminate;
    int        *relation_now;
    int *place; /* of each coordinate, the one that is left; 0 for a fixed one, never read   */
    int *terms; /* of each coordinate that a relation takes out: how many others make it up; */
    int *other[JUNCTION_TERMS], *factor[JUNCTION_TERMS], *rest; /* these, their numbers; NULL: none */
} work;

static bool is_coordinate(slot_kind kind)
{
    return kind == SLOT_Q || kind == SLOT_V || kind == SLOT_P;
}

/* Instances. ----------------------------------------------------------------------------------- */

/* some instances of an element */
typedef struct {
    int  n;
    int *at; /* NULL: all */
} chosen;

static int chosen_at(const chosen *c, int k)
{
    return c->at ? c->at[k] : k;
}

/* A relation's instances that stay. */
static chosen staying(work *w, const element *el)
{
    chosen c = {0};
    if (el->kind != EL_RELATION) return (chosen){el->instances, NULL};
    for (int k = 0; k < el->instances; k++) c.n += w->relation_now[slot_index(el->target, k)] >= 0;
    if (c.n == el->instances) return c;
    c.at = mem_array(w->m, c.n + 1, int);
    for (int k = 0, n = 0; k < el->instances; k++)
        if (w->relation_now[slot_index(el->target, k)] >= 0) c.at[n++] = k;
    return c;
}

/* What the chosen instance k reads, through a table if there is one. */
static int looked_up(const slot *s, const chosen *c, const int *table, int k)
{
    int at = slot_index(s, chosen_at(c, k));
    return table ? table[at] : at;
}

/* table[index] + shift of the chosen instances (table NULL: the index itself), affine if it can be.
 */
static slot mapped(work *w, const slot *s, const chosen *c, const int *table, int shift)
{
    int  base = c->n ? looked_up(s, c, table, 0) : 0;
    int  stride = c->n > 1 ? looked_up(s, c, table, 1) - base : 0;
    bool affine = true;
    for (int k = 2; k < c->n && affine; k++)
        affine = looked_up(s, c, table, k) == base + k * stride;
    if (affine) return (slot){.kind = s->kind, .base = base + shift, .stride = stride};
    int *list = mem_array(w->m, c->n, int);
    for (int k = 0; k < c->n; k++) list[k] = looked_up(s, c, table, k) + shift;
    return (slot){.kind = s->kind, .at = list};
}

/* A slot of coordinates in z; unchanged if nothing is eliminated. */
static slot in_z(work *w, const slot *s, const chosen *c)
{
    return mapped(w, s, c, w->eliminate ? w->place : NULL, 0);
}

/* Tied to the ground: its position is a number, its velocity 0. */
static bool is_fixed(const work *w, const slot *s, int instance)
{
    return w->eliminate && w->t->z[slot_index(s, instance)] < 0;
}

/* Others that a coordinate is made of; 0: it is itself. */
static int made_of(const work *w, const slot *s, int instance)
{
    return w->terms ? w->terms[slot_index(s, instance)] : 0;
}

static bool same_form(const work *w, const slot *s, int a, int b)
{
    return is_fixed(w, s, a) == is_fixed(w, s, b) && made_of(w, s, a) == made_of(w, s, b);
}

/* Are the same coordinates fixed, or taken out, in two instances? */
static bool alike(const work *w, const element *el, int a, int b)
{
    for (int k = 0; k < el->slots; k++)
        if (is_coordinate(el->slot[k].kind) && !same_form(w, &el->slot[k], a, b)) return false;
    for (int j = 0; j < el->roots && el->kind == EL_FORCE; j++)
        if (!same_form(w, &el->target[j], a, b)) return false;
    return true;
}

/* Along a chain that has been numbered anew: instances of one form, that of the distances between
 * their coordinates, follow each other, so that they march in step (rows/runs.h). */
typedef struct {
    uint64_t form;
    int      first, at;
} marcher;

static int compare_marchers(const void *a, const void *b)
{
    const marcher *x = a, *y = b;
    if (x->form != y->form) return x->form < y->form ? -1 : 1;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->at > y->at) - (x->at < y->at);
}

/* A hash of the distances from its first coordinate: equal for instances of one form. */
static void march(marcher *x, const work *w, const slot *s, int instance)
{
    const int z = w->place[slot_index(s, instance)];
    if (x->first < 0) x->first = z;
    x->form = x->form * 0x9e3779b97f4a7c15u + (uint64_t)(z - x->first + 1);
}

/* Sorted by form and then along the chain; as they were if z are not numbered anew. */
static chosen in_step(work *w, const element *el, chosen c)
{
    if (!w->eliminate || !w->t->sequenced || c.n < 2) return c;
    marcher *all = mem_resize(w->m, NULL, (size_t)c.n * sizeof *all);
    for (int k = 0; k < c.n; k++) {
        const int at = chosen_at(&c, k);
        all[k] = (marcher){.first = -1, .at = at};
        for (int j = 0; j < el->slots; j++)
            if (is_coordinate(el->slot[j].kind)) march(&all[k], w, &el->slot[j], at);
        for (int j = 0; j < el->roots && el->kind == EL_FORCE; j++)
            march(&all[k], w, &el->target[j], at);
    }
    qsort(all, (size_t)c.n, sizeof *all, compare_marchers);
    int *list = mem_array(w->m, c.n, int);
    for (int k = 0; k < c.n; k++) list[k] = all[k].at;
    mem_drop(w->m, all);
    return (chosen){c.n, list};
}

/* Of c, the instances that are like its first; those that are not come into `rest`. */
static chosen first_kind(work *w, const element *el, const chosen *c, chosen *rest)
{
    chosen same = {0};
    *rest = (chosen){0};
    for (int k = 0; k < c->n; k++)
        if (alike(w, el, chosen_at(c, 0), chosen_at(c, k))) same.n++;
    if (same.n == c->n) return *c;
    same.at = mem_array(w->m, same.n, int), rest->at = mem_array(w->m, c->n - same.n, int);
    same.n = 0;
    for (int k = 0; k < c->n; k++) {
        chosen *to = alike(w, el, chosen_at(c, 0), chosen_at(c, k)) ? &same : rest;
        to->at[to->n++] = chosen_at(c, k);
    }
    return same;
}

/* Substitution. -------------------------------------------------------------------------------- */

/* Has some instance another entry than the usual one? */
static bool any_other(const slot *s, const chosen *c, const int *table, int usual)
{
    for (int k = 0; k < c->n; k++)
        if (table[slot_index(s, chosen_at(c, k))] != usual) return true;
    return false;
}

/* an element while it is written in z: its slots grow with the numbers of T and c */
typedef struct {
    element *out;
    vec(slot) slots;
} building;

/* A variable that reads one of the numbers of T and c. */
static expr number(work *w, building *b, const slot *of, const chosen *c, const int *table)
{
    slot s = mapped(w, of, c, table, w->t->md->parameters);
    s.kind = SLOT_PARAMETER;
    vec_push(w->m, b->slots, s);
    return expr_var(&b->out->g, b->slots.n - 1);
}

/*     z_p = sum b_k z_k + c,   and its velocity */
static expr at_junction(work *w, building *b, const slot *s, const chosen *c)
{
    graph *g = &b->out->g;
    expr   sum = s->kind == SLOT_Q ? number(w, b, s, c, w->rest) : expr_const(g, 0);
    for (int k = 0; k < made_of(w, s, chosen_at(c, 0)); k++) {
        vec_push(w->m, b->slots, mapped(w, s, c, w->other[k], 0));
        expr z = expr_var(g, b->slots.n - 1);
        sum = expr_add(g, sum, expr_mul(g, number(w, b, s, c, w->factor[k]), z));
    }
    return sum;
}

/*     q_i = T_i z + c_i,   v_i = T_i z';   c_i and 0 for what is fixed, alike in all instances that
 * are chosen */
static expr substituted(work *w, building *b, const slot *s, int variable, const chosen *c)
{
    graph *g = &b->out->g;
    expr   z = expr_var(g, variable);
    if (!is_coordinate(s->kind)) return z;
    if (is_fixed(w, s, chosen_at(c, 0)))
        return s->kind == SLOT_Q ? number(w, b, s, c, w->t->offset) : expr_const(g, 0);
    if (made_of(w, s, chosen_at(c, 0))) z = at_junction(w, b, s, c);
    if (any_other(s, c, w->t->slope, NUMBER_ONE))
        z = expr_mul(g, number(w, b, s, c, w->t->slope), z);
    if (s->kind == SLOT_Q && any_other(s, c, w->t->offset, NUMBER_ZERO))
        z = expr_add(g, z, number(w, b, s, c, w->t->offset));
    return z;
}

/* If all slopes are 1, all offsets 0 and no coordinate is made of others, indices change only. */
static bool needs_numbers(const work *w, const element *el, const chosen *c)
{
    for (int k = 0; k < el->slots; k++) {
        const slot *s = &el->slot[k];
        if (!is_coordinate(s->kind)) continue;
        if (c->n && made_of(w, s, chosen_at(c, 0))) return true;
        if (any_other(s, c, w->t->slope, NUMBER_ONE)) return true;
        if (s->kind == SLOT_Q && any_other(s, c, w->t->offset, NUMBER_ZERO)) return true;
    }
    for (int j = 0; j < el->roots && el->kind == EL_FORCE; j++)
        if (any_other(&el->target[j], c, w->t->slope, NUMBER_ONE) ||
            made_of(w, &el->target[j], chosen_at(c, 0)))
            return true;
    return false;
}

/* The element's expressions in z; a force on q_i acts on z as T_i times it. */
static void substitute(work *w, const element *el, const chosen *c, building *b)
{
    element *out = b->out;
    expr    *image = mem_resize(w->m, NULL, (size_t)(el->slots + 1) * sizeof *image);
    int     *memo = mem_resize(w->m, NULL, (size_t)(el->g.nodes.n + 1) * sizeof *memo);
    graph_init(&out->g, w->m);
    out->root = mem_array(w->m, el->roots, expr);
    for (int k = 0; k < el->slots; k++) image[k] = substituted(w, b, &el->slot[k], k, c);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int j = 0; j < el->roots; j++) {
        out->root[j] = expr_import(&out->g, &el->g, el->root[j], image, memo);
        if (el->kind != EL_FORCE) continue;
        if (is_fixed(w, &el->target[j], chosen_at(c, 0))) out->root[j] = expr_const(&out->g, 0);
        else if (any_other(&el->target[j], c, w->t->slope, NUMBER_ONE))
            out->root[j] =
                expr_mul(&out->g, number(w, b, &el->target[j], c, w->t->slope), out->root[j]);
    }
    mem_drop(w->m, memo);
    mem_drop(w->m, image);
}

/* A force on a coordinate that is made of others acts on each of them. */
static element reduce_force(work *w, const element *el, const chosen *c, building *b)
{
    element *const whole = b->out;
    element        out = *whole;
    vec(expr) root = {0};
    vec(slot) target = {0};
    b->out = &out;
    for (int j = 0; j < el->roots; j++) {
        const slot *s = &el->target[j];
        int         terms = made_of(w, s, chosen_at(c, 0));
        if (!terms) {
            vec_push(w->m, root, out.root[j]);
            vec_push(w->m, target, in_z(w, s, c));
        }
        for (int k = 0; k < terms; k++) {
            expr e = expr_mul(&out.g, number(w, b, s, c, w->factor[k]), out.root[j]);
            vec_push(w->m, root, e);
            vec_push(w->m, target, mapped(w, s, c, w->other[k], 0));
        }
    }
    out.instances = c->n, out.slots = b->slots.n, out.slot = b->slots.at;
    out.owner = mapped(w, &el->owner, c, NULL, 0);
    out.roots = root.n, out.root = root.at, out.target = target.at;
    b->out = whole;
    return out;
}

/* One element of the reduced model: the chosen instances, alike in what is fixed or taken out. */
static element reduce_element(work *w, const element *el, const chosen *c)
{
    element  out = *el;
    building b = {.out = &out};
    for (int k = 0; k < el->slots; k++)
        vec_push(w->m, b.slots,
                 is_coordinate(el->slot[k].kind) ? in_z(w, &el->slot[k], c)
                                                 : mapped(w, &el->slot[k], c, NULL, 0));
    if (w->eliminate && needs_numbers(w, el, c)) substitute(w, el, c, &b);
    if (w->terms && el->kind == EL_FORCE) return reduce_force(w, el, c, &b);
    out.instances = c->n, out.slots = b.slots.n, out.slot = b.slots.at;
    out.owner = mapped(w, &el->owner, c, NULL, 0);
    out.target = mem_array(w->m, el->roots, slot);
    for (int j = 0; j < el->roots; j++)
        if (el->kind == EL_FORCE) out.target[j] = in_z(w, &el->target[j], c);
        else
            out.target[j] =
                mapped(w, &el->target[j], c, el->kind == EL_RELATION ? w->relation_now : NULL, 0);
    return out;
}

/* The model. ----------------------------------------------------------------------------------- */

/* Relations that are left, and for each the one of the whole model; relation_now leads back. */
static const int *keep_relations(work *w, model *md)
{
    const model *whole = w->t->md;
    int         *of = mem_array(w->m, whole->relation.n + 1, int);
    w->relation_now = mem_array(w->m, whole->relation.n + 1, int);
    md->relation.at = NULL, md->relation.n = md->relation.room = 0;
    for (int a = 0; a < whole->relation.n; a++) {
        tie_role role = (tie_role)w->t->role[a];
        bool     goes = role == TIE_REPEATS || (role == TIE_JOINS && w->eliminate);
        w->relation_now[a] = goes ? -1 : md->relation.n;
        if (goes) continue;
        of[md->relation.n] = a;
        vec_push(w->m, md->relation, whole->relation.at[a]);
    }
    md->relations = md->relation.n;
    return of;
}

/* Per coordinate what it is made of, so that instances can be looked up by index. */
static void tabulate_junctions(work *w)
{
    const ties *t = w->t;
    const int   n = t->md->coordinates;
    int       **table[] = {&w->terms, &w->rest};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        *table[k] = mem_array(w->m, n + 1, int);
    for (int k = 0; k < JUNCTION_TERMS; k++)
        w->other[k] = mem_array(w->m, n + 1, int), w->factor[k] = mem_array(w->m, n + 1, int);
    for (int i = 0; i < n; i++) {
        int by = t->z[i] < 0 ? -1 : t->cut->of[t->z[i]];
        if (by < 0) continue;
        const junction *b = &t->cut->at[by];
        w->terms[i] = b->terms, w->rest[i] = b->offset;
        for (int k = 0; k < b->terms; k++)
            w->other[k][i] = t->cut->y[b->z[k]], w->factor[k][i] = b->number[k];
    }
}

static unsigned char *flags_of_z(work *w, const model *md, const unsigned char *of)
{
    if (!of) return NULL;
    unsigned char *flags = mem_array(w->m, md->coordinates + 1, unsigned char);
    for (int z = 0; z < md->coordinates; z++) flags[z] = of[md->stands_for[z]];
    return flags;
}

/* Behind the parameters of the model come the numbers of T and c. */
static void keep_coordinates(work *w, model *md)
{
    const ties *t = w->t;
    md->coordinates = ties_left(t), md->stands_for = ties_first(w->m, t), md->written = NULL;
    md->parameters += t->numbers, md->numbers = t->numbers;
    /* coordinates of z, numbered without those that junctions take out */
    w->place = mem_array(w->m, t->md->coordinates + 1, int);
    for (int i = 0; i < t->md->coordinates; i++) {
        int z = t->z[i] < 0 ? 0 : t->cut ? t->cut->y[t->z[i]] : t->z[i];
        w->place[i] = z < 0 ? 0 : z;
    }
    if (t->cut) tabulate_junctions(w);
    md->hamiltonian = flags_of_z(w, md, t->md->hamiltonian);
    md->state = flags_of_z(w, md, t->md->state);
}

/* Outputs and pictures speak of the whole: of its coordinates, and of relations that may be
 * gone. */
static bool stays(const element *el, bool eliminate)
{
    bool speaks = (el->kind == EL_OUTPUT && eliminate) || el->kind == EL_DRAW;
    for (int k = 0; k < el->slots; k++) speaks |= el->slot[k].kind == SLOT_MULTIPLIER;
    return !speaks;
}

/* Elements are split where their instances take different forms; the rest is shared with the
 * whole. */
reduction model_reduce(mem *m, const ties *t, bool eliminate)
{
    work   w = {.m = m, .t = t, .eliminate = eliminate};
    model *md = mem_array(m, 1, model);
    *md = *t->md;
    md->language = NULL, md->by = NULL;
    if (eliminate) keep_coordinates(&w, md);
    const int *kept = keep_relations(&w, md);
    if (eliminate) md->outputs = md->symmetries = md->asked = 0;
    md->drawing.n = md->drawn = 0;
    md->elements.at = NULL, md->elements.n = md->elements.room = 0;
    for (int e = 0; e < t->md->elements.n; e++) {
        const element *el = &t->md->elements.at[e];
        chosen         c = in_step(&w, el, staying(&w, el));
        while (c.n && stays(el, eliminate)) {
            chosen rest, kind = first_kind(&w, el, &c, &rest);
            vec_push(m, md->elements, reduce_element(&w, el, &kind));
            c = rest;
        }
    }
    return (reduction){md, kept, w.relation_now};
}
