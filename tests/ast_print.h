/* ast_print.h - the tree as text with every bracket written, so that precedence can be seen and
 * tested: an expression as `(a + (b * c))`, a file as one line per statement. */
#ifndef TESTS_AST_PRINT_H
#define TESTS_AST_PRINT_H

#include "lang/ast.h"

static inline void ast_print(const ast *e, text *out);

static inline void print_list(ast *const *e, int n, const char *between, text *out)
{
    for (int i = 0; i < n; i++) {
        if (i) text_add(out, between);
        ast_print(e[i], out);
    }
}

static inline void print_steps(const ast *e, text *out)
{
    for (int i = 0; i < e->steps; i++) {
        text_printf(out, "%s%s", i ? "." : "", e->step[i].word);
        for (int k = 0; k < e->step[i].n; k++) {
            text_add(out, "[");
            ast_print(e->step[i].index[k], out);
            text_add(out, "]");
        }
    }
}

static inline void print_indices(const ast_index *index, int n, text *out)
{
    for (int i = 0; i < n; i++) {
        text_printf(out, "%s%s in ", i ? ", " : "", index[i].word);
        ast_print(index[i].low, out);
        text_add(out, "..");
        ast_print(index[i].high, out);
    }
}

static inline void print_chain(const ast *e, const char *plain, const char *flagged, text *out)
{
    text_add(out, "(");
    for (int i = 0; i < e->n; i++) {
        if (i) text_add(out, e->flag && e->flag[i] ? flagged : plain);
        ast_print(e->arg[i], out);
    }
    text_add(out, ")");
}

static inline void print_around(const char *before, const ast *e, const char *between,
                                const char *after, text *out)
{
    text_add(out, before);
    print_list(e->arg, e->n, between, out);
    text_add(out, after);
}

static inline void ast_print(const ast *e, text *out)
{
    static const char *const compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    switch (e->kind) {
    case AST_NUMBER: text_number(out, e->number); break;
    case AST_PATH: print_steps(e, out); break;
    case AST_PRIME: print_around("", e, "", "'", out); break;
    case AST_CALL: text_add(out, e->word), print_around("(", e, ", ", ")", out); break;
    case AST_SUM:
        text_add(out, "sum("), print_indices(e->index, e->indices, out);
        print_around(": ", e, "", ")", out);
        break;
    case AST_ADD: print_chain(e, " + ", " - ", out); break;
    case AST_MUL: print_chain(e, "*", "/", out); break;
    case AST_NEG: print_around("(-", e, "", ")", out); break;
    case AST_POW: print_around("(", e, "^", ")", out); break;
    case AST_COMPARE: print_around("(", e, compare[e->compare], ")", out); break;
    case AST_AND: print_chain(e, " and ", "", out); break;
    case AST_OR: print_chain(e, " or ", "", out); break;
    case AST_NOT: print_around("(not ", e, "", ")", out); break;
    case AST_LIST: print_around("[", e, ", ", "]", out); break;
    case AST_COMPONENT: print_around("", e, "[", "]", out); break;
    }
}

/* Statements. ------------------------------------------------------------------------------ */

static inline void print_opt(const char *before, const ast *e, text *out)
{
    if (!e) return;
    text_add(out, before);
    ast_print(e, out);
}

static inline void print_slot(const ast_slot *s, text *out)
{
    text_printf(out, " %s", s->word);
    for (int i = 0; i < s->extents; i++) {
        const ast_index *range = &s->extent[i].range;
        text_add(out, "[");
        if (range->word) print_indices(range, 1, out);
        else ast_print(range->high, out);
        text_add(out, s->extent[i].periodic ? " periodic]" : "]");
    }
    if (s->label) text_printf(out, " \"%s\"", s->label);
}

static inline void print_function(const stmt *s, text *out)
{
    for (int i = 0; i < s->formals; i++) text_printf(out, "%s%s", i ? ", " : "(", s->formal[i]);
    text_add(out, ")");
}

static inline void print_part(const stmt *s, text *out)
{
    text_printf(out, " : %s", s->system);
    for (int i = 0; i < s->arguments; i++) {
        text_printf(out, "%s%s = ", i ? ", " : "(", s->argument[i].word);
        ast_print(s->argument[i].value, out);
    }
    if (s->arguments) text_add(out, ")");
}

static inline void print_moves(const stmt *s, text *out)
{
    for (int i = 0; i < s->moves; i++) {
        print_opt(i ? ", " : ": ", s->move[i].target, out);
        print_opt(" -> ", s->move[i].value, out);
    }
}

static inline void print_figure(const stmt *s, text *out)
{
    text_printf(out, " %s(", dal_figure_name(s->figure));
    print_list(s->place, s->places, ", ", out);
    text_add(out, ")");
    if (s->words) text_printf(out, " \"%s\"", s->words);
}

static inline void print_stmt(const stmt *s, int indent, text *out);

static inline void print_body(stmt *const *body, int n, int indent, text *out)
{
    text_add(out, " {\n");
    for (int i = 0; i < n; i++) print_stmt(body[i], indent + 2, out);
    text_printf(out, "%*s}\n", indent, "");
}

static inline void print_stmt(const stmt *s, int indent, text *out)
{
    static const char *const words[] = {
        "parameter",  "coordinate", "state",      "input",       "let",   "output",
        "part",       "terminal",   "lagrangian", "hamiltonian", "force", "damping",
        "constraint", "holonomic",  "connect",    "symmetry",    "start", "draw",
        "discrete",   "contact",    "friction",   "when",        "stop",  "for"};
    text_printf(out, "%*s%s", indent, "", words[s->kind]);
    if (s->slot.word) print_slot(&s->slot, out);
    if (s->function) print_function(s, out);
    if (s->right && s->slot.word) text_add(out, ":");
    if (s->kind == STMT_PART || s->kind == STMT_TERMINAL) print_part(s, out);
    print_moves(s, out);
    if (s->kind == STMT_DRAW) print_figure(s, out);
    print_opt(" ", s->target, out);
    bool bare = s->right || s->kind == STMT_LAGRANGIAN || s->kind == STMT_HAMILTONIAN;
    print_opt(s->kind == STMT_FORCE || s->kind == STMT_DAMPING ? ": " : bare ? " " : " = ", s->value, out);
    print_opt(" = ", s->right, out);
    if (s->free) text_add(out, " free");
    if (s->kind != STMT_FOR) {
        text_add(out, "\n");
        return;
    }
    text_add(out, " ");
    print_indices(s->index, s->indices, out);
    print_body(s->body, s->count, indent, out);
}

static inline void print_rule(const ast_rule *r, text *out)
{
    if (r->word) text_add(out, r->word);
    else ast_print(r->value, out);
    for (int i = 0; i < r->options; i++) {
        text_add(out, i ? ", " : "(");
        print_rule(r->option[i], out);
    }
    if (r->options) text_add(out, ")");
    if (r->with) text_add(out, " with "), print_rule(r->with, out);
}

static inline void print_setting(const ast_setting *s, text *out)
{
    text_printf(out, "  %s =%s%s", s->key, s->principle ? " " : "",
                s->principle ? s->principle : "");
    if (s->rule) text_add(out, " "), print_rule(s->rule, out);
    print_opt(" ", s->value, out);
    if (s->columns) text_add(out, " ");
    print_list(s->column, s->columns, ", ", out);
    text_add(out, "\n");
}

static inline void ast_file_print(const ast_file *f, text *out)
{
    for (int i = 0; i < f->imports; i++) text_printf(out, "import \"%s\"\n", f->import[i].path);
    for (int i = 0; i < f->lets; i++) print_stmt(f->let[i], 0, out);
    for (int i = 0; i < f->systems; i++) {
        text_printf(out, "system %s", f->system[i]->word);
        print_body(f->system[i]->statement, f->system[i]->count, 0, out);
    }
    if (!f->simulate) return;
    text_add(out, "simulate {\n");
    for (int i = 0; i < f->simulate->count; i++) print_setting(&f->simulate->setting[i], out);
    text_add(out, "}\n");
}

#endif
