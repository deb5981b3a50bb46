/* linear_run.h - for tests of large linear systems: they are factored once per step length, take
 * one solve per step, and move as the general code to roundoff, with the same bits on any number of
 * threads and after a resume. */
#ifndef TESTS_LINEAR_RUN_H
#define TESTS_LINEAR_RUN_H

#include "api_run.h"
#include "native.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text, *scheme, *summation, *interconnection, *solver;
    bool        rough; /* predictions are no good, and every step is refined */
} linear_row;

typedef struct {
    const linear_row *row;
    int               rows;
} linear_list;

enum { LINEAR_STEPS = 30 };

/* Only those by midpoint with all relations taken out go in passes, which are worth compiling. */
static inline bool in_passes(const linear_row *r)
{
    return !strcmp(r->interconnection, "eliminate") && strcmp(r->scheme, "gauss(2)") != 0;
}

static inline run begin_linear(const linear_row *r, const char *backend, const char *threads,
                               const char *solver)
{
    const setting set[] = {
        {"scheme", r->scheme}, {"summation", r->summation}, {"interconnection", r->interconnection},
        {"backend", backend},  {"threads", threads},        {"step", "0.05"},
        {"until", "1.52"},     {"solver", solver},          {0}};
    return begin_text(r->text, set);
}

static inline void go(run *r, int steps)
{
    for (int k = 0; k < steps; k++) assert_int_equal(DAL_OK, dal_step(r->s));
}

static inline void assert_same_bits(run *a, run *b, int k)
{
    const size_t bytes = dal_size(a->s) * sizeof(double);
    if (memcmp(dal_q(a->s), dal_q(b->s), bytes)) print_error("row %d\n", k);
    assert_memory_equal(dal_q(a->s), dal_q(b->s), bytes);
    assert_memory_equal(dal_p(a->s), dal_p(b->s), bytes);
    assert_true(dal_summarise(a->s)->work == dal_summarise(b->s)->work);
}

static inline void linear_chains_move_as_the_whole(const linear_list *of, const char *backend)
{
    for (int k = 0; k < of->rows; k++) {
        run whole = begin_linear(&of->row[k], "vm", "1", of->row[k].solver),
            quick = begin_linear(&of->row[k], backend, "1", "auto");
        size_t n = dal_size(whole.s);
        assert_true(dal_summarise(quick.s)->is_linear);
        for (int i = 1; i <= LINEAR_STEPS; i++) {
            go(&whole, 1), go(&quick, 1);
            const double tolerance = (of->row[k].rough ? 400 : 8) * DBL_EPSILON * i;
            if (!(apart_relatively(dal_q(whole.s), dal_q(quick.s), n) < tolerance))
                print_error("row %d, step %d\n", k, i);
            assert_true(apart_relatively(dal_q(whole.s), dal_q(quick.s), n) < tolerance);
        }
        assert_true(apart_relatively(dal_p(whole.s), dal_p(quick.s), n) < 1e-12);
        end(&whole), end(&quick);
    }
}

static inline void they_move_as_the_general_way_does(void **state)
{
    linear_chains_move_as_the_whole(*state, "vm");
    linear_chains_move_as_the_whole(*state, "native");
}

/* `until` is no multiple of the step: the last one is shorter. */
static inline void threads_change_no_bit(void **state)
{
    const linear_list *of = *state;
    for (int k = 0; k < of->rows; k++) {
        if (!in_passes(&of->row[k])) continue;
        run by[] = {begin_linear(&of->row[k], "vm", "1", "auto"),
                    begin_linear(&of->row[k], "vm", "2", "auto"),
                    begin_linear(&of->row[k], "native", "1", "auto"),
                    begin_linear(&of->row[k], "native", "2", "auto")};
        for (int j = 0; j < 4; j++) assert_int_equal(DAL_OK, dal_run(by[j].s, NULL));
        for (int j = 0; j < 4; j += 2) assert_same_bits(&by[j], &by[j + 1], k);
        for (int j = 0; j < 4; j++) end(&by[j]);
    }
}

static inline void a_step_is_one_solve_once_there_is_a_past(void **state)
{
    const linear_list *of = *state;
    for (int k = 0; k < of->rows; k++) {
        run r = begin_linear(&of->row[k], in_passes(&of->row[k]) ? "native" : "vm", "1", "auto");
        go(&r, 10);
        const long before = dal_summarise(r.s)->newton_iterations;
        go(&r, 10);
        const long solves = dal_summarise(r.s)->newton_iterations - before;
        const long curves = strcmp(of->row[k].scheme, "compose(midpoint, yoshida(4))") ? 10 : 30;
        if (of->row[k].rough) assert_true(solves > curves && solves <= 2 * curves);
        else assert_int_equal(curves, solves);
        end(&r);
    }
}

static inline void a_resumed_run_goes_on_with_the_same_bits(void **state)
{
    const linear_list *of = *state;
    for (int k = 0; k < of->rows; k++) {
        const char *by = in_passes(&of->row[k]) ? "native" : "vm";
        run         all = begin_linear(&of->row[k], by, "1", "auto"),
            half = begin_linear(&of->row[k], by, "1", "auto");
        run             rest = {.cx = dal_context_new(NULL)};
        const void     *bytes;
        size_t          length;
        dal_checkpoint *kept;
        go(&all, 20), go(&half, 9);
        assert_int_equal(DAL_OK, dal_sim_save_to_memory(half.s, &bytes, &length));
        assert_int_equal(DAL_OK, dal_checkpoint_parse(rest.cx, bytes, length, &kept));
        assert_int_equal(DAL_OK, dal_checkpoint_resume(kept, &rest.m, &rest.s));
        go(&rest, 11);
        assert_same_bits(&all, &rest, k);
        dal_checkpoint_free(kept);
        end(&all), end(&half), end(&rest);
    }
}

/* Numbers that rows took for constants, of masses and of ties, are no more what they were. */
static inline void check_number_may_change(const linear_row *r, const char *name, double other)
{
    run a = begin_linear(r, "native", "1", "auto"), b = begin_linear(r, "vm", "1", r->solver);
    for (int j = 0; j < 3; j++) {
        const double value = j == 1 ? other : 1;
        assert_int_equal(DAL_OK, dal_set_parameter(a.s, name, value));
        assert_int_equal(DAL_OK, dal_set_parameter(b.s, name, value));
        go(&a, 10), go(&b, 10);
        assert_true(apart(dal_q(a.s), dal_q(b.s), dal_size(a.s)) < 1e-13);
    }
    end(&a), end(&b);
}

/* What holds of all rows. */
#define LINEAR_TESTS(of)                                                                           \
    cmocka_unit_test_prestate(they_move_as_the_general_way_does, of),                              \
        cmocka_unit_test_prestate(threads_change_no_bit, of),                                      \
        cmocka_unit_test_prestate(a_step_is_one_solve_once_there_is_a_past, of),                   \
        cmocka_unit_test_prestate(a_resumed_run_goes_on_with_the_same_bits, of)

#endif
