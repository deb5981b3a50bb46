/* run.h - the parts of `dalembert run`: files, progress, summaries. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"

typedef struct {
    const char *path;
    FILE       *file; /* NULL: not open */
} output_file;

typedef struct { /* what the observer of a run holds */
    output_file file[OUTPUTS_MOST];
    int         files;
    long        rows;
    bool        written;  /* all files opened and closed well      */
    bool        progress; /* draw it                               */
    double      began, looked, flushed, drawn;
    long        stride, next; /* the clock is looked at after `stride` steps */
} recorder;

/* files.c. The files are opened with the first row, so that nothing is left behind when nothing is
 * run. */
void         recorder_init(recorder *r, const arguments *a, char *fallback);
dal_observer recorder_observer(recorder *r);
bool         recorder_close(recorder *r); /* false, and said why: not all was written */
bool         output_name(const char *model, char *out, size_t room); /* "a/b.dal" -> "b.csv" */

/* summary.c and json.c */
void summary_print(dal_sim *s, const recorder *r, bool verbose, FILE *out);
int  summary_json(dal_sim *s, const dal_context *cx, FILE *out); /* EXIT_DONE or EXIT_IO */

#endif
