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

/* Functions and structures, made and used under an allocator that fails. */
static int spring(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    (void)self;
    if (want & DAL_WANT_L) out->L = at->v[0] * at->v[0] / 2 - at->q[0] * at->q[0] / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -at->q[0], out->Lv[0] = at->v[0];
    return 0;
}

static dal_status use_functions(heap *h)
{
    static const double      q[] = {1};
    static const char *const names[] = {"x"};
    dal_allocator            allocator = {counted, h};
    dal_callbacks            made = {.size = sizeof made,
                                     .coordinates = 1,
                                     .coordinate = names,
                                     .q = q,
                                     .autonomous = 1,
                                     .zero = DAL_F,
                                     .missing = DAL_WANT_HESSIAN,
                                     .eval = spring};
    dal_context             *cx = dal_context_new(&allocator);
    dal_options             *o = cx ? dal_options_new(cx) : NULL;
    dal_model               *m = NULL;
    dal_sim                 *s = NULL;
    dal_status               status = DAL_NOMEM;
    if (o) {
        status = dal_options_set(o, "step", "0.1");
        if (!status) status = dal_options_set(o, "jacobian", "broyden");
        if (!status) status = dal_model_from_callbacks(cx, &made, &m);
        if (!status) status = dal_sim_new(m, o, &s);
        if (!status) status = dal_step(s);
        if (!status) status = dal_set_state(s, 0, q, q, NULL);
        if (!status) status = dal_step(s);
    }
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return status;
}

static dal_status use_structures(heap *h)
{
    static const double  row[] = {1, -1};
    const dal_one_forms  W = {.n = 2, .rows = 1, .constant = row};
    const dal_retraction R = dal_retraction_flat(2);
    dal_allocator        allocator = {counted, h};
    dal_context         *cx = dal_context_new(&allocator);
    dal_structure       *D[3] = {NULL, NULL, NULL};
    double               z[8] = {0}, alpha[8] = {0}, basis[64];
    dal_status           status = DAL_NOMEM;
    if (cx) {
        status = dal_structure_induced(cx, DAL_FORWARD, &W, &R, DAL_AT_MIDPOINT, &D[0]);
        if (!status) status = dal_structure_interaction(cx, DAL_FORWARD, &W, NULL, DAL_AT_LEFT, &D[1]);
        if (!status) status = dal_structure_bowtie(cx, D[0], D[1], &D[2]);
        if (!status && isnan(dal_structure_residual(D[2], 0.1, z, alpha))) status = DAL_NOMEM;
        if (!status && !dal_structure_fibre(D[2], 0.1, z, basis, NULL)) status = DAL_NOMEM;
        if (!status && dal_distribution(cx, row, 1, 2, basis) < 0) status = DAL_NOMEM;
    }
    for (int k = 2; k >= 0; k--) dal_structure_free(D[k]);
    dal_context_free(cx);
    return status;
}

static void any_allocation_of_functions_and_structures_may_fail(void **state)
{
    (void)state;
    dal_status (*const uses[])(heap *) = {use_functions, use_structures};
    for (int k = 0; k < 2; k++) {
        heap h = {.left = -1};
        assert_int_equal(uses[k](&h), DAL_OK);
        for (long n = 0, all = h.calls; n < all; n++) {
            h = (heap){.left = n};
            assert_int_equal(uses[k](&h), DAL_NOMEM);
            assert_int_equal(h.taken, 0);
        }
    }
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
        cmocka_unit_test(any_allocation_of_functions_and_structures_may_fail),
        cmocka_unit_test(a_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
