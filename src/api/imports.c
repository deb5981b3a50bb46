/* imports.c - where `import` looks beside the importing file: what the user names in DALEMBERT_PATH,
 * what lies beside the running program and beside the library, wherever these were moved, and where
 * the library was to be installed. What is loaded at run time is looked for in the same way. */
#include "api/api.h"

#include <inttypes.h>
#include <stdio.h>
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

enum { PATH_MOST = 4096 };

/* What may be meant, from the folder of a file on; ends with NULL. */
typedef const char *const *beside;

/* Where it is built, where it is installed, and from a library for one architecture of several. */
static const char *const shared[] = {"/share/dalembert", "/../share/dalembert",
                                     "/../../share/dalembert", NULL};
/* Where it is built, from the library and from the program. */
static const char *const of_ranks[] = {"/dalembert_mpi.so", "/dalembert/dalembert_mpi.so",
                                       "/../" DAL_LIBDIR "/dalembert/dalembert_mpi.so", NULL};

static void add_beside(mem *m, char *path, beside what, paths *out)
{
    char *slash = strrchr(path, '/');
    if (!slash) return;
    *slash = 0;
    for (; *what; what++) vec_push(m, *out, mem_printf(m, "%s%s", path, *what));
}

/* Where the system does not say which program runs, there is nothing to add. */
static void add_beside_program(mem *m, beside what, paths *out)
{
    char    path[PATH_MOST];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return;
    path[n] = 0;
    add_beside(m, path, what, out);
}

/* The file that holds what lies at an address; a line of the kernel's list is
 *     from-to rights offset device inode     path */
static bool find_file(uintptr_t address, char line[PATH_MOST], char **path)
{
    FILE *f = fopen("/proc/self/maps", "r");
    bool  found = false;
    while (f && !found && fgets(line, PATH_MOST, f)) {
        char           *at = NULL;
        const uintmax_t from = strtoumax(line, &at, 16),
                        to = strtoumax(at + (*at == '-'), NULL, 16);
        *path = strchr(line, '/');
        found = *path && from <= address && address < to;
    }
    if (f) fclose(f);
    return found;
}

/* The library lies in a file of its own, or in the program that it was linked into. */
static void add_beside_library(mem *m, beside what, paths *out)
{
    static const char here = 0;
    char              line[PATH_MOST], *path;
    if (find_file((uintptr_t)&here, line, &path)) add_beside(m, path, what, out);
}

const char *const *parts_directories(mem *m, int *count)
{
    paths all = {0};
    add_named(m, getenv("DALEMBERT_PATH"), &all);
    add_beside_program(m, shared, &all);
    add_beside_library(m, shared, &all);
    vec_push(m, all, DAL_SHARE);
    *count = all.n;
    return all.at;
}

const char *const *ranks_files(mem *m, int *count)
{
    paths all = {0};
    add_beside_program(m, of_ranks, &all);
    add_beside_library(m, of_ranks, &all);
    vec_push(m, all, DAL_RANKS);
    *count = all.n;
    return all.at;
}
