/* trial.c - makes a step at once and in two parts, and tells how far apart they end:
 *
 *     d = Phi_h - Phi_{h/2} o Phi_{h/2},    |d_q|_j beside |Z_j|,   |Z . d_p - Z_p . d_q| / h
 *
 * the last being the energy by which the ends differ, whatever makes the system move. */
#include "mech/stepper/trial.h"

#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

void usual_add(usual_steps *u, int n, int lanes, const double *p, const double *z, double h,
               double most)
{
    const double share = 1 / (double)++u->samples;
    double       sum = 0;
    if (most > u->noticed) u->noticed = most, u->then = u->samples > 1 ? u->size : HUGE_VAL;
    for (int j = 0; j < n; j++) {
        sum += fabs(p[j * lanes] * z[j * lanes]);
        u->way[j] += share * (fabs(z[j * lanes]) - u->way[j]);
    }
    u->size += share * (sum / fabs(h) - u->size);
}

bool trial_new(mem *m, step_trial *x, dal_system *sys, const scheme *sch, const step_options *o,
               const double *usual)
{
    step_options alike = *o;
    text         why = text_new(m);
    alike.choose = NULL, alike.threads = 0;
    *x = (step_trial){.usual = usual};
    stepper_new(m, sys, sch, &alike, &x->st, &why);
    double **array[] = {&x->from_q, &x->from_p, &x->v, &x->q, &x->p, &x->mid_q, &x->mid_p};
    for (size_t k = 0; k < sizeof array / sizeof *array && x->st; k++)
        *array[k] = mem_array(m, sys->n + 1, double);
    text_drop(&why);
    return x->st != NULL;
}

void trial_free(step_trial *x)
{
    stepper_free(x->st);
    x->st = NULL;
}

void trial_begin(step_trial *x, double t, double h, const double *q, const double *p,
                 const double *went)
{
    x->t = t, x->h = h;
    for (int j = 0; j < x->st->sys->n; j++)
        x->from_q[j] = q[j], x->from_p[j] = p[j], x->v[j] = went[j] / h;
}

void trial_go_on(step_trial *x)
{
    x->t += x->h;
    for (int j = 0; j < x->st->sys->n; j++) {
        x->v[j] = (x->q[j] - x->from_q[j]) / x->h;
        x->from_q[j] = x->q[j], x->from_p[j] = x->p[j];
    }
}

static bool march(const step_trial *x, int parts)
{
    const size_t bytes = (size_t)x->st->sys->n * sizeof *x->q;
    bool         made = true;
    text         why = text_new(x->st->m);
    stepper_set(x->st, x->t, x->from_q, x->from_p, x->v);
    for (int i = 0; i < parts && made; i++) {
        memcpy(x->mid_q, x->st->q, bytes), memcpy(x->mid_p, x->st->p, bytes);
        made = !stepper_general(x->st, x->t + x->h * i / parts, x->h / parts, &why);
    }
    text_drop(&why);
    return made;
}

double trial_apart(const step_trial *x, const disagreement *by)
{
    static const double HARDLY = 1e-3;
    double              most = 0;
    for (int j = 0; j < x->st->sys->n; j++) most = fmax(most, x->usual[j]);
    const double size = fmax(fmax(by->way, x->usual[by->of]), HARDLY * most);
    return by->off > 0 ? by->off / size : 0;
}

/* Three digits: the others depend on what the solver has solved before. */
static double rounded(double x)
{
    enum { BITS = 10 };
    int          exponent;
    const double digits = frexp(x, &exponent);
    return ldexp(round(ldexp(digits, BITS)), exponent - BITS);
}

trial_end trial_compare(step_trial *x, disagreement *out)
{
    static const double NOISE = 1e-9; /* of a motion */
    const stepper      *st = x->st;
    const size_t        bytes = (size_t)st->sys->n * sizeof *x->q;
    double              turned = 0, late = 0, all = 0, most = NOISE;
    *out = (disagreement){0};
    if (!march(x, 1)) return TRIAL_UNKNOWN;
    memcpy(x->q, st->q, bytes), memcpy(x->p, st->p, bytes);
    if (!march(x, 2)) return TRIAL_PARTS_FAIL;
    for (int j = 0; j < st->sys->n; j++) {
        const double       q = x->from_q[j], p = x->from_p[j], Z = x->q[j] - q, Z_p = x->p[j] - p;
        const double       d = st->q[j] - x->q[j], d_p = st->p[j] - x->p[j];
        const disagreement here = {j, rounded(fabs(d)), rounded(fmax(fabs(Z), fabs(Z + d))), 0, 0};
        const double       apart = here.off > NOISE * fabs(q) ? trial_apart(x, &here) : 0;
        late += 2 * ((st->q[j] - x->mid_q[j]) * d_p - (st->p[j] - x->mid_p[j]) * d);
        turned += Z * d_p - Z_p * d, all += fabs(p * Z);
        if (apart > most) most = apart, *out = here;
    }
    out->size = rounded(fmax(all / fabs(x->h), fabs(st->work)));
    turned = fmax(fabs(turned), fabs(late));
    out->energy = fabs(turned) > NOISE * all ? rounded(fabs(turned / x->h)) : 0;
    return TRIAL_MADE;
}
