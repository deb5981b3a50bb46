/* attach.c - a stepper gets its own compiled function. */
#include "codegen/codegen.h"
#include "kernel/native.h"
#include "mech/stepper/compiled_step.h"
#include "mech/stepper/stepper.h"

#include <string.h>

/* Members and points stand in lanes; few unknowns at one point, and their factors, are written
 * out. */
static code_kind kind_of(const stepper *st, bool members)
{
    enum { FEW = 4 };
    if (members || st->eq.shot) return CODE_STEP;
    const bool short_text = st->eq.s == 1 || explicit_is_written(&st->explicitly);
    return short_text && st->eq.size <= FEW ? CODE_STRAIGHT : CODE_STEP;
}

/* NULL: the text cannot be written, or there is no compiler; `why` says which. The text is
 * dropped. */
static native_library *build(mem *m, const stepper *st, const compiled *c, codegen_options o,
                             text *why)
{
    mem            *words = mem_child(m);
    text            code = text_new(words);
    native_library *lib = NULL;
    if (codegen_write(words, st, c, &o, &code, why)) {
        const char *c_text = text_str(&code);
        lib = native_build_as(m, kind_of(st, o.members), c_text, strlen(c_text), why);
    }
    mem_free(words);
    return lib;
}

compiled_steps compile_step(mem *m, const stepper *st, const compiled *c, bool backward,
                            bool follows, text *why)
{
    const codegen_options o = {.backward = backward, .follows = follows};
    const native_library *lib = build(m, st, c, o, why);
    return lib ? (compiled_steps)native_symbol(lib, "compiled_steps") : NULL;
}

lane_steps compile_lanes(mem *m, const stepper *st, const compiled *c, bool backward, int *lanes,
                         text *why)
{
    const codegen_options o = {.backward = backward, .members = true};
    const native_library *lib = build(m, st, c, o, why);
    if (!lib) return NULL;
    /* how many members fit was decided by the compiler's vector width, so the library tells it */
    *lanes = ((int (*)(void))native_symbol(lib, "lanes_at_once"))();
    return (lane_steps)native_symbol(lib, "compiled_steps");
}

/* As an engine. -------------------------------------------------------------------------------- */

/* The reasons are those found when the case was made. */
bool compiled_fits(const engine_case *c, text *why)
{
    if (c->not_as_whole) text_add(why, c->not_as_whole);
    return !c->not_as_whole;
}

/* With rotations a dense matrix is factored about twice in a step: N^3/3 products each. */
static double factors_ns(const stepper *st)
{
    const double N = st->eq.size;
    return st->sys->turns ? 0.18 * N * N * N : 0;
}

/* Measured: it saves four fifths of a step, or one where the general engine keeps its matrix, and
 * nearly all along curves that are shot; its
 * own is dense, which costs more than elimination of few entries.
 * Beyond some 200 operations, each costs compilers 1.5 ms, as it occurs in the residual and the
 * Jacobian. */
engine_cost compiled_cost(const engine_case *c, bool native)
{
    const double more = c->operations > 200 ? 1.5e-3 * (c->operations - 200) : 0;
    const double left = c->st->eq.shot                                        ? 0.02
                        : stepper_keeps_jacobian(c->st) && !c->st->sys->turns ? 0.8
                                                                              : 0.2;
    const double own = stepper_eliminates(c->st)
                           ? stepper_dense_ns(c->st) + left * c->program_ns
                           : left * (c->program_ns + stepper_own_ns(c->st)) + factors_ns(c->st);
    (void)native; /* there is no other */
    return (engine_cost){stepper_compile_seconds(c->st) + more + c->program_seconds, own};
}

/* For `show --plan`: whether there would be a text, without compiling it. */
static bool can_be_written(const engine_case *c, codegen_options o, text *why)
{
    mem       *words = mem_child(c->st->m);
    text       code = text_new(words);
    const bool can = codegen_write(words, c->st, c->model, &o, &code, why);
    mem_free(words);
    return can;
}

engine_made compiled_make(const engine_case *c, bool native, text *why)
{
    const bool            backward = c->h < 0, follows = c->numbers.input_at;
    const codegen_options o = {.backward = backward, .follows = follows};
    (void)native;
    if (c->preview) return can_be_written(c, o, why) ? ENGINE_NATIVE : ENGINE_REFUSED;
    const compiled_steps call = compile_step(c->st->m, c->st, c->model, backward, follows, why);
    if (call) stepper_use_compiled(c->st, call, c->h, &c->numbers);
    return call ? ENGINE_NATIVE : ENGINE_REFUSED;
}
