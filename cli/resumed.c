/* resumed.c - the files of a run in its checkpoints: their names, how many rows they have and the
 * digest of what was written to each; and how a run that is resumed finds them. A checkpoint may
 * come from a stranger: what it says is believed when the files say the same. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Notes. --------------------------------------------------------------------------------------- */

enum { KEY_MOST = 32 };

/* "output 0": its path; "written 0": its digest */
static const char *key_of(char out[KEY_MOST], const char *what, int i)
{
    snprintf(out, KEY_MOST, "%s %d", what, i);
    return out;
}

static dal_status note_of_file(const recorder *r, dal_sim *s, int i)
{
    char       key[KEY_MOST], sum[DIGEST_TEXT];
    dal_status bad = dal_sim_note(s, key_of(key, "output", i), r->path[i]);
    writer_digest(&r->file[i], sum);
    return bad ? bad : dal_sim_note(s, key_of(key, "written", i), sum);
}

dal_status files_note(const recorder *r, dal_sim *s)
{
    char       rows[32];
    dal_status bad = DAL_OK;
    for (int i = 0; i < r->files && !bad; i++) bad = note_of_file(r, s, i);
    snprintf(rows, sizeof rows, "%ld", r->rows);
    return bad ? bad : dal_sim_note(s, "rows", rows);
}

/* NULL: it names no more. */
static const char *noted_path(const dal_sim *s, int i)
{
    char        key[KEY_MOST];
    const char *path = i < OUTPUTS_MOST ? dal_sim_note_of(s, key_of(key, "output", i)) : NULL;
    return path && *path ? path : NULL;
}

/* -1: it does not say */
static long noted_rows(const dal_sim *s)
{
    const char *words = dal_sim_note_of(s, "rows");
    char       *end = NULL;
    errno = 0;
    long rows = words ? strtol(words, &end, 10) : -1;
    return end && end > words && !*end && !errno && rows >= 0 ? rows : -1;
}

/* Control characters, which would reach the terminal with a message. */
static bool is_plain_text(const char *words)
{
    for (const unsigned char *c = (const unsigned char *)words; *c; c++)
        if (*c < ' ' || *c == 127 || (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0)) return false;
    return true;
}

/* New files. ----------------------------------------------------------------------------------- */

static int check_new(const arguments *a, const dal_sim *s)
{
    for (int k = 0; noted_path(s, k); k++)
        for (int i = 0; i < a->outputs; i++)
            if (!is_standard(a->output[i]) && same_file(a->output[i], noted_path(s, k)))
                return complain("-o %s is a file of the run, which goes on without -o; a new file "
                                "needs another name",
                                a->output[i]);
    return GO_ON;
}

/* Of more files than there are now, the checkpoints to come know nothing. */
static dal_status forget_others(const recorder *r, dal_sim *s)
{
    char       key[KEY_MOST];
    dal_status bad = DAL_OK;
    for (int i = r->files; noted_path(s, i) && !bad; i++)
        bad = dal_sim_note(s, key_of(key, "output", i), "");
    return bad;
}

static int open_new(recorder *r, dal_sim *s)
{
    dal_status bad = forget_others(r, s);
    if (!bad) bad = recorder_open(r, s);
    return bad ? exit_code(bad) : GO_ON;
}

/* Those of the run. ---------------------------------------------------------------------------- */

static int read_names(recorder *r, const arguments *a, const dal_sim *s)
{
    r->rows = noted_rows(s);
    for (const char *path; (path = noted_path(s, r->files)) != NULL; r->files++) {
        r->path[r->files] = path;
        if (!is_plain_text(path))
            return complain("%s names a file with control characters; -o NEW continues the run in "
                            "a new file",
                            a->word[0]);
        if (same_file(path, r->keep.path))
            return complain("%s is a file of the run; --checkpoint needs another name", path);
    }
    if (r->files && r->rows >= 0) return GO_ON;
    return complain("%s was not written by 'dalembert run': it names no files to continue; -o NEW "
                    "continues the run in a new file",
                    a->word[0]);
}

static bool find_file(recorder *r, dal_sim *s, int i, long stay)
{
    char  key[KEY_MOST];
    trace was = {r->rows, stay, dal_sim_note_of(s, key_of(key, "written", i))};
    if (is_standard(r->path[i])) return true;
    if (!writer_find(&r->file[i], r->path[i], s, &r->about, was)) return false;
    for (int k = 0; k < i; k++)
        if (writer_is_same(&r->file[i], &r->file[k]))
            return cannot_go_on(&r->file[i], "the checkpoint names it twice");
    return true;
}

/* Standard output has no rows to find; it begins anew. */
static bool go_on(recorder *r, dal_sim *s, int i)
{
    return is_standard(r->path[i]) ? writer_open(&r->file[i], r->path[i], s, &r->about, false)
                                   : writer_go_on(&r->file[i]);
}

/* All are found before the first is changed. */
static int open_old(recorder *r, dal_sim *s, int spare)
{
    const long stay = r->rows > spare ? r->rows - spare : 0;
    for (int i = 0; i < r->files; i++)
        if (!find_file(r, s, i, stay)) return exit_code(recorder_failed(&r->file[i]));
    r->opened = true, r->rows = stay;
    for (int i = 0; i < r->files; i++)
        if (!go_on(r, s, i)) return exit_code(recorder_failed(&r->file[i]));
    return GO_ON;
}

int recorder_resume(recorder *r, const arguments *a, const dal_model *m, dal_sim *s, int spare)
{
    recorder_init(r, a, NULL);
    int code = keeper_read(&r->keep, a, a->word[0], dal_sim_note_of(s, "checkpoint every"));
    r->keep.last_step = dal_steps(s), r->keep.last = r->began;
    if (code == GO_ON && !r->silent) code = a->outputs ? check_new(a, s) : read_names(r, a, s);
    if (code != GO_ON) return code;
    recorder_begin(r, a, m, s);
    if (r->silent) return GO_ON;
    code = a->outputs ? open_new(r, s) : open_old(r, s, spare);
    if (code != GO_ON) recorder_close(r, s, a->cx);
    return code;
}
