/* vm.c - the scalar interpreter, for steps that name registers and for steps that point at numbers.
 */
#include "kernel/tape.h"

#include <math.h>
#include <string.h>

void kernel_prepare(const kernel *k, double *reg)
{
    if (k->constants) memcpy(reg + k->inputs, k->constant, (size_t)k->constants * sizeof *reg);
}

void tape_run(const tape *t, double *reg)
{
    const tape_step *s = t->step;
#define AT(name) reg[s->name]
#include "kernel/interpreter.def"
#undef AT
}

void tape_run_linked(const linked_step *s)
{
#define AT(name) (*s->name)
#include "kernel/interpreter.def"
#undef AT
}
