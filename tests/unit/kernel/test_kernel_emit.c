/* test_kernel_emit.c - emitted C against the machines, bit for bit, and the text itself. */
#include "kernel/emit_c.h"
#include "kernel/native.h"
#include "kernel_random.h"
#include "native.h"

typedef void scalar_form(double *reg);
typedef void batch_form(double *reg, int count);
typedef void plain_form(const double *x, double *y);

enum { KERNELS = 8 };

static native_library *must_build(mem *m, const text *c)
{
    text            why = text_new(m);
    native_library *lib = native_build(m, c->at, c->n, &why);
    if (!lib) fail_msg("%s", text_str(&why));
    return lib;
}

static native_function nth(const native_library *lib, const char *kind, int n)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", kind, n);
    native_function f = native_symbol(lib, name);
    if (!f) fail_msg("there is no %s", name);
    return f;
}

/* static inline void NAME(const double *x, double *y): y[0..outputs) from x[0..inputs) */
static void emit_function(text *out, const kernel *k, const char *name, bool single)
{
    const emission *e = emit_c_open(out->m, k, &(emit_style){.single = single});
    const char     *real = single ? "float" : "double";
    text_printf(out, "static inline void %s(const %s *x, %s *y)\n{\n", name, real, real);
    emit_c_statements(e, out);
    for (int j = 0; j < k->outputs; j++) {
        text_printf(out, "    y[%d] = ", j);
        emit_c_root(e, j, out);
        text_add(out, ";\n");
    }
    text_add(out, "}\n");
}

/* Three forms of each kernel; the plain one is made visible by a call. */
static void emit_all(text *c, const kernel *const *k, int n)
{
    emit_c_prologue(c);
    for (int i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "s%d", i), emit_c_scalar(c, k[i], name);
        snprintf(name, sizeof name, "b%d", i), emit_c_batch(c, k[i], name);
        snprintf(name, sizeof name, "inner%d", i), emit_function(c, k[i], name, false);
        text_printf(c, "void p%d(const double *x, double *y) { inner%d(x, y); }\n", i, i);
    }
}

static void compare(mem *m, const native_library *lib, const kernel *k, int i, int count)
{
    double *reg = mem_array(m, k->registers + 1, double),
           *own = mem_array(m, k->registers + 1, double);
    double *many = mem_array(m, (k->registers + 1) * KERNEL_BLOCK, double), y[ROOTS];
    kernel_prepare(k, reg);
    for (int r = 0; r < k->registers * KERNEL_BLOCK; r++) many[r] = -77;
    for (int j = 0; j < k->inputs * KERNEL_BLOCK; j++) many[j] = random_number();
    ((batch_form *)nth(lib, "b", i))(many, count);
    for (int l = 0; l < KERNEL_BLOCK; l++) {
        for (int j = 0; j < k->inputs; j++) reg[j] = own[j] = many[j * KERNEL_BLOCK + l];
        kernel_run(k, reg);
        ((scalar_form *)nth(lib, "s", i))(own);
        ((plain_form *)nth(lib, "p", i))(own, y);
        for (int j = 0; j < k->outputs; j++) {
            int    o = k->out[j];
            bool   computed = o >= k->inputs + k->constants;
            double want = reg[o], lane = l < count ? want : -77;
            if (!same(y[j], want) || (computed && !same(own[o], want)) ||
                (computed && !same(many[o * KERNEL_BLOCK + l], lane)))
                fail_msg("kernel %d, root %d, lane %d of %d: machine %a, function %a, scalar %a, "
                         "batched %a",
                         i, j, l, count, want, y[j], own[o], many[o * KERNEL_BLOCK + l]);
        }
    }
}

static void emitted_code_gives_the_bits_of_the_machines(void **state)
{
    mem          *m = *state;
    const kernel *k[KERNELS];
    text          c = text_new(m);
    graph         g;
    graph_init(&g, m);
    for (int i = 0; i < KERNELS; i++) {
        expr roots[ROOTS];
        graph_reset(&g);
        random_bundle(&g, roots);
        k[i] = kernel_new(m, &g, roots, ROOTS, INPUTS);
    }
    emit_all(&c, k, KERNELS);
    const native_library *lib = must_build(m, &c);
    for (int i = 0; i < KERNELS; i++)
        for (int round = 0; round < 8; round++)
            compare(m, lib, k[i], i, round ? below(KERNEL_BLOCK + 1) : KERNEL_BLOCK);
}

/* A compiler makes one call of a sine and a cosine of the same argument, and knows much of powers.
 */
static void functions_of_one_argument_keep_their_bits(void **state)
{
    mem  *m = *state;
    text  c = text_new(m);
    graph g;
    expr  roots[24];
    int   n = 0;
    graph_init(&g, m);
    expr x = expr_var(&g, 0);
    for (int op = OP_SQRT; op <= OP_FLOOR; op++)
        if (arity_of((expr_op)op) == 1) roots[n++] = expr_op1(&g, (expr_op)op, x);
    for (int p = -3; p < 4; p++) roots[n++] = expr_op2(&g, OP_POW, x, expr_const(&g, p / 2.0));
    roots[n++] = expr_op2(&g, OP_POW, expr_const(&g, 2), x);
    const kernel *k = kernel_new(m, &g, roots, n, 1);
    assert_true(n <= 24 && n <= ROOTS);
    emit_all(&c, &k, 1);
    const native_library *lib = must_build(m, &c);
    for (int round = 0; round < 400; round++) compare(m, lib, k, 0, KERNEL_BLOCK);
}

static void numbers_are_exact(void **state)
{
    const double some[] = {0,       -0.0,     1,         -1,  0.1, -1.0 / 3, 1e300,
                           -1e-310, 5e-324,   123456,    1e6, 2.5, 1e22,     0x1.fffffffffffffp1023,
                           -7,      INFINITY, -INFINITY, NAN};
    enum { SOME = sizeof some / sizeof *some };
    mem *m = *state;
    text c = text_new(m);
    text_add(&c, "void s0(double *y)\n{\n");
    for (int i = 0; i < SOME; i++) {
        text_printf(&c, "    y[%d] = ", i);
        emit_c_number(&c, some[i], false);
        text_add(&c, ";\n");
    }
    text_add(&c, "}\n");
    double y[SOME];
    ((scalar_form *)nth(must_build(m, &c), "s", 0))(y);
    for (int i = 0; i < SOME; i++)
        if (!same(y[i], some[i])) fail_msg("%a became %a", some[i], y[i]);
}

static void the_text_is_short_and_plain(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr a = expr_var(&g, 0), b = expr_var(&g, 1);
    expr roots[] = {expr_op1(&g, OP_SIN, expr_mul(&g, a, b)), b, expr_const(&g, -0.75)};
    text out = text_new(m);
    emit_function(&out, kernel_new(m, &g, roots, 3, 2), "f", false);
    assert_string_equal(text_str(&out), "static inline void f(const double *x, double *y)\n"
                                        "{\n"
                                        "    const double t0 = ROUNDED(x[0] * x[1]);\n"
                                        "    const double t1 = sin(t0);\n"
                                        "    y[0] = t1;\n"
                                        "    y[1] = x[1];\n"
                                        "    y[2] = (-0x3p-2);\n"
                                        "}\n");
    text_clear(&out);
    emit_function(&out, kernel_new(m, &g, roots, 3, 2), "f", true);
    assert_non_null(strstr(text_str(&out), "const float t1 = sinf(t0);"));
    assert_non_null(strstr(text_str(&out), "y[2] = (-0x3p-2f);"));
}

static void a_style_gives_other_names(void **state)
{
    mem  *m = *state;
    graph g;
    graph_init(&g, m);
    expr            x = expr_var(&g, 0), y = expr_var(&g, 1), root = expr_mul(&g, x, y);
    text            out = text_new(m);
    emit_style      s = {.before = "q", .after = "[l]", .local = "u", .indent = "\t"};
    const emission *e = emit_c_open(m, kernel_new(m, &g, &root, 1, 2), &s);
    emit_c_statements(e, &out);
    emit_c_root(e, 0, &out);
    assert_string_equal(text_str(&out), "\tconst double u0 = ROUNDED(q0[l] * q1[l]);\nu0");
}

#define TEST(f) mem_test(f)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(emitted_code_gives_the_bits_of_the_machines),
        TEST(functions_of_one_argument_keep_their_bits),
        TEST(numbers_are_exact),
        TEST(the_text_is_short_and_plain),
        TEST(a_style_gives_other_names),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
