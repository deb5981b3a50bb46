/* event_branches.c - on which branch each expression is: frozen within a step, left where its
 * function passes 0; which methods locate them.                             theory.md [EVENTS] */
#include "mech/stepper/stepper.h"
#include "model/branches.h"
#include "run/events.h"
#include "run/simulation.h"

/* What a method does not locate branches with; NULL: it does. */
static const char *passes_over(const plan *p, const request *r)
{
    return p->method.principle == ENERGY           ? "principle = energy"
           : p->h < 0                              ? "steps back in time"
           : p->method.momentum == MOMENTUM_PAPERS ? "momentum = papers"
           : p->joined >= FORCES                   ? "interconnection = forces"
           : p->pace.given                         ? "a pace"
           : p->exponents                          ? "Lyapunov exponents"
           : p->times.every != 0 || p->times.count ? "record = times"
           : r->ledger                             ? "a ledger"
                                                   : NULL;
}

/* Each is located by itself: of very many that is not what a large system is for. */
enum { SWITCHES_MOST = 64 };

const char *events_passed(const plan *p, const request *r, long count)
{
    if (!p->located) return "";
    if (p->insists_located) return NULL;
    return count > SWITCHES_MOST ? "so many of them (switches = located does)" : passes_over(p, r);
}

const subject *events_subject(dal_sim *s, const subject *of, const request *r)
{
    const long  count = of->md ? model_switches(&s->m, of->md) : 0;
    const char *passed = events_passed(&s->plan, r, count);
    if (!count || (passed && !*passed)) return of;
    if (passed) {
        diag_note(s->ds, span_none(), NULL,
                  "branches are not located with %s: steps pass over them", passed);
        return of;
    }
    const model *md = model_frozen(&s->m, of->md);
    if (md == of->md) return of;
    subject *as = mem_array(&s->m, 1, subject);
    *as = *of;
    as->md = s->md = md;
    as->compiled = compile(&s->m, md);
    solved_forms_new(&s->m, md, as->solved);
    double *all = mem_array(&s->m, md->parameters + 1, double);
    for (int i = 0; i < of->md->parameters; i++) all[i] = s->val.parameter[i];
    s->val.parameter = all;
    model_begin_branches(&s->m, md, s->plan.from, &s->val);
    return as;
}

/* What has inertia stays the same: it decides what a step is. */
static dal_status set_branch(dal_sim *s, int flag, double value)
{
    const dal_status bad = events_set(s, flag, value);
    return bad || stepper_keeps_inertia(events_run(s)->st, &s->why) ? bad : DAL_SINGULAR;
}

/* On the other side, or on the next stretch. */
dal_status events_leave(dal_sim *s, int k)
{
    events      *x = s->events;
    const event *e = &x->at[k];
    const double flag = s->val.parameter[e->flag], phi = x->try.asked[e->asked];
    x->past.switched++;
    return set_branch(s, e->flag, !e->counts ? -flag : phi - flag > 0.5 ? flag + 1 : flag - 1);
}

/* Branches that f tells to be left, beside roundoff; true: some were. */
static bool take_branches(dal_sim *s)
{
    events *x = s->events;
    bool    any = false;
    for (int k = 0; k < x->count; k++) {
        const event *e = &x->at[k];
        if (e->kind != EVENT_SWITCH || !(x->try.f[k] < -x->grain[k])) continue;
        s->val.parameter[e->flag] = switch_flag(e, x->try.asked[e->asked]), any = true;
    }
    return any;
}

/* Branches that a jump has left, and those that hold another that was left. */
dal_status events_follow(dal_sim *s)
{
    events    *x = s->events;
    dal_status bad = DAL_OK;
    events_read(s, &x->try);
    for (int round = 0; round <= x->count && !bad && take_branches(s); round++) {
        bad = events_refresh(s);
        events_read(s, &x->try);
    }
    return bad;
}
