/* put.c - what a caller changes between steps: the state, and parameters. */
#include "run/simulation.h"

#include "mech/start/start.h"

#include <math.h>
#include <string.h>

/* The same bits for all coordinates. */
static unsigned char *what_is_given(mem *m, int n, unsigned bits)
{
    unsigned char *given = mem_array(m, n + 1, unsigned char);
    memset(given, (int)bits, (size_t)n);
    return given;
}

/* what has changed, and with it what the stepper must compute anew */
typedef enum { STATE, PARAMETERS } change;

/* Ties depend on the parameters and the start, so that the whole is put again in any case. */
static void put_into_stepper(dal_sim *s, change what, double t, const double *q, const double *p,
                             const double *v)
{
    if (s->full) full_system_set(s->full, s->st, t, q, p, v);
    else if (what == STATE) stepper_move(s->st, t, q, p, v);
    else stepper_set(s->st, t, q, p, v);
    s->now.have = 0;
}

/* Counts begin anew. An end that is a time stays where it is. */
static void begin_anew(dal_sim *s, double t)
{
    plan *p = &s->plan;
    p->from = s->t = t;
    s->k = 0, s->recorded = -1;
    times_restart(s);
    if (!p->by_time || s->pace) return;
    double x = (p->until - t) / p->h, near = round(x);
    double n = fabs(x - near) <= 1e-9 * fmax(1, fabs(x)) ? near : ceil(x);
    p->steps = n > 0 ? (long)n : 0;
}

/* Moves the state along directions without inertia only if it may be projected. */
static dal_status balanced(dal_sim *s)
{
    bool       moved;
    dal_status bad = stepper_balance(s->st, s->allows.project, &moved, &s->why);
    if (bad)
        return diag_error(s->ds, DAL_INVALID, span_none(),
                          bad == DAL_INVALID ? "project-start moves it there" : NULL, "%s",
                          text_str(&s->why));
    return DAL_OK;
}

/* The present state once more, perhaps with another direction of its velocities? */
static bool is_present(dal_sim *s, const double *q, double energy)
{
    static const double ROUNDOFF = 1e-14;
    return !memcmp(q, state_q(s), (size_t)s->sys->n * sizeof *q) &&
           fabs(reading_energy(s) - energy) <= ROUNDOFF * s->now.energy_size;
}

/* A state that is refused leaves the one before. What a run has gathered stays with the state it
 * has led to. */
static dal_status put(dal_sim *s, mem *m, start *at)
{
    const int  n = s->sys->n;
    dal_status bad = start_complete(m, s->sys, at, &s->why);
    if (bad) return diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why));
    monitor_balances(s);
    times_hide(s);
    const double *q = copy_of(m, state_q(s), turning_width(s->sys->turns, n)),
                 *p = copy_of(m, state_p(s), n), *v = copy_of(m, state_v(s), n), before = s->t,
                 energy = reading_energy(s);
    const pace_errors gathered = pace_gathered(s);
    put_into_stepper(s, STATE, at->t, at->q, at->p, at->v);
    bad = balanced(s);
    if (bad) put_into_stepper(s, STATE, before, q, p, v);
    else begin_anew(s, at->t), monitor_restart(s), lyapunov_forget(s), twin_change(s);
    return bad ? bad : pace_restart(s, is_present(s, q, energy) ? &gathered : NULL);
}

/* A number that is none has no step. */
static dal_status all_finite(dal_sim *s, const char *of, const double *x)
{
    for (int i = 0; x && i < s->sys->n; i++) {
        if (isfinite(x[i])) continue;
        text coordinate = text_new(&s->m);
        if (s->sys->coordinate_name) s->sys->coordinate_name(s->sys->self, i, &coordinate);
        else text_printf(&coordinate, "coordinate %d", i + 1);
        diag_error(s->ds, DAL_INVALID, span_none(), "the state stays as it was",
                   "the state is not finite: %s of %s is %g", of, text_str(&coordinate), x[i]);
        text_drop(&coordinate);
        return DAL_INVALID;
    }
    return DAL_OK;
}

/* By v or by p; the other follows from it. */
dal_status simulation_put(dal_sim *s, double t, const double *q, const double *v, const double *p)
{
    const int n = s->sys->n;
    if (!q || !v == !p)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "a state is q with either v or p: give exactly one of the two");
    if (s->sys->turns)
        return diag_error(s->ds, DAL_INVALID, span_none(), "give it by --start, or in the model",
                          "a state with rotations or directions cannot be put");
    if (s->book)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "a ledger is kept from the start on; a new state needs a new simulation");
    if (!isfinite(t))
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL, "the time is not finite");
    if (all_finite(s, "q", q) || all_finite(s, "v", v) || all_finite(s, "p", p)) return DAL_INVALID;
    text_clear(&s->why);
    mem       *m = mem_child(&s->m);
    start      at = {.t = t,
                     .q = copy_of(m, q, n),
                     .v = copy_of(m, v, n),
                     .p = copy_of(m, p, n),
                     .given = what_is_given(m, n, GIVEN_Q | (v ? GIVEN_V : GIVEN_P)),
                     .project = s->allows.project};
    dal_status bad = put(s, m, &at);
    mem_free(m);
    return bad;
}

/* The system as written, and what is solved in its place. */
static dal_status write_parameter(dal_sim *s, mem *m, int index, double value)
{
    s->val.parameter[index] = value;
    if (s->bound) bound_refresh(s->bound);
    return s->full ? full_system_parameters(s->full, m, s->val.parameter, s->ds) : DAL_OK;
}

/* With another parameter the present positions may be none. */
static bool keeps_relations(dal_sim *s, mem *m, const double *q)
{
    return start_holds(m, s->sys, s->t, q, &s->why);
}

/* And directions may lose their inertia, or gain it. */
static bool keeps_inertia(dal_sim *s, const double *q)
{
    if (s->full) full_system_look(s->full, q);
    return stepper_keeps_inertia(s->st, &s->why);
}

/* What was computed from parameters is computed again; the state stays. */
dal_status simulation_set_parameter(dal_sim *s, int index, double value)
{
    const int n = s->sys->n;
    if (s->md && s->md->structural && s->md->structural[index])
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "array sizes depend on this parameter: set it when the model is "
                          "loaded");
    mem          *m = mem_child(&s->m);
    const double *q = copy_of(m, state_q(s), turning_width(s->sys->turns, n)),
                 *p = copy_of(m, state_p(s), n), *v = copy_of(m, state_v(s), n);
    /* kept, to be put back if the value is refused */
    const double      before = s->val.parameter[index], energy = reading_energy(s), t = s->t;
    const pace_errors gathered = pace_gathered(s);
    monitor_balances(s);
    text_clear(&s->why);
    dal_status bad = write_parameter(s, m, index, value);
    if (!bad && (!keeps_relations(s, m, q) || !keeps_inertia(s, q)))
        bad =
            diag_error(s->ds, DAL_INVALID, span_none(),
                       "start a new simulation with it, through the option set",
                       "this value is incompatible with the current state: %s", text_str(&s->why));
    if (bad) write_parameter(s, m, index, before);
    if (bad && s->full) full_system_look(s->full, q);
    if (!bad && s->joint) interaction_forget(s->joint);
    if (!bad) times_hide(s), s->t = t; /* what is shown is now the run's */
    if (!bad) put_into_stepper(s, PARAMETERS, t, q, p, v), twin_change(s);
    if (!bad) defect_jump(s, reading_energy(s) - energy);
    if (!bad) bad = pace_restart(s, &gathered);
    mem_free(m);
    return bad;
}
