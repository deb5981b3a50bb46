/* tape.c - from a kernel to a tape: pairs of operations are joined from the last reader backwards,
 * then registers are allocated anew, since the operands of a pair must live until its second
 * half. */
#include "kernel/tape.h"

#include <string.h>

/* A value is what an input or a constant holds, numbered by its register, or what an instruction
 * computes, numbered from `fixed` on. */
typedef struct {
    mem          *m;
    const kernel *k;
    int           fixed, count; /* inputs and constants; instructions              */
    int          *op, *arg;     /* of each instruction; arg: three values each     */
    int          *readers;      /* of each instruction: how many                   */
    int          *home;         /* its register if it is a result, else -1         */
    uint8_t      *absorbed;     /* computed in the step of its reader              */
    tape_step    *step;         /* of each instruction; arguments are values       */
} taping;

enum { ALONE = 2, OPERANDS = 3 };

static const struct {
    uint8_t inner, outer, side, op;
} pair[] = {
#define PAIR(name, inner, outer, side, value) {OP_##inner, OP_##outer, side, TAPE_##name},
#include "kernel/pairs.def"
#undef PAIR
};
enum { PAIRS = sizeof pair / sizeof *pair };

static const int8_t arguments[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = (arity) < 0 ? 2 : (arity),
#include "expr/ops.def"
#undef OP
};

/* Instructions with values in the place of registers. */
static void number_values(taping *t)
{
    const kernel *k = t->k;
    int          *now = mem_resize(t->m, NULL, ((size_t)k->registers + 1) * sizeof *now);
    /* now[r]: the value that register r holds at this point */
    for (int r = 0; r < k->registers; r++) now[r] = r;
    for (int i = 0; i < t->count; i++) t->home[i] = -1;
    for (const run *r = k->run; r < k->run + k->runs; r++)
        for (int i = r->first; i < r->first + r->count; i++) {
            const int from[OPERANDS] = {k->code[i].a, k->code[i].b, k->code[i].c};
            t->op[i] = (int)r->op;
            for (int j = 0; j < OPERANDS && j < arguments[r->op]; j++) {
                const int value = t->arg[OPERANDS * i + j] = now[from[j]];
                if (value >= t->fixed) t->readers[value - t->fixed]++;
            }
            now[k->code[i].to] = t->fixed + i;
        }
    for (int r = 0; r < k->outputs; r++) {
        const int value = now[k->out[r]];
        if (value >= t->fixed) t->home[value - t->fixed] = k->out[r];
    }
    mem_drop(t->m, now);
}

/* The instruction that computes this argument, if nobody else reads it; or -1. */
static int only_for(const taping *t, int i, int j)
{
    const int x = t->arg[OPERANDS * i + j] - t->fixed;
    return x >= 0 && t->readers[x] == 1 && t->home[x] < 0 ? x : -1;
}

/* Sums and products may have their operands exchanged, so their side does not matter. */
static int find_pair(int inner, int outer, int side)
{
    const bool either = outer == OP_ADD || outer == OP_MUL;
    for (int k = 0; k < PAIRS; k++)
        if (pair[k].inner == inner && pair[k].outer == outer &&
            (pair[k].side == ALONE || either || pair[k].side == side))
            return pair[k].op;
    return -1;
}

/* Argument j of instruction i is computed in its step. */
static bool absorb(taping *t, int i, int j)
{
    const int x = only_for(t, i, j), op = x < 0 ? -1 : find_pair(t->op[x], t->op[i], j);
    if (op < 0) return false;
    const int *of = &t->arg[OPERANDS * x];
    t->step[i] = (tape_step){.op = op, .a = of[0], .b = of[1]};
    if (arguments[t->op[i]] == 2) t->step[i].c = t->arg[OPERANDS * i + 1 - j];
    t->absorbed[x] = 1;
    return true;
}

/* Two products that are added or subtracted. */
static bool absorb_both(taping *t, int i)
{
    const int x = only_for(t, i, 0), y = only_for(t, i, 1);
    if ((t->op[i] != OP_ADD && t->op[i] != OP_SUB) || x < 0 || y < 0 || x == y) return false;
    if (t->op[x] != OP_MUL || t->op[y] != OP_MUL) return false;
    const int *a = &t->arg[OPERANDS * x], *b = &t->arg[OPERANDS * y];
    const int  op = t->op[i] == OP_ADD ? TAPE_SUM : TAPE_DIFFERENCE;
    t->step[i] = (tape_step){.op = op, .a = a[0], .b = a[1], .c = b[0], .d = b[1]};
    t->absorbed[x] = t->absorbed[y] = 1;
    return true;
}

/* From the last reader backwards: an instruction that was absorbed absorbs no other. */
static void join_pairs(taping *t)
{
    for (int i = t->count - 1; i >= 0; i--) {
        const int *of = &t->arg[OPERANDS * i], n = arguments[t->op[i]];
        if (t->absorbed[i] || absorb_both(t, i) || absorb(t, i, 0)) continue;
        if (n == 2 && absorb(t, i, 1)) continue;
        t->step[i] = (tape_step){.op = t->op[i], .a = of[0], .b = of[1], .c = of[2]};
    }
}

/* Registers: those of the kernel for what has a place there, others as long as they are read. */
typedef struct {
    int *last, *reg; /* per instruction: the step that reads it last; its register */
    int *free, free_count, count;
} giving;

/* Steps that were absorbed read in the step of their reader. */
static void find_last_reads(const taping *t, giving *g)
{
    for (int i = 0; i < t->count; i++) {
        const tape_step *s = &t->step[i];
        const int        of[] = {s->a, s->b, s->c, s->d};
        for (int j = 0; j < 4 && !t->absorbed[i]; j++)
            if (of[j] >= t->fixed) g->last[of[j] - t->fixed] = i;
    }
}

/* The register of a value; it is free again after the step that reads it last. */
static int read_value(const taping *t, giving *g, int value, int at)
{
    const int x = value - t->fixed;
    if (x < 0) return value;
    if (t->home[x] < 0 && g->last[x] == at) g->free[g->free_count++] = g->reg[x], g->last[x] = -1;
    return g->reg[x];
}

/* Operands first: a register that is read for the last time may take the result. */
static tape_step place(const taping *t, giving *g, int i)
{
    const tape_step *s = &t->step[i];
    tape_step        to = {.op = s->op};
    to.a = read_value(t, g, s->a, i), to.b = read_value(t, g, s->b, i);
    to.c = read_value(t, g, s->c, i), to.d = read_value(t, g, s->d, i);
    g->reg[i] = t->home[i] >= 0 ? t->home[i]
                : g->free_count ? g->free[--g->free_count]
                                : g->count++;
    to.to = g->reg[i];
    return to;
}

/* The kernel's registers keep their numbers; further ones come behind them. */
static void give_registers(const taping *t, tape *out)
{
    const size_t n = (size_t)t->count;
    int         *work = mem_resize(t->m, NULL, (3 * n + 1) * sizeof *work);
    giving g = {.last = work, .reg = work + n, .free = work + 2 * n, .count = t->k->registers};
    tape_step   *step = mem_array(t->m, t->count + 1, tape_step);
    for (int i = 0; i < t->count; i++) g.last[i] = -1;
    find_last_reads(t, &g);
    for (int i = 0; i < t->count; i++)
        if (!t->absorbed[i]) step[out->steps++] = place(t, &g, i);
    step[out->steps].op = TAPE_END;
    out->step = step, out->registers = g.count;
    mem_drop(t->m, work);
}

/* Lives in m. */
const tape *tape_new(mem *m, const kernel *k)
{
    tape  *out = mem_array(m, 1, tape);
    mem   *brief = mem_child(m);
    taping t = {.m = brief, .k = k, .fixed = k->inputs + k->constants, .count = k->instructions};
    t.op = mem_array(brief, t.count, int), t.arg = mem_array(brief, OPERANDS * t.count, int);
    t.readers = mem_array(brief, t.count, int), t.home = mem_array(brief, t.count, int);
    t.absorbed = mem_array(brief, t.count, uint8_t);
    t.step = mem_array(brief, t.count, tape_step);
    number_values(&t);
    join_pairs(&t);
    t.m = m;
    give_registers(&t, out);
    mem_free(brief);
    return out;
}

/* Backwards: is what a step computes wanted later on? Then so is what it reads. */
int tape_link(const tape *t, const double *const *from, double *const *to, uint8_t *wanted,
              linked_step *out)
{
    int at = t->steps;
    for (int i = t->steps - 1; i >= 0; i--) {
        const tape_step *s = &t->step[i];
        if (!wanted[s->to]) continue;
        wanted[s->to] = 0;
        wanted[s->a] = wanted[s->b] = wanted[s->c] = wanted[s->d] = 1;
        out[--at] = (linked_step){s->op, to[s->to], from[s->a], from[s->b], from[s->c], from[s->d]};
    }
    memmove(out, out + at, (size_t)(t->steps - at) * sizeof *out);
    return t->steps - at;
}
