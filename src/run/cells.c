/* cells.c - cutting comma-separated text into lines and cells. */
#include "run/cells.h"

#include "run/plan.h"

#include <string.h>

cell cell_next(const char **at, const char *end)
{
    const char *comma = *at;
    for (bool quoted = false; comma < end && (*comma != ',' || quoted); comma++)
        quoted ^= *comma == '"';
    cell c = {*at, comma};
    *at = comma < end ? comma + 1 : NULL;
    while (c.from < c.to && strchr(" \t\"", *c.from)) c.from++;
    while (c.to > c.from && strchr(" \t\"\r", c.to[-1])) c.to--;
    return c;
}

/* Copied first, as the cell does not end with a NUL. False: not a number, or far too long for
 * one. */
bool cell_number(cell c, double *out)
{
    char   copy[64];
    size_t n = (size_t)(c.to - c.from);
    if (n >= sizeof copy) return false;
    memcpy(copy, c.from, n), copy[n] = 0;
    return text_is_number(copy, out);
}

bool cell_is(cell c, const char *word)
{
    size_t n = (size_t)(c.to - c.from);
    return n == strlen(word) && !memcmp(c.from, word, n);
}

span cell_span(const source *of, cell c)
{
    return (span){of, (int)(c.from - of->text), (int)(c.to - of->text)};
}

bool line_next(const source *of, const char **at, cell *out)
{
    const char *stop = of->text + of->length;
    while (*at < stop) {
        const char *end = memchr(*at, '\n', (size_t)(stop - *at)), *next = end ? end + 1 : stop;
        *out = (cell){*at, end ? end : stop};
        while (out->to > out->from && strchr(" \t\r", out->to[-1])) out->to--;
        *at = next;
        if (out->to > out->from) return true;
    }
    return false;
}
