/* sums.c - from which end the terms of a sum are added.
 *
 * From the left, sums share their beginnings: x1 + x2 is computed once for x1 + x2 + x3 and x1 + x2
 * + x4. Where a longer end than beginning is shared, as by the sums over all k >= i in derivatives
 * of sums over k <= i, the terms are added from the right. Beginnings and ends are compared by
 * their hashes: a collision costs an operation, never a wrong sum. */
#include "kernel/program.h"

#include <string.h>

enum { SHORTEST = 3 }; /* two terms are one addition in either order */

typedef struct {
    uint64_t *key; /* 0: free                                     */
    uint8_t  *met; /* how often, up to 2                           */
    size_t    room;
} tally;

/* Where the key is, or would be. */
static size_t place_of(const tally *t, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 32) & (t->room - 1);
    while (t->key[at] && t->key[at] != key) at = (at + 1) & (t->room - 1);
    return at;
}

static void count(tally *t, uint64_t key)
{
    size_t at = place_of(t, key);
    t->key[at] = key;
    if (t->met[at] < 2) t->met[at]++;
}

/* Hash of the terms up to the next one, taken from the left or from the right. */
static uint64_t lengthen(uint64_t hash, expr term)
{
    hash = (hash ^ (uint64_t)(uint32_t)term) * 0x9e3779b97f4a7c15u;
    return (hash ^ hash >> 29) | 1;
}

static const uint64_t from_end[2] = {0x51ed270b, 0x2545f491};

/* The i-th term from that end. */
static expr term_at(const expr *term, int n, int i, bool right)
{
    return term[right ? n - 1 - i : i];
}

/* Beginnings of two terms and more, from either end. */
static void count_ends(tally *t, const expr *term, int n)
{
    for (int right = 0; right < 2; right++) {
        uint64_t hash = lengthen(from_end[right], term_at(term, n, 0, right));
        for (int i = 1; i < n; i++) count(t, hash = lengthen(hash, term_at(term, n, i, right)));
    }
}

/* Terms from one end that some other sum has too. */
static int shared(const tally *t, const expr *term, int n, bool right)
{
    uint64_t hash = lengthen(from_end[right], term_at(term, n, 0, right));
    int      most = 1;
    for (int i = 1; i < n; i++) {
        hash = lengthen(hash, term_at(term, n, i, right));
        if (t->met[place_of(t, hash)] < 2) break;
        most = i + 1;
    }
    return most;
}

static bool is_long(const expr_node *node)
{
    return node->op == OP_ADD && node->n >= SHORTEST;
}

/* Sums of fewer than three terms are never turned. */
uint8_t *sums_from_right(mem *m, const graph *g)
{
    size_t   terms = 0;
    tally    t = {.room = 64};
    uint8_t *right = mem_resize(m, NULL, (size_t)g->nodes.n + 1);
    memset(right, 0, (size_t)g->nodes.n + 1);
    for (expr e = 0; e < g->nodes.n; e++)
        if (is_long(&g->nodes.at[e])) terms += (size_t)g->nodes.at[e].n;
    if (!terms) return right;
    while (t.room < 4 * terms) t.room *= 2;
    t.key = mem_resize(m, NULL, t.room * sizeof *t.key);
    t.met = mem_resize(m, NULL, t.room);
    memset(t.key, 0, t.room * sizeof *t.key), memset(t.met, 0, t.room);
    for (expr e = 0; e < g->nodes.n; e++) {
        const expr_node *node = &g->nodes.at[e];
        if (is_long(node)) count_ends(&t, g->args.at + node->first, node->n);
    }
    for (expr e = 0; e < g->nodes.n; e++) {
        const expr_node *node = &g->nodes.at[e];
        const expr      *args = g->args.at + node->first;
        if (is_long(node))
            right[e] = shared(&t, args, node->n, true) > shared(&t, args, node->n, false);
    }
    mem_drop(m, t.key);
    mem_drop(m, t.met);
    return right;
}
