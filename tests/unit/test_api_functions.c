/* Models made of functions in full: sparse patterns, missing derivatives, constraints, Hamiltonian
 * coordinates, time, inputs, parameters and functions that fail. Each has a twin in the language.
 */
#include "check.h"
#include "dalembert.h"

#include <stdio.h>
#include <string.h>

/* Two simulations of one system, by functions [0] and by text [1]. */
typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m[2];
    dal_sim     *s[2];
} twins;

static void twins_new(twins *w, const dal_callbacks *made, const char *text, const char *scheme,
                      const char *step)
{
    *w = (twins){.cx = dal_context_new(NULL)};
    w->o = dal_options_new(w->cx);
    dal_options_set(w->o, "scheme", scheme), dal_options_set(w->o, "step", step);
    dal_status bad = dal_model_from_callbacks(w->cx, made, &w->m[0]);
    if (!bad) bad = dal_model_parse(w->cx, "twin.dal", text, w->o, &w->m[1]);
    for (int k = 0; k < 2 && !bad; k++) bad = dal_sim_new(w->m[k], w->o, &w->s[k]);
    if (bad) dal_report(w->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void twins_step(twins *w, int steps)
{
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < 2; k++)
            if (dal_step(w->s[k])) dal_report(w->cx, stderr, 0), fail();
}

/* The largest difference of q and p. */
static double apart(const twins *w)
{
    double most = 0;
    for (size_t i = 0; i < dal_size(w->s[0]); i++) {
        most = fmax(most, fabs(dal_q(w->s[0])[i] - dal_q(w->s[1])[i]));
        most = fmax(most, fabs(dal_p(w->s[0])[i] - dal_p(w->s[1])[i]));
    }
    return most;
}

static void twins_free(twins *w)
{
    for (int k = 0; k < 2; k++) dal_sim_free(w->s[k]), dal_model_free(w->m[k]);
    dal_options_free(w->o), dal_context_free(w->cx);
}

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

/* A knife edge on a slope, driven by an input; velocity constraint. --------------------------- */

static const char *const knife_text = "system Knife {\n"
                                      "  input push = 0\n"
                                      "  coordinate x, y, th\n"
                                      "  lagrangian (x'^2 + y'^2)/2 + th'^2/4 - 0.3*x\n"
                                      "  force th: push*cos(t) - 0.1*th'\n"
                                      "  constraint edge: sin(th)*x' = cos(th)*y' + 0.05*sin(t)\n"
                                      "  start x' = 1, y' = -0, th' = 2\n"
                                      "}\n"
                                      "simulate { columns = x }\n";

static int knife_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double *q = at->q, *v = at->v, t = at->t, s = sin(q[2]), c = cos(q[2]);
    const double  lam = at->lam ? at->lam[0] : 0;
    const int    *allowed = self;
    if (want & (unsigned)*allowed) return snprintf(out->why, sizeof out->why, "not allowed"), 1;
    if (want & DAL_WANT_L) out->L = (v[0] * v[0] + v[1] * v[1]) / 2 + v[2] * v[2] / 4 - 0.3 * q[0];
    if (want & DAL_WANT_GRADIENT) {
        out->Lq[0] = -0.3, out->Lq[1] = out->Lq[2] = 0;
        out->Lv[0] = v[0], out->Lv[1] = v[1], out->Lv[2] = v[2] / 2;
    }
    if (want & DAL_WANT_HESSIAN)
        for (int e = 0; e < 9; e++)
            out->Lqq[e] = out->Lqv[e] = 0, out->Lvv[e] = e == 0 || e == 4 ? 1 : e == 8 ? 0.5 : 0;
    if (want & DAL_WANT_FORCE)
        out->f[0] = out->f[1] = 0, out->f[2] = at->input[0] * cos(t) - 0.1 * v[2];
    if (want & DAL_WANT_FORCE_JACOBIAN) {
        memset(out->fq, 0, 9 * sizeof *out->fq), memset(out->fv, 0, 9 * sizeof *out->fv);
        out->fv[8] = -0.1;
    }
    if (want & DAL_WANT_TIME) {
        out->Lt = out->Ltt = 0;
        for (int i = 0; i < 3; i++) out->Lqt[i] = out->Lvt[i] = out->ft[i] = 0;
        out->ft[2] = -at->input[0] * sin(t);
    }
    if (want & DAL_WANT_RELATIONS) {
        out->A[0] = s, out->A[1] = -c, out->A[2] = 0;
        out->e[0] = s * v[0] - c * v[1] - 0.05 * sin(t);
    }
    if (want & DAL_WANT_RELATIONS_JACOBIAN) {
        out->eq[0] = out->eq[1] = 0, out->eq[2] = c * v[0] + s * v[1];
        out->et[0] = -0.05 * cos(t);
        memset(out->curvature, 0, 9 * sizeof *out->curvature);
        out->curvature[2] = lam * c, out->curvature[5] = lam * s;
    }
    return 0;
}

/* Along q, p, time, length and the input; the text differentiates exactly. */
static void same_tangents(const twins *w)
{
    static const double one[] = {1};
    double              matrix[2][36], out[2][3 * 6];
    const dal_direction along[] = {{.t = 1}, {.h = 1}, {.input = one}};
    for (int k = 0; k < 2; k++) {
        if (dal_tangent_matrix(w->s[k], matrix[k]) || dal_tangent(w->s[k], 3, along, out[k]))
            dal_report(w->cx, stderr, 0), fail();
    }
    for (int e = 0; e < 36; e++) check_close(matrix[0][e], matrix[1][e], 2e-9);
    for (int e = 0; e < 18; e++) check_close(out[0][e], out[1][e], 2e-9);
}

static void constraints_time_and_inputs_agree_with_the_text(void **state)
{
    (void)state;
    static const char *const words[] = {"x", "y", "th"}, *const edge[] = {"edge"};
    static const char *const push[] = {"push"};
    static const double      v[] = {1, 0, 2};
    static const char *const schemes[] = {"midpoint", "gauss(2)", "lobatto(4)"};
    static const unsigned    all =
        DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN | DAL_WANT_TIME | DAL_WANT_RELATIONS_JACOBIAN;
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            int           forbidden = k ? (int)all : 0;
            dal_callbacks made = {.size = sizeof made,
                                  .name = "Knife",
                                  .coordinates = 3,
                                  .constraints = 1,
                                  .inputs = 1,
                                  .coordinate = words,
                                  .relation = edge,
                                  .input = push,
                                  .v = v,
                                  .missing = k ? all : 0,
                                  .self = &forbidden,
                                  .eval = knife_eval};
            twins         w;
            double        lam[2];
            twins_new(&w, &made, knife_text, schemes[i], "0.05");
            for (int block = 0; block < 10; block++) {
                for (int j = 0; j < 2; j++)
                    assert_int_equal(dal_set_input(w.s[j], "push", sin(block)), DAL_OK);
                twins_step(&w, 10);
            }
            check_below(apart(&w), 2e-13);
            same_tangents(&w);
            for (int j = 0; j < 2; j++)
                assert_int_equal(dal_measure(w.s[j], "edge", &lam[j]), DAL_OK);
            check_close(lam[0], lam[1], k ? 1e-8 : 1e-11);
            twins_free(&w);
        }
}

/* State, parameters and inputs of functions go through a checkpoint, to the same bits. */
static void a_checkpoint_of_functions_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    static const double      v[] = {1, 0, 2};
    int                      forbidden = 0;
    dal_callbacks            made = {.size = sizeof made,
                                     .coordinates = 3,
                                     .constraints = 1,
                                     .inputs = 1,
                                     .parameters = 1,
                                     .v = v,
                                     .self = &forbidden,
                                     .eval = knife_eval};
    static const char *const kinds[] = {"newton", "broyden"};
    for (int k = 0; k < 2; k++) {
        dal_context    *cx = dal_context_new(NULL);
        dal_options    *o = dal_options_new(cx);
        dal_model      *m = NULL;
        dal_sim        *s[2] = {NULL, NULL};
        dal_checkpoint *c = NULL;
        const void     *bytes;
        size_t          length;
        double          parameter;
        dal_options_set(o, "step", "0.05"), dal_options_set(o, "jacobian", kinds[k]);
        assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_OK);
        for (int j = 0; j < 2; j++) assert_int_equal(dal_sim_new(m, o, &s[j]), DAL_OK);
        assert_int_equal(dal_set_input(s[0], "input1", 0.7), DAL_OK);
        assert_int_equal(dal_set_parameter(s[0], "parameter1", 5), DAL_OK);
        for (int i = 0; i < 20; i++) assert_int_equal(dal_step(s[0]), DAL_OK);
        assert_int_equal(dal_sim_save_to_memory(s[0], &bytes, &length), DAL_OK);
        assert_int_equal(dal_checkpoint_parse(cx, bytes, length, &c), DAL_OK);
        assert_int_equal(dal_sim_restore(s[1], c), DAL_OK);
        assert_int_equal(dal_parameter(s[1], "parameter1", &parameter), DAL_OK);
        check_close(parameter, 5, 0);
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 2; j++) assert_int_equal(dal_step(s[j]), DAL_OK);
        assert_memory_equal(dal_q(s[0]), dal_q(s[1]), 3 * sizeof(double));
        dal_checkpoint_free(c);
        for (int j = 0; j < 2; j++) dal_sim_free(s[j]);
        dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    }
}

/* A Hamiltonian that does not separate: H = (1 + q^2) p^2/2 - cos q, with damping -c p. ------- */

static int phase_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double q = at->q[0], p = at->p[0], c = 0.1;
    (void)self;
    if (want & DAL_WANT_L) out->L = cos(q) - (1 + q * q) * p * p / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -q * p * p - sin(q), out->Lv[0] = -(1 + q * q) * p;
    if (want & DAL_WANT_HESSIAN)
        out->Lqq[0] = -p * p - cos(q), out->Lqv[0] = -2 * q * p, out->Lvv[0] = -(1 + q * q);
    if (want & DAL_WANT_FORCE) out->f[0] = -c * p;
    if (want & DAL_WANT_FORCE_JACOBIAN) out->fq[0] = 0, out->fv[0] = -c;
    return 0;
}

static void hamiltonian_coordinates_of_functions_are_those_of_the_text(void **state)
{
    (void)state;
    static const unsigned char flags[] = {1};
    static const double        q[] = {0.4}, p[] = {0.9};
    static const char *const   schemes[] = {"midpoint", "gauss(2)", "rectangle(0)"};
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dal_callbacks made = {.size = sizeof made,
                                  .coordinates = 1,
                                  .hamiltonian = flags,
                                  .q = q,
                                  .p = p,
                                  .autonomous = 1,
                                  .missing = k ? DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN : 0,
                                  .eval = phase_eval};
            twins         w;
            twins_new(&w, &made,
                      "system P {\n  coordinate q\n  hamiltonian (1 + q^2)*p(q)^2/2 - cos(q)\n"
                      "  force q: -0.1*p(q)\n  start q = 0.4, p(q) = 0.9\n}\n",
                      schemes[i], "0.05");
            twins_step(&w, 100);
            check_below(apart(&w), 2e-13);
            twins_free(&w);
        }
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
        cmocka_unit_test(constraints_time_and_inputs_agree_with_the_text),
        cmocka_unit_test(a_checkpoint_of_functions_goes_on_to_the_same_bits),
        cmocka_unit_test(hamiltonian_coordinates_of_functions_are_those_of_the_text),
        cmocka_unit_test(a_function_that_fails_says_why),
        cmocka_unit_test(what_is_wrong_with_functions_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
