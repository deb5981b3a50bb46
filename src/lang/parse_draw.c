/* parse_draw.c - pictures: figures with their numbers, and a colour or a text. */
#include "lang/parse.h"

#include <string.h>

static const struct figure {
    dal_figure  kind;
    int         least, most; /* numbers; most < 0: any even number of them */
    const char *model;
} figures[] = {
    {DAL_FIGURE_POINT, 2, 2, "point(x, y)"},        {DAL_FIGURE_LINE, 4, -1, "line(0, 0, x, y)"},
    {DAL_FIGURE_CIRCLE, 3, 3, "circle(x, y, 0.1)"}, {DAL_FIGURE_SPRING, 4, 4, "spring(0, 0, x, y)"},
    {DAL_FIGURE_TEXT, 2, 2, "text(x, y) \"mass\""},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static const char *const colours[] = {"black", "grey", "red",    "orange", "yellow",
                                      "green", "blue", "purple", "brown",  "pink"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Fails with the figure that might have been meant. */
static const struct figure *figure_of(parser *p, const token *word)
{
    const char *known[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
        known[i] = dal_figure_name(figures[i].kind);
        if (!strcmp(known[i], word->word)) return &figures[i];
    }
    const char *near = name_nearest(word->word, known, FIGURES);
    fail_at(p, span_of(p, word),
            near ? mem_printf(p->m, "did you mean '%s'?", near)
                 : "figures are point, line, circle, spring, text",
            "'%s' cannot be drawn", word->word);
}

/* As many numbers as the figure has, after which its message shows how it is written. */
static void numbers(parser *p, stmt *s, const struct figure *f)
{
    vec(ast *) list = {0};
    const token *open = p->at;
    const char  *model = mem_printf(p->m, "type 'draw %s'", f->model);
    expect(p, TOK_LPAREN, model);
    enter(p);
    do vec_push(p->m, list, parse_expr(p));
    while (got(p, TOK_COMMA));
    leave(p);
    expect_close(p, open, NULL);
    s->places = list.n, s->place = vec_keep(p->m, list, ast *);
    bool fits = s->places >= f->least && (f->most < 0 ? s->places % 2 == 0 : s->places <= f->most);
    if (!fits && f->most < 0)
        complain(p, span_since(p, open->start), model,
                 "a %s has two numbers for each of its corners, not %d", dal_figure_name(f->kind),
                 s->places);
    else if (!fits)
        complain(p, span_since(p, open->start), model, "a %s has %d numbers, not %d",
                 dal_figure_name(f->kind), f->least, s->places);
}

/* One of the list above; the nearest is offered for any other. */
static void check_colour(parser *p, const stmt *s)
{
    for (int i = 0; i < COLOURS; i++)
        if (!strcmp(colours[i], s->words)) return;
    const char *near = name_nearest(s->words, colours, COLOURS);
    complain(p, s->words_at,
             near
                 ? mem_printf(p->m, "did you mean \"%s\"?", near)
                 : "colours are black, grey, red, orange, yellow, green, blue, purple, brown, pink",
             "there is no colour \"%s\"", s->words);
}

/* draw       = "draw" NAME "(" expr { "," expr } ")" [ STRING ] */
void parse_draw(parser *p, stmt_kind kind)
{
    stmt        *s = stmt_open(p, kind);
    const token *word =
        expect_name(p, "point, line, circle, spring or text", "type 'draw line(0, 0, x, y)'");
    const struct figure *f = figure_of(p, word);
    s->figure = f->kind;
    numbers(p, s, f);
    if (is(p, TOK_STRING)) s->words_at = span_of(p, p->at), s->words = p->at++->word;
    if (f->kind == DAL_FIGURE_TEXT && !s->words)
        complain(p, span_since(p, word->start), "type 'draw text(x, y) \"mass\"'",
                 "a text needs a string");
    if (f->kind != DAL_FIGURE_TEXT && s->words) check_colour(p, s);
    if (is(p, TOK_COMMA)) unexpected(p, "the end of the line", "each figure has a line of its own");
    stmt_close(p, s);
}
