/* lex.h - the tokens of a text, its line ends already weighed: an NL is left only where a statement
 * may end. */
#ifndef LANG_LEX_H
#define LANG_LEX_H

#include "base/names.h"
#include "lang/source.h"

typedef enum {
#define TOKEN(kind, spelling, shown, line) TOK_##kind,
#include "lang/tokens.def"
#undef TOKEN
    TOKENS
} token_kind;

typedef struct {
    token_kind kind;
    int        start, end; /* bytes of the source                               */
    bool       first;      /* nothing but blanks before it on its line          */
    bool       unclosed;   /* a '{' without its '}'                             */
    union {
        name   word;       /* NAME, PRINCIPLE, STRING (without its quotes)      */
        double number;     /* NUMBER                                            */
    };
} token;

enum { ERRORS_MOST = 1000 }; /* of one text: then the rest is not looked at */

/* All `n` tokens of a text that source_check accepts, END last. Mistakes are reported to ds and
 * leave something in their place that disturbs the parser as little as possible. */
const token *lex(mem *m, names *ns, diags *ds, const source *of, int *n);

const char *token_shown(token_kind kind);    /* "'+'", "a name"              */
const char *token_spelling(token_kind kind); /* "+", NULL for names and such */

/* lex_lines.c: matches the brackets and removes the NL that end no statement; `n` tokens remain. */
void lex_lines(mem *m, diags *ds, const source *of, int quota, token *at, int *n);

#endif
