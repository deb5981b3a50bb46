/* parse_simulate.c - how a model is run: the simulate block and its schemes. */
#include "lang/parse.h"

#include <string.h>

static ast_rule *rule(parser *p);

/* `lobatto(3)` among the options of a rule is read as an expression, and is a rule by its form */
static ast_rule *rule_of(parser *p, ast *e)
{
    ast_rule *r = mem_array(p->m, 1, ast_rule);
    r->at = e->at, r->value = e;
    if (e->kind == AST_PATH && e->steps == 1 && !e->step->n) r->word = e->step->word;
    if (e->kind != AST_CALL) return r;
    r->word = e->word, r->options = e->n;
    r->option = mem_array(p->m, e->n, ast_rule *);
    for (int i = 0; i < e->n; i++) r->option[i] = rule_of(p, e->arg[i]);
    return r;
}

/* option     = expr [ "with" rule ] */
static ast_rule *option(parser *p)
{
    ast_rule *r = rule_of(p, parse_expr(p));
    if (is_word(p->at, "with")) p->at++, r->with = rule(p);
    return r;
}

/* rule       = NAME [ "(" option { "," option } ")" ] */
static ast_rule *rule(parser *p)
{
    vec(ast_rule *) options = {0};
    const token *word = expect_name(p, "the name of a scheme",
                                    is(p, TOK_STRING) ? "type it without quotes"
                                                      : "such as midpoint or lobatto(3)");
    ast_rule    *r = mem_array(p->m, 1, ast_rule);
    r->word = word->word;
    if (is(p, TOK_LPAREN)) {
        const token *open = p->at++;
        enter(p);
        do vec_push(p->m, options, option(p));
        while (got(p, TOK_COMMA));
        leave(p);
        expect_close(p, open, NULL);
    }
    r->at = span_since(p, word->start);
    r->options = options.n, r->option = vec_keep(p->m, options, ast_rule *);
    return r;
}

/* `scheme = midpoint step = 0.1`: a setting on the line of the one before */
static bool another_setting(const parser *p)
{
    return is(p, TOK_NAME) && p->at[1].kind == TOK_ASSIGN;
}

/* scheme     = rule [ "with" rule ] */
static ast_rule *scheme(parser *p)
{
    ast_rule *r = rule(p);
    if (is_word(p->at, "with")) p->at++, r->with = rule(p);
    else if (is(p, TOK_NAME) && !another_setting(p))
        unexpected(p, "'with'", "type 'polynomial(2) with lobatto(3)'");
    return r;
}

/* Names with commas between them; velocities are no columns. */
void parse_columns(parser *p, ast ***column, int *columns)
{
    vec(ast *) list = {0};
    do vec_push(p->m, list, parse_column(p));
    while (got(p, TOK_COMMA));
    if (is(p, TOK_NAME) && !another_setting(p))
        unexpected(p, "','", "columns are separated by ','");
    if (is(p, TOK_PRIME))
        unexpected(p, "','", "a velocity is recorded as an output: output v = x'");
    *columns = list.n, *column = vec_keep(p->m, list, ast *);
}

/* Words that end in + or - are made by the lexer only here. */
static void principle(parser *p, ast_setting *s)
{
    static const char *const known[] = {"dirac+", "dirac-", "energy"};
    if (!is(p, TOK_PRINCIPLE)) unexpected(p, "a principle", "dirac+, dirac- or energy");
    const token *t = p->at++;
    s->principle = t->word;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(t->word, known[i])) return;
    const char *near = name_nearest(t->word, known, 3);
    fail_at(p, span_of(p, t),
            near ? mem_printf(p->m, "did you mean '%s'?", near) : "dirac+, dirac- or energy",
            "unknown principle '%s'", t->word);
}

static void record(parser *p, ast_setting *s)
{
    s->times = is_word(p->at, "times");
    if (s->times || is_word(p->at, "every")) p->at++;
    else if (is(p, TOK_NUMBER))
        complain(p, span_of(p, p->at), "type 'record = every 10'", "expected 'every', found %s",
                 quoted(p, p->at));
    else unexpected(p, "'every'", "type 'record = every 10'");
    s->value = parse_expr(p);
}

/* `free` is a word of the language; here it is a value. */
static ast *word_free(parser *p)
{
    const token *t = p->at++;
    ast         *a = mem_array(p->m, 1, ast);
    ast_step    *step = mem_array(p->m, 1, ast_step);
    *step = (ast_step){.word = names_intern(p->ns, "free", 4), .at = span_of(p, t)};
    *a = (ast){.kind = AST_PATH, .at = span_of(p, t), .step = step, .steps = 1};
    return a;
}

/* setting    = "principle" "=" PRINCIPLE
 *            | ( "scheme" | "force" ) "=" scheme
 *            | "record" "=" ( "every" | "times" ) expr
 *            | "columns" "=" column { "," column }
 *            | "switches" "=" ( NAME | "free" )
 *            | KEY "=" expr */
static ast_setting setting(parser *p)
{
    const token *key = expect_name(p, "a setting", "such as step = 0.01");
    ast_setting  s = {.key = key->word, .key_at = span_of(p, key)};
    if (is(p, TOK_NAME) && begins_statement(key))
        fail_at(p, s.key_at, "put it into the system", "'%s' is not a setting", key->word);
    expect_instead(p, TOK_ASSIGN, TOK_COLON, mem_printf(p->m, "type '%s = ...'", key->word));
    if (is_word(key, "principle")) principle(p, &s);
    else if (is_word(key, "scheme") || is_word(key, "force")) s.rule = scheme(p);
    else if (is_word(key, "record")) record(p, &s);
    else if (is_word(key, "columns")) parse_columns(p, &s.column, &s.columns);
    else if (is_word(key, "switches") && is(p, TOK_FREE)) s.value = word_free(p);
    else s.value = parse_expr(p);
    s.at = span_since(p, key->start);
    return s;
}

/* Each setting has a line of its own. */
static void setting_line(parser *p)
{
    const bool  beside = p->at[-1].kind != TOK_NL && p->at[-1].kind != TOK_LBRACE;
    ast_setting s = setting(p);
    s.beside = beside;
    vec_push(p->m, p->settings, s);
    if (another_setting(p)) {
        mend(p, span_of(p, p->at), "each setting has a line of its own",
             "expected the end of the line, found %s", quoted(p, p->at));
        return; /* it is read as if it had */
    }
    if (is(p, TOK_COMMA))
        unexpected(p, "the end of the line",
                   p->at[1].kind == TOK_NUMBER ? NULL : "each setting has a line of its own");
    statement_end(p);
}

/* The block runs the last system of the file, whatever is typed here. */
static void simulate_head(parser *p)
{
    if (is(p, TOK_NAME))
        unexpected(p, "'{'", "the block does not name a system; the last one in the file is run");
}

/* simulate   = "simulate" "{" [ NL ] [ setting { NL setting } [ NL ] ] "}" */
ast_simulate *parse_simulate(parser *p)
{
    ast_simulate *s = mem_array(p->m, 1, ast_simulate);
    const token  *word = p->at++;
    p->settings.n = 0;
    if (open_block(p, simulate_head)) parse_lines(p, setting_line, "of 'simulate' ");
    s->at = span_since(p, word->start);
    s->count = p->settings.n, s->setting = mem_array(p->m, s->count, ast_setting);
    if (s->count) memcpy(s->setting, p->settings.at, (size_t)s->count * sizeof(ast_setting));
    return s;
}
