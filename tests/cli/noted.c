/* noted.c - noted FROM TO [KEY TEXT]...: a checkpoint with other notes than `run` gives it. FROM is
 * a checkpoint, whose notes are changed, or a model (.dal): one of its start, with no other notes,
 * as programs made them that did not know of digests. */
#include "dalembert.h"

#include <string.h>

static dal_status take(dal_context *cx, const char *from, dal_model **m, dal_sim **s)
{
    dal_checkpoint *c = NULL;
    dal_options    *o = dal_options_new(cx);
    dal_status      bad = DAL_OK;
    if (strstr(from, ".dal")) {
        bad = dal_model_load(cx, from, o, m);
        if (!bad) bad = dal_sim_new(*m, o, s);
    } else {
        bad = dal_checkpoint_load(cx, from, &c);
        if (!bad) bad = dal_checkpoint_resume(c, m, s);
    }
    dal_checkpoint_free(c), dal_options_free(o);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    dal_status   bad = take(cx, argv[1], &m, &s);
    for (int i = 3; i + 1 < argc && !bad; i += 2) bad = dal_sim_note(s, argv[i], argv[i + 1]);
    if (!bad) bad = dal_sim_save(s, argv[2]);
    dal_sim_free(s), dal_model_free(m), dal_context_free(cx);
    return bad != DAL_OK;
}
