/* latency.c - the time from a text to its first step: with the virtual machine, with native code
 * that must be compiled, and with cached native code. Wall time, since a compiler is another
 * process. */
#include "bench.h"
#include "problem.h"
#include "session.h"

#include <stdio.h>
#include <time.h>

static const char PENDULUM[] =
    "system P {\n coordinate a, b\n"
    " lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + (19.62 + %.17g)*cos(a) + 9.81*cos(b)\n"
    " start a = 1\n}\n";
static const char ARM[] =
    "system Arm {\n parameter N = 6\n coordinate th[N]\n"
    " let X[k in 1..N] = sum(j in 1..k: sin(th[j])), Y[k in 1..N] = -sum(j in 1..k: cos(th[j]))\n"
    " lagrangian sum(k in 1..N: (X[k]'^2 + Y[k]'^2)/2 - (9.81 + %.17g)*Y[k])\n"
    " for k in 1..N { start th[k] = 0.5 }\n}\n";

/* A number in the model makes a text that was never compiled. */
static double first_step(const char *model, const char *scheme, const char *backend, double number)
{
    char    words[512];
    double  begin = elapsed();
    session x = session_new();
    snprintf(words, sizeof words, model, number);
    dal_options_set(x.o, "step", "0.01"), dal_options_set(x.o, "steps", "100"),
        dal_options_set(x.o, "backend", backend), dal_options_set(x.o, "scheme", scheme);
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
    double vm[ROUNDS], fresh[ROUNDS], kept[ROUNDS], arm[ROUNDS], stages[ROUNDS],
        odd = (double)time(NULL) * 1e-12;
    progress("first steps", NULL);
    for (int r = 0; r < rounds(); r++) {
        const double number = odd + r * 1e-6;
        vm[r] = first_step(PENDULUM, "midpoint", "vm", number);
        fresh[r] = first_step(PENDULUM, "midpoint", "native", number);
        kept[r] = first_step(PENDULUM, "midpoint", "native", number);
        arm[r] = first_step(ARM, "midpoint", "native", number);
        stages[r] = first_step(ARM, "gauss(4)", "native", number);
    }
    printf("\n## From the text of a double pendulum to its first step\n\nWall milliseconds; also of an "
           "arm of 6 links.\n\n"
           "| back end | median | spread | should be below |\n|---|---|---|---|\n");
    print("vm", vm, 10), print("native, compiled", fresh, 150), print("native, kept", kept, 10);
    print("6 links, compiled", arm, 500), print("6 links, gauss(4), compiled", stages, 2000);
}
