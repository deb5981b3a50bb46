/* emit_batch.c - a kernel over the lanes of a block: plain loops, which compilers vectorise.
 *
 * Functions of libm have no vector instructions with the same bits. So operations are divided into
 * stages: stage s has all operations that depend on the results of s successive calls, first in a
 * loop that vectorises, then a loop with the calls. A value that a later loop reads is kept in a
 * row of its own; a few lanes go through all stages at a time, so that these rows stay in the
 * nearest cache. */
#include "kernel/emission.h"

enum { LANES = 16 }; /* that go through all stages together */

typedef struct {
    const emission *e;
    text           *out;
    int            *stage; /* of each step: twice the calls before it, one more if it is a call */
    int            *row;   /* of each step that a later loop reads; -1: of its own loop only    */
    int             stages, rows;
} plan;

/* stage[s] = 2 (calls on the way to it), and one more if it is a call itself: even stages
 * vectorise. */
static void find_stages(plan *p)
{
    const emission *e = p->e;
    for (int i = 0; i < e->steps; i++) {
        const step *x = &e->step[e->order[i]];
        int         most = 0;
        for (int j = 0; j < x->n; j++) {
            if (!is_step(x->arg[j])) continue;
            int of = p->stage[x->arg[j]], ready = of + of % 2; /* after a call: the next pair */
            if (ready > most) most = ready;
        }
        p->stage[e->order[i]] = most + op_is_call(x->op);
        if (most + op_is_call(x->op) >= p->stages) p->stages = most + op_is_call(x->op) + 1;
    }
}

/* One row for each value, however many read it. */
static void keep(plan *p, operand x)
{
    if (is_step(x) && p->row[x] < 0) p->row[x] = p->rows++;
}

/* What is read in its own loop only stays a local. */
static void find_rows(plan *p)
{
    const emission *e = p->e;
    for (int i = 0; i < e->steps; i++) p->row[e->order[i]] = -1;
    for (int i = 0; i < e->steps; i++) {
        const step *x = &e->step[e->order[i]];
        for (int j = 0; j < x->n; j++)
            if (is_step(x->arg[j]) && p->stage[x->arg[j]] != p->stage[e->order[i]])
                keep(p, x->arg[j]);
    }
}

/* Reads of one loop: what earlier loops kept becomes a local again when it is met first. */
static void load_kept(const plan *p, int s, int *loaded)
{
    const step *x = &p->e->step[s];
    for (int j = 0; j < x->n; j++) {
        operand a = x->arg[j];
        if (!is_step(a) || p->stage[a] == p->stage[s] || loaded[a] == p->stage[s] + 1) continue;
        loaded[a] = p->stage[s] + 1;
        text_add(p->out, "            const double ");
        emit_c_operand(p->e, a, p->out);
        text_printf(p->out, " = kept[%d][l];\n", p->row[a]);
    }
}

/* Roots go to their registers in the loop that makes them. */
static void store_roots(const plan *p, int stage)
{
    const emission *e = p->e;
    for (int j = 0; j < e->k->outputs; j++) {
        if (!is_step(e->root[j]) || p->stage[e->root[j]] != stage) continue;
        text_printf(p->out, "            reg[%d + l] = ", e->k->out[j] * KERNEL_BLOCK);
        emit_c_root(e, j, p->out);
        text_add(p->out, ";\n");
    }
}

/* All operations of one stage, in the order of the emission. */
static void write_loop(const plan *p, int stage, int *loaded)
{
    const emission *e = p->e;
    text_add(p->out, "        for (int l = 0; l < lanes; l++) {\n");
    for (int i = 0; i < e->steps; i++) {
        int s = e->order[i];
        if (p->stage[s] != stage) continue;
        load_kept(p, s, loaded);
        text_printf(p->out, "            const double t%d = ", i);
        emit_c_operation(e, s, p->out);
        text_add(p->out, ";\n");
        if (p->row[s] >= 0) text_printf(p->out, "            kept[%d][l] = t%d;\n", p->row[s], i);
    }
    store_roots(p, stage);
    text_add(p->out, "        }\n");
}

/* Without calls there is one loop over the whole block, and nothing to keep. */
void emit_c_batch(text *out, const kernel *k, const char *name)
{
    mem       *m = mem_child(out->m);
    emit_style style = {.before = "reg[", .after = " * 128 + l]"};
    _Static_assert(KERNEL_BLOCK == 128, "the style names the length of a row");
    plan p = {.e = emit_c_open(m, k, &style), .out = out};
    p.stage = mem_array(m, k->instructions + 1, int),
    p.row = mem_array(m, k->instructions + 1, int);
    int *loaded = mem_array(m, k->instructions + 1, int);
    find_stages(&p), find_rows(&p);
    text_printf(out, "void %s(double *reg, int count)\n{\n", name);
    if (p.rows) text_printf(out, "    double kept[%d][%d];\n", p.rows, LANES);
    text_printf(out, "    for (int first = 0; first < count; first += %d, reg += %d) {\n",
                p.rows ? LANES : KERNEL_BLOCK, p.rows ? LANES : KERNEL_BLOCK);
    text_printf(out, "        int lanes = count - first < %d ? count - first : %d;\n",
                p.rows ? LANES : KERNEL_BLOCK, p.rows ? LANES : KERNEL_BLOCK);
    for (int s = 0; s < p.stages; s++) write_loop(&p, s, loaded);
    text_add(out, "    }\n}\n");
    mem_free(m);
}
