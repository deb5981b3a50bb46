/* test_kernel_tape.c - which operators are made at one go, that none of them rounds otherwise, and
 * what is left out of a tape that is linked. */
#include "kernel/tape.h"
#include "kernel_random.h"

enum { ALONE = 2, A = 0, B, C, INNER, OUTER, REGISTERS };

/* Two instructions: INNER of A and B, and OUTER of that and C. */
typedef struct {
    instruction code[2];
    run         runs[2];
    int         out[2];
    kernel      k;
} two;

static void two_make(two *x, expr_op inner, expr_op outer, int side, int outputs)
{
    const int left = side == 1 ? C : INNER, right = side == 1 ? INNER : side == ALONE ? A : C;
    *x = (two){.code = {{INNER, A, B, 0}, {OUTER, left, right, 0}},
               .runs = {{inner, 0, 1}, {outer, 1, 1}},
               .out = {OUTER, INNER}};
    x->k = (kernel){.inputs = 3, .registers = REGISTERS, .runs = 2, .instructions = 2,
                    .run = x->runs, .code = x->code, .outputs = outputs, .out = x->out};
}

static double value_of(expr_op op, double a, double b)
{
    const double c = 0;
    (void)c;
    switch (op) {
#define OP(name, arity, symbol, value, text)                                                       \
    case OP_##name: return value;
#include "expr/ops.def"
#undef OP
    default: return (double)NAN;
    }
}

static void check_pair(mem *m, expr_op inner, expr_op outer, int side)
{
    two x;
    two_make(&x, inner, outer, side, 1);
    const tape *t = tape_new(m, &x.k);
    double     *reg = mem_array(m, t->registers + 1, double);
    assert_int_equal(t->steps, 1);
    for (int round = 0; round < 50; round++) {
        for (int i = A; i <= C; i++) reg[i] = random_number();
        const double y = value_of(inner, reg[A], reg[B]);
        const double want = side == 1 ? value_of(outer, reg[C], y) : value_of(outer, y, reg[C]);
        tape_run(t, reg);
        if (!same(reg[OUTER], want))
            fail_msg("operators %d, %d: %a instead of %a", inner, outer, reg[OUTER], want);
    }
}

static void pairs_round_twice(void **state)
{
    int pairs = 0;
#define PAIR(name, inner, outer, side, value)                                                      \
    check_pair(*state, OP_##inner, OP_##outer, side), pairs++;
#include "kernel/pairs.def"
#undef PAIR
    check_pair(*state, OP_MUL, OP_ADD, 1); /* from either side */
    check_pair(*state, OP_ADD, OP_MUL, 1);
    assert_true(pairs >= 24);
}

static void what_others_read_has_a_step_of_its_own(void **state)
{
    two x;
    two_make(&x, OP_MUL, OP_ADD, 0, 2); /* a result itself */
    assert_int_equal(tape_new(*state, &x.k)->steps, 2);
    two_make(&x, OP_MUL, OP_ADD, 0, 1);
    x.code[1].b = INNER; /* read twice */
    assert_int_equal(tape_new(*state, &x.k)->steps, 2);
    two_make(&x, OP_SIN, OP_ADD, 0, 1); /* no such pair */
    assert_int_equal(tape_new(*state, &x.k)->steps, 2);
}

static void products_are_added_at_one_go(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr          x = expr_var(&g, 0), y = expr_var(&g, 1), z = expr_var(&g, 2);
    expr          root = expr_add(&g, expr_mul(&g, x, y), expr_mul(&g, y, z));
    const kernel *k = kernel_new(m, &g, &root, 1, 3);
    const tape   *t = tape_new(m, k);
    double       *reg = mem_array(m, t->registers + 1, double);
    assert_int_equal(t->steps, 1);
    assert_int_equal(t->step[0].op, TAPE_SUM);
    kernel_prepare(k, reg);
    reg[0] = 2, reg[1] = 3, reg[2] = 5;
    tape_run(t, reg);
    assert_true(reg[k->out[0]] == 21);
}

/* Of random programs every result alone: the bits of the whole, and fewer steps. */
static void a_linked_tape_computes_what_is_wanted(void **state)
{
    mem  *m = *state;
    graph g;
    expr  roots[ROOTS];
    graph_init(&g, m);
    random_bundle(&g, roots);
    const kernel *k = kernel_new(m, &g, roots, ROOTS, INPUTS);
    const tape   *t = tape_new(m, k);
    double       *reg = mem_array(m, t->registers + 1, double), there = 0;
    double       *own = mem_array(m, t->registers + 1, double);
    double       **to = mem_array(m, t->registers + 1, double *);
    const double **from = mem_array(m, t->registers + 1, const double *);
    linked_step  *step = mem_array(m, t->steps + 1, linked_step);
    int           fewer = 0;
    kernel_prepare(k, reg), kernel_prepare(k, own);
    for (int i = 0; i < INPUTS; i++) reg[i] = own[i] = random_number();
    tape_run(t, reg);
    for (int j = 0; j < ROOTS; j++) {
        uint8_t *wanted = mem_array(m, t->registers + 1, uint8_t);
        for (int r = 0; r < t->registers; r++) from[r] = to[r] = own + r;
        if (k->out[j] < k->inputs + k->constants) continue;
        from[k->out[j]] = to[k->out[j]] = &there, wanted[k->out[j]] = 1;
        const int steps = tape_link(t, from, to, wanted, step);
        step[steps] = (linked_step){.op = TAPE_END, .a = own, .b = own};
        tape_run_linked(step);
        assert_true(same(there, reg[k->out[j]]));
        fewer += steps < t->steps;
    }
    assert_true(fewer > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(pairs_round_twice),
        mem_test(what_others_read_has_a_step_of_its_own),
        mem_test(products_are_added_at_one_go),
        mem_test(a_linked_tape_computes_what_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
