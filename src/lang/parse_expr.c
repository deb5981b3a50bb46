/* parse_expr.c - expressions, loosest first: one function per rule. */
#include "lang/parse.h"

#include <string.h>

/* A node that ends with the last token read. */
static ast *node(parser *p, ast_kind kind, int start, span op_at)
{
    ast *e = mem_array(p->m, 1, ast);
    e->kind = kind, e->at = span_since(p, start), e->op_at = op_at;
    return e;
}

static void push(parser *p, ast *e, bool flag)
{
    vec_push(p->m, p->operands, (operand){e, flag});
}

/* the operands pushed since `mark` become the arguments of e */
static ast *take_operands(parser *p, ast *e, int mark, bool flags)
{
    e->n = p->operands.n - mark;
    e->arg = mem_array(p->m, e->n, ast *);
    e->flag = flags ? mem_array(p->m, e->n, unsigned char) : NULL;
    for (int i = 0; i < e->n; i++) {
        e->arg[i] = p->operands.at[mark + i].node;
        if (flags) e->flag[i] = p->operands.at[mark + i].flag;
    }
    p->operands.n = mark;
    return e;
}

/* A node of one argument, or of two. */
static ast *with_args(parser *p, ast *e, ast *a, ast *b)
{
    int mark = p->operands.n;
    push(p, a, false);
    if (b) push(p, b, false);
    return take_operands(p, e, mark, false);
}

/* operand { ( add | sub ) operand }, all of them in one node; sub == add where there is one
 * operator */
static ast *chain(parser *p, ast_kind kind, ast *(*rule)(parser *), token_kind add, token_kind sub)
{
    int  mark = p->operands.n, start = p->at->start;
    ast *first = rule(p);
    if (!is(p, add) && !is(p, sub)) return first;
    span op_at = span_of(p, p->at);
    push(p, first, false);
    while (is(p, add) || is(p, sub)) {
        bool flag = p->at->kind != add;
        p->at++;
        push(p, rule(p), flag);
    }
    return take_operands(p, node(p, kind, start, op_at), mark, sub != add);
}

static ast *conjunction(parser *p);
static ast *test(parser *p);
static ast *sum(parser *p);
static ast *term(parser *p);
static ast *unary(parser *p);
static ast *power(parser *p);
static ast *primary(parser *p);

/* expr       = conj { "or" conj } */
ast *parse_expr(parser *p)
{
    return chain(p, AST_OR, conjunction, TOK_OR, TOK_OR);
}

/* conj       = test { "and" test } */
static ast *conjunction(parser *p)
{
    return chain(p, AST_AND, test, TOK_AND, TOK_AND);
}

/* compare    = "<" | "<=" | ">" | ">=" | "==" | "!=" */
static bool compare(const parser *p, ast_compare *out)
{
    static const struct {
        token_kind  kind;
        ast_compare compare;
    } table[] = {{TOK_LT, CMP_LT}, {TOK_LE, CMP_LE}, {TOK_GT, CMP_GT},
                 {TOK_GE, CMP_GE}, {TOK_EQ, CMP_EQ}, {TOK_NE, CMP_NE}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is(p, table[i].kind)) {
            *out = table[i].compare;
            return true;
        }
    return false;
}

/* "not" or "-", as deep as they are written. */
static ast *negation(parser *p, ast_kind kind, ast *(*rule)(parser *))
{
    const token *op = p->at++;
    enter(p);
    ast *e = rule(p);
    leave(p);
    return with_args(p, node(p, kind, op->start, span_of(p, op)), e, NULL);
}

/* test       = "not" test | sum [ compare sum ] */
static ast *test(parser *p)
{
    ast_compare which, again;
    if (is(p, TOK_NOT)) return negation(p, AST_NOT, test);
    int  start = p->at->start;
    ast *left = sum(p);
    if (!compare(p, &which)) return left;
    span op_at = span_of(p, p->at++);
    ast *right = sum(p);
    if (compare(p, &again))
        fail_at(p, span_of(p, p->at), "type 'a < b and b < c'", "comparisons cannot be chained");
    ast *e = with_args(p, node(p, AST_COMPARE, start, op_at), left, right);
    e->compare = which;
    return e;
}

/* sum        = term { ( "+" | "-" ) term } */
static ast *sum(parser *p)
{
    return chain(p, AST_ADD, term, TOK_PLUS, TOK_MINUS);
}

/* term       = unary { ( "*" | "/" ) unary } */
static ast *term(parser *p)
{
    return chain(p, AST_MUL, unary, TOK_STAR, TOK_SLASH);
}

/* unary      = ( "-" | "+" ) unary | power */
static ast *unary(parser *p)
{
    if (is(p, TOK_MINUS)) return negation(p, AST_NEG, unary);
    if (!got(p, TOK_PLUS)) return power(p);
    enter(p);
    ast *e = unary(p);
    leave(p);
    return e;
}

/* power      = primary [ "^" unary ] */
static ast *power(parser *p)
{
    int  start = p->at->start;
    ast *base = primary(p);
    if (!is(p, TOK_CARET)) return base;
    span op_at = span_of(p, p->at++);
    enter(p);
    ast *exponent = unary(p);
    leave(p);
    return with_args(p, node(p, AST_POW, start, op_at), base, exponent);
}

/* [ "'" ] after a path or a bracket; it comes last, and once */
static ast *prime(parser *p, ast *e)
{
    if (!is(p, TOK_PRIME)) return e;
    const token *mark = p->at++;
    if (is(p, TOK_PRIME)) {
        complain(p, span_join(span_of(p, mark), span_of(p, p->at)),
                 "accelerations follow from the motion; only x' can be used",
                 "second derivatives cannot be used");
        while (got(p, TOK_PRIME)) continue;
    }
    if (is(p, TOK_LBRACKET) || is(p, TOK_DOT))
        fail_at(p, span_of(p, mark), "type it last: a[k]', a.x'", "the prime comes before %s",
                quoted(p, p->at));
    return with_args(p, node(p, AST_PRIME, e->at.start, span_of(p, mark)), e, NULL);
}

/* "[" expr "]" */
static ast *index_in_brackets(parser *p)
{
    const token *open = p->at++;
    enter(p);
    ast *e = parse_expr(p);
    leave(p);
    if (is(p, TOK_COMMA)) unexpected(p, "']'", "each index has its own brackets: type a[i][j]");
    if (is(p, TOK_IN))
        unexpected(p, "']'",
                   "a range belongs to the statement: type for k in 1..N { start x[k] = 1 }");
    expect_close(p, open, NULL);
    return e;
}

/* { "[" expr "]" } after a call or a bracket */
static ast *components(parser *p, ast *e)
{
    while (is(p, TOK_LBRACKET)) {
        span op_at = span_of(p, p->at);
        ast *index = index_in_brackets(p);
        e = with_args(p, node(p, AST_COMPONENT, e->at.start, op_at), e, index);
    }
    return e;
}

/* `if(x = 1, ...)`: with the message it goes on as a comparison */
static ast *argument(parser *p)
{
    int  start = p->at->start;
    ast *e = parse_expr(p);
    if (!is(p, TOK_ASSIGN)) return e;
    complain(p, span_of(p, p->at), "type '=='", "'=' in an expression: equality is '=='");
    span op_at = span_of(p, p->at++);
    ast *right = sum(p);
    ast *both = with_args(p, node(p, AST_COMPARE, start, op_at), e, right);
    both->compare = CMP_EQ;
    return both;
}

/* The span of a bracketed expression holds its brackets. */
static ast *bracketed(parser *p)
{
    const token *open = p->at++;
    enter(p);
    ast *e = argument(p);
    leave(p);
    if (is(p, TOK_COMMA))
        unexpected(
            p, "')'",
            "a list of arguments needs a function's name before it; a vector is written [x, y, z]");
    expect_close(p, open, NULL);
    e->at = span_since(p, open->start);
    return prime(p, components(p, e));
}

/* call       = NAME "(" [ expr { "," expr } ] ")" */
static ast *call(parser *p)
{
    const token *word = p->at;
    int          mark = p->operands.n;
    p->at += 2;
    enter(p);
    if (!is(p, TOK_RPAREN)) push(p, argument(p), false);
    while (p->operands.n > mark && got(p, TOK_COMMA)) push(p, argument(p), false);
    leave(p);
    expect_close(p, word + 1, NULL);
    ast *e = take_operands(p, node(p, AST_CALL, word->start, span_of(p, word)), mark, false);
    e->word = word->word;
    e = components(p, e);
    if (is(p, TOK_PRIME))
        fail_at(p, span_of(p, p->at), mem_printf(p->m, "type (%s(...))'", word->word),
                "a prime after a function");
    return e;
}

/* sum(k in 1..N: term), where a comma is taken for the colon, with a message. */
static ast *indexed_sum(parser *p)
{
    const token *word = p->at;
    ast         *e = mem_array(p->m, 1, ast);
    p->at += 2;
    enter(p);
    e->index = parse_indices(p, &e->indices);
    expect_instead(p, TOK_COLON, TOK_COMMA, "type sum(k in 1..N: term)");
    ast *body = argument(p);
    leave(p);
    expect_close(p, word + 1, NULL);
    e->kind = AST_SUM, e->at = span_since(p, word->start), e->op_at = span_of(p, word);
    return with_args(p, e, body, NULL);
}

static ast *number(parser *p)
{
    const token *t = p->at++;
    ast         *e = node(p, AST_NUMBER, t->start, span_of(p, t));
    e->number = t->number;
    return e;
}

/* list       = "[" expr { "," expr } "]" */
static ast *list(parser *p)
{
    const token *open = p->at++;
    int          mark = p->operands.n;
    enter(p);
    do push(p, parse_expr(p), false);
    while (got(p, TOK_COMMA));
    leave(p);
    expect_close(p, open, "values of a list are separated by ','");
    return take_operands(p, node(p, AST_LIST, open->start, span_of(p, open)), mark, false);
}

/* primary    = NUMBER | list | "sum" "(" indices ":" expr ")" | call { "[" expr "]" }
 *            | path [ "'" ] | "(" expr ")" { "[" expr "]" } [ "'" ] */
static ast *primary(parser *p)
{
    bool calls = p->at->kind == TOK_NAME && p->at[1].kind == TOK_LPAREN;
    if (is(p, TOK_NUMBER)) return number(p);
    if (calls && is_word(p->at, "sum")) return indexed_sum(p);
    if (calls) return call(p);
    if (is(p, TOK_NAME)) return prime(p, parse_path(p));
    if (is(p, TOK_LPAREN)) return bracketed(p);
    if (is(p, TOK_LBRACKET)) return list(p);
    unexpected(p, "an expression",
               is(p, TOK_STRING)                  ? "a unit follows the name that is declared"
               : is(p, TOK_LBRACE)                ? "expressions use round brackets ( )"
               : is(p, TOK_FREE) || is(p, TOK_IN) ? "it is a reserved word"
                                                  : NULL);
}

/* NAME { "[" expr "]" } */
static void step(parser *p)
{
    const token *word = expect_name(p, "a name", NULL);
    int          mark = p->operands.n;
    while (is(p, TOK_LBRACKET)) push(p, index_in_brackets(p), false);
    ast indices = {0};
    take_operands(p, &indices, mark, false);
    vec_push(p->m, p->steps, (ast_step){word->word, span_of(p, word), indices.arg, indices.n});
}

/* path       = NAME { "[" expr "]" } { "." NAME { "[" expr "]" } } */
ast *parse_path(parser *p)
{
    int start = p->at->start, mark = p->steps.n;
    do step(p);
    while (got(p, TOK_DOT));
    ast *e = node(p, AST_PATH, start, span_since(p, start));
    e->steps = p->steps.n - mark;
    e->step = mem_array(p->m, e->steps, ast_step);
    memcpy(e->step, p->steps.at + mark, (size_t)e->steps * sizeof(ast_step));
    p->steps.n = mark;
    return e;
}

/* "p" "(" path ")" | path, and of starts ( "spin" | "bodyspin" ) "(" path ")" */
static ast *momentum_or_path(parser *p, bool spins)
{
    const token *word = p->at;
    const bool   spin = is_word(word, "spin") || is_word(word, "bodyspin");
    const bool   call = is_word(word, "p") || (spins && spin);
    if (!call || word[1].kind != TOK_LPAREN) return parse_path(p);
    p->at += 2;
    ast *path = parse_path(p);
    expect_close(p, word + 1, mem_printf(p->m, "type %s(x)", word->word));
    ast *e = with_args(p, node(p, AST_CALL, word->start, span_of(p, word)), path, NULL);
    e->word = word->word;
    return e;
}

/* state      = ( "p" | "spin" | "bodyspin" ) "(" path ")" | path [ "'" ] */
ast *parse_state(parser *p)
{
    ast *e = momentum_or_path(p, true);
    return e->kind == AST_PATH ? prime(p, e) : e;
}

/* column     = "p" "(" path ")" { "[" expr "]" } | path */
ast *parse_column(parser *p)
{
    ast *e = momentum_or_path(p, false);
    return e->kind == AST_PATH ? e : components(p, e);
}

/* range      = expr ".." expr */
void parse_range(parser *p, ast_index *index)
{
    index->low = parse_expr(p);
    expect(p, TOK_DOTS, "a range has two ends: 1..N");
    index->high = parse_expr(p);
}

/* indices    = NAME "in" range { "," NAME "in" range } */
ast_index *parse_indices(parser *p, int *count)
{
    vec(ast_index) found = {0};
    do {
        /* sum(k in 1..N, term): the comma stands for the colon */
        if (found.n && (p->at[0].kind != TOK_NAME || p->at[1].kind != TOK_IN)) {
            p->at--;
            break;
        }
        const token *word = expect_name(p, "the name of an index", "type 'k in 1..N'");
        ast_index    index = {word->word, span_of(p, word), NULL, NULL};
        expect_instead(p, TOK_IN, TOK_ASSIGN, "type 'k in 1..N'");
        parse_range(p, &index);
        vec_push(p->m, found, index);
    } while (got(p, TOK_COMMA));
    *count = found.n;
    return vec_keep(p->m, found, ast_index);
}
