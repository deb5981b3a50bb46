/* tape.h - a program for the scalar machine: one step after the other, each with its own opcode.
 *
 * What is computed for one reader only is computed in the step of its reader, where there is an
 * opcode for both (fused.def), so that short programs spend their time on numbers. Every operation
 * rounds as it does in the other machines: the bits are the same. */
#ifndef KERNEL_TAPE_H
#define KERNEL_TAPE_H

#include "kernel/kernel.h"

enum { /* opcodes beyond those of expr.h */
    TAPE_SUM = OP_COUNT, /* a b + c d */
    TAPE_DIFFERENCE,     /* a b - c d */
#define PAIR(name, inner, outer, side, value) TAPE_##name,
#include "kernel/fused.def"
#undef PAIR
    TAPE_END,
    TAPE_OPCODES = 128
};

typedef struct {
    int op, to, a, b, c, d;
} tape_step;

typedef struct {
    int              steps, registers;
    const tape_step *step; /* after the last comes TAPE_END */
} tape;

/* Inputs, constants and results are in the registers that the kernel has them in; t->registers are
 * needed. kernel_prepare fills in the constants. */
const tape *tape_new(mem *m, const kernel *k);
void        tape_run(const tape *t, double *reg);

#endif
