/* ensemble.c - many starts on a few threads: one model, shared; a context, options and simulations
 * for each thread. A double pendulum falls from 64 nearby starts: how far do they part?
 *
 *     cc ensemble.c $(pkg-config --cflags --libs dalembert) -lm -pthread -o ensemble */
#include <dalembert.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, STARTS = 64 };

static const char *const text =
    "system DoublePendulum {\n"
    "  parameter g = 9.81\n"
    "  coordinate a, b\n"
    "  lagrangian a'^2 + b'^2/2 + cos(a - b)*a'*b' + 2*g*cos(a) + g*cos(b)\n"
    "  start a = 2, b = 2.5\n"
    "}\n"
    "simulate {\n  scheme = lobatto(3)\n  step = 0.005\n  until = 3\n  record = every 600\n}\n";

typedef struct {
    const dal_model *model;
    int              first;
    double          *end; /* angle b of each start; every thread writes its own */
    int              failed;
} worker;

static int run_one(dal_context *cx, const dal_model *m, int i, double *end)
{
    char         start[64];
    dal_options *o = dal_options_new(cx);
    dal_sim     *s = NULL;
    snprintf(start, sizeof start, "a=%.17g", 2 + 1e-4 * i);
    int failed =
        !o || dal_options_set(o, "start", start) || dal_sim_new(m, o, &s) || dal_run(s, NULL);
    if (!failed) *end = dal_q(s)[1];
    dal_sim_free(s), dal_options_free(o);
    return failed;
}

static void *work(void *self)
{
    worker      *w = self;
    dal_context *cx = dal_context_new(NULL);
    for (int i = w->first; i < STARTS && cx && !w->failed; i += THREADS)
        w->failed = run_one(cx, w->model, i, &w->end[i]);
    if (w->failed) dal_report(cx, stderr, 0);
    dal_context_free(cx);
    return NULL;
}

int main(void)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    pthread_t    thread[THREADS];
    worker       w[THREADS];
    double       end[STARTS] = {0}, mean = 0, spread = 0;
    int          failed = dal_model_parse(cx, "double.dal", text, NULL, &m) != DAL_OK;
    for (int k = 0; k < THREADS && !failed; k++) {
        w[k] = (worker){m, k, end, 0};
        failed = pthread_create(&thread[k], NULL, work, &w[k]);
    }
    for (int k = 0; k < THREADS && !failed; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < THREADS && !failed; k++) failed = w[k].failed;
    for (int i = 0; i < STARTS; i++) mean += end[i] / STARTS;
    for (int i = 0; i < STARTS; i++) spread += (end[i] - mean) * (end[i] - mean) / STARTS;
    if (!failed) printf("b(3) = %.4f, spread %.4f from a spread of 0.0018\n", mean, sqrt(spread));
    dal_report(cx, stderr, 0);
    dal_model_free(m), dal_context_free(cx);
    return failed;
}
