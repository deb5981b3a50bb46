/* memory.c - memory of the program itself: whoever asks for some gets it, or the program ends with
 * a message. What it was writing is then whole or not there, and the system takes the rest back. */
#include "writer.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

void no_memory(void)
{
    complain("out of memory");
    ranks_cry("out of memory");
    outputs_give_up();
    writers_give_up();
    exit(EXIT_FAILED);
}

void *need(void *old, size_t count, size_t size)
{
    size_t bytes = count && size ? count * size : 1;
    void  *p = size && count > SIZE_MAX / size ? NULL : realloc(old, bytes);
    if (!p) no_memory();
    return p;
}

static void *need_bytes(size_t size)
{
    return need(NULL, size, 1);
}

void memory_begin(void)
{
    json_set_alloc_funcs(need_bytes, free);
}

char *text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *s = need(NULL, (size_t)n + 1, 1);
    va_start(args, format);
    vsnprintf(s, (size_t)n + 1, format, args);
    va_end(args);
    return s;
}
