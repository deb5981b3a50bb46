/* nests.c - sums and loops within each other multiply. What they will run through at least is
 * counted before they do: a wrong size is then told at once, not after minutes. */
#include "lang/world.h"

/* Is it known before the loops begin? Indices are not. */
static bool is_settled(const ast *a)
{
    if (!a) return true;
    if (a->kind == AST_SUM) return false;
    if (a->kind == AST_PATH) {
        const symbol *s = path_symbols(a)[0];
        if (s->kind == SYM_INDEX || s->kind == SYM_FORMAL) return false;
    }
    for (int i = 0; i < a->steps; i++)
        for (int k = 0; k < a->step[i].n; k++)
            if (!is_settled(a->step[i].index[k])) return false;
    for (int i = 0; i < a->n; i++)
        if (!is_settled(a->arg[i])) return false;
    return true;
}

/* Loops of n indices around so many values; 0 if that is not known. */
static double looped(world *w, const env *v, const ast_index *index, int n, double inside)
{
    double times = 1, all = 0;
    for (int k = 0; k < n; k++) {
        int low = 1, high = 0;
        if (!is_settled(index[k].low) || !is_settled(index[k].high)) return 0;
        if ((index[k].low && !whole(w, v, index[k].low, &low)) ||
            !whole(w, v, index[k].high, &high))
            return 0;                                      /* which was said        */
        if ((double)high - low >= RANGE_LONGEST) return 0; /* range will say so */
        times *= high < low ? 0 : (double)high - low + 1;
        all += times;
    }
    return all + times * inside;
}

/* Of an `if` only one branch is made; what is in calls is left out. */
static double values_of(world *w, const env *v, const ast *a)
{
    double inside = 0;
    if (a && a->kind == AST_CALL) return 0;
    for (int i = 0; a && i < a->n && !w->failed; i++) inside += values_of(w, v, a->arg[i]);
    return a && a->kind == AST_SUM ? looped(w, v, a->index, a->indices, inside) : inside;
}

/* values of a statement, at least; a loop multiplies what is inside */
static double values_of_loop(world *w, const env *v, const stmt *st, unsigned kinds)
{
    const stmt_note *note = st->note;
    double           inside = 0;
    if (note->failed || !(note->kinds & kinds)) return 0;
    if (st->kind != STMT_FOR) return values_of(w, v, st->value) + values_of(w, v, st->right);
    for (int i = 0; i < st->count && !w->failed; i++)
        inside += values_of_loop(w, v, st->body[i], kinds);
    return looped(w, v, st->index, st->indices, inside);
}

/* Values that have been run through and those to come, against the limit. */
static bool fits(world *w, double count, span at)
{
    if (w->failed) return false;
    if (w->visited + count <= w->l->values) return true;
    refuse_values(w, at);
    return false;
}

/* Looked at before a sum is written out. */
bool sum_fits(world *w, const env *v, const ast *a)
{
    w->failed = false;
    return fits(w, values_of(w, v, a), a->index[0].high->at);
}

bool loop_fits(world *w, const env *v, const stmt *st, unsigned kinds)
{
    return fits(w, values_of_loop(w, v, st, kinds), st->index[0].high->at);
}
