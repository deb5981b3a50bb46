/* tree.c - makes the tree of parts: each part's sizes, a layout per combination of sizes, bases in
 * order.
 *
 * Depth first, a part's own members before those of its parts: so the bases of every kind ascend
 * with the number of the part, and all that lies below a part is one stretch. */
#include "lang/elaborate.h"

#include <string.h>

enum { MOST_ELEMENTS = 1 << 28, MOST_PARTS = 1 << 26 };

static const member_kind kind_of_member[] = {
    [SYM_PARAMETER] = MEMBER_PARAMETER, [SYM_COORDINATE] = MEMBER_COORDINATE,
    [SYM_INPUT] = MEMBER_INPUT,         [SYM_OUTPUT] = MEMBER_OUTPUT,
    [SYM_PART] = MEMBER_PART,           [SYM_RELATION] = MEMBER_RELATION,
    [SYM_SYMMETRY] = MEMBER_SYMMETRY,   [SYM_EVENT] = MEMBER_EVENT,
};

/* Sizes. --------------------------------------------------------------------------------------- */

/* [N] is 1..N, and empty for N = 0. */
static bool evaluate_extent(elaborator *e, const env *v, const symbol *s, const ast_extent *of,
                            extent *out)
{
    const ast_index *x = &of->range;
    out->periodic = of->periodic;
    if (!range(&e->w, v, x, &out->low, &out->high)) return false;
    if (!x->low && out->high < 0) {
        world_error(&e->w, x->high->at, NULL, "the size of '%s' is negative: %d", s->word,
                    out->high);
        return false;
    }
    if (out->high < out->low) out->high = out->low - 1; /* empty */
    return true;
}

/* All sizes of a part in one row, in the order of its symbols. */
static bool evaluate_sizes(elaborator *e, const sys *s, int of)
{
    env v = env_of_part(of);
    e->sizes.n = 0;
    for (int i = 0; i < s->symbol.n; i++) {
        const symbol *y = s->symbol.at[i];
        for (int k = 0; k < y->dims; k++) {
            extent x = vector_extent;
            if (k < y->of->slot.extents && !evaluate_extent(e, &v, y, &y->of->slot.extent[k], &x))
                return false;
            vec_push(e->w.m, e->sizes, x);
        }
    }
    return true;
}

/* -1: too many, and that was said. */
static int count_elements(elaborator *e, const symbol *s, const extent *x)
{
    double count = 1;
    for (int i = 0; i < s->dims; i++) count *= x[i].high - (double)x[i].low + 1;
    if (count <= MOST_ELEMENTS) return (int)count;
    world_error(&e->w, s->at, NULL, "'%s' is too large: %.0f elements", s->word, count);
    return -1;
}

/* Forms. --------------------------------------------------------------------------------------- */

/* Its place among the part's members of its kind. */
static bool fill_member(elaborator *e, form *f, const symbol *s, const extent *x)
{
    member_kind kind = kind_of_member[s->kind];
    member     *mb = &f->pub.member[s->member];
    *mb = (member){.kind = kind,
                   .word = s->word,
                   .label = s->of->slot.label,
                   .at = s->at,
                   .dims = s->dims,
                   .discrete = symbol_is_discrete(s)};
    mb->extent = f->extent[s->number];
    mb->offset = f->pub.count[kind];
    mb->count = s->kind == SYM_SYMMETRY ? 1 : count_elements(e, s, x);
    if (mb->count < 0 || mb->count > MOST_ELEMENTS - mb->offset) return false;
    f->pub.count[kind] += mb->count;
    return true;
}

/* NULL: some array is too large. Sizes are those just evaluated, in e->sizes. */
static form *form_new(elaborator *e, const sys *s)
{
    mem  *m = &e->md->m;
    form *f = mem_array(m, 1, form);
    f->of = s;
    f->pub = (layout){.system = s->word, .at = s->at, .members = s->member.n};
    f->pub.member = mem_array(m, s->member.n, member);
    f->extent = mem_array(m, s->symbol.n, extent *);
    f->sizes = mem_array(m, e->sizes.n, extent);
    if (e->sizes.n) memcpy(f->sizes, e->sizes.at, (size_t)e->sizes.n * sizeof(extent));
    extent *x = f->sizes;
    for (int i = 0; i < s->symbol.n; i++) {
        const symbol *y = s->symbol.at[i];
        f->extent[i] = y->dims ? x : NULL;
        if (y->member >= 0 && !fill_member(e, f, y, x)) return NULL;
        x += y->dims;
    }
    return f;
}

/* FNV over all sizes. */
static int hash_sizes(const elaborator *e)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < e->sizes.n; i++)
        h = ((h ^ (unsigned)e->sizes.at[i].low) * 16777619u ^ (unsigned)e->sizes.at[i].high) *
            16777619u;
    return (int)(h >> 1);
}

/* The form for the sizes just evaluated; equal sizes share one. */
static const form *form_for(elaborator *e, const sys *s)
{
    int hash = hash_sizes(e);
    for (int k = 0;; k++) {
        const int *at = map_find(&e->forms, s, hash, k);
        if (!at) {
            form *f = form_new(e, s);
            if (!f) return NULL;
            map_put(&e->forms, s, hash, k, e->form.n);
            vec_push(e->w.m, e->form, f);
            return f;
        }
        form *f = e->form.at[*at];
        if (!e->sizes.n || !memcmp(f->sizes, e->sizes.at, (size_t)e->sizes.n * sizeof(extent)))
            return f;
    }
}

/* Parts. --------------------------------------------------------------------------------------- */

/* Parameters of a new part are not known yet. */
static void grow_parameters(elaborator *e)
{
    world *w = &e->w;
    int    more = e->md->parameters - w->parameter.n;
    vec_reserve(w->m, w->parameter, more);
    vec_reserve(w->m, w->state, more);
    for (; w->state.n < e->md->parameters; w->state.n++, w->parameter.n++)
        w->state.at[w->state.n] = UNSEEN;
}

/* What sizes needed before there was a layout is put where it belongs, and so is marked as
 * structural. */
static void settle_early(elaborator *e)
{
    for (int i = 0; i < e->w.early.n; i++) {
        spot at = e->w.early.at[i];
        if (!at.s->dims) at.offset = 0, parameter_at(&e->w, &at, at.s->at);
    }
    e->w.early.n = 0;
}

/* Before any of them is made: `each` more parts like p, with all that their system surely holds. */
static bool plan_parts(elaborator *e, const sys *s, double each)
{
    e->parts += each;
    if (e->parts - each + each * s->least <= MOST_PARTS) return true;
    world_error(&e->w, s->at, NULL, "the model has more than %d parts", MOST_PARTS);
    return false;
}

static bool plan_members(elaborator *e, const sys *s, double each, const layout *shape)
{
    for (int k = 0; k < MEMBER_KINDS; k++) {
        e->planned[k] += each * shape->count[k];
        if (e->planned[k] <= MOST_ELEMENTS) continue;
        world_error(&e->w, s->at, NULL, "the model is too large: more than %d elements of one kind",
                    MOST_ELEMENTS);
        return false;
    }
    return true;
}

/* Indices of its own members, one behind the other for each kind; of parts, places in
 * model.child. */
static void set_bases(model *md, part *p, const layout *shape)
{
    int *next[MEMBER_KINDS] = {
        [MEMBER_PARAMETER] = &md->parameters, [MEMBER_COORDINATE] = &md->coordinates,
        [MEMBER_INPUT] = &md->inputs,         [MEMBER_OUTPUT] = &md->outputs,
        [MEMBER_SYMMETRY] = &md->symmetries,  [MEMBER_RELATION] = &md->relations,
        [MEMBER_EVENT] = &md->of_events,      [MEMBER_PART] = &md->child.n};
    for (int k = 0; k < MEMBER_KINDS; k++) {
        p->base[k] = *next[k];
        if (k != MEMBER_PART) *next[k] += shape->count[k];
    }
}

typedef struct {
    int    parent, member, offset;
    double each; /* parts that it stands for, itself among them; 0: another stands for it */
} place_of_part;

/* Its sizes are evaluated while it is the last part: they may ask for parameters of parts before
 * it. -1: there was an error. */
static int part_new(elaborator *e, const sys *s, place_of_part at)
{
    model *md = e->md;
    int    of = md->parts.n;
    if (!plan_parts(e, s, at.each)) return -1;
    vec_push(&md->m, md->parts,
             (part){.parent = at.parent, .member = at.member, .offset = at.offset});
    e->sizes.n = 0;
    if (!s->scalar && !evaluate_sizes(e, s, of)) return -1;
    const form *f = form_for(e, s);
    if (!f || !plan_members(e, s, at.each, &f->pub)) return -1;
    set_bases(md, &md->parts.at[of], &f->pub);
    md->parts.at[of].shape = &f->pub;
    vec_reserve(&md->m, md->child, f->pub.count[MEMBER_PART]);
    for (int i = 0; i < f->pub.count[MEMBER_PART]; i++) md->child.at[md->child.n++] = -1;
    grow_parameters(e);
    settle_early(e);
    return of;
}

/* A number that no index, no list and no other array gives to one element and not to the next. */
static bool is_shared(const definition *d)
{
    const symbol *last = d->value && d->value->kind == AST_PATH ? path_last(d->value) : NULL;
    return d->state == SEEN && !(d->holds & HAS_INDEX) && d->value && d->value->kind != AST_LIST &&
           !(last && last->dims);
}

/* Are the elements of an array of parts all alike? The command line may set one of them. */
static bool are_alike(const elaborator *e, const symbol *array)
{
    for (int i = 0; i < array->type->symbol.n; i++)
        if (array->bound[i] && !is_shared(array->bound[i])) return false;
    for (int i = 0; i < e->w.set.n; i++)
        for (int k = 0; k < e->w.set.at[i].target->steps; k++)
            if (e->w.set.at[i].target->step[k].n) return false;
    return true;
}

/* Depth first; parts below it are known when it is done. Of elements that are alike the first
 * stands for all: so nested arrays are counted when the first of the innermost is made. */
static bool grow_tree(elaborator *e, int of, double each)
{
    const layout *shape = e->md->parts.at[of].shape;
    const sys    *s = form_of(&e->w, of)->of;
    for (int k = 0; k < s->member.n; k++) {
        const symbol *y = s->member.at[k];
        const int     count = y->kind == SYM_PART ? shape->member[k].count : 0;
        const bool    alike = count > 1 && are_alike(e, y);
        for (int i = 0; i < count; i++) {
            const double stands = !alike ? each : i ? 0 : each * count;
            int          child = part_new(e, y->type, (place_of_part){of, k, i, stands});
            if (child < 0) return false;
            e->md->child.at[e->md->parts.at[of].base[MEMBER_PART] + shape->member[k].offset + i] =
                child;
            if (!grow_tree(e, child, stands)) return false;
        }
    }
    e->md->parts.at[of].energy_first = of;
    e->md->parts.at[of].energy_last = e->md->parts.n;
    return true;
}

/* The whole is part 0. */
bool tree_make(elaborator *e)
{
    int whole_model = part_new(e, e->w.l->root, (place_of_part){-1, -1, 0, 1});
    return whole_model == 0 && grow_tree(e, 0, 1);
}
