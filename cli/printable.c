/* printable.c - words of a file as text that terminals and pictures show and do not obey. */
#include "cli.h"

#include <stdint.h>

/* The value of the n bytes of UTF-8 there; 0: they are none. */
static uint32_t value_of(const unsigned char *c, int n)
{
    uint32_t code = *c & (0xFFu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((c[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (c[i] & 0x3Fu);
    }
    return code;
}

/* How many bytes the character there has; 0: it is none, or one that controls. */
static int length_at(const unsigned char *c)
{
    static const uint32_t least[] = {[2] = 0xA0, [3] = 0x800, [4] = 0x10000};
    if (*c < 0x80) return *c >= ' ' && *c != 0x7F;
    if (*c < 0xC0 || *c > 0xF4) return 0;
    const int      n = *c >= 0xF0 ? 4 : *c >= 0xE0 ? 3 : 2;
    const uint32_t code = value_of(c, n);
    return code >= least[n] && code < 0x110000 && code >> 11 != 0x1B ? n : 0;
}

char *plain_text(char *words)
{
    for (char *s = words; *s;) {
        const int n = length_at((const unsigned char *)s);
        if (!n) *s = (unsigned char)*s < 0x80 ? ' ' : '?';
        s += n ? n : 1;
    }
    return words;
}
