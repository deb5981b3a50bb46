/* continued.c - continued MODEL RESULT ROWS KEPT: writes so many rows of a run, then begins the run
 * anew and goes on with the file behind the rows that are kept, to the end. */
#include "run.h"

#include <stdlib.h>

const command *const commands[] = {NULL}; /* of main.c, whose place this takes */

typedef struct {
    writer      file;
    const char *path;
    notes       about;
    double      row[64];
    long        seen, from, most;
} job;

static dal_status write_row(void *self, dal_sim *s)
{
    job *j = self;
    if (j->seen == j->from && !writer_open(&j->file, j->path, s, &j->about, j->from)) return DAL_IO;
    if (j->seen++ < j->from) return DAL_OK;
    dal_row(s, j->row);
    if (!writer_row(&j->file, j->row)) return DAL_IO;
    return j->seen == j->most ? DAL_INTERRUPTED : DAL_OK;
}

static dal_status run(const dal_model *m, const dal_options *o, const char *path, long from,
                      long most)
{
    job          j = {.path = path, .from = from, .most = most};
    dal_observer watch = {.row = write_row, .self = &j};
    dal_sim     *s = NULL;
    if (dal_sim_new(m, o, &s)) return DAL_INVALID;
    notes_take(&j.about, m, o, s);
    dal_status status = dal_run(s, &watch);
    if (!writer_close(&j.file)) status = DAL_IO;
    notes_free(&j.about);
    dal_sim_free(s);
    return status;
}

int main(int argc, char **argv)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    if (argc != 5 || dal_model_load(cx, argv[1], o, &m)) return 1;
    bool well = run(m, o, argv[2], 0, atol(argv[3])) == DAL_INTERRUPTED &&
                !run(m, o, argv[2], atol(argv[4]), 0);
    dal_report(cx, stderr, 0);
    dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return well ? 0 : 1;
}
