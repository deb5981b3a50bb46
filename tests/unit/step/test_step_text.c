/* test_step_text.c - the texts that generated code is made of are the files of src/step, byte for
 * byte. */
#include "check.h"
#include "step/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void texts_are_the_files(void **state)
{
    (void)state;
    for (const step_file *f = step_files; f->name; f++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/../%s", TEST_DATA, f->name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        char  *bytes = malloc(f->size + 2);
        size_t size = fread(bytes, 1, f->size + 2, file);
        assert_int_equal(size, f->size);
        assert_memory_equal(bytes, f->data, size);
        assert_int_equal(f->data[size], 0);
        free(bytes), fclose(file);
    }
    assert_ptr_equal(step_text("lu.h"), strstr(step_text("lu.h"), "/* lu.h - "));
    assert_null(step_text("none.h"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_the_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
