/* parse.h - the parser's state and the functions its files share.
 *
 * A mistake jumps to the end of its statement, so that the functions read as the grammar: what a
 * rule asks for is there when they go on. Each carries its rule of docs/language.md as a comment; a
 * test compares the two. */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "lang/ast.h"
#include "lang/lex.h"

#include <setjmp.h>

enum { DEPTH_MOST = 1000 }; /* of brackets, signs, powers and `for` in each other */

typedef struct {
    ast          *node;
    unsigned char flag; /* subtracted or dividing */
} operand;

typedef struct {
    mem               *m;
    names             *ns;
    diags             *ds;
    const source      *of;
    const token       *at;           /* the next token; at[-1] is the one before, if there is one */
    const token       *begin, *last; /* the first token, and END                                  */
    const token       *keyword;      /* of the statement that is being read                       */
    int                from;         /* where it begins, or the next of its list                  */
    jmp_buf           *recover;      /* where a mistake jumps to                                  */
    int                depth, fors;  /* of all nesting, and of `for` alone                        */
    int                quota;        /* errors in ds at which to give up                          */
    bool               outside;      /* statements outside a system have been reported            */
    bool               lost;         /* after a mistake something is missing from the tree        */
    vec(operand)       operands;     /* stacks for lists of unknown length                        */
    vec(ast_step)      steps;
    vec(stmt *)        stmts;
    vec(ast_setting)   settings;
    vec(ast_system *)  systems;      /* of the file                                               */
    vec(ast_import)    imports;
    ast_simulate      *simulate;
} parser;

/* Copies a finished list to where it may stay: its vec is only scratch. */
#define vec_keep(m, v, type) ((type *)mem_keep((m), (v).at, (v).n, sizeof(type)))
void *mem_keep(mem *m, void *at, int n, size_t size);

/* parse.c: tokens and recovery. */
bool parser_init(parser *p, mem *m, names *ns, diags *ds, const source *of); /* false: bad tokens */
bool is(const parser *p, token_kind kind);
bool is_word(const token *t, const char *word);
bool got(parser *p, token_kind kind);
span span_of(const parser *p, const token *t);
span span_since(const parser *p, int start); /* up to the token before */
void enter(parser *p);                       /* one level deeper */
void leave(parser *p);
bool attempt(parser *p, void (*rule)(parser *)); /* false: it failed, and said so */
void statement_end(parser *p);

/* parse.c: what systems, `for` and `simulate` share. After a head that fails the block is read all
 * the same. */
bool open_block(parser *p, void (*head)(parser *)); /* false: there is no '{', and that was said */
void parse_lines(parser *p, void (*line)(parser *), const char *owner);
stmt **parse_block(parser *p, const char *owner, int *n);

/* parse_error.c: the messages. Those that do not return jump to the end of the statement. */
_Noreturn void fail_at(parser *p, span at, const char *hint, const char *format, ...)
    PRINTF_LIKE(4, 5);
void complain(parser *p, span at, const char *hint, const char *format, ...) PRINTF_LIKE(4, 5);
/* the same, where nothing is lost but what the message is about: its names are looked at further */
void mend(parser *p, span at, const char *hint, const char *format, ...) PRINTF_LIKE(4, 5);
/* `1 m`, `3 m/s`: what was declared as `declared`, perhaps with the value in the same place */
void mend_unit(parser *p, const char *declared, bool with_value, const char *expected);
_Noreturn void unexpected(parser *p, const char *expected, const char *hint);
_Noreturn void unexpected_after(parser *p, const char *expected, const char *hint); /* an expr */
void           expect(parser *p, token_kind kind, const char *hint);
void           expect_close(parser *p, const token *open, const char *hint);
const token   *expect_name(parser *p, const char *what, const char *hint);
/* `wanted`, or with a message `instead` in its place; anything else fails */
void           expect_instead(parser *p, token_kind wanted, token_kind instead, const char *hint);
const char    *quoted(parser *p, const token *t); /* 'x', the end of the line, ... */
_Noreturn void unknown_statement(parser *p, bool in_system);

/* parse_expr.c */
ast       *parse_expr(parser *p);
ast       *parse_path(parser *p);
ast       *parse_state(parser *p);
ast       *parse_column(parser *p);
ast_index *parse_indices(parser *p, int *count);
void       parse_range(parser *p, ast_index *index);

/* parse_stmt.c */
bool        parse_statement(parser *p); /* false: no statement begins with this word */
bool        begins_statement(const token *t);
const char *statement_word(int i); /* NULL past the last                        */

stmt       *stmt_open(parser *p, stmt_kind kind); /* its keyword was read                      */
void        stmt_close(parser *p, stmt *s);
bool        another(parser *p);                     /* of a list, behind a comma                 */
const char *keyword(const parser *p);               /* of the statement                          */
ast_slot    parse_slot(parser *p, const char *what); /* the name that it declares, with its sizes */

/* parse_law.c */
void parse_energy(parser *p, stmt_kind kind);
void parse_force(parser *p, stmt_kind kind);
void parse_relation(parser *p, stmt_kind kind);
void parse_symmetry(parser *p, stmt_kind kind);
void parse_start(parser *p, stmt_kind kind);

bool parse_relation_name(parser *p, stmt *s); /* `name:`, if there is one */

/* parse_event.c */
void parse_contact(parser *p, stmt_kind kind);
void parse_friction(parser *p, stmt_kind kind);
void parse_when(parser *p, stmt_kind kind);
void parse_stop(parser *p, stmt_kind kind);
void parse_sides(parser *p, stmt *s, ast *comparison); /* of a >= b or a <= b */

/* parse_draw.c */
void parse_draw(parser *p, stmt_kind kind);

/* parse_simulate.c */
ast_simulate *parse_simulate(parser *p);
void          parse_columns(parser *p, ast ***column, int *columns);

#endif
