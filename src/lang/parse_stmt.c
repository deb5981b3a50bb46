/* parse_stmt.c - the statements of a system, one function per rule, found by their first word in
 * one table. */
#include "lang/parse.h"

/* The keyword has been read; what follows it is filled in by the rule. */
stmt *stmt_open(parser *p, stmt_kind kind)
{
    stmt *s = mem_array(p->m, 1, stmt);
    s->kind = kind, s->word_at = span_of(p, p->keyword);
    return s;
}

/* Its span goes from the keyword, or from its place in a list, to the last token. */
void stmt_close(parser *p, stmt *s)
{
    s->at = span_since(p, p->from);
    vec_push(p->m, p->stmts, s);
}

/* the comma of a list whose elements are statements of their own */
bool another(parser *p)
{
    if (!got(p, TOK_COMMA)) return false;
    p->from = p->at->start;
    return true;
}

/* Declared names. -------------------------------------------------------------------------- */

/* extent     = ( NAME "in" range | expr ) [ "periodic" ] */
static ast_extent extent(parser *p)
{
    const token *word = p->at;
    ast_index    index = {.at = span_of(p, word)};
    if (is(p, TOK_NAME) && word[1].kind == TOK_IN) {
        p->at += 2;
        index.word = word->word;
        parse_range(p, &index);
    } else {
        index.high = parse_expr(p);
        if (is(p, TOK_DOTS)) unexpected(p, "']'", "a range names its index: type [k in 0..N]");
        index.at = index.high->at;
    }
    static const char *const periodic_word[] = {"periodic"};
    const bool               periodic = is_word(p->at, periodic_word[0]);
    if (is(p, TOK_NAME) && !periodic && name_nearest(p->at->word, periodic_word, 1))
        unexpected(p, "']'", "did you mean 'periodic'?");
    p->at += periodic;
    return (ast_extent){index, periodic};
}

/* slot       = NAME { "[" extent "]" } [ STRING ] */
ast_slot parse_slot(parser *p, const char *what)
{
    vec(ast_extent) extents = {0};
    const token *word = expect_name(p, what, NULL);
    while (is(p, TOK_LBRACKET)) {
        const token *open = p->at++;
        enter(p);
        vec_push(p->m, extents, extent(p));
        leave(p);
        if (is(p, TOK_COMMA)) unexpected(p, "']'", "each index has its own brackets: type a[N][M]");
        expect_close(p, open, NULL);
    }
    ast_slot s = {word->word, span_of(p, word), NULL, extents.n, NULL};
    s.extent = vec_keep(p->m, extents, ast_extent);
    if (is(p, TOK_STRING)) s.label = p->at++->word;
    return s;
}

const char *keyword(const parser *p)
{
    return p->keyword->word;
}

/* `theta (rad)` and `theta 'rad'` */
static void unit_in_quotes(parser *p, const ast_slot *slot)
{
    const token *unit = p->at + 1;
    if ((is(p, TOK_LPAREN) || is(p, TOK_PRIME)) && unit->kind == TOK_NAME)
        unexpected(p, "the end of the line",
                   mem_printf(p->m, "a unit is a string after the name: %s \"%s\"", slot->word,
                              unit->word));
}

/* "=", with a message for ":" and for nothing; false where a comma follows, so that every name of a
 * list without values has its message */
static bool assign(parser *p, const stmt *s)
{
    unit_in_quotes(p, &s->slot);
    const char *model = mem_printf(p->m, "type '%s %s = ...'", keyword(p), s->slot.word);
    if (is(p, TOK_NL) || is(p, TOK_RBRACE) || is(p, TOK_END))
        fail_at(p, s->slot.at, model, "%s '%s' has no value", keyword(p), s->slot.word);
    if (is(p, TOK_COMMA)) {
        complain(p, s->slot.at, model, "%s '%s' has no value", keyword(p), s->slot.word);
        return false;
    }
    expect_instead(p, TOK_ASSIGN, TOK_COLON, model);
    return true;
}

/* parameter  = "parameter" given { "," given }
 * given      = slot "=" expr
 * discrete   = "discrete" given { "," given } */
static void parameter(parser *p, stmt_kind kind)
{
    do {
        stmt *s = stmt_open(p, kind);
        s->slot = parse_slot(p, kind == STMT_DISCRETE ? "the name of a discrete variable"
                                                      : "the name of a parameter");
        if (!assign(p, s)) continue;
        s->value = parse_expr(p);
        mend_unit(p, s->slot.word, true, "the end of the line");
        stmt_close(p, s);
    } while (another(p));
}

/* `x y` lacks a comma, `x lagrangian ...` a new line. */
static void names_apart(parser *p, const ast_slot *slot)
{
    unit_in_quotes(p, slot);
    if (!is(p, TOK_NAME)) return;
    if (begins_statement(p->at))
        unexpected(p, "the end of the line", "each statement has a line of its own");
    unexpected(p, "','", "names are separated by ','");
}

/* Three rows behind its own sizes, as if it were declared R[3]. */
static void add_rows(parser *p, ast_slot *slot)
{
    ast        *three = mem_array(p->m, 1, ast);
    ast_extent *extent = mem_array(p->m, slot->extents + 1, ast_extent);
    *three = (ast){.kind = AST_NUMBER, .at = slot->at, .number = 3};
    for (int i = 0; i < slot->extents; i++) extent[i] = slot->extent[i];
    extent[slot->extents++].range = (ast_index){.at = slot->at, .high = three};
    slot->extent = extent;
}

/* ":" NAME, behind a coordinate */
static void kind_of_coordinate(parser *p, stmt *s)
{
    static const char *const words[] = {"rotation", "direction"};
    const token             *word = expect_name(p, "rotation or direction", NULL);
    s->turns = is_word(word, words[0])   ? KIND_ROTATION
               : is_word(word, words[1]) ? KIND_DIRECTION
                                         : KIND_NUMBER;
    const char *near = name_nearest(word->word, words, 2);
    if (!s->turns)
        fail_at(p, span_of(p, word),
                near ? mem_printf(p->m, "did you mean '%s'?", near)
                     : "a coordinate is a number, or declared as : rotation or : direction",
                "there is no kind of coordinate '%s'", word->word);
    add_rows(p, &s->slot);
}

/* coordinate = "coordinate" slot [ ":" NAME ] { "," slot [ ":" NAME ] } */
static void coordinate(parser *p, stmt_kind kind)
{
    do {
        stmt *s = stmt_open(p, kind);
        s->slot = parse_slot(p, "the name of a coordinate");
        if (got(p, TOK_COLON)) kind_of_coordinate(p, s);
        if (is(p, TOK_ASSIGN)) {
            complain(p, span_of(p, p->at), mem_printf(p->m, "type 'start %s = ...'", s->slot.word),
                     "a coordinate is declared without a value");
            p->at++;
            parse_expr(p);
        }
        names_apart(p, &s->slot);
        stmt_close(p, s);
    } while (another(p));
}

/* rate       = NAME { "[" extent "]" } "'" [ STRING ] "=" expr */
static void rate(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    s->slot = parse_slot(p, "the name of a state");
    const char *model = mem_printf(p->m, "type 'state %s' = ...'", s->slot.word);
    if (!got(p, TOK_PRIME)) unexpected(p, "'", model);
    if (is(p, TOK_PRIME))
        fail_at(p, span_of(p, p->at), "a state for each order: state z' = v, v' = ...",
                "a state has a first-order equation");
    if (is(p, TOK_STRING)) s->slot.label = p->at++->word;
    expect_instead(p, TOK_ASSIGN, TOK_COLON, model);
    s->value = parse_expr(p);
    stmt_close(p, s);
}

/* flow       = "state" rate { "," rate } */
static void flow(parser *p, stmt_kind kind)
{
    do rate(p, kind);
    while (another(p));
}

/* input      = "input" slot [ "=" expr ] { "," slot [ "=" expr ] } */
static void input(parser *p, stmt_kind kind)
{
    do {
        stmt *s = stmt_open(p, kind);
        s->slot = parse_slot(p, "the name of an input");
        names_apart(p, &s->slot);
        if ((is(p, TOK_ASSIGN) || is(p, TOK_COLON)) && assign(p, s)) s->value = parse_expr(p);
        stmt_close(p, s);
    } while (another(p));
}

/* Arguments of a function are single names. */
static void formals(parser *p, stmt *s)
{
    vec(name) words = {0};
    vec(span) places = {0};
    const token *open = p->at++;
    do {
        const token *word = expect_name(p, "the name of an argument", "type 'let f(x) = ...'");
        vec_push(p->m, words, word->word);
        vec_push(p->m, places, span_of(p, word));
    } while (got(p, TOK_COMMA));
    expect_close(p, open, NULL);
    s->function = true, s->formals = words.n;
    s->formal = vec_keep(p->m, words, name);
    s->formal_at = vec_keep(p->m, places, span);
}

/* binding    = NAME "(" NAME { "," NAME } ")" "=" expr
 *            | slot "=" expr */
static void binding(parser *p, stmt_kind kind)
{
    stmt        *s = stmt_open(p, kind);
    const token *word = p->at;
    if (is(p, TOK_NAME) && word[1].kind == TOK_LPAREN) {
        s->slot = (ast_slot){.word = word->word, .at = span_of(p, word)};
        p->at++;
        formals(p, s);
    } else s->slot = parse_slot(p, "a name");
    if (!assign(p, s)) return;
    s->value = parse_expr(p);
    stmt_close(p, s);
}

/* let        = "let" binding { "," binding } */
static void let(parser *p, stmt_kind kind)
{
    do binding(p, kind);
    while (another(p));
}

/* output     = "output" slot "=" expr { "," slot "=" expr } */
static void output(parser *p, stmt_kind kind)
{
    do {
        stmt *s = stmt_open(p, kind);
        s->slot = parse_slot(p, "the name of an output");
        if (is(p, TOK_PRIME) || is(p, TOK_DOT))
            unexpected(p, "'='", "an output has a name of its own: type 'output speed = x''");
        if (!assign(p, s)) continue;
        s->value = parse_expr(p);
        stmt_close(p, s);
    } while (another(p));
}

/* argument   = NAME "=" expr */
static ast_argument argument(parser *p)
{
    const token *word = expect_name(p, "the name of a parameter or input", "type 'Cell(R = 2)'");
    ast_argument a = {word->word, span_of(p, word), NULL};
    expect_instead(p, TOK_ASSIGN, TOK_COLON, "type 'Cell(R = 2)'");
    a.value = parse_expr(p);
    return a;
}

/* Brackets without anything in them are a mistake, but a clear one. */
static void arguments(parser *p, stmt *s)
{
    vec(ast_argument) list = {0};
    const token *open = p->at++;
    if (is(p, TOK_RPAREN)) {
        complain(p, span_join(span_of(p, open), span_of(p, p->at)), "remove them",
                 "empty brackets after the system of a part");
        p->at++;
        return;
    }
    enter(p);
    do vec_push(p->m, list, argument(p));
    while (got(p, TOK_COMMA));
    leave(p);
    expect_close(p, open, NULL);
    s->arguments = list.n, s->argument = vec_keep(p->m, list, ast_argument);
}

/* part       = "part" slot ":" NAME [ "(" argument { "," argument } ")" ] */
static void part(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    s->slot = parse_slot(p, "the name of a part");
    const char *model = mem_printf(p->m, "type 'part %s : System'", s->slot.word);
    if (is(p, TOK_COMMA)) unexpected(p, "':'", "each part has a line of its own");
    expect_instead(p, TOK_COLON, TOK_ASSIGN, model);
    const token *system = expect_name(p, "the name of a system", model);
    s->system = system->word, s->system_at = span_of(p, system);
    if (is(p, TOK_LPAREN)) arguments(p, s);
    if (is(p, TOK_LBRACE))
        unexpected(p, "the end of the line",
                   mem_printf(p->m, "type '%s(R = 2)' to set R of it", system->word));
    if (is(p, TOK_COMMA)) unexpected(p, "the end of the line", "each part has a line of its own");
    stmt_close(p, s);
}

/* terminal   = "terminal" NAME ":" NAME { "," NAME ":" NAME } */
static void terminal(parser *p, stmt_kind kind)
{
    do {
        stmt        *s = stmt_open(p, kind);
        const token *word = expect_name(p, "the name of a terminal", NULL);
        const char  *model = mem_printf(p->m, "type 'terminal %s : System'", word->word);
        s->slot = (ast_slot){.word = word->word, .at = span_of(p, word)};
        expect_instead(p, TOK_COLON, TOK_ASSIGN, model);
        const token *system = expect_name(p, "the name of a system", model);
        s->system = system->word, s->system_at = span_of(p, system);
        stmt_close(p, s);
    } while (another(p));
}

/* Repetition. ------------------------------------------------------------------------------ */

/* "(" is what other languages have here. */
static void for_head(parser *p)
{
    stmt *s = p->stmts.at[p->stmts.n - 1];
    if (is(p, TOK_LPAREN)) unexpected(p, "the name of an index", "type 'for k in 1..N { ... }'");
    s->index = parse_indices(p, &s->indices);
}

/* for        = "for" indices block */
static void repeat(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    int   from = p->from;
    enter(p);
    vec_push(p->m, p->stmts, s);
    p->fors++;
    if (open_block(p, for_head)) s->body = parse_block(p, "of 'for' ", &s->count);
    p->fors--;
    leave(p);
    s->at = span_since(p, from);
}

/* The table. ------------------------------------------------------------------------------- */

static const struct statement {
    const char *word;
    void (*parse)(parser *, stmt_kind);
    stmt_kind kind;
    bool      in_for; /* may stand inside `for`: it declares no name */
} table[] = {
    {"parameter", parameter, STMT_PARAMETER, false},
    {"coordinate", coordinate, STMT_COORDINATE, false},
    {"state", flow, STMT_STATE, false},
    {"input", input, STMT_INPUT, false},
    {"let", let, STMT_LET, false},
    {"output", output, STMT_OUTPUT, false},
    {"part", part, STMT_PART, false},
    {"terminal", terminal, STMT_TERMINAL, false},
    {"lagrangian", parse_energy, STMT_LAGRANGIAN, true},
    {"hamiltonian", parse_energy, STMT_HAMILTONIAN, true},
    {"force", parse_force, STMT_FORCE, true},
    {"damping", parse_force, STMT_DAMPING, true},
    {"constraint", parse_relation, STMT_CONSTRAINT, true},
    {"holonomic", parse_relation, STMT_HOLONOMIC, true},
    {"connect", parse_relation, STMT_CONNECT, true},
    {"symmetry", parse_symmetry, STMT_SYMMETRY, true},
    {"start", parse_start, STMT_START, true},
    {"draw", parse_draw, STMT_DRAW, true},
    {"discrete", parameter, STMT_DISCRETE, false},
    {"contact", parse_contact, STMT_CONTACT, true},
    {"friction", parse_friction, STMT_FRICTION, true},
    {"when", parse_when, STMT_WHEN, true},
    {"stop", parse_stop, STMT_STOP, true},
    {"for", repeat, STMT_FOR, true},
};

enum { STATEMENTS = sizeof table / sizeof *table };

const char *statement_word(int i)
{
    return i < STATEMENTS ? table[i].word : NULL;
}

static const struct statement *find(const token *t)
{
    for (int i = 0; i < STATEMENTS; i++)
        if (is_word(t, table[i].word)) return &table[i];
    return NULL;
}

bool begins_statement(const token *t)
{
    return find(t) != NULL;
}

/* statement  = parameter | coordinate | flow | input | let | output | part | terminal
 *            | energy | force | relation | symmetry | start | draw | for
 *            | discrete | contact | friction | when | stop */
bool parse_statement(parser *p)
{
    const struct statement *row = find(p->at);
    if (!row) return false;
    if (p->fors && !row->in_for)
        complain(p, span_of(p, p->at),
                 mem_printf(p->m, "put it outside, with its range: '%s x[k in 1..N]'", row->word),
                 "'for' cannot contain '%s', which declares a name", row->word);
    p->keyword = p->at++;
    p->from = p->keyword->start;
    row->parse(p, row->kind);
    return true;
}
