/* run.h - the parts of `dalembert run`: files, progress, summaries. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "keeper.h"
#include "writer.h"

typedef struct { /* what the observer of a run holds */
    const char *path[OUTPUTS_MOST];
    writer      file[OUTPUTS_MOST];
    int         files;
    double     *row; /* the present one */
    long        rows;
    bool        opened;   /* the files are, with the first row     */
    notes       about;    /* if a file keeps them                  */
    bool        noted;
    bool        written;  /* all files opened and closed well      */
    bool        progress; /* draw it                               */
    bool        silent;   /* another rank writes files             */
    double      began, looked, flushed, drawn;
    double      energy;     /* the first one, for the progress */
    long        first_step; /* 0, unless a run goes on         */
    long        stride, next; /* the clock is looked at after `stride` steps */
    keeper      keep;         /* of checkpoints */
} recorder;

/* files.c. The files are opened with the first row, so that nothing is left behind when nothing is
 * run. */
void         recorder_init(recorder *r, const arguments *a, char *fallback); /* NULL: no file */
void         recorder_begin(recorder *r, const arguments *a, const dal_model *m, dal_sim *s);
dal_status   recorder_open(recorder *r, dal_sim *s); /* all files, anew */
dal_status   recorder_failed(const writer *w);       /* why the writer did */
dal_status   recorder_keep_end(recorder *r, dal_sim *s); /* a last checkpoint, if any are kept */
dal_observer recorder_observer(recorder *r);
/* false: not all was written */
bool         recorder_close(recorder *r, dal_sim *s, const dal_context *cx);
bool         output_name(const char *model, const char *suffix, char *out, 
                         size_t room); /* "a/b.dal" -> "b.csv" */

/* waiting.c: from here until a run begins or fails. An interrupt ends the program. */
void         waiting_begin(const arguments *a);
void         waiting_end(void);
void         signals_listen(void); /* to SIGINT and SIGTERM: the first asks, a second ends all */
bool         signals_ask_to_stop(void);

/* resumed.c: what a checkpoint says of the files, and the files of a run that is resumed: those of
 * -o, or its own, of which `spare` rows at the end are left out. GO_ON, or the exit code. */
dal_status files_note(const recorder *r, dal_sim *s);
int recorder_resume(recorder *r, const arguments *a, const dal_model *m, dal_sim *s, int spare);

/* cmd_run.c: runs it, prints what it gave; the exit code. */
int run_simulation(arguments *a, dal_sim *s, recorder *r);
int check_outputs(const arguments *a, const char *what); /* -o; the first word is `what` */
bool same_file(const char *a, const char *b); /* by whatever names? */

/* summary.c and json.c */
void    summary_print(dal_sim *s, const recorder *r, bool verbose, FILE *out);
json_t *summary_object(dal_sim *s, const dal_context *cx);
int     summary_json(dal_sim *s, const dal_context *cx, FILE *out); /* EXIT_DONE or EXIT_IO */

#endif
