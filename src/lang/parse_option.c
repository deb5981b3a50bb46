/* parse_option.c - the texts of options, read by the same rules as a file: "p(x)", "a.k",
 * "x, p(y)". */
#include "lang/parse.h"

/* A text that is one thing: a rule of the grammar leaves it here. */
typedef struct {
    parser p; /* first, so that a rule can find the rest */
    ast   *node, **column;
    int    columns;
    bool   times;
} option_text;

/* Rules return nothing, so what they read is left beside the parser. */
static void one_state(parser *p)
{
    ((option_text *)p)->node = parse_state(p);
}

static void one_value(parser *p)
{
    ((option_text *)p)->node = parse_expr(p);
}

static void one_record(parser *p)
{
    option_text *o = (option_text *)p;
    o->times = is_word(p->at, "times");
    if (o->times) p->at++;
    o->node = parse_expr(p);
}

static void columns(parser *p)
{
    option_text *o = (option_text *)p;
    parse_columns(p, &o->column, &o->columns);
}

static void text_end(parser *p)
{
    if (!is(p, TOK_END)) unexpected_after(p, "the end", NULL);
}

/* False: there was an error, or something is left behind. */
static bool read_option(option_text *o, mem *m, names *ns, diags *ds, const source *of,
                        void (*rule)(parser *))
{
    *o = (option_text){0};
    bool good = parser_init(&o->p, m, ns, ds, of);
    got(&o->p, TOK_NL);
    good = attempt(&o->p, rule) && good;
    got(&o->p, TOK_NL);
    return good && attempt(&o->p, text_end);
}

ast *parse_state_text(mem *m, names *ns, diags *ds, const source *of)
{
    option_text o;
    return read_option(&o, m, ns, ds, of, one_state) ? o.node : NULL;
}

ast *parse_expr_text(mem *m, names *ns, diags *ds, const source *of)
{
    option_text o;
    return read_option(&o, m, ns, ds, of, one_value) ? o.node : NULL;
}

ast *parse_record_text(mem *m, names *ns, diags *ds, const source *of, bool *times)
{
    option_text o;
    const bool  good = read_option(&o, m, ns, ds, of, one_record);
    *times = o.times;
    return good ? o.node : NULL;
}

bool parse_columns_text(mem *m, names *ns, diags *ds, const source *of, ast ***column, int *count)
{
    option_text o;
    bool        good = read_option(&o, m, ns, ds, of, columns);
    *column = o.column, *count = o.columns;
    return good;
}
