/* lex.c - text to tokens. It knows what is pasted from papers and typed out of habit, says what to
 * type instead and goes on as if that had been typed, so that one mistake gives one message. */
#include "lang/lex.h"

#include <string.h>

typedef struct {
    mem          *m;
    names        *ns;
    diags        *ds;
    const source *of;
    const char   *s, *end;  /* next character, end of the text           */
    bool          first;    /* no token yet on this line                 */
    bool          simulate; /* in a simulate block, where principles are */
    int           quota;    /* errors in ds at which to give up          */
    vec(token) out;
} lexer;

static const struct {
    const char *spelling, *shown;
} table[] = {
#define TOKEN(kind, spelling, shown, line) {spelling, shown},
#include "lang/tokens.def"
#undef TOKEN
};

const char *token_shown(token_kind kind)
{
    return table[kind].shown;
}

const char *token_spelling(token_kind kind)
{
    return table[kind].spelling;
}

/* Bytes from .. to - 1 of the text. */
static span here(const lexer *lx, const char *from, const char *to)
{
    return (span){lx->of, (int)(from - lx->of->text), (int)(to - lx->of->text)};
}

/* `first` is for the first token of its line only. */
static token *push(lexer *lx, token_kind kind, const char *from, const char *to)
{
    span at = here(lx, from, to);
    vec_push(lx->m, lx->out, (token){.kind = kind, at.start, at.end, .first = lx->first});
    lx->first = false;
    return &lx->out.at[lx->out.n - 1];
}

/* Characters. ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters of all scripts and the underscore; no symbols, no digits. */
static bool is_letter(uint32_t c)
{
    static const uint32_t range[][2] = {
        {'A', 'Z'},       {'_', '_'},       {'a', 'z'},        {0xB5, 0xB5},    {0xC0, 0xD6},
        {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},    {0x37F, 0x1FFF}, {0x2100, 0x218F},
        {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0x10000, 0xEFFFF}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (c <= range[i][1]) return c >= range[i][0];
    return false;
}

static bool begins_name(const lexer *lx, const char *s)
{
    int length;
    return s < lx->end && is_letter(utf8_read(s, lx->end, &length));
}

/* Digits and subscripts may follow a letter. */
static const char *name_end(const lexer *lx, const char *s)
{
    int length;
    for (; s < lx->end; s += length) {
        uint32_t c = utf8_read(s, lx->end, &length);
        if (!is_letter(c) && !is_digit(*s) && (c < 0x2080 || c > 0x209C)) break;
    }
    return s;
}

/* Words. ----------------------------------------------------------------------------------- */

/* The micro and ohm signs look like mu and Omega, and are taken for them. */
static name intern(lexer *lx, const char *s, const char *end)
{
    text t = text_new(lx->m);
    for (const char *c = s; c < end; c++) {
        if (!strncmp(c, "\u00B5", 2)) text_add(&t, "\u03BC"), c += 1;
        else if (!strncmp(c, "\u2126", 3)) text_add(&t, "\u03A9"), c += 2;
        else text_add_bytes(&t, c, 1);
    }
    name word = names_intern(lx->ns, text_str(&t), t.n);
    text_drop(&t);
    return word;
}

/* Without anything beyond ASCII. */
static bool plain(const char *s, const char *end)
{
    while (s < end && (unsigned char)*s < 0x80) s++;
    return s == end;
}

/* Keywords stand in the table from TOK_AND on. */
static token_kind word_kind(const char *s, size_t length)
{
    for (token_kind k = TOK_AND; k < TOKENS; k++)
        if (strlen(table[k].spelling) == length && !memcmp(s, table[k].spelling, length)) return k;
    return TOK_NAME;
}

static bool is_word(const token *t, const char *word)
{
    return t->kind == TOK_NAME && !strcmp(t->word, word);
}

/* `principle =` at the front of a line of a simulate block */
static bool awaits_principle(const lexer *lx)
{
    if (!lx->simulate || lx->out.n < 3) return false;
    const token *t = lx->out.at + lx->out.n;
    return t[-1].kind == TOK_ASSIGN && is_word(&t[-2], "principle") &&
           (t[-3].kind == TOK_NL || t[-3].kind == TOK_LBRACE);
}

/* "dirac+" is one word where a principle is expected, and only there. */
static void word(lexer *lx)
{
    const char *s = lx->s, *end = name_end(lx, s);
    token_kind  kind = word_kind(s, (size_t)(end - s));
    if (awaits_principle(lx))
        kind = TOK_PRINCIPLE, end += end < lx->end && (*end == '+' || *end == '-');
    token *t = push(lx, kind, s, end);
    t->word = plain(s, end) ? names_intern(lx->ns, s, (size_t)(end - s)) : intern(lx, s, end);
    lx->s = end;
}

/* "..." on one line, no escapes; `end` is its last quote, or where the line ends without one */
static void push_string(lexer *lx, const char *quote, const char *s, const char *end, int closing)
{
    token *t = push(lx, TOK_STRING, quote, end + closing);
    t->word = names_intern(lx->ns, s, (size_t)(end - s));
    lx->s = end + closing;
}

/* The rest of the line is the string if it is not closed. */
static void string(lexer *lx)
{
    const char *quote = lx->s, *end = quote + 1;
    while (end < lx->end && *end != '\n' && *end != '"') end++;
    bool closed = end < lx->end && *end == '"';
    if (!closed)
        diag_error(lx->ds, DAL_SYNTAX, here(lx, quote, quote + 1),
                   "a string ends on its line: type another \"", "this string is not closed");
    push_string(lx, quote, quote + 1, end, closed);
}

/* Numbers. --------------------------------------------------------------------------------- */

static const char *digits(const lexer *lx, const char *s)
{
    while (s < lx->end && is_digit(*s)) s++;
    return s;
}

static char peek(const lexer *lx, const char *s)
{
    return s < lx->end ? *s : 0;
}

/* 12  1.5  2.  .5  each with e-3; a '.' that begins '..' belongs to a range */
static const char *number_end(const lexer *lx, const char *s)
{
    s = digits(lx, s);
    if (peek(lx, s) == '.' && peek(lx, s + 1) != '.') s = digits(lx, s + 1);
    if (peek(lx, s) != 'e' && peek(lx, s) != 'E') return s;
    const char *sign = s + 1;
    if (peek(lx, sign) == '+' || peek(lx, sign) == '-') sign++;
    return is_digit(peek(lx, sign)) ? digits(lx, sign) : s;
}

/* `2x`: says `2*x`, and goes on so */
static void implicit_product(lexer *lx, const char *s, const char *end)
{
    const char *after = name_end(lx, end);
    bool        power = after - end == 1 && (*end == 'e' || *end == 'E');
    bool named = lx->out.n > 1 && lx->out.at[lx->out.n - 2].kind == TOK_NAME; /* parameter 2m */
    const char *more = power   ? ", or give the exponent its digits: 2e-3"
                       : named ? ", or a name that begins with a letter"
                               : "";
    const char *hint =
        mem_printf(lx->m, "type '%.*s*%.*s'%s", (int)(end - s), s, (int)(after - end), end, more);
    diag_error(lx->ds, DAL_SYNTAX, here(lx, s, after),
               *end == '_' ? "numbers are written without '_'" : hint,
               "a letter right after a number");
    push(lx, TOK_STAR, end, end);
}

/* 1.2.3 is one mistake, not two numbers. */
static void number(lexer *lx)
{
    const char *s = lx->s, *end = number_end(lx, s);
    double      value = 0;
    bool        overflow = false, good = number_parse(s, end, &value, &overflow);
    if (peek(lx, end) == '.' && peek(lx, end + 1) != '.') {
        while (is_digit(peek(lx, end)) || peek(lx, end) == '.') end++;
        good = false;
    }
    if (!good)
        diag_error(lx->ds, DAL_SYNTAX, here(lx, s, end), "numbers look like 12, 1.5 or 2e-3",
                   "this is not a number");
    else if (overflow)
        diag_error(lx->ds, DAL_SYNTAX, here(lx, s, end), "the largest number is about 1.8e308",
                   "this number is too large");
    push(lx, TOK_NUMBER, s, end)->number = overflow ? 0 : value;
    if (begins_name(lx, end)) implicit_product(lx, s, end);
    lx->s = end;
}

/* Other marks. ----------------------------------------------------------------------------- */

typedef enum {
#define TOKEN(kind, spelling, shown, line) AS_##kind,
#include "lang/tokens.def"
#undef TOKEN
    AS_SKIP,
    AS_INVISIBLE,
    AS_COMMENT,
    AS_RAISED,
    AS_QUOTED
} go_on_as;

static const struct foreign {
    const char *typed, *advice;
    go_on_as    as;
} strangers[] = {
#define FOREIGN(typed, advice, as) {typed, advice, AS_##as},
#include "lang/foreign.def"
#undef FOREIGN
};

static bool next_is(const lexer *lx, const char *what)
{
    size_t n = strlen(what);
    return (size_t)(lx->end - lx->s) >= n && !memcmp(lx->s, what, n);
}

/* Characters of papers and other languages, with what is to be typed instead. */
static const struct foreign *find_foreign(const lexer *lx)
{
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (*strangers[i].typed == *lx->s && next_is(lx, strangers[i].typed)) return &strangers[i];
    return NULL;
}

static void skip_line(lexer *lx)
{
    while (lx->s < lx->end && *lx->s != '\n') lx->s++;
}

/* `x⁻²` is one mistake: the whole exponent is read, and what to type is `^-2` */
static void raised(lexer *lx, const struct foreign *f)
{
    const char *s = lx->s;
    text        exponent = text_new(lx->m);
    for (; f && f->as == AS_RAISED; f = lx->s < lx->end ? find_foreign(lx) : NULL)
        text_add(&exponent, f->advice), lx->s += strlen(f->typed);
    diag_error(lx->ds, DAL_SYNTAX, here(lx, s, lx->s),
               mem_printf(lx->m, "type '^%s'", text_str(&exponent)),
               "'%.*s' is not part of the language", (int)(lx->s - s), s);
    text_drop(&exponent);
    push(lx, TOK_CARET, s, lx->s), push(lx, TOK_NUMBER, s, lx->s);
}

/* the rest of a string in curly quotes, whichever close it */
static void quoted(lexer *lx, const char *quote)
{
    const char           *s = lx->s;
    const struct foreign *f = NULL;
    for (; lx->s < lx->end && *lx->s != '\n' && *lx->s != '"'; lx->s++)
        if ((f = find_foreign(lx)) && f->as == AS_QUOTED) break;
    bool straight = lx->s < lx->end && *lx->s == '"';
    bool curly = f && f->as == AS_QUOTED;
    push_string(lx, quote, s, lx->s, straight ? 1 : curly ? (int)strlen(f->typed) : 0);
}

/* After the message the lexer goes on as if the right thing had been typed. */
static void foreign(lexer *lx, const struct foreign *f)
{
    const char *s = lx->s, *end = s + strlen(f->typed);
    bool        shows = (unsigned char)*s > ' ' && f->as != AS_INVISIBLE;
    if (f->as == AS_RAISED) {
        raised(lx, f);
        return;
    }
    diag_error(lx->ds, DAL_SYNTAX, here(lx, s, end), f->advice,
               shows ? "'%s' is not part of the language"
                     : "this character is not part of the language%.0s",
               f->typed);
    lx->s = end;
    if (f->as == AS_SKIP || f->as == AS_INVISIBLE) return;
    if (f->as == AS_COMMENT) skip_line(lx);
    else if (f->as == AS_QUOTED) quoted(lx, s);
    else push(lx, (token_kind)f->as, s, end);
    if (f->as == AS_NL) lx->first = true;
}

/* Does the '{' to come open a simulate block? Also with a name before it, or on a line of its own:
 * both are mistakes, and what stands in the block is to be read as what it is. */
static bool opens_simulate(const lexer *lx)
{
    const token *first = lx->out.at, *t = first + lx->out.n;
    if (t > first && t[-1].kind == TOK_NL) t--;
    while (t > first && t[-1].kind != TOK_NL && t[-1].kind != TOK_LBRACE) t--;
    return t < first + lx->out.n && is_word(t, "simulate");
}

/* Longer marks stand before shorter ones in the table, so "<=" is not "<". */
static bool mark(lexer *lx)
{
    for (token_kind k = TOK_BAD + 1; k < TOK_AND; k++) {
        if (!next_is(lx, table[k].spelling)) continue;
        const char *s = lx->s;
        if (k == TOK_LBRACE && opens_simulate(lx)) lx->simulate = true;
        if (k == TOK_RBRACE) lx->simulate = false;
        lx->s += strlen(table[k].spelling);
        push(lx, k, s, lx->s);
        return true;
    }
    return false;
}

/* Does anything begin here that the lexer knows? */
static bool means_something(lexer *lx)
{
    char c = *lx->s;
    if (c == '\n' || c == ' ' || c == '\t' || c == '#' || c == '"' || is_digit(c)) return true;
    if (begins_name(lx, lx->s) || find_foreign(lx)) return true;
    for (token_kind k = TOK_BAD + 1; k < TOK_AND; k++)
        if (next_is(lx, table[k].spelling)) return true;
    return false;
}

/* A run of characters that mean nothing is one mistake. */
static void unknown(lexer *lx)
{
    const char *s = lx->s;
    int         length, first;
    uint32_t    c = utf8_read(s, lx->end, &first);
    for (lx->s += first; lx->s < lx->end && !means_something(lx); lx->s += length)
        utf8_read(lx->s, lx->end, &length);
    if (c > ' ' && c != 0x7F)
        diag_error(lx->ds, DAL_SYNTAX, here(lx, s, lx->s), "delete it", "unknown character '%.*s'",
                   first, s);
    else
        diag_error(lx->ds, DAL_SYNTAX, here(lx, s, lx->s), "delete it",
                   "unknown control character U+%04X", (unsigned)c);
    push(lx, TOK_BAD, s, lx->s);
}

static void other(lexer *lx)
{
    const struct foreign *f = find_foreign(lx);
    if (f && !next_is(lx, "!=")) foreign(lx, f);
    else if (!mark(lx)) unknown(lx);
}

/* The whole. ------------------------------------------------------------------------------- */

/* Several empty lines are one line end. */
static void line_end(lexer *lx)
{
    if (!lx->out.n || lx->out.at[lx->out.n - 1].kind != TOK_NL) push(lx, TOK_NL, lx->s, lx->s + 1);
    lx->s++, lx->first = true;
}

static void scan(lexer *lx)
{
    char c = *lx->s, next = peek(lx, lx->s + 1);
    if (c == '\n') line_end(lx);
    else if (c == ' ' || c == '\t' || (c == '\r' && next == '\n')) lx->s++;
    else if (c == '#') skip_line(lx);
    else if (is_digit(c) || (c == '.' && is_digit(next))) number(lx);
    else if (c == '"') string(lx);
    else if (begins_name(lx, lx->s)) word(lx);
    else other(lx);
}

/* Never NULL: END is always there. At most ERRORS_MOST errors are reported. */
const token *lex(mem *m, names *ns, diags *ds, const source *of, int *n)
{
    lexer lx = {m, ns, ds, of, .s = of->text, .end = of->text + of->length, .first = true};
    lx.quota = ds->errors + ERRORS_MOST;
    while (lx.s < lx.end && ds->errors < lx.quota) scan(&lx);
    push(&lx, TOK_END, lx.end, lx.end);
    lex_lines(m, ds, of, lx.quota, lx.out.at, &lx.out.n);
    *n = lx.out.n;
    return lx.out.at;
}
