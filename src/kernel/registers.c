/* registers.c - register allocation for scheduled steps: registers are reused after the last use of
 * their value. The batched interpreter needs a kilobyte per register, and its working set should
 * stay in the cache. */
#include "kernel/program.h"

#include <limits.h>

typedef struct {
    int *last; /* per step: when its value is read for the last time; INT_MAX for a root */
    int *reg;  /* per step: its register                                                 */
    int *free; /* registers to use again, the latest freed on top                        */
    int  free_count, count;
} allocation;

/* A root is read at the end. */
static void find_last_reads(const program *p, const int *order, int *last)
{
    for (int i = 0; i < p->steps.n; i++) last[i] = -1;
    for (int k = 0; k < p->steps.n; k++) {
        const step *x = &p->steps.at[order[k]];
        for (int j = 0; j < x->n; j++)
            if (is_step(x->arg[j])) last[x->arg[j]] = k;
    }
    for (int k = 0; k < p->roots; k++)
        if (is_step(p->root[k])) last[p->root[k]] = INT_MAX;
}

static int register_of(const allocation *a, operand x)
{
    return is_step(x) ? a->reg[x] : operand_register(x);
}

/* The step at time k: a register for its result first, then its arguments may go, each once. */
static instruction place(allocation *a, const program *p, int i, int k)
{
    const step *x = &p->steps.at[i];
    int         arg[3] = {0, 0, 0};
    a->reg[i] = a->free_count ? a->free[--a->free_count] : a->count++;
    for (int j = 0; j < x->n; j++) {
        arg[j] = register_of(a, x->arg[j]);
        if (!is_step(x->arg[j]) || a->last[x->arg[j]] != k) continue;
        a->free[a->free_count++] = arg[j];
        a->last[x->arg[j]] = -1;
    }
    return (instruction){x->op, a->reg[i], arg[0], arg[1], arg[2], 0};
}

/* Which operands were computed just before. */
static void find_forms(instruction *code, int n)
{
    for (int k = 0; k < n; k++) {
        const int last = k ? code[k - 1].to : -1;
        const int which = (code[k].a == last) + 2 * (code[k].b == last);
        code[k].form = INSTRUCTION_FORMS * (int)code[k].op + which;
    }
}

int program_registers(const program *p, const int *order, instruction *code, int *out)
{
    size_t     n = (size_t)p->steps.n;
    int       *work = mem_resize(p->m, NULL, (3 * n + 1) * sizeof *work);
    allocation a = {
        .last = work, .reg = work + n, .free = work + 2 * n, .count = p->inputs + p->constant.n};
    find_last_reads(p, order, a.last);
    for (int k = 0; k < p->steps.n; k++) code[k] = place(&a, p, order[k], k);
    find_forms(code, p->steps.n);
    for (int k = 0; k < p->roots; k++) out[k] = register_of(&a, p->root[k]);
    mem_drop(p->m, work);
    return a.count;
}
