/* expr_bench.h - a workbench for tests of expressions: a graph of what was written down, one of
 * what it simplifies to, and room for the values of either. */
#ifndef TESTS_EXPR_BENCH_H
#define TESTS_EXPR_BENCH_H

#include "check.h"
#include "expr_random.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 200000 };

typedef struct {
    mem         m;
    graph       raw, g;
    expr        x, y, z; /* in g                    */
    text        out;     /* what was printed        */
    const char *at;      /* where it is read again  */
    double      value[ROOM], other[ROOM];
    int         memo[ROOM];
} bench;

static inline int make_bench(void **state)
{
    bench *b = calloc(1, sizeof *b);
    mem_init(&b->m, mem_heap_default());
    graph_init(&b->raw, &b->m);
    graph_init(&b->g, &b->m);
    b->x = expr_var(&b->g, 0), b->y = expr_var(&b->g, 1), b->z = expr_var(&b->g, 2);
    b->out = text_new(&b->m);
    *state = b;
    return 0;
}

static inline int free_bench(void **state)
{
    mem_free(&((bench *)*state)->m);
    free(*state);
    return 0;
}

/* What an expression of the raw graph becomes, alone in the other one. */
static inline expr simplified(bench *b, expr e)
{
    expr image[RANDOM_VARS];
    graph_reset(&b->g);
    for (int i = 0; i < RANDOM_VARS; i++) image[i] = expr_var(&b->g, i);
    assert_true(b->raw.nodes.n <= ROOM);
    memset(b->memo, 0xff, sizeof(int) * (size_t)b->raw.nodes.n);
    return expr_import(&b->g, &b->raw, e, image, b->memo);
}

static inline expr random_simplified(bench *b, int seed, const expr_op *ops, int count, int depth)
{
    rng r = rng_new(seed);
    graph_reset(&b->raw);
    return simplified(b, random_expr(&b->raw, &r, ops, count, depth));
}

#define bench_test(f) cmocka_unit_test_setup_teardown(f, make_bench, free_bench)

#endif
