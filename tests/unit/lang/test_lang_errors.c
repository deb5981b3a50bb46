/* test_lang_errors.c - what is wrong with names, values and mechanics, each as a file with its
 * messages. */
#include "expect.h"

#include "lang/load.h"

/* Loads the model and computes its numbers; messages are moved to the text that the test has read.
 */
static void load_and_evaluate(mem *m, names *ns, diags *ds, const source *of)
{
    (void)ns;
    model       *md;
    values       v;
    load_request rq = {.file = of->file, .text = of->text, .length = of->length};
    if (!model_load(mem_heap_default(), ds, &rq, &md)) {
        md->by->evaluate(md, NULL, ds, m, &v);
        model_free(md);
    }
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].at.of && !strcmp(ds->list.at[i].at.of->file, of->file))
            ds->list.at[i].at.of = of;
}

static void wrong_names_are_told(void **state)
{
    (void)state;
    expect_folder("lang/names", load_and_evaluate);
}

static void wrong_values_are_told(void **state)
{
    (void)state;
    expect_folder("lang/values", load_and_evaluate);
}

static void wrong_mechanics_is_told(void **state)
{
    (void)state;
    expect_folder("lang/mechanics", load_and_evaluate);
}

static void doubtful_models_are_warned_of(void **state)
{
    (void)state;
    expect_folder("lang/warnings", load_and_evaluate);
}

static void the_examples_of_the_language_give_no_message(void **state)
{
    (void)state;
    expect_folder("lang/ok", load_and_evaluate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names_are_told),
        cmocka_unit_test(wrong_values_are_told),
        cmocka_unit_test(wrong_mechanics_is_told),
        cmocka_unit_test(doubtful_models_are_warned_of),
        cmocka_unit_test(the_examples_of_the_language_give_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
