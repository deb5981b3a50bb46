/* vm.c - the scalar interpreter. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

void kernel_prepare(const kernel *k, double *reg)
{
    if (k->constants) memcpy(reg + k->inputs, k->constant, (size_t)k->constants * sizeof *reg);
}

void kernel_run(const kernel *k, double *reg)
{
    for (const instruction *i = k->code, *end = i + k->instructions; i < end; i++) {
        const double a = reg[i->a], b = reg[i->b];
        switch (i->op) {
#define OP(name, arity, symbol, value, text)                                                       \
    case OP_##name: {                                                                              \
        const double c = reg[i->c];                                                                \
        (void)c;                                                                                   \
        reg[i->to] = value;                                                                        \
        break;                                                                                     \
    }
#include "expr/ops.def"
#undef OP
        default: break; /* a program holds no other */
        }
    }
}
