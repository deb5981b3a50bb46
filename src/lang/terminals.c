/* terminals.c - parts that stand in a system but belong to the one around it: a joint has those
 * that it joins as its terminals.
 *
 * `terminal a : Frame` may be given any part that has the coordinates and the lets of a Frame, by
 * name, size and kind; locate.c then follows a.x to the x of that part. */
#include "lang/symbols.h"

static mem *m_of(const resolver *r)
{
    return r->l->m;
}

/* A let has its dimensions from its value. */
static content content_of(resolver *r, symbol *s, span user)
{
    if (s->kind == SYM_LET) return resolve_definition(r, &s->def, user);
    return symbol_is_state(s) ? HAS_STATE : s->home->hamiltonian ? HAS_QH : HAS_Q;
}

/* What the rules allow for the terminal they must allow for the part: what its quantity holds and
 * the terminal's does not. Constants may be anywhere, positions wherever velocities are. */
static content beyond(resolver *r, symbol *given, symbol *wanted, span user)
{
    const content known = content_of(r, wanted, user);
    return content_of(r, given, user) & ~(known | HAS_CONSTANTS | (known & HAS_V ? HAS_Q : 0u));
}

/* Is what the part calls by this name as good as what the terminal's system has? */
static bool stands_for(resolver *r, symbol *given, symbol *wanted, span user)
{
    return given && given->kind == wanted->kind && !beyond(r, given, wanted, user) &&
           given->dims == wanted->dims && given->shape == wanted->shape &&
           symbol_turns(given) == symbol_turns(wanted);
}

/* "a rotation 'R'", "a coordinate 'x[3]'" */
static const char *phrase_of(resolver *r, const symbol *s)
{
    static const char *const kinds[] = {
        [KIND_ROTATION] = "a rotation", [KIND_DIRECTION] = "a direction"};
    const coordinate_kind turns = symbol_turns(s);
    const bool            vector = !turns && s->dims && counts_three(s, s->dims - 1);
    return mem_printf(m_of(r), "%s '%s%s'", turns ? kinds[turns] : symbol_phrase[s->kind], s->word,
                      vector ? "[3]" : "");
}

/* The part that an argument names, NULL after an error. A terminal of the system around may be
 * passed on; one of another part is that other part's business. */
static const symbol *part_given(resolver *r, const symbol *holder, definition *d)
{
    scope sc = scope_of(holder->in, holder->home, PLACE_TERMINAL);
    scope_slot(r, &sc, &holder->of->slot);
    const symbol *s = d->value->kind == AST_PATH ? resolve_path(r, &sc, d->value, false) : NULL;
    bool          through = false;
    for (int i = 1; s && i < d->value->steps; i++)
        through |= symbol_is_terminal(path_symbols(d->value)[i]);
    if (s && s->kind == SYM_PART && !through) return s->type ? s : NULL;
    if (s || d->value->kind != AST_PATH)
        diag_error(
            r->ds, DAL_INVALID, d->value->at,
            mem_printf(m_of(r), "'%s' is a terminal: it is given the name of a part", d->word),
            through ? "a terminal of another part cannot be passed on" : "this is not a part");
    return NULL;
}

static void resolve_terminal(resolver *r, const symbol *holder, const symbol *t, definition *d)
{
    const symbol *given = part_given(r, holder, d);
    for (int i = 0; given && t->type && i < t->type->symbol.n; i++) {
        symbol *wanted = t->type->symbol.at[i];
        if (wanted->kind != SYM_COORDINATE && wanted->kind != SYM_LET) continue;
        symbol *found = find_in_system(given->type, wanted->word, SPACE_VALUES);
        if (stands_for(r, found, wanted, d->value->at)) {
            found->used = true;
            continue;
        }
        diag_error(r->ds, DAL_INVALID, d->value->at,
                   found ? mem_printf(m_of(r), "'%s' of %s is another quantity (%s)", wanted->word,
                                      given->type->word, symbol_where(m_of(r), found, d->value->at))
                         : list_members(m_of(r), given->type, wanted->kind),
                   "'%s' does not have %s, which the terminal '%s' of '%s' needs", given->word,
                   phrase_of(r, wanted), t->word, holder->type->word);
        return;
    }
}

void resolve_terminals(resolver *r, const symbol *holder)
{
    for (int i = 0; i < holder->type->symbol.n; i++) {
        const symbol *t = holder->type->symbol.at[i];
        if (!symbol_is_terminal(t)) continue;
        if (holder->bound[i]) resolve_terminal(r, holder, t, holder->bound[i]);
        else
            diag_error(r->ds, DAL_INVALID, holder->of->system_at,
                       mem_printf(m_of(r), "name the part that it belongs to: %s(%s = ...)",
                                  holder->type->word, t->word),
                       "the terminal '%s' of '%s' is not given", t->word, holder->type->word);
    }
}

/* What runs belongs to nothing. */
void refuse_open_terminals(resolver *r, const sys *root)
{
    for (int i = 0; i < root->symbol.n; i++)
        if (symbol_is_terminal(root->symbol.at[i]))
            diag_error(r->ds, DAL_INVALID, root->symbol.at[i]->at,
                       mem_printf(m_of(r), "use it as a part: part joint : %s(%s = ...)",
                                  root->word, root->symbol.at[i]->word),
                       "'%s' cannot run by itself: '%s' is a part of another system", root->word,
                       root->symbol.at[i]->word);
}
