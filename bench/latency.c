/* latency.c - the time from a text to its first step: with the virtual machine, with native code
 * that must be compiled, and with cached native code. Wall time, since a compiler is another
 * process. */
#include "bench.h"
#include "problem.h"
#include "session.h"

#include <stdio.h>
#include <time.h>

/* A number in the model makes a text that was never compiled. */
static double first_step(const char *backend, double number)
{
    char    words[512];
    double  begin = elapsed();
    session x = session_new();
    snprintf(words, sizeof words,
             "system P {\n coordinate a, b\n"
             " lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + %.17g*cos(a) + 9.81*cos(b)\n"
             " start a = 1\n}\n", 19.62 + number);
    dal_options_set(x.o, "step", "0.01"), dal_options_set(x.o, "steps", "100"),
        dal_options_set(x.o, "backend", backend);
    if (session_start(&x, "pendulum", words) || dal_step(x.s)) dal_report(x.cx, stderr, 0);
    double spent = elapsed() - begin;
    session_free(&x);
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
