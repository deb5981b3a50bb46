/* graph.c - nodes stored once: a hash table over one array, children first.
 *
 * Each node keeps its hash, so the table grows without reading arguments, and a graph is emptied in
 * the time it took to fill, however large its table once was. */
#include "expr/graph.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

void graph_init(graph *g, mem *m)
{
    *g = (graph){.m = m};
}

/* From each node's place on, its whole cluster is wiped: each entry once. */
void graph_reset(graph *g)
{
    unsigned mask = (unsigned)g->room - 1;
    for (int i = 0; i < g->nodes.n; i++)
        for (unsigned s = g->nodes.at[i].hash & mask; g->table[s].node != EXPR_NONE;
             s = (s + 1) & mask)
            g->table[s].node = EXPR_NONE;
    g->nodes.n = g->args.n = 0;
}

void graph_drop(graph *g)
{
    vec_drop(g->m, g->nodes);
    vec_drop(g->m, g->args);
    vec_drop(g->m, g->terms);
    vec_drop(g->m, g->stack);
    mem_drop(g->m, g->table);
    graph_init(g, g->m);
}

/* Finding and making nodes. ---------------------------------------------------------------------
 */

/* What tells a node from others: its operator, its arguments, and for leaves and powers a payload.
 */
typedef struct {
    expr_op     op;
    int         n;
    const expr *args;
    uint64_t    payload; /* bits of the constant, number of the variable, power */
} key;

/* -0 has become 0 before, so equal constants have equal bits. */
static uint64_t payload_of(const expr_node *node)
{
    uint64_t bits = 0;
    switch (node->op) {
    case OP_CONST: memcpy(&bits, &node->value, sizeof bits); break;
    case OP_VAR: bits = (uint64_t)node->variable; break;
    case OP_POWI: bits = (uint64_t)node->power; break;
    default: break;
    }
    return bits;
}

static void set_payload(expr_node *node, uint64_t bits)
{
    switch (node->op) {
    case OP_CONST: memcpy(&node->value, &bits, sizeof bits); break;
    case OP_VAR: node->variable = (int)bits; break;
    case OP_POWI: node->power = (int)bits; break;
    default: break;
    }
}

/* Arguments one by one; the upper half is the best mixed. */
static uint32_t hash_of(const key *k)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u; /* 2^64 divided by the golden ratio */
    uint64_t       h = (k->payload ^ ((uint64_t)k->op << 56)) * golden;
    h ^= h >> 29;
    for (int i = 0; i < k->n; i++) {
        h = (h ^ (uint64_t)k->args[i]) * golden;
        h ^= h >> 32;
    }
    return (uint32_t)((h * golden) >> 32);
}

/* Equal operator, arguments and payload: hashes only narrow the search. */
static bool is_node(const graph *g, const key *k, expr e)
{
    const expr_node *node = node_of(g, e);
    const expr      *args = args_of(g, e);
    if (node->op != k->op || node->n != k->n || payload_of(node) != k->payload) return false;
    for (int i = 0; i < k->n; i++)
        if (args[i] != k->args[i]) return false;
    return true;
}

/* Only for nodes that are in no place yet. */
static expr_place *first_free(const graph *g, uint32_t hash)
{
    unsigned mask = (unsigned)g->room - 1, s = hash & mask;
    while (g->table[s].node != EXPR_NONE) s = (s + 1) & mask;
    return &g->table[s];
}

/* The hashes that nodes keep suffice: no argument is read. */
static void grow(graph *g)
{
    int room = g->room ? 2 * g->room : FIRST_ROOM;
    g->table = mem_resize(g->m, g->table, (size_t)room * sizeof *g->table);
    g->room = room;
    for (int i = 0; i < room; i++) g->table[i].node = EXPR_NONE;
    for (int i = 0; i < g->nodes.n; i++)
        *first_free(g, g->nodes.at[i].hash) = (expr_place){g->nodes.at[i].hash, i};
}

/* Finite for all finite variables of moderate size. Sums, products and positive powers count as
 * finite: where they overflow, the residual rows show it. What has a pole, an edge or grows like
 * exp does not. What has an edge but no pole is at least never infinite. */
typedef enum { HAS_POLE, HAS_EDGE, IS_TAME } nature;

static nature nature_of(const graph *g, const expr_node *node, const expr *args)
{
    double c;
    switch (node->op) {
    case OP_CONST: return isfinite(node->value) ? IS_TAME : HAS_POLE;
    case OP_DIV: return expr_is_const(g, args[1], &c) && c != 0 ? IS_TAME : HAS_POLE;
    case OP_POWI: return node->power > 0 ? IS_TAME : HAS_POLE;
    case OP_POW:
    case OP_EXP:
    case OP_LOG:
    case OP_TAN:
    case OP_SINH:
    case OP_COSH: return HAS_POLE;
    case OP_SQRT:
    case OP_ASIN:
    case OP_ACOS: return HAS_EDGE;
    default: return IS_TAME;
    }
}

static bool is_condition(const expr_node *node)
{
    return node->op >= OP_LT && node->op <= OP_NOT;
}

/* A condition is 0 or 1 whatever its arguments are. */
static void set_nature(const graph *g, expr_node *node)
{
    const expr *args = g->args.at + node->first;
    nature      own = g->asking ? IS_TAME : nature_of(g, node, args);
    node->finite = own == IS_TAME, node->poleless = own != HAS_POLE;
    for (int i = 0; i < node->n && !is_condition(node); i++) {
        node->finite &= node_of(g, args[i])->finite;
        node->poleless &= node_of(g, args[i])->poleless;
    }
}

/* Field by field: copying a node just written in parts would stall. */
static expr append(graph *g, const key *k, uint32_t hash)
{
    vec_reserve(g->m, g->args, k->n);
    vec_reserve(g->m, g->nodes, 1);
    expr_node *node = &g->nodes.at[g->nodes.n];
    node->op = (uint8_t)k->op, node->n = k->n, node->first = g->args.n, node->hash = hash;
    set_payload(node, k->payload);
    for (int i = 0; i < k->n; i++) g->args.at[node->first + i] = k->args[i];
    set_nature(g, node);
    g->args.n += k->n;
    return g->nodes.n++;
}

/* At most half of the table is filled, so that searches are short. */
static expr intern(graph *g, const key *k)
{
    if (g->nodes.n >= g->room / 2) grow(g);
    uint32_t hash = hash_of(k);
    unsigned mask = (unsigned)g->room - 1, s = hash & mask;
    for (; g->table[s].node != EXPR_NONE; s = (s + 1) & mask)
        if (g->table[s].hash == hash && is_node(g, k, g->table[s].node)) return g->table[s].node;
    expr e = append(g, k, hash);
    g->table[s].hash = hash, g->table[s].node = e;
    return e;
}

expr graph_node(graph *g, expr_op op, const expr *args, int n)
{
    return intern(g, &(key){op, n, args, 0});
}

expr graph_node_powi(graph *g, expr base, int power)
{
    return intern(g, &(key){OP_POWI, 1, &base, (uint64_t)power});
}

/* -0 is stored as 0: an expression must not depend on which of both was met first. */
expr expr_const(graph *g, double value)
{
    uint64_t bits = 0;
    if (value != 0) memcpy(&bits, &value, sizeof bits);
    return intern(g, &(key){OP_CONST, 0, NULL, bits});
}

expr expr_var(graph *g, int variable)
{
    return intern(g, &(key){OP_VAR, 0, NULL, (uint64_t)variable});
}

/* Questions. ------------------------------------------------------------------------------------
 */

bool expr_is_const(const graph *g, expr e, double *value)
{
    if (node_of(g, e)->op != OP_CONST) return false;
    if (value) *value = node_of(g, e)->value;
    return true;
}

bool expr_is_zero(const graph *g, expr e)
{
    return node_of(g, e)->op == OP_CONST && node_of(g, e)->value == 0;
}

expr_op expr_opcode(const graph *g, expr e)
{
    return (expr_op)node_of(g, e)->op;
}

/* From the last root down: parents are met before their arguments, so one pass will do. */
void expr_uses(const graph *g, const expr *e, int count, uint8_t *used, int nvars)
{
    expr last = -1;
    for (int k = 0; k < count; k++) last = e[k] > last ? e[k] : last;
    uint8_t *below = mem_resize(g->m, NULL, (size_t)last + 2);
    memset(below, 0, (size_t)last + 2);
    for (int k = 0; k < count; k++) below[e[k]] = 1;
    for (expr i = last; i >= 0; i--) {
        if (!below[i]) continue;
        const expr_node *node = node_of(g, i);
        if (node->op == OP_VAR && node->variable < nvars) used[node->variable] = 1;
        for (int j = 0; j < node->n; j++) below[args_of(g, i)[j]] = 1;
    }
    mem_drop(g->m, below);
}

/* Operators on numbers. -------------------------------------------------------------------------
 */

double op_value(expr_op op, double a, double b, double c)
{
    switch (op) {
#define OP(name, arity, symbol, value, text)                                                       \
    case OP_##name:                                                                                \
        return value;
#include "expr/ops.def"
#undef OP
    default: assert(!"an operator of ops.def"); return (void)c, NAN;
    }
}

const char *op_symbol(expr_op op)
{
    static const char *const symbols[OP_COUNT] = {
        [OP_CONST] = "constant",
        [OP_VAR] = "variable",
        [OP_POWI] = "^",
#define OP(name, arity, symbol, value, text) [OP_##name] = symbol,
#include "expr/ops.def"
#undef OP
    };
    return symbols[op];
}

/* x^n by squaring, from the lowest bit of n; 1/x^-n for negative n. */
double powi_value(double x, int n)
{
    double   y = 1;
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    for (; k; k >>= 1, x *= x)
        if (k & 1) y *= x;
    return n < 0 ? 1 / y : y;
}

/* Copying between graphs. -----------------------------------------------------------------------
 */

/* Pushes what e still waits for; false if it waits for nothing. */
static bool wait_for_args(graph *g, const graph *from, expr e, const int *memo)
{
    int before = g->stack.n;
    for (int i = node_of(from, e)->n; i-- > 0;)
        if (memo[args_of(from, e)[i]] == EXPR_NONE) vec_push(g->m, g->stack, args_of(from, e)[i]);
    return g->stack.n > before;
}

/* Arguments are copied already; the operator is applied anew, so what can be simplified by now
 * is. */
static expr copy_node(graph *g, const graph *from, expr e, const expr *image, const int *memo)
{
    const expr_node *node = node_of(from, e);
    if (node->op == OP_CONST) return expr_const(g, node->value);
    if (node->op == OP_VAR) return image[node->variable];
    int base = g->stack.n;
    vec_reserve(g->m, g->stack, node->n);
    for (int i = 0; i < node->n; i++) g->stack.at[base + i] = memo[args_of(from, e)[i]];
    return expr_apply(g, (expr_op)node->op, node->op == OP_POWI ? node->power : 0,
                      g->stack.at + base, node->n);
}

/* A stack of our own, shared with copies that are under way. */
expr expr_import(graph *g, const graph *from, expr e, const expr *image, int *memo)
{
    int base = g->stack.n;
    vec_push(g->m, g->stack, e);
    while (g->stack.n > base) {
        expr top = g->stack.at[g->stack.n - 1];
        if (memo[top] == EXPR_NONE) {
            if (wait_for_args(g, from, top, memo)) continue;
            memo[top] = copy_node(g, from, top, image, memo);
        }
        g->stack.n--;
    }
    return memo[e];
}
