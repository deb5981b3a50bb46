/* parts.c - where `import` looks beside the importing file: what the user names in DALEMBERT_PATH,
 * what lies beside the running program, and where the library was to be installed. */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef vec(const char *) paths;

/* "a:b" -> a, b */
static void add_named(mem *m, const char *list, paths *out)
{
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
        int n = (int)strcspn(list, ":");
        if (n) vec_push(m, *out, mem_printf(m, "%.*s", n, list));
    }
}

/* Of a program in BIN: BIN/share/dalembert (where it is built) and BIN/../share/dalembert (where it
 * is installed). Where the system does not say which program runs, there is nothing to add. */
static void add_beside_program(mem *m, paths *out)
{
    char    path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) return;
    *slash = 0;
    vec_push(m, *out, mem_printf(m, "%s/share/dalembert", path));
    vec_push(m, *out, mem_printf(m, "%s/../share/dalembert", path));
}

const char *const *parts_directories(mem *m, int *count)
{
    paths all = {0};
    add_named(m, getenv("DALEMBERT_PATH"), &all);
    add_beside_program(m, &all);
    vec_push(m, all, DAL_SHARE);
    *count = all.n;
    return all.at;
}
