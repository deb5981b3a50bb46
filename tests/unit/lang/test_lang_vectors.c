/* test_lang_vectors.c - arrays of three as vectors: what is made of them is what is made of their
 * components, and agrees with values worked out by hand. */
#include "bench.h"

#include "model/compile.h"
#include "model/print/print.h"

static void cross_of(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot_of(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Every element of one is an element of the other, with the same graph. */
static void check_same(const char *vectors, const char *written_out)
{
    bench a, b;
    make(&a, vectors), make(&b, written_out);
    text x = text_new(&a.m), y = text_new(&b.m);
    print_system(compile(&a.m, a.md), NULL, a.v.parameter, &x);
    print_system(compile(&b.m, b.md), NULL, b.v.parameter, &y);
    assert_string_equal(text_str(&x), text_str(&y));
    bench_close(&a), bench_close(&b);
}

static void vectors_are_their_components(void **state)
{
    (void)state;
    check_same(
        "system A {\n parameter m = 2, a[3] = [1, 2, 3]\n coordinate x[3]\n"
        " lagrangian m/2*dot(x', x') - dot(a, x)\n holonomic rod: dot(x, x) = 1\n"
        " force x: -m*x' + a*sin(t)\n start x = [0, 0, 1]\n}\n",
        "system A {\n parameter m = 2, a[3] = [1, 2, 3]\n coordinate x[3]\n"
        " lagrangian m/2*(x[1]'^2 + x[2]'^2 + x[3]'^2) - (a[1]*x[1] + a[2]*x[2] + a[3]*x[3])\n"
        " holonomic rod: x[1]^2 + x[2]^2 + x[3]^2 = 1\n"
        " for k in 1..3 { force x[k]: -m*x[k]' + a[k]*sin(t) }\n start x = [0, 0, 1]\n}\n");
    check_same("system A {\n coordinate x[3], y[3]\n lagrangian dot(x', x') + dot(y', y')\n"
               " connect c: x = 2*y\n constraint x' = sin(t)*y\n start y = [1, 2, 3]\n}\n",
               "system A {\n coordinate x[3], y[3]\n"
               " lagrangian x[1]'^2 + x[2]'^2 + x[3]'^2 + (y[1]'^2 + y[2]'^2 + y[3]'^2)\n"
               " connect c[k in 1..3]: x[k] = 2*y[k]\n"
               " for k in 1..3 { constraint x[k]' = sin(t)*y[k] }\n start y = [1, 2, 3]\n}\n");
}

static void sums_of_vectors_are_one_element_with_many_instances(void **state)
{
    (void)state;
    bench b;
    int   instances;
    point x = some_point();
    make(&b, "system A {\n parameter N = 20\n coordinate x[N][3]\n"
             " lagrangian sum(k in 1..N: dot(x[k]', x[k]')/2)\n"
             " lagrangian -sum(k in 1..N-1: dot(x[k+1] - x[k], x[k+1] - x[k])/2)\n"
             " let middle = sum(k in 1..N: x[k])/N\n"
             " output P = 2*sum(k in 1..N: k*x[k]'), c = middle, third = middle[3]\n"
             " output up = sum(k in 1..N: x[k][1])*[0, 0, 1]\n}\n");
    assert_int_equal(count_elements(&b, EL_LAGRANGIAN, &instances), 2);
    assert_int_equal(instances, 39);
    double want = 0, middle = 0, first = 0;
    for (int k = 0; k < 20; k++) want += 2 * (k + 1) * x.v[3 * k + 1];
    for (int k = 0; k < 20; k++) middle += x.q[3 * k + 2] / 20, first += x.q[3 * k];
    check_close(total(&b, EL_OUTPUT, output(&b, "P[2]"), &x), want, 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "c[3]"), &x), middle, 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "third"), &x), middle, 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "up[3]"), &x), first, 1e-14);
    assert_true(total(&b, EL_OUTPUT, output(&b, "up[1]"), &x) == 0);
    bench_close(&b);
}

static void operators_and_functions_agree_with_numbers(void **state)
{
    (void)state;
    static const double J[3][3] = {{2, 0.1, 0.3}, {0.2, 3, -0.4}, {0.5, 0.6, 4}};
    bench               b;
    point               x = some_point();
    double              c[3], w[3];
    make(&b,
         "let e3 = [0, 0, 1], unit(a) = a/norm(a), mix(k, a, M) = k*a + M*a\n"
         "system A {\n parameter J[3][3] = [[2, 0.1, 0.3], [0.2, 3, -0.4], [0.5, 0.6, 4]]\n"
         " parameter k = 2, d[3] = [2, 4, 8]\n coordinate x[3], y[3], z\n"
         " lagrangian dot(x', x') + dot(y', y') + z'^2\n"
         " let p[i in 1..2] = i*x + y, I = diag(d)\n"
         " output w = cross(x, y), s = dot(x, y), n = norm(x), u = unit(x), h = -(J*x)/2\n"
         " output back = inv(J)*(J*x), scaled = inv(I)*x, m = mix(2, x, J), q = p[2], r = p[2][3]\n"
         " output row = J[2], el = (J*x)[k], v = (cross(x, y))', choice = if(z > 9, x, y)\n"
         " output g = d(dot(x, y)^2, x), rate = d(z*x, z), mo = p(x), up = dot(e3, y)\n}\n");
    cross_of(x.q, x.q + 3, c);
    for (int i = 0; i < 3; i++) {
        const char *at[] = {"1", "2", "3"};
        const int   n = (i + 1) % 3, o = (i + 2) % 3;
        double      a[3], e[3], dots = dot_of(x.q, x.q + 3);
        char        word[16];
        cross_of(x.v, x.q + 3, a), cross_of(x.q, x.v + 3, e);
        w[i] = dot_of(J[i], x.q);
        const struct {
            const char *name;
            double      value;
        } want[] = {{"w", x.q[n] * x.q[3 + o] - x.q[o] * x.q[3 + n]},
                    {"u", x.q[i] / sqrt(dot_of(x.q, x.q))},
                    {"h", -w[i] / 2},
                    {"back", x.q[i]},
                    {"scaled", x.q[i] / (2 << i)},
                    {"m", 2 * x.q[i] + w[i]},
                    {"q", 2 * x.q[i] + x.q[3 + i]},
                    {"row", J[1][i]},
                    {"v", a[i] + e[i]},
                    {"choice", x.q[3 + i]},
                    {"g", 2 * dots * x.q[3 + i]},
                    {"rate", x.q[i]},
                    {"mo", x.p[i]}};
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            snprintf(word, sizeof word, "%s[%s]", want[k].name, at[i]);
            check_close(total(&b, EL_OUTPUT, output(&b, word), &x), want[k].value, 1e-14);
        }
    }
    check_close(total(&b, EL_OUTPUT, output(&b, "s"), &x), dot_of(x.q, x.q + 3), 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "n"), &x), sqrt(dot_of(x.q, x.q)), 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "r"), &x), 2 * x.q[2] + x.q[5], 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "el"), &x), w[1], 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "up"), &x), x.q[5], 1e-14);
    bench_close(&b);
}

static void a_force_on_a_vector_acts_through_its_differential(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system A {\n coordinate x[3], y[3]\n lagrangian dot(x', x') + dot(y', y')\n"
             " let tip = x + dot(x, x)*y\n force tip: [1, 2, 3]\n}\n");
    const double F[] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        check_close(total(&b, EL_FORCE, i, &x), F[i] + 2 * x.q[i] * dot_of(F, x.q + 3), 1e-14);
        check_close(total(&b, EL_FORCE, 3 + i, &x), dot_of(x.q, x.q) * F[i], 1e-14);
    }
    bench_close(&b);
    /* a torque on x cross x' has the power T . (x cross x') = (T cross x) . x' */
    make(&b, "system A {\n coordinate x[3]\n lagrangian dot(x', x')\n let w = cross(x, x')\n"
             " force w: [1, 2, 3]\n}\n");
    double want[3];
    cross_of(F, x.q, want);
    for (int i = 0; i < 3; i++) check_close(total(&b, EL_FORCE, i, &x), want[i], 1e-14);
    bench_close(&b);
}

static void numbers_before_a_run_may_be_made_of_vectors(void **state)
{
    (void)state;
    bench b;
    make(&b, "let e = [0, 3, 4], half(a) = a/2\n"
             "system Mass {\n parameter m = 1, a[3] = [0, 0, 0]\n input F[3] = [0, 0, 0]\n"
             " coordinate x[3]\n lagrangian m/2*dot(x', x') - dot(a, x)\n force x: F\n}\n"
             "system A {\n parameter k = 2, a[3] = k*e, n = norm(half(a)), c[2][3] = cross(a, e)\n"
             " part one : Mass(a = inv(diag([1, 2, 4]))*a, F = -(one.x - two.x))\n"
             " part two : Mass(m = n, F = one.x - two.x)\n"
             " start one.x = a + [1, 0, 0], one.x' = cross(e, [1, 0, 0])\n"
             " start two.x = c[2], p(two.x) = sum(i in 1..3: i*e)\n}\n");
    const double q[] = {1, 6, 8, 0, 0, 0}, v[] = {0, 4, -3}, p[] = {0, 18, 24};
    for (int i = 0; i < 6; i++) check_close(b.v.q[i], q[i], 1e-15);
    for (int i = 0; i < 3; i++) check_close(b.v.v[i], v[i], 1e-15);
    for (int i = 0; i < 3; i++) check_close(b.v.p[3 + i], p[i], 1e-15);
    point x = some_point();
    for (int i = 0; i < 3; i++)
        check_close(total(&b, EL_FORCE, 3 + i, &x), x.q[i] - x.q[3 + i], 1e-15);
    check_close(b.v.parameter[4], 5, 1e-15); /* n */
    bench_close(&b);
}

/* Models that had these names before keep them. */
static void names_of_functions_of_vectors_are_free(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "let norm(a, b) = sqrt(a^2 + b^2)\n"
             "system A {\n coordinate dot, cross\n parameter inv = 2, diag = 3\n"
             " let cross(a) = 3*a\n lagrangian dot'^2 + cross'^2\n"
             " output spin = norm(dot, cross) + inv*diag, n = cross(dot)\n}\n");
    check_close(total(&b, EL_OUTPUT, output(&b, "spin"), &x), hypot(x.q[0], x.q[1]) + 6, 1e-14);
    check_close(total(&b, EL_OUTPUT, output(&b, "n"), &x), 3 * x.q[0], 1e-14);
    bench_close(&b);
}

/* 2^60 if every use of a let were worked out again. */
static void lets_of_vectors_are_made_once(void **state)
{
    (void)state;
    bench b;
    mem   m;
    mem_init(&m, mem_heap_default());
    text words = text_new(&m);
    text_add(&words,
             "system A {\n coordinate x[3]\n parameter k[3] = c60\n let b0 = x, c0 = [1, 2, 3]\n");
    for (int i = 1; i <= 60; i++)
        text_printf(&words, " let b%d = (b%d + b%d)/2, c%d = cross(c%d, [1, 0, 0]) + c%d\n", i,
                    i - 1, i - 1, i, i - 1, i - 1);
    text_add(&words, " lagrangian dot(x', x')/2 - dot(k, b60)\n output z = b60\n}\n");
    make(&b, text_str(&words));
    point x = some_point();
    check_close(total(&b, EL_OUTPUT, output(&b, "z[3]"), &x), x.q[2], 1e-13);
    bench_close(&b);
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_their_components),
        cmocka_unit_test(sums_of_vectors_are_one_element_with_many_instances),
        cmocka_unit_test(operators_and_functions_agree_with_numbers),
        cmocka_unit_test(a_force_on_a_vector_acts_through_its_differential),
        cmocka_unit_test(numbers_before_a_run_may_be_made_of_vectors),
        cmocka_unit_test(names_of_functions_of_vectors_are_free),
        cmocka_unit_test(lets_of_vectors_are_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
