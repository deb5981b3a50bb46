/* test_kernel_compiler.c - whatever $CC names: what is wrong with it is said, it may not take
 * forever, nor any liberties with numbers. */
#include "refusing.h"

#include <stdio.h>
#include <sys/stat.h>

static void whatever_is_wrong_with_the_compiler_is_said(void **state)
{
    check_refused(*state, "double f0(double x) { return y; }", "kernel.c:1");
    setenv("CC", "no-such-compiler", 1);
    check_refused(*state, "int one;", "no C compiler 'no-such-compiler'");
    setenv("CC", "/etc/passwd", 1);
    check_refused(*state, "int two;", "no C compiler '/etc/passwd'");
    setenv("CC", "false", 1);
    check_refused(*state, "int three;", "failed");
    setenv("CC", "true", 1);
    check_refused(*state, "int four;", "made no library");
    setenv("CC", "  ", 1);
    text why = text_new(*state);
    assert_non_null(native_build(*state, "int five;", strlen("int five;"), &why));
    unsetenv("CC");
    const char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    check_refused(*state, "int six;", "no C compiler 'cc'");
    setenv("PATH", path, 1);
    free((char *)path);
}

/* The shell's characters mean nothing: there is no shell. */
static void no_word_of_cc_is_expanded(void **state)
{
    setenv("CC", "cc;touch /tmp/dalembert-was-here $(touch /tmp/dalembert-was-here)", 1);
    check_refused(*state, "int x;", "no C compiler 'cc;touch'");
    unsetenv("CC");
    assert_int_not_equal(access("/tmp/dalembert-was-here", F_OK), 0);
}

/* A shell script in the compiler's place, with a limit of a second. */
static compiler_end run_script(mem *m, const char *words)
{
    text why = text_new(m);
    char directory[PATH_ROOM], script[PATH_ROOM];
    assert_true(private_directory(directory, own_cache));
    path_join(script, directory, "slow");
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\n%s\n", words);
    fclose(f);
    chmod(script, 0700);
    setenv("CC", script, 1);
    compiler *c = compiler_find(m, CODE_LOOPS, &why);
    unsetenv("CC");
    assert_non_null(c);
    c->seconds = 1;
    compiler_end end = compiler_run(c, directory);
    private_directory_remove(directory);
    return end;
}

static void a_compiler_that_hangs_is_ended(void **state)
{
    double start = now();
    assert_int_equal(run_script(*state, "sleep 1000"), COMPILER_LATE);
    assert_int_equal(run_script(*state, "while :; do :; done"), COMPILER_LATE);
    check_below(now() - start, 60);
}

/* As on a machine that has much else to do: it works, but little at a time. */
static void a_compiler_that_is_given_little_time_is_waited_for(void **state)
{
    double start = now();
    assert_int_equal(run_script(*state, "for k in 1 2 3 4 5 6 7 8 9 10; do\n"
                                        "  i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done\n"
                                        "  sleep 0.2\n"
                                        "done"),
                     COMPILER_DONE);
    check_below(1.5, now() - start); /* longer than the limit, by the clock */
}

/* What $CC allows the compiler to do with numbers is not allowed here. */
static void arithmetic_is_exact_whatever_the_compiler_is_told(void **state)
{
    static const char LOW[] = "double f0(double x) { return (x + 1e16) - 1e16; }\n"
                              "double f1(double x) { return x != x; }\n";
    text              why = text_new(*state);
    setenv("CC", "cc -ffast-math -funsafe-math-optimizations -ffinite-math-only", 1);
    native_library *lib = native_build(*state, LOW, strlen(LOW), &why);
    unsetenv("CC");
    if (!lib) fail_msg("%s", text_str(&why));
    check_close(((double (*)(double))native_symbol(lib, "f0"))(0.5), 0, 0);
    check_close(((double (*)(double))native_symbol(lib, "f1"))((double)NAN), 1, 0);
}

static int place_of(const compiler *c, const char *word)
{
    for (int k = 0; k + 4 < c->arguments; k++)
        if (!strcmp(c->argument[k], word)) return k;
    fail_msg("the compiler is not told %s", word);
    return -1;
}

/* clang takes back that nothing traps when it is told of unsafe mathematics, and then makes no
 * vectors. */
static void that_nothing_traps_is_said_last(void **state)
{
    text      why = text_new(*state);
    compiler *c = compiler_find(*state, CODE_LOOPS, &why);
    assert_non_null(c);
    assert_true(place_of(c, "-fno-trapping-math") > place_of(c, "-fno-unsafe-math-optimizations"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(whatever_is_wrong_with_the_compiler_is_said),
        mem_test(no_word_of_cc_is_expanded),
        mem_test(a_compiler_that_hangs_is_ended),
        mem_test(a_compiler_that_is_given_little_time_is_waited_for),
        mem_test(arithmetic_is_exact_whatever_the_compiler_is_told),
        mem_test(that_nothing_traps_is_said_last),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
