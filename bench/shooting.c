/* shooting.c - what a step along a curve that is shot costs beside one of gauss(2), of the same
 * order: a Kepler orbit and a double pendulum. */
#include "bench.h"
#include "problem.h"
#include "session.h"

#include <math.h>
#include <stdio.h>

static const char KEPLER[] = "system K {\n coordinate x, y\n"
                             " lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                             " start x = 0.4, y' = 2\n}\n";
static const char PENDULUM[] = "system P {\n coordinate a, b\n"
                               " lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*cos(a) + cos(b)\n"
                               " start a = 1, b = -0.5\n}\n";

static const char *const schemes[] = {"gauss(2)", "shooting(taylor(4)) with simpson",
                                      "shooting(rk4) with simpson", "shooting(rk4) with gauss(2)"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, STEPS = 20000 };

/* Seconds a step, after some that are not counted; huge if they cannot be made. */
static double a_step(const char *model, const char *scheme)
{
    session x = session_new();
    double  spent = HUGE_VAL;
    dal_options_set(x.o, "step", "0.05"), dal_options_set(x.o, "steps", "1000000");
    dal_options_set(x.o, "backend", "native"), dal_options_set(x.o, "scheme", scheme);
    if (!session_start(&x, "shooting", model) && !dal_advance(x.s, 20)) {
        const double begin = seconds();
        if (!dal_advance(x.s, STEPS)) spent = (seconds() - begin) / STEPS;
    }
    session_free(&x);
    return spent;
}

static void compare(const char *title, const char *model)
{
    double t[SCHEMES][ROUNDS];
    progress("shooting", title);
    for (int r = 0; r < rounds(); r++)
        for (int k = 0; k < SCHEMES; k++) t[k][r] = a_step(model, schemes[k]);
    for (int k = 0; k < SCHEMES; k++) {
        const timing x = ratio(t[k], t[0], rounds());
        printf("| %s | %s | %.0f | %.2f | %.2f-%.2f |\n", k ? "" : title, schemes[k],
               1e9 * summarise(t[k], rounds()).median, x.median, x.low, x.high);
        reading(title, schemes[k], t[k], rounds());
    }
}

void shots(void)
{
    printf(
        "\n## Curves that are shot\n\nNanoseconds of processor time a step, h = 0.05; the ratio is "
        "to gauss(2), which has the same order.\n\n"
        "| problem | scheme | ns per step | ratio | of rounds |\n|---|---|---|---|---|\n");
    compare("Kepler, shot", KEPLER), compare("double pendulum, shot", PENDULUM);
}
