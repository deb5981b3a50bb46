/* event_values.c - functions of events at a state: rows and their rates, reactions of closed ones,
 * and what events ask for. */
#include "mech/rotation/state.h"
#include "mech/stepper/stepper.h"
#include "model/charts.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>

/* How far a coordinate has come: rotations count as a radian. */
static double extent_of(const dal_system *sys, const double *q, int i)
{
    return sys->turns && sys->turns->of_row[i] >= 0 ? 1 : fabs(q[i]);
}

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
            reach += fabs(x->room.A[e]) * extent_of(sys, at->q, i);
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

/* How far the reaction of friction is from its limit, or the slip from 0, in the direction that it
 * has; along so many rows. */
static double friction_value(const dal_sim *s, const event *e, int row, int rows,
                             const event_values *at)
{
    const events *x = s->events;
    double        slip = 0, reaction = 0, speed = 0, slow = 0;
    for (int r = row; r < row + rows; r++) {
        slip += s->val.parameter[slip_parameter(s->md, r)] * at->row[r];
        speed = hypot(speed, at->row[r]), slow += events_slow(s, r);
        reaction = rows == 1 ? fabs(at->reaction[r]) : hypot(reaction, at->reaction[r]);
    }
    if (!x->closed[row]) /* of two tangents it may rest, held by others */
        return rows == 2 && speed <= slow ? fmax(slip, 0) : slip;
    const double limit = e->kind == EVENT_FRICTION ? at->asked[e->asked]
                                                   : at->asked[e->asked + 1] * at->reaction[e->row];
    return limit - reaction;
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
    case EVENT_FRICTION: return friction_value(s, e, e->row, 1, at);
    case EVENT_SWITCH: return switch_value(s, e, at);
    default: return x->is_true[k] ? HUGE_VAL : -at->asked[e->asked];
    }
}

/* Behind the events come the tangents of contacts that rub. */
static double tangent_value(const dal_sim *s, int k, const event_values *at)
{
    const events *x = s->events;
    const event  *e = &x->at[k];
    const bool    rubs = e->rubs && x->closed[e->row] && at->asked[e->asked + 1] > 0;
    return rubs ? friction_value(s, e, e->row + 1, e->rubs, at) : HUGE_VAL;
}

void events_again(const dal_sim *s, event_values *out)
{
    const events *x = s->events;
    for (int k = 0; k < x->count; k++) {
        out->f[k] = value_of(s, k, out);
        out->f[x->count + k] = tangent_value(s, k, out);
    }
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
    events_again(s, out);
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

/* A rotation between both ends: R_0 exp(y), y the cubic with both spins W,
 *     y(1) = log(R_0^T R_1),   y'(0) = W_0,   y'(1) = W_1 + y x W_1/2 + ...  */
static void join_rotation(const dal_sim *s, int k, double h, double x, double *q, double *v)
{
    const events  *of = s->events;
    const turning *t = of->sys->turns;
    const int      i = t->first[k];
    const double  *W0 = of->v + i, *W1 = events_v(s) + i;
    const vector   y1 = turning_between(t, of->sys->n, k, of->q, events_q(s)),
                 bent = vector_cross(y1, (vector){{W1[0], W1[1], W1[2]}});
    vector y, rate;
    for (int j = 0; j < 3; j++)
        y.x[j] = joined(0, h * W0[j], y1.x[j], h * (W1[j] + bent.x[j] / 2), x, &rate.x[j]);
    const matrix D = chart_rate(y);
    rate = matrix_on(&D, rate);
    for (int j = 0; j < 3; j++) q[i + j] = y.x[j], v[i + j] = rate.x[j] / h;
}

void events_guess(dal_sim *s, double h, double x, event_values *out)
{
    events        *of = s->events;
    const turning *turns = of->sys->turns;
    const double  *q1 = events_q(s), *v1 = events_v(s), *p1 = events_p(s);
    const int      n = of->sys->n, width = turning_width(turns, n);
    double        *q = of->between, *v = q + width, *p = v + width;
    for (int i = 0; i < n; i++) {
        q[i] = joined(of->q[i], h * of->v[i], q1[i], h * v1[i], x, &v[i]);
        v[i] /= h;
    }
    for (int i = 0; i < turning_momenta(turns, n); i++) p[i] = of->p[i] + x * (p1[i] - of->p[i]);
    for (int i = n; i < width; i++) q[i] = of->q[i];
    for (int k = 0; turns && k < turns->count; k++) join_rotation(s, k, h, x, q, v);
    if (turns) turning_take_rows(turns, n, q);
    for (int r = 0; r < of->rows; r++)
        out->reaction[r] =
            of->begin.reaction[r] + x * (of->end.reaction[r] - of->begin.reaction[r]);
    read_point(s, events_run(s)->t + (x - 1) * h, q, v, p, out);
}
