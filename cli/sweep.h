/* sweep.h - the parts of `dalembert sweep`: the table of members, their trajectories, the summary.
 */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "run.h"

enum { WORKERS_MOST = 1024 };

typedef struct {
    const char *path;
    bool        hdf5; /* written at the end     */
    FILE       *file; /* NULL: not open         */
} table_file;

typedef struct { /* what the observer of a sweep holds */
    dal_sweep  *sweep;
    table_file  table[OUTPUTS_MOST];
    int         tables;
    const char *directory; /* of trajectories; NULL: they are not kept */
    size_t      rows;
    bool        progress; /* draw it */
    double      began, flushed, drawn;
    FILE       *trajectory[WORKERS_MOST]; /* that each is writing; NULL: none */
} sweep_files;

/* sweep_files.c */
int sweep_files_choose(sweep_files *f, const arguments *a, char *fallback, size_t room);
dal_sweep_observer sweep_files_observer(sweep_files *f);
/* false, and said why: not all was written. A table that is made at the end is only made of a whole
 * sweep. */
bool               sweep_files_close(sweep_files *f, bool whole);

/* sweep_h5.c: all members that were told of; false, and said why */
bool sweep_h5_write(const sweep_files *f, const char *path);

/* sweep_summary.c */
const char *member_word(const dal_member *m); /* "done" */
void sweep_print(const sweep_files *f, const dal_sweep_summary *sum, bool interrupted, bool verbose,
                 FILE *out);

/* sweep_json.c */
int sweep_json(const sweep_files *f, const dal_sweep_summary *sum, bool interrupted, FILE *out);

#endif
