/* parse.c - a whole file: its items, and how the parser goes on after a mistake. */
#include "lang/parse.h"

#include <string.h>

/* Tokens. ---------------------------------------------------------------------------------- */

/* A list that is finished takes no more room than it needs. */
void *mem_keep(mem *m, void *at, int n, size_t size)
{
    void *kept = mem_take(m, (size_t)n * size);
    if (n) memcpy(kept, at, (size_t)n * size);
    mem_drop(m, at);
    return kept;
}

bool is(const parser *p, token_kind kind)
{
    return p->at->kind == kind;
}

bool is_word(const token *t, const char *word)
{
    return t->kind == TOK_NAME && !strcmp(t->word, word);
}

bool got(parser *p, token_kind kind)
{
    if (!is(p, kind)) return false;
    p->at++;
    return true;
}

span span_of(const parser *p, const token *t)
{
    return (span){p->of, t->start, t->end};
}

span span_since(const parser *p, int start)
{
    return (span){p->of, start, p->at > p->begin ? p->at[-1].end : start};
}

/* Recursion is bounded, so that no text can exhaust the stack. */
void enter(parser *p)
{
    if (++p->depth > DEPTH_MOST)
        fail_at(p, span_of(p, p->at),
                mem_printf(p->m, "at most %d brackets, signs, powers or 'for' may be nested",
                           DEPTH_MOST),
                "nested too deep");
}

void leave(parser *p)
{
    p->depth--;
}

/* Recovery. -------------------------------------------------------------------------------- */

/* Runs a rule of the grammar; a mistake in it jumps back here, with everything as deep as
 * before. */
bool attempt(parser *p, void (*rule)(parser *))
{
    jmp_buf here, *const outer = p->recover;
    const int depth = p->depth, fors = p->fors, operands = p->operands.n, steps = p->steps.n;
    p->recover = &here;
    if (!setjmp(here)) {
        rule(p);
        p->recover = outer;
        return true;
    }
    p->recover = outer;
    p->depth = depth, p->fors = fors, p->operands.n = operands, p->steps.n = steps;
    return false;
}

/* to the next NL of the same brace depth, or to what closes the block */
static void skip_statement(parser *p)
{
    for (int braces = 0; !is(p, TOK_END); p->at++) {
        if (!braces && (is(p, TOK_NL) || is(p, TOK_RBRACE))) return;
        braces += (is(p, TOK_LBRACE) && !p->at->unclosed) - is(p, TOK_RBRACE);
    }
}

/* A statement ends with its line, or before the brace of its block. */
void statement_end(parser *p)
{
    if (p->at[-1].kind == TOK_NL) return; /* a block that was not closed ended before this line */
    if (!is(p, TOK_NL) && !is(p, TOK_RBRACE) && !is(p, TOK_END))
        unexpected_after(p, "the end of the line",
                         is(p, TOK_STRING) ? "a unit follows the name: k \"N/m\" = 1" : NULL);
}

/* Blocks. ---------------------------------------------------------------------------------- */

static bool begins_item(const token *t)
{
    return is_word(t, "system") || is_word(t, "simulate") || is_word(t, "import");
}

static void parse_item(parser *p);

/* With a message the item is read where it stands. */
static void misplaced_item(parser *p)
{
    const char *advice = is_word(p->at, "system")
                             ? "put it before this system, and use it by 'part name : System'"
                             : "put it outside the braces of the system";
    complain(p, span_of(p, p->at), advice, "'%s' inside a system", p->at->word);
    parse_item(p);
}

static void block_statement(parser *p)
{
    if (begins_item(p->at)) misplaced_item(p);
    else if (!parse_statement(p)) unknown_statement(p, true);
    statement_end(p);
}

/* Lines up to the closing brace. One that fails is skipped; a brace that is never closed ends at
 * the next item, so that one mistake does not swallow the file. */
void parse_lines(parser *p, void (*line)(parser *), const char *owner)
{
    const token *brace = p->at++;
    got(p, TOK_NL);
    while (!is(p, TOK_RBRACE) && !is(p, TOK_END) && !(brace->unclosed && begins_item(p->at))) {
        if (!attempt(p, line)) skip_statement(p);
        got(p, TOK_NL);
    }
    if (got(p, TOK_RBRACE) || p->quota <= p->ds->errors) return;
    const char *before = is(p, TOK_END) ? "the end of the file"
                                        : mem_printf(p->m, "'%s' in line %d", p->at->word,
                                                     span_line(span_of(p, p->at)));
    complain(p, span_of(p, brace), mem_printf(p->m, "'}' is missing before %s", before),
             "the '{' %sis never closed", owner);
}

static void missing_brace(parser *p)
{
    unexpected(p, "'{'", "the statements follow between { and }");
}

/* Where the head fails, the block behind it is read all the same. */
bool open_block(parser *p, void (*head)(parser *))
{
    if (!attempt(p, head))
        while (!is(p, TOK_LBRACE) && !is(p, TOK_NL) && !is(p, TOK_RBRACE) && !is(p, TOK_END))
            p->at++;
    else if (is(p, TOK_NL) && p->at[1].kind == TOK_LBRACE) {
        p->at++;
        complain(p, span_of(p, p->at), "put it at the end of the line before",
                 "'{' on a line of its own");
    } else if (!is(p, TOK_LBRACE)) attempt(p, missing_brace);
    if (is(p, TOK_LBRACE)) return true;
    p->outside = true; /* what was to be inside is now outside, and needs no further word */
    return false;
}

/* block      = "{" [ NL ] [ statement { NL statement } [ NL ] ] "}" */
stmt **parse_block(parser *p, const char *owner, int *n)
{
    int mark = p->stmts.n;
    parse_lines(p, block_statement, owner);
    *n = p->stmts.n - mark;
    stmt **body = mem_array(p->m, *n, stmt *);
    if (*n) memcpy(body, p->stmts.at + mark, (size_t)*n * sizeof(stmt *));
    p->stmts.n = mark;
    return body;
}

/* Items. ----------------------------------------------------------------------------------- */

/* import     = "import" STRING */
static void import(parser *p)
{
    const token *word = p->at++;
    if (!is(p, TOK_STRING)) unexpected(p, "the name of a file", "type import \"parts.dal\"");
    const token *path = p->at++;
    vec_push(p->m, p->imports, (ast_import){path->word, span_since(p, word->start)});
}

static void system_head(parser *p)
{
    ast_system  *s = p->systems.at[p->systems.n - 1];
    const token *word = expect_name(p, "the name of the system", "type 'system Pendulum {'");
    s->word = word->word, s->word_at = span_of(p, word);
}

/* system     = "system" NAME block */
static void system(parser *p)
{
    const token *word = p->at++;
    ast_system  *s = mem_array(p->m, 1, ast_system);
    int          fors = p->fors;
    s->word = names_intern(p->ns, "", 0), s->word_at = span_of(p, word);
    vec_push(p->m, p->systems, s);
    p->fors = 0;
    if (open_block(p, system_head))
        s->statement = parse_block(p, mem_printf(p->m, "of system '%s' ", s->word), &s->count);
    p->fors = fors;
    s->at = span_since(p, word->start);
}

/* Of two blocks the first counts; the second is read for its errors. */
static void simulate(parser *p)
{
    if (p->simulate)
        complain(p, span_of(p, p->at),
                 mem_printf(p->m, "the first is in line %d", span_line(p->simulate->at)),
                 "a second 'simulate' block");
    ast_simulate *s = parse_simulate(p);
    if (!p->simulate) p->simulate = s;
}

/* a statement of a system where there is none; one message for a run of them */
static void stray_statement(parser *p)
{
    int mark = p->stmts.n;
    if (!p->outside)
        complain(p, span_of(p, p->at), "put it between the braces of 'system Name { ... }'",
                 "'%s' outside a system", p->at->word);
    p->outside = true;
    parse_statement(p);
    p->stmts.n = mark;
}

/* `part Mass {` for `system Mass {`: what parts are made of is a system like any other. */
static bool part_for_system(parser *p)
{
    const token *t = p->at;
    if (!is_word(t, "part") || t[1].kind != TOK_NAME || t[2].kind != TOK_LBRACE) return false;
    complain(p, span_of(p, t), mem_printf(p->m, "type 'system %s {'", t[1].word),
             "a part has no body: its contents are a system");
    system(p);
    return true;
}

/* item       = import | let | system | simulate */
static void parse_item(parser *p)
{
    static const struct {
        const char *word;
        void (*parse)(parser *);
    } table[] = {{"import", import}, {"system", system}, {"simulate", simulate}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is_word(p->at, table[i].word)) {
            p->outside = false;
            table[i].parse(p);
            return;
        }
    if (part_for_system(p)) p->outside = false;
    else if (is_word(p->at, "let")) parse_statement(p);
    else if (begins_statement(p->at)) stray_statement(p);
    else unknown_statement(p, false);
}

static void item_line(parser *p)
{
    parse_item(p);
    if (!is(p, TOK_RBRACE)) statement_end(p);
}

/* After a block without its '{' the '}' was to be expected. */
static void stray_brace(parser *p)
{
    const token *brace = p->at++;
    if (!p->outside) complain(p, span_of(p, brace), "no '{' is open here", "'}' closes nothing");
    p->outside = false;
}

/* file       = [ NL ] [ item { NL item } [ NL ] ] END */
static void file(parser *p)
{
    got(p, TOK_NL);
    while (!is(p, TOK_END)) {
        if (is(p, TOK_RBRACE)) attempt(p, stray_brace);
        else if (!attempt(p, item_line)) skip_statement(p);
        got(p, TOK_NL);
    }
}

/* Entrances. ------------------------------------------------------------------------------- */

/* A text with bytes that are no UTF-8 has no tokens but END. */
bool parser_init(parser *p, mem *m, names *ns, diags *ds, const source *of)
{
    static const token nothing = {.kind = TOK_END};
    *p = (parser){.m = m, .ns = ns, .ds = ds, .of = of, .quota = ds->errors + ERRORS_MOST};
    int  errors = ds->errors, n = 1;
    bool good = source_check(ds, of);
    p->begin = p->at = good ? lex(m, ns, ds, of, &n) : &nothing;
    p->last = p->begin + n - 1;
    return ds->errors == errors;
}

ast_file *parse_file(mem *m, names *ns, diags *ds, const source *of)
{
    parser     p;
    ast_file  *f = mem_array(m, 1, ast_file);
    const bool sound = parser_init(&p, m, ns, ds, of);
    file(&p);
    f->text = of, f->whole = sound && !p.lost;
    f->imports = p.imports.n, f->import = vec_keep(m, p.imports, ast_import);
    f->lets = p.stmts.n, f->let = vec_keep(m, p.stmts, stmt *);
    f->systems = p.systems.n, f->system = vec_keep(m, p.systems, ast_system *);
    f->simulate = p.simulate;
    diags_sort(ds);
    return f;
}
