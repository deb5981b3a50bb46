/* test_base_thread_pool.c - every part of every call is done exactly once, before the call returns,
 * whether calls follow each other closely or the threads fall asleep in between. */
#include "base/thread_pool.h"
#include "check.h"

#include <stdlib.h>
#include <time.h>

enum { ROWS = 1000, TILE = 16, CALLS = 400 };

typedef struct {
    int passes[ROWS]; /* by rows */
    int parts;
} table;

static void pass(void *self, int part, int parts)
{
    table *t = self;
    int    from, to;
    thread_pool_range(ROWS, TILE, part, parts, &from, &to);
    for (int i = from; i < to; i++) t->passes[i]++;
    if (part == 0) t->parts = parts;
}

static void assert_done(thread_pool *c, table *t, int calls)
{
    for (int k = 0; k < calls; k++) {
        const int before = t->passes[0];
        thread_pool_work(c, pass, t);
        for (int i = 0; i < ROWS; i++) assert_int_equal(before + 1, t->passes[i]);
    }
    assert_int_equal(thread_pool_size(c), t->parts);
}

static void every_part_is_done_when_a_call_returns(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 9};
    for (int k = 0; k < 4; k++) {
        mem m;
        mem_init(&m, mem_heap_default());
        thread_pool *c = thread_pool_new(&m, threads[k]);
        table *t = mem_array(&m, 1, table);
        assert_done(c, t, CALLS / 4);
        mem_free(&m);
    }
}

/* Of two parts one is late, by turns: now the caller waits so long that it sleeps, now the hand. */
typedef struct {
    table *t;
    int    late;
} uneven;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void late_pass(void *self, int part, int parts)
{
    uneven *u = self;
    if (part == u->late) nap();
    pass(u->t, part, parts);
}

static void who_fell_asleep_is_woken(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, mem_heap_default());
    thread_pool *c = thread_pool_new(&m, 2);
    uneven u = {mem_array(&m, 1, table), 0};
    for (int k = 0; k < 60; k++) {
        u.late = k % 3; /* 2: nobody */
        thread_pool_work(c, late_pass, &u);
        for (int i = 0; i < ROWS; i++) assert_int_equal(k + 1, u.t->passes[i]);
        if (k % 4 == 0) nap();
    }
    assert_done(c, u.t, CALLS / 8);
    mem_free(&m);
}

static void without_threads_one_does_it_all(void **state)
{
    (void)state;
    table *t = calloc(1, sizeof *t);
    assert_null(thread_pool_new(NULL, 1));
    assert_done(NULL, t, 2);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_when_a_call_returns),
        cmocka_unit_test(who_fell_asleep_is_woken),
        cmocka_unit_test(without_threads_one_does_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
