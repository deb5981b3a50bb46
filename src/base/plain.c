/* plain.c - switches the locale of the thread to the C locale for the duration of one call, where
 * its decimal point differs. */
#include "base/plain.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale to restore; (locale_t)0: it had C's decimal point. */
static locale_t leave(locale_t *plain)
{
    *plain = (locale_t)0;
    if (!strcmp(nl_langinfo(RADIXCHAR), ".")) return (locale_t)0;
    *plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return *plain ? uselocale(*plain) : (locale_t)0;
}

/* plain 0: nothing was changed. */
static void go_back(locale_t to, locale_t plain)
{
    if (!plain) return;
    uselocale(to);
    freelocale(plain);
}

int plain_vsnprintf(char *out, size_t room, const char *format, va_list args)
{
    locale_t  plain;
    locale_t  theirs = leave(&plain);
    const int n = vsnprintf(out, room, format, args);
    go_back(theirs, plain);
    return n;
}

int plain_snprintf(char *out, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = plain_vsnprintf(out, room, format, args);
    va_end(args);
    return n;
}

double plain_strtod(const char *s, char **end)
{
    locale_t     plain;
    locale_t     theirs = leave(&plain);
    const double x = strtod(s, end);
    go_back(theirs, plain);
    return x;
}
