/* read_csv.c - results as text: one header line, as `run` writes it. The header comes first, so
 * that only the columns that are asked for are converted and kept. Quoted cells, other separators
 * (; and tab), CRLF and blank lines are taken too. */
#include "plot.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines and cells. ----------------------------------------------------------------------------- */

static const char *shown(const table *t)
{
    return strcmp(t->path, "-") ? t->path : "standard input";
}

static int unreadable(const table *t)
{
    complain("cannot read %s: %s", shown(t), strerror(errno));
    return EXIT_IO;
}

/* Takes the ends of lines off. Its length, -1 at the end of the file, -2 (said why) if it is no
 * text. */
static long next_line(table *t)
{
    ssize_t n = getline(&t->line, &t->room, t->file);
    if (n < 0 && !feof(t->file) && !ferror(t->file)) no_memory();
    if (n < 0) return -1;
    t->number++;
    if (memchr(t->line, 0, (size_t)n)) {
        complain("%s:%ld: this is not text; a result is a CSV file", shown(t), t->number);
        return -2;
    }
    while (n && (t->line[n - 1] == '\n' || t->line[n - 1] == '\r')) n--;
    t->line[n] = 0;
    return (long)n;
}

static bool blank(const char *s)
{
    return !s[strspn(s, " \t")];
}

/* The cell at *at, without blanks and quotes around it, written over itself; *at moves to the next
 * one, NULL behind the last. */
static char *next_cell(char **at, char separator)
{
    char *s = *at, *to, *end;
    assert(s);
    while (*s == ' ' || (*s == '\t' && separator != '\t')) s++;
    if (*s == '"') {
        for (to = end = ++s; *end && (*end != '"' || end[1] == '"'); *to++ = *end++)
            if (*end == '"') end++;
        char *behind = strchr(*end ? end + 1 : end, separator);
        *to = 0, *at = behind ? behind + 1 : NULL;
        return s;
    }
    end = strchr(s, separator);
    *at = end ? end + 1 : NULL;
    if (!end) end = s + strlen(s);
    while (end > s && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *end = 0;
    return s;
}

static bool number_of(const char *cell, double *out)
{
    char *end;
    *out = *cell ? strtod(cell, &end) : (double)NAN;
    return !*cell || !*end;
}

/* The header. ---------------------------------------------------------------------------------- */

static char separator_of(const char *line)
{
    bool quoted = false;
    for (; *line; line++) {
        if (*line == '"') quoted = !quoted;
        if (!quoted && strchr(",;\t", *line)) return *line;
    }
    return ',';
}

/* "x [m]" is x in m; "x[3]" is a name. */
static void add_named(table *t, char *name)
{
    const size_t n = strlen(name);
    char        *unit = strstr(name, " [");
    if (!unit || unit == name || name[n - 1] != ']') {
        table_add_column(t, name, "");
        return;
    }
    name[n - 1] = 0;
    char *end = unit;
    while (end > name && end[-1] == ' ') end--;
    *end = 0;
    table_add_column(t, name, unit + 2);
}

static int read_header(table *t)
{
    long n;
    do n = next_line(t);
    while (n >= 0 && blank(t->line));
    if (n == -2) return EXIT_WRONG;
    if (n < 0 && ferror(t->file)) return unreadable(t);
    if (n < 0)
        return complain("%s is empty; a result begins with the names of its columns", shown(t));
    char *at = t->line + (strncmp(t->line, "\xEF\xBB\xBF", 3) ? 0 : 3);
    t->separator = separator_of(at);
    while (at) {
        char  *name = next_cell(&at, t->separator);
        double x;
        if (*name && number_of(name, &x))
            return complain("%s:%ld: '%s' is a number; the first line names the columns", shown(t),
                            t->number, name);
        add_named(t, name);
    }
    return GO_ON;
}

static int open_text(table *t)
{
    t->file = strcmp(t->path, "-") ? fopen(t->path, "r") : stdin;
    return t->file ? read_header(t) : unreadable(t);
}

/* The rows. ------------------------------------------------------------------------------------ */

static int count_cells(const char *line, char separator)
{
    bool quoted = false;
    int  cells = 1;
    for (; *line; line++) {
        if (*line == '"') quoted = !quoted;
        cells += !quoted && *line == separator;
    }
    return cells;
}

static int read_row(table *t, int last_wanted)
{
    char *at = t->line;
    for (int k = 0; k <= last_wanted; k++) {
        const char *cell = next_cell(&at, t->separator);
        if (!t->wanted[k] || number_of(cell, &t->cell[k][t->rows])) continue;
        return complain("%s:%ld: '%.40s' in column %s is not a number", shown(t), t->number, cell,
                        t->name[k]);
    }
    t->rows++;
    return GO_ON;
}

/* A run that was killed, or goes on, may leave half a line at the end: that one does not count. */
static int wrong_count(const table *t, int cells)
{
    int next = cells < t->columns ? fgetc(t->file) : 0;
    if (next == EOF && feof(t->file)) return GO_ON;
    return complain("%s:%ld: %d cells, but the header names %d columns", shown(t), t->number, cells,
                    t->columns);
}

static void make_room(table *t, long *room)
{
    if (t->rows < *room) return;
    *room = *room ? 2 * *room : 1024;
    table_room(t, *room);
}

static int read_rows(table *t)
{
    int  last = t->columns - 1, code = GO_ON;
    long room = 0, n;
    while (last > 0 && !t->wanted[last]) last--;
    while (code == GO_ON && (n = next_line(t)) >= 0) {
        if (blank(t->line) && t->columns > 1) continue;
        int cells = count_cells(t->line, t->separator);
        make_room(t, &room);
        code = cells == t->columns ? read_row(t, last) : wrong_count(t, cells);
    }
    if (code == GO_ON && n == -2) return EXIT_WRONG;
    if (code == GO_ON && ferror(t->file)) return unreadable(t);
    if (code == GO_ON && !t->rows) return complain("%s has no rows below its header", shown(t));
    return code;
}

static void close_text(table *t)
{
    free(t->line);
    if (t->file && t->file != stdin) fclose(t->file);
}

const reader read_csv = {".csv", open_text, read_rows, close_text};
