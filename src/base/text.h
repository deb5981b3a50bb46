/* text.h - strings that grow, and numbers that survive printing. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/mem.h"

#include <stdarg.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif

typedef struct {
    mem   *m;
    char  *at;      /* always NUL-terminated once something was added; NULL before */
    size_t n, room;
} text;

text        text_new(mem *m);
void        text_add(text *t, const char *s);
void        text_add_bytes(text *t, const char *s, size_t n);
void        text_printf(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void        text_vprintf(text *t, const char *format, va_list args);
void        text_number(text *t, double x);      /* shortest decimal that reads back as x */
void        text_clear(text *t);                 /* empty, memory kept                    */
void        text_cut(text *t, size_t n);         /* without its last n bytes              */
void        text_drop(text *t);
const char *text_str(const text *t);             /* "" when empty                         */

char *mem_printf(mem *m, const char *format, ...) PRINTF_LIKE(2, 3);
char *mem_vprintf(mem *m, const char *format, va_list args);

enum { NUMBER_ROOM = 32 };
void number_print(char out[NUMBER_ROOM], double x); /* shortest round-trip form           */
bool number_parse(const char *s, const char *end, double *out, bool *overflow); /* locale-free */
bool text_is_number(const char *s, double *out); /* one finite number and nothing else */

#endif
