/* writer.h - results as files. A format is a row of a table: its suffix, and how a file of it is
 * begun, found again, continued, given rows, brought to the disk and ended. Whenever a run stops,
 * what was written until then is a valid file.
 *
 * A file that goes on is one that this run wrote: it is found (writer_find) by its columns and by
 * the digest of its rows, before it is changed (writer_go_on). */
#ifndef CLI_WRITER_H
#define CLI_WRITER_H

#include "cli.h"
#include "digest.h"

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
    bool (*open)(writer *w); /* anew */
    /* w->file is one that is there: it has the columns of the run and so many rows, which pass
     * through writer_recall as they passed through writer_sum; w->more: it has others behind them.
     * Nothing is changed. */
    bool (*find)(writer *w, long rows);
    bool (*go_on)(writer *w); /* behind w->rows rows, which stay; others go */
    bool (*row)(writer *w, const double *row);
    bool (*flush)(writer *w); /* others can read what there is */
    bool (*close)(writer *w);
    bool keeps_notes;
} writer_kind; /* each returns false, and said why, where it fails */

struct writer {
    const writer_kind *kind;
    const char        *path;
    char              *place; /* of a file that was found: its name where no link leads to it */
    dal_sim           *sim; /* of the rows */
    const dal_column  *column;
    size_t             columns;
    const notes       *about;
    bool               began, opened; /* there is a file of that name; it is a result   */
    bool               found;         /* it is the run's own, and unchanged until now   */
    bool               more;          /* there are rows behind those that were found    */
    bool               fresh;         /* it did not go on from one                      */
    bool               busy;          /* in the middle of something                     */
    bool               summed;        /* a checkpoint will tell what was written        */
    dal_status         bad; /* of the library, where that is why it fails */
    FILE              *file;
    void              *own; /* what the format needs besides */
    long               rows, recalled;
    long               length; /* of the rows that stay, with what stands before: of CSV */
    digest             sum, kept; /* of what was written; of the rows that stay */
};

extern const writer_kind write_csv, write_npy, write_npz, write_h5;

/* The format of a path: CSV unless its suffix says another. NULL, and said why: this program lacks
 * it. */
const writer_kind *writer_kind_of(const char *path);

bool               writer_keeps_notes(const char *path); /* does its format? */

bool writer_open(writer *w, const char *path, dal_sim *s, const notes *about, bool summed);

/* What a checkpoint says of a file, to find it again. */
typedef struct {
    long        rows, stay; /* how many there were, and how many of them are to stay */
    const char *digest;     /* NULL: it does not say                                 */
} trace;

bool writer_find(writer *w, const char *path, dal_sim *s, const notes *about, trace was);
bool writer_is_own(writer *w, trace was); /* opens w->file: find.c */
bool writer_is_same(const writer *w, const writer *other); /* both found: two names of one file */
bool writer_go_on(writer *w);
void writer_digest(const writer *w, char out[DIGEST_TEXT]); /* of what it wrote until now */

bool writer_row(writer *w, const double *row);
bool writer_flush(writer *w);
bool writer_close(writer *w); /* one that is not open: nothing to do */

/* Before the program ends at once: rows to the disk, and no file without a front. */
void writers_give_up(void);

bool cannot_write(const writer *w); /* says it with the reason of the system; false */
bool cannot_go_on(const writer *w, const char *why); /* says it, and what can be done; false */
bool writer_lacks_rows(const writer *w, long rows); /* it has fewer; as cannot_go_on */
bool writer_has_other_columns(const writer *w);     /* as cannot_go_on */
bool writer_begin(writer *w); /* w->file: anew, to write and read; not "-" */
bool writer_cut(writer *w, long length); /* the file ends there, and so does the writing */
/* A new file takes the place of the one that was found, if it was written well. */
bool writer_replace(const writer *w, const char *beside, bool well);

/* A piece of what a run writes: a row, the line of a row. */
void writer_sum(writer *w, const void *bytes, size_t n);
void writer_recall(writer *w, const void *bytes, size_t n); /* a row that is there */
bool writer_recall_rows(writer *w, long from, long rows); /* doubles, from there on in the file */

bool h5_available(void);

#endif
