/* upwinded.h - damping and states, which have upwinded functions: their orders, compiled steps,
 * what is refused. */
#ifndef TESTS_UPWINDED_H
#define TESTS_UPWINDED_H

#include "api_run.h"

#include <string.h>

typedef struct {
    const char *text, *until;
    const char *family; /* of schemes: "gauss", "damped" */
} upwinded;

enum { NUMBERS_MOST = 32 }; /* q and p of such a model */

static inline run begin_scheme(const upwinded *of, const char *scheme, const char *step,
                               const char *backend)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", of->until}, {"backend", backend}, {0}};
    return begin_text(of->text, set);
}

/* q and p of a run as it is now. */
static inline void state_of(const run *r, double *x)
{
    assert_true(2 * r->n <= NUMBERS_MOST);
    memcpy(x, dal_q(r->s), r->n * sizeof *x);
    memcpy(x + r->n, dal_p(r->s), r->n * sizeof *x);
}

/* At the end; their number is returned. */
static inline size_t end_of(const upwinded *of, int s, const char *step, const char *backend,
                            double *x)
{
    char scheme[16];
    snprintf(scheme, sizeof scheme, "%s(%d)", s > 4 ? "gauss" : of->family, s);
    run          r = begin_scheme(of, scheme, step, backend);
    const size_t n = 2 * r.n;
    run_to_end(&r);
    state_of(&r, x);
    end(&r);
    return n;
}

/* 2s - 1, against gauss(8) of short steps. */
static inline void check_orders(const upwinded *of, const char *exact_step, double within)
{
    double       exact[NUMBERS_MOST], x[NUMBERS_MOST], error[2];
    const size_t n = end_of(of, 8, exact_step, "vm", exact);
    for (int s = 2; s <= 4; s++) {
        for (int k = 0; k < 2; k++) {
            end_of(of, s, s == 2 ? (k ? "0.0125" : "0.025") : k ? "0.05" : "0.1", "vm", x);
            error[k] = apart(x, exact, n);
        }
        check_close(log2(error[0] / error[1]), 2 * s - 1, within);
    }
}

static inline void check_compiled(const upwinded *of)
{
    double       one[NUMBERS_MOST], other[NUMBERS_MOST];
    const size_t n = end_of(of, 3, "0.05", "vm", one);
    end_of(of, 3, "0.05", "native", other);
    check_below(apart(one, other, n), 1e-13);
}

/* One step with these settings. */
static inline void step_with(const char *text, const setting *set, double *x)
{
    run r = begin_text(text, set);
    must(&r, dal_step(r.s));
    state_of(&r, x);
    end(&r);
}

static inline void check_refused(const char *text, const setting *set, const char *words)
{
    run r = with_settings(set);
    assert_int_not_equal(try_text(&r, text), DAL_OK);
    const dal_message first = dal_message_at(r.cx, 0);
    if (!strstr(first.text, words)) fail_msg("'%s' does not speak of '%s'", first.text, words);
    end(&r);
}

#endif
