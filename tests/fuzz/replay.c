/* replay.c - a main for the fuzzers where libFuzzer is not: every file of a corpus as it is, then
 * many of them changed at random, always in the same way.
 *
 *     replay COUNT FILE... */
#include "fuzz.h"

#include <string.h>

enum { LONGEST = 1 << 17 };

static uint32_t state = 1;

static uint32_t any(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static size_t read_file(const char *path, uint8_t *out)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    size_t n = fread(out, 1, LONGEST, f);
    fclose(f);
    return n;
}

/* A few bytes are changed, left out, doubled, or taken from elsewhere. */
size_t LLVMFuzzerMutate(uint8_t *b, size_t n, size_t most)
{
    static const char *const words[] = {
        "[1e12]", "(((((", "0/0", "import \"a\"", "N = -1", "1e308*10", "^", "sum(", "''"};
    for (uint32_t k = 1 + any(4); k > 0 && n > 16; k--) {
        size_t at = any((uint32_t)n - 8), many = 1 + any(8);
        const char *word = words[any(sizeof words / sizeof *words)];
        switch (any(5)) {
        case 0: b[at] = (uint8_t)any(256); break;
        case 1: b[at] ^= (uint8_t)(1u << any(8)); break;
        case 2: memmove(b + at, b + at + many, n - at - many), n -= many; break;
        case 3:
            if (n + many >= most) break;
            memmove(b + at + many, b + at, n - at), n += many;
            break;
        default:
            if (n + strlen(word) >= most) break;
            memmove(b + at + strlen(word), b + at, n - at);
            memcpy(b + at, word, strlen(word)), n += strlen(word);
        }
    }
    return n;
}

#ifdef FUZZ_FIELDS
static size_t change(uint8_t *b, size_t n)
{
    return LLVMFuzzerCustomMutator(b, n, LONGEST, any(1u << 31));
}
#else
static size_t change(uint8_t *b, size_t n)
{
    return LLVMFuzzerMutate(b, n, LONGEST);
}
#endif

int main(int argc, char **argv)
{
    static uint8_t bytes[LONGEST];
    if (argc < 3 || !freopen("/dev/null", "w", stderr)) return 1;
    for (int i = 2; i < argc; i++) LLVMFuzzerTestOneInput(bytes, read_file(argv[i], bytes));
    for (long k = 0; k < atol(argv[1]); k++) {
        size_t n = read_file(argv[2 + any((uint32_t)argc - 2)], bytes);
        LLVMFuzzerTestOneInput(bytes, change(bytes, n));
    }
    printf("%d files, %s changes\n", argc - 2, argv[1]);
    return 0;
}
