/* parse_law.c - the statements that say what moves and how: energies, forces, relations,
 * symmetries, starts. What is typed in their place in other languages is met with how it is written
 * here. */
#include "lang/parse.h"

/* energy     = ( "lagrangian" | "hamiltonian" ) expr */
void parse_energy(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    if (is(p, TOK_ASSIGN) || is(p, TOK_COLON)) {
        complain(p, span_of(p, p->at), "the expression follows without it", "%s after '%s'",
                 quoted(p, p->at), keyword(p));
        p->at++;
    }
    s->value = parse_expr(p);
    if (is(p, TOK_ASSIGN)) {
        complain(p, span_since(p, s->value->at.start),
                 "the expression follows the word; 'let' names a subexpression", "a %s has no name",
                 keyword(p));
        p->at++;
        s->value = parse_expr(p);
    }
    stmt_close(p, s);
}

/* force      = ( "force" | "damping" ) path ":" expr */
void parse_force(parser *p, stmt_kind kind)
{
    stmt       *s = stmt_open(p, kind);
    const char *model = mem_printf(p->m, "type '%s x: ...'", keyword(p));
    if (!is(p, TOK_NAME)) unexpected(p, "the coordinate it acts on", model);
    s->target = parse_path(p);
    if (is(p, TOK_PRIME)) {
        complain(p, span_of(p, p->at), mem_printf(p->m, "%s, without the prime", model),
                 "a %s acts on a coordinate, not on its velocity", keyword(p));
        while (got(p, TOK_PRIME)) continue;
    }
    expect_instead(p, TOK_COLON, TOK_ASSIGN, model);
    s->value = parse_expr(p);
    stmt_close(p, s);
}

/* a ':' outside brackets before the statement ends */
static bool has_colon(const parser *p)
{
    int depth = 0;
    for (const token *t = p->at;; t++) {
        if (t->kind == TOK_END || t->kind == TOK_NL || t->kind == TOK_LBRACE ||
            t->kind == TOK_RBRACE)
            return false;
        if (t->kind == TOK_COLON && !depth) return true;
        depth += (t->kind == TOK_LPAREN || t->kind == TOK_LBRACKET) -
                 (t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET);
    }
}

/* Inside `for` its name would be declared again and again. */
static void relation_name(parser *p, stmt *s)
{
    s->slot = parse_slot(p, "the name of the relation");
    const char *model = mem_printf(p->m, "its name comes first: '%s rod: a = b'", keyword(p));
    expect(p, TOK_COLON, model);
    if (p->fors)
        complain(p, s->slot.at,
                 mem_printf(p->m, "give it its own range: '%s %s[k in 1..N]: ...'", keyword(p),
                            s->slot.word),
                 "'for' cannot contain a relation with a name");
}

bool parse_relation_name(parser *p, stmt *s)
{
    const bool named = has_colon(p);
    if (named) relation_name(p, s);
    return named;
}

/* `=`, or what was typed for it */
static void equals(parser *p, const ast *left, stmt_kind kind)
{
    const char *what = kind == STMT_CONNECT     ? "a connection"
                       : kind == STMT_HOLONOMIC ? "a holonomic constraint"
                                                : "a constraint";
    if (left->kind == AST_COMPARE && left->compare == CMP_EQ)
        fail_at(p, left->op_at, "type '='", "'==' compares; %s is an equation", what);
    if (left->kind == AST_COMPARE)
        fail_at(p, left->op_at,
                kind == STMT_HOLONOMIC ? "a one-sided one is a contact: type 'contact a >= b'"
                                       : "inequalities cannot be connections",
                "%s is an equation", what);
    if (is(p, TOK_COMMA)) unexpected(p, "'='", mem_printf(p->m, "type '%s a.x = b.x'", keyword(p)));
    if (is(p, TOK_NL) && p->at[1].kind == TOK_ASSIGN) {
        p->at++;
        complain(p, span_of(p, p->at), "put it at the end of the line before", "'=' begins a line");
    }
    if (is(p, TOK_NL) || is(p, TOK_RBRACE) || is(p, TOK_END))
        fail_at(p, left->at, "type '= 0' after it if that is meant",
                "%s is an equation: '=' is missing", what);
    if (!got(p, TOK_ASSIGN)) unexpected_after(p, "'='", NULL);
}

/* A row of velocities that holds at times. */
static bool is_one_sided(const ast *a, stmt_kind kind)
{
    return kind == STMT_CONSTRAINT && a->kind == AST_COMPARE &&
           (a->compare == CMP_GE || a->compare == CMP_LE);
}

/* relation   = ( "constraint" | "holonomic" | "connect" ) [ slot ":" ] expr "=" expr
 *            | "constraint" [ slot ":" ] sum ( ">=" | "<=" ) sum */
void parse_relation(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    parse_relation_name(p, s);
    s->value = parse_expr(p);
    s->one_sided = is_one_sided(s->value, kind);
    if (s->one_sided) parse_sides(p, s, s->value);
    else {
        equals(p, s->value, kind);
        s->right = parse_expr(p);
    }
    if (is(p, TOK_COMMA))
        unexpected(p, "the end of the line",
                   mem_printf(p->m, "each %s has a line of its own", keyword(p)));
    stmt_close(p, s);
}

/* move       = path "->" expr */
static ast_move move(parser *p)
{
    ast_move m = {parse_path(p), NULL};
    expect_instead(p, TOK_ARROW, TOK_ASSIGN, "type 'x -> -y'");
    m.value = parse_expr(p);
    return m;
}

/* symmetry   = "symmetry" NAME ":" move { "," move } [ "up" "to" expr | "finite" ] */
void parse_symmetry(parser *p, stmt_kind kind)
{
    static const char model[] = "type 'symmetry rotation: x -> -y, y -> x'";
    vec(ast_move) moves = {0};
    stmt        *s = stmt_open(p, kind);
    const token *word = expect_name(p, "the name of the symmetry", model);
    if (is(p, TOK_ARROW) || is(p, TOK_LBRACKET) || is(p, TOK_DOT))
        fail_at(p, span_of(p, word), model, "a symmetry needs a name");
    s->slot = (ast_slot){.word = word->word, .at = span_of(p, word)};
    expect_instead(p, TOK_COLON, TOK_ASSIGN, model);
    do vec_push(p->m, moves, move(p));
    while (got(p, TOK_COMMA));
    s->moves = moves.n, s->move = vec_keep(p->m, moves, ast_move);
    s->finite = is_word(p->at, "finite");
    if (s->finite) p->at++;
    else if (is_word(p->at, "up")) {
        p->at++;
        if (!is_word(p->at, "to")) unexpected(p, "'to'", "type 'x -> t up to m*x'");
        p->at++;
        s->value = parse_expr(p);
    }
    stmt_close(p, s);
}

/* `start x = 1 fre` */
static bool nearly_free(const token *t)
{
    static const char *const word[] = {"free"};
    return t->kind == TOK_NAME && name_nearest(t->word, word, 1);
}

/* begin      = state [ "=" expr ] [ "free" ] */
static void begin(parser *p, stmt_kind kind)
{
    stmt *s = stmt_open(p, kind);
    if (!is(p, TOK_NAME)) unexpected(p, "a coordinate, x', or p(x)", "type 'start x = 1, x' = 0'");
    s->target = parse_state(p);
    if (is(p, TOK_ASSIGN) || is(p, TOK_COLON) || is(p, TOK_EQ)) {
        expect_instead(p, TOK_ASSIGN, p->at->kind, "type 'start x = 1'");
        s->value = parse_expr(p);
        if (s->target->kind == AST_PATH && !nearly_free(p->at))
            mend_unit(p,
                      mem_printf(p->m, "coordinate %s", s->target->step[s->target->steps - 1].word),
                      false, "',' or 'free'");
        if (is(p, TOK_NAME) && p->at[1].kind != TOK_ASSIGN)
            unexpected(p, "',' or 'free'", "'free' marks a start that is only a guess");
    } else if (is(p, TOK_NUMBER) || is(p, TOK_NAME))
        unexpected(p, "'='", "type 'start x = 1, y = 2'");
    s->free = got(p, TOK_FREE);
    stmt_close(p, s);
}

/* start      = "start" begin { "," begin } */
void parse_start(parser *p, stmt_kind kind)
{
    do begin(p, kind);
    while (another(p));
}
