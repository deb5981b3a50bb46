/* parse_event.c - statements of events: contacts, friction, conditions and what they change. */
#include "lang/parse.h"

void parse_sides(parser *p, stmt *s, ast *comparison)
{
    const ast *a = comparison;
    const bool least = a->kind == AST_COMPARE && a->compare == CMP_GE,
               most = a->kind == AST_COMPARE && a->compare == CMP_LE;
    if (!least && !most)
        fail_at(p, a->kind == AST_COMPARE ? a->op_at : a->at, "type 'a >= b'",
                "a %s is an inequality", keyword(p));
    s->value = a->arg[least ? 0 : 1], s->right = a->arg[least ? 1 : 0];
}

/* A word of its own and the expression behind it. */
static ast *behind(parser *p, const char *word)
{
    if (!is_word(p->at, word)) return NULL;
    p->at++;
    return parse_expr(p);
}

/* What a contact rubs along: one tangent, two, or a vector. */
static void parse_along(parser *p, stmt *s)
{
    vec(ast *) list = {0};
    if (!is_word(p->at, "along"))
        unexpected(p, "'along'", "type 'friction 0.3 along x', with the path of the contact");
    p->at++;
    do {
        if (list.n == 2)
            fail_at(p, span_of(p, p->at), "two tangents, or one vector: the velocity of slip",
                    "a contact rubs along two directions at most");
        vec_push(p->m, list, parse_expr(p));
    } while (got(p, TOK_COMMA));
    s->places = list.n, s->place = vec_keep(p->m, list, ast *);
}

/* contact    = "contact" [ slot ":" ] sum ( ">=" | "<=" ) sum [ "restitution" expr ]
 *              [ "friction" expr "along" sum [ "," sum ] ] */
void parse_contact(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    parse_relation_name(p, s);
    ast *sides = parse_expr(p);
    if (is(p, TOK_ASSIGN))
        fail_at(p, span_of(p, p->at), "type '>='; an equation of positions is 'holonomic'",
                "a contact is an inequality");
    parse_sides(p, s, sides);
    s->number[0] = behind(p, "restitution");
    s->number[1] = behind(p, "friction");
    if (s->number[1]) parse_along(p, s);
    stmt_close(p, s);
}

/* friction   = "friction" [ slot ":" ] sum "=" sum "limit" expr [ "," expr ] */
void parse_friction(parser *p, stmt_kind kind)
{
    static const char model[] = "type 'friction x' = 0 limit 2', with the largest force at rest";
    stmt             *s = stmt_open(p, kind);
    parse_relation_name(p, s);
    s->value = parse_expr(p);
    if (!got(p, TOK_ASSIGN)) unexpected_after(p, "'='", model);
    s->right = parse_expr(p);
    s->number[0] = behind(p, "limit");
    if (!s->number[0]) unexpected_after(p, "'limit'", model);
    if (got(p, TOK_COMMA)) s->number[1] = parse_expr(p);
    stmt_close(p, s);
}

/* reset      = state "=" expr */
static ast_move reset(parser *p)
{
    static const char model[] = "type 'when x > 1 { x' = 0 }'";
    if (!is(p, TOK_NAME)) unexpected(p, "what changes: x, x', p(x) or a discrete variable", model);
    ast_move m = {parse_state(p), NULL};
    expect_instead(p, TOK_ASSIGN, TOK_COLON, model);
    m.value = parse_expr(p);
    return m;
}

/* when       = "when" [ slot ":" ] expr "{" [ NL ] reset { ( NL | "," ) reset } [ NL ] "}" */
void parse_when(parser *p, stmt_kind kind)
{
    vec(ast_move) moves = {0};
    stmt *s = stmt_open(p, kind);
    parse_relation_name(p, s);
    s->value = parse_expr(p);
    const token *open = p->at;
    if (!got(p, TOK_LBRACE)) unexpected_after(p, "'{'", "type 'when x > 1 { x' = 0 }'");
    do {
        while (got(p, TOK_NL)) continue;
        if (is(p, TOK_RBRACE)) break;
        vec_push(p->m, moves, reset(p));
    } while (got(p, TOK_COMMA) || is(p, TOK_NL));
    if (is(p, TOK_NL)) p->at++;
    expect_close(p, open, NULL);
    s->moves = moves.n, s->move = vec_keep(p->m, moves, ast_move);
    stmt_close(p, s);
}

/* stop       = "stop" "when" expr */
void parse_stop(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    if (!is_word(p->at, "when")) unexpected(p, "'when'", "type 'stop when x < 0'");
    p->at++;
    s->value = parse_expr(p);
    stmt_close(p, s);
}
