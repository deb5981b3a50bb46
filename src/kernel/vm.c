/* vm.c - the scalar machine: one dispatch per run, then a tight loop over its instructions. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

void kernel_prepare(const kernel *k, double *reg)
{
    if (k->constants) memcpy(reg + k->inputs, k->constant, (size_t)k->constants * sizeof *reg);
}

void kernel_run(const kernel *k, double *reg)
{
    const instruction *i = k->code;
    for (const run *r = k->run, *last = r + k->runs; r < last; r++) {
        const instruction *end = i + r->count;
        switch (r->op) {
#define OP(name, arity, symbol, value, text)                                                       \
    case OP_##name:                                                                                \
        do {                                                                                       \
            double a = reg[i->a], b = reg[i->b], c = reg[i->c];                                    \
            (void)a, (void)b, (void)c;                                                             \
            reg[i->to] = value;                                                                    \
        } while (++i < end);                                                                       \
        break;
#include "expr/ops.def"
#undef OP
        default: break; /* no other opcode is in a program */
        }
    }
}
