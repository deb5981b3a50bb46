/* Options and messages: keys are checked, texts are kept, and what is wrong is said in words. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

static void every_row_has_a_key_and_a_help(void **state)
{
    (void)state;
    size_t            count;
    const dal_option *row = dal_option_rows(&count);
    assert_true(count > 15);
    for (size_t i = 0; i < count; i++) {
        assert_true(row[i].key && row[i].help && row[i].help[0]);
        assert_int_equal(row[i].argument == NULL, (row[i].flags & DAL_OPTION_SWITCH) != 0);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(row[i].key, row[k].key);
    }
}

static void an_option_set_again_is_replaced(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    assert_null(dal_options_get(o, "step"));
    assert_int_equal(dal_options_set(o, "step", "0.1"), DAL_OK);
    assert_int_equal(dal_options_set(o, "step", "0.2"), DAL_OK);
    assert_string_equal(dal_options_get(o, "step"), "0.2");
    assert_int_equal(dal_options_set(o, "project-start", NULL), DAL_OK);
    assert_string_equal(dal_options_get(o, "project-start"), "yes");
    assert_int_equal(dal_message_count(cx), 0);
    dal_options_free(o);
    dal_context_free(cx);
}

static void a_wrong_key_or_text_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *message, *hint;
    } cases[] = {
        {"shceme", "midpoint", "no option 'shceme'", "did you mean 'scheme'?"},
        {"frobnicate", "1", "no option 'frobnicate'", NULL},
        {"retraction", "up", "not one of the choices", "midpoint|left|right"},
        {"retraction", "midpoint|left", "not one of the choices", "midpoint|left|right"},
        {"project-start", "perhaps", "not one of the choices", "yes|no"},
        {"set", "k", "not an assignment", "NAME=VALUE"},
        {"step", "", "--step needs a value: --step H", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dal_context *cx = dal_context_new(NULL);
        dal_options *o = dal_options_new(cx);
        assert_int_equal(dal_options_set(o, cases[i].key, cases[i].text), DAL_INVALID);
        dal_options_free(o); /* the message outlives what it speaks of */
        assert_int_equal(dal_message_count(cx), 1);
        dal_message said = dal_message_at(cx, 0);
        assert_int_equal(said.severity, DAL_ERROR);
        assert_non_null(strstr(said.text, cases[i].message));
        if (cases[i].hint) assert_string_equal(said.hint, cases[i].hint);
        dal_messages_clear(cx);
        assert_int_equal(dal_message_count(cx), 0);
        dal_context_free(cx);
    }
}

static void a_report_shows_the_option_and_a_caret(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    char         shown[512] = "";
    FILE        *f = tmpfile();
    dal_options_set(o, "momentum", "angular");
    dal_options_free(o);
    dal_report(cx, f, 0);
    rewind(f);
    size_t n = fread(shown, 1, sizeof shown - 1, f);
    shown[n] = 0;
    fclose(f);
    assert_string_equal(shown, "--momentum:1:1: error: 'angular' is not one of the choices\n"
                               "    1 | angular\n"
                               "      | ^^^^^^^ projected|papers\n");
    dal_context_free(cx);
}

static void every_status_has_a_text_and_every_method_an_order(void **state)
{
    (void)state;
    for (int s = DAL_OK; s <= DAL_INTERRUPTED; s++)
        assert_true(strlen(dal_status_text((dal_status)s)) > 5);
    assert_true(dal_method_count() >= 8);
    for (size_t i = 0; i < dal_method_count(); i++) {
        dal_method row = dal_method_at(i);
        assert_true(row.name && row.order && row.title && row.example);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_key_and_a_help),
        cmocka_unit_test(an_option_set_again_is_replaced),
        cmocka_unit_test(a_wrong_key_or_text_is_said),
        cmocka_unit_test(a_report_shows_the_option_and_a_caret),
        cmocka_unit_test(every_status_has_a_text_and_every_method_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
