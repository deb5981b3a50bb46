/* attach.c - a stepper gets its own compiled function. */
#include "fuse/fuse.h"
#include "kernel/native.h"
#include "mech/fused.h"

#include <string.h>

bool fuse_attach(mem *m, stepper *st, const compiled *c, bool backward, const double *par,
                 const double *u, text *why)
{
    mem            *words = mem_child(m);
    text            code = text_new(words);
    native_library *lib = NULL;
    if (fuse_write(words, st, c, &(fuse_options){.backward = backward}, &code, why))
        lib = native_build(m, text_str(&code), strlen(text_str(&code)), why);
    mem_free(words);
    fused_steps call = lib ? (fused_steps)native_symbol(lib, "fused_steps") : NULL;
    if (call) stepper_fuse(st, call, backward, par, u);
    return call;
}
