/* Memory: whichever allocation fails, the call says so and nothing leaks; and a step allocates
 * nothing. */
#include "check.h"
#include "dalembert.h"

#include <stdlib.h>

typedef struct {
    long taken, left, calls; /* blocks held, allocations until one fails (< 0: never), all calls */
} heap;

static void *counted(void *self, void *p, size_t size)
{
    heap *h = self;
    if (size == 0) {
        h->taken -= p != NULL;
        free(p);
        return NULL;
    }
    h->calls++;
    if (h->left == 0) return NULL;
    if (h->left > 0) h->left--;
    void *block = realloc(p, size);
    h->taken += block && !p;
    return block;
}

static const char *const text =
    "system Pendulum {\n"
    "  parameter m = 1, g = 9.81, l = 1, c = 0.1\n"
    "  coordinate th[2], x\n"
    "  let X = l*sin(th[1]) + l*sin(th[2]), Y = -l*cos(th[1]) - l*cos(th[2])\n"
    "  lagrangian m/2*(X'^2 + Y'^2) + m/2*l^2*th[1]'^2 - m*g*Y + m/2*x'^2\n"
    "  force th[1]: -c*th[1]'\n"
    "  symmetry shift: x -> 1\n"
    "  output height = Y\n"
    "  start th[1] = 1, x' = 1\n"
    "}\n"
    "simulate {\n"
    "  scheme = gauss(2)\n"
    "  step = 0.01\n"
    "  steps = 5\n"
    "}\n";

static dal_status use(heap *h, const char *model)
{
    dal_allocator allocator = {counted, h};
    dal_context  *cx = dal_context_new(&allocator);
    dal_status    status = DAL_NOMEM;
    dal_model    *m = NULL;
    dal_sim      *s = NULL;
    dal_options  *o = cx ? dal_options_new(cx) : NULL;
    if (o) {
        status = dal_options_set(o, "set", "g=9.8");
        if (!status) status = dal_model_parse(cx, "pendulum.dal", model, o, &m);
        if (!status) status = dal_sim_new(m, o, &s);
        if (!status) status = dal_run(s, NULL);
    }
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return status;
}

static void fail_everywhere(const char *model, dal_status want)
{
    heap h = {.left = -1};
    assert_int_equal(use(&h, model), want);
    assert_int_equal(h.taken, 0);
    long all = h.calls, stride = all > 4000 ? all / 2000 : 1;
    for (long n = 0; n < all; n += n < 500 ? 1 : stride) {
        h = (heap){.left = n};
        dal_status got = use(&h, model);
        if (got != DAL_NOMEM || h.taken) print_error("allocation %ld of %ld\n", n, all);
        assert_int_equal(got, DAL_NOMEM);
        assert_int_equal(h.taken, 0);
    }
}

static void any_allocation_of_a_run_may_fail(void **state)
{
    (void)state;
    fail_everywhere(text, DAL_OK);
}

static void any_allocation_of_an_error_may_fail(void **state)
{
    (void)state;
    fail_everywhere(
        "system A {\n  coordinate x\n  lagrangian y'^2/2 - z +\n}\nsystem B { lagrangian 3 ]\n",
        DAL_SYNTAX);
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    heap          h = {.left = -1};
    dal_allocator allocator = {counted, &h};
    dal_context  *cx = dal_context_new(&allocator);
    dal_model    *m = NULL;
    dal_sim      *s = NULL;
    assert_int_equal(dal_model_parse(cx, "pendulum.dal", text, NULL, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, NULL, &s), DAL_OK);
    long before = h.calls;
    for (int i = 0; i < 100; i++) assert_int_equal(dal_step(s), DAL_OK);
    assert_int_equal(h.calls, before);
    dal_sim_free(s), dal_model_free(m), dal_context_free(cx);
    assert_int_equal(h.taken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_of_a_run_may_fail),
        cmocka_unit_test(any_allocation_of_an_error_may_fail),
        cmocka_unit_test(a_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
