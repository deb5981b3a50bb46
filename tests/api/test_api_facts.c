/* The facts of a model by name: numbers, truths and names, and what is not known. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

static const char pendulum[] = "system Pendulum {\n"
                               "  parameter l = 2\n"
                               "  coordinate x, y, turn\n"
                               "  input push = 0\n"
                               "  lagrangian (x'^2 + y'^2 + turn'^2)/2 - y\n"
                               "  holonomic rod: x^2 + y^2 = l^2\n"
                               "  force x: push - 0.1*x'\n"
                               "  start x = 2\n"
                               "}\n"
                               "simulate {\n  step = 0.01\n  steps = 10\n}\n";
static const char circuit[] = "system Circuit {\n"
                              "  coordinate qL, qC\n"
                              "  lagrangian qL'^2/2 - (qL - qC)^2/2\n"
                              "  force qC: -qC'\n"
                              "}\n"
                              "simulate {\n  step = 0.01\n  steps = 10\n}\n";

static dal_facts *facts_of(dal_context *cx, const char *text, dal_model **m)
{
    dal_facts *f = NULL;
    assert_int_equal(dal_model_parse(cx, "test.dal", text, NULL, m), DAL_OK);
    assert_int_equal(dal_analyse(*m, NULL, &f), DAL_OK);
    assert_non_null(f);
    return f;
}

static const dal_fact *fact(const dal_facts *f, const char *name)
{
    for (size_t k = 0; k < f->count; k++)
        if (!strcmp(f->fact[k].name, name)) return &f->fact[k];
    fail_msg("there is no '%s'", name);
    return NULL;
}

static void numbers_truths_and_names_are_those_of_the_model(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double      value;
    } expected[] = {{"coordinates", 3},  {"parameters", 1},   {"inputs", 1},
                    {"parts", 0},        {"linear", 0},       {"holonomic_constraints", 1},
                    {"forced", 1},       {"conservative", 0}, {"velocity_constraints", 0},
                    {"inertia_rank", 3}, {"inertia_size", 3}, {"relation_rank", 1},
                    {"autonomous", 0},   {"smooth", 1},       {"null_dimension", 0}};
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m;
    dal_facts   *f = facts_of(cx, pendulum, &m);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        check_close(fact(f, expected[k].name)->number, expected[k].value, 0);
    const dal_fact *cyclic = fact(f, "cyclic_coordinates");
    assert_int_equal(cyclic->kind, DAL_FACT_NAMES);
    assert_int_equal(cyclic->names, 1);
    assert_string_equal(cyclic->text[0], "turn");
    dal_facts_free(f), dal_model_free(m), dal_context_free(cx);
}

/* Friction that only turns with the motion has no derivative, and depends on velocities all the
 * same. */
static void what_jumps_is_not_linear(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m;
    dal_facts   *f = facts_of(
        cx, "system S {\n  coordinate x\n  lagrangian x'^2/2\n  force x: -sign(x')\n}\n", &m);
    check_close(fact(f, "linear")->number, 0, 0);
    check_close(fact(f, "smooth")->number, 0, 0);
    check_close(fact(f, "velocity_forces")->number, 1, 0);
    dal_facts_free(f), dal_model_free(m), dal_context_free(cx);
}

static void directions_without_inertia_are_written_out(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m;
    dal_facts   *f = facts_of(cx, circuit, &m);
    check_close(fact(f, "inertia_rank")->number, 1, 0);
    check_close(fact(f, "null_dimension")->number, 1, 0);
    check_close(fact(f, "resisted")->number, 1, 0);
    assert_int_equal(fact(f, "null_directions")->names, 1);
    assert_string_equal(fact(f, "null_directions")->text[0], "qC");
    dal_facts_free(f), dal_model_free(m), dal_context_free(cx);
}

static void what_cannot_be_analysed_is_a_status_without_words(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m;
    dal_options *o = dal_options_new(cx);
    dal_facts   *f = (dal_facts *)&cx;
    assert_int_equal(dal_model_parse(cx, "test.dal", circuit, NULL, &m), DAL_OK);
    assert_int_equal(dal_options_set(o, "set", "nothing=1"), DAL_OK);
    assert_int_equal(dal_analyse(m, o, &f), DAL_INVALID);
    assert_null(f);
    assert_int_equal(dal_message_count(cx), 0);
    assert_int_equal(dal_analyse(m, NULL, NULL), DAL_INVALID);
    dal_facts_free(NULL);
    dal_options_free(o), dal_model_free(m), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_truths_and_names_are_those_of_the_model),
        cmocka_unit_test(what_jumps_is_not_linear),
        cmocka_unit_test(directions_without_inertia_are_written_out),
        cmocka_unit_test(what_cannot_be_analysed_is_a_status_without_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
