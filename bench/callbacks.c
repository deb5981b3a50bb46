/* callbacks.c - what missing second derivatives cost: a chain of nonlinear springs as functions,
 * with its Hessian, with differences along its pattern, with differences of a full matrix, and each
 * with a Jacobian that is kept (jacobian = broyden). Prints the table of docs/embedding.md. */
#include "dalembert.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    int  n, *start, *column;
    bool full;
    long calls;
} chain;

static double bond(double d)
{
    return d + d * d * d;
}

static double stiffness(double d)
{
    return 1 + 3 * d * d;
}

static void gradient(const chain *c, const dal_point *at, dal_evaluation *out)
{
    for (int i = 0; i < c->n; i++) out->Lq[i] = 0, out->Lv[i] = at->v[i];
    for (int i = 0; i < c->n; i++) {
        const double f = bond(at->q[i] - (i ? at->q[i - 1] : 0));
        out->Lq[i] -= f;
        if (i) out->Lq[i - 1] += f;
    }
}

static void hessian(const chain *c, const dal_point *at, dal_evaluation *out)
{
    const double *q = at->q;
    for (int i = 0; i < c->n; i++)
        for (int k = c->start[i]; k < c->start[i + 1]; k++) {
            const int j = c->column[k], e = c->full ? i * c->n + j : k, high = i > j ? i : j;
            out->Lqv[e] = 0, out->Lvv[e] = i == j;
            out->Lqq[e] = i != j ? stiffness(q[high] - q[high - 1])
                                 : -stiffness(q[i] - (i ? q[i - 1] : 0)) -
                                       (i + 1 < c->n ? stiffness(q[i + 1] - q[i]) : 0);
        }
}

static int eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    chain *c = self;
    c->calls++;
    if (want & DAL_WANT_L) {
        out->L = 0;
        for (int i = 0; i < c->n; i++) {
            const double d = at->q[i] - (i ? at->q[i - 1] : 0);
            out->L += at->v[i] * at->v[i] / 2 - d * d / 2 - d * d * d * d / 4;
        }
    }
    if (want & DAL_WANT_GRADIENT) gradient(c, at, out);
    if (want & DAL_WANT_HESSIAN) hessian(c, at, out);
    return 0;
}

static chain chain_new(int n, bool full)
{
    chain c = {n, malloc(sizeof(int) * (size_t)(n + 1)), malloc(sizeof(int) * 3 * (size_t)n), full,
               0};
    int   k = 0;
    for (int i = 0; i < n; i++) {
        c.start[i] = k;
        for (int j = i ? i - 1 : 0; j <= i + 1 && j < n; j++) c.column[k++] = j;
    }
    c.start[n] = k;
    return c;
}

/* One run; its end goes to q. */
static void measure(const char *name, int n, bool full, unsigned missing, const char *jacobian,
                    const char *steps, double *q, const double *exact)
{
    chain         c = chain_new(n, full);
    double       *v = calloc((size_t)n, sizeof *v), off = 0;
    dal_callbacks made = {.size = sizeof made,
                          .coordinates = n,
                          .v = v,
                          .autonomous = 1,
                          .zero = DAL_F | DAL_LQV,
                          .constant = DAL_LVV,
                          .missing = missing,
                          .self = &c,
                          .eval = eval};
    dal_context  *cx = dal_context_new(NULL);
    dal_options  *o = dal_options_new(cx);
    dal_model    *m = NULL;
    dal_sim      *s = NULL;
    v[n - 1] = 1;
    if (!full) made.hessian = (dal_pattern){c.start, c.column};
    dal_options_set(o, "step", "0.1"), dal_options_set(o, "steps", steps);
    dal_options_set(o, "record", "0"), dal_options_set(o, "monitor", "100");
    dal_options_set(o, "jacobian", jacobian);
    if (!dal_model_from_callbacks(cx, &made, &m) && !dal_sim_new(m, o, &s)) {
        const clock_t begin = clock();
        const long    before = c.calls;
        if (!dal_run(s, NULL)) {
            const double       time = (double)(clock() - begin) / CLOCKS_PER_SEC;
            const dal_summary *sum = dal_summarise(s);
            const double       count = (double)sum->steps;
            for (int i = 0; i < n; i++) {
                if (exact) off = fmax(off, fabs(dal_q(s)[i] - exact[i]));
                q[i] = dal_q(s)[i];
            }
            printf("%-34s %-8s %5.1f iterations %7.1f calls %9.1f us  energy +-%.1e  off %.0e\n",
                   name, jacobian, (double)sum->newton_iterations / count,
                   (double)(c.calls - before) / count, 1e6 * time / count,
                   (sum->energy.max - sum->energy.min) / 2, off);
        }
    }
    dal_report(cx, stderr, 0);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    free(v), free(c.start), free(c.column);
}

int main(void)
{
    static double            exact[1000], q[1000];
    static const char *const kinds[] = {"newton", "broyden"};
    printf("\n## Models made of functions\n\nA chain of nonlinear springs given as C functions: "
           "what missing second derivatives cost, and what a Jacobian "
           "that is kept saves.\n\n```\n");
    for (int n = 20; n <= 1000; n += 980) {
        const char *steps = n == 20 ? "20000" : "1000";
        printf("%schain of %d, a step of the midpoint rule:\n", n == 20 ? "" : "\n", n);
        measure("exact Hessian", n, false, 0, "newton", steps, exact, NULL);
        measure("exact Hessian", n, false, 0, "broyden", steps, q, exact);
        for (int k = 0; k < 2; k++)
            measure("differences along the pattern", n, false, DAL_WANT_HESSIAN, kinds[k], steps, q,
                    exact);
        for (int k = 0; k < 2 && n == 20; k++)
            measure("differences, full", n, true, DAL_WANT_HESSIAN, kinds[k], steps, q, exact);
    }
    printf("```\n");
    return 0;
}
