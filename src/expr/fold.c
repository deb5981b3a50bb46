/* fold.c - an expression as one would write it: what has a name goes by it, also among further
 * factors or terms; a factor that all terms of a sum share stands before it; factors stand in the
 * order of papers. The value is the same, but not in every bit: it is for the eye alone.
 *
 * A product is compared leaf by leaf and a sum term by term, so x = l sin(a) is found in
 * sin(a) m l, and x + y in 2 y + z + 2 x. */
#include "expr/fold.h"

#include <math.h>
#include <string.h>

enum { LEAVES_MOST = 32 };

/* coefficient times a product of leaves, none of which is a product or a constant */
typedef struct {
    double coefficient;
    int    n;
    expr   leaf[LEAVES_MOST];
} product;

/* Products. ------------------------------------------------------------------------------------ */

/* Takes e apart; false: it has too many leaves. With `memo`, leaves are what was made of them. */
static bool take_apart(const graph *g, expr e, const int *memo, product *out)
{
    expr todo[LEAVES_MOST + 2] = {e};
    *out = (product){.coefficient = 1};
    for (int n = 1; n > 0;) {
        const expr       x = todo[--n];
        const expr_node *node = node_of(g, x);
        if (node->op == OP_CONST) out->coefficient *= node->value;
        else if (node->op == OP_NEG)
            out->coefficient = -out->coefficient, todo[n++] = args_of(g, x)[0];
        else if (node->op == OP_MUL && n < LEAVES_MOST)
            todo[n++] = args_of(g, x)[1], todo[n++] = args_of(g, x)[0];
        else if (node->op == OP_MUL || out->n == LEAVES_MOST) return false;
        else if (node->op == OP_POWI && node->power > 0 && out->n + node->power <= LEAVES_MOST)
            for (int i = 0; i < node->power; i++)
                out->leaf[out->n++] = memo ? memo[args_of(g, x)[0]] : args_of(g, x)[0];
        else out->leaf[out->n++] = memo ? memo[x] : x;
    }
    return true;
}

/* Leaves that were made may be products themselves. */
static bool flatten(const graph *g, product *p)
{
    product all = {.coefficient = p->coefficient}, one;
    for (int i = 0; i < p->n; i++) {
        if (!take_apart(g, p->leaf[i], NULL, &one) || all.n + one.n > LEAVES_MOST) return false;
        all.coefficient *= one.coefficient;
        memcpy(all.leaf + all.n, one.leaf, (size_t)one.n * sizeof(expr));
        all.n += one.n;
    }
    *p = all;
    return true;
}

static int find_leaf(const product *p, expr leaf)
{
    for (int i = 0; i < p->n; i++)
        if (p->leaf[i] == leaf) return i;
    return -1;
}

static void remove_leaf(product *p, int at)
{
    memmove(p->leaf + at, p->leaf + at + 1, (size_t)(--p->n - at) * sizeof(expr));
}

/* p without the leaves of `part`; false: it does not have them all. */
static bool divide(product *p, const product *part)
{
    product left = *p;
    for (int i = 0; i < part->n; i++) {
        const int at = find_leaf(&left, part->leaf[i]);
        if (at < 0) return false;
        remove_leaf(&left, at);
    }
    left.coefficient /= part->coefficient;
    *p = left;
    return true;
}

/* Numbers, parameters, variables, functions, then what stands in brackets. */
static int place_of(const folding *f, expr e)
{
    const expr_node *node = node_of(f->g, e);
    if (node->op == OP_POWI || node->op == OP_POW) return place_of(f, args_of(f->g, e)[0]);
    if (node->op == OP_VAR) return f->steady && f->steady(f->self, node->variable) ? 0 : 1;
    return node->op == OP_ADD ? 3 : node->op == OP_DIV ? 4 : 2;
}

static bool comes_first(const folding *f, expr a, expr b)
{
    const int x = place_of(f, a), y = place_of(f, b);
    if (x != y || x) return x < y;
    return a < b; /* parameters in one order everywhere */
}

static void sort_leaves(const folding *f, product *p)
{
    for (int i = 1, j; i < p->n; i++) {
        const expr x = p->leaf[i];
        for (j = i; j > 0 && comes_first(f, x, p->leaf[j - 1]); j--) p->leaf[j] = p->leaf[j - 1];
        p->leaf[j] = x;
    }
}

/* The next leaf that is the same; 0: none. */
static int find_behind(const product *p, int i)
{
    for (int k = i + 1; k < p->n; k++)
        if (p->leaf[k] == p->leaf[i]) return k;
    return 0;
}

/* a*(-b - c) as -a*(b + c) */
static void take_signs(const folding *f, product *p)
{
    for (int i = 0; i < p->n; i++) {
        const expr e = p->leaf[i];
        const int  n = expr_opcode(f->g, e) == OP_ADD ? node_of(f->g, e)->n : 0;
        expr       term[LEAVES_MOST];
        int        negative = 0;
        while (negative < n && is_negative(f->g, args_of(f->g, e)[negative])) negative++;
        if (!n || n > LEAVES_MOST || negative < n) continue;
        for (int k = 0; k < n; k++) term[k] = expr_neg(f->g, args_of(f->g, e)[k]);
        p->leaf[i] = graph_node(f->g, OP_ADD, term, n);
        p->coefficient = -p->coefficient;
    }
}

/* As it is written: the constant outermost, since there the printer looks for a sign. */
static expr multiply(const folding *f, product *p)
{
    expr e = EXPR_NONE;
    sort_leaves(f, p);
    for (int i = 0; i < p->n; i++) {
        expr factor = p->leaf[i];
        int  power = 1;
        for (int at; (at = find_behind(p, i)) > 0; power++) remove_leaf(p, at);
        if (power > 1) factor = graph_node_powi(f->g, factor, power);
        e = e == EXPR_NONE ? factor : graph_node(f->g, OP_MUL, (expr[]){e, factor}, 2);
    }
    if (e == EXPR_NONE) return expr_const(f->g, p->coefficient);
    if (p->coefficient == 1) return e;
    if (p->coefficient == -1) return graph_node(f->g, OP_NEG, &e, 1);
    return graph_node(f->g, OP_MUL, (expr[]){expr_const(f->g, p->coefficient), e}, 2);
}

static bool is_usable(const folding *f, int k)
{
    return !(f->defining && f->known[k].rate);
}

/* Names, the longest first; and again, since names are made of names. */
static void name_products(const folding *f, product *p)
{
    for (int k = f->n - 1; k >= 0; k--) {
        product known;
        if (!is_usable(f, k) || node_of(f->g, f->known[k].value)->op == OP_ADD) continue;
        if (!take_apart(f->g, f->known[k].value, NULL, &known) || !known.n) continue;
        if (p->n == LEAVES_MOST || !divide(p, &known)) continue;
        p->leaf[p->n++] = f->known[k].name;
        k = f->n;
    }
}

static expr fold_product(const folding *f, expr e, const int *memo)
{
    product p;
    if (!take_apart(f->g, e, memo, &p) || !flatten(f->g, &p)) return EXPR_NONE;
    name_products(f, &p);
    take_signs(f, &p);
    return multiply(f, &p);
}

/* Sums. ---------------------------------------------------------------------------------------- */

typedef struct {
    int     n;
    product term[LEAVES_MOST];
} sum;

static bool same_leaves(const product *a, const product *b)
{
    product rest = *a;
    if (a->n != b->n) return false;
    return divide(&rest, b);
}

/* A term that is a sum, behind a sign at most, adds its terms. */
static bool add_term(const graph *g, const product *term, sum *out)
{
    const bool inner = term->n == 1 && node_of(g, term->leaf[0])->op == OP_ADD;
    const int  n = inner && fabs(term->coefficient) == 1 ? node_of(g, term->leaf[0])->n : 0;
    if (out->n + n >= LEAVES_MOST) return false;
    if (!n) out->term[out->n++] = *term;
    for (int i = 0; i < n; i++) {
        product *to = &out->term[out->n++];
        if (!take_apart(g, args_of(g, term->leaf[0])[i], NULL, to)) return false;
        to->coefficient *= term->coefficient;
    }
    return true;
}

static bool take_terms(const graph *g, expr e, const int *memo, sum *out)
{
    const int n = node_of(g, e)->n;
    product   term;
    out->n = 0;
    for (int i = 0; i < n; i++) {
        const expr x = args_of(g, e)[i];
        if (!take_apart(g, memo ? memo[x] : x, NULL, &term) || !add_term(g, &term, out))
            return false;
    }
    return true;
}

static int find_term(const sum *s, const product *term)
{
    for (int i = 0; i < s->n; i++)
        if (same_leaves(&s->term[i], term)) return i;
    return -1;
}

/* s without `scale` times the terms of `part`; false: it does not have them all. */
static bool subtract(sum *s, const sum *part, double *scale)
{
    int at[LEAVES_MOST];
    for (int i = 0; i < part->n; i++) {
        at[i] = find_term(s, &part->term[i]);
        if (at[i] < 0) return false;
        const double ratio = s->term[at[i]].coefficient / part->term[i].coefficient;
        if (!i) *scale = ratio;
        if (ratio != *scale) return false;
    }
    for (int i = 0; i < part->n; i++) s->term[at[i]].n = -1;
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->term[i].n >= 0) s->term[n++] = s->term[i];
    s->n = n;
    return true;
}

/* As of products; every name that is found leaves fewer terms. */
static void name_sums(const folding *f, sum *s)
{
    for (int k = f->n - 1; k >= 0; k--) {
        sum    known;
        double scale = 1;
        if (!is_usable(f, k) || node_of(f->g, f->known[k].value)->op != OP_ADD) continue;
        if (!take_terms(f->g, f->known[k].value, NULL, &known) || known.n < 2) continue;
        if (s->n == LEAVES_MOST || !subtract(s, &known, &scale)) continue;
        s->term[s->n++] = (product){scale, 1, {f->known[k].name}};
        k = f->n;
    }
}

/* What all terms have; they keep the rest. */
static product take_common(sum *s)
{
    product common = s->term[0];
    common.coefficient = 1;
    for (int i = 0; i < common.n;) {
        bool shared = true;
        for (int k = 1; k < s->n && shared; k++)
            shared = find_leaf(&s->term[k], common.leaf[i]) >= 0;
        if (shared)
            for (int k = 0; k < s->n; k++)
                remove_leaf(&s->term[k], find_leaf(&s->term[k], common.leaf[i]));
        if (shared) i++;
        else remove_leaf(&common, i);
    }
    bool minus = common.n > 0;
    for (int k = 0; k < s->n; k++) minus &= s->term[k].coefficient < 0;
    for (int k = 0; k < s->n && minus; k++) s->term[k].coefficient *= -1;
    if (minus) common.coefficient = -1;
    return common;
}

/* Of a value that is no product: the value itself. */
static expr name_whole(const folding *f, expr e)
{
    for (int k = 0; k < f->n; k++)
        if (is_usable(f, k) && f->known[k].value == e) return f->known[k].name;
    return e;
}

/* Terms that have become sums add theirs, and like terms are one. */
static void gather(const graph *g, sum *s)
{
    sum all = {0};
    for (int i = 0; i < s->n; i++)
        if (!add_term(g, &s->term[i], &all)) return;
    s->n = 0;
    for (int i = 0; i < all.n; i++) {
        const int at = find_term(s, &all.term[i]);
        if (at < 0) s->term[s->n++] = all.term[i];
        else s->term[at].coefficient += all.term[i].coefficient;
    }
}

static expr fold_sum(const folding *f, expr e, const int *memo)
{
    sum  s;
    expr term[LEAVES_MOST] = {0};
    if (!take_terms(f->g, e, memo, &s)) return EXPR_NONE;
    name_sums(f, &s);
    product common = {.coefficient = 1};
    if (s.n > 1 && e != f->spread && !f->spread_all) common = take_common(&s);
    if (common.n) gather(f->g, &s);
    for (int i = 0; i < s.n; i++) term[i] = multiply(f, &s.term[i]);
    const expr inner = name_whole(f, s.n == 1 ? term[0] : graph_node(f->g, OP_ADD, term, s.n));
    if (!common.n && common.coefficient == 1) return inner;
    if (common.n == LEAVES_MOST) return EXPR_NONE;
    common.leaf[common.n++] = inner;
    name_products(f, &common);
    return multiply(f, &common);
}

/* All nodes. ----------------------------------------------------------------------------------- */

/* What is too long for the above stays as it is. */
static expr fold_node(const folding *f, expr e, const int *memo)
{
    const expr_node node = *node_of(f->g, e);
    expr            made = EXPR_NONE, args[3];
    if (node.op == OP_CONST || node.op == OP_VAR) return e;
    if (node.op == OP_MUL || node.op == OP_NEG) made = fold_product(f, e, memo);
    if (node.op == OP_ADD) made = fold_sum(f, e, memo);
    if (made != EXPR_NONE) return made;
    if (node.n > 3) return e;
    for (int i = 0; i < node.n; i++) args[i] = memo[args_of(f->g, e)[i]];
    return expr_apply(f->g, node.op, node.op == OP_POWI ? node.power : 0, args, node.n);
}

expr expr_fold(const folding *f, expr e, bool whole)
{
    const int n = e + 1;
    int      *memo = mem_resize(f->g->m, NULL, (size_t)n * sizeof *memo);
    bool     *needed = mem_resize(f->g->m, NULL, (size_t)n * sizeof *needed);
    memset(needed, 0, (size_t)n * sizeof *needed);
    needed[e] = true;
    for (int k = e; k >= 0; k--)
        for (int i = 0; needed[k] && i < node_of(f->g, k)->n; i++)
            needed[args_of(f->g, k)[i]] = true;
    for (int k = 0; k < n; k++) {
        if (!needed[k]) continue;
        memo[k] = fold_node(f, k, memo);
        if (k < e || whole) memo[k] = name_whole(f, memo[k]);
    }
    const expr made = memo[e];
    mem_drop(f->g->m, needed), mem_drop(f->g->m, memo);
    return made;
}
