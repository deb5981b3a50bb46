/* test_kernel_jet.c - every operator on series of jets, against derivatives that diff.c makes as
 * expressions. */
#include "memory.h"
#include "kernel/jet.h"

enum { TAU, E1, E2, VARIABLES, DIRECTIONS = 2, DEGREE = 5 };

static expr derivative(graph *g, expr e, int variable)
{
    expr out;
    expr_gradient(g, e, &variable, 1, &out);
    return out;
}

/* value at tau = e = 0 */
static double value(mem *m, const graph *g, expr e)
{
    const double zero[VARIABLES] = {0};
    double      *scratch = mem_resize(m, NULL, (size_t)g->nodes.n * sizeof *scratch);
    double       x = expr_eval(g, e, zero, scratch);
    mem_drop(m, scratch);
    return x;
}

/* The k-th coefficient of e as a jet, by repeated differentiation. */
static void coefficient_of(mem *m, graph *g, expr e, int k, double *jet)
{
    double factorial = 1;
    for (int j = 1; j <= k; j++) e = derivative(g, e, TAU), factorial *= j;
    jet[0] = value(m, g, e) / factorial;
    for (int a = 0; a < DIRECTIONS; a++) {
        expr slope = derivative(g, e, E1 + a);
        jet[1 + a] = value(m, g, slope) / factorial;
        for (int b = 0; b <= a; b++)
            jet[jet_second(DIRECTIONS, a, b)] =
                value(m, g, derivative(g, slope, E1 + b)) / factorial;
    }
}

/* x0 + .3 tau + .7 e1 - .2 e2 + .5 tau e1 + .1 tau^2 e2 e1 - .4 tau^3 + .6 e1 e2 + .25 e2^2 */
static expr argument(graph *g, double x0, double slant)
{
    static const struct {
        double c;
        int    tau, e1, e2;
    } term[] = {{.3, 1, 0, 0},  {.7, 0, 1, 0}, {-.2, 0, 0, 1}, {.5, 1, 1, 0},
                {.1, 2, 1, 1},  {-.4, 3, 0, 0}, {.6, 0, 1, 1}, {.25, 0, 0, 2}};
    expr sum = expr_const(g, x0);
    for (int i = 0; i < 8; i++) {
        expr product = expr_const(g, term[i].c * (i % 2 ? slant : 1));
        for (int k = 0; k < term[i].tau; k++) product = expr_mul(g, product, expr_var(g, TAU));
        for (int k = 0; k < term[i].e1; k++) product = expr_mul(g, product, expr_var(g, E1));
        for (int k = 0; k < term[i].e2; k++) product = expr_mul(g, product, expr_var(g, E2));
        sum = expr_add(g, sum, product);
    }
    return sum;
}

static void check_expression(mem *m, graph *g, expr e, const char *what)
{
    const kernel *k = kernel_new(m, g, &e, 1, VARIABLES);
    jet_interpreter *jm = jet_interpreter_new(m, k, DIRECTIONS, DEGREE);
    double        want[1 + DIRECTIONS + 3];
    jet_input(jm, TAU)[jm->size] = 1;
    jet_input(jm, E1)[1] = 1, jet_input(jm, E2)[2] = 1;
    for (int second = 0; second < 2; second++) {
        jet_interpreter_run(jm, DEGREE, second);
        for (int c = 0; c <= DEGREE; c++) {
            const double *got = jet_output(jm, 0) + (size_t)c * jm->size;
            coefficient_of(m, g, e, c, want);
            for (int i = 0; i < (second ? jet_size(DIRECTIONS) : 1 + DIRECTIONS); i++)
                if (!(fabs(got[i] - want[i]) <= 1e-12 * fmax(1, fabs(want[i])))) {
                    print_error("%s: coefficient %d, entry %d: %.17g, expected %.17g\n", what, c, i,
                                got[i], want[i]);
                    fail();
                }
        }
    }
}

static void functions_of_one_series_have_the_derivatives_of_their_expressions(void **state)
{
    static const struct {
        expr_op op;
        double  at;
    } row[] = {{OP_NEG, .3},   {OP_SQRT, .8}, {OP_EXP, -.4}, {OP_LOG, .7},
               {OP_SIN, .5},   {OP_COS, 2},   {OP_TAN, .4},  {OP_ASIN, .3},
               {OP_ACOS, -.3}, {OP_ATAN, .9}, {OP_SINH, .6}, {OP_COSH, -.6},
               {OP_TANH, .5},  {OP_ABS, -.7}, {OP_SIGN, .2}, {OP_FLOOR, .5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        graph g;
        graph_init(&g, *state);
        check_expression(*state, &g, expr_op1(&g, row[i].op, argument(&g, row[i].at, 1)),
                         op_symbol(row[i].op));
    }
}

static void functions_of_two_series_have_the_derivatives_of_their_expressions(void **state)
{
    static const struct {
        expr_op op;
        double  a, b;
    } row[] = {{OP_ADD, .3, .2},     {OP_MUL, .3, -.4}, {OP_DIV, .3, .8},    {OP_POW, .7, 1.3},
               {OP_POW, .7, -.6},    {OP_POW, .7, 0},   {OP_ATAN2, .7, -.2}, {OP_ATAN2, .2, .9},
               {OP_ATAN2, -.2, -.9}, {OP_MIN, .3, .2},  {OP_MAX, .3, .2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        graph g;
        graph_init(&g, *state);
        expr a = argument(&g, row[i].a, 1), b = argument(&g, row[i].b, -2);
        check_expression(*state, &g, expr_op2(&g, row[i].op, a, b), op_symbol(row[i].op));
    }
}

static void constant_powers_hold_at_zero_too(void **state)
{
    static const double power[] = {2, 3, 7, -2, 0.5, -1.5, 2.5};
    for (int i = 0; i < 7; i++)
        for (int at_zero = 0; at_zero < (i < 3 ? 2 : 1); at_zero++) {
            graph g;
            graph_init(&g, *state);
            expr a = argument(&g, at_zero ? 0 : .9, 1);
            check_expression(*state, &g, expr_pow(&g, a, expr_const(&g, power[i])), "power");
        }
}

static void branches_not_taken_leave_no_trace(void **state)
{
    graph g;
    graph_init(&g, *state);
    expr a = argument(&g, 0, 1), c = expr_op2(&g, OP_LT, expr_var(&g, TAU), expr_const(&g, 1));
    check_expression(*state, &g, expr_if(&g, c, expr_op1(&g, OP_SIN, a), expr_op1(&g, OP_LOG, a)),
                     "if");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(functions_of_one_series_have_the_derivatives_of_their_expressions),
        mem_test(functions_of_two_series_have_the_derivatives_of_their_expressions),
        mem_test(constant_powers_hold_at_zero_too),
        mem_test(branches_not_taken_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
