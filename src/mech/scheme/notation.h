/* notation.h - reads the words by which schemes are named: `name`, `name(option, ...)`, `a with b`.
 */
#ifndef MECH_SCHEME_NOTATION_H
#define MECH_SCHEME_NOTATION_H

#include "base/text.h"

enum { WORD_LENGTH = 32, WORD_OPTIONS = 2, WORDS_MOST = 24 };

typedef struct word word;
struct word {
    char   name[WORD_LENGTH]; /* "" for a number, which is in `number` */
    double number;
    int    options;
    word  *option[WORD_OPTIONS];
    word  *with; /* NULL if none */
};

typedef struct {
    word at[WORDS_MOST];
    int  n;
} words;

/* The tree of all of `source`, in `ws`; or NULL, and `why` says what is wrong and what would be
 * right. */
word *words_read(words *ws, const char *source, text *why);

void word_print(const word *w,
                text       *out); /* canonical: one blank after each comma, numbers shortest */

#endif
