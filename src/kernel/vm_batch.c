/* vm_batch.c - the batched interpreter: every instruction is a plain loop over the lanes of a
 * block, which the compiler turns into vector code. The operations of a lane are those of vm.c, in
 * their order, so that both give the same bits. */
#include "kernel/kernel.h"

#include <math.h>

void kernel_prepare_batch(const kernel *k, double *reg)
{
    double *to = reg + (size_t)k->inputs * KERNEL_BLOCK;
    for (int i = 0; i < k->constants; i++)
        for (int l = 0; l < KERNEL_BLOCK; l++) *to++ = k->constant[i];
}

/* One function per operator. No instruction writes what it reads, so `to` is free of aliases. */
#define OP(name, arity, symbol, value, text)                                                       \
    static void lanes_##name(double *restrict to, const double *x, const double *y,                \
                             const double *z, int count)                                           \
    {                                                                                              \
        for (int l = 0; l < count; l++) {                                                          \
            double a = x[l], b = y[l], c = z[l];                                                   \
            (void)a, (void)b, (void)c;                                                             \
            to[l] = value;                                                                         \
        }                                                                                          \
    }
#include "expr/ops.def"
#undef OP

typedef void (*lanes)(double *restrict, const double *, const double *, const double *, int);

static const lanes operators[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = lanes_##name,
#include "expr/ops.def"
#undef OP
};

void kernel_run_batch(const kernel *k, double *reg, int count)
{
    for (const instruction *i = k->code, *end = i + k->instructions; i < end; i++)
        operators[i->op](reg + (size_t)i->to * KERNEL_BLOCK, reg + (size_t)i->a * KERNEL_BLOCK,
                         reg + (size_t)i->b * KERNEL_BLOCK, reg + (size_t)i->c * KERNEL_BLOCK,
                         count);
}
