/* test_base_sha256.c - the examples of the standard, and texts given piece by piece. */
#include "base/sha256.h"
#include "check.h"

#include <string.h>

static void check_digest(const char *words, size_t repeats, const char *want)
{
    uint8_t digest[SHA256_SIZE];
    char    shown[SHA256_TEXT];
    sha256  s;
    sha256_begin(&s);
    for (size_t k = 0; k < repeats; k++) sha256_add(&s, words, strlen(words));
    sha256_end(&s, digest);
    sha256_print(digest, shown);
    assert_string_equal(shown, want);
}

static void the_examples_of_the_standard(void **state)
{
    (void)state;
    check_digest("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_digest("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void pieces_do_not_matter_but_texts_stay_apart(void **state)
{
    (void)state;
    uint8_t one[SHA256_SIZE], two[SHA256_SIZE];
    sha256  s;
    sha256_begin(&s);
    sha256_add_text(&s, "ab"), sha256_add_text(&s, "c");
    sha256_end(&s, one);
    sha256_begin(&s);
    sha256_add_text(&s, "a"), sha256_add_text(&s, "bc");
    sha256_end(&s, two);
    assert_memory_not_equal(one, two, SHA256_SIZE);
    sha256_begin(&s);
    sha256_add(&s, "ab\0c", 5);
    sha256_end(&s, two);
    assert_memory_equal(one, two, SHA256_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_standard),
        cmocka_unit_test(pieces_do_not_matter_but_texts_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
