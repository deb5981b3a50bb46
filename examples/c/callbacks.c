/* callbacks.c - a model made of functions: a chain of 1000 masses, whose springs are a function in
 * C that also knows where it ends. Second derivatives are left to differences, along a tridiagonal
 * pattern. */
#include <dalembert.h>

#include <math.h>
#include <string.h>

enum { N = 1000 };

typedef struct {
    double stiffness, ripple, limit;
} spring;

static double energy(const spring *s, double d)
{
    return s->stiffness * d * d / 2 + s->ripple * (1 - cos(10 * d));
}

static double force(const spring *s, double d)
{
    return s->stiffness * d + 10 * s->ripple * sin(10 * d);
}

/* L = sum v_i^2/2 - energy(q_i - q_i-1); only reads *self, so that threads may share it */
static int chain(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const spring *s = self;
    double        L = 0;
    if (want & DAL_WANT_GRADIENT) {
        memset(out->Lq, 0, N * sizeof *out->Lq);
        memcpy(out->Lv, at->v, N * sizeof *out->Lv);
    }
    for (int i = 0; i < N; i++) {
        const double d = at->q[i] - (i > 0 ? at->q[i - 1] : 0);
        if (fabs(d) > s->limit) {
            snprintf(out->why, sizeof out->why, "spring %d breaks: it is stretched by %.3g", i + 1,
                     d);
            return 1;
        }
        L += at->v[i] * at->v[i] / 2 - energy(s, d);
        if (!(want & DAL_WANT_GRADIENT)) continue;
        out->Lq[i] -= force(s, d);
        if (i > 0) out->Lq[i - 1] += force(s, d);
    }
    if (want & DAL_WANT_L) out->L = L;
    return 0;
}

int main(void)
{
    static int    start[N + 1], column[3 * N];
    static double v[N];
    spring        springs = {.stiffness = 10, .ripple = 0.05, .limit = 1};
    for (int i = 0, k = 0; i < N; start[++i] = k)
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) column[k++] = j;
    v[N - 1] = 1; /* its end is struck */

    dal_callbacks made = {.size = sizeof made,
                          .name = "Chain",
                          .coordinates = N,
                          .v = v,
                          .autonomous = 1,
                          .hessian = {start, column},
                          .zero = DAL_F | DAL_LQV,
                          .constant = DAL_LVV,
                          .missing = DAL_WANT_HESSIAN,
                          .self = &springs,
                          .eval = chain};
    dal_context  *cx = dal_context_new(NULL);
    dal_options  *o = dal_options_new(cx);
    dal_model    *m = NULL;
    dal_sim      *s = NULL;
    dal_options_set(o, "step", "0.05"), dal_options_set(o, "until", "10");
    if (!dal_model_from_callbacks(cx, &made, &m) && !dal_sim_new(m, o, &s) && !dal_run(s, NULL)) {
        const dal_summary *sum = dal_summarise(s);
        printf("energy %.3f between %.3f and %.3f; %s solver, %.1f iterations a step\n",
               sum->energy.first, sum->energy.min, sum->energy.max, sum->solver,
               (double)sum->newton_iterations / (double)sum->steps);
    }
    dal_report(cx, stderr, 0);
    int failed = !s || dal_steps(s) != dal_steps_planned(s);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return failed;
}
