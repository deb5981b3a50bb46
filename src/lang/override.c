/* override.c - "NAME=VALUE" of the command line, read by the rules of the language in the system
 * that runs. */
#include "lang/language.h"

#include <string.h>

/* A part of an option's text as a source of its own. */
static const source *piece(world *w, const source *of, size_t from, size_t to)
{
    source *s = mem_array(w->ds->m, 1, source); /* messages point into it */
    char   *copy = mem_array(w->ds->m, to - from + 1, char);
    memcpy(copy, of->text + from, to - from);
    *s = (source){of->file, copy, to - from};
    return s;
}

/* The whole text of an option. */
static span all_of(const source *s)
{
    return (span){s, 0, (int)s->length};
}

static bool is_settable(const symbol *s)
{
    return s->kind == SYM_PARAMETER || s->kind == SYM_INPUT;
}

/* A parameter or an input, one or all of an array, and the expression for it. */
static bool resolve_set(world *w, resolver *r, override *o)
{
    scope   sc = scope_of(r->l->root->in, r->l->root, PLACE_PARAMETER);
    symbol *s = NULL;
    if (o->target->kind == AST_PATH) s = resolve_path(r, &sc, o->target, true);
    if (o->target->kind == AST_PATH && !s) return false;
    if (!s || !is_settable(s)) {
        world_error(w, o->target->at,
                    s && s->kind == SYM_COORDINATE ? "give a coordinate its value with --start"
                                                   : NULL,
                    "'%s' is not a parameter", s ? s->word : "this");
        return false;
    }
    resolve_value(r, &sc, o->value);
    return true;
}

/* A coordinate, velocity or momentum, and its value. */
static bool resolve_begin(resolver *r, override *o)
{
    scope sc = scope_of(r->l->root->in, r->l->root, PLACE_START);
    if (!resolve_state(r, &sc, o->target, true, "--start")) return false;
    resolve_value(r, &sc, o->value);
    return true;
}

static bool is_blank(const char *of, size_t n)
{
    return strspn(of, " \t") >= n;
}

/* Split at the first '='; both sides are read by the rules of the language. */
static void read_one(world *w, resolver *r, const source *of, bool starts)
{
    const char *equals = memchr(of->text, '=', of->length);
    if (!equals) {
        world_error(w, all_of(of), starts ? "as in --start x=1" : "as in --set k=2",
                    "NAME=VALUE is needed here");
        return;
    }
    size_t at = (size_t)(equals - of->text);
    if (is_blank(of->text, at) || is_blank(equals + 1, of->length - at - 1)) {
        world_error(w, all_of(of), starts ? "as in --start x=1" : "as in --set k=2",
                    "%s is missing",
                    is_blank(of->text, at) ? "a name before '='" : "a value after '='");
        return;
    }
    override o = {.target = parse_state_text(r->l->m, r->l->ns, w->ds, piece(w, of, 0, at)),
                  .value =
                      parse_expr_text(r->l->m, r->l->ns, w->ds, piece(w, of, at + 1, of->length))};
    if (!o.target || !o.value) {
        w->failed = true;
        return;
    }
    if (starts ? !resolve_begin(r, &o) : !resolve_set(w, r, &o)) return;
    if (starts) vec_push(w->m, w->begin, o);
    else vec_push(w->m, w->set, o);
}

void overrides_read(world *w, lang *l, const source *texts, int n, bool starts)
{
    resolver r = {.l = l, .ds = w->ds, .late = true};
    for (int i = 0; i < n; i++) read_one(w, &r, &texts[i], starts);
}

/* NULL: the errors are in w->ds. Of `times` the list is a value as an interval is. */
ast *setting_read(world *w, lang *l, const source *of, bool record, bool *times)
{
    resolver  r = {.l = l, .ds = w->ds, .late = true};
    scope     sc = scope_of(l->root->in, l->root, PLACE_SETTING);
    const int before = w->ds->errors;
    *times = false;
    ast *a = record ? parse_record_text(l->m, l->ns, w->ds, of, times)
                    : parse_expr_text(l->m, l->ns, w->ds, of);
    if (a && *times) resolve_value(&r, &sc, a);
    else if (a) resolve_number(&r, &sc, a);
    return w->ds->errors > before ? NULL : a;
}
