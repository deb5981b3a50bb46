/* plot_memory.c - memory of pictures: whoever asks for some gets it, or the program ends. */
#include "plot.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

void *need(void *old, size_t count, size_t size)
{
    size_t bytes = count && size ? count * size : 1;
    void  *p = size && count > SIZE_MAX / size ? NULL : realloc(old, bytes);
    if (p) return p;
    complain("out of memory");
    exit(EXIT_FAILED);
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
