/* test_api_engines.c - every engine has a model that it is chosen for and one that it refuses with
 * its reason, and its steps are those of the general engine. */
#include "api_run.h"
#include "native.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>

#define CHAIN                                                                                      \
    "system C {\n parameter N = 400\n coordinate x[N]\n lagrangian sum(i in 1..N: x[i]'^2/2)\n"    \
    " lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/4)\n"                   \
    " lagrangian -x[1]^2/2\n start x[1] = 0.5, x[200] = -0.3\n}\n"
#define FEW                                                                                        \
    "system D {\n coordinate a, b\n"                                                               \
    " lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*cos(a) + cos(b)\n"                           \
    " start a = 1, b = -0.5\n}\n"
/* too many for a curve that is shot */
#define MANY                                                                                       \
    "system M {\n coordinate x[20]\n lagrangian sum(k in 1..20: x[k]'^2/2 - x[k]^4/4)\n"           \
    " start x[1] = 1\n}\n"
/* a force does work */
#define PUSHED                                                                                     \
    "system P {\n parameter N = 400\n coordinate x[N]\n lagrangian sum(i in 1..N: x[i]'^2/2)\n"    \
    " lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^2/2)\n"                                         \
    " for i in 1..N { force x[i]: -x[i]^3 }\n start x[1] = 0.5\n}\n"
/* inertia depends on positions */
#define SWOLLEN                                                                                    \
    "system W {\n parameter N = 400\n coordinate x[N]\n"                                           \
    " lagrangian sum(i in 1..N: x[i]'^2/2*(1 + x[i]^2) - x[i]^2/2)\n"                              \
    " lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^2/2)\n start x[1] = 0.5\n}\n"
/* distant coordinates are coupled */
#define STAR                                                                                       \
    "system S {\n parameter N = 400\n coordinate x[N]\n lagrangian sum(i in 1..N: x[i]'^2/2)\n"    \
    " lagrangian -sum(i in 2..N: (x[i] - x[1])^4/4)\n start x[2] = 1\n}\n"

/* of any size */
#define RODS                                                                                       \
    " coordinate x[N], y[N]\n lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2 - y[k])\n"           \
    " holonomic rod[k in 2..N]: (x[k] - x[k-1])^2 + (y[k] - y[k-1])^2 = 1\n"                       \
    " for k in 1..N { start x[k] = k }\n}\n"
#define TREE                                                                                       \
    " coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2/2) - x[1]^2/2\n"                         \
    " lagrangian -sum(k in 2..N: (x[k] - x[floor(k/2)])^4/4)\n start x[1] = 1\n}\n"

typedef struct {
    const char *engine, *model, *scheme; /* for which it is chosen, by native code */
    const char *refused, *of_it, *reason;
    setting     general; /* has the general engine make the same steps */
} row;

static const row rows[] = {
    {"leapfrog",
     CHAIN,
     "trapezoid",
     CHAIN,
     "midpoint",
     "its steps are implicit",
     {"solver", "band"}},
    {"leapfrog", CHAIN, "trapezoid", FEW, "trapezoid", "fewer than 300", {"solver", "band"}},
    {"leapfrog",
     CHAIN,
     "compose(trapezoid, yoshida(4))",
     PUSHED,
     "compose(trapezoid, yoshida(4))",
     "forces do work",
     {"solver", "band"}},
    {"chain",
     CHAIN,
     "midpoint",
     CHAIN,
     "gauss(2)",
     "more than one sample point",
     {"solver", "band"}},
    {"chain", CHAIN, "midpoint", STAR, "midpoint", "couple near coordinates", {"solver", "band"}},
    {"stages", CHAIN, "gauss(2)", FEW, "gauss(2)", "fewer than 300", {"solver", "band"}},
    {"stages",
     CHAIN,
     "lobatto(3)",
     SWOLLEN,
     "gauss(2)",
     "not iterated without a matrix",
     {"solver", "band"}},
    {"compiled", FEW, "gauss(2)", CHAIN, "gauss(2)", "unknowns", {"backend", "vm"}},
    {"compiled",
     FEW,
     "shooting(taylor(4)) with simpson",
     MANY,
     "shooting(rk4) with gauss(2)",
     "its curve is shot, and derivatives of 20 coordinates",
     {"backend", "vm"}},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The view `plan` of a model, in room. */
static void plan_of(const char *model, const char *scheme, const setting *more, char *room,
                    size_t size)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", "0.05"}, {"steps", "100"}, {"backend", "native"}, {0}};
    run   r = with_settings(set);
    FILE *to = fmemopen(room, size, "w");
    if (more) assert_int_equal(DAL_OK, dal_options_set(r.o, more->key, more->value));
    must(&r, dal_model_parse(r.cx, "test.dal", model, r.o, &r.m));
    must(&r, dal_show(r.m, r.o, "plan", to));
    fclose(to);
    end(&r);
}

static void check_begins(const char *plan, const char *engine)
{
    char first[80];
    snprintf(first, sizeof first, "engine      %s", engine);
    if (strncmp(plan, first, strlen(first))) fail_msg("not %s:\n%s", engine, plan);
}

static void each_engine_is_chosen_for_a_model(void **state)
{
    char plan[4096];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        plan_of(rows[i].model, rows[i].scheme, NULL, plan, sizeof plan);
        check_begins(plan, rows[i].engine);
        plan_of(rows[i].model, rows[i].scheme, &rows[i].general, plan, sizeof plan);
        check_begins(plan, "general");
    }
}

static void each_engine_refuses_a_model_with_its_reason(void **state)
{
    char plan[4096], before[80];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        plan_of(rows[i].refused, rows[i].of_it, NULL, plan, sizeof plan);
        snprintf(before, sizeof before, "  %s: ", rows[i].engine);
        const char *line = strstr(plan, before),
                   *reason = line ? strstr(line, rows[i].reason) : NULL;
        if (!reason || reason > strchr(line, '\n'))
            fail_msg("%s is not refused for '%s':\n%s", rows[i].engine, rows[i].reason, plan);
    }
}

static run run_of(const char *model, const char *scheme, const setting *more)
{
    const setting set[] = {{"scheme", scheme},
                           {"step", "0.05"},
                           {"steps", "100"},
                           {"backend", "native"},
                           {more ? more->key : NULL, more ? more->value : NULL},
                           {0}};
    run           r = begin_text(model, set);
    run_to_end(&r);
    return r;
}

/* To a few units in the last place per step: of 100 steps of these motions less than 4. */
static void engines_make_the_steps_of_the_general_one(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        run a = run_of(rows[i].model, rows[i].scheme, NULL);
        run b = run_of(rows[i].model, rows[i].scheme, &rows[i].general);
        check_below(states_apart(&a, &b), 4 * 100 * DBL_EPSILON);
        assert_true(dal_summarise(a.s)->is_fused && !dal_summarise(b.s)->is_fused);
        end(&a), end(&b);
    }
}

/* What one engine refuses another one makes, as near to the general one. */
static void what_is_refused_has_the_steps_of_the_general_one(void **state)
{
    const setting interpreted = {"backend", "vm"};
    char          plan[4096];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        run a = run_of(rows[i].refused, rows[i].of_it, NULL);
        run b = run_of(rows[i].refused, rows[i].of_it, &interpreted);
        plan_of(rows[i].refused, rows[i].of_it, &interpreted, plan, sizeof plan);
        check_begins(plan, "general");
        check_below(states_apart(&a, &b), 4 * 100 * DBL_EPSILON);
        end(&a), end(&b);
    }
}

/* The general engine refuses nothing: it is the one for what no other fits. */
static void the_general_engine_makes_what_no_other_does(void **state)
{
    char plan[4096];
    (void)state;
    plan_of(STAR, "midpoint", NULL, plan, sizeof plan);
    check_begins(plan, "general");
    for (int i = 0; i < ROWS; i++) {
        char before[80];
        snprintf(before, sizeof before, "  %s: ", rows[i].engine);
        assert_non_null(strstr(plan, before));
    }
    assert_null(strstr(plan, "  general: "));
}

/* Engines that the plan of a run tells of, one in a line, stand above. */
static void every_engine_has_a_row(void **state)
{
    char plan[4096], name[40];
    int  count = 0;
    (void)state;
    plan_of(STAR, "midpoint", NULL, plan, sizeof plan);
    const char *line = strstr(plan, "others");
    for (; line && sscanf(line + 12, "%39[a-z]:", name) == 1; count++) {
        bool has = !strcmp(name, "general");
        for (int i = 0; i < ROWS; i++) has |= !strcmp(name, rows[i].engine);
        if (!has) fail_msg("engine '%s' has no row", name);
        line = strchr(line, '\n');
        line = line && !strncmp(line + 1, "            ", 12) ? line + 1 : NULL;
    }
    assert_true(count >= 4);
}

/* Where few entries are eliminated, the dense matrix of a compiled step pays for few unknowns only,
 * also for those who ask for native code. */
static void a_dense_matrix_is_compiled_where_it_pays(void **state)
{
    static const struct {
        const char *engine, *model;
        int         n;
    } sized[] = {{"compiled", RODS, 6},
                 {"general", RODS, 40},
                 {"compiled", TREE, 30},
                 {"general", TREE, 120}};
    char plan[4096], model[1024];
    (void)state;
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        snprintf(model, sizeof model, "system S {\n parameter N = %d\n%s", sized[i].n,
                 sized[i].model);
        plan_of(model, "midpoint", NULL, plan, sizeof plan);
        check_begins(plan, sized[i].engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_engine_is_chosen_for_a_model),
        cmocka_unit_test(each_engine_refuses_a_model_with_its_reason),
        cmocka_unit_test(engines_make_the_steps_of_the_general_one),
        cmocka_unit_test(what_is_refused_has_the_steps_of_the_general_one),
        cmocka_unit_test(the_general_engine_makes_what_no_other_does),
        cmocka_unit_test(every_engine_has_a_row),
        cmocka_unit_test(a_dense_matrix_is_compiled_where_it_pays),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
