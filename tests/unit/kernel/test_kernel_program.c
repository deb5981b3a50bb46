/* test_kernel_program.c - what a program looks like: equal opcodes together, few registers, nothing
 * twice. */
#include "memory.h"
#include "kernel/kernel.h"

#include <math.h>
#include <time.h>

static int count_of(const kernel *k, expr_op op)
{
    int n = 0;
    for (int i = 0; i < k->instructions; i++) n += k->code[i].op == op;
    return n;
}

/* n oscillators: for each  sin(x) y + x^3  and  cos(x) + y,  inputs x_0 y_0 x_1 y_1 ... */
static const kernel *oscillators(mem *m, int n)
{
    graph g;
    graph_init(&g, m);
    expr *roots = mem_array(m, 2 * n, expr);
    for (int i = 0; i < n; i++) {
        expr x = expr_var(&g, 2 * i), y = expr_var(&g, 2 * i + 1);
        roots[2 * i] = expr_add(&g, expr_mul(&g, expr_op1(&g, OP_SIN, x), y), expr_powi(&g, x, 3));
        roots[2 * i + 1] = expr_add(&g, expr_op1(&g, OP_COS, x), y);
    }
    const kernel *k = kernel_new(m, &g, roots, 2 * n, 2 * n);
    graph_drop(&g);
    return k;
}

static void equal_opcodes_stand_together(void **state)
{
    const kernel *k = oscillators(*state, 50);
    int           changes = 0;
    assert_int_equal(k->instructions, 50 * 7);
    for (int i = 1; i < k->instructions; i++) changes += k->code[i].op != k->code[i - 1].op;
    check_below(changes, 3);
}

static void unreachable_and_repeated_expressions_cost_nothing(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr x = expr_var(&g, 0), y = expr_var(&g, 1), s = expr_op1(&g, OP_SIN, x);
    expr_op1(&g, OP_EXP, y);
    expr          roots[] = {expr_mul(&g, s, y), expr_op1(&g, OP_SQRT, s), s};
    const kernel *k = kernel_new(m, &g, roots, 3, 2);
    assert_int_equal(k->instructions, 3);
    assert_int_equal(count_of(k, OP_SIN), 1);
    assert_int_equal(k->constants, 0);
}

static void powers_share_their_squares(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr          x = expr_var(&g, 0);
    expr          roots[] = {expr_powi(&g, x, 2), expr_powi(&g, x, 3), expr_powi(&g, x, 4)};
    const kernel *k = kernel_new(m, &g, roots, 3, 1);
    assert_int_equal(k->instructions, 3);
    assert_int_equal(count_of(k, OP_MUL), 3);
    roots[0] = expr_powi(&g, x, -2);
    k = kernel_new(m, &g, roots, 1, 1);
    assert_int_equal(count_of(k, OP_MUL), 1);
    assert_int_equal(count_of(k, OP_DIV), 1);
}

static void negative_terms_are_subtracted(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr          x = expr_var(&g, 0), y = expr_var(&g, 1), z = expr_var(&g, 2);
    expr          terms[] = {expr_neg(&g, x), y, expr_neg(&g, z)};
    expr          roots[] = {expr_sub(&g, y, x), expr_sum(&g, terms, 3), expr_sub(&g, x, y)};
    const kernel *k = kernel_new(m, &g, roots, 3, 3);
    double        reg[16] = {2, 3, 10};
    assert_int_equal(count_of(k, OP_NEG), 0);
    assert_int_equal(count_of(k, OP_ADD), 0);
    assert_int_equal(k->instructions, 3); /* the sum starts with the difference that is there */
    kernel_prepare(k, reg);
    kernel_run(k, reg);
    check_close(reg[k->out[0]], 1, 0);
    check_close(reg[k->out[1]], -9, 0);
    check_close(reg[k->out[2]], -1, 0);
    roots[0] = expr_sub(&g, expr_neg(&g, x), y);
    k = kernel_new(m, &g, roots, 1, 3);
    kernel_prepare(k, reg);
    kernel_run(k, reg);
    check_close(reg[k->out[0]], -5, 0);
}

static void registers_are_used_again_but_never_by_their_reader(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr e = expr_var(&g, 0);
    for (int i = 0; i < 1000; i++) e = expr_op1(&g, i % 2 ? OP_SIN : OP_EXP, e);
    const kernel *k = kernel_new(m, &g, &e, 1, 1);
    assert_int_equal(k->instructions, 1000);
    assert_int_equal(k->registers, 3);
    k = oscillators(m, 20);
    for (int i = 0; i < k->instructions; i++) {
        const instruction *x = &k->code[i];
        assert_true(x->to >= k->inputs + k->constants && x->to < k->registers);
        assert_true(x->to != x->a && x->to != x->b && x->to != x->c);
    }
}

/* Makes a program from memory that fails after `calls` calls; false if it did. */
static bool survives(int calls)
{
    scarce_heap   heap = {.left = calls};
    mem_heap      on_it = {scarce_resize, &heap};
    jmp_buf       guard;
    mem           m;
    volatile bool done = false;
    mem_init(&m, on_it);
    m.guard = &guard;
    if (!setjmp(guard)) {
        oscillators(&m, 50);
        done = true;
    }
    mem_free(&m);
    assert_int_equal(heap.live, 0);
    return done;
}

static void an_allocation_that_fails_leaks_nothing(void **state)
{
    (void)state;
    int calls = 0;
    while (!survives(calls)) calls++;
    assert_true(calls > 10);
}

/* What m holds when a kernel has been made is the kernel. */
static void making_a_program_gives_work_space_back(void **state)
{
    mem          *m = *state;
    size_t        before = m->total;
    const kernel *k = oscillators(m, 20000);
    size_t        program = (size_t)k->instructions * sizeof *k->code;
    check_below((double)(m->total - before), 1.5 * (double)program);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_for(mem *m, int n)
{
    double best = 1e9;
    for (int again = 0; again < 3; again++) {
        double start = seconds();
        oscillators(m, n);
        double taken = seconds() - start;
        if (taken < best) best = taken;
    }
    return best;
}

static void making_a_program_takes_linear_time(void **state)
{
    double small = seconds_for(*state, 2000), large = seconds_for(*state, 16000);
    print_message("%d instructions in %.1f ms\n", 16000 * 7, 1e3 * large);
    check_below(large / small, 8 * 4); /* 64 if it were quadratic */
}

static void a_sum_of_many_terms_is_added_from_the_left(void **state)
{
    enum { N = 100000 };
    mem  *m = *state;
    expr *term = mem_array(m, N, expr);
    graph g;
    graph_init(&g, m);
    for (int i = 0; i < N; i++) term[i] = expr_var(&g, i);
    expr          sum = expr_sum(&g, term, N);
    const kernel *k = kernel_new(m, &g, &sum, 1, N);
    assert_int_equal(k->instructions, N - 1);
    assert_int_equal(count_of(k, OP_ADD), N - 1);
    assert_int_equal(k->registers, N + 2);
}

/* Sums over j <= k and over j >= k, for all k: each is one addition more than its neighbour. */
static void sums_share_beginnings_and_ends(void **state)
{
    enum { N = 40 };
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr root[2 * N], term[N];
    for (int i = 0; i < N; i++) term[i] = expr_op1(&g, OP_SIN, expr_var(&g, i));
    for (int k = 0; k < N; k++) {
        root[k] = expr_sum(&g, term, k + 1);
        root[N + k] = expr_sum(&g, term + k, N - k);
    }
    const kernel *k = kernel_new(m, &g, root, 2 * N, N);
    check_below(count_of(k, OP_ADD), 2 * N);
    double *reg = mem_array(m, k->registers, double);
    kernel_prepare(k, reg);
    for (int i = 0; i < N; i++) reg[i] = 0.1 * i;
    kernel_run(k, reg);
    for (int j = 0; j < 2 * N; j++) {
        double sum = 0;
        for (int i = j < N ? 0 : j - N; i < (j < N ? j + 1 : N); i++) sum += sin(0.1 * i);
        check_close(reg[k->out[j]], sum, 1e-13);
    }
}

/* -x - y + z and its like, from either end. */
static void signs_survive_either_order(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr   x[6], root[8];
    double value[6] = {1, 20, 300, 4000, 50000, 600000};
    for (int i = 0; i < 6; i++) x[i] = expr_var(&g, i);
    for (int signs = 0; signs < 8; signs++) {
        expr term[6];
        for (int i = 0; i < 6; i++) term[i] = i > 2 || signs >> i & 1 ? expr_neg(&g, x[i]) : x[i];
        root[signs] = expr_sum(&g, term, 6);
    }
    const kernel *k = kernel_new(m, &g, root, 8, 6);
    double       *reg = mem_array(m, k->registers, double);
    kernel_prepare(k, reg);
    for (int i = 0; i < 6; i++) reg[i] = value[i];
    kernel_run(k, reg);
    for (int signs = 0; signs < 8; signs++) {
        double sum = 0;
        for (int i = 0; i < 6; i++) sum += i > 2 || signs >> i & 1 ? -value[i] : value[i];
        check_close(reg[k->out[signs]], sum, 0);
    }
    check_below(k->instructions, 8 * 5 - 1);
}

/* The force of a spring on its second end, d = b - a: (a - b) - d^3, and others that begin with a -
 * b. */
static void a_difference_is_found_in_its_opposite(void **state)
{
    static const double at[][3] = {
        {0.3, -0.7, 2}, {1e10, 1, -3}, {0.1, 0.1, 0}, {-5, 1e-9, 0.25}};
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr a = expr_var(&g, 0), b = expr_var(&g, 1), c = expr_var(&g, 2), d = expr_sub(&g, b, a),
         cube = expr_powi(&g, d, 3), back = expr_neg(&g, d);
    expr roots[] = {cube,
                    expr_sub(&g, back, cube),
                    expr_add(&g, back, c),
                    expr_sum(&g, (expr[]){a, expr_neg(&g, b), expr_neg(&g, cube), c}, 4),
                    expr_neg(&g, expr_sub(&g, back, cube))};
    const kernel *plain = kernel_new(m, &g, roots, 5, 3),
                 *found = kernel_new_any_zero(m, &g, roots, 5, 3);
    assert_int_equal(1, count_of(plain, OP_SUB) - count_of(found, OP_SUB));
    check_below(found->instructions, plain->instructions);
    double *x = mem_array(m, plain->registers, double), *y = mem_array(m, found->registers, double);
    kernel_prepare(plain, x), kernel_prepare(found, y);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        for (int i = 0; i < 3; i++) x[i] = y[i] = at[k][i];
        kernel_run(plain, x), kernel_run(found, y);
        for (int r = 0; r < 5; r++) assert_true(x[plain->out[r]] == y[found->out[r]]);
    }
}

static void a_program_prints_itself(void **state)
{
    mem  *m = *state;
    graph g;
    text  out = text_new(m);
    graph_init(&g, m);
    expr x = expr_var(&g, 0);
    expr roots[] = {expr_op1(&g, OP_SIN, expr_powi(&g, x, 2)), expr_const(&g, 0.5)};
    kernel_print(kernel_new(m, &g, roots, 2, 1), &out);
    assert_string_equal(text_str(&out),
                        "1 inputs, 1 constants, 4 registers, 2 instructions, 2 outputs\n"
                        "r1 = 0.5\n\nr2 = (r0 * r0)\nr3 = sin(r2)\n\nout 0 = r3\nout 1 = r1\n");
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_opcodes_stand_together),
        TEST(unreachable_and_repeated_expressions_cost_nothing),
        TEST(powers_share_their_squares),
        TEST(negative_terms_are_subtracted),
        TEST(registers_are_used_again_but_never_by_their_reader),
        TEST(an_allocation_that_fails_leaks_nothing),
        TEST(making_a_program_gives_work_space_back),
        TEST(making_a_program_takes_linear_time),
        TEST(a_sum_of_many_terms_is_added_from_the_left),
        TEST(sums_share_beginnings_and_ends),
        TEST(signs_survive_either_order),
        TEST(a_difference_is_found_in_its_opposite),
        TEST(a_program_prints_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
