/* npy.c - headers of NumPy's arrays, and texts as such arrays (four bytes a character). */
#include "npy.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>

void bytes_add(bytes *b, const void *from, size_t n)
{
    if (b->n + n > b->room) {
        b->room = 2 * (b->n + n) + 64;
        b->at = need(b->at, b->room, 1);
    }
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

static bool little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

const char *npy_double(void)
{
    return little() ? "'<f8'" : "'>f8'";
}

static bool is_ascii(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s > 126) return false;
    return true;
}

/* Version 1 has 2 bytes for the length and Latin-1, version 2 has 4, version 3 has UTF-8. */
void npy_header(bytes *b, const char *type, const char *shape, size_t spare)
{
    char  *dict = text("{'descr': %s, 'fortran_order': False, 'shape': %s, }", type, shape);
    size_t n = strlen(dict) + 1 + spare;
    bool   large = n + 128 > 65535, wide = !is_ascii(dict);
    size_t front = wide || large ? 12 : 10, all = (front + n + 63) / 64 * 64, length = all - front;
    unsigned char head[12] = "\x93NUMPY";
    head[6] = wide ? 3 : large ? 2 : 1;
    for (size_t i = 0; i < front - 8; i++) head[8 + i] = (unsigned char)(length >> 8 * i & 255);
    bytes_add(b, head, front);
    bytes_add(b, dict, strlen(dict));
    for (size_t i = strlen(dict); i < length - 1; i++) bytes_add(b, " ", 1);
    bytes_add(b, "\n", 1);
    free(dict);
}

/* Texts. --------------------------------------------------------------------------------------- */

/* The next character of UTF-8; what is none counts as it stands. */
static uint32_t next_character(const char **s)
{
    const unsigned char *c = (const unsigned char *)*s;
    int                  more = *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC0 ? 1 : 0;
    uint32_t             code = more ? *c & (0x3Fu >> more) : *c;
    for (c++; more > 0 && (*c & 0xC0) == 0x80; more--, c++) code = code << 6 | (*c & 0x3F);
    *s = (const char *)c;
    return code;
}

static size_t length_of(const char *s)
{
    size_t n = 0;
    while (*s) next_character(&s), n++;
    return n;
}

void npy_texts(bytes *b, const char *const *words, long count)
{
    size_t longest = 1;
    long   all = count < 0 ? 1 : count;
    for (long i = 0; i < all; i++)
        if (length_of(words[i]) > longest) longest = length_of(words[i]);
    char *type = text("'%cU%zu'", little() ? '<' : '>', longest);
    char *shape = count < 0 ? text("()") : text("(%ld,)", count);
    npy_header(b, type, shape, 0);
    free(type), free(shape);
    for (long i = 0; i < all; i++) {
        const char *s = words[i];
        for (size_t k = 0; k < longest; k++) {
            uint32_t code = *s ? next_character(&s) : 0;
            bytes_add(b, &code, sizeof code);
        }
    }
}

/* Reading. ------------------------------------------------------------------------------------- */

static char *value_of(const char *dict, const char *key, const char *close)
{
    const char *at = strstr(dict, key);
    if (!at) return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    const char *end = strstr(at, close);
    return end ? text("%.*s", (int)(end - at), at) : NULL;
}

bool npy_read(const unsigned char *at, size_t n, npy_array *out)
{
    *out = (npy_array){NULL, 0, {1, 1}, 0};
    if (n < 12 || memcmp(at, "\x93NUMPY", 6)) return false;
    size_t front = at[6] == 1 ? 10 : 12, length = 0;
    for (size_t i = front; i-- > 8;) length = length << 8 | at[i];
    if (length > n - front) return false;
    char *dict = text("%.*s", (int)length, (const char *)at + front);
    char *order = value_of(dict, "'fortran_order':", ","), *shape = value_of(dict, "'shape':", ")");
    out->type = value_of(dict, "'descr':", ", 'fortran_order'");
    bool well = order && shape && out->type && !strcmp(order, "False") && *shape == '(';
    for (char *s = shape + 1; well && *s && out->axes < 3;) {
        char *end;
        long  size = strtol(s, &end, 10);
        well = end > s && size >= 0 && out->axes < 2;
        if (well) out->shape[out->axes++] = size;
        s = end + strspn(end, ", ");
    }
    out->begin = front + length;
    free(dict), free(order), free(shape);
    if (!well) free(out->type), out->type = NULL;
    return well;
}

/* A string of Python in quotes of one kind; *s moves behind it. */
static char *quoted(const char **s)
{
    char   mark = *(*s)++, *out = need(NULL, strlen(*s) + 1, 1);
    size_t n = 0;
    for (; **s && **s != mark; (*s)++) {
        if (**s == '\\' && (*s)[1]) (*s)++;
        out[n++] = **s;
    }
    if (**s) (*s)++;
    out[n] = 0;
    return out;
}

char **npy_names(const char *type, long *count)
{
    char **name = NULL;
    *count = 0;
    if (*type != '[') return NULL;
    while ((type = strchr(type, '('))) {
        type++;
        if (*type != '\'' && *type != '"') break;
        char *word = quoted(&type);
        bool  is_double =
            !strncmp(type, ", ", 2) && !strncmp(type + 2, npy_double(), strlen(npy_double()));
        name = need(name, (size_t)*count + 1, sizeof *name);
        name[(*count)++] = word;
        if (!is_double) break;
        type += 2 + strlen(npy_double());
        if (!strchr(type, '(')) return name;
    }
    for (long i = 0; i < *count; i++) free(name[i]);
    free(name);
    *count = 0;
    return NULL;
}

static size_t put_character(char *out, uint32_t code)
{
    if (code < 0x80) return out[0] = (char)code, 1;
    size_t                     more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[more] | code >> 6 * more);
    for (size_t i = 1; i <= more; i++) out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
    return more + 1;
}

char **npy_strings(const unsigned char *at, size_t n, long *count)
{
    npy_array a;
    if (!npy_read(at, n, &a)) return NULL;
    char order = little() ? '<' : '>';
    long width = a.type[0] == '\'' && a.type[1] == order && a.type[2] == 'U' ? atol(a.type + 3) : 0;
    bool fits = width > 0 && a.axes < 2 && (n - a.begin) / 4 / (size_t)width >= (size_t)a.shape[0];
    free(a.type);
    if (!fits) return NULL;
    *count = a.shape[0];
    char **out = need(NULL, (size_t)*count + 1, sizeof *out);
    for (long i = 0; i < *count; i++) {
        size_t length = 0;
        out[i] = need(NULL, 4 * (size_t)width + 1, 1);
        for (long k = 0; k < width; k++) {
            uint32_t code;
            memcpy(&code, at + a.begin + 4 * (size_t)(i * width + k), 4);
            if (!code) break;
            length += put_character(out[i] + length, code & 0x1FFFFF);
        }
        out[i][length] = 0;
    }
    return out;
}
