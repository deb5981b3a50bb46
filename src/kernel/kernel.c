/* kernel.c - makes a kernel: translation, scheduling, register allocation. */
#include "kernel/program.h"

#include <string.h>

/* Everything of the kernel lives in m; the program is only needed here. */
static const kernel *make(mem *m, const graph *g, const expr *roots, int n, int inputs,
                          bool any_zero)
{
    kernel      *k = mem_take(m, sizeof *k);
    program      p = program_from(m, g, roots, n, inputs, any_zero);
    instruction *code = mem_array(m, p.steps.n, instruction);
    double      *constant = mem_array(m, p.constant.n, double);
    int         *out = mem_array(m, n, int);
    int         *order = mem_resize(m, NULL, ((size_t)p.steps.n + 1) * sizeof *order);
    program_schedule(m, &p, order);
    k->registers = program_registers(&p, order, code, out);
    if (p.constant.n) memcpy(constant, p.constant.at, (size_t)p.constant.n * sizeof *constant);
    k->inputs = inputs, k->outputs = n;
    k->constants = p.constant.n, k->constant = constant;
    k->instructions = p.steps.n, k->code = code, k->out = out;
    mem_drop(m, order);
    program_drop(&p);
    return k;
}

const kernel *kernel_new(mem *m, const graph *g, const expr *roots, int n, int inputs)
{
    return make(m, g, roots, n, inputs, false);
}

const kernel *kernel_new_any_zero(mem *m, const graph *g, const expr *roots, int n, int inputs)
{
    return make(m, g, roots, n, inputs, true);
}
