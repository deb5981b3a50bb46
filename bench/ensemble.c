/* ensemble.c - many members of coupled van der Pol oscillators: in compiled blocks, one by one with
 * the compiled step, and on two threads. Usage: bench_ensemble [MEMBERS] [STEPS]. */
#include "bench.h"
#include "dalembert.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const model =
    "system CoupledVanDerPol {\n"
    "  parameter eps = 0.5, rho = 0.02, lambda = 0.8\n"
    "  coordinate q1, q2\n"
    "  lagrangian (q1'^2 + q2'^2)/2 - q1^2/2 - (1 + rho)*q2^2/2 - lambda*(q1 - q2)^2\n"
    "  force q1: (eps - q1^2)*q1'\n"
    "  force q2: (eps - q2^2)*q2'\n"
    "  start q1 = -0.5, q2 = -0.25, q2' = 4\n"
    "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
} world;

static int fail(dal_context *cx)
{
    dal_report(cx, stderr, 0);
    exit(1);
}

static dal_options *options_new(dal_context *cx, const char *scheme, const char *backend,
                                const char *steps)
{
    dal_options *o = dal_options_new(cx);
    dal_options_set(o, "scheme", scheme), dal_options_set(o, "backend", backend);
    dal_options_set(o, "step", "0.05"), dal_options_set(o, "steps", steps);
    return o;
}

static world open_world(const char *scheme, const char *backend, const char *steps)
{
    world w = {.cx = dal_context_new(NULL)};
    w.o = options_new(w.cx, scheme, backend, steps);
    if (dal_model_parse(w.cx, "van_der_pol.dal", model, w.o, &w.m)) fail(w.cx);
    return w;
}

static void close_world(world *w)
{
    dal_model_free(w->m), dal_options_free(w->o), dal_context_free(w->cx);
}

typedef struct {
    double processor, elapsed, all; /* seconds; all: processor time of all threads */
    size_t together;
} cost;

static cost sweep(const char *scheme, const char *backend, const char *members, const char *steps,
                  const char *threads)
{
    world      w = open_world(scheme, backend, steps);
    dal_sweep *s = NULL;
    cost       c;
    if (dal_sweep_new(w.m, w.o, &s) || dal_sweep_set(s, "random", "q1=normal(0, 0.1)") ||
        dal_sweep_set(s, "random", "eps=uniform(0.3, 0.6)") ||
        dal_sweep_set(s, "members", members) || dal_sweep_set(s, "threads", threads))
        fail(w.cx);
    double begin = seconds(), started = elapsed(),
           used = processors();
    if (dal_sweep_run(s, NULL)) fail(w.cx);
    c = (cost){seconds() - begin, elapsed() - started, processors() - used,
               dal_sweep_summarise(s)->together};
    dal_sweep_free(s);
    close_world(&w);
    return c;
}

/* The steps alone of one member after the other, in seconds per step, without what it takes to
 * begin and end. */
static double steps_alone(const char *scheme, const char *backend, int members, const char *steps)
{
    world  w = open_world(scheme, backend, steps);
    double sum = 0;
    for (int i = 0; i < members; i++) {
        dal_sim *s = NULL;
        char     start[64];
        snprintf(start, sizeof start, "q1=%.17g", 0.2 * i / members - 0.1);
        dal_options *o = options_new(w.cx, scheme, backend, steps);
        dal_options_set(o, "start", start), dal_options_set(o, "record", "0"),
            dal_options_set(o, "monitor", "1000000");
        if (dal_sim_new(w.m, o, &s)) fail(w.cx);
        double begin = seconds();
        if (dal_run(s, NULL)) fail(w.cx);
        sum += (seconds() - begin) / (double)dal_steps(s);
        dal_sim_free(s), dal_options_free(o);
    }
    close_world(&w);
    return sum / members;
}

/* Steps of a block alone: what many steps cost more than some, so many that their members are made
 * in a small part of the time. */
static double steps_together(const char *scheme, const char *members, const char *some,
                             const char *many)
{
    double begun = sweep(scheme, "native", members, some, "1").processor;
    return (sweep(scheme, "native", members, many, "1").processor - begun) /
           (atof(members) * (atof(many) - atof(some)));
}

static void compare(const char *scheme, const char *members, const char *steps)
{
    char few[32], many[32], title[64];
    snprintf(few, sizeof few, "%d", atoi(members) / 80);
    snprintf(many, sizeof many, "%d", 20 * atoi(steps));
    double blocks[ROUNDS], alone[ROUNDS];
    snprintf(title, sizeof title, "ensemble, %s", scheme);
    progress(title, NULL);
    sweep(scheme, "native", "64", "100", "1"); /* compiles */
    for (int r = 0; r < rounds(); r++) { /* in turns, so that a slow machine is slow for both */
        blocks[r] = steps_together(scheme, few, steps, many);
        alone[r] = steps_alone(scheme, "native", 50, many);
    }
    timing b = summarise(blocks, rounds()), a = summarise(alone, rounds()),
           x = ratio(alone, blocks, rounds());
    printf("| %s | %.1f | %.1f | %.2f | %.2f-%.2f |\n", scheme, 1e9 * b.median, 1e9 * a.median,
           x.median, x.low, x.high);
    reading(title, "in blocks", blocks, rounds()), reading(title, "one by one", alone, rounds());
}

/* Everything that a sweep does, on one thread and on two, by turns. */
static void threads(const char *members, const char *steps)
{
    enum { TURNS = 5 };
    double alone[TURNS], both[TURNS], share[TURNS];
    progress("ensemble on two threads", NULL);
    for (int r = 0; r < TURNS; r++) {
        cost one = sweep("midpoint", "native", members, steps, "1"),
             two = sweep("midpoint", "native", members, steps, "2");
        alone[r] = one.elapsed, both[r] = two.elapsed,
        share[r] = two.all / 2 * one.elapsed / one.all;
    }
    timing a = summarise(alone, TURNS), b = summarise(both, TURNS), x = ratio(alone, both, TURNS),
           y = ratio(alone, share, TURNS);
    printf("\n%s members of %s steps, all in all, midpoint: %.2f s elapsed on one thread (%.1f ns "
           "a step), "
           "%.2f s on two: %.2f times\nfaster (%.2f-%.2f); by the processor time of both, %.2f "
           "times if "
           "both are free.\n",
           members, steps, a.median, 1e9 * a.median / (atof(members) * atof(steps)), b.median,
           x.median, x.low, x.high, y.median);
    reading("ensemble, midpoint", "1 thread, elapsed", alone, TURNS);
    reading("ensemble, midpoint", "2 threads, elapsed", both, TURNS);
    reading("ensemble, midpoint", "2 threads, if both are free", share, TURNS);
}

int main(int count, char **word)
{
    const char *members = count > 1 ? word[1] : quick() ? "20000" : "100000";
    const char *steps = count > 2 ? word[2] : "500";
    static const char *const schemes[] = {"midpoint", "gauss(2)", "gauss(3)"};
    printf("\n## Ensembles\n\nCoupled van der Pol oscillators with random starts and parameters, h "
           "= 0.05: "
           "nanoseconds of processor time per\nmember and step, of the steps alone, in compiled "
           "blocks "
           "and one after the other with the compiled step.\n\n"
           "| scheme | in blocks | one by one | faster | of rounds |\n|---|---|---|---|---|\n");
    for (int i = 0; i < 3; i++) compare(schemes[i], members, steps);
    threads(members, steps);
    return 0;
}
