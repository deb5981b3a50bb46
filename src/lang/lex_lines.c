/* lex_lines.c - which line ends end a statement. Brackets are matched first, over the whole text, so that one
 * which is never closed is reported where it was opened and does not swallow the lines that follow. */
#include "lang/lex.h"

#define LEFT_OUT TOKENS /* the kind of a bracket that closes nothing, until it is removed */

typedef enum { PLAIN, OPEN, JOIN } line_role;

static const line_role role[] = {
#define TOKEN(kind, spelling, shown, line) line,
#include "lang/tokens.def"
#undef TOKEN
    PLAIN /* LEFT_OUT */
};

typedef struct {
    mem          *m;
    diags        *ds;
    const source *of;
    token        *at;
    vec(int)      open; /* the brackets not yet closed, by their place in `at` */
} matcher;

static span place(const matcher *mt, const token *t)
{
    return (span){mt->of, t->start, t->end};
}

static bool opens(token_kind k)
{
    return k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE;
}

static bool closes(token_kind k)
{
    return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE;
}

/* tokens.def has each closing bracket right after its opening one */
static token_kind partner(token_kind k)
{
    return opens(k) ? k + 1 : k - 1;
}

static token *top(matcher *mt)
{
    return &mt->at[mt->open.at[mt->open.n - 1]];
}

/* The innermost open bracket stays open. For a brace the parser finds the words. */
static void leave_open(matcher *mt)
{
    token *t = top(mt);
    mt->open.n--;
    if (t->kind == TOK_LBRACE) {
        t->unclosed = true;
        return;
    }
    const char *closing = token_shown(partner(t->kind));
    diag_error(mt->ds, DAL_SYNTAX, place(mt, t), mem_printf(mt->m, "%s is missing", closing),
               "this %s is never closed", token_shown(t->kind));
    t->kind = TOK_BAD;
}

static bool is_open(const matcher *mt, token_kind opening)
{
    for (int i = mt->open.n - 1; i >= 0; i--) {
        token_kind k = mt->at[mt->open.at[i]].kind;
        if (k == opening) return true;
        if (k == TOK_LBRACE) return false;
    }
    return false;
}

/* `t` closes nothing, or a bracket of the other kind. A brace is left to the parser, which knows better
 * what to say of it. */
static void close_wrongly(matcher *mt, token *t)
{
    const char *shown = token_shown(t->kind);
    if (t->kind == TOK_RBRACE) return;
    if (mt->open.n && top(mt)->kind != TOK_LBRACE) {
        token *wrong = top(mt);
        t->kind = partner(wrong->kind);
        diag_error(mt->ds, DAL_SYNTAX, place(mt, t), mem_printf(mt->m, "type %s", token_shown(t->kind)),
                   "%s cannot close the %s of line %d", shown, token_shown(wrong->kind),
                   span_line(place(mt, wrong)));
        mt->open.n--;
        return;
    }
    diag_error(mt->ds, DAL_SYNTAX, place(mt, t),
               mem_printf(mt->m, "no %s is open here", token_shown(partner(t->kind))),
               "%s closes nothing", shown);
    t->kind = LEFT_OUT;
}

static void close(matcher *mt, token *t)
{
    token_kind opening = partner(t->kind);
    if (!is_open(mt, opening)) {
        close_wrongly(mt, t);
        return;
    }
    while (top(mt)->kind != opening) leave_open(mt);
    mt->open.n--;
}

static void match(matcher *mt, int n)
{
    for (int i = 0; i < n; i++) {
        if (opens(mt->at[i].kind)) vec_push(mt->m, mt->open, i);
        else if (closes(mt->at[i].kind)) close(mt, &mt->at[i]);
    }
    while (mt->open.n) leave_open(mt);
}

/* A line end is no NL inside ( ) or [ ], after an OPEN or JOIN token, or before a JOIN one. Inside { }
 * lines count again, wherever it stands. */
void lex_lines(mem *m, diags *ds, const source *of, token *at, int *n)
{
    matcher mt = {m, ds, of, at, {0}};
    match(&mt, *n);
    int kept = 0;
    for (int i = 0; i < *n; i++) {
        token_kind k = at[i].kind;
        bool       inside = mt.open.n && at[mt.open.at[mt.open.n - 1]].kind != TOK_LBRACE;
        if (k == LEFT_OUT) continue;
        if (k == TOK_NL && (inside || (kept && (role[at[kept - 1].kind] != PLAIN ||
                                                at[kept - 1].kind == TOK_NL)) ||
                            (i + 1 < *n && role[at[i + 1].kind] == JOIN)))
            continue;
        at[kept] = at[i];
        if (opens(k)) vec_push(m, mt.open, kept);
        else if (closes(k) && mt.open.n) mt.open.n--;
        kept++;
    }
    vec_drop(m, mt.open);
    *n = kept;
}
