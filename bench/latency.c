/* latency.c - the time from a text to its first step: with the virtual machine, with native code
 * that must be compiled, and with cached native code. Wall time, since a compiler is another
 * process. */
#include "bench.h"
#include "dalembert.h"
#include "problem.h"

#include <stdio.h>
#include <time.h>

/* A number in the model makes a text that was never compiled. */
static double first_step(const char *backend, double number)
{
    char         words[512];
    double       begin = elapsed();
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    snprintf(words, sizeof words,
             "system P {\n coordinate a, b\n"
             " lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + %.17g*cos(a) + 9.81*cos(b)\n"
             " start a = 1\n}\n", 19.62 + number);
    dal_options_set(o, "step", "0.01"), dal_options_set(o, "steps", "100"),
        dal_options_set(o, "backend", backend);
    if (dal_model_parse(cx, "pendulum", words, o, &m) || dal_sim_new(m, o, &s) || dal_step(s))
        dal_report(cx, stderr, 0);
    double spent = elapsed() - begin;
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return spent;
}

static void print(const char *what, double *t, double most)
{
    timing x = summarise(t, rounds());
    printf("| %s | %.2f | %.2f | %.0f |\n", what, 1e3 * x.median, x.spread, most);
    reading("first step", what, t, rounds());
}

void latencies(void)
{
    double vm[ROUNDS], fresh[ROUNDS], kept[ROUNDS], odd = (double)time(NULL) * 1e-12;
    progress("first steps", NULL);
    for (int r = 0; r < rounds(); r++) {
        vm[r] = first_step("vm", odd + r * 1e-6);
        fresh[r] = first_step("native", odd + r * 1e-6);
        kept[r] = first_step("native", odd + r * 1e-6);
    }
    printf("\n## From the text of a double pendulum to its first step\n\nWall milliseconds.\n\n"
           "| back end | median | spread | should be below |\n|---|---|---|---|\n");
    print("vm", vm, 10), print("native, compiled", fresh, 150), print("native, kept", kept, 10);
}
