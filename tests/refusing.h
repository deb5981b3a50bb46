/* refusing.h - for tests of what becomes of text that cannot be compiled, and how soon. */
#ifndef TESTS_REFUSING_H
#define TESTS_REFUSING_H

#include "kernel/native.h"
#include "native.h"

#include <time.h>

static inline void check_refused(mem *m, const char *c, const char *words)
{
    text why = text_new(m);
    assert_null(native_build(m, c, strlen(c), &why));
    if (!strstr(text_str(&why), words))
        fail_msg("'%s' does not speak of '%s'", text_str(&why), words);
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
