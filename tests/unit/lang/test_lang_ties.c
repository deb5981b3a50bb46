/* Ties of models: which relations are ties, the forest they make, and what is left without them. */
#include "check.h"
#include "lang/load.h"
#include "model/compile.h"
#include "model/rows/runs.h"
#include "model/ties/reduce.h"

#include <string.h>

typedef struct {
    mem         m;
    diags       ds;
    model      *md;
    const ties *t;
} tied;

static tied open_text(const char *text_of_model)
{
    tied         x;
    load_request rq = {.file = "ties.dal", .text = text_of_model, .length = strlen(text_of_model)};
    static mem   messages;
    mem_init(&messages, mem_heap_default());
    mem_init(&x.m, mem_heap_default());
    diags_init(&x.ds, &messages);
    dal_status bad = model_load(mem_heap_default(), &x.ds, &rq, &x.md);
    if (bad) {
        text all = text_new(&messages);
        diags_print(&x.ds, &all, false);
        print_error("%s\n", text_str(&all));
    }
    assert_int_equal(bad, DAL_OK);
    x.t = ties_find(&x.m, x.md);
    return x;
}

static void close_text(tied *x)
{
    mem_free(x->ds.m);
    mem_free(&x->m);
    model_free(x->md);
}

#define PARTS                                                                                      \
    "system P { coordinate x\n lagrangian x'^2/2 - x^4 }\n"                                        \
    "system H { coordinate x\n hamiltonian p(x)^2/2 }\n"

static void two_constant_terms_make_a_tie_and_nothing_else_does(void **state)
{
    (void)state;
    static const struct {
        const char *relation;
        int         joins;
    } row[] = {{"connect a.x = b.x", 1},          {"connect a.x' = b.x'", 1},
               {"connect 2*a.x = n*b.x + 3", 1},  {"constraint a.x' = n*b.x'", 1},
               {"connect a.x' + b.x' = 0", 1},    {"constraint a.x' = 2*b.x' + 1", 0},
               {"constraint a.x' = t*b.x'", 0},   {"constraint a.x' = (1 + b.x^2)*b.x'", 0},
               {"connect a.x' = b.x' + c.x'", 0}, {"holonomic a.x = b.x", 0},
               {"constraint a.x' = 0", 1},        {"connect a.x = n", 1},
               {"constraint h.x' = 0", 0},        {"connect a.x' = h.x'", 0},
               {"connect h.x' = g.x'", 0}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text_of[512];
        snprintf(text_of, sizeof text_of,
                 PARTS "system S { parameter n = 3\n part a : P\n part b : P\n part c : P\n part h "
                       ": H\n part g : H\n %s\n }\n",
                 row[k].relation);
        tied x = open_text(text_of);
        if (x.t->joins != row[k].joins) print_error("%s: %d\n", row[k].relation, x.t->joins);
        assert_int_equal(x.t->joins, row[k].joins);
        assert_int_equal(x.t->coordinates, 5 - row[k].joins);
        close_text(&x);
    }
}

static void ratios_and_offsets_multiply_along_a_branch(void **state)
{
    (void)state;
    tied         x = open_text(PARTS "system S { parameter n = 3\n part p[4] : P\n"
                                             " connect p[3].x = 2*p[4].x + 1\n connect p[2].x = -n*p[3].x\n"
                                             " connect p[1].x' = 0.5*p[2].x'\n }\n");
    const double parameter[] = {3};
    double       q[] = {7, 0, 0, 0};
    tie_numbers  n;
    assert_int_equal(DAL_OK, ties_evaluate(&x.m, x.t, parameter, &x.ds, &n));
    ties_begin(&n, q);
    assert_int_equal(x.t->coordinates, 1);
    assert_int_equal(x.t->first[0], 0);
    /* p1 = z, p2 = 2 z + c from the start (p1 = 7, p2 = 0), p3 = -p2/3, p4 = (p3 - 1)/2 */
    check_close(tie_slope(&n, 1), 2, 1e-15);
    check_close(tie_offset(&n, 1), -14, 1e-15);
    check_close(tie_slope(&n, 2), -2.0 / 3, 1e-15);
    check_close(tie_offset(&n, 2), 14.0 / 3, 1e-15);
    check_close(tie_slope(&n, 3), -1.0 / 3, 1e-15);
    check_close(tie_offset(&n, 3), (14.0 / 3 - 1) / 2, 1e-15);
    close_text(&x);
}

static void a_loop_must_say_what_its_ties_say(void **state)
{
    (void)state;
    static const struct {
        const char *last;
        dal_status  status;
    } row[] = {{"connect p[1].x = 4*p[3].x + 2", DAL_OK},
               {"connect p[1].x' = 4*p[3].x'", DAL_OK},
               {"connect p[1].x = 5*p[3].x + 2", DAL_INVALID},
               {"connect p[1].x = 4*p[3].x + 1", DAL_INVALID}};
    for (size_t k = 0; k < 4; k++) {
        char text_of[512];
        snprintf(text_of, sizeof text_of,
                 PARTS "system S { part p[3] : P\n connect p[1].x = 2*p[2].x\n connect p[2].x = "
                       "2*p[3].x + 1\n %s\n }\n",
                 row[k].last);
        tied        x = open_text(text_of);
        tie_numbers n;
        assert_int_equal(x.t->joins, 2);
        assert_int_equal(x.t->repeats, 1);
        assert_int_equal(ties_evaluate(&x.m, x.t, NULL, &x.ds, &n), row[k].status);
        assert_non_null(strstr(x.ds.list.at[x.ds.list.n - 1].message,
                               row[k].status ? "contradicts" : "repeats what other"));
        close_text(&x);
    }
}

/* A chain of parts is a chain of coordinates again: every index of the reduced model is a run. */
static void a_chain_of_parts_needs_no_index_lists(void **state)
{
    (void)state;
    tied x = open_text(
        "system Link { parameter k = 1\n coordinate a, x\n lagrangian x'^2/2 - k/2*(x - a)^2 }\n"
        "system Chain { part link[5000] : Link\n"
        " for i in 2..5000 { connect link[i].a = link[i-1].x } }\n");
    assert_int_equal(x.t->coordinates, 5001);
    assert_int_equal(x.t->numbers, NUMBERS_KNOWN);
    reduction r = model_reduce(&x.m, x.t, true);
    assert_int_equal(r.md->coordinates, 5001);
    assert_int_equal(r.md->relations, 0);
    for (int e = 0; e < r.md->elements.n; e++)
        for (int k = 0; k < r.md->elements.at[e].slots; k++)
            assert_null(r.md->elements.at[e].slot[k].at);
    const compiled *c = compile(&x.m, r.md);
    double          parameter[5000 + NUMBERS_KNOWN];
    for (int i = 0; i < 5000 + NUMBERS_KNOWN; i++) parameter[i] = i < 5000 ? 1 : 0;
    const dal_system *sys = bound_system(bound_new(&x.m, c, parameter, NULL));
    assert_int_equal(pattern_count(&sys->K), 3 * 5001 - 2); /* tridiagonal */
    assert_int_equal(pattern_count(&sys->A), 0);
    close_text(&x);
}

/* How far the terms of what is left reach, and is it passed over in runs? */
static int reach_of(tied *x, bool *runs)
{
    const reduction r = model_reduce(&x->m, x->t, true);
    double         *none = mem_array(&x->m, r.md->parameters + 1, double);
    dal_system     *sys = bound_system(bound_new(&x->m, compile(&x->m, r.md), none, NULL));
    int             reach = 0;
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            if (sys->K.column[k] - i > reach) reach = sys->K.column[k] - i;
    *runs = row_plan_new(&x->m, sys, 1u << ROW_LW | 1u << ROW_LQQ, reach) != NULL;
    return reach;
}

static void long_chains_are_numbered_along_themselves(void **state)
{
    (void)state;
#define KINETIC "lagrangian sum(k in 1..N: x[k]'^2 + y[k]'^2)\n"
    static const struct {
        const char *terms;
        int         reach; /* 0: it stays as it is */
    } row[] = {
        {"coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2) - sum(k in 1..N-1: (x[k+1] - "
         "x[k])^4) - (x[1] - x[N])^4",
         2},
        {"coordinate x[N], y[N]\n " KINETIC
         "lagrangian -sum(k in 1..N-1: ((x[k+1] - x[k])^2 + (y[k+1] - y[k])^2)^2)",
         3},
        {"coordinate x[N], y[N]\n " KINETIC
         "lagrangian -sum(k in 1..N-1: (x[k+1] - x[k])^4) - sum(k in 1..N: x[k]*y[k])",
         2},
        {"coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2) - sum(k in 1..N-1: (x[k+1] - "
         "x[k])^4)",
         0},
        {"coordinate x[N]\n lagrangian sum(k in 1..N: x[k]'^2) - sum(k in 1..N-20: (x[k+20] - "
         "x[k])^4) - sum(k in 1..N-1: x[k]*x[k+1])",
         0},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text_of[512];
        bool runs;
        snprintf(text_of, sizeof text_of, "system S { parameter N = 501\n %s\n }\n", row[k].terms);
        tied x = open_text(text_of);
        assert_int_equal(x.t->sequenced, row[k].reach > 0);
        if (row[k].reach) assert_int_equal(reach_of(&x, &runs), row[k].reach), assert_true(runs);
        for (int z = 0; z < x.t->coordinates; z++) assert_int_equal(x.t->z[x.t->first[z]], z);
        close_text(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_constant_terms_make_a_tie_and_nothing_else_does),
        cmocka_unit_test(ratios_and_offsets_multiply_along_a_branch),
        cmocka_unit_test(a_loop_must_say_what_its_ties_say),
        cmocka_unit_test(a_chain_of_parts_needs_no_index_lists),
        cmocka_unit_test(long_chains_are_numbered_along_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
