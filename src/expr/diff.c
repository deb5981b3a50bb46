/* diff.c - exact derivatives as expressions: one rule per operator, used by a reverse sweep
 * (gradients) and a forward sweep (directions).
 *
 * In a plain reverse sweep the branch of an `if` that is not taken would be multiplied by zero, and
 * 0*inf is NaN. So the gradient of a choice (if, min, max) is computed first, as if(c, da, db) for
 * each variable, and the sweep over what lies above it treats the choice as a leaf of known
 * gradient. A sweep costs what lies below its root, not the whole graph. */
#include "expr/graph.h"

#include <stdlib.h>
#include <string.h>

/* The rules. ------------------------------------------------------------------------------------
 */

static bool is_choice(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    return op == OP_IF || op == OP_MIN || op == OP_MAX;
}

static bool is_flat(expr_op op) /* derivative zero wherever it exists */
{
    return op == OP_CONST || op == OP_SIGN || op == OP_FLOOR || op == OP_LT || op == OP_LE ||
           op == OP_EQ || op == OP_NE || op == OP_AND || op == OP_OR || op == OP_NOT;
}

static expr one_plus(graph *g, double factor, expr a) /* 1 + factor*a^2 */
{
    return expr_add(g, expr_const(g, 1), expr_scale(g, factor, expr_powi(g, a, 2)));
}

static expr is_zero(graph *g, expr a)
{
    return expr_op2(g, OP_EQ, a, expr_const(g, 0));
}

static expr unless(graph *g, expr condition, expr value) /* if(condition, 0, value) */
{
    return expr_if(g, condition, expr_const(g, 0), value);
}

/* d a^b / da = b a^(b-1). At a = 0 it is 0 where b turns out to be 0; elsewhere the formula stands
 * as it is, since b may vary and is differentiated again. */
static expr pow_by_base(graph *g, expr a, expr b)
{
    expr slope = expr_mul(g, b, expr_pow(g, a, expr_sub(g, b, expr_const(g, 1))));
    return unless(g, expr_op2(g, OP_AND, is_zero(g, a), is_zero(g, b)), slope);
}

/* d a^b / db = a^b log a, which tends to 0 as a does */
static expr pow_by_exponent(graph *g, expr a, expr power)
{
    return unless(g, is_zero(g, a), expr_mul(g, power, expr_op1(g, OP_LOG, a)));
}

/*     d(a/b) = da/b - (a/b) db/b, with v = a/b */
static expr chain_quotient(graph *g, expr v, int i, expr b, expr w)
{
    return i == 0 ? expr_div(g, w, b) : expr_neg(g, expr_div(g, expr_mul(g, w, v), b));
}

/* d atan2(y, x) = (x dy - y dx) / (x^2 + y^2) */
static expr chain_atan2(graph *g, expr y, expr x, int i, expr w)
{
    expr r2 = expr_add(g, expr_powi(g, x, 2), expr_powi(g, y, 2));
    return expr_div(g, expr_mul(g, w, i == 0 ? x : expr_neg(g, y)), r2);
}

/* w f'(a), in terms of v = f(a) where that is at hand: so tan, sqrt and exp cost no further
 * call. */
static expr chain1(graph *g, expr v, expr_op op, expr a, expr w)
{
    switch (op) {
    case OP_NEG: return expr_neg(g, w);
    case OP_SQRT: return expr_div(g, expr_scale(g, 0.5, w), v);
    case OP_EXP: return expr_mul(g, w, v);
    case OP_LOG: return expr_div(g, w, a);
    case OP_SIN: return expr_mul(g, w, expr_op1(g, OP_COS, a));
    case OP_COS: return expr_neg(g, expr_mul(g, w, expr_op1(g, OP_SIN, a)));
    case OP_TAN: return expr_mul(g, w, one_plus(g, 1, v));
    case OP_ASIN: return expr_div(g, w, expr_op1(g, OP_SQRT, one_plus(g, -1, a)));
    case OP_ACOS: return expr_neg(g, expr_div(g, w, expr_op1(g, OP_SQRT, one_plus(g, -1, a))));
    case OP_ATAN: return expr_div(g, w, one_plus(g, 1, a));
    case OP_SINH: return expr_mul(g, w, expr_op1(g, OP_COSH, a));
    case OP_COSH: return expr_mul(g, w, expr_op1(g, OP_SINH, a));
    case OP_TANH: return expr_mul(g, w, one_plus(g, -1, v));
    case OP_ABS: return expr_mul(g, w, expr_op1(g, OP_SIGN, a));
    default: return expr_const(g, 0);
    }
}

/* w * (d v / d its i-th argument): linear in w, for all operators but the choices */
static expr chain(graph *g, expr v, int i, expr w)
{
    expr_node   node = *node_of(g, v);
    const expr *args = args_of(g, v);
    expr        a = args[0], b = node.n > 1 ? args[1] : EXPR_NONE;
    switch (node.op) {
    case OP_ADD: return w;
    case OP_MUL: return expr_mul(g, w, i == 0 ? b : a);
    case OP_DIV: return chain_quotient(g, v, i, b, w);
    case OP_POWI: return expr_mul(g, w, expr_scale(g, node.power, expr_powi(g, a, node.power - 1)));
    case OP_POW: return expr_mul(g, w, i == 0 ? pow_by_base(g, a, b) : pow_by_exponent(g, a, v));
    case OP_ATAN2: return chain_atan2(g, a, b, i, w);
    default: return chain1(g, v, (expr_op)node.op, a, w);
    }
}

/* The condition under which a choice takes its first branch, and its branches. */
static expr choice_parts(graph *g, expr e, expr *a, expr *b)
{
    const expr *args = args_of(g, e);
    expr_op     op = expr_opcode(g, e);
    expr        x = args[0], y = args[1];
    if (op == OP_IF) {
        *a = y, *b = args[2];
        return x;
    }
    *a = x, *b = y;
    return op == OP_MIN ? expr_op2(g, OP_LE, x, y) : expr_op2(g, OP_LE, y, x);
}

/* The differentiator: which nodes depend on the variables, and gradients of choices. --------------
 */

typedef struct { /* of a gradient: d / d the variable whose node is `var` */
    expr var, slope;
} entry;

typedef struct {
    expr value;
    int  next;
} share; /* what one parent adds to the derivative by a node */

enum { UNKNOWN, PASSIVE, ACTIVE }; /* does a node depend on the variables? */
enum { UNSEEN = -2, EMPTY = -1 };  /* heads of lists of shares             */

typedef struct {
    graph   *g;
    int      limit; /* nodes that existed at the beginning; later ones are never differentiated */
    uint8_t *state;
    int     *head;   /* first share of each node in the present sweep; elsewhere UNSEEN           */
    int     *choice; /* of an active choice: its first entry; one entry of var NONE ends the list */
    vec(entry) entries;
    vec(share) shares;
    vec(expr) order, stack, sums;
    vec(entry) found; /* gradient of the present root */
} differ;

/* Variables get nodes first, so that every one of them has a place below limit. */
static void differ_init(differ *d, graph *g, const int *vars, int n)
{
    *d = (differ){.g = g};
    g->deriving = true;
    for (int k = 0; k < n; k++) expr_var(g, vars[k]);
    d->limit = g->nodes.n;
    d->state = mem_resize(g->m, NULL, (size_t)d->limit);
    d->head = mem_resize(g->m, NULL, (size_t)d->limit * sizeof(int));
    d->choice = mem_resize(g->m, NULL, (size_t)d->limit * sizeof(int));
    memset(d->state, UNKNOWN, (size_t)d->limit);
    for (int i = 0; i < d->limit; i++) d->head[i] = UNSEEN;
    for (int k = 0; k < n; k++) d->state[expr_var(g, vars[k])] = ACTIVE;
}

static void differ_drop(differ *d)
{
    mem *m = d->g->m;
    d->g->deriving = false;
    mem_drop(m, d->state);
    mem_drop(m, d->head);
    mem_drop(m, d->choice);
    vec_drop(m, d->entries);
    vec_drop(m, d->shares);
    vec_drop(m, d->order);
    vec_drop(m, d->stack);
    vec_drop(m, d->sums);
    vec_drop(m, d->found);
}

static bool is_active(const differ *d, expr e)
{
    return d->state[e] == ACTIVE;
}

/* Pushes the children of e that a sweep has to pass: arguments, or the variables of a choice. */
static void push_children(differ *d, expr e)
{
    graph *g = d->g;
    if (is_choice(g, e)) {
        for (int i = d->choice[e]; d->entries.at[i].var != EXPR_NONE; i++)
            if (d->head[d->entries.at[i].var] == UNSEEN)
                vec_push(g->m, d->stack, d->entries.at[i].var);
        return;
    }
    for (int i = node_of(g, e)->n; i-- > 0;) {
        expr a = args_of(g, e)[i];
        if (is_active(d, a) && d->head[a] == UNSEEN) vec_push(g->m, d->stack, a);
    }
}

/* Lists the active nodes below root, children first, each once. */
static void walk(differ *d, expr root)
{
    mem *m = d->g->m;
    int  base = d->stack.n;
    d->order.n = 0;
    vec_push(m, d->stack, root);
    while (d->stack.n > base) {
        int  before = d->stack.n;
        expr top = d->stack.at[before - 1];
        if (d->head[top] == UNSEEN) push_children(d, top);
        if (d->stack.n > before) continue;
        d->stack.n--;
        if (d->head[top] != UNSEEN) continue;
        d->head[top] = EMPTY;
        vec_push(m, d->order, top);
    }
}

/* Reverse sweep. --------------------------------------------------------------------------------
 */

/* Shares of a node form a list, as a node may have any number of parents. */
static void give(differ *d, expr to, expr value)
{
    vec_push(d->g->m, d->shares, (share){value, d->head[to]});
    d->head[to] = d->shares.n - 1;
}

/*     dr/de = sum over the parents of e of what each passes down */
static expr collect(differ *d, expr e)
{
    d->sums.n = 0;
    for (int s = d->head[e]; s >= 0; s = d->shares.at[s].next)
        vec_push(d->g->m, d->sums, d->shares.at[s].value);
    return expr_sum(d->g, d->sums.at, d->sums.n);
}

/* A choice passes on to the variables at once: its gradient is known (see above). */
static void pass_down(differ *d, expr e, expr w)
{
    graph *g = d->g;
    if (is_choice(g, e)) {
        for (int i = d->choice[e]; d->entries.at[i].var != EXPR_NONE; i++)
            give(d, d->entries.at[i].var, expr_mul(g, w, d->entries.at[i].slope));
        return;
    }
    for (int i = 0, n = node_of(g, e)->n; i < n; i++) {
        expr a = args_of(g, e)[i];
        if (is_active(d, a)) give(d, a, chain(g, e, i, w));
    }
}

static int compare_entries(const void *a, const void *b)
{
    const entry *s = a, *t = b;
    return (s->var > t->var) - (s->var < t->var);
}

/* Gradient of root into d->found, by number of the variable's node; zeros are left out. */
static void sweep(differ *d, expr root)
{
    graph *g = d->g;
    d->found.n = d->shares.n = 0;
    if (!is_active(d, root)) return;
    walk(d, root);
    give(d, root, expr_const(g, 1));
    for (int i = d->order.n; i-- > 0;) {
        expr e = d->order.at[i], w = collect(d, e);
        d->head[e] = UNSEEN;
        if (expr_is_zero(g, w)) continue;
        if (expr_opcode(g, e) == OP_VAR) vec_push(g->m, d->found, (entry){e, w});
        else pass_down(d, e, w);
    }
    if (d->found.n > 1) qsort(d->found.at, (size_t)d->found.n, sizeof(entry), compare_entries);
}

/* Gradients of choices, children first. ---------------------------------------------------------
 */

/* d if(c, a, b) = if(c, da, db), over the union of the variables of a and b */
static void differentiate_choice(differ *d, expr e)
{
    graph *g = d->g;
    vec(entry) first = {0};
    expr a, b, c = choice_parts(g, e, &a, &b), zero = expr_const(g, 0);
    sweep(d, a);
    for (int i = 0; i < d->found.n; i++) vec_push(g->m, first, d->found.at[i]);
    sweep(d, b);
    d->choice[e] = d->entries.n;
    /* both gradients are sorted by variable, so they are merged */
    for (int i = 0, j = 0; i < first.n || j < d->found.n;) {
        entry s = i < first.n ? first.at[i] : (entry){d->limit, zero};
        entry t = j < d->found.n ? d->found.at[j] : (entry){d->limit, zero};
        expr  var = s.var < t.var ? s.var : t.var;
        expr  da = s.var == var ? s.slope : zero, db = t.var == var ? t.slope : zero;
        i += s.var == var, j += t.var == var;
        vec_push(g->m, d->entries, (entry){var, expr_if(g, c, da, db)});
    }
    vec_push(g->m, d->entries, (entry){EXPR_NONE, zero});
    vec_drop(g->m, first);
}

/* The condition of an `if` does not count: where it changes, there is no derivative. */
static bool depends(const differ *d, expr e)
{
    const expr_node *node = node_of(d->g, e);
    const expr      *args = args_of(d->g, e);
    if (is_flat((expr_op)node->op)) return false;
    for (int i = node->op == OP_IF; i < node->n; i++)
        if (is_active(d, args[i])) return true;
    return false;
}

/* Determines the state of all nodes below root, and the gradients of the choices among them. */
static void prepare(differ *d, expr root, bool choices)
{
    graph *g = d->g;
    int    base = d->stack.n;
    vec_push(g->m, d->stack, root);
    while (d->stack.n > base) {
        int  before = d->stack.n;
        expr top = d->stack.at[before - 1];
        for (int i = d->state[top] == UNKNOWN ? node_of(g, top)->n : 0; i-- > 0;)
            if (d->state[args_of(g, top)[i]] == UNKNOWN)
                vec_push(g->m, d->stack, args_of(g, top)[i]);
        if (d->stack.n > before) continue;
        d->stack.n--;
        if (d->state[top] != UNKNOWN) continue;
        d->state[top] = depends(d, top) ? ACTIVE : PASSIVE;
        if (choices && is_active(d, top) && is_choice(g, top)) differentiate_choice(d, top);
    }
}

/* What the header offers. -----------------------------------------------------------------------
 */

/* A gradient is found sparse; columns of one variable that is asked for twice get the same
 * entry. */
void expr_hessian(graph *g, const expr *roots, int n, const int *vars, int k, expr *out)
{
    differ d;
    differ_init(&d, g, vars, k);
    expr zero = expr_const(g, 0);
    int *column = mem_resize(g->m, NULL, (size_t)d.limit * sizeof(int));
    for (int j = k; j-- > 0;) column[expr_var(g, vars[j])] = j;
    for (int i = 0; i < n; i++) {
        expr *row = out + (size_t)i * (size_t)k;
        prepare(&d, roots[i], true);
        sweep(&d, roots[i]);
        for (int j = 0; j < k; j++) row[j] = zero;
        for (int j = 0; j < d.found.n; j++) row[column[d.found.at[j].var]] = d.found.at[j].slope;
        for (int j = 0; j < k; j++) row[j] = row[column[expr_var(g, vars[j])]];
    }
    mem_drop(g->m, column);
    differ_drop(&d);
}

void expr_gradient(graph *g, expr e, const int *vars, int n, expr *out)
{
    expr_hessian(g, &e, 1, vars, n, out);
}

/* Forward sweep: the tangent of a node is the sum of its arguments' tangents by the chain rule. */
static expr tangent_of(differ *d, expr e, const expr *tangent)
{
    graph *g = d->g;
    if (is_choice(g, e)) {
        expr a, b, c = choice_parts(g, e, &a, &b), zero = expr_const(g, 0);
        return expr_if(g, c, is_active(d, a) ? tangent[a] : zero,
                       is_active(d, b) ? tangent[b] : zero);
    }
    d->sums.n = 0;
    for (int i = 0, n = node_of(g, e)->n; i < n; i++) {
        expr a = args_of(g, e)[i];
        if (is_active(d, a) && !expr_is_zero(g, tangent[a]))
            vec_push(g->m, d->sums, chain(g, e, i, tangent[a]));
    }
    return expr_sum(g, d->sums.at, d->sums.n);
}

expr expr_along(graph *g, expr e, const int *vars, const expr *direction, int n)
{
    differ d;
    differ_init(&d, g, vars, n);
    prepare(&d, e, false);
    expr  result = expr_const(g, 0);
    expr *tangent = d.choice; /* no gradients of choices here: the room is free */
    for (int k = 0; k < n; k++) tangent[expr_var(g, vars[k])] = direction[k];
    /* children first: every tangent that is needed is there */
    for (expr i = 0; i <= e; i++)
        if (is_active(&d, i) && expr_opcode(g, i) != OP_VAR)
            tangent[i] = tangent_of(&d, i, tangent);
    if (is_active(&d, e)) result = tangent[e];
    differ_drop(&d);
    return result;
}
