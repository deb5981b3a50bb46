/* sweep_run.h - an ensemble, and what its members gave. */
#ifndef TESTS_SWEEP_RUN_H
#define TESTS_SWEEP_RUN_H

#include "check.h"
#include "dalembert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const oscillator = "system Oscillator {\n"
                                      "  parameter k = 4, m = 1\n"
                                      "  parameter w = sqrt(k/m)\n"
                                      "  coordinate x\n"
                                      "  lagrangian m/2*x'^2 - k/2*x^2 - x^4/4\n"
                                      "  output speed = x'\n"
                                      "  output rate = w\n"
                                      "  start x = 1\n"
                                      "}\n"
                                      "simulate {\n  step = 0.01\n  steps = 50\n}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sweep   *w;
} bench;

static inline void open_model(bench *b, const char *model)
{
    b->cx = dal_context_new(NULL), b->o = dal_options_new(b->cx), b->w = NULL;
    dal_status bad = dal_model_parse(b->cx, "test.dal", model, b->o, &b->m);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline void begin(bench *b, const char *model)
{
    open_model(b, model);
    assert_int_equal(dal_sweep_new(b->m, b->o, &b->w), DAL_OK);
}

static inline void end(bench *b)
{
    dal_sweep_free(b->w), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static inline void set(bench *b, const char *key, const char *text)
{
    dal_status bad = dal_sweep_set(b->w, key, text);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline void run(bench *b, const dal_sweep_observer *o)
{
    dal_status bad = dal_sweep_run(b->w, o);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static inline size_t column(const bench *b, const char *name)
{
    size_t                  count;
    const dal_sweep_column *c = dal_sweep_columns(b->w, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(c[i].name, name)) return i;
    print_error("there is no column %s\n", name);
    fail();
    return 0;
}

static inline double value(const bench *b, size_t member, const char *name)
{
    return dal_sweep_member(b->w, member).value[column(b, name)];
}

#endif
