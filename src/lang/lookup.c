/* lookup.c - finds what a name or a path means; if nothing, says what is near. */
#include "lang/symbols.h"

#include <string.h>

static mem *m_of(const resolver *r)
{
    return r->l->m;
}

static symbol *find_local(const scope *sc, name word)
{
    for (int i = 0; i < sc->locals; i++)
        if (sc->local[i] && sc->local[i]->word == word) return sc->local[i];
    return NULL;
}

symbol *find_value(const resolver *r, const scope *sc, name word)
{
    symbol *s = find_local(sc, word);
    if (!s && sc->home) s = find_in_system(sc->home, word, SPACE_VALUES);
    if (!s) s = find_in_unit(sc->in, word, SPACE_VALUES);
    if (!s && !strcmp(word, "t")) s = &r->l->time;
    if (!s && !strcmp(word, "pi")) s = &r->l->pi;
    return s;
}

symbol *find_function(const scope *sc, name word)
{
    symbol *s = sc->home ? find_in_system(sc->home, word, SPACE_FUNCTIONS) : NULL;
    return s ? s : find_in_unit(sc->in, word, SPACE_FUNCTIONS);
}

typedef struct { /* names that might have been meant */
    mem *m;
    vec(const char *) word;
    vec(const symbol *) of;
} candidates;

static void offer(candidates *c, const symbol *s)
{
    if (!s) return;
    vec_push(c->m, c->word, s->word);
    vec_push(c->m, c->of, s);
}

static void offer_all(candidates *c, symbol *const *list, int n, bool functions)
{
    for (int i = 0; i < n; i++)
        if ((list[i]->kind == SYM_FUNCTION) == functions) offer(c, list[i]);
}

static void offer_unit(candidates *c, const unit *u, bool functions)
{
    offer_all(c, u->symbol.at, u->symbol.n, functions);
    for (int i = 0; i < u->import.n; i++)
        offer_all(c, u->import.at[i]->symbol.at, u->import.at[i]->symbol.n, functions);
}

/* "did you mean 'length' (parameter, line 2)?", or NULL */
static const char *nearest(candidates *c, const char *wrong, span at)
{
    const char *near = name_nearest(wrong, c->word.at, c->word.n), *hint = NULL;
    for (int i = 0; near && !hint && i < c->word.n; i++)
        if (c->word.at[i] == near)
            hint = c->of.at[i] ? mem_printf(c->m, "did you mean '%s' (%s)?", near,
                                            symbol_where(c->m, c->of.at[i], at))
                               : mem_printf(c->m, "did you mean '%s'?", near);
    vec_drop(c->m, c->word), vec_drop(c->m, c->of);
    return hint;
}

static void unknown_name(resolver *r, const scope *sc, const ast_step *st)
{
    candidates c = {.m = m_of(r)};
    for (int i = 0; i < sc->locals; i++) offer(&c, sc->local[i]);
    if (sc->home) offer_all(&c, sc->home->symbol.at, sc->home->symbol.n, false);
    offer_unit(&c, sc->in, false);
    const char *hint = nearest(&c, st->word, st->at);
    if (!hint && (find_function(sc, st->word) || builtin_find(st->word)))
        hint = mem_printf(m_of(r), "it is a function: %s(...)", st->word);
    diag_error(r->ds, DAL_INVALID, st->at, hint, "unknown name '%s'", st->word);
}

static bool wants_coordinate(place at)
{
    return at == PLACE_CONNECT || at == PLACE_TIE || at == PLACE_START || at == PLACE_CONSTRAINT ||
           at == PLACE_HOLONOMIC || at == PLACE_TARGET || at == PLACE_SYMMETRY;
}

static const char *list_coordinates(mem *m, const sys *s)
{
    text list = text_new(m);
    int  n = 0, shown = 0;
    for (int i = 0; i < s->symbol.n; i++) n += s->symbol.at[i]->kind == SYM_COORDINATE;
    for (int i = 0; i < s->symbol.n && shown < 8; i++)
        if (s->symbol.at[i]->kind == SYM_COORDINATE)
            text_printf(&list, "%s%s", shown++ ? ", " : "", s->symbol.at[i]->word);
    const char *hint = n == 0 ? mem_printf(m, "%s has no coordinates of its own", s->word)
                              : mem_printf(m, "%s has coordinate%s %s%s", s->word, n > 1 ? "s" : "",
                                           text_str(&list), shown < n ? ", ..." : "");
    text_drop(&list);
    return hint;
}

static void unknown_member(resolver *r, const scope *sc, const symbol *holder, const ast_step *st)
{
    candidates c = {.m = m_of(r)};
    offer_all(&c, holder->type->symbol.at, holder->type->symbol.n, false);
    const char *hint = nearest(&c, st->word, st->at);
    if (!hint) hint = list_coordinates(m_of(r), holder->type);
    diag_error(r->ds, DAL_INVALID, st->at, hint, "'%s' has no %s '%s'", holder->word,
               wants_coordinate(sc->at) ? "coordinate" : "member", st->word);
}

void unknown_function(resolver *r, const scope *sc, const ast *a)
{
    const symbol *value = find_value(r, sc, a->word);
    if (value) {
        diag_error(r->ds, DAL_INVALID, a->op_at,
                   mem_printf(m_of(r), "to multiply write %s*(...)", a->word),
                   "'%s' is %s, not a function", a->word, symbol_phrase[value->kind]);
        return;
    }
    candidates c = {.m = m_of(r)};
    if (sc->home) offer_all(&c, sc->home->symbol.at, sc->home->symbol.n, true);
    offer_unit(&c, sc->in, true);
    for (const builtin *b = builtin_table; b->word; b++) {
        vec_push(c.m, c.word, b->word);
        vec_push(c.m, c.of, NULL);
    }
    const char *hint = nearest(&c, a->word, a->op_at);
    diag_error(r->ds, DAL_INVALID, a->op_at, hint, "unknown function '%s'", a->word);
}

static bool check_indices(resolver *r, const symbol *s, const ast_step *st, bool whole)
{
    if (st->n == s->dims || (whole && !st->n)) return true;
    mem *m = m_of(r);
    if (!s->dims)
        diag_error(r->ds, DAL_INVALID, st->at, NULL, "'%s' is no array: it is a single %s", s->word,
                   symbol_word[s->kind]);
    else if (!st->n)
        diag_error(r->ds, DAL_INVALID, st->at,
                   mem_printf(m, "one of its elements is %s[k]", s->word),
                   "'%s' is an array, not a number", s->word);
    else
        diag_error(r->ds, DAL_INVALID, st->at, NULL, "'%s' takes %d ind%s, not %d", s->word,
                   s->dims, s->dims == 1 ? "ex" : "ices", st->n);
    return false;
}

symbol *resolve_path(resolver *r, scope *sc, ast *path, bool whole)
{
    symbol **chain = mem_array(m_of(r), path->steps, symbol *), *s = NULL;
    bool     fine = true;
    for (int i = 0; i < path->steps; i++) {
        const ast_step *st = &path->step[i];
        const symbol   *holder = s;
        if (i && holder->kind != SYM_PART) {
            diag_error(r->ds, DAL_INVALID, path->step[i - 1].at, NULL, "'%s' is %s, not a part",
                       holder->word, symbol_phrase[holder->kind]);
            return NULL;
        }
        if (i && !holder->type) return NULL; /* reported where the part is declared */
        s = i ? find_in_system(holder->type, st->word, SPACE_VALUES) : find_value(r, sc, st->word);
        if (!s) {
            if (i) unknown_member(r, sc, holder, st);
            else unknown_name(r, sc, st);
            return NULL;
        }
        chain[i] = s;
        if (!r->late) s->used = true;
        fine &= check_indices(r, s, st, whole && i == path->steps - 1);
        for (int k = 0; k < st->n; k++) resolve_structural(r, sc, st->index[k]);
    }
    if (!fine) return NULL;
    path->ref = chain;
    return s;
}
