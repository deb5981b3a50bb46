/* kernel_scalar.h - a kernel run once by the scalar machine, in the registers of the kernel. */
#ifndef TESTS_KERNEL_SCALAR_H
#define TESTS_KERNEL_SCALAR_H

#include "kernel/tape.h"

#include <string.h>

static inline void kernel_run(mem *m, const kernel *k, double *reg)
{
    const tape *t = tape_new(m, k);
    double     *own = mem_array(m, t->registers + 1, double);
    memcpy(own, reg, (size_t)k->registers * sizeof *own);
    tape_run(t, own);
    for (int i = 0; i < k->outputs; i++) reg[k->out[i]] = own[k->out[i]];
}

#endif
