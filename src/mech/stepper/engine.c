/* engine.c - has the engine of a stepper make its steps, and the general one those that are given
 * back. */
#include "mech/stepper/engine.h"

#include "mech/stepper/stepper.h"

#include <math.h>

void stepper_use(stepper *st, const engine *e)
{
    st->engine = e;
}

void stepper_synchronise(stepper *st)
{
    if (st->engine && st->engine->synchronise) st->engine->synchronise(st);
}

void stepper_forget_engine(stepper *st)
{
    if (st->engine && st->engine->forget) st->engine->forget(st);
}

/* What steps skip, since the next one does not need it: values at the points of the last curve. */
void stepper_complete(stepper *st)
{
    if (st->engine) stepper_synchronise(st);
    if (st->engine && st->engine->complete) st->engine->complete(st);
    if (st->explicitly.due) explicit_complete(st);
    if (st->picard.due) picard_complete(st);
}

/* Of a single step of the energy principle. */
static void note_length(const stepper *st, steps_made *out)
{
    out->shortest = out->longest = fabs(stepper_length(st));
    out->error = stepper_balance_error(st);
}

/* The ranks that share steps can go on with all of them only. */
static dal_status of_lost(const rank_stand *lost, text *why)
{
    text_printf(why, "rank %d: %s", lost->rank, *lost->why ? lost->why : "it has left");
    return lost->status ? (dal_status)lost->status : DAL_INVALID;
}

/* The general engine makes many steps of a small system in a call, of others few, so that callers
 * need not wait. */
dal_status stepper_advance(stepper *st, const steps_asked *along, steps_made *out, text *why)
{
    enum { AT_A_TIME = 64, FEW = 8, SMALL = 64 };
    const bool small = st->eq.size <= SMALL, alone = st->engine || st->energy || st->watch.asked;
    const long limit = alone ? 1 : small ? AT_A_TIME : FEW;
    const long several = along->count < limit ? along->count : limit, most = small ? several : 1;
    dal_status bad = DAL_OK;
    out->made = st->engine && along->count ? st->engine->advance(st, along, out) : 0;
    /* the engine has given the next step back: the general one makes it, from a state it can
     * read */
    if (out->made || !along->count) return DAL_OK;
    if (out->lost) return of_lost(out->lost, why);
    if (st->engine) stepper_synchronise(st), stepper_forget_engine(st);
    if (st->explicitly.fits) out->made = explicit_advance(st, along, several, &out->work);
    while (out->made < most && !bad) {
        bad = stepper_general(st, along->from + (double)(along->k + out->made) * along->h, along->h,
                              why);
        if (!bad) out->made++, out->work += st->work;
    }
    if (!bad && st->energy) note_length(st, out);
    return bad;
}

dal_status stepper_step(stepper *st, double t, double h, text *why)
{
    const double      never = h < 0 ? -HUGE_VAL : HUGE_VAL;
    const steps_asked one = {.from = t, .h = h, .count = 1, .until = never};
    steps_made        out = {0};
    return stepper_advance(st, &one, &out, why);
}
