/* bench.h - for tests of the language: a model made from a text, and its elements evaluated at a
 * point. */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "check.h"

#include "lang/load.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    mem       m;
    jmp_buf   full;
    diags     ds;
    model    *md;
    values    v;
    overrides over;
    source    set[4], start[4], columns;
} bench;

static inline void bench_open(bench *b)
{
    *b = (bench){0};
    mem_init(&b->m, mem_heap_default());
    diags_init(&b->ds, &b->m);
    b->m.guard = &b->full;
    if (setjmp(b->full)) fail_msg("out of memory");
}

static inline void bench_close(bench *b)
{
    model_free(b->md);
    mem_free(&b->m);
}

static inline source option(const char *flag, const char *words)
{
    return (source){flag, words, strlen(words)};
}

static inline void print_messages(bench *b)
{
    text out = text_new(&b->m);
    diags_print(&b->ds, &out, false);
    print_error("%s", text_str(&out));
}

static inline dal_status load(bench *b, const char *words)
{
    load_request rq = {
        .file = "test.dal", .text = words, .length = strlen(words), .over = &b->over};
    model_free(b->md);
    return model_load(mem_heap_default(), &b->ds, &rq, &b->md);
}

static inline dal_status evaluate(bench *b)
{
    return b->md->by->evaluate(b->md, &b->over, &b->ds, &b->m, &b->v);
}

/* Loads and evaluates; anything that is said is a failure. */
static inline void make(bench *b, const char *words)
{
    bench_open(b);
    bool bad = load(b, words) || evaluate(b);
    if (!bad && !b->ds.list.n) return;
    print_messages(b);
    fail();
}

/* A state at which elements are evaluated; q, v, p, lam, energies of up to 64 entries. */
typedef struct {
    double t, input[8], q[64], v[64], p[64], lam[64], energy[64];
} point;

static inline point some_point(void)
{
    point x = {.t = 0.7};
    for (int i = 0; i < 64; i++) {
        x.q[i] = 0.3 + 0.11 * i - 0.007 * i * i, x.v[i] = -0.4 + 0.17 * i, x.p[i] = 0.9 - 0.05 * i;
        x.lam[i] = 2 + i, x.energy[i] = 100 + i;
    }
    for (int i = 0; i < 8; i++) x.input[i] = 5 + i;
    return x;
}

static inline double slot_value(const bench *b, const slot *s, int k, const point *x)
{
    int i = slot_index(s, k);
    switch (s->kind) {
    case SLOT_TIME: return x->t;
    case SLOT_DATA: return b->md->data.at[i];
    case SLOT_PARAMETER: return b->v.parameter[i];
    case SLOT_INPUT: return x->input[i];
    case SLOT_Q: return x->q[i];
    case SLOT_V: return x->v[i];
    case SLOT_P: return x->p[i];
    case SLOT_MULTIPLIER: return x->lam[i];
    default: return x->energy[i];
    }
}

/* The sum of all roots of a kind; target < 0: of all targets. */
static inline double total(bench *b, element_kind kind, int target, const point *x)
{
    double sum = 0;
    for (int i = 0; i < b->md->elements.n; i++) {
        const element *e = &b->md->elements.at[i];
        double        *vars = mem_array(&b->m, e->slots, double),
               *scratch = mem_array(&b->m, e->g.nodes.n, double);
        for (int k = 0; e->kind == kind && k < e->instances; k++) {
            for (int j = 0; j < e->slots; j++) vars[j] = slot_value(b, &e->slot[j], k, x);
            for (int r = 0; r < e->roots; r++)
                if (target < 0 || slot_index(&e->target[r], k) == target)
                    sum += expr_eval(&e->g, e->root[r], vars, scratch);
        }
    }
    return sum;
}

static inline int count_elements(const bench *b, element_kind kind, int *instances)
{
    int n = 0;
    *instances = 0;
    for (int i = 0; i < b->md->elements.n; i++)
        if (b->md->elements.at[i].kind == kind) n++, *instances += b->md->elements.at[i].instances;
    return n;
}

static inline int coordinate(const bench *b, const char *path)
{
    int i = -1;
    if (!model_find(b->md, path, MEMBER_COORDINATE, &i)) fail_msg("no coordinate %s", path);
    return i;
}

static inline int output(const bench *b, const char *path)
{
    int i = -1;
    if (!model_find(b->md, path, MEMBER_OUTPUT, &i)) fail_msg("no output %s", path);
    return i;
}

#endif
