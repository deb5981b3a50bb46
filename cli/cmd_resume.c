/* cmd_resume.c - dalembert resume: goes on from a checkpoint as if the run had never stopped. Its
 * files are cut back to the rows that they had at the checkpoint, and continued; or new ones take
 * the rows that follow. */
#include "run.h"

#include <string.h>

static const char *const ends[] = {"until", "steps"}; /* either says where a run ends */

static int resume_flags(flag_row *out)
{
    out[0] = (flag_row){"until", 0, "T", "a new end: a time"};
    out[1] = (flag_row){"steps", 0, "N", "a new end: a number of steps, counted from the start"};
    return 2 + keeper_flags(out + 2);
}

/* The options of the run, but for its end. */
static dal_status options_with_end(arguments *a, const char *end, const char *value)
{
    size_t            rows;
    const dal_option *row = dal_option_rows(&rows);
    dal_options      *o = dal_options_new(a->cx);
    dal_status        bad = o ? dal_options_set(o, end, value) : DAL_NOMEM;
    for (size_t i = 0; i < rows && !bad; i++) {
        if (!strcmp(row[i].key, ends[0]) || !strcmp(row[i].key, ends[1])) continue;
        for (size_t k = 0; !bad && dal_options_at(a->options, row[i].key, k); k++)
            bad = dal_options_set(o, row[i].key, dal_options_at(a->options, row[i].key, k));
    }
    if (bad) return dal_options_free(o), bad;
    dal_options_free(a->options);
    a->options = o;
    return DAL_OK;
}

/* The end that is asked for now, or was when the run was resumed before. It stands in the
 * checkpoints to come beside the options of the run, which decide how its steps are made. */
static dal_status move_end(arguments *a, dal_sim *s, int *spare)
{
    dal_status bad = DAL_OK;
    for (int i = 0; i < 2 && !bad; i++) {
        const char *value = own_value(a, ends[i]);
        if (value) bad = dal_sim_extend(s, ends[i], value, spare);
        if (value && !bad) bad = dal_sim_note(s, "end", ends[i]);
        if (value && !bad) bad = dal_sim_note(s, "end at", value);
    }
    const char *end = dal_sim_note_of(s, "end"), *value = dal_sim_note_of(s, "end at");
    return !bad && end && value ? options_with_end(a, end, value) : bad;
}

static int resume(arguments *a)
{
    dal_checkpoint *c = NULL;
    dal_model      *m = NULL;
    dal_sim        *s = NULL;
    recorder        r;
    int             spare = 0;
    int             code = check_outputs(a, "checkpoint");
    if (code != GO_ON) return code;
    if (own_value(a, "until") && own_value(a, "steps"))
        return complain("--until and --steps both say where the run ends; give only one of them");
    waiting_begin(a);
    dal_status bad = dal_checkpoint_load(a->cx, a->word[0], &c);
    if (!bad) bad = dal_checkpoint_options(c, a->options);
    if (!bad) bad = dal_checkpoint_resume(c, &m, &s);
    if (!bad) bad = move_end(a, s, &spare);
    if (bad) code = exit_code_unrun(bad);
    if (code == GO_ON) code = recorder_resume(&r, a, m, s, spare);
    waiting_end();
    if (code == GO_ON) code = run_simulation(a, s, &r);
    dal_sim_free(s);
    dal_model_free(m);
    dal_checkpoint_free(c);
    return code;
}

const command command_resume = {
    .name = "resume",
    .synopsis = "resume CHECKPOINT [OPTION]...",
    .title = "continue a run where it stopped, bit for bit",
    .about = "Continues from a checkpoint written by 'dalembert run MODEL.dal --checkpoint\n"
             "FILE'. It contains the model and all options; the files of the run are truncated\n"
             "to the rows they had then and continued, so that they end as if the run had never\n"
             "stopped. A file that does not begin with what the run had written is refused and\n"
             "left alone. With -o FILE (may be repeated) the rows from the checkpoint on go to\n"
             "new files, and the old ones are neither needed nor changed. Further checkpoints go\n"
             "to the same file. A new end makes the run longer or shorter than planned.",
    .example = "Examples:\n"
               "  dalembert run kepler.dal --until 1e6 --checkpoint kepler.ckpt\n"
               "  dalembert resume kepler.ckpt\n"
               "  dalembert resume kepler.ckpt --until 2e6\n"
               "  dalembert resume kepler.ckpt -o rest.csv\n",
    .least = 1,
    .most = 1,
    .json = true,
    .shared = true,
    .flags = resume_flags,
    .run = resume,
};
