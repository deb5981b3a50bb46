/* parse_draw.c - pictures: figures with their places, and a colour or a text. */
#include "lang/parse.h"
#include "model/figures.h"

#include <string.h>

static const char *const colours[] = {"black", "grey", "red",    "orange", "yellow",
                                      "green", "blue", "purple", "brown",  "pink"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Fails with the figure that might have been meant. */
static dal_figure figure_of(parser *p, const token *word)
{
    const char *known[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
        known[i] = dal_figure_name((dal_figure)i);
        if (!strcmp(known[i], word->word)) return (dal_figure)i;
    }
    const char *near = name_nearest(word->word, known, FIGURES);
    fail_at(p, span_of(p, word),
            near ? mem_printf(p->m, "did you mean '%s'?", near)
                 : "figures are point, line, circle, spring, text, arrow, trail, and in space "
                   "sphere, box, cylinder",
            "'%s' cannot be drawn", word->word);
}

/* How many there must be, and of what kind, is seen when they are known (rules.c). */
static void places(parser *p, stmt *s)
{
    vec(ast *) list = {0};
    const token       *open = p->at;
    const figure_form *f = figure_forms;
    while (f->kind != s->figure) f++;
    expect(p, TOK_LPAREN, mem_printf(p->m, "type 'draw %s'", f->written));
    enter(p);
    do vec_push(p->m, list, parse_expr(p));
    while (got(p, TOK_COMMA));
    leave(p);
    expect_close(p, open, NULL);
    s->places = list.n, s->place = vec_keep(p->m, list, ast *);
    s->places_at = span_since(p, open->start);
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
    const token *word = expect_name(p, "a figure", "type 'draw line(0, 0, x, y)'");
    s->figure = figure_of(p, word);
    places(p, s);
    if (is(p, TOK_STRING)) s->words_at = span_of(p, p->at), s->words = p->at++->word;
    if (s->figure == DAL_FIGURE_TEXT && !s->words)
        complain(p, span_since(p, word->start), "type 'draw text(x, y) \"mass\"'",
                 "a text needs a string");
    if (s->figure != DAL_FIGURE_TEXT && s->words) check_colour(p, s);
    if (is(p, TOK_COMMA)) unexpected(p, "the end of the line", "each figure has a line of its own");
    stmt_close(p, s);
}
