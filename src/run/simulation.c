/* simulation.c - a simulation is made in one pass, from the numbers of the model to a stepper at its start. */
#include "run/simulation.h"

#include "mech/start.h"


static dal_status follow_inputs(dal_sim *s, const request *r)
{
    s->follow = (tracks){r->inputs, mem_array(&s->m, r->inputs, track)};
    for (int i = 0; i < r->inputs; i++) {
        dal_status bad = track_read(&s->m, s->md, &r->input[i], s->ds, &s->follow.at[i]);
        if (bad) return bad;
    }
    if (r->inputs) bound_input_from(s->bound, tracks_at, &s->follow);
    return DAL_OK;
}

/* Shows where the start was moved to; only the coordinates of a small system. */
static void note_start(dal_sim *s)
{
    enum { SHOWN = 12 };
    text all = text_new(&s->m);
    for (int i = 0; i < s->sys->n && i < SHOWN; i++) {
        text_add(&all, i ? ", " : "");
        s->sys->coordinate_name(s->sys->self, i, &all);
        text_printf(&all, " = %.17g, ", s->val.q[i]);
        s->sys->coordinate_name(s->sys->self, i, &all);
        text_printf(&all, "' = %.17g", s->val.v[i]);
    }
    diag_note(s->ds, span_none(), NULL, "the start was moved to satisfy the relations: %s%s", text_str(&all),
              s->sys->n > SHOWN ? ", ..." : "");
    text_drop(&all);
}

static dal_status put_start(dal_sim *s, const request *r)
{
    start at = {.t = s->plan.from,
                .q = s->val.q,
                .v = s->val.v,
                .p = s->val.p,
                .given = s->val.given,
                .project = r->project_start};
    dal_status bad = start_complete(&s->m, s->sys, &at, &s->why);
    if (bad) return diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why));
    if (at.moved) note_start(s);
    stepper_set(s->st, at.t, at.q, at.p, at.v);
    return DAL_OK;
}

static dal_status make_stepper(dal_sim *s)
{
    dal_status bad = stepper_new(&s->m, s->sys, &s->plan.scheme, &s->plan.method, &s->st, &s->why);
    return bad ? diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why)) : DAL_OK;
}

dal_status simulation_start(dal_sim *s, const model *md, const compiled *c, const request *r)
{
    double begin = now_seconds();
    s->md = md, s->compiled = c, s->recorded = -1;
    s->why = text_new(&s->m), s->line = text_new(&s->m);
    dal_status bad = md->evaluate(md, &r->over, s->ds, &s->m, &s->val);
    if (!bad) bad = plan_make(&s->plan, r, &s->val, s->ds, &s->m);
    if (bad) return bad;
    s->t = s->plan.from;
    s->bound = bound_new(&s->m, c, s->val.parameter, s->val.input);
    s->sys = bound_system(s->bound);
    bad = follow_inputs(s, r);
    if (!bad) bad = make_stepper(s);
    if (!bad) bad = put_start(s, r);
    if (!bad) bad = columns_choose(s);
    if (bad) return bad;
    readings_init(s);
    monitor_init(s, NULL, 0);
    monitor_take(s);
    s->mon.sum.setup_seconds = now_seconds() - begin;
    return DAL_OK;
}

void simulation_end(dal_sim *s)
{
    if (s->st) stepper_free(s->st);
    s->st = NULL;
    mem_free(&s->m);
}

dal_status simulation_step(dal_sim *s)
{
    dal_status bad = stepper_step(s->st, s->t, s->plan.h, &s->why);
    if (bad) {
        s->mon.sum.error = text_str(&s->why);
        return diag_error(s->ds, bad, span_none(), NULL, "step %ld: %s", s->k + 1, text_str(&s->why));
    }
    s->k++;
    s->t = s->plan.from + (double)s->k * s->plan.h;
    monitor_step(s);
    return DAL_OK;
}
