/* declare.c - every name that the files declare becomes a symbol; what cannot be told apart is
 * refused here. */
#include "lang/symbols.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
    lang  *l;
    diags *ds;
    sys   *s; /* NULL while the lets of a file are declared */
    unit  *in;
} declarer;

symbol *find_in_system(const sys *s, name word, int space)
{
    const int *at = map_find(&s->table, word, space, 0);
    return at ? s->symbol.at[*at] : NULL;
}

/* Of the file itself, without what it imports. */
static symbol *find_own(const unit *u, name word, int space)
{
    const int *at = map_find(&u->table, word, space, 0);
    return at ? u->symbol.at[*at] : NULL;
}

/* The file's own names come first; those of its imports after them, in order. An import of an
 * import is not seen. */
symbol *find_in_unit(const unit *u, name word, int space)
{
    symbol *found = find_own(u, word, space);
    for (int i = 0; !found && i < u->import.n; i++) found = find_own(u->import.at[i], word, space);
    return found;
}

static sys *find_system(const lang *l, name word)
{
    const int *at = map_find(&l->by_name, word, 0, 0);
    return at ? l->systems.at[*at] : NULL;
}

/* "parameter, line 2", with the file if it is another one than that of `from`. */
const char *symbol_where(mem *m, const symbol *s, span from)
{
    if (!s->at.of) return symbol_word[s->kind];
    if (s->at.of == from.of)
        return mem_printf(m, "%s, line %d", symbol_word[s->kind], span_line(s->at));
    return mem_printf(m, "%s, %s:%d", symbol_word[s->kind], s->at.of->file, span_line(s->at));
}

/* Words that mean something in every expression. */
static bool is_reserved(const char *word)
{
    static const char *const reserved[] = {"t", "pi", "in", "and", "or", "not", "free"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(word, reserved[i])) return true;
    return false;
}

/* Columns of a record are found by name, so none may be called as another one is. */
static void refuse_column_name(declarer *d, const symbol *s)
{
    bool is_column = s->kind == SYM_COORDINATE || s->kind == SYM_OUTPUT ||
                     s->kind == SYM_RELATION || s->kind == SYM_SYMMETRY || s->kind == SYM_EVENT;
    if (is_column && (!strcmp(s->word, "energy") || !strcmp(s->word, "discrete_energy")))
        diag_error(d->ds, DAL_INVALID, s->at,
                   "a column of the results has this name; choose another",
                   "'%s' cannot be the name of %s", s->word, symbol_phrase[s->kind]);
}

/* the symbol that already has this name where s is declared, or NULL */
static symbol *rival(const declarer *d, const symbol *s, int space)
{
    symbol *other = d->s ? find_in_system(d->s, s->word, space) : NULL;
    return other ? other : find_in_unit(d->in, s->word, space);
}

/* Functions that came later give way, so that no model loses a name. */
static bool is_built_in(const char *word)
{
    const builtin *b = builtin_find(word);
    return (b && !b->yields) || !strcmp(word, "sum");
}

/* One message for a name: reserved, built in, declared twice, or hidden. */
static void refuse_name(declarer *d, const symbol *s, int space)
{
    const symbol *other = rival(d, s, space);
    if (is_reserved(s->word))
        diag_error(d->ds, DAL_INVALID, s->at, "choose another name", "'%s' is reserved", s->word);
    else if (space == SPACE_FUNCTIONS && is_built_in(s->word))
        diag_error(d->ds, DAL_INVALID, s->at, "choose another name", "'%s' is a built-in function",
                   s->word);
    else if (other && other->home == s->home)
        diag_error(d->ds, DAL_INVALID, s->at, symbol_where(d->l->m, other, s->at),
                   "'%s' is declared twice", s->word);
    else if (other)
        diag_error(d->ds, DAL_INVALID, s->at, symbol_where(d->l->m, other, s->at),
                   "'%s' would hide the '%s' of the file", s->word, s->word);
}

static symbol *symbol_new(lang *l, symbol_kind kind, name word, span at)
{
    symbol *s = mem_array(l->m, 1, symbol);
    *s = (symbol){.kind = kind, .word = word, .at = at, .member = -1};
    return s;
}

/* Indices and arguments of functions: known by their number, and entered in no table. */
symbol *declare_local(lang *l, symbol_kind kind, name word, span at, int number)
{
    symbol *s = symbol_new(l, kind, word, at);
    s->number = number;
    return s;
}

/* What may stand in its value depends on what is declared. */
static place place_of_value(const declarer *d, symbol_kind kind)
{
    if (!d->s) return PLACE_FILE_LET;
    if (kind == SYM_LET || kind == SYM_FUNCTION) return PLACE_LET;
    if (kind == SYM_COORDINATE) return PLACE_STATE;
    return kind == SYM_OUTPUT ? PLACE_OUTPUT : PLACE_PARAMETER;
}

static void declare_formals(declarer *d, symbol *s, const stmt *st)
{
    s->formal = mem_array(d->l->m, st->formals, symbol *);
    for (int i = 0; i < st->formals; i++) {
        s->formal[i] = declare_local(d->l, SYM_FORMAL, st->formal[i], st->formal_at[i], i);
        s->formal[i]->shape = SHAPE_UNKNOWN;
    }
}

/* Enters the name of a statement. The first of two equal names keeps it. */
static symbol *declare(declarer *d, symbol_kind kind, const stmt *st)
{
    symbol *s = symbol_new(d->l, kind, st->slot.word, st->slot.at);
    int     space = kind == SYM_FUNCTION ? SPACE_FUNCTIONS : SPACE_VALUES;
    s->home = d->s, s->in = d->in, s->of = st, s->dims = st->slot.extents;
    s->def = (definition){
        .value = st->value, .scope = s, .word = s->word, .at = place_of_value(d, kind)};
    refuse_column_name(d, s);
    refuse_name(d, s, space);
    if (s->dims > DIMENSIONS)
        diag_error(d->ds, DAL_INVALID, s->at, NULL, "'%s' has more than %d dimensions", s->word,
                   DIMENSIONS);
    map *table = d->s ? &d->s->table : &d->in->table;
    int  count = d->s ? d->s->symbol.n : d->in->symbol.n;
    bool fresh;
    s->number = count;
    map_keep(table, s->word, space, 0, count, &fresh);
    /* a name that lost is kept too, so that its statement is still looked at */
    if (d->s) vec_push(d->l->m, d->s->symbol, s);
    else vec_push(d->l->m, d->in->symbol, s);
    if (kind == SYM_FUNCTION) declare_formals(d, s, st);
    return s;
}

/* What has an index of its own in every instance; lets and functions are expanded where they are
 * used. */
static bool is_member(symbol_kind kind)
{
    return kind <= SYM_SYMMETRY && kind != SYM_LET;
}

static symbol_kind kind_of(const stmt *st)
{
    switch (st->kind) {
    case STMT_PARAMETER:
    case STMT_DISCRETE: return SYM_PARAMETER;
    case STMT_COORDINATE:
    case STMT_STATE: return SYM_COORDINATE;
    case STMT_INPUT: return SYM_INPUT;
    case STMT_LET: return st->function ? SYM_FUNCTION : SYM_LET;
    case STMT_OUTPUT: return SYM_OUTPUT;
    case STMT_PART:
    case STMT_TERMINAL: return SYM_PART;
    case STMT_SYMMETRY: return SYM_SYMMETRY;
    case STMT_CONTACT:
    case STMT_FRICTION:
    case STMT_WHEN:
    case STMT_STOP: return SYM_EVENT;
    default: return st->one_sided ? SYM_EVENT : SYM_RELATION;
    }
}

static void declare_statement(declarer *d, const stmt *st)
{
    d->s->has |= 1u << st->kind;
    if (st->kind == STMT_FOR)
        for (int i = 0; i < st->count; i++) declare_statement(d, st->body[i]);
    /* energies, forces and nameless relations declare nothing */
    if (!st->slot.word) return;
    symbol_kind kind = kind_of(st);
    if (kind == SYM_SYMMETRY) { /* all statements of one name make one generator */
        const symbol *before = find_in_system(d->s, st->slot.word, SPACE_VALUES);
        if (before && before->kind == SYM_SYMMETRY) return;
    }
    symbol *s = declare(d, kind, st);
    if (s->dims) d->s->scalar = false;
    if (!is_member(kind) || st->kind == STMT_TERMINAL) return;
    s->member = d->s->member.n;
    vec_push(d->l->m, d->s->member, s);
}

/* A system is Lagrangian or Hamiltonian, never both. */
static const stmt *first_of(stmt *const *list, int count, stmt_kind kind)
{
    for (int i = 0; i < count; i++) {
        if (list[i]->kind == kind) return list[i];
        const stmt *inside =
            list[i]->kind == STMT_FOR ? first_of(list[i]->body, list[i]->count, kind) : NULL;
        if (inside) return inside;
    }
    return NULL;
}

static void decide_kind(declarer *d)
{
    const ast_system *of = d->s->of;
    const stmt       *l = first_of(of->statement, of->count, STMT_LAGRANGIAN);
    const stmt       *h = first_of(of->statement, of->count, STMT_HAMILTONIAN);
    const stmt       *z = first_of(of->statement, of->count, STMT_STATE);
    d->s->hamiltonian = h != NULL;
    d->s->both = l && h;
    if (h && z)
        diag_error(d->ds, DAL_INVALID, z->slot.at,
                   "put it into a part of its own, whose system has no Hamiltonian",
                   "the state '%s' stands in a Hamiltonian system", z->slot.word);
    for (int i = 0; h && i < d->s->symbol.n; i++)
        if (symbol_turns(d->s->symbol.at[i]) == KIND_DIRECTION)
            diag_error(
                d->ds, DAL_INVALID, d->s->symbol.at[i]->at,
                "write its motion by a Lagrangian in its velocity n'",
                "'%s' is a direction, whose momentum lies in a plane that turns with it, and "
                "stands in a Hamiltonian system",
                d->s->symbol.at[i]->word);
    if (!d->s->both) return;
    const stmt *second = l->at.start < h->at.start ? h : l;
    diag_error(d->ds, DAL_INVALID, second->word_at,
               mem_printf(d->l->m, "the other is in line %d; use a part for each and connect them",
                          span_line(l == second ? h->at : l->at)),
               "'%s' has both a Lagrangian and a Hamiltonian", d->s->word);
}

/* Of two systems of one name the first is found; the other is looked at all the same. */
static void declare_system(lang *l, diags *ds, unit *in, const ast_system *of)
{
    sys *s = mem_array(l->m, 1, sys), *before = find_system(l, of->word);
    *s = (sys){.word = of->word, .at = of->word_at, .of = of, .in = in, .scalar = true};
    map_init(&s->table, l->m);
    if (before)
        diag_error(ds, DAL_INVALID, of->word_at,
                   mem_printf(l->m, "the other one is in %s:%d", before->at.of->file,
                              span_line(before->at)),
                   "two systems are called '%s'", of->word);
    else map_put(&l->by_name, of->word, 0, 0, l->systems.n);
    vec_push(l->m, l->systems, s);
    declarer d = {l, ds, s, in};
    for (int i = 0; i < of->count; i++) declare_statement(&d, of->statement[i]);
    decide_kind(&d);
}

/* Parts: the system behind each, and what its arguments bind. ---------------------------------- */

/* The nearest name is offered, if one is near, or one that goes on behind it. */
static void refuse_system(lang *l, diags *ds, const stmt *st)
{
    vec(const char *) known = {0};
    for (int i = 0; i < l->systems.n; i++) vec_push(l->m, known, l->systems.at[i]->word);
    const char *near = name_nearest(st->system, known.at, known.n);
    const size_t n = strlen(st->system);
    for (int i = 0; i < known.n && !near && n > 2; i++)
        if (!strncmp(known.at[i], st->system, n)) near = known.at[i];
    diag_error(ds, DAL_INVALID, st->system_at,
               near ? mem_printf(l->m, "did you mean '%s'?", near)
                    : "neither this file nor an imported one defines it",
               "unknown system '%s'", st->system);
    vec_drop(l->m, known);
}

static bool takes_argument(const symbol *s)
{
    return s->kind == SYM_PARAMETER || s->kind == SYM_INPUT || symbol_is_terminal(s);
}

static void refuse_argument(lang *l, diags *ds, const sys *type, const ast_argument *arg,
                            const symbol *found)
{
    if (found) {
        diag_error(ds, DAL_INVALID, arg->at, "arguments give values to parameters and inputs",
                   "'%s' is %s of '%s'", arg->word, symbol_phrase[found->kind], type->word);
        return;
    }
    vec(const char *) known = {0};
    text list = text_new(l->m);
    for (int i = 0; i < type->symbol.n; i++) {
        const symbol *s = type->symbol.at[i];
        if (!takes_argument(s)) continue;
        text_printf(&list, "%s%s", known.n ? ", " : "", s->word);
        vec_push(l->m, known, s->word);
    }
    const char *near = name_nearest(arg->word, known.at, known.n);
    const char *hint = near      ? mem_printf(l->m, "did you mean '%s'?", near)
                       : known.n ? mem_printf(l->m, "%s has %s", type->word, text_str(&list))
                                 : mem_printf(l->m, "%s has neither", type->word);
    diag_error(ds, DAL_INVALID, arg->at, hint, "'%s' has no parameter or input '%s'", type->word,
               arg->word);
    vec_drop(l->m, known), text_drop(&list);
}

/* An argument gives a parameter or an input of the part its value, or a terminal its part, as seen
 * from outside. */
static void bind(lang *l, diags *ds, symbol *holder, const ast_argument *arg)
{
    symbol *to = find_in_system(holder->type, arg->word, SPACE_VALUES);
    if (!to || !takes_argument(to)) {
        refuse_argument(l, ds, holder->type, arg, to);
        return;
    }
    if (holder->bound[to->number]) {
        diag_error(ds, DAL_INVALID, arg->at, NULL, "'%s' is given twice", arg->word);
        return;
    }
    definition *d = mem_array(l->m, 1, definition);
    *d = (definition){.value = arg->value,
                      .scope = holder,
                      .at = to->kind == SYM_INPUT  ? PLACE_LET
                            : to->kind == SYM_PART ? PLACE_TERMINAL
                                                   : PLACE_PARAMETER};
    const char *word = mem_printf(l->m, "%s.%s", holder->word, to->word);
    d->word = names_intern(l->ns, word, strlen(word));
    holder->bound[to->number] = d;
}

/* bound[k]: what is given to symbol k of its system; NULL: nothing. */
static void declare_part(lang *l, diags *ds, symbol *holder)
{
    holder->type = find_system(l, holder->of->system);
    if (!holder->type) {
        refuse_system(l, ds, holder->of);
        return;
    }
    holder->bound = mem_array(l->m, holder->type->symbol.n + 1, definition *);
    for (int i = 0; i < holder->of->arguments; i++) bind(l, ds, holder, &holder->of->argument[i]);
}

/* Elements of an array as far as its sizes are literal numbers; 0 if one is not. */
static double least_elements(const symbol *s)
{
    double count = 1;
    for (int k = 0; k < s->dims; k++) {
        const ast_index *x = &s->of->slot.extent[k].range;
        const bool literal = x->high->kind == AST_NUMBER && (!x->low || x->low->kind == AST_NUMBER);
        count *= literal ? fmax(x->high->number - (x->low ? x->low->number : 1) + 1, 0) : 0;
    }
    return count;
}

/* No system may be a part of itself, however deep. `level` systems hold this one. */
static int depth_of(diags *ds, sys *s, int level)
{
    if (s->depth_state != DEPTH_NEW) return s->depth;
    s->depth_state = DEPTH_ACTIVE;
    s->least = 1;
    for (int i = 0; i < s->symbol.n; i++) {
        const symbol *p = s->symbol.at[i];
        if (p->kind != SYM_PART || !p->type || symbol_is_terminal(p)) continue;
        if (p->type->depth_state == DEPTH_ACTIVE) {
            diag_error(ds, DAL_INVALID, p->of->system_at, NULL,
                       "system '%s' would be a part of itself", p->type->word);
            continue;
        }
        int below = level < NESTING ? depth_of(ds, p->type, level + 1) : NESTING;
        if (below + 1 > s->depth) s->depth = below + 1;
        s->least += least_elements(p) * p->type->least;
        if (below + 1 == NESTING || level == NESTING)
            diag_error(ds, DAL_INVALID, p->of->system_at, NULL,
                       "parts are nested more than %d deep", NESTING);
    }
    s->depth_state = DEPTH_KNOWN;
    return s->depth;
}

/* Two files imported into one must not both have a let of one name. */
static void refuse_imported_twins(lang *l, diags *ds, const unit *u)
{
    for (int i = 0; i < u->import.n; i++)
        for (int k = 0; k < u->import.at[i]->symbol.n; k++) {
            const symbol *s = u->import.at[i]->symbol.at[k];
            int           space = s->kind == SYM_FUNCTION ? SPACE_FUNCTIONS : SPACE_VALUES;
            const symbol *seen = find_in_unit(u, s->word, space);
            assert(seen); /* s, or what hides it */
            if (seen->in != s->in)
                diag_error(ds, DAL_INVALID, seen->at, symbol_where(l->m, s, seen->at),
                           "'%s' is declared in two files that are used together", s->word);
        }
}

/* Lets of all files before systems, systems before parts: each may name what comes later in the
 * text. */
void declare_all(lang *l, diags *ds)
{
    l->time = (symbol){.kind = SYM_TIME, .word = "t", .member = -1};
    l->pi = (symbol){.kind = SYM_PI, .word = "pi", .member = -1};
    for (int i = 0; i < l->units.n; i++) {
        declarer d = {l, ds, NULL, l->units.at[i]};
        for (int k = 0; k < d.in->tree->lets; k++)
            declare(&d, d.in->tree->let[k]->function ? SYM_FUNCTION : SYM_LET, d.in->tree->let[k]);
    }
    for (int i = 0; i < l->units.n; i++) refuse_imported_twins(l, ds, l->units.at[i]);
    for (int i = 0; i < l->units.n; i++)
        for (int k = 0; k < l->units.at[i]->tree->systems; k++)
            declare_system(l, ds, l->units.at[i], l->units.at[i]->tree->system[k]);
    for (int i = 0; i < l->systems.n; i++)
        for (int k = 0; k < l->systems.at[i]->symbol.n; k++)
            if (l->systems.at[i]->symbol.at[k]->kind == SYM_PART)
                declare_part(l, ds, l->systems.at[i]->symbol.at[k]);
    for (int i = 0; i < l->systems.n; i++) depth_of(ds, l->systems.at[i], 0);
}
