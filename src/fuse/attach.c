/* attach.c - a stepper gets its own compiled function. */
#include "fuse/fuse.h"
#include "kernel/native.h"
#include "mech/fused.h"
#include "mech/stepper.h"

#include <string.h>

/* Members and points stand in lanes; few unknowns at one point, and their factors, are written
 * out. */
static code_kind kind_of(const stepper *st, bool members)
{
    enum { FEW = 4 };
    if (members) return CODE_LOOPS;
    const bool short_text = st->eq.s == 1 || explicit_is_written(&st->leap);
    return short_text && st->eq.size <= FEW ? CODE_STRAIGHT : CODE_STEP;
}

static native_function build(mem *m, const stepper *st, const compiled *c, fuse_options o,
                             const char *symbol, text *why)
{
    mem            *words = mem_child(m);
    text            code = text_new(words);
    native_library *lib = NULL;
    if (fuse_write(words, st, c, &o, &code, why)) {
        const char *c_text = text_str(&code);
        lib = native_build_as(m, kind_of(st, o.members), c_text, strlen(c_text), why);
    }
    mem_free(words);
    return lib ? native_symbol(lib, symbol) : NULL;
}

fused_steps fuse_alone(mem *m, const stepper *st, const compiled *c, bool backward, bool follows,
                       text *why)
{
    const fuse_options o = {.backward = backward, .follows = follows};
    return (fused_steps)build(m, st, c, o, "fused_steps", why);
}

lane_steps fuse_lanes(mem *m, const stepper *st, const compiled *c, bool backward, text *why)
{
    const fuse_options o = {.backward = backward, .members = true};
    return (lane_steps)build(m, st, c, o, "lane_steps", why);
}

bool fuse_attach(mem *m, stepper *st, const compiled *c, double h, const fused_numbers *of,
                 text *why)
{
    fused_steps call = fuse_alone(m, st, c, h < 0, of->input_at, why);
    if (call) stepper_fuse(st, call, h, of);
    return call;
}
