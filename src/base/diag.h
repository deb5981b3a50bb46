/* diag.h - what went wrong, and where: sources, spans and messages with a caret.
 *
 *     chain.dal:17:24: error: 'last' has no coordinate 'z'
 *        17 |   connect first.x2 = last.z
 *           |                           ^ MassOnSpring has coordinates a, x
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/text.h"
#include "base/vec.h"
#include "dalembert.h"

#include <stdio.h>

/* A text that was read: a file, or an option of the command line ("--scheme"). */
typedef struct {
    const char *file; /* name shown in messages */
    const char *text; /* NUL-terminated copy    */
    size_t      length;
} source;

/* A stretch of a source, in bytes. `of` is NULL for what stands in no text. */
typedef struct {
    const source *of;
    int           start, end;
} span;

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } diag_kind;

typedef struct {
    diag_kind   kind;
    span        at;
    const char *message; /* one line: what is wrong                         */
    const char *hint;    /* shown at the caret: what would be right; or NULL */
} diag;

/* The messages of a context. They live in their own mem, so they survive what failed. */
typedef struct {
    mem       *m;
    vec(diag)  list;
    int        errors, warnings;
} diags;

enum { DIAG_MOST = 50 }; /* errors shown of one text */

void diags_init(diags *ds, mem *m);
void diags_clear(diags *ds);

/* Record one. Errors return the status they are given, so that `return diag_error(...)` reads well;
 * `hint` may be NULL. The same message at the same place is recorded once. */
dal_status diag_error(diags *ds, dal_status status, span at, const char *hint, const char *format,
                      ...) PRINTF_LIKE(5, 6);
void diag_warning(diags *ds, span at, const char *hint, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_note(diags *ds, span at, const char *hint, const char *format, ...) PRINTF_LIKE(4, 5);

void diags_sort(diags *ds);               /* by place in the text, stable */
void diag_print(const diag *d, text *out, bool colour);
void diags_print(const diags *ds, text *out, bool colour); /* at most DIAG_MOST errors */

int span_line(span at);   /* from 1 */
int span_column(span at); /* from 1, in code points */
static inline span span_none(void)
{
    return (span){NULL, 0, 0};
}
static inline span span_join(span a, span b)
{
    return (span){a.of, a.start, b.end};
}

#endif
