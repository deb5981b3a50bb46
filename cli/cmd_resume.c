/* cmd_resume.c - dalembert resume: goes on from a checkpoint as if the run had never stopped. Its
 * files are cut back to the rows that they had at the checkpoint, and continued. */
#include "run.h"

#include <string.h>

static int resume(arguments *a)
{
    dal_checkpoint *c = NULL;
    dal_model      *m = NULL;
    dal_sim        *s = NULL;
    recorder        r;
    if (a->outputs) return complain("resume goes on with the files of the run; leave -o out");
    dal_status bad = dal_checkpoint_load(a->cx, a->word[0], &c);
    if (!bad) bad = dal_checkpoint_options(c, a->options);
    if (!bad) bad = dal_checkpoint_resume(c, &m, &s);
    int code = bad ? exit_code_unrun(bad) : GO_ON;
    if (code == GO_ON) code = recorder_resume(&r, a, m, s);
    if (code == GO_ON) code = run_simulation(a, s, &r);
    dal_sim_free(s);
    dal_model_free(m);
    dal_checkpoint_free(c);
    return code;
}

const command command_resume = {
    .name = "resume",
    .synopsis = "resume CHECKPOINT [OPTION]...",
    .title = "go on where a run stopped, bit for bit",
    .about = "Goes on from a checkpoint of 'dalembert run MODEL.dal --checkpoint FILE'. The model and "
             "all options\n"
             "are in it; the files of the run are cut back to the rows they had then, and continued, "
             "so that\n"
             "they end as if nothing had happened. Checkpoints go on too, to the same file.",
    .example = "Examples:\n"
               "  dalembert run kepler.dal --until 1e6 --checkpoint kepler.ckpt\n"
               "  dalembert resume kepler.ckpt\n",
    .least = 1,
    .most = 1,
    .json = true,
    .flags = keeper_flags,
    .run = resume,
};
