/* heap_h5.c - whether HDF5 can read the texts of a file. It keeps texts in heaps, the only parts of
 * a file, besides the numbers, that have no checksum; and when the length of a text in them is
 * damaged, HDF5 (1.10) reads beyond the heap or never ends. So their lengths are looked at before.
 *
 * A heap: "GCOL", the version, 3 bytes, its length; then texts, each with a number (2 bytes), 6
 * bytes, its length, and itself up to a multiple of 8. Number 0 is the rest, with its own header.
 */
#ifdef DAL_HAVE_HDF5
#include "open_h5.h"

#include "cli.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 16, WINDOW = 1 << 24 }; /* bytes; heaps are made when a run begins and ends */

/* HDF5 stores numbers with the lowest byte first. */
static uint64_t number_at(const unsigned char *at, int size)
{
    uint64_t x = 0;
    while (size-- > 0) x = x << 8 | at[size];
    return x;
}

/* The lengths of a heap lead exactly to its end, which may lie behind what we have. */
static bool is_sound(const unsigned char *heap, uint64_t have, uint64_t in_file)
{
    const uint64_t all = number_at(heap + 8, 8);
    uint64_t       at = HEADER;
    if (all < HEADER || all > in_file) return false;
    while (at + HEADER <= all) {
        if (at + HEADER > have) return true;
        const uint64_t size = number_at(heap + at + 8, 8);
        if (!number_at(heap + at, 2)) return size == all - at;
        if (size > all - at - HEADER) return false;
        at += HEADER + (size + 7) / 8 * 8;
    }
    return at <= all;
}

/* Those that begin in so many bytes of the file; behind the first of them it has `in_file`. */
static bool are_sound(const unsigned char *at, size_t n, uint64_t in_file)
{
    static const char    begin[] = "GCOL\1\0\0"; /* and a 0 */
    const unsigned char *here = at, *end = at + n;
    while ((here = memchr(here, begin[0], (size_t)(end - here)))) {
        if (end - here < HEADER) return true;
        if (!memcmp(here, begin, sizeof begin) &&
            !is_sound(here, (uint64_t)(end - here), in_file - (uint64_t)(here - at)))
            return false;
        here++;
    }
    return true;
}

static bool window_is_sound(FILE *f, long from, long size)
{
    const long     most = size - from < WINDOW ? size - from : WINDOW;
    unsigned char *at = need(NULL, (size_t)most, 1);
    const size_t   n = fseek(f, from, SEEK_SET) ? 0 : fread(at, 1, (size_t)most, f);
    const bool     well = are_sound(at, n, (uint64_t)(size - from));
    free(at);
    return well;
}

/* Beginning and end of a large file: heaps are made when a run begins and when it ends. */
bool h5_texts_are_sound(const char *path)
{
    FILE      *f = fopen(path, "rb");
    const long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : 0;
    bool       well = size <= 0 || window_is_sound(f, 0, size);
    if (well && size > WINDOW)
        well = window_is_sound(f, size < 2L * WINDOW ? WINDOW : size - WINDOW, size);
    if (f) fclose(f);
    return well;
}

#else
typedef int nothing_to_look_at; /* a file of C declares something */
#endif
