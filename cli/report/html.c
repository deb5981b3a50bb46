/* html.c - the parts of a page, and the page around them. */
#include "report.h"

#include "embedded.h"
#include "entity.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void html_add(bytes *b, const char *markup)
{
    bytes_add(b, markup, strlen(markup));
}

static void add_formatted(bytes *b, const char *format, va_list args,
                          void (*add)(bytes *, const char *))
{
    char    held[512];
    va_list again;
    va_copy(again, args);
    int   n = vsnprintf(held, sizeof held, format, args);
    char *all = n >= (int)sizeof held ? need(NULL, (size_t)n + 1, 1) : NULL;
    if (all) vsnprintf(all, (size_t)n + 1, format, again);
    va_end(again);
    add(b, all ? all : held);
    free(all);
}

void html_format(bytes *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(b, format, args, html_add);
    va_end(args);
}

void html_text(bytes *b, const char *words)
{
    for (; *words; words++) {
        const char *as = entity_of(*words);
        if (as) html_add(b, as);
        else bytes_add(b, words, 1);
    }
}

void html_element(bytes *b, const char *tag, const char *words)
{
    html_format(b, "<%s>", tag);
    html_text(b, words);
    html_format(b, "</%s>\n", tag);
}

/* Sections and tables. ------------------------------------------------------------------------- */

dal_status html_picture(bytes *b, dal_context *cx, const dal_plot *plot)
{
    char      *words = NULL;
    size_t     n = 0;
    FILE      *to = open_memstream(&words, &n);
    dal_status bad = to ? dal_plot_write(cx, plot, "svg", to) : DAL_OK;
    if (!to || fclose(to)) no_memory();
    if (!bad) html_add(b, "<figure>"), bytes_add(b, words, n), html_add(b, "</figure>\n");
    free(words);
    return bad;
}

void section_open(bytes *b, const char *id, const char *title)
{
    html_format(b, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">", id, id,
                id);
    html_text(b, title);
    html_add(b, "</h2>\n");
}

void section_close(bytes *b)
{
    html_add(b, "</section>\n");
}

void facts_open(bytes *b)
{
    html_add(b, "<div class=\"scroll\"><table>\n");
}

void fact(bytes *b, const char *name, int verdict, const char *about, const char *format, ...)
{
    va_list args;
    html_add(b, "<tr><th scope=\"row\">");
    html_text(b, name);
    html_add(b, "</th><td class=\"value\">");
    if (verdict)
        html_add(b,
                 verdict > 0 ? "<span class=\"good\">✓</span> " : "<span class=\"bad\">✗</span> ");
    va_start(args, format);
    add_formatted(b, format, args, html_text);
    va_end(args);
    html_add(b, "</td><td class=\"about\">");
    html_text(b, about);
    html_add(b, "</td></tr>\n");
}

void facts_close(bytes *b)
{
    html_add(b, "</table></div>\n");
}

/* The page. ------------------------------------------------------------------------------------ */

/* uPlot and three.js come from the folder of the build, whose place is none of the source. */
static const embedded_file *carried(const char *ending)
{
    size_t n = strlen(ending);
    for (const embedded_file *f = embedded_files; f->name; f++) {
        size_t all = strlen(f->name);
        if (all >= n && !strcmp(f->name + all - n, ending)) return f;
    }
    return NULL;
}

bool page_is_live(void)
{
    return carried("/uPlot.iife.min.js") != NULL;
}

static void put_file(FILE *to, const char *ending)
{
    const embedded_file *f = carried(ending);
    if (f) fwrite(f->data, 1, f->size, to), fputc('\n', to);
}

/* A library of others, if the page has it. */
static void put_credit(FILE *to, const char *ending, const char *words)
{
    if (carried(ending)) fprintf(to, "%s (MIT licence), which is part of this page. ", words);
}

static void put_mark(FILE *to, const char *mark, size_t n, const page *p)
{
    bytes escaped = {0};
    if (!strncmp(mark, "title", n)) {
        html_text(&escaped, p->title);
        fwrite(escaped.at, 1, escaped.n, to);
        free(escaped.at);
    } else if (!strncmp(mark, "style", n))
        put_file(to, "/uPlot.min.css"), put_file(to, "cli/report/page.css");
    else if (!strncmp(mark, "script", n)) {
        put_file(to, "/uPlot.iife.min.js");
        if (p->space) put_file(to, "/npm/three.js"), put_file(to, "cli/report/space.js");
        put_file(to, "cli/report/page.js");
    } else if (!strncmp(mark, "credits", n)) {
        put_credit(to, "/uPlot.iife.min.js",
                   "Plots by <a href=\"https://github.com/leeoniya/uPlot\">uPlot</a>");
        if (p->space)
            put_credit(to, "/npm/three.js",
                       "Bodies by <a href=\"https://threejs.org\">three.js</a>");
    } else if (!strncmp(mark, "version", n)) fputs(dal_version(), to);
    else fwrite(p->body.at, 1, p->body.n, to);
}

/* The frame with what its {{marks}} stand for. */
bool page_write(const char *path, const page *p)
{
    FILE       *to = open_output(path);
    const char *at = embedded("cli/report/page.html")->data, *mark;
    if (!to) return false;
    while ((mark = strstr(at, "{{"))) {
        const char *end = strstr(mark, "}}");
        fwrite(at, 1, (size_t)(mark - at), to);
        put_mark(to, mark + 2, (size_t)(end - mark - 2), p);
        at = end + 2;
    }
    fputs(at, to);
    return close_output(to, path);
}
