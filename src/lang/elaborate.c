/* elaborate.c - from resolved systems to a model: the tree of parts, then their statements, then
 * what can be said of the whole. */
#include "lang/elaborate.h"
#include "lang/language.h"

/* Coordinates whose equations are of first order. */
static void mark_states(model *md, const part *p, const sys *s)
{
    if (!md->state) md->state = mem_array(&md->m, md->coordinates, unsigned char);
    for (int i = 0; i < p->shape->members; i++) {
        const member *mb = &p->shape->member[i];
        for (int k = 0; k < mb->count && symbol_is_state(s->member.at[i]); k++)
            md->state[p->base[MEMBER_COORDINATE] + mb->offset + k] = 1;
    }
}

typedef struct {
    vec(int)           first;
    vec(unsigned char) direction;
} turning_list;

static void list_turning(elaborator *e, turning_list *out)
{
    const model *md = e->md;
    for (int of = 0; of < md->parts.n; of++) {
        const part *p = &md->parts.at[of];
        const sys  *s = form_of(&e->w, of)->of;
        for (int i = 0; i < p->shape->members; i++) {
            const member         *mb = &p->shape->member[i];
            const coordinate_kind kind = symbol_turns(s->member.at[i]);
            for (int k = 0; k < mb->count && kind; k += 3) {
                vec_push(e->w.m, out->first, p->base[MEMBER_COORDINATE] + mb->offset + k);
                vec_push(e->w.m, out->direction, kind == KIND_DIRECTION);
            }
        }
    }
}

/* Rotations and directions, in the order of their rows. */
static void mark_turning(elaborator *e)
{
    model       *md = e->md;
    turning_list list = {0};
    list_turning(e, &list);
    if (!list.first.n) return;
    turning *t = mem_array(&md->m, 1, turning);
    t->count = list.first.n;
    t->first = mem_array(&md->m, t->count, int);
    t->direction = mem_array(&md->m, t->count, unsigned char);
    t->of_row = mem_array(&md->m, md->coordinates, int);
    for (int i = 0; i < md->coordinates; i++) t->of_row[i] = -1;
    for (int k = 0; k < t->count; k++) {
        t->first[k] = list.first.at[k], t->direction[k] = list.direction.at[k];
        for (int i = 0; i < 3; i++) t->of_row[t->first[k] + i] = k;
    }
    md->turns = t;
}

/* Which coordinates have momenta as their variables, and which inputs are given by an outer
 * system. */
static void mark_coordinates(elaborator *e)
{
    model *md = e->md;
    md->hamiltonian = mem_array(&md->m, md->coordinates, unsigned char);
    md->bound = mem_array(&md->m, md->inputs, unsigned char);
    for (int of = 0; of < md->parts.n; of++) {
        const part *p = &md->parts.at[of];
        const sys  *s = form_of(&e->w, of)->of;
        for (int i = 0; s->hamiltonian && i < p->shape->count[MEMBER_COORDINATE]; i++)
            md->hamiltonian[p->base[MEMBER_COORDINATE] + i] = 1;
        for (int i = 0; p->shape->count[MEMBER_INPUT] && i < p->shape->members; i++) {
            const member *mb = &p->shape->member[i];
            if (mb->kind != MEMBER_INPUT || !binding_of(&e->w, of, s->member.at[i])) continue;
            for (int k = 0; k < mb->count; k++)
                md->bound[p->base[MEMBER_INPUT] + mb->offset + k] = 1;
        }
        if (s->has & 1u << STMT_STATE) mark_states(md, p, s);
    }
}

/* Parameters whose values were needed to make the model are those its structure depends on. */
static void mark_structural(elaborator *e, language *kept)
{
    model *md = e->md;
    md->structural = mem_array(&md->m, md->parameters + 2 * md->event_row.n, unsigned char);
    for (int i = 0; i < md->parameters; i++) {
        if (e->w.state.at[i] == UNSEEN) continue;
        md->structural[i] = 1;
        vec_push(&md->m, kept->built, (built){i, e->w.parameter.at[i]});
    }
}

/* A coordinate that stands in no energy and no relation, and on which no force acts, has no
 * equation. */
static void mark_run(unsigned char *seen, const run *r, int instances)
{
    for (int k = 0; k < instances; k++) seen[run_index(r, k)] = 1;
}

static void refuse_undetermined(elaborator *e)
{
    enum { MOST_NAMED = 5 };
    model         *md = e->md;
    unsigned char *seen = mem_array(e->w.m, md->coordinates, unsigned char);
    int            named = 0;
    for (int i = 0; i < e->drafts.n; i++) {
        const draft *d = &e->drafts.at[i];
        for (int k = 0; d->made.kind == EL_FORCE && k < d->made.roots; k++)
            mark_run(seen, &d->target[k], d->made.instances);
        if (d->made.kind == EL_FORCE || d->made.kind >= EL_OUTPUT) continue;
        for (int k = 0; k < d->made.slots; k++) {
            slot_kind kind = d->kind[d->variable[k]];
            if (kind == SLOT_Q || kind == SLOT_V || kind == SLOT_P)
                mark_run(seen, &d->index[k], d->made.instances);
            for (int n = 0; slot_is_axis(kind) && n < 3 * d->made.instances; n++) {
                const int entry = run_index(&d->index[k], n / 3);
                seen[md->turns->first[entry / TURNING_MATRIX] + n % 3] = 1;
            }
        }
    }
    for (int i = 0; i < md->coordinates && named < MOST_NAMED; i++) {
        if (seen[i]) continue;
        text word = text_new(e->w.m);
        model_name(md, MEMBER_COORDINATE, i, &word);
        diag_error(e->w.ds, DAL_INVALID, model_member(md, MEMBER_COORDINATE, i)->at,
                   "it appears in no energy or relation, and no force acts on it",
                   "nothing determines the coordinate '%s'", text_str(&word));
        named++;
    }
}

/* Parts and sizes first, then statements. After an error in names, statements are still looked
 * at for wrong indices, and nothing is made. */
bool elaborate(lang *l, diags *ds, const overrides *over, model *md, mem *scratch)
{
    elaborator *e = mem_array(scratch, 1, elaborator);
    language   *kept = mem_array(&md->m, 1, language);
    e->md = md;
    kept->l = l;
    md->language = kept;
    world_init(&e->w, l, md, ds, scratch);
    map_init(&e->forms, scratch);
    map_init(&e->shapes, scratch);
    emitter_init(&e->em, &e->w, md);
    sheet_init(&e->clean, scratch);
    sheet_init(&e->own, scratch);
    if (over) overrides_read(&e->w, l, over->set, over->sets, false);
    if (has_errors(l, ds) || !tree_make(e)) return false;
    if (!md->coordinates) {
        diag_error(ds, DAL_INVALID, l->root->at, "declare one: coordinate x",
                   "'%s' has no coordinates", l->root->word);
        return false;
    }
    md->of_events = 0; /* counted names so far */
    mark_coordinates(e);
    mark_turning(e);
    if (l->local) indices_look_at(&e->w);
    statements_make(e);
    if (has_errors(l, ds) || l->local) return false;
    refuse_undetermined(e);
    mark_structural(e, kept);
    elements_finish(e);
    md->of_events = 2 * md->event_row.n, md->parameters += md->of_events;
    vec_trim(&md->m, md->parts), vec_trim(&md->m, md->child);
    vec_trim(&md->m, md->relation), vec_trim(&md->m, md->data);
    return !has_errors(l, ds);
}
