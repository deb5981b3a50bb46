/* ranges.c - lists are cut at their commas, then every piece is written out, its first range before
 * its others. */
#include "run/ranges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MOST = 1000 };

/* Messages point into a piece as into the text it came from. */
static const source *piece(mem *m, const source *of, const char *words)
{
    source *s = mem_array(m, 1, source);
    *s = (source){of->file, words, strlen(words)};
    return s;
}

static span place(const source *of, const char *from, const char *to)
{
    return (span){of, (int)(from - of->text), (int)(to - of->text)};
}

/* The end of the piece that begins at s: a comma outside brackets, or the end of the text. */
static const char *piece_end(const char *s)
{
    for (int depth = 0; *s && (*s != ',' || depth > 0); s++) depth += (*s == '(') - (*s == ')');
    return s;
}

static void trim(const char **from, const char **to)
{
    while (*from < *to && isspace((unsigned char)**from)) ++*from;
    while (*to > *from && isspace((unsigned char)(*to)[-1])) --*to;
}

/* "a..b" around the two dots: its ends in the text, and its numbers */
static bool range_at(const char *words, const char *dots, const char **from, const char **to,
                     long *a, long *b)
{
    const char *s = dots;
    char       *end;
    while (s > words && isdigit((unsigned char)s[-1])) s--;
    *from = s, *a = strtol(s, NULL, 10);
    *b = strtol(dots + 2, &end, 10);
    *to = end;
    return s < dots && isdigit((unsigned char)dots[2]) && *a <= *b && *b - *a < PIECES_MOST;
}

/* The first range is written out, and each result is written out in turn. */
static dal_status write_out(mem *m, diags *ds, const source *of, span at, const char *words,
                            source_list *out)
{
    const char *dots = strstr(words, ".."), *from, *to;
    long        a, b;
    if (out->n == PIECES_MOST)
        return diag_error(ds, DAL_INVALID, at, NULL, "more than %d are too many", PIECES_MOST);
    if (!dots) {
        vec_push(m, *out, piece(m, of, words));
        return DAL_OK;
    }
    if (!range_at(words, dots, &from, &to, &a, &b))
        return diag_error(ds, DAL_INVALID, at, "as in lobatto(2..5)",
                          "a range is two whole numbers around '..', the smaller one first");
    for (long k = a; k <= b; k++) {
        const char *one = mem_printf(m, "%.*s%ld%s", (int)(from - words), words, k, to);
        dal_status  bad = write_out(m, ds, of, at, one, out);
        if (bad) return bad;
    }
    return DAL_OK;
}

/* Empty pieces are mistakes. */
dal_status ranges_words(mem *m, diags *ds, const source *of, source_list *out)
{
    dal_status bad = DAL_OK;
    for (const char *s = of->text, *end; !bad; s = end + 1) {
        end = piece_end(s);
        const char *from = s, *to = end;
        trim(&from, &to);
        if (from == to)
            return diag_error(ds, DAL_INVALID, place(of, s, end), "names with commas between them",
                              "a name is missing here");
        bad = write_out(m, ds, of, place(of, from, to),
                        mem_printf(m, "%.*s", (int)(to - from), from), out);
        if (!*end) break;
    }
    return bad;
}

/* Counts. -------------------------------------------------------------------------------------- */

/* From 1 to a billion; blanks around it are passed over. */
static bool read_count(const char **s, long *out)
{
    char *end;
    while (isspace((unsigned char)**s)) ++*s;
    if (!isdigit((unsigned char)**s)) return false;
    *out = strtol(*s, &end, 10);
    while (isspace((unsigned char)*end)) end++;
    *s = end;
    return *out >= 1 && *out <= 1000000000;
}

static int ascending(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Doubling from a, so that steps have a common divisor. */
dal_status ranges_counts(mem *m, diags *ds, const source *of, count_list *out)
{
    for (const char *s = of->text, *begin;; s++) {
        long a = 0, b;
        begin = s;
        bool fine = read_count(&s, &a);
        b = a;
        if (fine && !strncmp(s, "..", 2)) s += 2, fine = read_count(&s, &b) && a <= b;
        if (!fine || (*s && *s != ','))
            return diag_error(ds, DAL_INVALID, place(of, begin, begin + strcspn(begin, ",")),
                              "8..256 doubles from 8 on; 10, 20, 50 is a list",
                              "this is neither a number of steps nor a range of them");
        for (; a <= b; a *= 2) vec_push(m, *out, a);
        if (!*s) break;
    }
    qsort(out->at, (size_t)out->n, sizeof *out->at, ascending);
    int kept = 1;
    for (int i = 1; i < out->n; i++)
        if (out->at[i] != out->at[kept - 1]) out->at[kept++] = out->at[i];
    out->n = kept;
    return DAL_OK;
}
