/* test_lang_elaborate.c - models made from text: their elements and slots, against values worked
 * out by hand. */
#include "bench.h"

/* Arrays. -------------------------------------------------------------------------------------- */

static void a_chain_is_the_same_as_parts_as_a_loop_and_as_a_sum(void **state)
{
    (void)state;
    static const char *const words[] = {
        "system C {\n parameter N = 40, m = 2, k = 3\n coordinate x[N]\n"
        " lagrangian sum(i in 1..N: m/2*x[i]'^2) - k/2*sum(i in 1..N-1: (x[i+1] - x[i])^2)\n}\n",
        "system C {\n parameter N = 40, m = 2, k = 3\n coordinate x[N]\n"
        " for i in 1..N { lagrangian m/2*x[i]'^2 }\n"
        " for i in 1..N-1 { lagrangian -k/2*(x[i+1] - x[i])^2 }\n}\n",
        "system C {\n parameter N = 40, m = 2, k = 3\n coordinate x[N]\n"
        " let T = sum(i in 1..N: m/2*x[i]'^2), V = sum(i in 1..N-1: k/2*(x[i+1] - x[i])^2)\n"
        " lagrangian T - V\n}\n",
        "system M {\n parameter m = 1\n coordinate x\n lagrangian m/2*x'^2\n}\n"
        "system C {\n parameter N = 40, k = 3\n part c[N] : M(m = 2)\n"
        " for i in 1..N-1 { lagrangian -k/2*(c[i+1].x - c[i].x)^2 }\n}\n"};
    point  x = some_point();
    double want = 0;
    for (int i = 0; i < 40; i++) want += x.v[i] * x.v[i];
    for (int i = 0; i < 39; i++) want -= 1.5 * (x.q[i + 1] - x.q[i]) * (x.q[i + 1] - x.q[i]);
    for (int w = 0; w < 4; w++) {
        bench b;
        int   instances;
        make(&b, words[w]);
        assert_int_equal(b.md->coordinates, 40);
        assert_int_equal(count_elements(&b, EL_LAGRANGIAN, &instances), 2);
        assert_int_equal(instances, 79);
        check_close(total(&b, EL_LAGRANGIAN, -1, &x), want, 1e-14);
        for (int i = 0; i < b.md->elements.n; i++)
            for (int k = 0; k < b.md->elements.at[i].slots; k++) /* a chain needs no gather */
                assert_null(b.md->elements.at[i].slot[k].at);
        bench_close(&b);
    }
}

static void numbers_of_an_index_are_data_and_not_code(void **state)
{
    (void)state;
    bench b;
    int   instances;
    point x = some_point();
    make(&b, "system C {\n parameter N = 10, a = 2\n coordinate x[k in 0..N]\n"
             " for k in 0..N { lagrangian (1 + 0.1*k)*x[k]'^2 + a*sin(k)*x[k] }\n}\n");
    assert_int_equal(count_elements(&b, EL_LAGRANGIAN, &instances), 1);
    assert_int_equal(instances, 11);
    double want = 0;
    for (int k = 0; k <= 10; k++) want += (1 + 0.1 * k) * x.v[k] * x.v[k] + 2 * sin(k) * x.q[k];
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), want, 1e-14);
    bench_close(&b);
}

static void exponents_and_conditions_of_an_index_are_structure(void **state)
{
    (void)state;
    bench b;
    int   instances;
    point x = some_point();
    make(
        &b,
        "system C {\n parameter N = 5\n coordinate x[N]\n"
        " for k in 1..N { lagrangian x[k]'^2/2 - (x[k] - 10)^k }\n"
        " for k in 1..N { force x[k]: if(k == 1, 0, x[k-1]) + if(k < N, x[min(k+1, N)], 1) }\n}\n");
    assert_int_equal(count_elements(&b, EL_LAGRANGIAN, &instances), 5);
    assert_int_equal(count_elements(&b, EL_FORCE, &instances), 3); /* first, inner, last */
    double want = 0;
    for (int k = 1; k <= 5; k++) want += x.v[k - 1] * x.v[k - 1] / 2 - pow(x.q[k - 1] - 10, k);
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), want, 1e-13);
    check_close(total(&b, EL_FORCE, 0, &x), x.q[1], 1e-15);
    check_close(total(&b, EL_FORCE, 2, &x), x.q[1] + x.q[3], 1e-15);
    check_close(total(&b, EL_FORCE, 4, &x), x.q[3] + 1, 1e-15);
    bench_close(&b);
}

static void a_condition_on_sizes_chooses_wherever_it_stands(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n let next(k) = if(k == N, 0, x[k+1])\n"
             " for k in 1..N { force x[k]: if(k < N, x[k+1], 0) + next(k) }\n"
             " for k in 1..N { lagrangian x[k]'^2 }\n coordinate x[M+1]\n let M = N - 1\n"
             " for k in 1..N { force x[k]: if(mod(k, 2) == 0 and k > M - 1, x[k-1], 0) }\n"
             " parameter N = 3\n}\n");
    check_close(total(&b, EL_FORCE, 1, &x), 2 * x.q[2] + x.q[0], 1e-15);
    check_close(total(&b, EL_FORCE, 2, &x), 0, 0);
    bench_close(&b);
}

static void empty_ranges_hold_nothing(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n parameter N = 1\n coordinate x[N], y[N-1]\n"
             " lagrangian x[1]'^2/2 + sum(k in 1..N-1: y[k]'^2) + sum(k in 2..N: 1/0)\n"
             " for k in 1..N-1 { force y[k]: 1 }\n}\n");
    assert_int_equal(b.md->coordinates, 1);
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), x.v[0] * x.v[0] / 2, 1e-15);
    bench_close(&b);
}

static void pairs_of_a_double_sum_are_one_element(void **state)
{
    (void)state;
    bench b;
    int   instances;
    point x = some_point();
    make(&b, "system N {\n parameter N = 6, G = 2\n coordinate x[N]\n"
             " lagrangian sum(i in 1..N: x[i]'^2/2 - sum(j in i+1..N: G*abs(x[i] - x[j])))\n}\n");
    assert_int_equal(count_elements(&b, EL_LAGRANGIAN, &instances), 2);
    assert_int_equal(instances, 6 + 15);
    double want = 0;
    for (int i = 0; i < 6; i++) {
        want += x.v[i] * x.v[i] / 2;
        for (int j = i + 1; j < 6; j++) want -= 2 * fabs(x.q[i] - x.q[j]);
    }
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), want, 1e-14);
    bench_close(&b);
}

/* Derivatives. --------------------------------------------------------------------------------- */

static void a_primed_let_is_its_total_time_derivative(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n parameter l = 2\n coordinate x, th\n let X = x + l*sin(th) + t^2\n let "
             "f(u) = u*th\n"
             " lagrangian X'^2 + (l*cos(th))'^2\n output a = (f(x))'\n output c = t'\n}\n");
    double c = cos(x.q[1]), s = sin(x.q[1]), dx = x.v[0] + 2 * c * x.v[1] + 2 * x.t,
           dy = -2 * s * x.v[1];
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), dx * dx + dy * dy, 1e-14);
    check_close(total(&b, EL_OUTPUT, 0, &x), x.v[0] * x.q[1] + x.q[0] * x.v[1], 1e-15);
    check_close(total(&b, EL_OUTPUT, 1, &x), 1, 0);
    bench_close(&b);
}

static void a_force_on_a_let_acts_through_its_differential(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n parameter l = 2, c = 3\n coordinate x, th\n let X = x + l*sin(th)\n"
             " lagrangian x'^2 + th'^2\n force X: -c*X'\n force x: t\n}\n");
    double dX = x.v[0] + 2 * cos(x.q[1]) * x.v[1];
    check_close(total(&b, EL_FORCE, 0, &x), -3 * dX + x.t, 1e-14);
    check_close(total(&b, EL_FORCE, 1, &x), -3 * dX * 2 * cos(x.q[1]), 1e-14);
    bench_close(&b);
}

static void partial_derivatives_hold_all_else(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n parameter c = 3\n coordinate x, y\n let D = c/2*x'^2*y + x*y'^3\n"
             " lagrangian x'^2 + y'^2\n force x: -d(D, x')\n force y: d(D, x)\n output o = "
             "d(p(x)*p(y)^2, p(y))\n}\n");
    check_close(total(&b, EL_FORCE, 0, &x), -3 * x.v[0] * x.q[1], 1e-15);
    check_close(total(&b, EL_FORCE, 1, &x), pow(x.v[1], 3), 1e-15);
    check_close(total(&b, EL_OUTPUT, 0, &x), 2 * x.p[0] * x.p[1], 1e-15);
    bench_close(&b);
}

static void in_a_hamiltonian_system_a_velocity_is_dH_dp_of_the_whole(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system H {\n parameter m = 2\n coordinate q\n hamiltonian p(q)^2/(2*m) + q^4\n"
             " let D = 3/2*q'^2\n force q: -d(D, q')\n output speed = q'\n}\n"
             "system A {\n part a : H\n part b : H(m = 4)\n hamiltonian p(a.q)*p(b.q)*a.q\n"
             " constraint a.q' = 2*b.q'\n}\n");
    double va = x.p[0] / 2 + x.p[1] * x.q[0], vb = x.p[1] / 4 + x.p[0] * x.q[0];
    check_close(total(&b, EL_OUTPUT, output(&b, "a.speed"), &x), va, 1e-15);
    check_close(total(&b, EL_OUTPUT, output(&b, "b.speed"), &x), vb, 1e-15);
    check_close(total(&b, EL_FORCE, coordinate(&b, "a.q"), &x), -3 * x.v[0],
                1e-15); /* until it is compiled (model/lower.c) */
    check_close(total(&b, EL_RELATION, 0, &x), x.v[0] - 2 * x.v[1],
                1e-15); /* rows bind the curve's velocity */
    assert_int_equal(b.md->hamiltonian[0] + b.md->hamiltonian[1], 2);
    bench_close(&b);
}

/* Functions. ----------------------------------------------------------------------------------- */

static void functions_take_numbers_and_indices(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b,
         "let square(a) = a^2\nlet twice(a) = square(a) + square(a)\n"
         "system C {\n parameter N = 3\n coordinate x[N]\n let gap(k, w) = w*k*(x[k+1] - x[k])\n"
         " lagrangian sum(k in 1..N: square(x[k]')/2) - sum(k in 1..N-1: twice(gap(k, 0.5)))\n}\n");
    double want = 0;
    for (int k = 0; k < 3; k++) want += x.v[k] * x.v[k] / 2;
    for (int k = 1; k < 3; k++) want -= 2 * pow(0.5 * k * (x.q[k] - x.q[k - 1]), 2);
    check_close(total(&b, EL_LAGRANGIAN, -1, &x), want, 1e-14);
    bench_close(&b);
}

static void shared_lets_and_functions_do_not_multiply(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    text words = text_new(&b.m);
    text_add(&words, "let f0(a) = a/2\n");
    for (int i = 1; i <= 60; i++)
        text_printf(&words, "let f%d(a) = f%d(a) + f%d(a)/4\n", i, i - 1, i - 1);
    text_add(&words, "system C {\n coordinate x\n parameter p0 = 1\n let s0 = x\n let c0 = p0\n");
    for (int i = 1; i <= 60; i++)
        text_printf(&words, " let s%d = s%d/2 + sin(s%d)/4\n let c%d = c%d/2 + c%d/2\n", i, i - 1,
                    i - 1, i, i - 1, i - 1);
    text_add(&words, " parameter m = c60\n lagrangian m*x'^2/2 - s60 + f60(x)\n}\n");
    if (load(&b, text_str(&words)) || evaluate(&b)) print_messages(&b), fail();
    check_close(b.v.parameter[1], 1, 0);
    assert_in_range(b.md->elements.at[0].g.nodes.n, 60, 1000);
    bench_close(&b);
}

static void built_in_functions_mean_what_they_say(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system C {\n coordinate x, y\n lagrangian x'^2 + y'^2\n"
             " output a = mod(-7.5, 2) + min(x, y, 0.1) + max(x, y, -1)\n"
             " output c = if(x > y or not x <= 1, 1, 2) + if(x >= 0 and y != x, 10, 20)\n"
             " output e = atan2(y, x) + floor(2.5) + sign(-3) + pi + 2^-1 + 2^3^2 - -x^2\n}\n");
    check_close(total(&b, EL_OUTPUT, 0, &x), 0.5 + 0.1 + fmax(x.q[0], x.q[1]), 1e-15);
    check_close(total(&b, EL_OUTPUT, 1, &x), 2 + 10, 0);
    check_close(total(&b, EL_OUTPUT, 2, &x),
                atan2(x.q[1], x.q[0]) + 2 - 1 + acos(-1) + 0.5 + 512 + x.q[0] * x.q[0], 1e-15);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_the_same_as_parts_as_a_loop_and_as_a_sum),
        cmocka_unit_test(numbers_of_an_index_are_data_and_not_code),
        cmocka_unit_test(exponents_and_conditions_of_an_index_are_structure),
        cmocka_unit_test(a_condition_on_sizes_chooses_wherever_it_stands),
        cmocka_unit_test(empty_ranges_hold_nothing),
        cmocka_unit_test(pairs_of_a_double_sum_are_one_element),
        cmocka_unit_test(a_primed_let_is_its_total_time_derivative),
        cmocka_unit_test(a_force_on_a_let_acts_through_its_differential),
        cmocka_unit_test(partial_derivatives_hold_all_else),
        cmocka_unit_test(in_a_hamiltonian_system_a_velocity_is_dH_dp_of_the_whole),
        cmocka_unit_test(functions_take_numbers_and_indices),
        cmocka_unit_test(shared_lets_and_functions_do_not_multiply),
        cmocka_unit_test(built_in_functions_mean_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
