/* Memory: whichever allocation fails, the call says so and nothing leaks; and a step allocates
 * nothing. */
#include "check.h"
#include "dalembert.h"
#include "heap.h"

static char text[] = "system Pendulum {\n"
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

static int use(scarce_heap *h, void *model)
{
    dal_allocator allocator = {scarce_resize, h};
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
    return (int)status;
}

static void fails_everywhere(int (*job)(scarce_heap *, void *), void *self, dal_status want)
{
    const long tried = heap_fails_everywhere(job, self, (int)want, DAL_NOMEM);
    assert_true(tried > 0);
    print_message("%ld allocations\n", tried);
}

static void any_allocation_of_a_run_may_fail(void **state)
{
    (void)state;
    fails_everywhere(use, text, DAL_OK);
}

static void any_allocation_of_an_error_may_fail(void **state)
{
    (void)state;
    char wrong[] =
        "system A {\n  coordinate x\n  lagrangian y'^2/2 - z +\n}\nsystem B { lagrangian 3 ]\n";
    fails_everywhere(use, wrong, DAL_SYNTAX);
}

/* Functions and structures, made and used under an allocator that fails. */
static int spring(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    (void)self;
    if (want & DAL_WANT_L) out->L = at->v[0] * at->v[0] / 2 - at->q[0] * at->q[0] / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -at->q[0], out->Lv[0] = at->v[0];
    return 0;
}

static int use_functions(scarce_heap *h, void *none)
{
    static const double      q[] = {1};
    static const char *const names[] = {"x"};
    dal_allocator            allocator = {scarce_resize, h};
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
    (void)none;
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
    return (int)status;
}

static int use_structures(scarce_heap *h, void *none)
{
    static const double  row[] = {1, -1};
    const dal_one_forms  W = {.n = 2, .rows = 1, .constant = row};
    const dal_retraction R = dal_retraction_flat(2);
    dal_allocator        allocator = {scarce_resize, h};
    dal_context         *cx = dal_context_new(&allocator);
    dal_structure       *D[3] = {NULL, NULL, NULL};
    double               z[8] = {0}, alpha[8] = {0}, basis[64];
    dal_status           status = DAL_NOMEM;
    (void)none;
    if (cx) {
        status = dal_structure_induced(cx, DAL_FORWARD, &W, &R, DAL_AT_MIDPOINT, &D[0]);
        if (!status)
            status = dal_structure_interaction(cx, DAL_FORWARD, &W, NULL, DAL_AT_LEFT, &D[1]);
        if (!status) status = dal_structure_bowtie(cx, D[0], D[1], &D[2]);
        if (!status && isnan(dal_structure_residual(D[2], 0.1, z, alpha))) status = DAL_NOMEM;
        if (!status && !dal_structure_fibre(D[2], 0.1, z, basis, NULL)) status = DAL_NOMEM;
        if (!status && dal_distribution(cx, row, 1, 2, basis) < 0) status = DAL_NOMEM;
    }
    for (int k = 2; k >= 0; k--) dal_structure_free(D[k]);
    dal_context_free(cx);
    return (int)status;
}

static void any_allocation_of_functions_and_structures_may_fail(void **state)
{
    (void)state;
    fails_everywhere(use_functions, NULL, DAL_OK);
    fails_everywhere(use_structures, NULL, DAL_OK);
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    scarce_heap   h = {.left = -1};
    dal_allocator allocator = {scarce_resize, &h};
    dal_context  *cx = dal_context_new(&allocator);
    dal_model    *m = NULL;
    dal_sim      *s = NULL;
    assert_int_equal(dal_model_parse(cx, "pendulum.dal", text, NULL, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, NULL, &s), DAL_OK);
    long before = h.calls;
    for (int i = 0; i < 100; i++) assert_int_equal(dal_step(s), DAL_OK);
    assert_int_equal(h.calls, before);
    dal_sim_free(s), dal_model_free(m), dal_context_free(cx);
    assert_int_equal(h.live, 0);
}

/* A term that stands once beside 10^5 others costs what it is, not what they are. */
static void a_single_term_costs_no_room_for_all(void **state)
{
    (void)state;
    static const char chain[] =
        "system Chain {\n  parameter N = 100000, b = 0.8\n  coordinate x[N]\n"
        "  let V(r) = r^2/2 + b*r^4/4\n"
        "  lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N-1: V(x[i+1] - x[i])) - V(x[1])\n"
        "}\n";
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    assert_int_equal(dal_options_set(o, "memory", "40"), DAL_OK); /* MB */
    assert_int_equal(dal_model_parse(cx, "chain.dal", chain, o, &m), DAL_OK);
    dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_of_a_run_may_fail),
        cmocka_unit_test(any_allocation_of_an_error_may_fail),
        cmocka_unit_test(any_allocation_of_functions_and_structures_may_fail),
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(a_single_term_costs_no_room_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
