/* embed.c - a simulation in ten lines: a model as text, steps, the state.
 *
 *     cc embed.c $(pkg-config --cflags --libs dalembert) -o embed && ./embed */
#include <dalembert.h>

int main(void)
{
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    const char  *text = "system Fall {\n coordinate z\n lagrangian z'^2/2 - 9.81*z\n"
                        " start z = 100\n}\n";
    dal_options_set(o, "step", "0.125");
    if (!dal_model_parse(cx, "fall.dal", text, o, &m) && !dal_sim_new(m, o, &s))
        while (dal_time(s) < 4 && !dal_step(s)) continue;
    if (s) printf("after %g s it is %.2f m high\n", dal_time(s), dal_q(s)[0]);
    dal_report(cx, stderr, 0);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return s == NULL;
}
