/* plot.h - from results to pictures: tables are read, words choose curves of them, curves make
 * panels, and a figure of panels is drawn by the library. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "cli.h"

/* plot_table.c: a result, whatever its format. Only the wanted columns are read and kept. */
typedef struct table table;

typedef struct {
    const char *suffix;
    int (*open)(table *t); /* names, units and notes; GO_ON or the exit code      */
    int (*read)(table *t); /* cells of the wanted columns; GO_ON or the exit code */
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
void                table_add_column(table *t, const char *name, const char *unit);
void table_add_units(table *t, const dal_model *m); /* where the file has none, as CSV */
void table_add_note(table *t, const char *key, const char *text);
void table_room(table *t, long rows); /* cells of the wanted columns */

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
    char        *label; /* in the legend                                */
    double      *x, *y; /* points; what is not finite breaks the line   */
} curve;

/* Over the first column (states apart, where nobody chose), over another, errors: in this order, one
 * panel for each unit. */
typedef enum { SERIES, STATES, PORTRAITS, ERRORS } panel_kind;

typedef struct {
    panel_kind kind;
    curve     *curve;
    int        curves;
    char      *xlabel, *ylabel; /* ylabel "": the legend says it all */
} panel;

enum { SLOPES_MOST = 8 };

typedef struct {
    table           *table;
    int              tables;
    bool             borrowed; /* the tables are another's */
    const dal_model *model; /* of these tables, which knows units where a file does not; or NULL */
    panel           *panel;
    int              panels;
    const char      *title, *xlabel, *ylabel; /* as asked for, or NULL */
    bool             log_x, log_y, equal;
    double           slope[SLOPES_MOST]; /* triangles of these slopes */
    char             slope_name[SLOPES_MOST][16];
    int              slopes;
    double           width, height; /* 0: as fits */
    const dal_event *event;         /* marked on axes of time */
    size_t           events;
} figure;

/* From the results and the [x:]y of a command line; which axes are logarithmic is set before. GO_ON
 * or the exit code. */
int  figure_read(figure *f, const char *const *word, int words);
int  figure_of(figure *f, table *t); /* what is drawn of a result by default; it is read already */
void figure_free(figure *f);

char       *quantity_name(const table *t, quantity q);
const char *quantity_unit(const table *t, quantity q); /* "": none */

/* plot_names.c: legends and the labels of axes. */
void panel_name(figure *f, panel *p);

/* plot_drawing.c: the figure as the library draws it. */
typedef struct {
    dal_plot   plot;
    dal_panel *panel;
    dal_curve *curve;  /* of all panels, one after the other     */
    double    *corner; /* x and y of the triangles, six for each */
} drawing;
drawing figure_drawing(const figure *f);
void    drawing_free(drawing *d);

/* cmd_plot.c: what `plot RESULT -o PICTURE` does, with the units of the model and the events of the
 * simulation; the exit code. */
int plot_result(dal_context *cx, const char *result, const dal_model *m, dal_sim *s,
                const char *picture);

#endif
