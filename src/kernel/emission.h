/* emission.h - a kernel on its way to C text; for the files of this layer. */
#ifndef KERNEL_EMISSION_H
#define KERNEL_EMISSION_H

#include "kernel/emit_c.h"
#include "kernel/program.h"

struct emission {
    const kernel *k;
    emit_style    style;
    int           steps;
    step         *step;  /* operations, arguments first; operands are steps again, not registers */
    int          *order; /* in which they are written                                            */
    int          *name;  /* per step: the number of its local                                    */
    operand      *root;
};

void emit_c_operand(const emission *e, operand x, text *out);
void emit_c_operation(const emission *e, int step, text *out); /* its value, as an expression */
bool op_is_call(expr_op op);                                   /* of libm: no vector instruction */

#endif
