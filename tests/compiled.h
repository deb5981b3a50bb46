/* compiled.h - the same model stepped in general and by code compiled for it, side by side. */
#ifndef TESTS_COMPILED_H
#define TESTS_COMPILED_H

#include "api_run.h"
#include "folder.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline bool open_file(run *r, const char *path, const char *backend, const char *scheme)
{
    const setting set[] = {{"backend", backend}, {"project-start", "yes"}, {"scheme", scheme}, {0}};
    *r = with_settings(set);
    if (dal_model_load(r->cx, path, r->o, &r->m)) return false;
    return !try_simulation(r) || /* no step of its own */
           (!dal_options_set(r->o, "step", "0.01") && !try_simulation(r));
}

/* What was written is always good C. */
static inline void compiler_was_content(const run *r, const char *path)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, "compiler"))
            print_error("%s: %s\n", path, dal_message_at(r->cx, i).text), fail();
}

typedef struct {
    bool   ran, compiled, adaptive;
    double worst;
} comparison;

/* Differences beside the largest number of a so far: one coordinate alone passes through 0. */
static inline double apart_so_far(const double *a, const double *b, size_t n, double *largest)
{
    for (size_t i = 0; i < n; i++) *largest = fmax(*largest, fabs(a[i]));
    const double most = apart(a, b, n);
    return most > 0 ? most / *largest : 0;
}

static inline comparison compare(const char *path, const char *scheme, int steps)
{
    run        a, b;
    comparison c = {0};
    double     q = 0, p = 0;
    bool       good = open_file(&a, path, "vm", scheme);
    if (open_file(&b, path, "native", scheme) && good) {
        c.ran = true, c.compiled = dal_summarise(b.s)->is_fused;
        c.adaptive = dal_summarise(b.s)->is_adaptive;
        for (int k = 0; k < steps && c.ran; k++) {
            dal_status bad = dal_step(a.s), worse = dal_step(b.s);
            assert_int_equal(bad, worse);
            if (bad) break;
            c.worst = fmax(c.worst, apart_so_far(dal_q(a.s), dal_q(b.s), a.n, &q));
            c.worst = fmax(c.worst, apart_so_far(dal_p(a.s), dal_p(b.s), a.n, &p));
        }
    }
    compiler_was_content(&b, path);
    end(&a), end(&b);
    return c;
}

/* Every model of a folder, under its own scheme if none is given; at least so many are compiled as
 * a whole. Steps of the energy principle have roundoff of another size: test_api_compiled_energy.c.
 */
static inline void folder_agrees(const char *folder, const char *scheme, int least)
{
    enum { STEPS = 20 };
    const double tolerance = 4 * STEPS * DBL_EPSILON; /* a few units in the last place per step */
    const models all = models_of(folder);
    int          compiled = 0;
    for (int i = 0; i < all.n; i++) {
        comparison c = compare(all.path[i], scheme, STEPS);
        if (c.compiled) compiled++;
        else if (c.ran) print_message("%s is stepped in general\n", file_name(all.path[i]));
        if (!(c.worst <= tolerance) && !c.adaptive)
            print_error("%s: %.2e apart\n", all.path[i], c.worst), fail();
    }
    if (compiled < least) print_error("%s: only %d were compiled\n", folder, compiled), fail();
}

#endif
