/* utf8.h - characters of a text. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

/* The code point at s < end and its length in bytes; UTF8_BAD and 1 if the bytes are none. */
#define UTF8_BAD UINT32_MAX
uint32_t utf8_read(const char *s, const char *end, int *length);

#endif
