/* model.c - names on demand: a million elements have no string of their own. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

const char *const setting_name[SETTINGS] = {
    "principle", "scheme", "force",    "retraction", "momentum", "summation",
    "power",     "pacing", "switches", "pace",       "step",     "until",
    "steps",     "from",   "record",   "h_min",      "h_max"};

/* the part whose elements of this kind include the index: bases ascend with the parts */
static int part_holding(const model *md, member_kind kind, int index)
{
    int low = 0, high = md->parts.n - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (md->parts.at[middle].base[kind] <= index) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The member to which element `offset` of its kind within the part belongs; NULL: none. */
static const member *member_holding(const layout *shape, member_kind kind, int offset)
{
    for (int i = 0; i < shape->members; i++) {
        const member *mb = &shape->member[i];
        if (mb->kind == kind && offset >= mb->offset && offset < mb->offset + mb->count) return mb;
    }
    return NULL;
}

/* "word[i][j]", the indices counted from the low ends; the last one runs fastest. */
static void add_element(const member *mb, int offset, text *out)
{
    int size = mb->count;
    text_add(out, mb->word);
    for (int i = 0; i < mb->dims; i++) {
        size /= mb->extent[i].high - mb->extent[i].low + 1;
        text_printf(out, "[%d]", mb->extent[i].low + offset / size);
        offset %= size;
    }
}

/* "arm.link[3]": the names of the parts that hold it, outermost first. */
void model_part_name(const model *md, int of, text *out)
{
    const part *p = &md->parts.at[of];
    if (p->parent < 0) return;
    if (p->parent > 0) {
        model_part_name(md, p->parent, out);
        text_add(out, ".");
    }
    add_element(&md->parts.at[p->parent].shape->member[p->member], p->offset, out);
}

/* "constraint (chain.dal:17)", "cell[3].connect (ladder.dal:8) #2" */
static void add_relation(const model *md, const relation *r, text *out)
{
    const char *word = r->connection              ? "connect"
                       : r->kind == REL_HOLONOMIC ? "holonomic"
                                                  : "constraint";
    if (r->member >= 0) {
        add_element(&md->parts.at[r->part].shape->member[r->member], r->offset, out);
        return;
    }
    text_add(out, word);
    if (r->at.of) text_printf(out, " (%s:%d)", r->at.of->file, span_line(r->at));
    if (r->offset > 0) text_printf(out, " #%d", r->offset + 1);
}

static void add_event(const model *md, const event *e, text *out)
{
    static const char *const word[] = {"contact", "constraint", "friction",
                                       "when",    "stop",       "switch"};
    if (e->part > 0) {
        model_part_name(md, e->part, out);
        text_add(out, ".");
    }
    if (e->member >= 0) {
        add_element(&md->parts.at[e->part].shape->member[e->member], e->offset, out);
        return;
    }
    text_add(out, word[e->kind]);
    if (e->at.of) text_printf(out, " (%s:%d)", e->at.of->file, span_line(e->at));
    if (e->offset > 0) text_printf(out, " #%d", e->offset + 1);
}

const event *event_of_row(const model *md, int row)
{
    for (int k = 0; k < md->event.n; k++) {
        const event *e = &md->event.at[k];
        if (e->row >= 0 && row >= e->row && row <= e->row + e->rubs) return e;
    }
    return NULL;
}

void model_reaction_name(const model *md, int row, text *out)
{
    const event *e = event_of_row(md, row);
    text_add(out, row == e->row ? "reaction(" : "stick(");
    add_event(md, e, out);
    text_add(out, ")");
    if (row != e->row && e->rubs == 2) text_printf(out, "[%d]", row - e->row);
}

/* "reaction(floor)", "direction(floor)"; "direction(floor)[1]" of two tangents; "branch" of an
 * expression */
static void add_event_parameter(const model *md, int index, text *out)
{
    const int    row = index / 2;
    const event *e = event_of_row(md, row);
    if (!e) {
        text_add(out, "branch");
        return;
    }
    text_add(out, index % 2 ? "direction(" : "reaction(");
    add_event(md, e, out);
    text_add(out, ")");
    if (index % 2 && e->rubs == 2) text_printf(out, "[%d]", row - e->row);
}

/* Coordinates of a reduced model have the names of those they stand for. */
void model_name(const model *md, member_kind kind, int index, text *out)
{
    bool relation_row = kind == MEMBER_RELATION;
    if (kind == MEMBER_EVENT) {
        add_event(md, &md->event.at[index], out);
        return;
    }
    if (md->stands_for && kind == MEMBER_COORDINATE) index = md->stands_for[index];
    if (md->stands_for && kind == MEMBER_PARAMETER && index >= md->parameters - md->numbers) {
        text_add(out, "ratio"); /* or offset, of a tie */
        return;
    }
    if (kind == MEMBER_PARAMETER && index >= model_written(md)) {
        add_event_parameter(md, index - model_written(md), out);
        return;
    }
    int         of = relation_row ? md->relation.at[index].part : part_holding(md, kind, index);
    const part *p = &md->parts.at[of];
    if (of > 0) {
        model_part_name(md, of, out);
        text_add(out, ".");
    }
    if (relation_row) {
        add_relation(md, &md->relation.at[index], out);
        return;
    }
    int           offset = index - p->base[kind];
    const member *mb = member_holding(p->shape, kind, offset);
    if (mb) add_element(mb, offset - mb->offset, out);
    else if (kind == MEMBER_COORDINATE) text_add(out, "t"); /* of paced.h */
}

/* "R" of its rows R[1] .. R[3] */
void model_turning_name(const model *md, int rotation, text *out)
{
    model_name(md, MEMBER_COORDINATE, md->turns->first[rotation], out);
    out->n -= strlen("[1]"), out->at[out->n] = 0;
}

void model_body_momentum_name(const model *md, int row, text *out)
{
    const int k = md->turns->of_row[row];
    text_add(out, "(inv(");
    model_turning_name(md, k, out);
    text_add(out, ")*p(");
    model_turning_name(md, k, out);
    text_printf(out, "))[%d]", row - md->turns->first[k] + 1);
}

const member *model_member(const model *md, member_kind kind, int index)
{
    if (kind == MEMBER_RELATION) {
        const relation *r = &md->relation.at[index];
        return r->member < 0 ? NULL : &md->parts.at[r->part].shape->member[r->member];
    }
    const part *p = &md->parts.at[part_holding(md, kind, index)];
    return member_holding(p->shape, kind, index - p->base[kind]);
}

const char *model_label(const model *md, member_kind kind, int index)
{
    const member *mb = model_member(md, kind, index);
    return mb ? mb->label : NULL;
}

/* Finding. ------------------------------------------------------------------------------------- */

/* The member whose name is the first `length` letters of word. */
static const member *member_called(const layout *shape, const char *word, size_t length)
{
    for (int i = 0; i < shape->members; i++)
        if (!strncmp(shape->member[i].word, word, length) && !shape->member[i].word[length])
            return &shape->member[i];
    return NULL;
}

/* Reads "[2][3]"; the place of the element in its array, -1 if there is none. */
static int read_indices(const member *mb, const char **at)
{
    int offset = 0, n = 0;
    for (; **at == '['; n++) {
        char *stop;
        long  k = strtol(*at + 1, &stop, 10);
        if (n == mb->dims || stop == *at + 1 || *stop != ']') return -1;
        if (k < mb->extent[n].low || k > mb->extent[n].high) return -1;
        offset = offset * (mb->extent[n].high - mb->extent[n].low + 1) + (int)k - mb->extent[n].low;
        *at = stop + 1;
    }
    return n == mb->dims ? offset : -1;
}

/* For hints: enough names to recognise one's own, not all of a large model. */
const char *model_list(mem *m, const model *md, member_kind kind, int count)
{
    enum { SHOWN = 8 };
    text out = text_new(m);
    for (int i = 0; i < count && i < SHOWN; i++) {
        text_add(&out, i ? ", " : "it has ");
        model_name(md, kind, i, &out);
    }
    if (count > SHOWN) text_add(&out, ", ...");
    return count ? text_str(&out) : NULL;
}

/* From part to part along the path; the last word must be of the kind that is asked for. */
bool model_find(const model *md, const char *path, member_kind kind, int *index)
{
    for (int of = 0;;) {
        const part   *p = &md->parts.at[of];
        size_t        length = strcspn(path, ".[");
        const member *mb = member_called(p->shape, path, length);
        path += length;
        int offset = mb ? read_indices(mb, &path) : -1;
        if (offset < 0) return false;
        if (!*path) {
            *index = p->base[kind] + mb->offset + offset;
            return mb->kind == kind;
        }
        if (mb->kind != MEMBER_PART || *path++ != '.') return false;
        of = md->child.at[p->base[MEMBER_PART] + mb->offset + offset];
    }
}

void model_free(model *md)
{
    if (!md) return;
    mem owner = md->m; /* md itself lives in it */
    mem_free(&owner);
}

static void free_copy(void *md)
{
    mem_free(&((model *)md)->m);
}

void model_copy(mem *m, const model *of, model *to)
{
    *to = *of;
    mem_init(&to->m, m->heap);
    to->m.guard = m->guard;
    mem_at_end(m, free_copy, to);
    to->data.at = NULL, to->data.n = to->data.room = 0;
    to->elements.at = NULL, to->elements.n = to->elements.room = 0;
    for (int i = 0; i < of->data.n; i++) vec_push(&to->m, to->data, of->data.at[i]);
    for (int i = 0; i < of->elements.n; i++) vec_push(&to->m, to->elements, of->elements.at[i]);
}
