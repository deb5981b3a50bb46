/* orbit.c - ten revolutions of eccentricity 0.9 to an accuracy of 1e-8 in q: the library by
 * gauss(3), with steps of one length and with steps that follow a pace, and IAS15. */
#include "problem.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *pace;
    double      setting; /* a step, or of IAS15 a tolerance */
    long        steps;
    double      error, seconds;
    dal_context
        *cx; /* of all its runs: positions of the first ones are judged by runs beside them */
} way;

static double far_from_start(const problem *p, const double *y)
{
    double far = 0;
    for (int i = 0; i < p->n; i++) far = fmax(far, fabs(y[i] - p->start[i]));
    return far;
}

static int by_library(way *w)
{
    const problem *p = &close_orbit;
    session        x = {.cx = w->cx, .o = dal_options_new(w->cx)};
    char           words[2][40];
    const double   h = w->pace ? w->setting : p->until / (double)whole_steps(w->setting, p->until);
    snprintf(words[0], sizeof words[0], "%.17g", h);
    snprintf(words[1], sizeof words[1], "%.17g", p->until);
    dal_options_set(x.o, "scheme", "gauss(3)"), dal_options_set(x.o, "backend", "native");
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "step", words[0]);
    dal_options_set(x.o, "until", words[1]), dal_options_set(x.o, "monitor", "1000000");
    if (w->pace) dal_options_set(x.o, "pace", w->pace);
    int          good = !session_start(&x, p->name, p->model);
    const double begin = cpu_seconds();
    good = good && !dal_run(x.s, NULL);
    w->seconds = cpu_seconds() - begin;
    if (good) w->error = far_from_start(p, dal_q(x.s)), w->steps = dal_steps(x.s);
    dal_sim_free(x.s), dal_model_free(x.m), dal_options_free(x.o);
    return good;
}

static int by_ias15(way *w)
{
    double y[MOST];
    int good = ias15(ACCURACY, 0)->run(&close_orbit, w->setting, close_orbit.until, y, &w->seconds);
    w->error = far_from_start(&close_orbit, y);
    return good;
}

/* Settings shrink until the error is small enough; of several rounds the fastest counts. */
static void find(way *w, int (*run)(way *), double by)
{
    enum { ROUNDS_HERE = 9 };
    double best = HUGE_VAL;
    w->cx = dal_context_new(NULL);
    for (int k = 0; k < 400 && (!run(w) || !(w->error < 1e-8)); k++) w->setting *= by;
    for (int k = 0; k < ROUNDS_HERE && run(w); k++) best = fmin(best, w->seconds);
    w->seconds = best;
    dal_context_free(w->cx);
}

void orbits(void)
{
    way all[] = {{"dalembert, gauss(3)", NULL, 62.8318530717958648 / 20000, 0, 0, 0, NULL},
                 {"dalembert, gauss(3), pace = r^1.5", "r^1.5", 0.15, 0, 0, 0, NULL},
                 {"IAS15 by hand", NULL, 1e-10, 0, 0, 0, NULL}};
    find(&all[0], by_library, 0.95), find(&all[1], by_library, 0.95), find(&all[2], by_ias15, 0.7);
    printf(
        "\n## An orbit of eccentricity 0.9\n\nTen revolutions to 10^-8 in q, milliseconds of processor "
        "time without set-up, and without the runs beside it that judge positions (of the first runs of a "
        "context, 20 ms in all); the ratio is to steps of one length.\n\n"
        "| by | steps | error | ms | ratio |\n|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        printf("| %s | %ld | %.1e | %.3f | %.3f |\n", all[k].name, all[k].steps, all[k].error,
               1e3 * all[k].seconds, all[k].seconds / all[0].seconds);
}
