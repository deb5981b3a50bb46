/* native.h - for tests that compile: a cache of their own, which ends with them. */
#ifndef TESTS_NATIVE_H
#define TESTS_NATIVE_H

#include "kernel/code_cache.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own_cache[] = "/tmp/dalembert-test-XXXXXX";

static inline int open_own_cache(void **state)
{
    (void)state;
    return !mkdtemp(own_cache) || setenv("XDG_CACHE_HOME", own_cache, 1);
}

static inline int remove_own_cache(void **state)
{
    (void)state;
    char kept[PATH_ROOM];
    path_join(kept, own_cache, "dalembert");
    private_directory_remove(kept);
    private_directory_remove(own_cache);
    return 0;
}

#endif
