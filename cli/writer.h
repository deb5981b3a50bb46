/* writer.h - results as files. A format is a row of a table: its suffix, and how a file of it is
 * begun, continued, given rows, brought to the disk and ended. Whenever a run stops, what was
 * written until then is a valid file. */
#ifndef CLI_WRITER_H
#define CLI_WRITER_H

#include "cli.h"

#include <jansson.h>

/* What a file says of itself beside its rows; CSV and .npy have no room for it. notes.c */
typedef struct {
    const char *key;
    char       *text;
} note;

enum { NOTES = 9 };

typedef struct {
    note  of[NOTES]; /* "model": the text, "options": as JSON, ... */
    char *summary;   /* the object of --json; at first that of a run that goes on */
} notes;

void notes_take(notes *n, const dal_model *m, const dal_options *o, dal_sim *s);
void notes_end(notes *n, dal_sim *s, const dal_context *cx); /* the summary as it is now */
void notes_free(notes *n);

typedef struct writer writer;

typedef struct {
    const char *suffix, *title;
    bool (*open)(writer *w, long rows); /* 0: anew; else behind so many rows that stay, others go */
    bool (*row)(writer *w, const double *row);
    bool (*flush)(writer *w); /* others can read what there is */
    bool (*close)(writer *w);
    bool keeps_notes;
} writer_kind; /* each returns false, and said why, where it fails */

struct writer {
    const writer_kind *kind;
    const char        *path;
    dal_sim           *sim; /* of the rows */
    const dal_column  *column;
    size_t             columns;
    const notes       *about;
    bool               began, opened; /* there is a file of that name; it is a result   */
    bool               fresh;         /* it did not go on from one                      */
    bool               busy;          /* in the middle of something                     */
    dal_status         bad; /* of the library, where that is why it fails */
    FILE              *file;
    void              *own; /* what the format needs besides */
    long               rows;
};

extern const writer_kind write_csv, write_npy, write_npz, write_h5;

/* The format of a path: CSV unless its suffix says another. NULL, and said why: this program lacks
 * it. */
const writer_kind *writer_kind_of(const char *path);

bool               writer_keeps_notes(const char *path); /* does its format? */

bool writer_open(writer *w, const char *path, dal_sim *s, const notes *about, long rows);
bool writer_row(writer *w, const double *row);
bool writer_flush(writer *w);
bool writer_close(writer *w); /* one that is not open: nothing to do */

/* Before the program ends at once: rows to the disk, and no file without a front. */
void writers_give_up(void);

bool cannot_write(const writer *w); /* says it with the reason of the system; false */
bool writer_lacks_rows(const writer *w, long rows); /* says that the file has fewer; false */
bool writer_reopen(writer *w, long rows); /* w->file: anew, or the old one to change; not "-" */
bool writer_cut(writer *w, long length); /* the file ends there, and so does the writing */

bool h5_available(void);

#endif
