/* engine_table.c - what makes the steps of a simulation: the table of engines, and the choice among
 * them.
 *
 * The first engine that suits the system and is cheaper than the general one makes its steps, by a
 * cost model that knows the number of steps and of operations, but never a clock or the contents of
 * the cache: the choice is the same everywhere. */
#include "run/engine_table.h"

#include "codegen/codegen.h"
#include "mech/large/chain_steps.h"
#include "mech/large/engines.h"
#include "mech/large/leapfrog.h"
#include "mech/stepper/stepper.h"

const engine engines[ENGINES] = {
    [LEAPFROG] = {.name = "leapfrog",
                  .purpose = "explicit steps of large systems, several in one pass over memory",
                  .fits = leapfrog_fits,
                  .cost = leapfrog_cost,
                  .make = leapfrog_make,
                  .advance = leapfrog_advance,
                  .forget = leapfrog_forget},
    [CHAIN] = {.name = "chain",
               .purpose = "implicit steps of long chains, a Newton correction in two passes",
               .fits = chain_fits,
               .cost = chain_cost,
               .make = chain_make,
               .advance = chain_advance,
               .synchronise = chain_steps_synchronise,
               .forget = chain_steps_forget},
    [STAGES] = {.name = "stages",
                .purpose =
                    "stages of large systems, iterated without a matrix in passes over memory",
                .fits = stages_fits,
                .cost = stages_cost,
                .make = stages_make,
                .advance = stages_advance},
    [COMPILED] = {.name = "compiled",
                  .purpose = "the whole step of a small system as one compiled function",
                  .fits = compiled_fits,
                  .cost = compiled_cost,
                  .make = compiled_make,
                  .late = true,
                  .advance = compiled_advance,
                  .synchronise = compiled_synchronise,
                  .complete = compiled_complete,
                  .forget = compiled_forget,
                  .archive = compiled_archive},
    [GENERAL] = {.name = "general",
                 .purpose = "every system and scheme, its terms interpreted or compiled",
                 .fits = general_fits,
                 .cost = general_cost,
                 .make = general_make,
                 .interpreted = true,
                 .late = true},
};

/* The numbers that the solved system reads. */
const double *engine_parameters(const dal_sim *s)
{
    return s->full ? s->full->parameter : s->val.parameter;
}

/* Numbers change during a run, so that engines read them where they are. */
step_numbers engine_numbers(dal_sim *s)
{
    step_numbers of = {.par = engine_parameters(s), .u = s->val.input};
    if (s->follow.n) of.input_at = tracks_at, of.inputs = &s->follow;
    return of;
}

const compiled *engine_model(const dal_sim *s)
{
    return s->full ? s->full->form->compiled : s->compiled;
}

/* The case. ------------------------------------------------------------------------------------ */

/* Why passes over rows are not tried; NULL: they are. */
static const char *not_by_rows(const dal_sim *s)
{
    enum { LARGE = 300 };
    if (!s->md) return "it is made of functions";
    if (s->joint) return "its connections are forces";
    if (s->plan.method.solver) return "a linear solver is asked for by name";
    if (s->sys->turns) return "it has rotations or directions";
    if (state_solved(s)->n < LARGE) return "it has fewer than 300 coordinates";
    return NULL;
}

/* Why a step is not compiled as one function; NULL: it may be. */
static const char *not_as_whole(const dal_sim *s)
{
    const step_options *method = &s->plan.method;
    if (!s->md) return "it is made of functions";
    if (s->joint) return "its connections are forces";
    if (method->jacobian == JACOBIAN_BROYDEN) return "the Jacobian is to be kept over steps";
    if (method->map) return "chords follow a retraction of the caller's own";
    return NULL;
}

/* Everything an engine may ask about the run; c->steps 0: no end is known. */
static engine_case case_of(dal_sim *s, stepper *st)
{
    return (engine_case){.st = st,
                         .model = s->md ? engine_model(s) : NULL,
                         .numbers = engine_numbers(s),
                         .h = s->plan.h,
                         .steps = s->plan.steps > 0 ? (double)s->plan.steps : 0,
                         .threads = s->plan.method.threads,
                         .ranks = s->call.ranks,
                         .preview = s->engine.preview,
                         .not_by_rows = not_by_rows(s),
                         .not_as_whole = not_as_whole(s),
                         .compile_programs = programs_compile,
                         .programs = s};
}

/* The choice. ---------------------------------------------------------------------------------- */

bool engine_is_native(const dal_sim *s, const engine *e, const engine_case *c)
{
    if (s->plan.backend != BACKEND_AUTO || !e->interpreted) return s->plan.backend != BACKEND_VM;
    return engine_total(e->cost(c, true), c->steps) < engine_total(e->cost(c, false), c->steps);
}

/* Has the engine make the steps, if it can. */
static bool use(dal_sim *s, engine_name which, const engine_case *c)
{
    const engine *e = &engines[which];
    text         *why = &s->engine.why[which];
    const bool    native = engine_is_native(s, e, c);
    text_clear(why);
    if (!e->fits(c, why) || (!native && !e->interpreted)) return false;
    const engine_made made = e->make(c, native, why);
    if (made == ENGINE_REFUSED) return false;
    s->engine.name = which, s->engine.native = made == ENGINE_NATIVE;
    if (e->advance && !(c->preview && e->late)) stepper_use(c->st, e);
    return true;
}

/* In the way that it would run here. */
static double cheapest(const dal_sim *s, const engine *e, const engine_case *c)
{
    return engine_total(e->cost(c, engine_is_native(s, e, c)), c->steps);
}

/* Is the engine worth compiling? Whoever asks for native code gets it, however long compilers take,
 * and so do ranks that share the steps; but a dense matrix only where it is not slower. */
static bool is_cheaper(const dal_sim *s, engine_name which, const engine_case *c)
{
    if (s->plan.backend == BACKEND_VM) return false;
    if (s->plan.backend == BACKEND_NATIVE || s->call.ranks)
        return which != COMPILED || !stepper_eliminates(c->st) ||
               engines[which].cost(c, true).ns < engines[GENERAL].cost(c, true).ns;
    return cheapest(s, &engines[which], c) < cheapest(s, &engines[GENERAL], c);
}

/* For large systems, as soon as there are equations. The reasons against each engine begin here. */
void engine_choose_for_rows(void *self, stepper *st)
{
    dal_sim    *s = self;
    engine_case c = case_of(s, st);
    s->engine.name = GENERAL;
    for (engine_name k = 0; k < ENGINES; k++) s->engine.why[k] = text_new(&s->m);
    if (c.not_by_rows) return;
    programs_cost(s, &c);
    for (engine_name k = 0; k < ENGINES; k++)
        if (!engines[k].late && is_cheaper(s, k, &c) && use(s, k, &c)) return;
}

/* Whoever asked for native code is told why there is none, or less of it; others only if they have
 * long to wait. */
static void tell(dal_sim *s, const engine_case *c)
{
    const bool  asked = s->plan.backend == BACKEND_NATIVE, native = s->engine.native;
    const char *no_whole = text_str(&s->engine.why[COMPILED]),
               *why = text_str(&s->engine.why[s->engine.name]);
    if (asked && native && s->engine.name == GENERAL && *no_whole)
        diag_note(s->ds, span_none(), NULL, "the step is not compiled as a whole: %s", no_whole);
    if (!*why) return;
    if (native && asked) diag_warning(s->ds, span_none(), NULL, "%s", why);
    else if (asked)
        diag_warning(s->ds, span_none(), NULL,
                     "the virtual machine runs instead of native code: %s", why);
    else if (!native && 1e-9 * c->program_ns * c->steps > 10)
        diag_note(s->ds, span_none(), NULL, "native code would be faster, but %s", why);
}

/* Steps that sweeps give back are made of the programs of the general engine: where it solves them
 * by conjugate gradients, which cost little more than an evaluation, these are compiled too. */
static void compile_beside_sweeps(dal_sim *s)
{
    text why = text_new(&s->m);
    if (s->engine.name == STAGES && !s->engine.preview && stepper_iterates(s->st))
        programs_compile(s, &why);
    text_drop(&why);
}

/* The last choice: what has no engine by now is compiled as a whole, or left to the general
 * engine. */
void engine_choose(dal_sim *s)
{
    engine_case c = case_of(s, s->st);
    programs_cost(s, &c);
    s->engine.of = c;
    if (!s->st->engine && !(is_cheaper(s, COMPILED, &c) && use(s, COMPILED, &c)))
        use(s, GENERAL, &c);
    compile_beside_sweeps(s);
    if (s->engine.native) s->mon.sum.backend = "native";
    s->mon.sum.is_fused = s->engine.native && s->engine.name != GENERAL;
    tell(s, &c);
}
