/* locate.c - follows a path down the tree of parts, to one element of one array. */
#include "lang/world.h"

void world_init(world *w, const lang *l, const model *md, diags *ds, mem *m)
{
    *w = (world){.l = l, .md = md, .ds = ds, .m = m};
    map_init(&w->lets, m);
}

/* As seen from inside a part, without indices. */
env env_of_part(int of)
{
    return (env){.part = of};
}

/* As seen by the definition of what stands at this spot: its own part and indices. */
env env_of_spot(const spot *at)
{
    env v;
    v.part = at->s->home ? at->part : -1, v.actual = NULL;
    for (int i = 0; i < at->s->dims; i++) v.index[i] = at->index[i];
    return v;
}

/* Row by row: the last index runs fastest. */
void indices_of_offset(const extent *x, int dims, int offset, int *index)
{
    for (int i = dims - 1; i >= 0; i--) {
        int count = x[i].high - x[i].low + 1;
        index[i] = x[i].low + offset % count;
        offset /= count;
    }
}

/* The symbol by which its parent declares a part. */
static const symbol *part_symbol(const world *w, int of)
{
    const part *p = &w->md->parts.at[of];
    return form_of(w, p->parent)->of->member.at[p->member];
}

/* Arguments of a part are read where the part is declared: in its parent, with its own indices. */
env env_of_binding(const world *w, int of)
{
    const part   *p = &w->md->parts.at[of];
    const member *mb = member_of(w, p->parent, part_symbol(w, of));
    env           v;
    v.part = p->parent, v.actual = NULL;
    indices_of_offset(mb->extent, mb->dims, p->offset, v.index);
    return v;
}

/* What an outer system gives to symbol s of a part; NULL: nothing, or it is the whole. */
const definition *binding_of(const world *w, int of, const symbol *s)
{
    if (w->md->parts.at[of].parent < 0) return NULL;
    return part_symbol(w, of)->bound[s->number];
}

/* "k = 3, j = 1": the indices that stand in an expression, for messages. */
void add_loop_values(text *out, const env *v, const ast *a)
{
    const symbol *s = a->kind == AST_PATH ? path_last(a) : NULL;
    if (s && s->kind == SYM_INDEX)
        text_printf(out, "%s%s = %d", out->n ? ", " : "", s->word, v->index[s->number]);
    for (int i = 0; a->kind != AST_CALL && i < a->n; i++) add_loop_values(out, v, a->arg[i]);
}

static bool out_of_range(world *w, const env *v, const symbol *s, const ast *a, int index, extent x)
{
    text loop = text_new(w->m), hint = text_new(w->m);
    add_loop_values(&loop, v, a);
    if (x.high < x.low) text_printf(&hint, "'%s' is empty", s->word);
    else text_printf(&hint, "'%s' goes from %d to %d", s->word, x.low, x.high);
    if (a->kind != AST_PATH && loop.n) text_printf(&hint, "; here %s", text_str(&loop));
    world_error(w, a->at, text_str(&hint), "index %d of '%s' is out of range", index, s->word);
    text_drop(&loop), text_drop(&hint);
    return false;
}

/* The index on a ring, x[0] being x[N]; anything else is left as it is. */
static int wrapped(int index, extent x)
{
    const int n = x.high - x.low + 1;
    if (!x.periodic || n < 1) return index;
    const long long from = ((long long)index - x.low) % n;
    return x.low + (int)(from < 0 ? from + n : from);
}

const extent vector_extent = {.low = 1, .high = 3};

/* The sizes of an array; NULL as long as its part has no layout. A let of a file is a vector, or
 * two in each other. */
static const extent *extents_of(const world *w, const spot *at)
{
    static const extent of_file[] = {{.low = 1, .high = 3}, {.low = 1, .high = 3}};
    if (!at->s->dims) return NULL;
    if (!at->s->home) return of_file;
    return form_of(w, at->part) ? form_of(w, at->part)->extent[at->s->number] : NULL;
}

/* The element of an array that a step of a path names, and its place in the array; without some of
 * the indices, the first of them. */
static bool enter_step(world *w, const env *v, const ast_step *st, spot *at)
{
    const extent *x = extents_of(w, at);
    at->offset = 0;
    for (int i = 0; i < st->n; i++) {
        if (!whole(w, v, st->index[i], &at->index[i])) return false;
        if (!x) continue;
        at->index[i] = wrapped(at->index[i], x[i]);
        if (at->index[i] < x[i].low || at->index[i] > x[i].high)
            return out_of_range(w, v, at->s, st->index[i], at->index[i], x[i]);
        at->offset = at->offset * (x[i].high - x[i].low + 1) + at->index[i] - x[i].low;
    }
    for (int i = st->n; i < at->s->dims; i++) {
        at->index[i] = x ? x[i].low : 1;
        if (x) at->offset *= x[i].high - x[i].low + 1;
    }
    return true;
}

int argument_component(world *w, const env *v, const ast *path)
{
    spot at = {.s = path_last(path), .part = -1};
    return enter_step(w, v, path->step, &at) ? at.offset : 0;
}

/* Component k of a vector, or of a matrix row by row, whose first one is at `first`. */
spot spot_component(const spot *first, ast_shape shape, int k)
{
    spot      at = *first;
    const int last = at.s->dims - 1;
    at.offset += k;
    if (shape != SHAPE_NUMBER) at.index[last] += k % 3;
    if (shape == SHAPE_MATRIX) at.index[last - 1] += k / 3;
    return at;
}

/* From an array of parts to the part itself. Parts that are not there yet cannot be asked. */
static bool descend(world *w, const ast_step *st, spot *at)
{
    const part *p = &w->md->parts.at[at->part];
    int         child = p->shape ? w->md->child.at[index_of(w, MEMBER_PART, at)] : -1;
    if (child < 0) {
        world_error(w, st->at, "a size may depend on parameters of its own system",
                    "a size depends on the part '%s', which is created after it", at->s->word);
        return false;
    }
    at->part = child;
    return true;
}

/* To the part that is given to a terminal, itself perhaps a terminal of the part around. */
static bool enter_terminal(world *w, spot *at)
{
    const definition *d = binding_of(w, at->part, at->s);
    if (!d) return false; /* a whole system with terminals is refused before */
    const env       v = env_of_binding(w, at->part);
    const ast_step *last = &d->value->step[d->value->steps - 1];
    return locate(w, &v, d->value, at) &&
           (symbol_is_terminal(at->s) ? enter_terminal(w, at) : descend(w, last, at));
}

/* From the part of v down, step by step; false: an index was wrong, and said so. Behind a terminal
 * names are those of the part that is given to it. */
bool locate(world *w, const env *v, const ast *path, spot *out)
{
    symbol *const *s = path_symbols(path);
    out->part = v->part, out->offset = 0;
    for (int i = 0; i < path->steps; i++) {
        out->s = i && symbol_is_terminal(s[i - 1])
                     ? find_in_system(form_of(w, out->part)->of, s[i]->word, SPACE_VALUES)
                     : s[i];
        if ((s[i]->home || s[i]->dims) && !enter_step(w, v, &path->step[i], out)) return false;
        if (i == path->steps - 1) break;
        if (symbol_is_terminal(s[i]) ? !enter_terminal(w, out) : !descend(w, &path->step[i], out))
            return false;
    }
    return true;
}

/* A name without some of its indices is all of what is left; count tells how many elements. */
bool locate_whole(world *w, const env *v, const ast *path, spot *out, int *count)
{
    const ast_step *last = &path->step[path->steps - 1];
    if (!locate(w, v, path, out)) return false;
    const extent *x = extents_of(w, out);
    *count = 1;
    for (int i = last->n; i < out->s->dims; i++) *count *= x[i].high - x[i].low + 1;
    return true;
}
