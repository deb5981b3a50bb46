/* events_file.c - what happened at instants, as CSV: t, name, what, impulse, energy. */
#include "events_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writing. ------------------------------------------------------------------------------------- */

/* A name between quotes, of which those within are doubled: it may hold that of a file. */
static void put_quoted(FILE *out, const char *word)
{
    fputc('"', out);
    for (; *word; word++) {
        if (*word == '"') fputc('"', out);
        fputc(*word, out);
    }
    fputc('"', out);
}

int events_write(const char *path, const dal_event *e, size_t count)
{
    FILE *out = open_output(path);
    if (!out) return EXIT_IO;
    fputs("t,name,what,impulse,energy\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%.17g,", e[i].t);
        put_quoted(out, e[i].name);
        fprintf(out, ",%s,%.17g,%.17g\n", e[i].what, e[i].impulse, e[i].energy);
    }
    return close_output(out, path) ? EXIT_DONE : EXIT_IO;
}

/* Reading. ------------------------------------------------------------------------------------- */

/* The whole file, ended by a 0; NULL: said why. */
static char *read_words(const char *path)
{
    enum { AT_ONCE = 1 << 16 };
    FILE  *in = fopen(path, "rb");
    char  *words = NULL;
    size_t n = 0, more = 1;
    while (in && more) {
        words = need(words, n + AT_ONCE + 1, 1);
        more = fread(words + n, 1, AT_ONCE, in);
        n += more, words[n] = 0;
    }
    const bool read = in && !ferror(in);
    if (!read) complain("cannot read %s: %s", path, strerror(errno));
    if (in) fclose(in);
    if (read) return words;
    free(words);
    return NULL;
}

/* The cell at *at, written over itself; *at moves behind it, and *end is what ended it. */
static char *next_cell(char **at, char *end)
{
    char      *s = *at, *to = s;
    const bool quoted = *s == '"';
    char      *from = s + quoted;
    for (; *from && (quoted || !strchr(",\r\n", *from)); *to++ = *from++) {
        if (!quoted || *from != '"') continue;
        if (from[1] != '"') break;
        from++;
    }
    if (quoted && *from == '"') from++;
    if (*from == '\r') from++;
    *end = *from, *at = *from ? from + 1 : from, *to = 0;
    return s;
}

/* Three cells and whatever follows on the line; false: they are not there. */
static bool next_row(char **at, char *cell[3])
{
    char end = ',';
    for (int k = 0; k < 3; k++) {
        if (end != ',') return false;
        cell[k] = next_cell(at, &end);
    }
    while (end == ',') next_cell(at, &end);
    return end == '\n' || !end;
}

static void add(event_list *l, dal_event e)
{
    if (!(l->count & (l->count + 1))) /* 0, 1, 3, 7, ...: room is doubled */
        l->at = need(l->at, 2 * l->count + 1, sizeof *l->at);
    l->at[l->count++] = e;
}

static bool add_row(event_list *l, char *const cell[3])
{
    char        *end;
    const double t = strtod(cell[0], &end);
    if (!*cell[0] || *end) return false;
    add(l, (dal_event){.t = t, .name = cell[1], .what = cell[2]});
    return true;
}

int events_read(event_list *l, const char *path)
{
    char *cell[3], *at;
    *l = (event_list){.words = read_words(path)};
    if (!l->words) return EXIT_IO;
    at = l->words;
    if (!next_row(&at, cell) || strcmp(cell[0], "t") || strcmp(cell[1], "name"))
        return complain("%s lists no events: 'run MODEL --events FILE' writes such a file", path);
    while (*at)
        if (!next_row(&at, cell) || !add_row(l, cell))
            return complain("%s: event %zu has no time, name and kind", path, l->count + 1);
    return GO_ON;
}

void events_of_summary(event_list *l, json_t *summary)
{
    size_t  i;
    json_t *one;
    *l = (event_list){.summary = json_incref(summary)};
    json_array_foreach(json_object_get(summary, "events"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name")),
                   *what = json_string_value(json_object_get(one, "what"));
        const json_t *t = json_object_get(one, "t");
        if (name && what && json_is_number(t))
            add(l, (dal_event){.t = json_number_value(t), .name = name, .what = what});
    }
}

void events_free(event_list *l)
{
    free(l->at), free(l->words);
    json_decref(l->summary);
}
