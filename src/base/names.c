/* names.c - an open hash table of strings, and the distance behind "did you mean". */
#include "base/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a. */
static uint32_t hash(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

void names_init(names *ns, mem *m)
{
    *ns = (names){.m = m};
}

/* the place of the name, or the empty place where it would stand */
static name *place(name *table, int room, const char *text, size_t length)
{
    uint32_t mask = (uint32_t)room - 1, i = hash(text, length) & mask;
    while (table[i] && (strncmp(table[i], text, length) || table[i][length])) i = (i + 1) & mask;
    return &table[i];
}

/* Names stay where they are; only their places change. */
static void grow(names *ns)
{
    int   room = ns->room ? 2 * ns->room : 64;
    name *table = mem_resize(ns->m, NULL, (size_t)room * sizeof *table);
    memset(table, 0, (size_t)room * sizeof *table);
    for (int i = 0; i < ns->room; i++)
        if (ns->table[i]) *place(table, room, ns->table[i], strlen(ns->table[i])) = ns->table[i];
    mem_drop(ns->m, ns->table);
    ns->table = table, ns->room = room;
}

name names_find(const names *ns, const char *text, size_t length)
{
    return ns->room ? *place(ns->table, ns->room, text, length) : NULL;
}

/* At most half of the table is filled. */
name names_intern(names *ns, const char *text, size_t length)
{
    if (2 * (ns->count + 1) > ns->room) grow(ns);
    name *at = place(ns->table, ns->room, text, length);
    if (!*at) {
        char *copy = mem_take(ns->m, length + 1);
        memcpy(copy, text, length);
        *at = copy, ns->count++;
    }
    return *at;
}

enum { LONGEST = 64 };

/* the code points of s, at most LONGEST of them */
static int decode(const char *s, uint32_t *out)
{
    int n = 0;
    for (; *s && n < LONGEST; n++) {
        uint32_t c = (unsigned char)*s++;
        while (((unsigned char)*s & 0xC0) == 0x80) c = c << 6 | ((unsigned char)*s++ & 0x3F);
        out[n] = c;
    }
    return n;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Damerau-Levenshtein distance in code points, cut off above `most` (returns most + 1). */
static int name_distance(const char *a, const char *b, int most)
{
    uint32_t x[LONGEST], y[LONGEST];
    int      n = decode(a, x), k = decode(b, y);
    int      row[3][LONGEST + 1];
    int     *before = row[0], *last = row[1], *now = row[2];
    /*     now[j] = min(last[j-1] + (x_i != y_j), last[j] + 1, now[j-1] + 1)
     * and before[j-2] + 1 where neighbours are swapped */
    for (int j = 0; j <= k; j++) last[j] = before[j] = j;
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int j = 1; j <= k; j++) {
            int change = last[j - 1] + (x[i - 1] != y[j - 1]);
            now[j] = least(change, 1 + least(last[j], now[j - 1]));
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                now[j] = least(now[j], before[j - 2] + 1); /* neighbours swapped */
        }
        int *t = before;
        before = last, last = now, now = t;
    }
    return last[k] <= most ? last[k] : most + 1;
}

/* `Sin` for `sin`, `M` for `m`: ASCII letters only */
static bool differs_in_case(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        bool letter = (*a >= 'a' && *a <= 'z') || (*a >= 'A' && *a <= 'Z');
        if (*a != *b && !(letter && (*a ^ *b) == ('a' ^ 'A'))) return false;
    }
    return *a == *b;
}

/* the name of the Greek letter U+0370 + place, or NULL */
static const char *greek_name(int place)
{
    static const char *const letter[] = {
        "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
        "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
        "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
    enum { CAPITAL = 0x21, SMALL = 0x41, COUNT = sizeof letter / sizeof *letter };
    if (place == 0x61) return "theta"; /* the other forms of three small letters */
    if (place == 0x65) return "phi";
    if (place == 0x85) return "epsilon";
    if (place >= SMALL && place < SMALL + COUNT) return letter[place - SMALL];
    return place >= CAPITAL && place < CAPITAL + COUNT ? letter[place - CAPITAL] : NULL;
}

/* s with the names of Greek letters for the letters: theta1 for θ1, Omega for Ω; cut off at room */
static void spell_out(const char *s, char *out, size_t room)
{
    size_t n = 0;
    while (*s && n + 1 < room) {
        const unsigned char a = (unsigned char)s[0], b = (unsigned char)s[1];
        const int           place = (a == 0xCD || a == 0xCE || a == 0xCF) && (b & 0xC0) == 0x80
                                        ? ((a & 0x1F) << 6 | (b & 0x3F)) - 0x370
                                        : -1;
        const char         *word = greek_name(place);
        if (!word) {
            out[n++] = *s++;
            continue;
        }
        n += (size_t)snprintf(out + n, room - n, "%s", word);
        if (n < room && place < 0x41) out[n - strlen(word)] ^= 'a' ^ 'A';
        s += 2;
    }
    out[least((int)n, (int)room - 1)] = 0;
}

/* `θ1` for `theta1`, or the reverse */
static bool differs_in_spelling(const char *a, const char *b)
{
    char x[8 * LONGEST], y[8 * LONGEST];
    spell_out(a, x, sizeof x), spell_out(b, y, sizeof y);
    return !strcmp(x, y);
}

/* A name that differs in case or spelling only is taken at once; else the one with the fewest
 * edits. */
const char *name_nearest(const char *wrong, const char *const *candidates, int count)
{
    uint32_t    scratch[LONGEST];
    int         length = decode(wrong, scratch);
    int         best = length <= 3 ? 2 : length <= 5 ? 3 : 4; /* strictly below: 1, 2 or 3 edits */
    const char *found = NULL;
    for (int i = 0; i < count; i++) {
        if (differs_in_case(wrong, candidates[i]) || differs_in_spelling(wrong, candidates[i]))
            return candidates[i];
        int d = name_distance(wrong, candidates[i], best);
        if (d < best && d < decode(candidates[i], scratch)) best = d, found = candidates[i];
    }
    return found;
}
