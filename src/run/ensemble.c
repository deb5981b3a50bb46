/* ensemble.c - what makes the steps of ensemble members: blocks of them, or one at a time. Neither
 * the choice nor the steps depend on how many others there are: a member that could be in a block
 * is in one, if need be alone.
 *
 * A block makes all steps but the last, which each member's own stepper makes: it then holds
 * everything that may be asked about the end (velocities, reactions, outputs). */
#include "run/ensemble.h"

#include "codegen/codegen.h"
#include "run/engine_table.h"

#include <string.h>

/* Steps of a member from which on a compiled step repays the compiler, if there are some hundreds
 * of members; for a block to be worth it. */
enum { REPAID_BY = 1000, STEPS_LEAST = 8 };

/* Blocks know neither rotations, ledgers nor exponents, nor steps that choose their length. */
static bool is_possible(const dal_sim *s)
{
    const plan *p = &s->plan;
    return s->md && !s->events && !s->sys->turns && !s->joint && !s->book && !p->exponents &&
           p->method.principle != ENERGY && !p->timed && !p->pace.given;
}

/* Inputs of a block are held over its steps. */
static bool fits_block(const dal_sim *s)
{
    return is_possible(s) && !s->follow.n;
}

/* Neither block nor alone: every member runs as if it were by itself. */
void ensemble_choose(ensemble *e, mem *m, const dal_sim *first, long steps, bool recorded,
                     const char *how)
{
    *e = (ensemble){.first = first};
    if (!is_possible(first) || !strcmp(how, "vm")) return;
    if (strcmp(how, "native") && steps < REPAID_BY) return;
    text why = text_new(m);
    if (!recorded && fits_block(first))
        e->block =
            compile_lanes(m, first->st, engine_model(first), first->plan.h < 0, &e->lanes, &why);
    text_clear(&why);
    if (!e->block)
        e->alone = compile_step(m, first->st, engine_model(first),
                                first->plan.h<0, first->follow.n> 0, &why);
    if (!e->block && !e->alone) e->no_native = mem_printf(m, "%s", text_str(&why));
    text_drop(&why);
}

/* Members of a block have the same equations, options and step, and only their numbers differ. */
bool ensemble_takes(const ensemble *e, const dal_sim *s)
{
    return e->block && fits_block(s) && s->plan.steps > STEPS_LEAST &&
           e->first->plan.joined == s->plan.joined && steppers_are_alike(e->first->st, s->st) &&
           stepper_is_plain(s->st);
}

/* The same grid of times, to the bit. */
bool ensemble_keeps_time(const dal_sim *one, const dal_sim *other)
{
    const plan *a = &one->plan, *b = &other->plan;
    return a->from == b->from && a->h == b->h && a->steps == b->steps;
}

/* Left as it is where it is not like the first. */
void ensemble_attach(const ensemble *e, dal_sim *s)
{
    const step_numbers of = engine_numbers(s);
    if (!e->alone || !is_possible(s) || !e->first->follow.n != !s->follow.n ||
        !steppers_are_alike(e->first->st, s->st))
        return;
    stepper_use_compiled(s->st, e->alone, s->plan.h, &of);
    stepper_use(s->st, &engines[COMPILED]);
}

/* Parameters are those of what is solved, numbers of ties among them. */
lane_block *ensemble_block(mem *m, const ensemble *e)
{
    const full_system *w = e->first->full;
    const model       *md = w ? w->form->by.md : e->first->md;
    lane_block        *b = lane_block_new(m, e->first->st, e->lanes, md->parameters, md->inputs);
    repeat_lanes_init(m, e, b);
    return b;
}

/* Up to the last step but one; LANES_LEAD first steps are made by each member itself. */
void ensemble_begin(lane_block *b, const dal_sim *like)
{
    lane_block_begin(b, like->plan.from, like->plan.h, LANES_LEAD);
    b->until = like->plan.steps - 1;
}

/* Its first steps make the history from which a block predicts. */
dal_status ensemble_join(lane_block *b, int l, dal_sim *s)
{
    dal_status bad = simulation_advance(s, b->s.k - s->k);
    monitor_balances(s);
    if (!bad) lane_block_load(b, l, s->st, engine_parameters(s), s->val.input);
    return bad;
}

/* Every call makes at most `most` steps, so that others can be asked to wait or stop. */
bool ensemble_advance(const ensemble *e, lane_block *b, long most)
{
    const long left = b->until - b->s.k;
    if (left <= 0 || !lane_block_fill(b)) return false;
    repeat_lanes_sample(b);
    e->block(&b->s, left < most ? left : most);
    lane_block_sample(b);
    return true;
}

/* A lane that is off has failed in the last step, which does not count for it. */
void ensemble_leave(const lane_block *b, int l, dal_sim *s)
{
    lane_block_store(b, l, s->st);
    s->k = b->s.k - !b->s.on[l], s->t = s->plan.from + (double)s->k * s->plan.h;
    s->now.have = 0, s->mon.sum.work += b->s.work[l];
    resolution_resume(s, &b->like[l]);
    accuracy_resume(s, b->again.found[l], b->again.lost[l]);
}

/* simulation_again does not begin anew where ties are taken out. */
bool ensemble_is_shareable(const dal_sim *s)
{
    return fits_block(s) && !s->full;
}

/* What the stepper has computed from the numbers of others is forgotten. */
void ensemble_return(const lane_block *b, int l, dal_sim *s)
{
    lane_block_numbers(b, l, s->val.parameter, s->val.input);
    bound_refresh(s->bound);
    ensemble_leave(b, l, s);
    memcpy(s->val.q, stepper_q(s->st), (size_t)s->sys->n * sizeof *s->val.q);
    for (int i = 0; i < s->sys->n; i++) s->val.p[i] = b->s.p[i * b->lanes + l];
    stepper_set(s->st, s->t, s->val.q, s->val.p, NULL);
    lane_block_store(b, l, s->st);
    s->now.have = 0, s->recorded = -1, s->mon.last = s->mon.last_energy = 0;
    s->mon.warned = s->mon.owed = false;
    s->mon.sum.work = b->s.work[l];
    s->mon.sum.status = DAL_OK, s->mon.sum.error = NULL;
    text_clear(&s->why);
}

/* The work so far stays with the member. */
bool ensemble_rescue(lane_block *b, int l, dal_sim *s, bool shared)
{
    if (shared) ensemble_return(b, l, s);
    else ensemble_leave(b, l, s);
    bool joined = !ensemble_join(b, l, s);
    b->s.work[l] = shared ? s->mon.sum.work : 0;
    return joined;
}
