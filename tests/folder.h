/* folder.h - the models of a folder, in the order of their names. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include "check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS_MOST = 64, MODEL_PATH_MOST = 512 };

typedef struct {
    int  n;
    char path[MODELS_MOST][MODEL_PATH_MOST];
} models;

static inline int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

static inline models models_of(const char *folder)
{
    models         all = {0};
    DIR           *d = opendir(folder);
    struct dirent *e;
    assert_non_null(d);
    while ((e = readdir(d))) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".dal")) continue;
        assert_true(all.n < MODELS_MOST);
        const int length = snprintf(all.path[all.n++], MODEL_PATH_MOST, "%s/%s", folder, e->d_name);
        assert_true(length < MODEL_PATH_MOST);
    }
    closedir(d);
    qsort(all.path, (size_t)all.n, sizeof *all.path, by_path);
    return all;
}

/* "examples/cart.dal" -> "cart.dal" */
static inline const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
