/* parse_error.c - what the parser says of a mistake: what was found, what was expected and what to
 * type. Nobody reads a second message about one mistake, so nothing is said twice of one place. */
#include "lang/parse.h"
#include "lang/symbols.h"

#include <string.h>

/* Beyond the quota nothing is read any more: the parser is sent to the end. */
static _Noreturn void give_up(parser *p)
{
    if (p->ds->errors >= p->quota) p->at = p->last;
    longjmp(*p->recover, 1);
}

enum { SHOWN_MOST = 40 }; /* bytes of a token in a message */

/* Long tokens are cut between characters, not within one. */
const char *quoted(parser *p, const token *t)
{
    const char *s = p->of->text + t->start;
    int         n = t->end - t->start;
    if (t->kind == TOK_END || t->kind == TOK_NL || t->kind == TOK_PRIME)
        return token_shown(t->kind);
    if (n <= SHOWN_MOST) return mem_printf(p->m, "'%.*s'", n, s);
    for (n = SHOWN_MOST; ((unsigned char)s[n] & 0xC0) == 0x80;) n--;
    return mem_printf(p->m, "'%.*s...'", n, s);
}

/* the lexer, or a rule within this one, has spoken of this place already */
static bool told(const parser *p, span at)
{
    for (int i = p->ds->list.n - 1; i >= 0; i--) {
        const diag *d = &p->ds->list.at[i];
        if (d->kind == DIAG_ERROR && d->at.of == at.of && d->at.start == at.start) return true;
    }
    return false;
}

/* An operator at the end of a line, after which something has to come. */
static bool goes_on(token_kind k)
{
    const char *spelling = token_spelling(k);
    bool        word = k == TOK_NOT || k == TOK_IN || k == TOK_FREE;
    return spelling && !word && !strchr("([{)]}'.", *spelling);
}

/* the first token of this line, if it begins a statement although the line before goes on */
static const token *swallowed_statement(const parser *p)
{
    const token *t = p->at;
    while (t > p->begin && !t->first) t--;
    if (t == p->begin || !goes_on(t[-1].kind) || !begins_statement(t)) return NULL;
    return t[1].kind == TOK_MINUS || !goes_on(t[1].kind) || t[1].kind == TOK_ASSIGN ? t : NULL;
}

/* What is said at most once of a place; if the line before goes on into this one, that is the
 * mistake, and it is the only one reported. */
static void report(parser *p, span at, const char *hint, const char *format, va_list args)
{
    const token *t = swallowed_statement(p);
    p->lost = true;
    if (t) {
        const char *why =
            mem_printf(p->m, "so the line continues, and %s is read as part of it", quoted(p, t));
        if (!told(p, span_of(p, t - 1)))
            diag_error(p->ds, DAL_SYNTAX, span_of(p, t - 1), why, "nothing follows %s on its line",
                       quoted(p, t - 1));
        give_up(p);
    }
    if (p->ds->errors >= p->quota) give_up(p);
    if (!told(p, at))
        diag_error(p->ds, DAL_SYNTAX, at, hint, "%s", mem_vprintf(p->m, format, args));
}

void complain(parser *p, span at, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(p, at, hint, format, args);
    va_end(args);
}

void mend(parser *p, span at, const char *hint, const char *format, ...)
{
    const bool before = p->lost;
    va_list    args;
    va_start(args, format);
    report(p, at, hint, format, args);
    va_end(args);
    p->lost = before;
}

_Noreturn void fail_at(parser *p, span at, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(p, at, hint, format, args);
    va_end(args);
    give_up(p);
}

/* What was found where something else was expected. ---------------------------------------- */

/* Two operands side by side lack an operator between them. */
static bool ends_operand(token_kind k)
{
    return k == TOK_NAME || k == TOK_NUMBER || k == TOK_RPAREN || k == TOK_RBRACKET ||
           k == TOK_PRIME;
}

static bool begins_operand(token_kind k)
{
    return k == TOK_NAME || k == TOK_NUMBER || k == TOK_LPAREN;
}

/* `sin^2(x)` */
static bool is_power_of_function(const parser *p, const token *t)
{
    return t - p->begin >= 3 && t->kind == TOK_LPAREN && t[-1].kind == TOK_NUMBER &&
           t[-2].kind == TOK_CARET && t[-3].kind == TOK_NAME && builtin_find(t[-3].word);
}

/* `1,5` */
static bool is_decimal_comma(const parser *p, const token *comma)
{
    return comma > p->begin && comma->kind == TOK_COMMA && comma[-1].kind == TOK_NUMBER &&
           comma[1].kind == TOK_NUMBER;
}

/* Where the line has ended, what is missing is said at its last token. */
_Noreturn void unexpected(parser *p, const char *expected, const char *hint)
{
    const token *t = p->at, *before = t > p->begin ? t - 1 : t;
    if (!hint && is_decimal_comma(p, is(p, TOK_COMMA) ? t : before))
        hint = "decimals are written with a point: 1.5";
    bool ended = t->first || is(p, TOK_NL) || is(p, TOK_END) || is(p, TOK_RBRACE);
    if (is(p, TOK_BAD)) give_up(p);
    if (ended && before < t && goes_on(before->kind))
        fail_at(p, span_of(p, before), hint, "%s is missing after %s", expected, quoted(p, before));
    fail_at(p, span_of(p, t), hint, "expected %s, found %s", expected, quoted(p, t));
}

/* The text from the next token up to a comma, 'free' or the end of the line, which is passed over;
 * it belongs to what was declared as `declared`, as in 'coordinate x'. Without a number before it
 * nothing is said. */
void mend_unit(parser *p, const char *declared, bool with_value, const char *expected)
{
    const token *word = p->at;
    const char  *value = with_value ? mem_printf(p->m, " = %g", word[-1].number) : "";
    if (!is(p, TOK_NAME) || word[-1].kind != TOK_NUMBER || word[1].kind == TOK_ASSIGN ||
        begins_statement(word))
        return;
    while (!is(p, TOK_COMMA) && !is(p, TOK_FREE) && !is(p, TOK_NL) && !is(p, TOK_RBRACE) &&
           !is(p, TOK_END) && !is(p, TOK_BAD))
        p->at++;
    mend(p, span_of(p, word),
         mem_printf(p->m, "a unit is a string after the name: %s \"%.*s\"%s", declared,
                    p->at[-1].end - word->start, p->of->text + word->start, value),
         "expected %s, found %s", expected, quoted(p, word));
}

/* `scheme = gauss 2` */
static bool is_bare_option(const parser *p, const token *t)
{
    return t - p->begin >= 3 && t->kind == TOK_NUMBER && t[-1].kind == TOK_NAME &&
           t[-2].kind == TOK_ASSIGN && (is_word(t - 3, "scheme") || is_word(t - 3, "force"));
}

/* `start x(0) = 1` */
static bool is_start_in_time(const parser *p, const token *t)
{
    return t - p->begin >= 2 && t->kind == TOK_LPAREN && t[-1].kind == TOK_NAME &&
           is_word(t - 2, "start");
}

/* `math.cos(x)` */
static bool is_prefixed_call(const parser *p, const token *t)
{
    return t - p->begin >= 3 && t->kind == TOK_LPAREN && t[-1].kind == TOK_NAME &&
           t[-2].kind == TOK_DOT;
}

/* After an expression: `m g` and `2(x)` lack an operator, `a = 1 b = 2` lacks a comma. */
_Noreturn void unexpected_after(parser *p, const char *expected, const char *hint)
{
    const token *t = p->at;
    bool         together = t > p->begin && ends_operand(t[-1].kind) && begins_operand(t->kind);
    if (hint || !together) unexpected(p, expected, hint);
    if (t[1].kind == TOK_ASSIGN) unexpected(p, "','", "separate list elements with ','");
    if (begins_statement(t)) unexpected(p, expected, "each statement has a line of its own");
    if (is_prefixed_call(p, t))
        unexpected(p, expected,
                   mem_printf(p->m, "functions have no prefix: type '%s(...)'", t[-1].word));
    if (t[-1].kind == TOK_NAME && builtin_find(t[-1].word))
        unexpected(p, "'('", mem_printf(p->m, "type '%s(...)'", t[-1].word));
    if (is_power_of_function(p, t))
        unexpected(p, expected, mem_printf(p->m, "type '%s(...)^%g'", t[-3].word, t[-1].number));
    if (is_bare_option(p, t))
        unexpected(p, expected, mem_printf(p->m, "type '%s(%g)'", t[-1].word, t->number));
    if (is_word(t - 1, "every")) /* `--record "every 10"` */
        unexpected(p, expected, mem_printf(p->m, "type %s alone", quoted(p, t)));
    if (is_start_in_time(p, t))
        unexpected(p, expected,
                   mem_printf(p->m, "a start is the value at the first time: type 'start %s = ...'",
                              t[-1].word));
    fail_at(p, span_of(p, t),
            mem_printf(p->m, "type '*' between %s and %s if a product is meant", quoted(p, t - 1),
                       quoted(p, t)),
            "expected %s or an operator, found %s", expected, quoted(p, t));
}

/* The token is taken, or the statement fails. */
void expect(parser *p, token_kind kind, const char *hint)
{
    if (!got(p, kind)) unexpected(p, token_shown(kind), hint);
}

/* A bracket that is still open where a statement begins is named itself. */
void expect_close(parser *p, const token *open, const char *hint)
{
    token_kind closing = open->kind + 1;
    if (got(p, closing)) return;
    if (p->at->first && begins_statement(p->at))
        fail_at(p, span_of(p, open),
                mem_printf(p->m, "%s is missing before line %d", token_shown(closing),
                           span_line(span_of(p, p->at))),
                "this %s is not closed", quoted(p, open));
    unexpected_after(p, token_shown(closing), hint);
}

void expect_instead(parser *p, token_kind wanted, token_kind instead, const char *hint)
{
    if (is(p, instead) && instead != wanted) {
        complain(p, span_of(p, p->at), hint, "expected %s, found %s", token_shown(wanted),
                 token_shown(instead));
        p->at++;
    } else expect(p, wanted, hint);
}

/* Keywords are no names; at the front of a line one begins a statement instead. */
const token *expect_name(parser *p, const char *what, const char *hint)
{
    bool reserved = p->at->kind >= TOK_AND && p->at->kind < TOKENS;
    if (reserved && !p->at->first)
        fail_at(p, span_of(p, p->at), "choose another name", "%s is a reserved word",
                quoted(p, p->at));
    if (!is(p, TOK_NAME)) unexpected(p, what, hint);
    return p->at++;
}

/* A line that begins with no word of the language. ----------------------------------------- */

static const char *const others[][2] = {
    /* what other languages say, and what is said here */
    {"var", "coordinate"},     {"variable", "coordinate"},    {"variables", "coordinate"},
    {"filter", "state"},       {"dof", "coordinate"},         {"const", "parameter"},
    {"constant", "parameter"}, {"param", "parameter"},        {"params", "parameter"},
    {"init", "start"},         {"initial", "start"},          {"L", "lagrangian"},
    {"H", "hamiltonian"},      {"kinetic", "lagrangian"},     {"potential", "lagrangian"},
    {"friction", "force"},     {"dissipation", "damping"},    {"torque", "force"},
    {"damper", "damping"},     {"resistance", "damping"},     {"subsystem", "part"},
    {"component", "part"},     {"include", "import"},         {"use", "import"},
    {"model", "system"},       {"function", "let"},           {"def", "let"},
    {"tie", "connect"},        {"link", "connect"},           {"control", "input"},
    {"observe", "output"},     {"run", "simulate"},           {"solve", "simulate"},
    {"noether", "symmetry"},   {"nonholonomic", "constraint"}};

static const char *const settings[] = {
    "principle", "scheme", "retraction", "momentum", "summation", "step",
    "until",     "steps",  "from",       "record",   "columns",   "h_min",
    "h_max",     "power",  "pace",       "pacing",   "switches"};

/* What others call it, else the nearest word of the language; NULL: none is near. */
static const char *near_word(const char *word)
{
    const char *words[40] = {"system", "import", "simulate"};
    int         n = 3;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(word, others[i][0])) return others[i][1];
    for (const char *w; n < 40 && (w = statement_word(n - 3)) != NULL; n++) words[n] = w;
    return name_nearest(word, words, n);
}

/* Settings belong to the simulate block. */
static bool is_setting(const token *t)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (is_word(t, settings[i])) return t[1].kind == TOK_ASSIGN;
    return false;
}

/* Outside a system there are items; a word of a system is suggested with its place. */
static const char *suggestion(parser *p, const char *near, bool in_system)
{
    const bool item = !strcmp(near, "system") || !strcmp(near, "import") ||
                      !strcmp(near, "simulate") || !strcmp(near, "let");
    if (in_system || item) return mem_printf(p->m, "did you mean '%s'?", near);
    return mem_printf(p->m, "did you mean '%s'? It stands between the braces of a system", near);
}

_Noreturn void unknown_statement(parser *p, bool in_system)
{
    const token *t = p->at;
    if (!is(p, TOK_NAME)) unexpected(p, "a statement", NULL);
    if (is_setting(t))
        fail_at(p, span_of(p, t), "put it into 'simulate { ... }'", "%s is a setting",
                quoted(p, t));
    const char *near = near_word(t->word);
    const char *hint =
        is_word(t, "if") ? "choose between values in an expression: force x: if(x > 0, 1, 0)"
        : near           ? suggestion(p, near, in_system)
        : t[1].kind == TOK_ASSIGN ? in_system ? "begin the line with 'let', 'parameter' or 'start'"
                                              : "begin the line with 'let', or put it into a system"
        : in_system ? "a statement begins with a word such as coordinate, lagrangian, force"
                    : "outside a system there are import, let, system and simulate";
    fail_at(p, span_of(p, t), hint, "unknown statement %s", quoted(p, t));
}
