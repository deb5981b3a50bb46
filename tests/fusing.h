/* fusing.h - the same model stepped in general and by code compiled for it, side by side. */
#ifndef TESTS_FUSING_H
#define TESTS_FUSING_H

#include "check.h"
#include "dalembert.h"
#include "folder.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
} runner;

static inline bool runner_open(runner *r, const char *path, const char *backend, const char *scheme)
{
    r->cx = dal_context_new(NULL), r->m = NULL, r->s = NULL;
    dal_options *o = dal_options_new(r->cx);
    dal_options_set(o, "backend", backend);
    dal_options_set(o, "project-start", NULL);
    if (scheme) dal_options_set(o, "scheme", scheme);
    bool good = !dal_model_load(r->cx, path, o, &r->m);
    if (good && dal_sim_new(r->m, o, &r->s)) /* no step of its own */
        good = !dal_options_set(o, "step", "0.01") && !dal_sim_new(r->m, o, &r->s);
    dal_options_free(o);
    return good;
}

static inline void runner_close(runner *r)
{
    if (r->s) dal_sim_free(r->s);
    if (r->m) dal_model_free(r->m);
    dal_context_free(r->cx);
}

/* The largest difference, relative to the largest number. */
static inline double apart(const double *a, const double *b, size_t n)
{
    double most = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) && isnan(b[i])) continue;
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
        size = fmax(size, fabs(a[i]));
    }
    return most > 0 ? most / size : 0;
}

/* What was written is always good C. */
static inline void compiler_was_content(const runner *r, const char *path)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, "compiler"))
            print_error("%s: %s\n", path, dal_message_at(r->cx, i).text), fail();
}

typedef struct {
    bool   ran, fused;
    double worst;
} comparison;

static inline comparison compare(const char *path, const char *scheme, int steps)
{
    runner     a, b;
    comparison c = {0};
    bool       good = runner_open(&a, path, "vm", scheme);
    if (runner_open(&b, path, "native", scheme) && good) {
        size_t n = dal_model_count(a.m, DAL_COORDINATES);
        c.ran = true, c.fused = dal_summarise(b.s)->is_fused;
        for (int k = 0; k < steps && c.ran; k++) {
            dal_status bad = dal_step(a.s), worse = dal_step(b.s);
            assert_int_equal(bad, worse);
            if (bad) break;
            c.worst = fmax(c.worst, apart(dal_q(a.s), dal_q(b.s), n));
            c.worst = fmax(c.worst, apart(dal_p(a.s), dal_p(b.s), n));
        }
    }
    compiler_was_content(&b, path);
    runner_close(&a), runner_close(&b);
    return c;
}

/* Every model of a folder, under its own scheme if none is given; at least so many are compiled as
 * a whole. */
static inline void folder_agrees(const char *folder, const char *scheme, int least)
{
    enum { STEPS = 20 };
    const double   tolerance = 4 * STEPS * DBL_EPSILON; /* a few units in the last place per step */
    const models   all = models_of(folder);
    int            fused = 0;
    for (int i = 0; i < all.n; i++) {
        comparison c = compare(all.path[i], scheme, STEPS);
        if (c.fused) fused++;
        else if (c.ran) print_message("%s is stepped in general\n", file_name(all.path[i]));
        if (!(c.worst <= tolerance)) print_error("%s: %.2e apart\n", all.path[i], c.worst), fail();
    }
    if (fused < least) print_error("%s: only %d were fused\n", folder, fused), fail();
}

#endif
