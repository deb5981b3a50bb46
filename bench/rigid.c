/* rigid.c - a free rigid body by the midpoint rule: as a rotation, compared with what one would
 * write by hand, and as a quaternion with the constraint that its length is 1. */
#include "rigid.h"
#include "bench.h"
#include "problem.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double J[3] = {1, 2, 3}, SPIN[3] = {0.4, 1.5, 0.3}, H = 0.02;

static const char ROTATION[] = "system Body {\n parameter J[3] = [1, 2, 3]\n"
                               " coordinate R : rotation\n"
                               " lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2\n"
                               " start bodyspin(R) = [0.4, 1.5, 0.3]\n}\n";

/*     Omega = 2 Im(conj(q) q') */
static const char QUATERNION[] =
    "system Body {\n parameter J[3] = [1, 2, 3]\n coordinate w, x, y, z\n"
    " let A = 2*(w*x' - x*w' - y*z' + z*y'), B = 2*(w*y' + x*z' - y*w' - z*x'),"
    " C = 2*(w*z' - x*y' + y*x' - z*w')\n"
    " lagrangian (J[1]*A^2 + J[2]*B^2 + J[3]*C^2)/2\n"
    " holonomic w^2 + x^2 + y^2 + z^2 = 1\n"
    " start w = 1, x' = 0.2, y' = 0.75, z' = 0.15\n}\n";

/* Seconds; p: the first three momenta at the end. */
static double run(const char *words, const char *backend, long steps, double *p)
{
    session x = session_new();
    char    number[40];
    snprintf(number, sizeof number, "%.17g", H), dal_options_set(x.o, "step", number);
    snprintf(number, sizeof number, "%ld", steps), dal_options_set(x.o, "steps", number);
    dal_options_set(x.o, "record", "0"), dal_options_set(x.o, "backend", backend);
    if (session_start(&x, "body", words)) dal_report(x.cx, stderr, 0), exit(1);
    const double begin = seconds();
    if (dal_advance(x.s, steps)) dal_report(x.cx, stderr, 0), exit(1);
    const double spent = seconds() - begin;
    memcpy(p, dal_p(x.s), 3 * sizeof *p);
    session_free(&x);
    return spent;
}

static void row(const char *by, const double *t, const double *hand, const char *far)
{
    const timing own = summarise(t, rounds()), to = ratio(t, hand, rounds());
    printf("| %s | %.0f | %.2f | %.2f-%.2f | %s |\n", by, own.median * 1e9, to.median, to.low,
           to.high, far);
    reading("free rigid body, midpoint", by, t, rounds());
}

void rigid_bodies(void)
{
    enum { STEPS = 100000, FEWER = 10000 };
    double native[ROUNDS], vm[ROUNDS], quaternion[ROUNDS], hand[ROUNDS], ours[3], mu[3], p[3];
    double most = 0;
    char   far[32];
    progress("free rigid body", NULL);
    for (int r = 0; r < rounds(); r++) {
        vm[r] = run(ROTATION, "vm", FEWER, p) / FEWER;
        native[r] = run(ROTATION, "native", STEPS, ours) / STEPS;
        hand[r] = rigid_by_hand(J, SPIN, H, STEPS, mu) / STEPS;
        quaternion[r] = run(QUATERNION, "native", STEPS, p) / STEPS;
    }
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(ours[i] - mu[i]));
    snprintf(far, sizeof far, "%.0e", most);
    printf(
        "\n## A free rigid body, midpoint, h = %g\n\nNanoseconds per step; ratios are to the loop "
        "by hand, which solves the same equations of [ROTATION] by Newton's iteration with the\n"
        "exact Jacobian. As a quaternion with the constraint that its length is 1 the same body "
        "takes another map of the same order. The difference\nis in the momentum in body axes "
        "after %d steps, from the loop by hand.\n\n"
        "| by | ns per step | ratio | of rounds | difference |\n|---|---|---|---|---|\n",
        H, STEPS);
    row("dalembert", native, hand, far);
    row("dalembert, vm", vm, hand, "");
    row("by hand", hand, hand, "0");
    row("dalembert, quaternion", quaternion, hand, "");
    fflush(stdout);
}
