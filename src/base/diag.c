/* diag.c - messages are kept in order and shown with the line they speak of. */
#include "base/diag.h"

#include <string.h>

void diags_init(diags *ds, mem *m)
{
    *ds = (diags){.m = m};
}

void diags_clear(diags *ds)
{
    ds->list.n = ds->errors = ds->warnings = 0;
}

static bool same_place(span a, span b)
{
    return a.of == b.of && a.start == b.start && a.end == b.end;
}

/* A message that was among the last 64 is not repeated. The hint is copied, as it may be on a
 * stack. */
static void record(diags *ds, diag_kind kind, span at, const char *hint, const char *format,
                   va_list args)
{
    const char *message = mem_vprintf(ds->m, format, args);
    for (int i = ds->list.n - 1; i >= 0 && i >= ds->list.n - 64; i--)
        if (same_place(ds->list.at[i].at, at) && !strcmp(ds->list.at[i].message, message)) return;
    const char *kept = hint ? mem_printf(ds->m, "%s", hint) : NULL;
    vec_push(ds->m, ds->list, (diag){kind, at, message, kept});
    ds->errors += kind == DIAG_ERROR, ds->warnings += kind == DIAG_WARNING;
}

dal_status diag_error(diags *ds, dal_status status, span at, const char *hint, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    record(ds, DIAG_ERROR, at, hint, format, args);
    va_end(args);
    return status;
}

void diag_warning(diags *ds, span at, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(ds, DIAG_WARNING, at, hint, format, args);
    va_end(args);
}

void diag_note(diags *ds, span at, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(ds, DIAG_NOTE, at, hint, format, args);
    va_end(args);
}

/* insertion sort: stable, and messages come nearly in order */
void diags_sort(diags *ds)
{
    for (int i = 1; i < ds->list.n; i++) {
        diag d = ds->list.at[i];
        int  j = i;
        for (; j > 0; j--) {
            const diag *before = &ds->list.at[j - 1];
            if (before->at.of != d.at.of || before->at.start <= d.at.start) break;
            ds->list.at[j] = *before;
        }
        ds->list.at[j] = d;
    }
}

/* Counted anew each time: messages are few. */
int span_line(span at)
{
    int line = 1;
    for (int i = 0; at.of && i < at.start; i++) line += at.of->text[i] == '\n';
    return line;
}

static int line_start(span at)
{
    int i = at.start;
    while (i > 0 && at.of->text[i - 1] != '\n') i--;
    return i;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80; /* a later byte of a UTF-8 sequence */
}

int span_column(span at)
{
    int column = 1;
    if (!at.of) return 1;
    for (int i = line_start(at); i < at.start; i++) column += !continues(at.of->text[i]);
    return column;
}

enum { LINE_SHOWN = 200 }; /* bytes of a long line */

/* The line with carets under the place; tabs stay tabs, so that the carets stand where they
 * should. */
static void add_excerpt(const diag *d, text *out)
{
    const char *s = d->at.of->text;
    int         from = line_start(d->at), to = from;
    bool        cut = d->at.start - from > LINE_SHOWN; /* very long line: begin near the place */
    if (cut) {
        from = d->at.start - LINE_SHOWN / 2;
        while (continues(s[from])) from++;
        to = from;
    }
    while (s[to] && s[to] != '\n' && s[to] != '\r' && to - from < LINE_SHOWN + 60) to++;
    while (to > from && continues(s[to])) to--;
    const char *dots = cut ? "..." : "";
    text_printf(out, "%5d | %s%.*s\n      | %s", span_line(d->at), dots, to - from, s + from,
                cut ? "   " : "");
    for (int i = from; i < d->at.start && i < to; i++)
        if (!continues(s[i])) text_add(out, s[i] == '\t' ? "\t" : " ");
    int end = d->at.end < to ? d->at.end : to, carets = 0;
    for (int i = d->at.start; i < end; i++) carets += !continues(s[i]);
    do text_add(out, "^");
    while (--carets > 0);
    if (d->hint) text_printf(out, " %s", d->hint);
    text_add(out, "\n");
}

void diag_print(const diag *d, text *out, bool colour)
{
    static const struct {
        const char *word, *colour;
    } kinds[] = {{"error", "\033[1;31m"}, {"warning", "\033[1;35m"}, {"note", "\033[1;36m"}};
    const char *on = colour ? kinds[d->kind].colour : "", *off = colour ? "\033[0m" : "";
    if (d->at.of)
        text_printf(out, "%s:%d:%d: ", d->at.of->file, span_line(d->at), span_column(d->at));
    text_printf(out, "%s%s:%s %s\n", on, kinds[d->kind].word, off, d->message);
    if (d->at.of) add_excerpt(d, out);
    else if (d->hint) text_printf(out, "    %s\n", d->hint);
}

/* Warnings and notes are all shown. */
void diags_print(const diags *ds, text *out, bool colour)
{
    int errors = 0;
    for (int i = 0; i < ds->list.n; i++) {
        const diag *d = &ds->list.at[i];
        if (d->kind == DIAG_ERROR && ++errors > DIAG_MOST) continue;
        diag_print(d, out, colour);
    }
    if (errors > DIAG_MOST) text_printf(out, "(%d more errors)\n", errors - DIAG_MOST);
}
