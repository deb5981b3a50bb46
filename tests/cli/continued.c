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
    long        seen, from, most, mark; /* rows: before the first, up to the last, at the digest */
    char       *sum;                    /* the digest of so many */
} job;

static bool open_file(job *j, dal_sim *s)
{
    const trace was = {j->from, j->from, j->sum};
    if (!j->from) return writer_open(&j->file, j->path, s, &j->about, true);
    return writer_find(&j->file, j->path, s, &j->about, was) && writer_go_on(&j->file);
}

static dal_status write_row(void *self, dal_sim *s)
{
    job *j = self;
    if (j->seen == j->from && !open_file(j, s)) return DAL_IO;
    if (j->seen++ < j->from) return DAL_OK;
    dal_row(s, j->row);
    if (!writer_row(&j->file, j->row)) return DAL_IO;
    if (j->seen == j->mark) writer_digest(&j->file, j->sum);
    return j->seen == j->most ? DAL_INTERRUPTED : DAL_OK;
}

static dal_status run(const dal_model *m, const dal_options *o, const char *path, long from,
                      long most, long mark, char *sum)
{
    job          j = {.path = path, .from = from, .most = most, .mark = mark, .sum = sum};
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
    const long kept = atol(argv[4]);
    char       sum[DIGEST_TEXT] = "";
    bool       well = run(m, o, argv[2], 0, atol(argv[3]), kept, sum) == DAL_INTERRUPTED &&
                !run(m, o, argv[2], kept, 0, 0, sum);
    dal_report(cx, stderr, 0);
    dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return well ? 0 : 1;
}
