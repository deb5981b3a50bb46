/* Facts about systems whose nature is known. */
#include "check.h"

#include "handmade.h"
#include "model/analyse/analyse.h"

/* A model with its analysis at given positions and velocities (zeros for NULL). */
typedef struct {
    mem             m;
    const compiled *c;
    const analysis *a;
} known;

static known look(hand *h, const double *parameter, const double *q, const double *w)
{
    known k;
    mem_init(&k.m, mem_heap_default());
    double *zeros = mem_array(&k.m, h->md.coordinates + 1, double);
    k.c = compile(&k.m, hand_end(h));
    bound *b = bound_new(&k.m, k.c, parameter, zeros);
    k.a = analyse(&k.m, k.c, b, &(sys_point){.q = q ? q : zeros, .w = w ? w : zeros});
    return k;
}

static void forget(known *k, hand *h)
{
    mem_free(&k->m);
    hand_free(h);
}

static void add_kinetic(hand *h, int i)
{
    hand_element(h, EL_LAGRANGIAN, 1);
    hand_root(h, half_square(h->g, hand_v(h, i)), 0);
}

static void add_spring(hand *h, int i)
{
    hand_element(h, EL_LAGRANGIAN, 1);
    hand_root(h, expr_neg(h->g, half_square(h->g, hand_q(h, i))), 0);
}

static void add_damper(hand *h, int i)
{
    hand_element(h, EL_FORCE, 1);
    hand_root(h, expr_neg(h->g, hand_v(h, i)), i);
}

/* v_i = v_j + v_k, or v_i = v_j for k < 0 */
static void add_node(hand *h, int i, int j, int k)
{
    int row = hand_relations(h, REL_VELOCITY, 1);
    hand_element(h, EL_RELATION, 1);
    expr e = expr_sub(h->g, hand_v(h, i), hand_v(h, j));
    hand_root(h, k < 0 ? e : expr_sub(h->g, e, hand_v(h, k)), row);
}

static void an_oscillator_is_linear_separable_and_conservative(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 1, 0);
    add_kinetic(&h, 0), add_spring(&h, 0);
    known           k = look(&h, NULL, NULL, NULL);
    const analysis *a = k.a;
    assert_true(a->linear && a->constant_coefficients && a->separable && a->autonomous);
    assert_true(a->conservative && !a->forced && a->explicit_trapezoid && a->diagonal_inertia);
    assert_int_equal(a->inertia_rank, 1);
    assert_int_equal(a->null_dimension, 0);
    assert_int_equal(a->cyclics, 0);
    assert_int_equal(a->undetermineds, 0);
    assert_int_equal(a->count.elements, 2);
    forget(&k, &h);
}

static void a_series_loop_is_degenerate_but_determined(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 3, 0); /* inductor, resistor, capacitor in a loop */
    add_kinetic(&h, 0), add_damper(&h, 1), add_spring(&h, 2);
    add_node(&h, 0, 1, -1), add_node(&h, 1, 2, -1);
    known k = look(&h, NULL, NULL, NULL);
    assert_int_equal(k.a->inertia_rank, 1);
    assert_int_equal(k.a->inertia_size, 3);
    assert_int_equal(k.a->relation_rank, 2);
    assert_int_equal(k.a->null_dimension, 0);
    assert_int_equal(k.a->undetermineds, 0);
    assert_false(k.a->conservative || k.a->explicit_trapezoid);
    forget(&k, &h);
}

static void the_null_direction_of_a_parallel_circuit_is_named(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 3, 0); /* resistor, inductor, capacitor: iR = iL + iC */
    add_damper(&h, 0), add_kinetic(&h, 1), add_spring(&h, 2);
    add_node(&h, 0, 1, 2);
    known k = look(&h, NULL, NULL, NULL);
    assert_int_equal(k.a->null_dimension, 1);
    assert_int_equal(k.a->resisted, 1);
    assert_int_equal(k.a->nulls, 1);
    text t = text_new(&k.m);
    analysis_print_direction(&k.a->null[0], hand_end(&h), &t);
    assert_string_equal(text_str(&t), "x0 + x2");
    forget(&k, &h);
}

static void capacitors_alone_have_no_resistance(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 3, 0); /* inductor and two capacitors */
    add_kinetic(&h, 0), add_spring(&h, 1), add_spring(&h, 2);
    add_node(&h, 0, 1, 2);
    known k = look(&h, NULL, NULL, NULL);
    assert_int_equal(k.a->null_dimension, 1);
    assert_int_equal(k.a->resisted, 0);
    text t = text_new(&k.m);
    analysis_print_direction(&k.a->null[0], hand_end(&h), &t);
    assert_string_equal(text_str(&t), "x1 - x2");
    forget(&k, &h);
}

static void dependent_relations_are_named(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 3, 0);
    add_kinetic(&h, 0), add_kinetic(&h, 1), add_kinetic(&h, 2);
    add_node(&h, 0, 1, -1), add_node(&h, 1, 2, -1), add_node(&h, 2, 0, -1);
    known k = look(&h, NULL, NULL, NULL);
    assert_int_equal(k.a->relation_rank, 2);
    assert_int_equal(k.a->dependent.n, 1);
    assert_int_equal(k.a->dependent.relation[0], 2);
    assert_int_equal(k.a->dependent.made_of[0].n, 2);
    diags ds;
    diags_init(&ds, &k.m);
    assert_int_equal(analysis_report(k.a, k.c, &ds), DAL_INVALID);
    assert_int_equal(ds.errors, 1);
    assert_non_null(strstr(ds.list.at[0].message, "follows from other relations"));
    forget(&k, &h);
}

static void a_coordinate_that_nothing_determines_is_an_error(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 2, 1);
    add_kinetic(&h, 0);
    hand_element(&h, EL_FORCE, 1); /* a constant force does not determine x1 */
    hand_root(&h, hand_k(&h, 0), 1);
    double p[1] = {1};
    known  k = look(&h, p, NULL, NULL);
    assert_int_equal(k.a->undetermineds, 1);
    assert_int_equal(k.a->undetermined[0], 1);
    diags ds;
    diags_init(&ds, &k.m);
    assert_int_equal(analysis_report(k.a, k.c, &ds), DAL_INVALID);
    assert_non_null(strstr(ds.list.at[0].message, "nothing determines coordinate 'x1'"));
    forget(&k, &h);
}

/* L = (r'^2 + r^2 phi'^2)/2 + 1/r */
static void cyclic_coordinates_are_found(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 2, 0);
    hand_element(&h, EL_LAGRANGIAN, 1);
    graph *g = h.g;
    expr   r = hand_q(&h, 0), turn = expr_mul(g, r, hand_v(&h, 1));
    expr   T = expr_add(g, half_square(g, hand_v(&h, 0)), half_square(g, turn));
    hand_root(&h, expr_add(g, T, expr_div(g, expr_const(g, 1), r)), 0);
    double q[2] = {1, 0}, w[2] = {0, 1};
    known  k = look(&h, NULL, q, w);
    assert_int_equal(k.a->cyclics, 1);
    assert_int_equal(k.a->cyclic[0], 1);
    assert_false(k.a->linear || k.a->separable || k.a->constant_inertia);
    assert_true(k.a->conservative && k.a->diagonal_inertia);
    forget(&k, &h);
}

/* Rotation of the plane is a symmetry of 1/r, and is none of an oscillator with two frequencies. */
static void plane(hand *h, bool central, bool momenta)
{
    hand_begin_all(h, 2, 0, 0, 0, 1);
    hand_element(h, momenta ? EL_HAMILTONIAN : EL_LAGRANGIAN, 1);
    if (momenta) memset(h->md.hamiltonian, 1, 2);
    graph *g = h->g;
    expr   x = hand_q(h, 0), y = hand_q(h, 1);
    expr   T = expr_add(g, half_square(g, momenta ? hand_p(h, 0) : hand_v(h, 0)),
                        half_square(g, momenta ? hand_p(h, 1) : hand_v(h, 1)));
    expr   r2 = expr_add(g, expr_powi(g, x, 2),
                       central ? expr_powi(g, y, 2) : expr_scale(g, 2, expr_powi(g, y, 2)));
    expr   V = expr_div(g, expr_const(g, -1), expr_op1(g, OP_SQRT, r2));
    hand_root(h, momenta ? expr_add(g, T, V) : expr_sub(g, T, V), 0);
    hand_element(h, EL_OUTPUT, 1); /* x p_y - y p_x */
    g = h->g;
    hand_root(h,
              expr_sub(g, expr_mul(g, hand_q(h, 0), hand_p(h, 1)),
                       expr_mul(g, hand_q(h, 1), hand_p(h, 0))),
              0);
}

static void declared_symmetries_are_tested(void **state)
{
    (void)state;
    double q[2] = {1, 0}, w[2] = {0, 1};
    for (int momenta = 0; momenta < 2; momenta++)
        for (int central = 0; central < 2; central++) {
            hand h;
            plane(&h, central, momenta);
            known k = look(&h, NULL, q, w);
            if (central) check_below(k.a->symmetry_defect[0], 1e-12);
            else assert_true(k.a->symmetry_defect[0] > 1e-3);
            diags ds;
            diags_init(&ds, &k.m);
            assert_int_equal(analysis_report(k.a, k.c, &ds), DAL_OK);
            assert_int_equal(ds.warnings, !central);
            forget(&k, &h);
        }
}

static void kinks_are_shown_with_their_place(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 2, 0);
    add_kinetic(&h, 0), add_kinetic(&h, 1);
    hand_element(&h, EL_FORCE, 1);
    hand_root(&h, expr_neg(h.g, expr_op1(h.g, OP_ABS, expr_sub(h.g, hand_q(&h, 1), hand_q(&h, 0)))),
              0);
    known k = look(&h, NULL, NULL, NULL);
    assert_int_equal(k.a->kinks, 1);
    assert_string_equal(k.a->kink[0].what, "abs(x1 - x0)");
    assert_int_equal(span_line(k.a->kink[0].at), 2);
    forget(&k, &h);
}

/* A long chain of masses tied velocity to velocity: one component, too large to decompose. */
static void large_systems_are_looked_at_sparsely(void **state)
{
    (void)state;
    enum { N = 3000 };
    for (int singular = 0; singular < 2; singular++) {
        hand h;
        hand_begin(&h, N, 0);
        hand_element(&h, EL_LAGRANGIAN, N / 2); /* every other one has no mass */
        hand_root(&h, half_square(h.g, hand_run(&h, SLOT_V, 0, 2)), 0);
        int rows = hand_relations(&h, REL_VELOCITY, N - 1 + singular);
        hand_element(&h, EL_RELATION, N - 1);
        hand_root_run(&h, expr_sub(h.g, hand_run(&h, SLOT_V, 0, 1), hand_run(&h, SLOT_V, 1, 1)),
                      rows, 1);
        if (singular) {
            hand_element(&h, EL_RELATION, 1);
            hand_root(&h, expr_sub(h.g, hand_v(&h, 0), hand_v(&h, N - 1)), rows + N - 1);
        }
        known k = look(&h, NULL, NULL, NULL);
        assert_int_equal(k.a->ranked, !singular);
        if (!singular) assert_int_equal(k.a->relation_rank, N - 1);
        assert_int_equal(k.a->coupling.components, 1);
        forget(&k, &h);
    }
}

static void the_analysis_prints_itself(void **state)
{
    (void)state;
    hand h;
    hand_begin(&h, 3, 0);
    add_damper(&h, 0), add_kinetic(&h, 1), add_spring(&h, 2);
    add_node(&h, 0, 1, 2);
    known k = look(&h, NULL, NULL, NULL);
    text  t = text_new(&k.m);
    analysis_print(k.a, k.c, &t);
    assert_string_equal(
        text_str(&t),
        "  made of      3 coordinates, no parameters; 4 terms of 4 kinds\n"
        "  kind         linear, separable, autonomous, forced\n"
        "  inertia      constant, diagonal; degenerate: rank 1 of 3\n"
        "               1 direction has neither inertia nor relation, 1 with resistance: x0 + x2\n"
        "  relations    1 velocity constraint; rank 1 of 1\n"
        "  coupling     3 of 9 pairs of coordinates, diagonal\n");
    forget(&k, &h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_is_linear_separable_and_conservative),
        cmocka_unit_test(a_series_loop_is_degenerate_but_determined),
        cmocka_unit_test(the_null_direction_of_a_parallel_circuit_is_named),
        cmocka_unit_test(capacitors_alone_have_no_resistance),
        cmocka_unit_test(dependent_relations_are_named),
        cmocka_unit_test(a_coordinate_that_nothing_determines_is_an_error),
        cmocka_unit_test(cyclic_coordinates_are_found),
        cmocka_unit_test(declared_symmetries_are_tested),
        cmocka_unit_test(kinks_are_shown_with_their_place),
        cmocka_unit_test(large_systems_are_looked_at_sparsely),
        cmocka_unit_test(the_analysis_prints_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
