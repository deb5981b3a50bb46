/* test_api_functions_words.c - what a model made of functions is told: where its numbers are none,
 * and what options it understands. */
#include "api_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef enum { GOOD, NO_LQ, NO_LV, NO_FORCE, NO_RESIDUAL, REFUSES, REFUSES_SILENTLY } fault;

typedef struct {
    fault  of;
    double after; /* from this time on */
} trouble;

/* A mass on a spring, with friction, and another beside it that is tied to it: x' = y'. */
static int tied_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const trouble *is = self;
    const double  *q = at->q, *v = at->v;
    const fault    now = at->t > is->after ? is->of : GOOD;
    if (now == REFUSES) return snprintf(out->why, sizeof out->why, "the rope is torn"), 1;
    if (now == REFUSES_SILENTLY) return 1;
    if (want & DAL_WANT_L) out->L = (v[0] * v[0] + v[1] * v[1] - q[0] * q[0]) / 2;
    if (want & DAL_WANT_GRADIENT) {
        out->Lq[0] = -q[0], out->Lq[1] = now == NO_LQ ? (double)NAN : 0;
        out->Lv[0] = now == NO_LV ? (double)NAN : v[0], out->Lv[1] = v[1];
    }
    if (want & DAL_WANT_HESSIAN)
        for (int e = 0; e < 4; e++)
            out->Lqq[e] = e ? 0 : -1, out->Lqv[e] = 0, out->Lvv[e] = e == 0 || e == 3;
    if (want & DAL_WANT_FORCE) {
        out->f[0] = -0.1 * v[0];
        out->f[1] = now == NO_FORCE ? (double)NAN : 0;
    }
    if (want & DAL_WANT_FORCE_JACOBIAN)
        for (int e = 0; e < 4; e++) out->fq[e] = 0, out->fv[e] = e ? 0 : -0.1;
    if (want & DAL_WANT_RELATIONS) {
        out->A[0] = 1, out->A[1] = -1;
        out->e[0] = now == NO_RESIDUAL ? (double)NAN : v[0] - v[1];
    }
    if (want & DAL_WANT_RELATIONS_JACOBIAN) {
        out->eq[0] = out->eq[1] = 0;
        memset(out->curvature, 0, 4 * sizeof *out->curvature);
    }
    return 0;
}

static run tied(trouble *is, const setting *set)
{
    static const double      q[] = {1, 0};
    static const char *const name[] = {"x", "y"};
    const dal_callbacks      made = {.size = sizeof made,
                                     .name = "Tied",
                                     .coordinates = 2,
                                     .constraints = 1,
                                     .parameters = 1,
                                     .coordinate = name,
                                     .q = q,
                                     .autonomous = 1,
                                     .self = is,
                                     .eval = tied_eval};
    run                      r = with_settings(set);
    must(&r, dal_model_from_callbacks(r.cx, &made, &r.m));
    r.status = try_simulation(&r);
    return r;
}

static bool says(const run *r, const char *words)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, words)) return true;
    dal_report(r->cx, stderr, 0);
    return false;
}

static void what_has_no_value_is_named(void **state)
{
    static const struct {
        fault       of;
        const char *words;
    } rows[] = {{NO_LQ, "dL/dq is not finite for y"},
                {NO_LV, "dL/dv is not finite for x"},
                {NO_FORCE, "the force is not finite for y"},
                {NO_RESIDUAL, "the residual is not finite for constraint 1"},
                {REFUSES, "the rope is torn"},
                {REFUSES_SILENTLY, "the functions of 'Tied' have no value there"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        trouble is = {rows[k].of, 0.22};
        run     r = tied(&is, (setting[]){{"step", "0.1"}, {0}});
        must(&r, r.status);
        for (int i = 0; i < 2; i++) must(&r, dal_step(r.s));
        assert_int_not_equal(dal_step(r.s), DAL_OK);
        assert_true(says(&r, rows[k].words));
        end(&r);
    }
}

static void numbers_of_functions_are_given_by_name(void **state)
{
    trouble none = {GOOD, 0};
    double  parameter;
    run     r = tied(&none, (setting[]){{"step", "0.1"},
                                        {"set", "parameter1=3"},
                                        {"start", "x=2"},
                                        {"start", "x'=0.5"},
                                        {"start", "p(y)=0.5"},
                                        {0}});
    (void)state;
    must(&r, r.status);
    must(&r, dal_parameter(r.s, "parameter1", &parameter));
    check_close(parameter, 3, 0);
    check_close(dal_q(r.s)[0], 2, 0);
    check_close(dal_v(r.s)[0], 0.5, 1e-15);
    check_close(dal_v(r.s)[1], 0.5, 1e-15);
    end(&r);
}

static void what_functions_do_not_have_is_told(void **state)
{
    static const struct {
        setting     set;
        const char *words;
    } rows[] = {{{"set", "k=1"}, "'Tied' has no parameter 'k'"},
                {{"set", "parameter1=two"}, "is not NAME=NUMBER"},
                {{"start", "z=1"}, "'Tied' has no coordinate 'z'"},
                {{"start", "x=y"}, "is not NAME=NUMBER"},
                {{"columns", "x"}, "need a model of the language"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        trouble none = {GOOD, 0};
        run     r = tied(&none, (setting[]){{"step", "0.1"}, rows[k].set, {0}});
        assert_int_equal(r.status, DAL_INVALID);
        assert_true(says(&r, rows[k].words));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_value_is_named),
        cmocka_unit_test(numbers_of_functions_are_given_by_name),
        cmocka_unit_test(what_functions_do_not_have_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
