/* step_path.c - which functions a recorded, interpreted step enters: addresses, in the order in
 * which they are first entered, each with its depth. For a library compiled by
 * -finstrument-functions; cmake/step-path.sh turns addresses into names and counts them.
 *     step_path MODEL [MONITOR]      MONITOR: a run is judged at one of so many states */
#include <dalembert.h>
#include <stdio.h>

enum { MOST = 4096, WATCHED = 10 }; /* functions; what comes after this row is followed */

static struct {
    void *function;
    int   depth;
} entered[MOST];
static int count, depth, watching;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    depth++;
    if (!watching || count == MOST) return;
    for (int k = 0; k < count; k++)
        if (entered[k].function == function) return;
    entered[count].function = function, entered[count++].depth = depth;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    depth--;
}

/* From one row to the next: a step, its diagnostics, and its row. */
static dal_status row(void *self, dal_sim *s)
{
    static double numbers[256];
    int          *rows = self;
    dal_row(s, numbers);
    watching = ++*rows == WATCHED;
    return *rows > WATCHED ? DAL_INTERRUPTED : DAL_OK;
}

int main(int words, char **word)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    dal_options_set(o, "backend", "vm");
    if (words > 2) dal_options_set(o, "monitor", word[2]);
    if (words < 2 || dal_model_load(cx, word[1], o, &m) || dal_sim_new(m, o, &s)) {
        dal_report(cx, stderr, 0);
        return 1;
    }
    int rows = 0;
    dal_run(s, &(dal_observer){.row = row, .self = &rows});
    for (int k = 0; k < count; k++) printf("%p %d\n", entered[k].function, entered[k].depth);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return 0;
}
