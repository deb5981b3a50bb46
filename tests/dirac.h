/* dirac.h - models of tests/dirac, or of examples, run through the public header. */
#ifndef TESTS_DIRAC_H
#define TESTS_DIRAC_H

#include "check.h"
#include "dalembert.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} trial;

/* Options are words "key=value", the value up to a blank; a key alone is a switch. '~' in a value
 * stands for a blank, as in polynomial(2)~with~gauss(3). */
static inline void trial_options(trial *t, const char *words)
{
    char text[4096];
    assert_true(strlen(words) < sizeof text);
    strcpy(text, words);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (value) *value++ = 0;
        for (char *c = value; c && *c; c++)
            if (*c == '~') *c = ' ';
        assert_int_equal(dal_options_set(t->o, word, value), DAL_OK);
    }
}

static inline void trial_open(trial *t, const char *options)
{
    *t = (trial){.cx = dal_context_new(NULL)};
    t->o = dal_options_new(t->cx);
    trial_options(t, options);
}

/* From the text of a model to a simulation, or to what is wrong with either. */
static inline dal_status trial_parse(trial *t, const char *text, const char *options)
{
    trial_open(t, options);
    dal_status bad = dal_model_parse(t->cx, "test.dal", text, t->o, &t->m);
    return bad ? bad : dal_sim_new(t->m, t->o, &t->s);
}

/* The model is found, and the simulation made: the status of the latter. */
static inline dal_status trial_begin(trial *t, const char *model, const char *options)
{
    char path[512];
    trial_open(t, options);
    snprintf(path, sizeof path, TEST_DATA "/%s.dal", model);
    dal_status bad = dal_model_load(t->cx, path, t->o, &t->m);
    if (bad) dal_report(t->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    return dal_sim_new(t->m, t->o, &t->s);
}

static inline void trial_end(trial *t)
{
    dal_sim_free(t->s), dal_model_free(t->m), dal_options_free(t->o), dal_context_free(t->cx);
    *t = (trial){0};
}

/* q, p and v, one behind the other; how many numbers */
static inline size_t trial_state(const trial *t, double *y)
{
    const size_t n = dal_size(t->s), bytes = n * sizeof *y;
    memcpy(y, dal_q(t->s), bytes), memcpy(y + n, dal_p(t->s), bytes);
    memcpy(y + 2 * n, dal_v(t->s), bytes);
    return 3 * n;
}

static inline void trial_good(trial *t, dal_status status)
{
    if (status) dal_report(t->cx, stderr, 0);
    assert_int_equal(status, DAL_OK);
}

static inline void trial_run(trial *t, const char *model, const char *options)
{
    trial_good(t, trial_begin(t, model, options));
    trial_good(t, dal_run(t->s, NULL));
}

static inline double trial_value(trial *t, const char *name)
{
    double x = NAN;
    trial_good(t, dal_measure(t->s, name, &x));
    return x;
}

/* Does some message, or its hint, hold these words? */
static inline int trial_said(const trial *t, const char *words)
{
    for (size_t i = 0; i < dal_message_count(t->cx); i++) {
        dal_message m = dal_message_at(t->cx, i);
        if (strstr(m.text, words) || (m.hint && strstr(m.hint, words))) return 1;
    }
    return 0;
}

#define check_said(t, words)                                                                       \
    do {                                                                                           \
        if (!trial_said(t, words)) {                                                               \
            print_error("no message says \"%s\"\n", words);                                        \
            dal_report((t)->cx, stderr, 0);                                                        \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
