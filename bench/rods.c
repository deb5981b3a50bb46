/* rods.c - rods with ball joints, as bodies with relations: 30 of them to an accuracy, beside
 * Simbody, and what a step costs as they become many. */
#include "rods.h"
#include "bench.h"
#include "problem.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char RODS[] =
    "system Rod {\n coordinate x[3], R : rotation\n parameter l = %g, r = %g\n"
    " let A = x + R*[0, 0, l/2], B = x - R*[0, 0, l/2], W = bodyspin(R)\n"
    " lagrangian dot(x', x')/2 + (l^2/12 + r^2/4)/2*(W[1]^2 + W[2]^2) + r^2/4*W[3]^2 - %g*x[3]\n}\n"
    "system Rods {\n parameter N = %d\n part rod[N] : Rod\n"
    " holonomic top: rod[1].A = [0, 0, 0]\n for k in 1..N-1 { connect rod[k].B = rod[k+1].A }\n"
    " for k in 1..N { start rod[k].R = rotation([cos(k), sin(k), 0], %g), rod[k].x = [0, 0, 0] free "
    "}\n}\n";

/* Seconds for so many steps of length h, huge if they cannot be made; end: the centres, if they are
 * asked for. */
static double by_dalembert(int rods, const char *scheme, double h, long steps, double *end)
{
    session x = session_new();
    char    number[40], words[1024];
    snprintf(words, sizeof words, RODS, ROD_LENGTH, ROD_RADIUS, ROD_GRAVITY, rods, ROD_TILT);
    snprintf(number, sizeof number, "%.17g", h), dal_options_set(x.o, "step", number);
    snprintf(number, sizeof number, "%ld", steps), dal_options_set(x.o, "steps", number);
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "scheme", scheme);
    if (session_start(&x, "rods", words)) dal_report(x.cx, stderr, 0), exit(1);
    const double begin = seconds();
    const int    failed = dal_advance(x.s, steps) != 0;
    const double spent = failed ? HUGE_VAL : seconds() - begin;
    for (int k = 0; end && !failed && k < 3 * rods; k++) {
        snprintf(number, sizeof number, "rod[%d].x[%d]", k / 3 + 1, k % 3 + 1);
        if (dal_measure(x.s, number, &end[k])) dal_report(x.cx, stderr, 0), exit(1);
    }
    session_free(&x);
    return spent;
}

/* To an accuracy. ------------------------------------------------------------------------------ */

enum { FEW = 30, SLOWEST = 400 };
static const double ERROR_MOST = 1e-6;

static double apart(const double *a, const double *b)
{
    double most = 0;
    for (int k = 0; k < 3 * FEW; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* Steps until time 1 with which the end is that accurate, the fewest by tenths. */
static long find_steps(const double *exact)
{
    double end[3 * FEW];
    for (long steps = 60; steps < SLOWEST; steps += steps / 10) {
        const double t = by_dalembert(FEW, "gauss(3)", 1.0 / (double)steps, steps, end);
        if (isfinite(t) && apart(end, exact) <= ERROR_MOST) return steps;
    }
    return SLOWEST;
}

static void row(const char *by, const char *with, const double *t, const double *other, double far)
{
    const timing own = summarise(t, rounds()), to = ratio(t, other, rounds());
    printf("| %s | %s | %.1f | %.2f | %.2f-%.2f | %.0e |\n", by, with, own.median * 1e3, to.median,
           to.low, to.high, far);
    reading("30 rods with ball joints, to 1e-06", by, t, rounds());
}

#ifdef WITH_SIMBODY
static double find_tolerance(const double *exact)
{
    double end[3 * FEW], tolerance = 1e-5;
    for (int k = 0; k < 40; k++, tolerance *= 0.7) {
        rods_by_simbody(FEW, tolerance, end);
        if (apart(end, exact) <= ERROR_MOST) break;
    }
    return tolerance;
}
#endif

static void to_accuracy(void)
{
    double exact[3 * FEW], ours_end[3 * FEW], ours_t[ROUNDS];
    char   with[40];
    by_dalembert(FEW, "gauss(4)", 1.0 / SLOWEST, SLOWEST, exact);
    const long steps = find_steps(exact);
#ifdef WITH_SIMBODY
    double       other_end[3 * FEW], other_t[ROUNDS];
    const double tolerance = find_tolerance(exact);
#endif
    for (int r = 0; r < rounds(); r++) {
        ours_t[r] = by_dalembert(FEW, "gauss(3)", 1.0 / (double)steps, steps, ours_end);
#ifdef WITH_SIMBODY
        other_t[r] = rods_by_simbody(FEW, tolerance, other_end);
#endif
    }
    printf(
        "\n## 30 rods with ball joints, to %g\n\nMilliseconds of processor time until T = 1, "
        "without set-up, with the longest step or largest tolerance by which all centres are that\n"
        "accurate. dalembert has bodies and relations; Simbody angles relative to each other. "
        "The ratio is to %s.\n\n"
        "| by | with | ms | ratio | of rounds | error |\n|---|---|---|---|---|---|\n",
        ERROR_MOST,
#ifdef WITH_SIMBODY
        "Simbody"
#else
        "itself: Simbody is not installed, and was not measured"
#endif
    );
    snprintf(with, sizeof with, "gauss(3), h = 1/%ld", steps);
#ifdef WITH_SIMBODY
    row("dalembert", with, ours_t, other_t, apart(ours_end, exact));
    snprintf(with, sizeof with, "Merson, tolerance %.1e", tolerance);
    row("Simbody", with, other_t, other_t, apart(other_end, exact));
#else
    row("dalembert", with, ours_t, ours_t, apart(ours_end, exact));
#endif
}

/* Many. ---------------------------------------------------------------------------------------- */

static void many(void)
{
    static const int of[] = {10, 100, 1000, 10000};
    const int        sizes = quick() ? 3 : 4;
    printf("\nMicroseconds of a rod and step, midpoint, h = 0.002, as they become many:\n\n"
           "| rods | us | of rounds |\n|---|---|---|\n");
    for (int k = 0; k < sizes; k++) {
        const long steps = of[k] > 1000 ? 10 : 100000 / of[k] > 1000 ? 1000 : 100000 / of[k];
        double     t[ROUNDS];
        char       title[60];
        snprintf(title, sizeof title, "rods with ball joints, midpoint, %d", of[k]);
        progress(title, NULL);
        for (int r = 0; r < rounds(); r++)
            t[r] = by_dalembert(of[k], "midpoint", 0.002, steps, NULL) / (double)steps;
        const timing own = summarise(t, rounds());
        printf("| %d | %.2f | %.2f-%.2f |\n", of[k], own.median / of[k] * 1e6,
               own.low / of[k] * 1e6, own.high / of[k] * 1e6);
        reading(title, "dalembert", t, rounds());
    }
}

void rods(void)
{
    progress("30 rods with ball joints", NULL);
    to_accuracy();
    many();
    fflush(stdout);
}
