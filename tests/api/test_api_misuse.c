/* test_api_misuse.c - calls in a wrong order, with NULL, or after a failure: a status and a
 * sentence, and nothing else. */
#include "api_run.h"

#include <math.h>
#include <string.h>

static const char *const text_of = "system A {\n parameter k = 1\n coordinate x\n input u = 0\n"
                                   " lagrangian x'^2/2 - k/2*x^2\n force x: u\n start x = 1\n}\n";

static void begin(run *r)
{
    *r = begin_text(text_of, (const setting[]){{"step", "0.1"}, {0}});
}

/* the last message is this one */
static void said(run *r, const char *words)
{
    size_t n = dal_message_count(r->cx);
    assert_true(n > 0);
    assert_string_equal(dal_message_at(r->cx, n - 1).text, words);
    dal_messages_clear(r->cx);
}

static void an_object_that_is_null_is_invalid(void **state)
{
    (void)state;
    double     x = 0;
    FILE      *none = NULL;
    dal_model *m = NULL;
    assert_null(dal_options_new(NULL));
    assert_int_equal(dal_options_set(NULL, "step", "1"), DAL_INVALID);
    assert_int_equal(dal_model_load(NULL, "a.dal", NULL, &m), DAL_INVALID);
    assert_int_equal(dal_step(NULL), DAL_INVALID);
    assert_int_equal(dal_run(NULL, NULL), DAL_INVALID);
    assert_int_equal(dal_set_state(NULL, 0, &x, &x, NULL), DAL_INVALID);
    assert_int_equal(dal_measure(NULL, "x", &x), DAL_INVALID);
    assert_int_equal(dal_check(NULL, NULL, none), DAL_INVALID);
    assert_int_equal(dal_sweep_run(NULL, NULL), DAL_INVALID);
    assert_true(isnan(dal_time(NULL)));
    assert_null(dal_q(NULL));
    assert_null(dal_inputs(NULL, NULL));
    assert_null(dal_summarise(NULL));
    assert_int_equal(dal_size(NULL), 0);
    assert_int_equal(dal_model_count(NULL, DAL_COORDINATES), 0);
    assert_int_equal(dal_message_count(NULL), 0);
    dal_row(NULL, &x);
    dal_report(NULL, stderr, 0);
}

static void an_argument_that_is_null_is_named(void **state)
{
    (void)state;
    run        r;
    dal_model *m = (dal_model *)&r;
    dal_sim   *s = (dal_sim *)&r;
    double     x = 0;
    begin(&r);
    assert_int_equal(dal_options_set(r.o, NULL, "1"), DAL_INVALID);
    said(&r, "dal_options_set was called with NULL for key");
    assert_int_equal(dal_options_set(r.o, "step", NULL), DAL_INVALID);
    said(&r, "--step needs a value: --step H");
    assert_int_equal(dal_model_parse(r.cx, "a.dal", NULL, NULL, &m), DAL_INVALID);
    said(&r, "dal_model_parse was called with NULL for text");
    assert_null(m);
    assert_int_equal(dal_sim_new(NULL, r.o, &s), DAL_INVALID);
    said(&r, "dal_sim_new was called with NULL for m");
    assert_null(s);
    assert_int_equal(dal_set_input(r.s, NULL, 1), DAL_INVALID);
    said(&r, "dal_set_input was called with NULL for name");
    assert_int_equal(dal_measure(r.s, NULL, &x), DAL_INVALID);
    said(&r, "dal_measure was called with NULL for name");
    assert_int_equal(dal_sim_save(r.s, NULL), DAL_INVALID);
    said(&r, "dal_sim_save was called with NULL for path");
    assert_int_equal(dal_tangent_matrix(r.s, NULL), DAL_INVALID);
    said(&r, "dal_tangent_matrix was called with NULL for matrix");
    assert_int_equal(dal_model_find(r.m, DAL_COORDINATES, NULL), -1);
    assert_int_equal(dal_model_name(r.m, DAL_COORDINATES, 0, NULL, 5), 1);
    end(&r);
}

/* A name that is none is told with those there are. */
static void a_name_that_is_none_is_told_with_those_there_are(void **state)
{
    (void)state;
    run r;
    begin(&r);
    assert_int_equal(dal_set_input(r.s, "w", 1), DAL_INVALID);
    assert_string_equal(dal_message_at(r.cx, 0).hint, "it has u");
    said(&r, "there is no input 'w'");
    assert_int_equal(dal_set_parameter(r.s, "w", 1), DAL_INVALID);
    assert_string_equal(dal_message_at(r.cx, 0).hint, "it has k");
    end(&r);
}

static void a_text_without_a_name_is_called_text(void **state)
{
    (void)state;
    run        r;
    dal_model *m = NULL;
    begin(&r);
    assert_int_equal(dal_model_parse(r.cx, NULL, "system", NULL, &m), DAL_SYNTAX);
    assert_string_equal(dal_message_at(r.cx, 0).file, "text");
    end(&r);
}

/* A message is that of its own call, also after others that failed. */
static void messages_do_not_pile_up(void **state)
{
    (void)state;
    run    r;
    double q = 1, v = NAN;
    begin(&r);
    assert_int_equal(dal_set_state(r.s, 0, &q, &v, NULL), DAL_INVALID);
    for (int again = 0; again < 2; again++) {
        dal_messages_clear(r.cx);
        *dal_inputs(r.s, NULL) = INFINITY;
        assert_int_equal(dal_step(r.s), DAL_DIVERGED);
        const char *words = dal_message_at(r.cx, 0).text, *first = strstr(words, "not finite: ");
        assert_non_null(first);
        assert_null(strstr(first + 1, "t = "));
        assert_null(strstr(words, "at the start"));
    }
    *dal_inputs(r.s, NULL) = 0;
    assert_int_equal(dal_step(r.s), DAL_OK);
    assert_null(dal_summarise(r.s)->error);
    end(&r);
}

/* What is wrong with a sweep stays what it is when it is run again. */
static void a_sweep_that_could_not_begin_says_the_same_again(void **state)
{
    (void)state;
    run        r;
    dal_sweep *w = NULL;
    begin(&r);
    assert_int_equal(dal_sweep_new(r.m, r.o, &w), DAL_OK);
    assert_int_equal(dal_sweep_set(w, "grid", "zz=1..3"), DAL_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(dal_sweep_run(w, NULL), DAL_INVALID);
        said(&r, "unknown name 'zz'");
    }
    assert_int_equal(dal_sweep_member(w, 0).status, DAL_INVALID);
    dal_sweep_free(w);
    end(&r);
}

static void there_is_no_message_behind_the_last(void **state)
{
    (void)state;
    run r;
    begin(&r);
    assert_string_equal(dal_message_at(r.cx, 7).text, "");
    end(&r);
}

/* What an observer may not do with the simulation that it was called for. */
typedef struct {
    dal_checkpoint *here;
    int             refused;
} meddling;

static dal_status meddle(void *self, dal_sim *s)
{
    meddling    *of = self;
    const double x = 1, v = 0;
    of->refused += dal_step(s) == DAL_INVALID;
    of->refused += dal_advance(s, 3) == DAL_INVALID;
    of->refused += dal_run(s, NULL) == DAL_INVALID;
    of->refused += dal_set_state(s, 0, &x, &v, NULL) == DAL_INVALID;
    of->refused += dal_sim_restore(s, of->here) == DAL_INVALID;
    return dal_set_parameter(s, "k", 2); /* which it may */
}

static void an_observer_does_not_move_what_it_watches(void **state)
{
    (void)state;
    run         r = begin_text(text_of, (const setting[]){{"step", "0.1"}, {"steps", "5"}, {0}});
    meddling    of = {0};
    const void *bytes;
    size_t      length;
    must(&r, dal_sim_save_to_memory(r.s, &bytes, &length));
    must(&r, dal_checkpoint_parse(r.cx, bytes, length, &of.here));
    must(&r, dal_run(r.s, &(dal_observer){.step = meddle, .self = &of}));
    assert_int_equal(of.refused, 25);
    assert_int_equal(dal_steps(r.s), 5);
    said(&r, "dal_sim_restore was called while the simulation runs");
    must(&r, dal_sim_restore(r.s, of.here)); /* afterwards it may */
    must(&r, dal_step(r.s));
    dal_checkpoint_free(of.here);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_that_is_null_is_invalid),
        cmocka_unit_test(an_argument_that_is_null_is_named),
        cmocka_unit_test(a_name_that_is_none_is_told_with_those_there_are),
        cmocka_unit_test(a_text_without_a_name_is_called_text),
        cmocka_unit_test(messages_do_not_pile_up),
        cmocka_unit_test(a_sweep_that_could_not_begin_says_the_same_again),
        cmocka_unit_test(there_is_no_message_behind_the_last),
        cmocka_unit_test(an_observer_does_not_move_what_it_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
