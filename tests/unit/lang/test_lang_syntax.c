/* Every mistake of tests/lang/syntax gives its message, and nothing else does. */
#include "expect.h"

#include "lang/ast.h"

static void parse(mem *m, names *ns, diags *ds, const source *of)
{
    parse_file(m, ns, ds, of);
}

static void examples_of_the_language_give_no_message(void **state)
{
    (void)state;
    expect_folder("lang/ok", parse);
}

static void every_mistake_gives_its_message_and_no_other(void **state)
{
    (void)state;
    expect_folder("lang/syntax", parse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_language_give_no_message),
        cmocka_unit_test(every_mistake_gives_its_message_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
