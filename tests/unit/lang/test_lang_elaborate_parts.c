/* Parts of a model made from text: their names, inputs, relations and symmetries. */
#include "bench.h"

static void parts_have_names_bases_and_layouts(void **state)
{
    (void)state;
    bench b;
    make(&b, "system Cell {\n parameter n = 2, c[n] = 1\n coordinate u[n], w \"m\"\n"
             " lagrangian w'^2 + sum(k in 1..n: c[k]*u[k]'^2)\n}\n"
             "system Row {\n parameter n = 1\n part cell[2] : Cell(n = n)\n coordinate z\n "
             "lagrangian z'^2\n}\n"
             "system All {\n part row[k in 0..2] : Row(n = 1 + k)\n}\n");
    assert_int_equal(b.md->parts.n, 1 + 3 + 6);
    assert_int_equal(b.md->coordinates, 3 + 2 * (2 + 3 + 4));
    assert_ptr_equal(b.md->parts.at[2].shape,
                     b.md->parts.at[3].shape); /* equal sizes share a layout */
    assert_ptr_not_equal(b.md->parts.at[2].shape, b.md->parts.at[5].shape);
    for (int i = 0; i < b.md->coordinates; i++) {
        text word = text_new(&b.m);
        model_name(b.md, MEMBER_COORDINATE, i, &word);
        assert_int_equal(coordinate(&b, text_str(&word)), i);
    }
    text word = text_new(&b.m);
    model_name(b.md, MEMBER_COORDINATE, coordinate(&b, "row[2].cell[1].u[3]"), &word);
    assert_string_equal(text_str(&word), "row[2].cell[1].u[3]");
    assert_string_equal(model_label(b.md, MEMBER_COORDINATE, coordinate(&b, "row[0].cell[2].w")),
                        "m");
    for (int i = 1; i < b.md->parts.n; i++)
        for (int k = 0; k < MEMBER_KINDS; k++)
            assert_true(b.md->parts.at[i].base[k] >= b.md->parts.at[i - 1].base[k]);
    assert_int_equal(b.md->parts.at[1].energy_last, 4);
    bench_close(&b);
}

static void inputs_are_bound_by_outer_systems_or_stay_inputs(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system Motor {\n input v = 7, w[2] = 1\n coordinate phi\n lagrangian phi'^2\n force "
             "phi: v + w[1] + 2*w[2]\n"
             " output seen = v\n}\n"
             "system Control {\n input e\n parameter k = 2\n output u = -k*e\n}\n"
             "system B {\n part c : Control(e = m.phi - sin(t))\n part m : Motor(v = c.u, w = [t, "
             "t])\n part n : Motor\n"
             " force n.phi: m.v\n}\n");
    double u = -2 * (x.q[0] - sin(x.t));
    check_close(total(&b, EL_FORCE, 0, &x), u + 3 * x.t, 1e-14);
    int v_of_n;
    assert_true(model_find(b.md, "n.v", MEMBER_INPUT, &v_of_n));
    check_close(total(&b, EL_FORCE, 1, &x),
                x.input[v_of_n] + x.input[v_of_n + 1] + 2 * x.input[v_of_n + 2] + u, 1e-14);
    assert_int_equal(b.md->bound[v_of_n], 0);
    check_close(b.v.input[v_of_n], 7, 0);
    check_close(b.v.input[v_of_n + 2], 1, 0);
    int v_of_m;
    assert_true(model_find(b.md, "m.v", MEMBER_INPUT, &v_of_m));
    assert_int_equal(b.md->bound[v_of_m], 1);
    bench_close(&b);
}

static void relations_are_rows_with_names_and_multipliers(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system M {\n coordinate x, y\n lagrangian x'^2 + y'^2\n constraint x' = y'\n"
             " holonomic rod: x^2 = y + t\n output lambda = 2*rod\n}\n"
             "system A {\n parameter n = 3\n part a[2] : M\n connect a[1].x = n*a[2].x + 1\n"
             " connect joint[k in 1..2]: a[k].x' + a[3-k].y' = 0\n output l = joint[2] + a[2].rod "
             "+ energy(a[2])\n}\n");
    static const struct {
        const char   *word;
        relation_kind kind;
        bool          connection;
    } rows[] = {{"joint[1]", REL_VELOCITY, true},
                {"joint[2]", REL_VELOCITY, true},
                {"connect (test.dal:11)", REL_TIE, true},
                {"a[1].rod", REL_HOLONOMIC, false},
                {"a[1].constraint (test.dal:4)", REL_VELOCITY, false},
                {"a[2].rod", REL_HOLONOMIC, false},
                {"a[2].constraint (test.dal:4)", REL_VELOCITY, false}};
    assert_int_equal(b.md->relations, 7);
    for (int i = 0; i < 7; i++) {
        text word = text_new(&b.m);
        model_name(b.md, MEMBER_RELATION, i, &word);
        assert_string_equal(text_str(&word), rows[i].word);
        assert_int_equal(b.md->relation.at[i].kind, rows[i].kind);
        assert_int_equal(b.md->relation.at[i].connection, rows[i].connection);
    }
    check_close(total(&b, EL_RELATION, 2, &x), x.q[0] - 3 * x.q[2] - 1, 1e-15);
    check_close(total(&b, EL_RELATION, 1, &x), x.v[2] + x.v[1], 1e-15);
    check_close(total(&b, EL_RELATION, 5, &x), x.q[2] * x.q[2] - x.q[3] - x.t, 1e-15);
    check_close(total(&b, EL_OUTPUT, output(&b, "a[2].lambda"), &x), 2 * x.lam[5], 1e-15);
    check_close(total(&b, EL_OUTPUT, output(&b, "l"), &x), x.lam[1] + x.lam[5] + x.energy[2],
                1e-15);
    bench_close(&b);
}

static void symmetries_of_one_name_are_one_momentum(void **state)
{
    (void)state;
    bench b;
    point x = some_point();
    make(&b, "system A {\n parameter N = 3\n coordinate x[N], y[N]\n output o = 1\n"
             " for k in 1..N { lagrangian x[k]'^2 + y[k]'^2 }\n"
             " for k in 1..N { symmetry turn: x[k] -> -y[k], y[k] -> x[k] }\n symmetry shift: x[1] "
             "-> 1\n}\n");
    assert_int_equal(b.md->symmetries, 2);
    double want = 0;
    for (int k = 0; k < 3; k++) want += x.q[k] * x.p[k + 3] - x.q[k + 3] * x.p[k];
    check_close(total(&b, EL_OUTPUT, 1, &x), want, 1e-14);
    check_close(total(&b, EL_OUTPUT, 2, &x), x.p[0], 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_names_bases_and_layouts),
        cmocka_unit_test(inputs_are_bound_by_outer_systems_or_stay_inputs),
        cmocka_unit_test(relations_are_rows_with_names_and_multipliers),
        cmocka_unit_test(symmetries_of_one_name_are_one_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
