/* vm.c - the scalar interpreter. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

void kernel_prepare(const kernel *k, double *reg)
{
    if (k->constants) memcpy(reg + k->inputs, k->constant, (size_t)k->constants * sizeof *reg);
}

/* The result before stays in a register of the processor: what goes on with it need not wait for a
 * store to be read again. */
void kernel_run(const kernel *k, double *reg)
{
    double last = 0;
    for (const instruction *i = k->code, *end = i + k->instructions; i < end; i++)
        switch (i->form) {
#define FORM(form, x, y, value)                                                                    \
    case form: {                                                                                   \
        const double a = x, b = y, c = reg[i->c];                                                  \
        (void)a, (void)b, (void)c;                                                                 \
        reg[i->to] = last = value;                                                                 \
        break;                                                                                     \
    }
#define OP(name, arity, symbol, value, text)                                                       \
    FORM(INSTRUCTION_FORMS * OP_##name, reg[i->a], reg[i->b], value)                               \
    FORM(INSTRUCTION_FORMS * OP_##name + 1, last, reg[i->b], value)                                \
    FORM(INSTRUCTION_FORMS * OP_##name + 2, reg[i->a], last, value)                                \
    FORM(INSTRUCTION_FORMS * OP_##name + 3, last, last, value)
#include "expr/ops.def"
#undef OP
#undef FORM
        default: break; /* a program holds no other */
        }
}
