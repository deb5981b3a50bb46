/* tangent.c - the tangent of a simulation's next step, in the coordinates of the model.
 *                                                                              theory.md [TANGENT]
 * It has a stepper of its own for the system as it was written, with its ties as relations: the
 * reduced system has the same motion but other coordinates. So the simulation is not affected, and
 * fast paths of its stepper need not know of tangents. */
#include "mech/tangent/tangent.h"

#include "run/simulation.h"

/* a stepper of its own for the system as written */
typedef struct sim_tangent {
    bound          *own; /* NULL: that of the simulation */
    stepper        *st;
    tangent        *is;
    step_direction *along;
    size_t          room;
} sim_tangent;

/* Ties are relations here, but for those that repeat others. */
static dal_system *written_system(dal_sim *s, sim_tangent *t)
{
    if (s->joint) return interaction_system(s->joint);
    if (!s->kept) return s->sys;
    t->own = bound_new(&s->m, s->kept->compiled, s->val.parameter, s->val.input);
    const input_course along = tracks_course(&s->follow);
    if (s->follow.n) bound_follow(&s->m, t->own, &along);
    return bound_system(t->own);
}

/* Once for a simulation, when a tangent is first asked for. */
static dal_status make(dal_sim *s)
{
    if (s->events)
        return diag_error(s->ds, DAL_INVALID, s->events->at[0].at,
                          "with switches = free steps pass over branches and have one",
                          "steps with events have no tangent");
    if (s->pace)
        return diag_error(s->ds, DAL_INVALID, s->plan.pace.at, "leave out the pace",
                          "steps that follow a pace have no tangent: their length moves with the "
                          "state");
    step_options how = s->plan.method;
    how.solver = NULL;
    sim_tangent *t = mem_array(&s->m, 1, sim_tangent);
    dal_status   bad =
        stepper_new(&s->m, written_system(s, t), &s->plan.scheme, &how, &t->st, &s->why);
    if (!bad) bad = tangent_new(&s->m, t->st, &t->is, &s->why);
    if (bad) {
        stepper_free(t->st);
        return diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why));
    }
    s->tangent = t;
    return DAL_OK;
}

void simulation_tangent_end(dal_sim *s)
{
    if (!s->tangent) return;
    tangent_free(s->tangent->is);
    stepper_free(s->tangent->st);
    s->tangent = NULL;
}

/* Room grows only when more directions are asked for than before. */
static void take_directions(dal_sim *s, size_t count, const dal_direction *along)
{
    sim_tangent *t = s->tangent;
    if (count > t->room)
        t->along = mem_resize(&s->m, t->along, count * sizeof *t->along), t->room = count;
    for (size_t c = 0; c < count; c++)
        t->along[c] = (step_direction){along[c].q,         along[c].p,     along[c].t, along[c].h,
                                       along[c].parameter, along[c].input, along[c].E};
}

/* (q, p), and with the energy principle (t, E). */
size_t simulation_tangent_width(const dal_sim *s)
{
    return 2 * (size_t)s->sys->n + (s->plan.method.principle == ENERGY ? 2 : 0);
}

/* pairs become directions that the relations allow, at the present state. */
dal_status simulation_consistent(dal_sim *s, int count, double *pairs)
{
    dal_status bad = s->tangent ? DAL_OK : make(s);
    if (bad) return bad;
    text_clear(&s->why);
    stepper_set(s->tangent->st, s->t, state_q(s), state_p(s), state_v(s));
    bad = tangent_consistent(s->tangent->is, count, pairs, &s->why);
    return bad ? diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why)) : DAL_OK;
}

/* A step that the energy does not decide is made as the run will make it. */
static dal_status of_next_step(dal_sim *s, int count, double *out)
{
    sim_tangent *t = s->tangent;
    dal_status   bad = tangent_step(t->is, s->t, s->plan.h, count, t->along, out, &s->why);
    if (bad != DAL_BREAKDOWN || s->plan.breakdown == BREAKDOWN_STOPS) return bad;
    text_clear(&s->why);
    if (s->plan.breakdown == BREAKDOWN_RESETS) stepper_reset(t->st);
    else stepper_hold(t->st);
    return tangent_step(t->is, s->t, s->plan.h, count, t->along, out, &s->why);
}

/* out: count rows of simulation_tangent_width numbers. The simulation itself does not move. */
dal_status simulation_tangent(dal_sim *s, size_t count, const dal_direction *along, double *out)
{
    dal_status bad = s->tangent ? DAL_OK : make(s);
    if (!s->tangent) return bad;
    sim_tangent *t = s->tangent;
    take_directions(s, count, along);
    text_clear(&s->why);
    if (t->own) bound_refresh(t->own);
    stepper_set(t->st, s->t, state_q(s), state_p(s), state_v(s));
    stepper_adopt_energy(t->st, s->st);
    bad = of_next_step(s, (int)count, out);
    if (!bad) return DAL_OK;
    return diag_error(s->ds, bad, span_none(), NULL, "the tangent of step %ld: %s", s->k + 1,
                      text_str(&s->why));
}
