/* look.c - what the drawings share: colours that people of every colour vision can tell apart
 * (Okabe and Ito), and words of others as text that is shown and never obeyed. */
#include "picture/picture.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

static const char *const colour[COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                            "#E69F00", "#56B4E9", "#000000"};

const char *colour_of(const line *l)
{
    return l->of->colour < 0 ? "#606060" : colour[l->of->colour % COLOURS];
}

int dash_of(const line *l)
{
    return l->of->colour < 0 ? 0 : l->of->colour / COLOURS % 5;
}

/* A character that controls, or bytes that are none, leave a space or a question mark. */
static uint32_t next_character(const char *s, const char *end, int *n)
{
    const uint32_t code = utf8_read(s, end, n);
    if (code == UTF8_BAD) return '?';
    return code < ' ' || (code >= 0x7F && code < 0xA0) || (code & 0xFFFE) == 0xFFFE ? ' ' : code;
}

static void add_character(text *out, const char *s, int n, uint32_t code)
{
    switch (code) {
    case '<': text_add(out, "&lt;"); break;
    case '>': text_add(out, "&gt;"); break;
    case '&': text_add(out, "&amp;"); break;
    case '"': text_add(out, "&quot;"); break;
    case ' ': text_add(out, " "); break;
    case '?': text_add(out, "?"); break;
    default: text_add_bytes(out, s, (size_t)n); break;
    }
}

void add_xml(text *out, const char *words)
{
    const char *end = words + strlen(words);
    int         n;
    for (const char *s = words; s < end; s += n) {
        const uint32_t code = next_character(s, end, &n);
        add_character(out, s, n, code);
    }
}

/* In double quotes gnuplot would run `commands`, replace @macros and read escapes: whatever could
 * mean something to it is written as the number of its byte. */
void add_quoted(text *out, const char *words)
{
    const char *end = words + strlen(words);
    int         n;
    text_add(out, "\"");
    for (const char *s = words; s < end; s += n) {
        const uint32_t code = next_character(s, end, &n);
        if (code >= 0x80) text_add_bytes(out, s, (size_t)n);
        else if (isalnum((int)code) || strchr(" ()[],.:+-*/=_|?", (int)code))
            text_printf(out, "%c", (int)code);
        else text_printf(out, "\\%03o", (unsigned)code);
    }
    text_add(out, "\"");
}

/* Widths of letters as those of Helvetica, in its size. */
static double letter_width(uint32_t code)
{
    if (code >= 0x1100) return code >= 0x2000 && code < 0x2E80 ? 0.6 : 1;
    if (code < 0x80 && strchr("iljt.,:;|!'()[]{} f/", (int)code)) return 0.3;
    if (code < 0x80 && strchr("mwMW@%", (int)code)) return 0.86;
    return code < 0x80 && isupper((int)code) ? 0.7 : 0.56;
}

double words_width(const char *words)
{
    const char *end = words + strlen(words);
    double      width = 0;
    int         n;
    for (const char *s = words; s < end; s += n) width += letter_width(next_character(s, end, &n));
    return FONT * width;
}
