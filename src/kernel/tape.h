/* tape.h - a program for the scalar interpreter: a sequence of instructions, each with its own
 * opcode.
 *
 * A value with a single reader is computed in the instruction of its reader, where there is an
 * opcode for both (pairs.def), so that short programs spend their time on arithmetic. Every
 * operation rounds as it does in the other interpreters: the bits are the same. */
#ifndef KERNEL_TAPE_H
#define KERNEL_TAPE_H

#include "kernel/kernel.h"

enum { /* opcodes beyond those of expr.h */
    TAPE_SUM = OP_COUNT, /* a b + c d */
    TAPE_DIFFERENCE,     /* a b - c d */
#define PAIR(name, inner, outer, side, value) TAPE_##name,
#include "kernel/pairs.def"
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

/* The same instructions with pointers to their operands, wherever these are, so that nothing is
 * copied to registers and back. Instructions that no wanted register depends on are left out. */
typedef struct {
    int           op;
    double       *to;
    const double *a, *b, *c, *d;
} linked_step;

/* Register r is read at from[r] and written to to[r]; wanted has t->registers flags, and is
 * changed. Writes at most t->steps steps and returns how many; after the last of all must come
 * TAPE_END. */
int  tape_link(const tape *t, const double *const *from, double *const *to, uint8_t *wanted,
               linked_step *out);
void tape_run_linked(const linked_step *s);

#endif
