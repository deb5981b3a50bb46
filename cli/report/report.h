/* report.h - a page of HTML that needs nothing but itself: sections, tables and figures, and what
 * `report` puts into them. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "events_file.h"
#include "npy.h"
#include "plot.h"

#include <jansson.h>

/* html.c: a page grows as bytes; html_text writes what a reader is to read, the others markup. */
void html_add(bytes *b, const char *markup);
void html_format(bytes *b, const char *format, ...);
void html_text(bytes *b, const char *words);
void html_element(bytes *b, const char *tag, const char *words); /* <h2>words</h2> */
dal_status html_picture(bytes *b, dal_context *cx, const dal_plot *plot); /* drawn by ourselves */

void section_open(bytes *b, const char *id, const char *title); /* id: letters and digits */
void section_close(bytes *b);

/* Rows of a table: what it is, its value, and a word about it; verdict 1: good, -1: bad, 0:
 * neither. */
void facts_open(bytes *b);
void fact(bytes *b, const char *name, int verdict, const char *about, const char *format, ...);
void facts_close(bytes *b);

/* The whole page around the body, in the file; false, and said why. It carries the live part if the
 * program does. */
typedef struct {
    char *title;
    bytes body;
    bool  space; /* something is drawn in space */
} page;
bool page_write(const char *path, const page *p);
bool page_is_live(void); /* uPlot was there when the program was built */

/* A result with the model that made it, as far as it is known. */
typedef struct {
    table        rows;
    const char  *id;
    dal_context *cx;
    dal_options *options;  /* those of the run           */
    dal_model   *model;    /* NULL: not known, and `lost` */
    dal_sim     *sim;      /* at its start; or NULL      */
    char        *lost;     /* why there is no model      */
    json_t      *summary;  /* the object of --json, NULL: not known */
    bool         borrowed; /* the model and its simulation are another's */
    bool         space;    /* put_data: it was drawn in space            */
    event_list   happened; /* of a finished result; of a run the simulation knows */
    bool         ran;      /* the simulation is at its end               */
} result;

/* origin.c */
int  result_open(result *r, const arguments *a, const char *path); /* GO_ON or the exit code */
int  result_of_run(result *r, const arguments *a, const char *file, dal_model *m, dal_sim *s);
const dal_event *result_events(const result *r, size_t *count);
void result_close(result *r); /* model and simulation too, unless they were given */

/* cmd_report.c: the page of a run that has ended, whose rows are in the file; the exit code. */
int report_run(const arguments *a, const char *file, dal_model *m, dal_sim *s, const char *path);

/* data.c: columns and frames as JSON, thinned so that no extreme is lost. */
void put_data(bytes *b, result *r);

/* sweep_table.c: the table of a sweep, opened but not read; GO_ON or the exit code. */
bool is_ensemble(const table *t);
int  put_ensemble(bytes *b, dal_context *cx, table *t, int number);

/* certificate.c: what is known of how well it was computed. */
void put_certificate(bytes *b, const result *r, const dal_convergence *measured,
                     const char *not_measured);

#endif
