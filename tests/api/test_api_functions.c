/* Models made of functions: a sparse chain with and without derivatives, parameters by name, and
 * functions that fail or were declared wrongly. */
#include "twins.h"

/* A chain of nonlinear springs, tridiagonal. -------------------------------------------------- */

enum { N = 24, MOST = 3 * N };

static const char *const chain_text =
    "system Chain {\n"
    "  parameter a = 0.7, c = 0.05\n"
    "  coordinate x[24]\n"
    "  lagrangian sum(i in 1..24: x[i]'^2/2) - x[1]^2/2 - x[24]^2/2\n"
    "  lagrangian -sum(i in 1..23: (x[i+1] - x[i])^2/2 + a*(x[i+1] - x[i])^4/4)\n"
    "  for i in 1..24 { force x[i]: -c*x[i]'*(1 + x[i]^2) }\n"
    "  start x[1] = 1, x[12]' = 0.5\n"
    "}\n";

typedef struct {
    int  start[N + 1], column[MOST];
    int  diagonal_start[N + 1], diagonal[N];
    long calls;
} chain;

static void chain_init(chain *c)
{
    int k = 0;
    for (int i = 0; i < N; i++) {
        c->start[i] = k;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < N) c->column[k++] = j;
        c->diagonal_start[i] = c->diagonal[i] = i;
    }
    c->start[N] = k, c->diagonal_start[N] = N, c->calls = 0;
}

static double bond(double a, double d)
{
    return d + a * d * d * d;
}

static void chain_hessian(const chain *c, double a, const double *q, dal_evaluation *out)
{
    for (int i = 0; i < N; i++)
        for (int k = c->start[i]; k < c->start[i + 1]; k++) {
            const int    j = c->column[k], low = i < j ? i : j;
            const double d = low + 1 < N ? q[low + 1] - q[low] : 0;
            const double e = i > 0 ? q[i] - q[i - 1] : 0, f = i + 1 < N ? q[i + 1] - q[i] : 0;
            out->Lqv[k] = 0, out->Lvv[k] = i == j;
            if (i != j) out->Lqq[k] = 1 + 3 * a * d * d;
            else
                out->Lqq[k] = -(i == 0 || i == N - 1) - (i > 0 ? 1 + 3 * a * e * e : 0) -
                              (i + 1 < N ? 1 + 3 * a * f * f : 0);
        }
}

static int chain_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    chain        *c = self;
    const double *q = at->q, *v = at->v, a = at->parameter[0], damping = at->parameter[1];
    c->calls++;
    if (want & DAL_WANT_L) {
        out->L = -(q[0] * q[0] + q[N - 1] * q[N - 1]) / 2;
        for (int i = 0; i < N; i++) out->L += v[i] * v[i] / 2;
        for (int i = 0; i + 1 < N; i++) {
            double d = q[i + 1] - q[i];
            out->L -= d * d / 2 + a * d * d * d * d / 4;
        }
    }
    if (want & DAL_WANT_GRADIENT)
        for (int i = 0; i < N; i++) {
            out->Lv[i] = v[i], out->Lq[i] = i == 0 || i == N - 1 ? -q[i] : 0;
            if (i > 0) out->Lq[i] -= bond(a, q[i] - q[i - 1]);
            if (i + 1 < N) out->Lq[i] += bond(a, q[i + 1] - q[i]);
        }
    if (want & DAL_WANT_HESSIAN) chain_hessian(c, a, q, out);
    if (want & DAL_WANT_FORCE)
        for (int i = 0; i < N; i++) out->f[i] = -damping * v[i] * (1 + q[i] * q[i]);
    if (want & DAL_WANT_FORCE_JACOBIAN)
        for (int i = 0; i < N; i++)
            out->fq[i] = -damping * v[i] * 2 * q[i], out->fv[i] = -damping * (1 + q[i] * q[i]);
    return 0;
}

static dal_callbacks chain_made(chain *c, unsigned missing)
{
    static double            q[N] = {1}, v[N] = {[11] = 0.5};
    static const double      parameters[] = {0.7, 0.05};
    static const char *const words[] = {"a", "c"};
    chain_init(c);
    return (dal_callbacks){.size = sizeof(dal_callbacks),
                           .name = "Chain",
                           .coordinates = N,
                           .parameters = 2,
                           .parameter = words,
                           .parameter_value = parameters,
                           .q = q,
                           .v = v,
                           .autonomous = 1,
                           .hessian = {c->start, c->column},
                           .force = {c->diagonal_start, c->diagonal},
                           .zero = DAL_LQV,
                           .constant = DAL_LVV,
                           .missing = missing,
                           .self = c,
                           .eval = chain_eval};
}

static void a_sparse_chain_moves_as_its_text_does(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "trapezoid", "gauss(2)", "lobatto(3)"};
    static const unsigned    missing[] = {0, DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN};
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            chain         c;
            dal_callbacks made = chain_made(&c, missing[k]);
            twins         w;
            twins_new(&w, &made, chain_text, schemes[i], "0.1");
            twins_step(&w, 200);
            check_below(apart(&w), 2e-13); /* differences change the way to a solution, not it */
            twins_free(&w);
        }
}

/* Three columns of a tridiagonal matrix share no row, so six evaluations make all of it. */
static void columns_that_share_no_row_are_moved_at_once(void **state)
{
    (void)state;
    chain         c;
    dal_callbacks made = chain_made(&c, DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN);
    twins         w;
    twins_new(&w, &made, chain_text, "midpoint", "0.1");
    twins_step(&w, 10);
    long calls = c.calls, before = dal_summarise(w.s[0])->newton_iterations;
    twins_step(&w, 10);
    long iterations = dal_summarise(w.s[0])->newton_iterations - before;
    check_below((double)(c.calls - calls), (double)(iterations * 13 + 40));
    twins_free(&w);
}

static void parameters_of_functions_are_set_by_name(void **state)
{
    (void)state;
    chain         c;
    dal_callbacks made = chain_made(&c, 0);
    twins         w;
    double        a;
    twins_new(&w, &made, chain_text, "midpoint", "0.1");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(dal_set_parameter(w.s[k], "a", 2), DAL_OK);
        assert_int_equal(dal_parameter(w.s[k], "a", &a), DAL_OK);
        check_close(a, 2, 0);
        assert_int_equal(dal_set_parameter(w.s[k], "b", 2), DAL_INVALID);
    }
    twins_step(&w, 100);
    check_below(apart(&w), 1e-13);
    dal_sim *s[2] = {NULL, NULL};
    dal_options_set(w.o, "set", "a=2"), dal_options_set(w.o, "start", "x[3]=0.25");
    assert_int_equal(dal_sim_new(w.m[1], w.o, &s[1]), DAL_OK);
    assert_int_equal(dal_sim_new(w.m[0], w.o, &s[0]), DAL_INVALID); /* it is called q3 here */
    assert_null(s[0]);
    dal_sim_free(s[1]);
    twins_free(&w);
}

/* Functions that fail. ------------------------------------------------------------------------- */

static int cliff_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    (void)self;
    if (at->q[0] > 1) return snprintf(out->why, sizeof out->why, "the table ends at q = 1"), 1;
    if (want & DAL_WANT_L) out->L = at->v[0] * at->v[0] / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = 0, out->Lv[0] = at->v[0];
    if (want & DAL_WANT_HESSIAN) out->Lqq[0] = out->Lqv[0] = 0, out->Lvv[0] = 1;
    return 0;
}

static void a_function_that_fails_says_why(void **state)
{
    (void)state;
    static const double v[] = {1};
    dal_callbacks       made = {.size = sizeof made,
                                .coordinates = 1,
                                .v = v,
                                .autonomous = 1,
                                .zero = DAL_F,
                                .eval = cliff_eval};
    dal_context        *cx = dal_context_new(NULL);
    dal_options        *o = dal_options_new(cx);
    dal_model          *m = NULL;
    dal_sim            *s = NULL;
    dal_status          bad = DAL_OK;
    dal_options_set(o, "step", "0.3");
    assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_OK);
    assert_int_equal(dal_sim_new(m, o, &s), DAL_OK);
    while (!bad && dal_steps(s) < 10) bad = dal_step(s);
    assert_int_equal(bad, DAL_DIVERGED);
    assert_int_equal(dal_steps(s), 3); /* the midpoint of the fourth is beyond */
    check_close(dal_q(s)[0], 0.9, 1e-15);
    assert_non_null(
        strstr(dal_message_at(cx, dal_message_count(cx) - 1).text, "the table ends at q = 1"));
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
}

static void expect_refusal(const dal_callbacks *made, const char *words)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    assert_int_equal(dal_model_from_callbacks(cx, made, &m), DAL_INVALID);
    assert_null(m);
    assert_int_equal(dal_message_count(cx), 1);
    if (!strstr(dal_message_at(cx, 0).text, words)) dal_report(cx, stderr, 0), fail();
    dal_context_free(cx);
}

static void what_is_wrong_with_functions_is_said(void **state)
{
    (void)state;
    static const int         bad_start[] = {0, 2, 1}, start[] = {0, 1, 2}, out[] = {0, 2};
    static const int         twice_start[] = {0, 2, 3}, twice[] = {1, 1, 0};
    static const char *const same[] = {"x", "x"};
    dal_callbacks            made = {.size = sizeof made, .coordinates = 2, .eval = cliff_eval}, m;
    m = made, m.size = 8, expect_refusal(&m, "sizeof(dal_callbacks)");
    m = made, m.eval = NULL, expect_refusal(&m, "no eval");
    m = made, m.coordinates = 0, expect_refusal(&m, "at least one coordinate");
    m = made, m.coordinates = 100000, expect_refusal(&m, "patterns");
    m = made, m.inputs = -1, expect_refusal(&m, "below 0");
    m = made, m.missing = DAL_WANT_GRADIENT, expect_refusal(&m, "missing may hold");
    m = made, m.coordinate = same, expect_refusal(&m, "two of the coordinates are called 'x'");
    m = made, m.hessian = (dal_pattern){bad_start, out}, expect_refusal(&m, "out of order");
    m = made, m.hessian = (dal_pattern){start, out}, expect_refusal(&m, "column 2");
    m = made, m.force = (dal_pattern){twice_start, twice}, expect_refusal(&m, "(0, 1) twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sparse_chain_moves_as_its_text_does),
        cmocka_unit_test(columns_that_share_no_row_are_moved_at_once),
        cmocka_unit_test(parameters_of_functions_are_set_by_name),
        cmocka_unit_test(a_function_that_fails_says_why),
        cmocka_unit_test(what_is_wrong_with_functions_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
