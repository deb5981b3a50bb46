/* plot.h - from results to pictures: tables are read, words choose curves of them, curves make
 * panels, and a figure of panels is drawn by gnuplot or as text. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "cli.h"

/* plot_table.c: a result, whatever its format. Only the wanted columns are read and kept. */
typedef struct table table;

typedef struct {
    const char *suffix;
    int (*open)(table *t);  /* names, units and notes; GO_ON or the exit code      */
    int (*read)(table *t);  /* cells of the wanted columns; GO_ON or the exit code */
    void (*close)(table *t);
} reader;

struct table {
    const char   *path; /* as given; "-" is standard input */
    const reader *kind;
    FILE         *file;
    char         *line; /* CSV: the present one            */
    size_t        room;
    long          number; /* its number, from 1              */
    char          separator;
    void         *own;  /* of other formats                */
    char        **name; /* of the columns                  */
    char        **unit; /* "": none                        */
    int           columns;
    bool         *wanted;
    double      **cell; /* cell[k][i]: column k, row i; NULL: not wanted */
    long          rows;
    char        **note; /* key, text, key, text, ...       */
    int           notes;
};

int         table_open(table *t, const char *path); /* reads the header; GO_ON or the exit code */
int         table_read(table *t);                   /* reads the rows; GO_ON or the exit code    */
int         table_find(const table *t, const char *name, size_t length); /* the column, or -1    */
const char *table_note(const table *t, const char *key); /* what a result says of itself; or NULL */
void        table_free(table *t);
bool        table_has_suffix(const char *path); /* one of a format that is no text */

/* For those who read a format. */
extern const reader read_csv, read_npy, read_npz, read_h5;
void table_add_column(table *t, const char *name, const char *unit);
void table_add_units(table *t, const dal_sim *s); /* where the file has none, as CSV */
void table_add_note(table *t, const char *key, const char *text);
void table_room(table *t, long rows); /* cells of the wanted columns */

/* plot_scale.c: the range of an axis, and round numbers on it. */
typedef struct {
    double least, most;
    bool   log; /* it holds powers of ten */
} range;

bool   drawable(double x); /* finite, and not absurd */
range  range_none(void);
range  range_with(range r, double x);      /* grown to hold x, if that is drawable             */
range  range_drawn(range r);               /* never empty, nor narrower than numbers resolve   */
range  range_wider(range r, double share); /* by that share of it at both ends             */
double range_width(range r);

/* Ticks stand at k*step, k from the first to the last. */
double tick_step(range r, int most); /* 1, 2 or 5 times a power of ten; about so many ticks */
double tick_first(range r, double step);
double tick_last(range r, double step);
int    tick_digits(range r, double step); /* that tell them apart                  */
int    tick_text(char *out, size_t room, double k, double step, range r); /* length */
int    tick_width(range r, double step); /* of the longest                        */

/* plot_curves.c: what is drawn. [x:]y are words of quantities: NAME, error(NAME), relative(NAME).
 */
typedef enum { AS_IS, LESS_FIRST, RELATIVE } reading; /* of a column */

typedef struct {
    reading how;
    int     column;
    bool    size; /* without its sign */
} quantity;

typedef struct {
    const table *from;
    quantity     of_x, of_y;
    char        *label; /* in the legend                             */
    double      *x, *y; /* points; what is not drawable breaks the line */
    long         points;
} curve;

typedef struct {
    curve *curve;
    int    curves;
    char  *xlabel, *ylabel; /* ylabel "": the legend says it all */
    range  x, y;
    bool   equal; /* one unit is as long on both axes */
} panel;

enum { SLOPES_MOST = 8 };

enum { SERIES, PORTRAITS, ERRORS, PANELS }; /* over the first column, over another, errors */

typedef struct {
    table         *table;
    int            tables;
    const dal_sim *run; /* that wrote the first table, and knows units where the file does not */
    panel          panel[PANELS]; /* those without curves are left out */
    const char    *title;         /* or NULL                           */
    bool           log_x, log_y;
    double         slope[SLOPES_MOST]; /* triangles of these slopes */
    int            slopes;
} figure;

/* From the results and the [x:]y of a command line; which axes are logarithmic is set before. GO_ON
 * or the exit code. */
int  figure_read(figure *f, const char *const *word, int words);
void figure_free(figure *f);

int   figure_panels(const figure *f); /* those with curves                              */
bool  figure_joined(const figure *f); /* series and errors stand over the same axis     */
char *quantity_name(const table *t, quantity q);
const char *quantity_unit(const table *t, quantity q); /* "": none */

/* plot_names.c: legends and the labels of axes. */
void panel_name(figure *f, panel *p);

/* plot_thin.c: the n points that a picture can show, yours to free; -1 breaks the line. */
long *curve_thin(const curve *c, const panel *on, long *n);

/* plot_script.c: for gnuplot. A script that is kept makes the picture `path`; "": it sets no
 * terminal, so that gnuplot opens a window. */
void figure_script(const figure *f, const char *path, FILE *to);
int  figure_picture(const figure *f, const char *path); /* exit code */

/* plot_text.c: with characters. */
typedef struct {
    int  columns, rows;
    bool colour, ascii; /* ascii: no characters but those */
} screen;

void figure_text(const figure *f, screen s, FILE *out);

/* plot_canvas.c: dots of a grid of characters, 2 x 4 in each, as those of Braille. */
typedef struct {
    int            columns, rows;
    unsigned char *dots;  /* of each character, in the order of Unicode           */
    signed char   *owner; /* the curve drawn last there; -1: none                 */
    char          *mark;  /* 1: the owner's mark stands there instead of the dots */
} canvas;

canvas canvas_new(int columns, int rows);
void   canvas_free(canvas *c);
void   canvas_line(canvas *c, int x0, int y0, int x1, int y1, int owner); /* dots from top left */
void   canvas_mark(canvas *c, int owner, int first, int every);
void   canvas_row(const canvas *c, int row, const screen *s, FILE *out);
void   put_sample(int owner, const screen *s, FILE *out); /* of a curve, for the legend */

/* cmd_plot.c: what `plot RESULT -o PICTURE` does, with the units of the run; the exit code. */
int plot_result(const char *result, const dal_sim *s, const char *picture);

#endif
