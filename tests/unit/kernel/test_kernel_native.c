/* test_kernel_native.c - from text to functions, and what happens when something on the way is
 * missing or broken. */
#include "refusing.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char HALF[] = "double f0(double x) { return x / 2; }\n";
typedef double    function(double);

static native_library *build(mem *m, const char *c, text *why)
{
    *why = text_new(m);
    return native_build(m, c, strlen(c), why);
}

/* the n-th library in the cache, or their number */
static int kept(int n, char path[PATH_ROOM])
{
    char directory[PATH_ROOM];
    int  found = 0;
    assert_null(code_cache_open(directory));
    DIR *d = opendir(directory);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".so") && found++ == n) path_join(path, directory, e->d_name);
    closedir(d);
    return found;
}

static void forget(void)
{
    char directory[PATH_ROOM];
    assert_null(code_cache_open(directory));
    private_directory_remove(directory);
}

static void text_becomes_a_function(void **state)
{
    text            why;
    native_library *lib = build(*state, HALF, &why);
    if (!lib) fail_msg("%s", text_str(&why));
    function *f = (function *)native_symbol(lib, "f0");
    check_close(f(3), 1.5, 0);
    assert_null(native_symbol(lib, "f1"));
    assert_int_equal(why.n, 0);
}

static void the_second_time_it_is_kept(void **state)
{
    text why;
    char path[PATH_ROOM];
    forget();
    assert_false(native_was_kept(build(*state, HALF, &why)));
    assert_true(native_was_kept(build(*state, HALF, &why)));
    assert_int_equal(kept(0, path), 1);
    assert_false(native_was_kept(build(*state, "double f0(double x) { return x; }", &why)));
    assert_int_equal(kept(0, path), 2);
}

static void other_flags_are_another_key(void **state)
{
    text why;
    setenv("CC", "cc -DX=1", 1);
    native_library *one = build(*state, "double f0(double x) { return x * X; }", &why);
    setenv("CC", "cc -DX=2", 1);
    native_library *two = build(*state, "double f0(double x) { return x * X; }", &why);
    unsetenv("CC");
    check_close(((function *)native_symbol(one, "f0"))(5), 5, 0);
    check_close(((function *)native_symbol(two, "f0"))(5), 10, 0);
}

static void files_and_directory_are_closed_to_others(void **state)
{
    text        why;
    char        path[PATH_ROOM];
    struct stat s;
    build(*state, HALF, &why);
    assert_null(code_cache_open(path));
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
}

static void damage(const char *path, long at, bool cut)
{
    if (cut) {
        assert_int_equal(truncate(path, at), 0);
        return;
    }
    FILE *f = fopen(path, "r+b");
    fseek(f, at, SEEK_SET);
    int c = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(c ^ 1, f);
    fclose(f);
}

static void what_was_damaged_is_made_anew(void **state)
{
    const long at[] = {0, 40, 4000, -1, -20};
    for (int k = 0; k < 10; k++) {
        text            why;
        char            path[PATH_ROOM];
        struct stat     s;
        native_library *lib;
        forget();
        native_release(build(*state, HALF, &why));
        assert_int_equal(kept(0, path), 1);
        assert_int_equal(stat(path, &s), 0);
        damage(path, at[k / 2] < 0 ? s.st_size + at[k / 2] : at[k / 2], k % 2);
        lib = build(*state, HALF, &why);
        assert_false(native_was_kept(lib));
        check_close(((function *)native_symbol(lib, "f0"))(3), 1.5, 0);
        assert_true(native_was_kept(build(*state, HALF, &why)));
        native_release(lib);
    }
}

/* A whole library under the name of another is not what it says. */
static void a_library_under_another_name_is_refused(void **state)
{
    text why;
    char one[PATH_ROOM], two[PATH_ROOM];
    forget();
    build(*state, HALF, &why);
    assert_int_equal(kept(0, one), 1);
    build(*state, "double f0(double x) { return 7 * x; }", &why);
    kept(0, two);
    if (!strcmp(one, two)) kept(1, two);
    assert_int_equal(rename(two, one), 0);
    native_library *lib = build(*state, HALF, &why);
    assert_false(native_was_kept(lib));
    check_close(((function *)native_symbol(lib, "f0"))(3), 1.5, 0);
}

/* Without a cache it works all the same, and says that nothing is kept. */
static void a_cache_that_cannot_be_is_done_without(void **state)
{
    const char *const nowhere[] = {"/proc/nowhere", "/dev/null", "/dev/full/x", NULL};
    for (int k = 0; nowhere[k]; k++) {
        text why;
        setenv("XDG_CACHE_HOME", nowhere[k], 1);
        native_library *lib = build(*state, HALF, &why);
        setenv("XDG_CACHE_HOME", own_cache, 1);
        if (!lib) fail_msg("%s: %s", nowhere[k], text_str(&why));
        if (!strstr(text_str(&why), "not kept")) fail_msg("%s: %s", nowhere[k], text_str(&why));
        check_close(((function *)native_symbol(lib, "f0"))(3), 1.5, 0);
    }
}

static void neither_home_nor_cache_is_needed(void **state)
{
    text  why;
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    unsetenv("HOME"), unsetenv("XDG_CACHE_HOME");
    assert_non_null(build(*state, HALF, &why));
    assert_non_null(strstr(text_str(&why), "HOME"));
    if (home) setenv("HOME", home, 1);
    setenv("XDG_CACHE_HOME", own_cache, 1);
    free(home);
}

static void a_directory_open_to_others_is_not_trusted(void **state)
{
    text why;
    char directory[PATH_ROOM];
    assert_null(code_cache_open(directory));
    chmod(directory, 0777);
    native_library *lib = build(*state, HALF, &why);
    chmod(directory, 0700);
    assert_non_null(lib);
    assert_false(native_was_kept(lib));
    assert_non_null(strstr(text_str(&why), "others may write"));
}

static void nowhere_to_write_is_no_failure(void **state)
{
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), setenv("TMPDIR", "/proc/nowhere", 1);
    check_refused(*state, HALF, "cannot be written");
    unsetenv("TMPDIR"), setenv("XDG_CACHE_HOME", own_cache, 1);
}

static void the_oldest_leave_first(void **state)
{
    (void)state;
    char directory[PATH_ROOM], path[PATH_ROOM];
    forget();
    assert_null(code_cache_open(directory));
    for (int k = 0; k < 6; k++) {
        char name[16], bytes[1000] = {0};
        snprintf(name, sizeof name, "%d.so", k);
        path_join(path, directory, name);
        FILE *f = fopen(path, "wb");
        fwrite(bytes, 1, sizeof bytes, f);
        fclose(f);
        struct timespec at[2] = {{.tv_sec = 1000000 - k}, {.tv_sec = 1000000 - k}};
        utimensat(AT_FDCWD, path, at, 0);
    }
    code_cache_trim(directory, 6000);
    assert_int_equal(kept(0, path), 6);
    code_cache_trim(directory, 3500);
    assert_int_equal(kept(0, path), 3);
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "%d.so", k);
        path_join(path, directory, name);
        assert_int_equal(access(path, F_OK), 0);
    }
    forget();
}

static void what_a_dead_process_left_is_cleared_away(void **state)
{
    text            why;
    char            directory[PATH_ROOM], old[PATH_ROOM], file[PATH_ROOM];
    struct timespec at[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    forget();
    assert_null(code_cache_open(directory));
    assert_true(private_directory(old, directory));
    path_join(file, old, "kernel.c");
    fclose(fopen(file, "w"));
    utimensat(AT_FDCWD, old, at, 0);
    build(*state, HALF, &why);
    assert_int_not_equal(access(old, F_OK), 0);
}

/* A compiler that writes a line for each of its runs into a file beside it. */
static void count_runs(char script[PATH_ROOM], char runs[PATH_ROOM])
{
    path_join(script, own_cache, "counting"), path_join(runs, own_cache, "runs");
    unlink(runs);
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\necho run >>'%s'\nsleep 0.2\nexec cc \"$@\"\n", runs);
    fclose(f);
    chmod(script, 0700);
    setenv("CC", script, 1);
}

static int lines(const char *path)
{
    int   n = 0;
    FILE *f = fopen(path, "r");
    for (int c; f && (c = fgetc(f)) != EOF;) n += c == '\n';
    if (f) fclose(f);
    return n;
}

/* Several processes want the same at once: each gets it, one of them builds it, and one file
 * stays. */
static void processes_that_want_the_same_build_it_once(void **state)
{
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    char  path[PATH_ROOM], script[PATH_ROOM], runs[PATH_ROOM];
    forget();
    count_runs(script, runs);
    for (int k = 0; k < PROCESSES; k++) {
        child[k] = fork();
        if (child[k]) continue;
        text            why;
        native_library *lib = build(*state, HALF, &why);
        _exit(!lib || ((function *)native_symbol(lib, "f0"))(3) != 1.5);
    }
    unsetenv("CC");
    for (int k = 0; k < PROCESSES; k++) {
        int status;
        assert_int_equal(waitpid(child[k], &status, 0), child[k]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(lines(runs), 1);
    assert_int_equal(kept(0, path), 1);
    unlink(script), unlink(runs);
}

/* A process that died while it was building holds nobody up. */
static void a_turn_that_was_left_behind_is_taken(void **state)
{
    char directory[PATH_ROOM], key[SHA256_TEXT];
    int  status;
    (void)state;
    memset(key, 'a', sizeof key - 1), key[sizeof key - 1] = 0;
    assert_null(code_cache_open(directory));
    const pid_t child = fork();
    if (!child) _exit(code_turn_take(directory, key).file < 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    double    start = now();
    code_turn turn = code_turn_take(directory, key);
    assert_true(turn.file >= 0);
    check_below(now() - start, 30);
    assert_int_equal(access(turn.path, F_OK), 0);
    code_turn_end(&turn);
    assert_int_not_equal(access(turn.path, F_OK), 0);
}

/* Some words for steps are gcc's own. */
static void a_compiler_that_does_not_know_the_words_for_steps_gets_others(void **state)
{
    char path[PATH_ROOM], script[PATH_ROOM];
    text why = text_new(*state);
    forget();
    path_join(script, own_cache, "other");
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\ncase \"$*\" in *thread-jumps*) echo unknown argument; exit 1;; esac\n"
               "exec cc \"$@\"\n");
    fclose(f);
    chmod(script, 0700);
    setenv("CC", script, 1);
    native_library *lib = native_build_as(*state, CODE_STRAIGHT, HALF, strlen(HALF), &why);
    unsetenv("CC");
    if (!lib) fail_msg("%s", text_str(&why));
    check_close(((function *)native_symbol(lib, "f0"))(3), 1.5, 0);
    assert_int_equal(kept(0, path), 1);
    unlink(script);
}

/* A host may ignore its children, which takes their exit status away, and may have a handler for
 * them. */
static volatile sig_atomic_t children;

static void count_child(int signal_number)
{
    (void)signal_number;
    children = children + 1;
}

static void children_of_the_host_are_left_alone(void **state)
{
    text  why;
    int   status;
    pid_t own = fork();
    if (!own) _exit(7);
    signal(SIGCHLD, count_child);
    forget();
    assert_non_null(build(*state, HALF, &why));
    assert_true(children > 0);
    assert_int_equal(waitpid(own, &status, 0), own);
    assert_int_equal(WEXITSTATUS(status), 7);
    signal(SIGCHLD, SIG_IGN);
    forget();
    assert_non_null(build(*state, HALF, &why));
    signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mem_test(text_becomes_a_function),
        mem_test(the_second_time_it_is_kept),
        mem_test(other_flags_are_another_key),
        mem_test(files_and_directory_are_closed_to_others),
        mem_test(what_was_damaged_is_made_anew),
        mem_test(a_library_under_another_name_is_refused),
        mem_test(a_cache_that_cannot_be_is_done_without),
        mem_test(neither_home_nor_cache_is_needed),
        mem_test(a_directory_open_to_others_is_not_trusted),
        mem_test(nowhere_to_write_is_no_failure),
        mem_test(the_oldest_leave_first),
        mem_test(what_a_dead_process_left_is_cleared_away),
        mem_test(processes_that_want_the_same_build_it_once),
        mem_test(a_turn_that_was_left_behind_is_taken),
        mem_test(a_compiler_that_does_not_know_the_words_for_steps_gets_others),
        mem_test(children_of_the_host_are_left_alone),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
