/* test_api_compiled_models.c - compiled steps agree with the general ones, model by model. */
#include "compiled.h"

static void compiled_steps_agree_with_the_general_ones(void **state)
{
    (void)state;
    folder_agrees(TEST_DATA "/models", "midpoint", 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_steps_agree_with_the_general_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
