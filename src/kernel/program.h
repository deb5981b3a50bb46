/* program.h - a program on its way from graph to kernel; for the files of this layer. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include "kernel/kernel.h"

/* An operand: the step that computes it, or register_operand(r) if r is an input or a constant. */
typedef int operand;
static inline operand register_operand(int r) { return -1 - r; }
static inline int     operand_register(operand x) { return -1 - x; }
static inline bool    is_step(operand x) { return x >= 0; }

typedef struct {
    expr_op op;
    int     n; /* operands: 1 .. 3 */
    operand arg[3];
} step;

typedef struct {
    mem        *m;
    int         inputs;
    vec(double) constant;
    vec(step)   steps; /* arguments first */
    int         roots;
    operand    *root;
} program;

/* program.c: the steps, each once, for what is reachable from the roots. any_zero: see kernel.h. */
program program_from(mem *m, const graph *g, const expr *roots, int n, int inputs, bool any_zero);
void    program_drop(program *p);

/* sums.c: per node, is it a sum whose terms are added from the right? To be dropped. */
uint8_t *sums_from_right(mem *m, const graph *g);

/* schedule.c: order[k] becomes the k-th step to execute. */
void program_schedule(mem *m, const program *p, int *order);

/* registers.c: code[k] becomes step order[k] with its registers; returns their number. */
int program_registers(const program *p, const int *order, instruction *code, int *out);

#endif
