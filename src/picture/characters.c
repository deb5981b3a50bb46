/* characters.c - a plot in characters: frames, ticks and legends around canvases of dots. The
 * ranges are those of the data, so that extremes touch the frame. */
#include "picture/picture.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const struct border {
    const char *side, *tick, *corner, *floor, *foot, *event, *both;
} fine = {"│", "┤", "└", "─", "┬", "┴", "┼"}, plain = {"|", "+", "+", "-", "+", "^", "#"};

enum { OWNERS_MOST = 127, COLUMNS = 80, ROWS = 30, COLUMNS_LEAST = 40 };

typedef struct {
    range x, y;
    int   columns, rows, gutter; /* of the canvas; the width of what stands left of the frame */
    ticks of_x, of_y;
} view;

/* Which of so many dots or characters shows x. */
static int place(double x, range r, int count)
{
    double at = (x - r.least) / range_width(r) * (count - 1);
    return at < 0 ? 0 : at > count - 1 ? count - 1 : (int)(at + 0.5);
}

/* Words. --------------------------------------------------------------------------------------- */

static int count_characters(const char *s)
{
    int n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80; /* UTF-8 */
    return n;
}

/* In ASCII a minus sign is a hyphen, an index is a digit, and all else a question mark. */
static void add_words(text *out, const char *words, strokes with)
{
    const char *end = words + strlen(words);
    int         n;
    for (const char *s = words; s < end; s += n) {
        const uint32_t code = utf8_read(s, end, &n);
        const bool     index = code >= 0x2080 && code <= 0x2089;
        if (code == UTF8_BAD) text_add(out, "?");
        else if (code < ' ' || (code >= 0x7F && code < 0xA0)) text_add(out, " ");
        else if (code < 0x80 || !with.ascii) text_add_bytes(out, s, (size_t)n);
        else
            text_printf(out, "%c", index ? '0' + (int)(code - 0x2080) : code == 0x2212 ? '-' : '?');
    }
}

static void add_spaces(text *out, int n)
{
    for (; n > 0; n--) text_add(out, " ");
}

static int label_of(const tick *t, char out[TICK_ROOM + 4])
{
    return snprintf(out, TICK_ROOM + 4, t->power ? "1e%s" : "%s", t->label);
}

static int widest_label(const ticks *all)
{
    char label[TICK_ROOM + 4];
    int  widest = 0;
    for (int i = 0; i < all->count; i++) {
        int n = label_of(&all->at[i], label);
        if (n > widest) widest = n;
    }
    return widest;
}

/* The frame. ----------------------------------------------------------------------------------- */

static const tick *row_tick(const view *v, int row)
{
    for (int i = 0; i < v->of_y.count; i++)
        if (*v->of_y.at[i].label &&
            v->rows - 1 - place(v->of_y.at[i].at, v->y, 4 * v->rows) / 4 == row)
            return &v->of_y.at[i];
    return NULL;
}

static void add_rows(const view *v, const canvas *c, strokes with, text *out)
{
    const struct border *k = with.ascii ? &plain : &fine;
    for (int row = 0; row < v->rows; row++) {
        char        label[TICK_ROOM + 4] = "";
        const tick *t = row_tick(v, row);
        if (t) label_of(t, label);
        text_printf(out, "%*s %s", v->gutter - 1, label, t ? k->tick : k->side);
        canvas_row(c, row, with, out);
        text_add(out, "\n");
    }
}

/* The lower side with its ticks and events and, unless the pane below has them, numbers below those
 * that have room. */
static void add_floor(const sheet *s, const pane *p, const view *v, strokes with, text *out)
{
    mem                 *m = s->m;
    const struct border *draw = with.ascii ? &plain : &fine;
    const int            width = v->gutter + 1 + v->columns;
    char *foot = mem_array(m, v->columns, char), *row = mem_array(m, width + 33, char);
    int                  end = 0, events;
    mark                *event = marks_of(s, p, v->x, v->columns, &events);
    memset(row, ' ', (size_t)width + 32);
    for (int i = 0; i < v->of_x.count; i++) {
        char      label[TICK_ROOM + 4];
        const int n = label_of(&v->of_x.at[i], label),
                  at = place(v->of_x.at[i].at, v->x, 2 * v->columns) / 2;
        int from = v->gutter + 1 + at - n / 2;
        if (!*v->of_x.at[i].label) continue;
        if (from + n > width) from = width - n;
        foot[at] = 1;
        if (from <= end && end) continue;
        memcpy(row + from, label, (size_t)n);
        end = from + n;
    }
    add_spaces(out, v->gutter);
    text_add(out, draw->corner);
    for (int i = 0; i < events; i++) foot[place(event[i].x, v->x, 2 * v->columns) / 2] |= 2;
    const char *const of[] = {draw->floor, draw->foot, draw->event, draw->both};
    for (int i = 0; i < v->columns; i++) text_add(out, of[(int)foot[i]]);
    row[end] = 0;
    text_printf(out, p->joined ? "\n" : "\n%s\n", row);
}

static void add_legend(const pane *p, const view *v, strokes with, int columns, text *out)
{
    const char *name = words_of(p->of->ylabel);
    int         used = v->gutter + 1 + count_characters(name) + 3;
    bool        begun = false;
    add_spaces(out, v->gutter + 1);
    add_words(out, name, with);
    for (int i = 0; i < p->lines && p->legend; i++) {
        const char *label = words_of(p->line[i].of->label);
        const int   wide = count_characters(label) + 6;
        if (!*label || has_flag(&p->line[i], DAL_CURVE_AREA)) continue;
        if (begun && used + wide > columns) {
            text_add(out, "\n"), add_spaces(out, v->gutter + 1);
            used = v->gutter + 1;
        } else if (begun || *name) text_add(out, "   ");
        add_sample(i, with, out);
        text_add(out, " "), add_words(out, label, with);
        used += wide, begun = true;
    }
    text_add(out, "\n");
}

/* The curves. ---------------------------------------------------------------------------------- */

static void draw_line(canvas *on, const view *v, const line *l, int owner)
{
    bool joined = false;
    int  x0 = 0, y0 = 0;
    for (long i = 0; i < l->points; i++) {
        bool shown = drawable(l->x[i]) && drawable(l->y[i]);
        if (shown) {
            int x = place(l->x[i], v->x, 2 * v->columns);
            int y = 4 * v->rows - 1 - place(l->y[i], v->y, 4 * v->rows);
            canvas_line(on, joined ? x0 : x, joined ? y0 : y, x, y, owner);
            x0 = x, y0 = y;
        }
        joined = shown && !has_flag(l, DAL_CURVE_BARE);
    }
}

/* A dot is as wide as it is high, nearly: then equal units take equal numbers of dots. */
static void make_equal(view *v, int rows_most)
{
    double unit = range_width(v->x) / (2 * v->columns);
    double rows = ceil(range_width(v->y) / unit / 4);
    v->rows = rows > rows_most ? rows_most : rows < 4 ? 4 : (int)rows;
    double up = range_width(v->y) / (4 * v->rows);
    if (unit < up) v->x = range_equal(v->x, up / unit);
    else v->y = range_equal(v->y, unit / up);
}

/* Equal ranges depend on the columns, these on the numbers at the side, and they on the ranges. */
static view view_of(const pane *p, int columns, int rows, int rows_most, int gutter)
{
    view v = {.gutter = gutter};
    for (int pass = 0; pass < 3; pass++) {
        v.x = p->x, v.y = p->y;
        v.columns = columns - v.gutter - 1, v.rows = rows;
        if (p->of->flags & DAL_PANEL_EQUAL) make_equal(&v, rows_most);
        v.of_x = ticks_of(v.x, 0, v.columns / 10), v.of_y = ticks_of(v.y, 0, v.rows / 2);
        int wide = widest_label(&v.of_y) + 1;
        if (wide > v.gutter) v.gutter = wide;
    }
    return v;
}

static void add_pane(const sheet *s, const pane *p, const view *v, strokes with, int columns,
                     text *out)
{
    canvas      on = canvas_new(s->m, v->columns, v->rows);
    const char *xlabel = words_of(p->of->xlabel);
    int         every = 4 * p->lines > 12 ? 4 * p->lines : 12;
    for (int i = 0; i < p->lines; i++)
        if (!has_flag(&p->line[i], DAL_CURVE_AREA)) draw_line(&on, v, &p->line[i], i % OWNERS_MOST);
    for (int i = 0; i < p->lines && p->lines > 1 && !with.colour; i++)
        canvas_mark(&on, i % OWNERS_MOST, (2 + i * every / p->lines) % every, every);
    add_legend(p, v, with, columns, out);
    add_rows(v, &on, with, out);
    add_floor(s, p, v, with, out);
    if (p->joined) return;
    add_spaces(out, v->gutter + 1 + (v->columns - count_characters(xlabel)) / 2);
    add_words(out, xlabel, with);
    if (s->of->events && p->of->flags & DAL_PANEL_EVENTS)
        text_printf(out, "   %s event%s", with.ascii ? plain.event : fine.event,
                    s->of->events > 1 ? "s" : "");
    text_add(out, "\n");
}

/* Rows of the canvas of a pane: what there is, of which low ones get half. */
static int rows_of(const sheet *s, int columns, int rows, const pane *p)
{
    int room = rows - 1 - 4 * s->panes, high = 0;
    if (room > columns / 3) room = columns / 3;
    if (room < 6 * s->panes) room = 6 * s->panes;
    for (int i = 0; i < s->panes; i++) high += !(s->pane[i].of->flags & DAL_PANEL_LOW);
    const int low = room / (s->panes + high);
    if (s->panes == 1) return room;
    return p->of->flags & DAL_PANEL_LOW || !high ? low : (room - low * (s->panes - high)) / high;
}

void draw_characters(const sheet *s, strokes with, text *out)
{
    const char *title = words_of(s->of->title);
    int         columns = s->of->width > 0 ? (int)s->of->width : COLUMNS, gutter = 0;
    const int   rows = s->of->height > 0 ? (int)s->of->height : ROWS,
              most = rows > 16 ? rows - 6 : 10;
    if (columns < COLUMNS_LEAST) columns = COLUMNS_LEAST;
    for (int i = 0; i < s->panes; i++) {
        const pane *p = &s->pane[i];
        gutter = view_of(p, columns, rows_of(s, columns, rows, p), most, gutter).gutter;
    }
    if (*title) {
        add_spaces(out, (columns - count_characters(title)) / 2);
        add_words(out, title, with), text_add(out, "\n");
    }
    for (int i = 0; i < s->panes; i++) {
        const pane *p = &s->pane[i];
        const view  v = view_of(p, columns, rows_of(s, columns, rows, p), most, gutter);
        add_pane(s, p, &v, with, columns, out);
    }
}
