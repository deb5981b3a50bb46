/* chain_run.h - for tests of chains in partitions: some steps of a model, with a given back end,
 * number of threads and solver; and what must hold whatever those are. */
#ifndef TESTS_CHAIN_RUN_H
#define TESTS_CHAIN_RUN_H

#include "api_run.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_STEPS = 7 }; /* four of them tell where the next begins */

typedef struct {
    const char *text, *set, *step, *summation, *solver; /* solver: of the whole */
} chain_row;

static inline run begin_chain(const chain_row *r, int steps, const char *backend,
                              const char *threads, const char *solver)
{
    const setting set[] = {{"scheme", "midpoint"},
                           {"summation", r->summation},
                           {"backend", backend},
                           {"threads", threads},
                           {"step", r->step},
                           {"steps", "7"},
                           {"solver", solver},
                           {"set", r->set},
                           {0}};
    run           b = begin_text(r->text, set);
    for (int i = 0; i < steps; i++) must(&b, dal_step(b.s));
    return b;
}

/* To a few units in the last place of the largest number. */
static inline void chain_moves_as_the_whole(const chain_row *r, const char *backend)
{
    run whole = begin_chain(r, CHAIN_STEPS, "vm", "1", r->solver),
        partitions = begin_chain(r, CHAIN_STEPS, backend, "1", "auto");
    const dal_summary *a = dal_summarise(whole.s), *b = dal_summarise(partitions.s);
    double             q = apart_relatively(dal_q(partitions.s), dal_q(whole.s), whole.n),
           p = apart_relatively(dal_p(partitions.s), dal_p(whole.s), whole.n);
    if (q > 1e-13 || p > 1e-13) print_error("%s%g, %g\n", r->text, q, p);
    assert_true(q <= 1e-13 && p <= 1e-13);
    assert_true(fabs(a->work - b->work) < 1e-11);
    assert_true(labs(a->newton_iterations - b->newton_iterations) <= 2);
    end(&whole), end(&partitions);
}

/* On any number of threads. */
static inline void chain_has_its_bits(const chain_row *r, const char *backend, const char *threads)
{
    run          first = begin_chain(r, CHAIN_STEPS, backend, "1", "auto"),
                 other = begin_chain(r, CHAIN_STEPS, backend, threads, "auto");
    const size_t bytes = first.n * sizeof(double);
    assert_memory_equal(dal_q(first.s), dal_q(other.s), bytes);
    assert_memory_equal(dal_p(first.s), dal_p(other.s), bytes);
    assert_int_equal(dal_summarise(first.s)->newton_iterations,
                     dal_summarise(other.s)->newton_iterations);
    end(&first), end(&other);
}

typedef struct {
    const chain_row *row;
    size_t           rows;
} chain_list;

static inline void chains_move_as_the_whole_does(void **state)
{
    const chain_list *of = *state;
    for (size_t k = 0; k < of->rows; k++) {
        chain_moves_as_the_whole(&of->row[k], "vm");
        chain_moves_as_the_whole(&of->row[k], "native");
    }
}

static inline void threads_change_no_bit(void **state)
{
    const chain_list *of = *state;
    for (size_t k = 0; k < of->rows; k++) {
        chain_has_its_bits(&of->row[k], "vm", "2");
        chain_has_its_bits(&of->row[k], "native", "3");
    }
}

static inline int run_chains(const chain_row *row, size_t rows)
{
    chain_list              of = {row, rows};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(chains_move_as_the_whole_does, &of),
        cmocka_unit_test_prestate(threads_change_no_bit, &of),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}

#endif
