/* engines.c - which large systems the engines of this folder suit, what they cost, and how they are
 * attached to a stepper. */
#include "mech/large/engines.h"

#include "mech/large/chain_steps.h"
#include "mech/large/leapfrog.h"
#include "mech/large/passes.h"
#include "mech/large/stage_iteration.h"
#include "mech/stepper/stepper.h"

/* Threads with less to do than it takes to wake them are not created. */
static thread_pool *pool_for(const engine_case *c)
{
    enum { ROWS_EACH = 2048 };
    stepper *st = c->st;
    if (!st->pool && st->sys->n / ROWS_EACH >= c->threads)
        st->pool = thread_pool_new(st->m, c->threads);
    return st->pool;
}

static bool no(text *why, const char *reason)
{
    text_add(why, reason);
    return false;
}

/* Leapfrog. ------------------------------------------------------------------------------------ */

/* What explicit.c requires, and one curve sampled at its ends with the same weight. */
bool leapfrog_fits(const engine_case *c, text *why)
{
    const stepper *st = c->st;
    const samples *rule = &st->eq.rule;
    if (c->not_by_rows) return no(why, c->not_by_rows);
    if (!st->explicitly.fits) return no(why, "its steps are implicit");
    if (st->sch.substeps > 1 && st->sys->forced)
        return no(why, "a step is composed of several, along which forces do work");
    if (rule->count != 2 || rule->b[0] != rule->b[1])
        return no(why, "its scheme does not sample both ends of a step with the same weight");
    return true;
}

/* Measured: seconds that compilers take, and ns per coordinate and step. */
engine_cost leapfrog_cost(const engine_case *c, bool native)
{
    (void)native; /* there is no other */
    return (engine_cost){0.3, 0.6 * c->st->sys->n + c->call_ns};
}

/* Without a reason it is not the compiler that failed. */
static engine_made refused(text *why, const char *reason)
{
    if (!why->n) text_add(why, reason);
    return ENGINE_REFUSED;
}

engine_made leapfrog_make(const engine_case *c, bool native, text *why)
{
    stepper *st = c->st;
    st->leapfrog = leapfrog_new(st->m, st, pool_for(c), c->ranks, native && !c->preview, why);
    return st->leapfrog ? ENGINE_NATIVE
                        : refused(why, "its terms do not come in rows of equal ones");
}

/* Chains. -------------------------------------------------------------------------------------- */

bool chain_fits(const engine_case *c, text *why)
{
    const equations *eq = &c->st->eq;
    if (c->not_by_rows) return no(why, c->not_by_rows);
    if (c->st->energy) return no(why, "the energy principle chooses the lengths of its steps");
    if (eq->diagonal) return no(why, "its steps are explicit");
    if (!eq->single || eq->shot)
        return no(why, "a step has more than one sample point, relations, or momenta as unknowns");
    if (eq->sys->varies[F_LQW] != FIELD_ZERO)
        return no(why, "its Lagrangian couples positions with velocities");
    return true;
}

/* Measured with w entries in a row. */
engine_cost chain_cost(const engine_case *c, bool native)
{
    const equations *eq = &c->st->eq;
    const double     N = eq->size, w = pattern_count(&eq->J) / N;
    (void)native;
    if (eq->constant) return (engine_cost){0.9, (0.4 + 0.27 * w * w) * N};
    return (engine_cost){0.9, (4 + 0.7 * w * w) * N + c->call_ns};
}

/* Newton's iteration then asks the passes for its corrections; factors by rows serve linear
 * chains. */
engine_made chain_make(const engine_case *c, bool native, text *why)
{
    stepper *st = c->st;
    passes  *p = passes_new(st->m, &st->eq, pool_for(c), native && !c->preview,
                            st->options.plain_summation, why);
    if (!p)
        return refused(why,
                       "its terms do not come in rows of equal ones that couple near coordinates");
    if (c->preview) return ENGINE_NATIVE;
    for (int k = 0; k < st->nw.lengths; k++) st->nw.cache[k].by_rows = passes_factors(p, st->m);
    st->eq.rows = passes_asked(p);
    chain_steps_prepare(st);
    return ENGINE_NATIVE;
}

long chain_advance(stepper *st, const steps_asked *along, steps_made *out)
{
    const long made = chain_steps_advance(st, along->from, along->k, along->h, along->count);
    (void)out; /* forces act in rows only: chain_steps.c */
    if (!made) return 0;
    st->t = along->from + (double)(along->k + made) * along->h, st->work = 0, st->stepped = true;
    stepper_moved(st);
    return made;
}

/* Stages. -------------------------------------------------------------------------------------- */

bool stages_fits(const engine_case *c, text *why)
{
    if (c->not_by_rows) return no(why, c->not_by_rows);
    if (!c->st->picard.fits) return no(why, "its stages are not iterated without a matrix");
    return true;
}

/* Measured with eight passes, and six coordinates that a force reads. */
engine_cost stages_cost(const engine_case *c, bool native)
{
    const equations *eq = &c->st->eq;
    (void)native;
    return (engine_cost){0.5, 16.0 * eq->s * eq->n + 8 * c->call_ns};
}

/* Steps for which the iteration is too slow are left to Newton's. */
engine_made stages_make(const engine_case *c, bool native, text *why)
{
    stepper     *st = c->st;
    picard_rows *rows = stage_iteration_new(st->m, st, pool_for(c), native && !c->preview, why);
    if (!rows) return refused(why, "its forces do not come in rows of equal ones");
    if (!c->preview) picard_use(st, rows);
    return ENGINE_NATIVE;
}

/* All steps are given back: the general engine makes them, and asks for passes. */
long stages_advance(stepper *st, const steps_asked *along, steps_made *out)
{
    (void)st, (void)along, (void)out;
    return 0;
}
