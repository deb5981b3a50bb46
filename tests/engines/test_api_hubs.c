/* test_api_hubs.c - a shaft or node shared by thousands of parts: the cost of setting up and
 * solving grows with the number of parts, not with its square. */
#define _DEFAULT_SOURCE /* getrusage */
#include "check.h"
#include "dalembert.h"

#include <stdlib.h>
#include <sys/resource.h>

static const char *const shaft = "system Rotor {\n"
                                 "  parameter J = 1\n"
                                 "  coordinate phi\n"
                                 "  lagrangian J/2*phi'^2\n"
                                 "}\n"
                                 "system Twist {\n"
                                 "  parameter k = 1\n"
                                 "  coordinate a, b\n"
                                 "  lagrangian -k/2*(b - a)^2\n"
                                 "}\n"
                                 "system Shaft {\n"
                                 "  parameter N = 4000\n"
                                 "  part hub : Rotor(J = 10)\n"
                                 "  part rotor[k in 1..N] : Rotor(J = 1 + k/N)\n"
                                 "  part twist[k in 1..N] : Twist(k = 5 + sin(k))\n"
                                 "  for k in 1..N {\n"
                                 "    connect twist[k].a = hub.phi\n"
                                 "    connect twist[k].b = rotor[k].phi\n"
                                 "  }\n"
                                 "  start hub.phi' = 1\n"
                                 "}\n";
static const char *const node = "system Branch {\n"
                                "  parameter L = 1\n"
                                "  coordinate q\n"
                                "  lagrangian L/2*q'^2 - q^2/2\n"
                                "}\n"
                                "system Node {\n"
                                "  parameter N = 1000\n"
                                "  part b[k in 1..N] : Branch(L = 2 + sin(k))\n"
                                "  connect sum(k in 1..N: b[k].q') = 0\n"
                                "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} motion;

static void begin(motion *x, const char *text, const char *interconnection)
{
    x->cx = dal_context_new(NULL), x->o = dal_options_new(x->cx), x->s = NULL;
    assert_int_equal(dal_options_set(x->o, "step", "0.01"), DAL_OK);
    assert_int_equal(dal_options_set(x->o, "interconnection", interconnection), DAL_OK);
    assert_int_equal(dal_model_parse(x->cx, "hub", text, x->o, &x->m), DAL_OK);
    assert_int_equal(dal_sim_new(x->m, x->o, &x->s), DAL_OK);
}

static void end(motion *x)
{
    dal_sim_free(x->s), dal_model_free(x->m), dal_options_free(x->o), dal_context_free(x->cx);
}

static long kilobytes(void)
{
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    return use.ru_maxrss;
}

/* Full factors of 4000 relations have 8 million entries, of 12 bytes each, beside what is there
 * anyway; sanitizers add to every allocation. */
#ifdef __SANITIZE_ADDRESS__
enum { KILOBYTES_MOST = 90000 };
#else
enum { KILOBYTES_MOST = 60000 };
#endif

static void factors_of_a_hub_stay_sparse(void **state)
{
    (void)state;
    motion tied, held;
    begin(&tied, shaft, "eliminate");
    for (int k = 0; k < 20; k++) assert_int_equal(dal_step(tied.s), DAL_OK);
    long before = kilobytes();
    begin(&held, shaft, "multipliers");
    for (int k = 0; k < 20; k++) assert_int_equal(dal_step(held.s), DAL_OK);
    assert_in_range(kilobytes() - before, 0, KILOBYTES_MOST);
    for (size_t i = 0; i < dal_size(held.s); i++)
        check_close(dal_q(held.s)[i], dal_q(tied.s)[i], 1e-13);
    end(&tied), end(&held);
}

static void *counted(void *self, void *p, size_t size)
{
    *(double *)self += (double)size;
    if (size) return realloc(p, size);
    free(p);
    return NULL;
}

/* The bytes that were ever asked for while a node of so many branches was read. */
static double bytes_asked_for(const char *branches)
{
    double        bytes = 0;
    dal_allocator heap = {counted, &bytes};
    motion        x = {.cx = dal_context_new(&heap)};
    x.o = dal_options_new(x.cx);
    assert_int_equal(dal_options_set(x.o, "set", branches), DAL_OK);
    assert_int_equal(dal_model_parse(x.cx, "node", node, x.o, &x.m), DAL_OK);
    end(&x);
    return bytes;
}

static void a_node_of_many_branches_is_read_in_proportion_to_them(void **state)
{
    (void)state;
    double few = bytes_asked_for("N=1000"), many = bytes_asked_for("N=8000");
    check_below(many, 12 * few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_of_a_hub_stay_sparse),
        cmocka_unit_test(a_node_of_many_branches_is_read_in_proportion_to_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
