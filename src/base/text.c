/* text.c - one growing block per string; numbers by the fewest digits that read back. */
#include "base/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

text text_new(mem *m)
{
    return (text){.m = m};
}

/* By half as much again, and room for the final NUL. */
static void reserve(text *t, size_t more)
{
    if (t->n + more + 1 <= t->room) return;
    size_t room = t->room + t->room / 2 + 64;
    if (room < t->n + more + 1) room = t->n + more + 1;
    t->at = mem_resize(t->m, t->at, room);
    t->room = room;
}

void text_add_bytes(text *t, const char *s, size_t n)
{
    reserve(t, n);
    if (n) memcpy(t->at + t->n, s, n);
    t->n += n, t->at[t->n] = 0;
}

void text_add(text *t, const char *s)
{
    text_add_bytes(t, s, strlen(s));
}

/* Measured first, then printed: formats have no limit. */
void text_vprintf(text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = plain_vsnprintf(NULL, 0, format, args);
    if (n > 0) {
        reserve(t, (size_t)n);
        plain_vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

void text_printf(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(t, format, args);
    va_end(args);
}

void text_number(text *t, double x)
{
    char s[NUMBER_ROOM];
    number_print(s, x);
    text_add(t, s);
}

void text_clear(text *t)
{
    t->n = 0;
    if (t->at) t->at[0] = 0;
}

void text_cut(text *t, size_t n)
{
    if (n > t->n) n = t->n;
    t->n -= n;
    if (t->at) t->at[t->n] = 0;
}

void text_drop(text *t)
{
    mem_drop(t->m, t->at);
    *t = text_new(t->m);
}

const char *text_str(const text *t)
{
    return t->at ? t->at : "";
}

char *mem_vprintf(mem *m, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int   n = plain_vsnprintf(NULL, 0, format, args);
    char *s = mem_take(m, (size_t)(n < 0 ? 0 : n) + 1);
    if (n > 0) plain_vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

char *mem_printf(mem *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = mem_vprintf(m, format, args);
    va_end(args);
    return s;
}

/* Most numbers need 15 digits; 17 are always enough. */
void number_print(char out[NUMBER_ROOM], double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        plain_snprintf(out, NUMBER_ROOM, "%.*g", digits, x);
        if (plain_strtod(out, NULL) == x || isnan(x)) break;
    }
}

/* Reads all of [s, end), which the caller has checked to have the form of a number. */
bool number_parse(const char *s, const char *end, double *out, bool *overflow)
{
    char   small[64], *copy = small, *stop;
    size_t n = (size_t)(end - s);
    if (n == 0 || n > 4096) return false;
    if (n >= sizeof small && !(copy = malloc(n + 1))) return false;
    memcpy(copy, s, n), copy[n] = 0;
    *out = plain_strtod(copy, &stop);
    bool all = *stop == 0;
    *overflow = isinf(*out);
    if (copy != small) free(copy);
    return all;
}

/* Hexadecimal, inf and nan are not numbers of the language. */
bool text_is_number(const char *s, double *out)
{
    bool overflow;
    if (!*s || s[strspn(s, "0123456789+-.eE")]) return false;
    return number_parse(s, s + strlen(s), out, &overflow) && isfinite(*out);
}
