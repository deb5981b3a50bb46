/* lex_lines.c - which line ends end a statement. Brackets are matched first, over the whole text,
 * so that one which is never closed is reported where it was opened and does not swallow the lines
 * that follow. */
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
    int           quota; /* errors in ds at which to be silent                  */
    vec(int) open;       /* the brackets not yet closed, by their place in `at` */
    int braces;          /* how many of them are braces                         */
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

static void report(matcher *mt, const token *t, const char *hint, const char *message)
{
    if (mt->ds->errors < mt->quota)
        diag_error(mt->ds, DAL_SYNTAX, place(mt, t), hint, "%s", message);
}

/* Does no line begin between them? */
static bool same_line(const token *from, const token *to)
{
    while (to > from && !to->first) to--;
    return to == from;
}

/* The innermost open bracket stays open; with others that do on its line, the first of them is
 * named. For a brace the parser finds the words. */
static void leave_open(matcher *mt, int floor)
{
    token *t = top(mt);
    mt->open.n--;
    if (t->kind == TOK_LBRACE) {
        t->unclosed = true;
        return;
    }
    bool more = mt->open.n > floor && top(mt)->kind != TOK_LBRACE && same_line(top(mt), t);
    if (!more)
        report(mt, t, mem_printf(mt->m, "%s is missing", token_shown(partner(t->kind))),
               mem_printf(mt->m, "this %s is never closed", token_shown(t->kind)));
    t->kind = TOK_BAD;
}

enum { LOOK_BACK = 16 }; /* open brackets that one closing bracket may pass over */

/* where in the stack the bracket is that this one closes; -1 if it closes none */
static int opening_of(const matcher *mt, const token *t)
{
    bool brace = t->kind == TOK_RBRACE;
    int  floor = brace ? 0 : mt->open.n - LOOK_BACK;
    if (brace && !mt->braces) return -1;
    for (int i = mt->open.n - 1; i >= 0 && i >= floor; i--) {
        token_kind k = mt->at[mt->open.at[i]].kind;
        if (k == partner(t->kind)) return i;
        if (k == TOK_LBRACE) return -1;
    }
    return -1;
}

/* `t` closes nothing, or a bracket of the other kind. A brace is left to the parser, which knows
 * better what to say of it. */
static void close_wrongly(matcher *mt, token *t)
{
    const char *shown = token_shown(t->kind);
    if (t->kind == TOK_RBRACE) return;
    if (mt->open.n && top(mt)->kind != TOK_LBRACE) {
        token *wrong = top(mt);
        t->kind = partner(wrong->kind);
        report(mt, t, mem_printf(mt->m, "type %s", token_shown(t->kind)),
               mem_printf(mt->m, "%s cannot close %s", shown, token_shown(wrong->kind)));
        mt->open.n--;
        return;
    }
    report(mt, t, mem_printf(mt->m, "no %s is open here", token_shown(partner(t->kind))),
           mem_printf(mt->m, "%s closes nothing", shown));
    t->kind = LEFT_OUT;
}

/* Brackets between it and its partner stay open, and are reported. */
static void close(matcher *mt, token *t)
{
    int opening = opening_of(mt, t);
    if (opening < 0) {
        close_wrongly(mt, t);
        return;
    }
    while (mt->open.n - 1 > opening) leave_open(mt, opening + 1);
    mt->open.n--;
    mt->braces -= t->kind == TOK_RBRACE;
}

/* All brackets of the text, before any line end is judged. */
static void match(matcher *mt, int n)
{
    for (int i = 0; i < n; i++) {
        if (closes(mt->at[i].kind)) close(mt, &mt->at[i]);
        if (!opens(mt->at[i].kind)) continue;
        vec_push(mt->m, mt->open, i);
        mt->braces += mt->at[i].kind == TOK_LBRACE;
    }
    while (mt->open.n) leave_open(mt, 0);
}

/* a line end between two tokens: it ends no statement after OPEN or JOIN, nor before JOIN */
static bool ends_statement(const token *before, const token *after)
{
    if (!before) return true;
    return before->kind != TOK_NL && role[before->kind] == PLAIN && role[after->kind] != JOIN;
}

/* Inside ( ) or [ ] no line end counts; inside { }, wherever it stands, they count again. */
void lex_lines(mem *m, diags *ds, const source *of, int quota, token *at, int *n)
{
    matcher mt = {m, ds, of, at, quota, {0}, 0};
    int     kept = 0;
    match(&mt, *n);
    for (int i = 0; i < *n; i++) {
        token_kind k = at[i].kind;
        bool       inside = mt.open.n && top(&mt)->kind != TOK_LBRACE;
        token     *before = kept ? &at[kept - 1] : NULL;
        if (k == LEFT_OUT) continue;
        if (k == TOK_NL && (inside || !ends_statement(before, &at[i + 1]))) continue;
        at[kept] = at[i];
        if (opens(k)) vec_push(m, mt.open, kept);
        else if (closes(k) && mt.open.n) mt.open.n--;
        kept++;
    }
    vec_drop(m, mt.open);
    *n = kept;
}
