/* Compiled systems against each other: joined or not, asked for one thing or for all, after other
 * evaluations, with other parameters and inputs. */
#include "compiled_bench.h"
#include "model/rows/runs.h"

#include <time.h>

/* Largest difference of two results, relative to 1 + size. */
static double difference(const dal_system *sys, const sys_values *a, const sys_values *b)
{
    double worst = fabs(a->L - b->L) / (1 + fabs(b->L));
    for (int i = 0; i < sys->n; i++) {
        worst = fmax(worst, fabs(a->Lq[i] - b->Lq[i]));
        worst = fmax(worst, fabs(a->Lw[i] - b->Lw[i]));
        worst = fmax(worst, fabs(a->f[i] - b->f[i]));
    }
    for (int f = 0; f < F_COUNT; f++)
        for (int k = 0; k < pattern_count(&sys->K); k++)
            worst = fmax(worst, fabs(a->on_K[f][k] - b->on_K[f][k]));
    return worst;
}

/* Sums that meet in an entry are folded differently by the two (constants of an instance are
 * gathered when merged), hence roundoff and not bits. */
static void batched_and_merged_agree(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 1000);
    mem_init(&m, mem_heap_default());
    const model    *md = hand_end(&h);
    double         *parameter = numbers(&m, md->parameters, 5);
    const compiled *one = compile_merging(&m, md, MERGE_ALL), *many = compile(&m, md);
    dal_system     *s1 = bound_system(bound_new(&m, one, parameter, NULL));
    dal_system     *s2 = bound_system(bound_new(&m, many, parameter, NULL));
    bench           b1, b2;
    bench_new(&b1, md, s1);
    bench_new(&b2, md, s2);
    assert_int_equal(b1.K, 3 * 1000 - 2);
    s1->eval(s1->self, EVERYTHING, 1, &b1.at, &b1.out);
    s2->eval(s2->self, EVERYTHING, 1, &b2.at, &b2.out);
    check_below(difference(s1, &b1.out, &b2.out), 1e-14);
    assert_int_equal(s2->varies[F_LQQ], FIELD_VARIES);
    assert_int_equal(s2->varies[F_LQW], FIELD_ZERO);
    assert_int_equal(s2->varies[F_LWW], FIELD_CONSTANT);
    assert_int_equal(s2->varies[F_CURV], FIELD_ZERO);
    assert_true(s2->autonomous && s2->forced && !s2->rheonomic && s2->constant_A);
    mem_free(&b1.m), mem_free(&b2.m), mem_free(&m);
    hand_free(&h);
}

/* Any request gives what the request for everything gives, and touches nothing else. */
static void every_request_is_served(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        double_pendulum(&h);
        mem_init(&m, mem_heap_default());
        double      p[3] = {1, 2, 3}, u[1] = {0.5};
        dal_system *sys =
            bound_system(bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), p, u));
        bench b;
        bench_new(&b, hand_end(&h), sys);
        sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
        for (unsigned want = 0; want <= EVERYTHING; want++) {
            sys_values o;
            bench_values(&b, &o);
            sys->eval(sys->self, want, 1, &b.at, &o);
            check_close(o.L, want & WANT_L ? b.out.L : 777, 1e-15);
            check_close(o.Lq[1], want & WANT_GRADIENT ? b.out.Lq[1] : 777, 1e-15);
            check_close(o.on_K[F_LQW][2], want & WANT_HESSIAN ? b.out.on_K[F_LQW][2] : 777, 1e-15);
            check_close(o.f[0], want & WANT_FORCE ? b.out.f[0] : 777, 1e-15);
            check_close(o.on_K[F_FW][0], want & WANT_FORCE_JACOBIAN ? b.out.on_K[F_FW][0] : 777,
                        1e-15);
            check_close(o.Lt, want & WANT_TIME ? b.out.Lt : 777, 1e-15);
            check_close(o.on_K[F_CURV][0], want & WANT_RELATIONS_JACOBIAN ? 0 : 777, 1e-15);
        }
        mem_free(&b.m), mem_free(&m);
        hand_free(&h);
    }
}

/* L_w without L_q, and beside it L_ww without the rest of the Hessian, together with all else. */
static void momenta_are_had_alone(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        double_pendulum(&h);
        mem_init(&m, mem_heap_default());
        double      p[3] = {1, 2, 3}, u[1] = {0.5};
        dal_system *sys =
            bound_system(bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), p, u));
        bench b;
        bench_new(&b, hand_end(&h), sys);
        sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
        for (unsigned want = 0; want <= EVERYTHING; want++) {
            sys_values o;
            if (want & WANT_GRADIENT) continue;
            bench_values(&b, &o);
            sys->eval(sys->self, want | WANT_MOMENTA, 1, &b.at, &o);
            for (int i = 0; i < 2; i++) {
                check_close(o.Lw[i], b.out.Lw[i], 1e-15);
                assert_true(o.Lq[i] == 777);
            }
            for (int e = 0; e < b.K; e++) {
                check_close(o.on_K[F_LWW][e], want & WANT_HESSIAN ? b.out.on_K[F_LWW][e] : 777, 1e-15);
                assert_true(o.on_K[F_LQW][e] == 777 && o.on_K[F_LQQ][e] == 777);
            }
            check_close(o.L, want & WANT_L ? b.out.L : 777, 1e-15);
            check_close(o.f[0], want & WANT_FORCE ? b.out.f[0] : 777, 1e-15);
            check_close(o.Lt, want & WANT_TIME ? b.out.Lt : 777, 1e-15);
        }
        mem_free(&b.m), mem_free(&m);
        hand_free(&h);
    }
}

/* The same bits at every evaluation, whatever was evaluated before, and arrays that are NULL are
 * left out. */
static void evaluations_do_not_remember(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 333);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(
        bound_new(&m, compile(&m, hand_end(&h)), numbers(&m, h.md.parameters, 5), NULL));
    bench      b;
    sys_values again;
    bench_new(&b, hand_end(&h), sys);
    bench_values(&b, &again);
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
    double q0 = b.q[0];
    b.q[0] = NAN;
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &again);
    b.q[0] = q0;
    double *hessian = again.on_K[F_LQQ];
    again.on_K[F_LWW] = again.Lw = NULL;
    sys->eval(sys->self, EVERYTHING, 1, &b.at, &again);
    for (int i = 0; i < b.n; i++) assert_true(again.Lq[i] == b.out.Lq[i]);
    for (int k = 0; k < b.K; k++) assert_true(hessian[k] == b.out.on_K[F_LQQ][k]);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static void inputs_may_follow_time(void *self, double t, double *u)
{
    u[0] = *(const double *)self * t;
}

static void inputs_may_change_with_time(void *self, double t, double *u)
{
    (void)t;
    u[0] = *(const double *)self;
}

static void inputs_from_a_function_are_taken_at_each_time(void **state)
{
    (void)state;
    hand h;
    mem  m;
    double_pendulum(&h);
    mem_init(&m, mem_heap_default());
    double      p[3] = {1, 2, 3}, u[1] = {0}, rate = 2;
    bound      *bd = bound_new(&m, compile(&m, hand_end(&h)), p, u);
    dal_system *sys = bound_system(bd);
    bench       b;
    bench_new(&b, hand_end(&h), sys);
    bound_follow(&m, bd, &(input_course){inputs_may_follow_time, inputs_may_change_with_time, &rate});
    sys_point  at[2] = {b.at, b.at};
    sys_values out[2];
    at[1].t = 0.8;
    bench_values(&b, &out[0]), bench_values(&b, &out[1]);
    sys->eval(sys->self, WANT_FORCE | WANT_TIME, 2, at, out);
    for (int k = 0; k < 2; k++) {
        const double t = at[k].t;
        check_close(out[k].f[1], 2 * t * cos(t) - b.w[1] * b.w[1] * b.w[1], 1e-15);
        check_close(out[k].ft[1], 2 * cos(t) - 2 * t * sin(t), 1e-15);
    }
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static void changed_parameters_count_after_a_refresh(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        hand_begin(&h, 300, 1);
        hand_element(&h, EL_LAGRANGIAN, 300);
        hand_root(&h, expr_mul(h.g, hand_k(&h, 0), half_square(h.g, hand_run(&h, SLOT_V, 0, 1))),
                  0);
        mem_init(&m, mem_heap_default());
        double      k[1] = {3};
        bound      *bd = bound_new(&m, compile_merging(&m, hand_end(&h), (merging)how), k, NULL);
        dal_system *sys = bound_system(bd);
        bench       b;
        bench_new(&b, hand_end(&h), sys);
        k[0] = 5;
        bound_refresh(bd);
        sys->eval(sys->self, EVERYTHING, 1, &b.at, &b.out);
        for (int i = 0; i < 300; i++) {
            check_close(b.out.on_K[F_LWW][i], 5, 0);
            check_close(b.out.Lw[i], 5 * b.w[i], 1e-16);
        }
        mem_free(&b.m), mem_free(&m);
        hand_free(&h);
    }
}

static void outputs_and_energies_are_those_of_the_state(void **state)
{
    (void)state;
    hand h;
    mem  m;
    chain(&h, 300);
    mem_init(&m, mem_heap_default());
    const model    *md = hand_end(&h);
    double         *k = numbers(&m, 300, 5);
    const compiled *c = compile(&m, md);
    bound          *bd = bound_new(&m, c, k, NULL);
    bench           b;
    bench_new(&b, md, bound_system(bd));
    double *p = mem_array(&m, 300, double), total = 0, energy = 0, out[1], E[1];
    for (int i = 0; i < 300; i++) {
        p[i] = (1 + 0.01 * i) * b.w[i], total += p[i], energy += p[i] * b.w[i] / 2;
        double s = i < 299 ? b.q[i + 1] - b.q[i] : 0;
        energy += k[i] * s * s / 2 + s * s * s * s / 4;
    }
    bound_outputs(bd, 0, b.q, b.w, p, NULL, out);
    bound_energies(bd, 0, b.q, b.w, p, E);
    check_close(out[0], total, 1e-13);
    check_close(E[0], energy, 1e-13);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static void a_value_that_is_not_finite_is_named(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 2, 0);
    hand_element(&h, EL_LAGRANGIAN, 2);
    expr root = expr_op1(h.g, OP_SQRT, hand_run(&h, SLOT_Q, 0, 1));
    hand_root(&h, expr_add(h.g, half_square(h.g, hand_run(&h, SLOT_V, 0, 1)), root), 0);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(bound_new(&m, compile(&m, hand_end(&h)), NULL, NULL));
    double      q[2] = {1, -4}, v[2] = {0, 0};
    text        why = text_new(&m);
    assert_true(sys->nonfinite_source(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    assert_string_equal(text_str(&why), "sqrt(x1) is not finite (x1 = -4) at hand.dal:2");
    text_clear(&why);
    q[1] = 4;
    assert_false(sys->nonfinite_source(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    q[0] = 0; /* finite itself, but not its derivative */
    assert_true(sys->nonfinite_source(sys->self, &(sys_point){.q = q, .w = v, .v = v}, &why));
    assert_non_null(strstr(text_str(&why), "derivative"));
    mem_free(&m);
    hand_free(&h);
}

/* The double well: gradient and Hessian in one call. Prints the time; a generous bound catches
 * accidents. */
static void small_systems_are_quick(void **state)
{
    (void)state;
    hand h;
    mem  m;
    hand_begin(&h, 1, 0);
    hand_element(&h, EL_LAGRANGIAN, 1);
    graph *g = h.g;
    expr   x = hand_q(&h, 0);
    expr   V = expr_sub(g, expr_powi(g, x, 4), expr_powi(g, x, 2));
    hand_root(&h, expr_sub(g, half_square(g, hand_v(&h, 0)), expr_mul(g, expr_const(g, 0.5), V)),
              0);
    mem_init(&m, mem_heap_default());
    dal_system *sys = bound_system(bound_new(&m, compile(&m, hand_end(&h)), NULL, NULL));
    bench       b;
    bench_new(&b, hand_end(&h), sys);
    double best = 1e9, sum = 0;
    for (int round = 0; round < 10; round++) {
        clock_t start = clock();
        for (int k = 0; k < 200000; k++) {
            b.q[0] = 0.5 + 1e-7 * k;
            sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &b.at, &b.out);
            sum += b.out.Lq[0];
        }
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC / 200000 * 1e9);
    }
    print_message("double well, gradient and Hessian: %.1f ns (%g)\n", best, sum);
    check_below(best, 1000);
    mem_free(&b.m), mem_free(&m);
    hand_free(&h);
}

static int nothing(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    (void)self, (void)want, (void)count, (void)at, (void)out;
    return 0;
}

/* A system around another one has a function and a self of its own, whatever else it copied. */
static void a_bound_is_known_by_its_system(void **state)
{
    (void)state;
    for (int how = MERGE_ALL; how <= MERGE_NONE; how++) {
        hand h;
        mem  m;
        chain(&h, 100);
        mem_init(&m, mem_heap_default());
        const model *md = hand_end(&h);
        double      *parameter = numbers(&m, md->parameters, 5);
        bound       *b = bound_new(&m, compile_merging(&m, md, (merging)how), parameter, NULL);
        dal_system   around = *bound_system(b);
        assert_ptr_equal(bound_of(bound_system(b)), b);
        assert_non_null(row_plan_new(&m, bound_system(b), 1u << ROW_LQ, 0));
        around.self = &around, around.eval = nothing;
        assert_null(bound_of(&around));
        assert_null(row_plan_new(&m, &around, 1u << ROW_LQ, 0));
        mem_free(&m);
        hand_free(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batched_and_merged_agree),
        cmocka_unit_test(every_request_is_served),
        cmocka_unit_test(momenta_are_had_alone),
        cmocka_unit_test(evaluations_do_not_remember),
        cmocka_unit_test(inputs_from_a_function_are_taken_at_each_time),
        cmocka_unit_test(changed_parameters_count_after_a_refresh),
        cmocka_unit_test(outputs_and_energies_are_those_of_the_state),
        cmocka_unit_test(a_value_that_is_not_finite_is_named),
        cmocka_unit_test(a_bound_is_known_by_its_system),
        cmocka_unit_test(small_systems_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
