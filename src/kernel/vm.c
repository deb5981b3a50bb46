/* vm.c - the scalar machine: one jump per step of a tape. */
#include "kernel/tape.h"

#include <math.h>
#include <string.h>

void kernel_prepare(const kernel *k, double *reg)
{
    if (k->constants) memcpy(reg + k->inputs, k->constant, (size_t)k->constants * sizeof *reg);
}

/* Opcodes are below TAPE_OPCODES: a compiler that sees that needs no test before its jump. */
void tape_run(const tape *t, double *reg)
{
    for (const tape_step *s = t->step;; s++) {
        const double a = reg[s->a], b = reg[s->b];
        switch ((unsigned)s->op % TAPE_OPCODES) {
#define OP(name, arity, symbol, value, text)                                                       \
    case OP_##name: {                                                                              \
        const double c = reg[s->c];                                                                \
        (void)c;                                                                                   \
        reg[s->to] = value;                                                                        \
        break;                                                                                     \
    }
#include "expr/ops.def"
#undef OP
#define PAIR(name, inner, outer, side, value)                                                      \
    case TAPE_##name: {                                                                            \
        const double c = reg[s->c];                                                                \
        (void)c;                                                                                   \
        reg[s->to] = value;                                                                        \
        break;                                                                                     \
    }
#include "kernel/fused.def"
#undef PAIR
        case TAPE_SUM: reg[s->to] = a * b + reg[s->c] * reg[s->d]; break;
        case TAPE_DIFFERENCE: reg[s->to] = a * b - reg[s->c] * reg[s->d]; break;
        default: return; /* TAPE_END: no other opcode is on a tape */
        }
    }
}
