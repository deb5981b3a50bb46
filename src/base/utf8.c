/* utf8.c - reads UTF-8 as it must be: no longer forms, no surrogates. */
#include "base/utf8.h"

/* n: bytes that the first one announces; 0 for one that continues a character. */
uint32_t utf8_read(const char *s, const char *end, int *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* a longer form is forbidden */
    unsigned char         lead = (unsigned char)*s;
    int n = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *length = 1;
    if (n == 1) return lead;
    if (n == 0 || lead > 0xF4 || end - s < n) return UTF8_BAD;
    uint32_t code = lead & (0x7Fu >> n);
    for (int i = 1; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if ((c & 0xC0) != 0x80) return UTF8_BAD;
        code = code << 6 | (c & 0x3F);
    }
    if (code < least[n] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return UTF8_BAD;
    *length = n;
    return code;
}
