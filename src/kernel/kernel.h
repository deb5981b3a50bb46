/* kernel.h - a bundle of expressions as a straight-line program, and the interpreters that run it.
 *
 * A program has numbered registers. The first `inputs` of them are the variables 0 .. inputs-1 of
 * the graph it was made from, then come its constants; these are only read. The others are
 * computed, and used again once their value is no longer asked for. `out[k]` is the register of the
 * k-th root.
 *
 * Instructions of equal opcode stand together. Sums are binary here, added from the left, a negative
 * term subtracted, and integer powers have become multiplications (and one division, if negative): a
 * program holds no OP_CONST, OP_VAR or OP_POWI. An instruction never writes a register that it
 * reads. The same program, run by the scalar interpreter, by the batched one or as emitted C, gives
 * the same bits. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "expr/expr.h"

enum { KERNEL_BLOCK = 128 }; /* instances that the batched interpreter runs at a time */

/* Forms of an opcode, for the scalar interpreter, which has the result before at hand: + 1 if that is
 * a, + 2 if it is b. */
enum { INSTRUCTION_FORMS = 4 };

typedef struct {
    expr_op op;
    int     to, a, b, c; /* registers; those beyond the operator's arguments are 0 */
    int     form;        /* INSTRUCTION_FORMS * op + which                         */
} instruction;

typedef struct {
    int                inputs, registers;
    int                constants; /* in registers inputs .. inputs + constants - 1 */
    const double      *constant;
    int                instructions;
    const instruction *code;
    int                outputs;
    const int         *out; /* register of each root; may be an input or a constant */
} kernel;

/* Program for n roots of g whose variables are 0 .. inputs-1. It lives in m. */
const kernel *kernel_new(mem *m, const graph *g, const expr *roots, int n, int inputs);

/* The same where the sign of a zero does not matter: if b - a is known, a - b - c becomes -((b - a)
 * + c). */
const kernel *kernel_new_any_zero(mem *m, const graph *g, const expr *roots, int n, int inputs);

/* Scalar: in registers that are prepared once by kernel_prepare (fills in the constants); the
 * caller writes the inputs to reg[0..inputs) and reads reg[k->out[i]]. */
void kernel_prepare(const kernel *k, double *reg);
void kernel_run(const kernel *k, double *reg);

/* Batched: register r of lane l is reg[r * KERNEL_BLOCK + l]; lanes 0 .. count-1 are computed. */
void kernel_prepare_batch(const kernel *k, double *reg);
void kernel_run_batch(const kernel *k, double *reg, int count);

/* The same as compiled code, which emit_c.h writes and native.h loads. */
typedef void kernel_scalar(double *reg);
typedef void kernel_lanes(double *reg, int count);

void kernel_print(const kernel *k, text *out); /* the program, one instruction per line */

#endif
