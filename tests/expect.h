/* expect.h - .dal files that say which messages they must give, beside the lines that give them.
 *
 *     coordinates x       # error: unknown statement 'coordinates'
 *     coordinates x       # error: unknown statement => did you mean 'coordinate'
 *     # warning: a comment line of its own speaks of the line before it
 *     # error@7:3: a message at line 7, column 3, written anywhere
 *     # error@0:0: a message without a place in this file
 *
 * The text is a part of the message and, after =>, of the hint. Exactly these messages must come,
 * no other error or warning; notes are free. */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include "check.h"

#include "base/names.h"
#include "lang/source.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    diag_kind   kind;
    int         line, column; /* column 0: any */
    const char *message, *hint;
    bool        met;
} expectation;

typedef vec(expectation) expectations;

/* from `s` to the end of the line without blanks at either end */
static inline char *expect_rest(mem *m, const char *s)
{
    s += strspn(s, " ");
    size_t n = strcspn(s, "\r\n");
    while (n && s[n - 1] == ' ') n--;
    return mem_printf(m, "%.*s", (int)n, s);
}

/* what stands at a '#': `# error: ...` or `# error@L:C: ...` */
static inline void expect_read(mem *m, const char *s, int line, expectations *out)
{
    static const char *const words[] = {[DIAG_ERROR] = "# error", [DIAG_WARNING] = "# warning"};
    for (diag_kind kind = DIAG_ERROR; kind <= DIAG_WARNING; kind++) {
        size_t      n = strlen(words[kind]);
        expectation e = {.kind = kind, .line = line};
        int         used = 0;
        if (strncmp(s, words[kind], n)) continue;
        if (s[n] == '@' && sscanf(s + n, "@%d:%d%n", &e.line, &e.column, &used) < 2) continue;
        if (s[n + (size_t)used] != ':') continue;
        char *what = expect_rest(m, s + n + used + 1), *hint = strstr(what, " => ");
        if (hint) *hint = 0, e.hint = hint + 4;
        e.message = what;
        vec_push(m, *out, e);
    }
}

static inline expectations expect_all(mem *m, const source *of)
{
    expectations out = {0};
    int          line = 1, last = 1; /* `last`: the last line that was not only an expectation */
    for (const char *s = of->text; *s; line++) {
        const char *begin = s + strspn(s, " \t"), *end = s + strcspn(s, "\n");
        int         before = out.n;
        for (const char *c = s; c < end; c++)
            if (*c == '#') expect_read(m, c, c == begin ? last : line, &out);
        if (*begin != '#' || out.n == before) last = line;
        s = *end ? end + 1 : end;
    }
    return out;
}

static inline bool expect_meets(const expectation *e, const diag *d, const source *of)
{
    bool inside = d->at.of == of;
    int  line = inside ? span_line(d->at) : 0, column = inside ? span_column(d->at) : 0;
    return !e->met && e->kind == d->kind && e->line == line &&
           (!e->column || e->column == column) && strstr(d->message, e->message) &&
           (!e->hint || (d->hint && strstr(d->hint, e->hint)));
}

/* The number of messages that are missing or too many; each is printed. */
static inline int expect_compare(mem *m, const source *of, const diags *ds)
{
    expectations all = expect_all(m, of);
    int          wrong = 0;
    for (int i = 0; i < ds->list.n; i++) {
        const diag *d = &ds->list.at[i];
        int         k = 0;
        if (d->kind == DIAG_NOTE) continue;
        while (k < all.n && !expect_meets(&all.at[k], d, of)) k++;
        if (k < all.n) {
            all.at[k].met = true;
            continue;
        }
        text out = text_new(m);
        diag_print(d, &out, false);
        print_error("not expected: %s", text_str(&out));
        wrong++;
    }
    for (int k = 0; k < all.n; k++) {
        const expectation *e = &all.at[k];
        if (e->met) continue;
        print_error("%s:%d: this did not come: %s%s%s\n", of->file, e->line, e->message,
                    e->hint ? " => " : "", e->hint ? e->hint : "");
        wrong++;
    }
    return wrong;
}

/* What is done with a file: parsing, elaborating, ... */
typedef void expect_run(mem *m, names *ns, diags *ds, const source *of);

static inline int expect_with(mem *m, const char *path, expect_run *run)
{
    names         ns;
    diags         ds;
    const source *of;
    names_init(&ns, m);
    diags_init(&ds, m);
    if (source_read(m, &ds, span_none(), path, &of)) {
        print_error("%s\n", ds.list.at[0].message);
        return 1;
    }
    run(m, &ns, &ds, of);
    return expect_compare(m, of, &ds);
}

static inline int expect_file(const char *path, expect_run *run)
{
    mem     m;
    jmp_buf full;
    mem_init(&m, mem_heap_default());
    if (setjmp(full)) {
        mem_free(&m);
        fail_msg("%s: out of memory", path);
    }
    m.guard = &full;
    int wrong = expect_with(&m, path, run);
    mem_free(&m);
    return wrong;
}

static inline int expect_is_model(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 4 && !strcmp(e->d_name + n - 4, ".dal");
}

/* Every .dal file of a folder under tests/. Fails if one of them does, or if there is none. */
static inline void expect_folder(const char *folder, expect_run *run)
{
    char            path[4096];
    struct dirent **entry;
    int             wrong = 0;
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, folder);
    int n = scandir(path, &entry, expect_is_model, alphasort);
    if (n <= 0) fail_msg("no model in %s", path);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", TEST_DATA, folder, entry[i]->d_name);
        wrong += expect_file(path, run);
        free(entry[i]);
    }
    free(entry);
    if (wrong) fail_msg("%d messages in %s are not as expected", wrong, folder);
}

#endif
