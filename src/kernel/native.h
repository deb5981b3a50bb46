/* native.h - C text becomes functions of this process: compiled once, kept on disk, loaded.
 *
 *     native_library *lib = native_build(m, words.at, words.n, &why);
 *     step_function  *f = (step_function *)native_symbol(lib, "step");
 *
 * The text must be of our own making, numbers and numbered names only: what a model's author wrote
 * never becomes code. It may call libm, for which it declares what it needs. It is compiled by $CC
 * or cc, optimised for this processor and without contraction, so that the same operations give the
 * same bits as in this library.
 *
 * Nothing of this can fail a run: whatever is missing or broken (compiler, disk, cache), NULL is
 * returned and the caller goes on with the machines of kernel.h. */
#ifndef KERNEL_NATIVE_H
#define KERNEL_NATIVE_H

#include "base/text.h"

typedef struct native_library native_library;
typedef void (*native_function)(void); /* to be cast to what it is */

/* What the code is: loops over many, one step whose loops all are short, or one without loops. */
typedef enum { CODE_LOOPS, CODE_STEP, CODE_STRAIGHT } code_kind;

/* Its functions live as long as m does, or until native_release. NULL: why says what was in the
 * way. A library may come with words in why too, if it could not be kept for the next time. Any
 * thread may build, with a mem of its own. */
native_library *native_build(mem *m, const char *c, size_t length, text *why); /* loops */
native_library *native_build_as(mem *m, code_kind kind, const char *c, size_t length, text *why);
native_function native_symbol(const native_library *lib,
                              const char           *name);            /* NULL: there is none */
bool            native_was_kept(const native_library *lib); /* found, not compiled  */
void            native_release(native_library *lib);

#endif
