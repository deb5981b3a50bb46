/* indices.c - statements with a wrong name are not made, but their indices are looked at all the
 * same, so that both mistakes are told at once. Loops are tried at their ends. */
#include "lang/elaborate.h"

enum { BOTH_ENDS = 8 }; /* of loops within each other; of those further in, the beginning only */

typedef struct {
    world *w;
    int    nested;
    bool   found;
} search;

/* Is it made of numbers, indices and parameters whose names are known? Whatever else may stand in
 * an index, an `if` for example, is left alone. */
static bool is_plain(const ast *a)
{
    if (!a || a->kind == AST_NUMBER) return true;
    if (a->kind == AST_PATH) {
        const symbol *s = path_last(a);
        if (!s || (s->kind != SYM_INDEX && s->kind != SYM_PARAMETER)) return false;
    } else if (a->kind != AST_ADD && a->kind != AST_MUL && a->kind != AST_NEG) return false;
    for (int i = 0; i < a->steps; i++)
        for (int k = 0; k < a->step[i].n; k++)
            if (!is_plain(a->step[i].index[k])) return false;
    for (int i = 0; i < a->n; i++)
        if (!is_plain(a->arg[i])) return false;
    return true;
}

/* Indices that are plain are tried; the first wrong one ends the search. */
static void look_at_path(search *s, const env *v, const ast *path)
{
    spot at;
    if (!path_last(path)) return;
    for (int i = 0; i < path->steps; i++)
        for (int k = 0; k < path->step[i].n; k++)
            if (!is_plain(path->step[i].index[k])) return;
    s->found = !locate(s->w, v, path, &at);
}

typedef struct { /* what stands in a loop: the argument of a sum, or the body of a `for` */
    const ast  *of;
    const stmt *st;
} inside;

static void look_inside(search *s, env *v, inside in);

/* Loops over n indices, of which `frame` is the place of the first. */
static void look_along(search *s, env *v, const ast_index *x, int n, int frame, inside in)
{
    int low = 1, high = 0;
    if (!n) {
        look_inside(s, v, in);
        return;
    }
    if (frame >= FRAME || !is_plain(x->low) || !is_plain(x->high)) return;
    if ((x->low && !whole(s->w, v, x->low, &low)) || !whole(s->w, v, x->high, &high)) {
        s->found = true;
        return;
    }
    const bool once = low == high || s->nested >= BOTH_ENDS;
    const int  ends[] = {low, high}, count = high < low ? 0 : once ? 1 : 2;
    s->nested++;
    for (int i = 0; i < count && !s->found; i++) {
        v->index[frame] = ends[i];
        look_along(s, v, x + 1, n - 1, frame + 1, in);
    }
    s->nested--;
}

/* Of an `if`, only one branch may be meant. */
static void look(search *s, env *v, const ast *a)
{
    if (!a) return;
    const callee   *call = a->kind == AST_CALL ? a->ref : NULL;
    const sum_note *sum = a->kind == AST_SUM ? a->ref : NULL;
    if (call && call->b && call->b->kind == FN_IF) return;
    if (sum) look_along(s, v, a->index, a->indices, sum->frame, (inside){.of = a->arg[0]});
    if (a->kind == AST_PATH) look_at_path(s, v, a);
    for (int i = 0; a->kind != AST_SUM && i < a->n && !s->found; i++) look(s, v, a->arg[i]);
}

/* Loops are entered; of a statement that failed all expressions are looked through. */
static void look_at_statement(search *s, env *v, const stmt *st)
{
    const stmt_note *note = st->note;
    if (st->kind == STMT_FOR)
        look_along(s, v, st->index, st->indices, note->frame, (inside){.st = st});
    if (!note->failed || st->slot.extents) return;
    const ast *const parts[] = {st->target, st->value, st->right};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !s->found; i++) look(s, v, parts[i]);
    for (int i = 0; i < st->places && !s->found; i++) look(s, v, st->place[i]);
    for (int i = 0; i < st->moves && !s->found; i++) {
        look(s, v, st->move[i].target);
        if (!s->found) look(s, v, st->move[i].value);
    }
}

static void look_inside(search *s, env *v, inside in)
{
    if (in.of) look(s, v, in.of);
    for (int i = 0; in.st && i < in.st->count && !s->found; i++)
        look_at_statement(s, v, in.st->body[i]);
}

/* Has it failed, or a statement in it? A relation that is an array has indices of its own, which
 * are not gone through. */
static bool is_misread(const stmt *st)
{
    if (((const stmt_note *)st->note)->failed) return !st->slot.extents;
    for (int i = 0; i < st->count; i++)
        if (is_misread(st->body[i])) return true;
    return false;
}

/* Once for each statement that failed, in the first part where an index is wrong. */
void indices_look_at(world *w)
{
    for (int i = 0; i < w->l->systems.n; i++) {
        const ast_system *of = w->l->systems.at[i]->of;
        for (int k = 0; k < of->count; k++) {
            search s = {.w = w};
            for (int p = 0; is_misread(of->statement[k]) && p < w->md->parts.n && !s.found; p++) {
                env v = env_of_part(p);
                if (form_of(w, p)->of->of == of) look_at_statement(&s, &v, of->statement[k]);
            }
        }
    }
}
