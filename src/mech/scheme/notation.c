/* notation.c - recursive descent over a line of words; it knows the grammar, not the names.
 *
 *     scheme = rule [ "with" rule ]
 *     rule   = NAME [ "(" option { "," option } ")" ]
 *     option = NUMBER [ "/" NUMBER ] | scheme                                                    */
#include "mech/scheme/notation.h"

#include <math.h>
#include <string.h>

typedef struct {
    words      *ws;
    const char *source, *at; /* all of it, and the rest */
    text       *why;
} reader;

/* The byte classes are our own: those of <ctype.h> depend on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

/* What stands there, and what should; NULL, so that it can be returned. */
static word *fail(reader *r, const char *expected)
{
    skip_blanks(r);
    int n = *r->at ? 1 : 0;
    while (n && ((unsigned char)r->at[n] & 0xC0) == 0x80) n++; /* all of one code point */
    text_printf(r->why, "'%s' cannot be read: it %s", r->source, n ? "has '" : "ends");
    text_add_bytes(r->why, r->at, (size_t)n);
    text_printf(r->why, "%s where %s should stand", n ? "'" : "", expected);
    text_add(r->why, ". A scheme is written like lobatto(3) or polynomial(2) with gauss(3).");
    return NULL;
}

static word *new_word(reader *r)
{
    if (r->ws->n < WORDS_MOST) return memset(&r->ws->at[r->ws->n++], 0, sizeof(word));
    text_printf(r->why,
                "'%s' has too many words. Schemes nest a few deep at most, as in "
                "compose(gauss(2), triple(6)).",
                r->source);
    return NULL;
}

/* Where a number ends; an e without digits behind it does not belong to it. */
static const char *number_end(const char *s)
{
    s += *s == '-' || *s == '+';
    while (is_digit(*s)) s++;
    if (*s == '.') s++;
    while (is_digit(*s)) s++;
    if (*s == 'e' || *s == 'E') {
        const char *e = s + 1 + (s[1] == '-' || s[1] == '+');
        if (is_digit(*e)) {
            while (is_digit(*e)) e++;
            s = e;
        }
    }
    return s;
}

static bool read_number(reader *r, double *out)
{
    bool overflow;
    skip_blanks(r);
    const char *end = number_end(r->at);
    if (!number_parse(r->at, end, out, &overflow) || overflow) return false;
    r->at = end;
    return true;
}

static word *read_scheme(reader *r);

/*     option = NUMBER [ "/" NUMBER ] | scheme */
static word *read_option(reader *r)
{
    skip_blanks(r);
    if (is_letter(*r->at)) return read_scheme(r);
    word  *w = new_word(r);
    double divisor = 1;
    if (!w) return NULL;
    if (!read_number(r, &w->number)) return fail(r, "a number or a name");
    if (take(r, '/') && !read_number(r, &divisor)) return fail(r, "a number");
    w->number /= divisor;
    return isfinite(w->number) ? w : fail(r, "a finite number");
}

/*     rule = NAME [ "(" option { "," option } ")" ] */
static word *read_rule(reader *r)
{
    skip_blanks(r);
    const char *from = r->at;
    while (is_letter(*r->at) || (r->at > from && is_digit(*r->at))) r->at++;
    size_t n = (size_t)(r->at - from);
    if (n == 0) return fail(r, "a name");
    if (n >= WORD_LENGTH) return r->at = from, fail(r, "a shorter name");
    word *w = new_word(r);
    if (!w) return NULL;
    memcpy(w->name, from, n);
    if (!take(r, '(')) return w;
    do {
        if (w->options == WORD_OPTIONS) return fail(r, "')'");
        if (!(w->option[w->options++] = read_option(r))) return NULL;
    } while (take(r, ','));
    return take(r, ')') ? w : fail(r, "')'");
}

/* true if the next word is `with`, which is then behind us */
static bool take_with(reader *r)
{
    skip_blanks(r);
    if (strncmp(r->at, "with", 4) != 0 || is_letter(r->at[4]) || is_digit(r->at[4])) return false;
    r->at += 4;
    return true;
}

/*     scheme = rule [ "with" rule ] */
static word *read_scheme(reader *r)
{
    word *w = read_rule(r);
    if (w && take_with(r) && !(w->with = read_rule(r))) return NULL;
    return w;
}

/* All of the source must be used up. */
word *words_read(words *ws, const char *source, text *why)
{
    reader r = {ws, source, source, why};
    ws->n = 0;
    word *w = read_scheme(&r);
    skip_blanks(&r);
    return !w || !*r.at ? w : fail(&r, w->with ? "the end" : "'with' or the end");
}

/* As it was written, but for blanks and the form of numbers. */
void word_print(const word *w, text *out)
{
    if (!*w->name) text_number(out, w->number);
    text_add(out, w->name);
    for (int i = 0; i < w->options; i++) {
        text_add(out, i ? ", " : "(");
        word_print(w->option[i], out);
    }
    if (w->options) text_add(out, ")");
    if (w->with) text_add(out, " with "), word_print(w->with, out);
}
