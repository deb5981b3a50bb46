/* event_values.c - functions of events at a state: rows and their rates, reactions of closed ones,
 * and what events ask for. */
#include "mech/stepper/stepper.h"
#include "model/charts.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>

/* Rows of all events at a point: g, A v + b, sum |A_i v_i|. */
static void read_rows(dal_sim *s, const sys_point *at, event_values *out)
{
    events     *x = s->events;
    dal_system *sys = x->sys;
    if (!x->rows) return;
    if (sys->eval(sys->self, WANT_RELATIONS | (sys->r ? WANT_HOLONOMIC : 0u), 1, at, &x->room))
        x->room.e[0] = NAN;
    for (int r = 0; r < x->rows; r++) {
        const int a = x->row_at[r];
        out->rate[r] = x->room.e[a];
        out->row[r] = a >= sys->m ? x->room.g[a - sys->m] : x->room.e[a];
        double reach = 0;
        out->size[r] = 0;
        for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++) {
            const int i = sys->A.column[e];
            out->size[r] += fabs(x->room.A[e] * at->v[i]);
            reach += fabs(x->room.A[e] * at->q[i]);
        }
        x->reach[r] = fmax(x->reach[r], reach), x->speed[r] = fmax(x->speed[r], out->size[r]);
        out->rest[r] = 16 * DBL_EPSILON * (a >= sys->m ? x->reach[r] : x->speed[r]);
    }
}

static void read_reactions(dal_sim *s, double *out)
{
    events *x = s->events;
    for (int r = 0; r < x->rows; r++) out[r] = 0;
    if (!x->now) return;
    const double *lam = state_multipliers(x->now->run);
    for (int r = 0; r < x->rows; r++)
        if (x->now->relation[r] >= 0) out[r] = lam[x->now->relation[r]];
    events_share(s, x->now, out);
}

/* How far the reaction of friction is from its limit, or the slip from 0. */
static double friction_value(const dal_sim *s, const event *e, int row, const event_values *at)
{
    const events *x = s->events;
    const double  slip = s->val.parameter[slip_parameter(s->md, row)];
    if (!x->closed[row]) return slip * at->row[row];
    const double limit = e->kind == EVENT_FRICTION ? at->asked[e->asked]
                                                   : at->asked[e->asked + 1] * at->reaction[e->row];
    return limit - fabs(at->reaction[row]);
}

static double switch_value(const dal_sim *s, const event *e, const event_values *at)
{
    const double flag = s->val.parameter[e->flag], phi = at->asked[e->asked];
    if (s->events->caught[e - s->events->at]) return HUGE_VAL;
    return e->counts ? fmin(phi - flag, flag + 1 - phi) : flag * phi;
}

/* >= 0 while the present state of the event lasts. */
static double value_of(const dal_sim *s, int k, const event_values *at)
{
    const events *x = s->events;
    const event  *e = &x->at[k];
    switch (e->kind) {
    case EVENT_CONTACT:
    case EVENT_ONE_SIDED: return x->closed[e->row] ? at->reaction[e->row] : at->row[e->row];
    case EVENT_FRICTION: return friction_value(s, e, e->row, at);
    case EVENT_SWITCH: return switch_value(s, e, at);
    default: return x->is_true[k] ? HUGE_VAL : -at->asked[e->asked];
    }
}

/* Behind the events come the tangents of contacts that rub. */
static double tangent_value(const dal_sim *s, int k, const event_values *at)
{
    const events *x = s->events;
    const event  *e = &x->at[k];
    return e->rubs && x->closed[e->row] ? friction_value(s, e, e->row + 1, at) : HUGE_VAL;
}

/* Where reactions are those of `out` already. */
static void read_point(dal_sim *s, double t, const double *q, const double *v, const double *p,
                       event_values *out)
{
    events    *x = s->events;
    const bool phase = x->sys->hamiltonian;
    for (int i = 0; i < x->sys->n && phase; i++) x->w[i] = x->sys->hamiltonian[i] ? p[i] : v[i];
    if (x->sys->charts) charts_look(x->sys, q + x->sys->n);
    const sys_point at = {.t = t, .q = q, .w = phase ? x->w : v, .v = v};
    read_rows(s, &at, out);
    if (s->md->asked) bound_outputs(x->bound, t, q, v, p, x->none, out->asked);
    for (int k = 0; k < x->count; k++) {
        out->f[k] = value_of(s, k, out);
        out->f[x->count + k] = tangent_value(s, k, out);
    }
}

void events_read(dal_sim *s, event_values *out)
{
    read_reactions(s, out->reaction);
    read_point(s, events_run(s)->t, events_q(s), events_v(s), events_p(s), out);
}

/* One coordinate between both ends, x in 0..1: the cubic that has both velocities. */
static double joined(double q0, double hv0, double q1, double hv1, double x, double *slope)
{
    const double A = q1 - q0 - hv0, B = hv1 - hv0, c2 = 3 * A - B, c3 = B - 2 * A;
    *slope = hv0 + x * (2 * c2 + 3 * c3 * x);
    return q0 + x * (hv0 + x * (c2 + c3 * x));
}

void events_guess(dal_sim *s, double h, double x, event_values *out)
{
    events       *of = s->events;
    const double *q1 = events_q(s), *v1 = events_v(s), *p1 = events_p(s);
    const int     n = of->sys->n;
    double       *q = of->between, *v = q + n, *p = v + n;
    for (int i = 0; i < n; i++) {
        q[i] = joined(of->q[i], h * of->v[i], q1[i], h * v1[i], x, &v[i]);
        v[i] /= h, p[i] = of->p[i] + x * (p1[i] - of->p[i]);
    }
    for (int r = 0; r < of->rows; r++)
        out->reaction[r] =
            of->begin.reaction[r] + x * (of->end.reaction[r] - of->begin.reaction[r]);
    read_point(s, events_run(s)->t + (x - 1) * h, q, v, p, out);
}
