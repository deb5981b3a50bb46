/* halved.c - a run by the energy principle with half the length. Where energy decides no
 * length it goes on with that one, as any step has the order of the scheme. The state at a time
 * between two grid points is that of a step of the ordinary principle. */
#include "run/halved.h"

#include "mech/stepper/stepper.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

struct halved_run {
    dal_sim *run;
    stepper *st, *aside;   /* of its steps; and of the part of one */
    double   h, t0;        /* the first length; where the last step began, */
    double  *q0, *p0, *v0; /* and its state                                */
    double   made;
    text     why;
};

static void end_steppers(void *self)
{
    halved_run *x = self;
    stepper_free(x->st), stepper_free(x->aside);
}

static step_options half_of(const dal_sim *s, double h)
{
    step_options o = s->plan.method;
    o.choose = NULL, o.threads = 0, o.step = h / 2;
    o.solver = s->st->options.solver; /* the plan's is its caller's, who may have freed it */
    o.least_step /= 2, o.most_step /= 2;
    return o;
}

static step_options fixed(step_options o)
{
    o.principle = DIRAC_PLUS, o.momentum = MOMENTUM_PROJECTED, o.power = POWER_NODES;
    o.least_step = o.most_step = 0;
    return o;
}

halved_run *halved_begin(mem *m, dal_sim *s, const halved_from *from)
{
    dal_system        *sys = state_solved(s);
    const step_options half = half_of(s, from->h), ordinary = fixed(half);
    halved_run        *x = mem_array(m, 1, halved_run);
    *x = (halved_run){.run = s, .h = half.step, .t0 = from->t, .why = text_new(m)};
    double **room[] = {&x->q0, &x->p0, &x->v0};
    for (int k = 0; k < 3; k++) *room[k] = mem_array(m, sys->n, double);
    mem_at_end(m, end_steppers, x);
    if (stepper_new(m, sys, &s->plan.scheme, &half, &x->st, &x->why) ||
        stepper_new(m, sys, &s->plan.scheme, &ordinary, &x->aside, &x->why))
        return NULL;
    stepper_set(x->st, x->t0, from->q, from->p, from->v);
    return x;
}

static dal_status step(halved_run *x)
{
    const double      never = x->h < 0 ? -HUGE_VAL : HUGE_VAL;
    const steps_asked one = {.from = x->t0, .h = x->h, .count = 1, .until = never};
    steps_made        out = {0};
    return stepper_advance(x->st, &one, &out, &x->why);
}

/* One step, from a state that is kept. */
static bool advance_one(halved_run *x)
{
    const size_t bytes = (size_t)x->st->sys->n * sizeof(double);
    x->t0 = stepper_time(x->st);
    memcpy(x->q0, x->st->q, bytes), memcpy(x->p0, x->st->p, bytes);
    memcpy(x->v0, stepper_v(x->st), bytes);
    dal_status bad = step(x);
    if (bad == DAL_BREAKDOWN) text_clear(&x->why), stepper_hold(x->st), bad = step(x);
    x->made++;
    return !bad;
}

const double *halved_at(halved_run *x, double t, double steps)
{
    enum { TOO_MANY = 8 }; /* times the steps of the run */
    const double towards = x->h < 0 ? -1 : 1, rest = plan_rest(&x->run->plan);
    while ((t - stepper_time(x->st)) * towards > rest)
        if (x->made >= TOO_MANY * steps || !advance_one(x)) return NULL;
    if (fabs(t - stepper_time(x->st)) <= rest) return x->st->q;
    stepper_set(x->aside, x->t0, x->q0, x->p0, x->v0);
    return stepper_step(x->aside, x->t0, t - x->t0, &x->why) ? NULL : x->aside->q;
}
