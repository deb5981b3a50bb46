/* parsing.h - texts and files to be parsed. */
#ifndef TESTS_PARSING_H
#define TESTS_PARSING_H

#include "ast_print.h"
#include "lang/source.h"
#include "world.h"

#include <string.h>

static inline const source *text_of(world *w, const char *s)
{
    return source_text(&w->m, "test", s, strlen(s));
}

static inline void check_silent(const world *w)
{
    for (int i = 0; i < w->ds.list.n; i++) print_error("%s\n", w->ds.list.at[i].message);
    assert_int_equal(w->ds.list.n, 0);
}

static inline const char *whole_file(world *w, const char *path)
{
    const source *of;
    return source_read(&w->m, &w->ds, span_none(), path, &of) ? NULL : of->text;
}

static inline const char *file_of(world *w, const char *s)
{
    text out = text_new(&w->m);
    ast_file_print(parse_file(&w->m, &w->ns, &w->ds, text_of(w, s)), &out);
    return text_str(&out);
}

#endif
