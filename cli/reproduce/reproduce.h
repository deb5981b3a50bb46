/* reproduce.h - the experiments of the papers, made again: a study runs models, sets what it finds
 * beside what was printed, and draws curves. Studies stand in tables, one table for each paper. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include "cli.h"

typedef enum {
    AGREES,    /* with what is printed                                            */
    EXPLAINED, /* it cannot be held to it, and the note says why; or nothing is printed */
    DISAGREES, /* with what the paper says, and the note says why                 */
    DIFFERS    /* it should have agreed                                           */
} verdict;

typedef struct {
    char       *what, *printed, *ours; /* printed "": a claim without a number */
    verdict     verdict;
    const char *rule; /* when it agrees; NULL: it was not asked */
    const char *note; /* or NULL */
} finding;

typedef struct {
    double *x, *y;
    char   *label;
} chart_numbers;

typedef struct {
    char          *title, *xlabel, *ylabel;
    dal_curve     *curve; /* on a logarithmic axis a value counts without its sign */
    chart_numbers *own;   /* of each curve */
    int            curves;
    bool           log_x, log_y;
} chart;

typedef struct {
    double least, most;
} range;

/* A run with all its recorded rows. */
typedef struct {
    char       *model;
    long        rows, room;
    int         columns;
    char      **name;
    double    **cell; /* cell[k][i]: column k, row i */
    dal_summary end;  /* its texts are not kept      */
    dal_status  status;
    char       *message; /* the first of the run, or NULL */
} record;

typedef struct study study;

typedef struct {
    const char *place, *title; /* "Table 1", what it shows */
    void (*run)(study *s);
} study_row;

typedef struct {
    const char      *name; /* on the command line */
    const char      *authors, *title, *journal;
    const study_row *row;
    int              rows;
} paper;

struct study {
    const study_row *row;
    finding         *finding;
    int              findings;
    chart          **chart;
    int              charts;
    record         **record;
    int              records;
    char            *failure; /* a run that could not be made, and why; NULL: none */
};

extern const paper paper_forced, paper_interconnection, paper_order, paper_dirac, paper_energy;

/* study.c. A run is of a model that the program carries, "papers/rlc_loop", with options as
 * "scheme=midpoint; set=alpha=0.5". It belongs to the study. One that fails is a failure of the
 * study, unless it is an attempt that may. */
void          study_init(study *s, const study_row *row);
void          study_free(study *s);
const record *study_run(study *s, const char *model, const char *options);
const record *study_attempt(study *s, const char *model, const char *options);
const double *record_column(const record *r, const char *name);
double        record_last(const record *r, const char *name);
double        largest_gap(const double *x, const double *y, long n); /* max |x - y|; y NULL: 0 */
range         range_of(const double *x, long n); /* of those that are finite */

/* findings.c */
void found_number(study *s, const char *what, const char *printed, double ours, double tolerance);
void found_claim(study *s, const char *what, const char *printed, const char *rule, bool holds,
                 const char *format, ...);
void found_contrary(study *s, const char *what, const char *printed, const char *note,
                    const char *format, ...);
void found_explained(study *s, const char *what, const char *printed, const char *note,
                     const char *format, ...);

/* pictures.c. Points and labels are copied. */
chart *study_chart(study *s, const char *title, const char *xlabel, const char *ylabel);
void   chart_curve(chart *c, const char *label, const double *x, const double *y, long n);
dal_status chart_svg(dal_context *cx, const chart *c, FILE *out);
void       chart_free(chart *c);

/* as_table.c, page.c, as_json.c */
void paper_text(const paper *p, const study *s, FILE *out);
dal_status papers_page(dal_context *cx, const paper *const *p, study *const *s, int count,
                       FILE *out);
void papers_json(const paper *const *p, study *const *s, int count, FILE *out);

#endif
