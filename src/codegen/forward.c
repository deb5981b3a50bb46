/* forward.c - what each operation of the residual's program depends on, and whether the Jacobian of
 * a dense system is cheaper by forward differentiation of that program (forward_rows.c) than entry
 * by entry. */
#include "codegen/forward.h"

enum {
    SHORTEST = 6,       /* unknowns: fewer are written out                           */
    WRITTEN_MOST = 1800 /* operations of entries that compilers take in their stride */
};

/* The last instruction that wrote a register; inputs and constants as -1 - register. */
static int defined_by(const int *last, const kernel *k, int reg)
{
    return reg < k->inputs + k->constants ? -1 - reg : last[reg];
}

/* Registers are used again and again; operations name what they read instead. */
static void open_program(differentiation *s)
{
    const kernel *k = s->k;
    mem          *m = s->f->w.m;
    int          *last = mem_array(m, k->registers + 1, int);
    s->op = mem_array(m, k->instructions + 1, operation);
    for (int i = 0; i < k->instructions; i++) {
        const int  reg[] = {k->code[i].a, k->code[i].b, k->code[i].c};
        operation *o = &s->op[s->ops];
        *o = (operation){.op = k->code[i].op, .n = operands_of(k->code[i].op), .row = -1};
        for (int a = 0; a < o->n && a < 3; a++) o->arg[a] = defined_by(last, k, reg[a]);
        last[k->code[i].to] = s->ops++;
    }
    s->output = mem_array(m, k->outputs + 1, int);
    for (int y = 0; y < k->outputs; y++) s->output[y] = defined_by(last, k, k->out[y]);
}

/* Of an input that is its coordinate. */
bool forward_reach(const differentiation *s, int x, int *low, int *high)
{
    if (x >= 0) *low = s->op[x].low, *high = s->op[x].high;
    else {
        const int r = -1 - x;
        *low = *high = 0;
        if (r >= s->k->inputs) return false;
        const field_variable v = s->f->f->variable[r];
        if (v.from != READ_Q && v.from != READ_W) return false;
        *low = v.index, *high = v.index + 1;
    }
    return *low < *high;
}

/* low .. high-1 of an operation spans those of its arguments. */
static void find_reaches(differentiation *s)
{
    for (int i = 0; i < s->ops; i++) {
        operation *o = &s->op[i];
        for (int a = first_argument(o->op); a < o->n; a++) {
            int low, high;
            if (!forward_reach(s, o->arg[a], &low, &high)) continue;
            if (!forward_has_slope(o->op)) continue; /* sign, floor, comparisons */
            if (o->low == o->high) o->low = low, o->high = high;
            o->low = low < o->low ? low : o->low;
            o->high = high > o->high ? high : o->high;
        }
    }
}

/* Operations below x that have no place yet, arguments first. */
int forward_order(differentiation *s, int x, uint8_t *placed, int *stack, int count)
{
    int depth = 0;
    if (x >= 0) stack[depth++] = x;
    while (depth) {
        const int        top = stack[depth - 1];
        const operation *o = &s->op[top];
        const int        before = depth;
        for (int a = o->n; a-- > 0 && !placed[top];)
            if (o->arg[a] >= 0 && !placed[o->arg[a]]) stack[depth++] = o->arg[a];
        if (depth > before) continue;
        depth--;
        if (!placed[top]) s->order[count++] = top;
        placed[top] = 1;
    }
    return count;
}

/* A slot without a value is a register behind inputs and constants, which depends on nothing. */
int forward_part(const differentiation *s, int coordinate, int kind)
{
    static const field_name of[ROW_PARTS] = {FIELD_LQ, FIELD_LW, FIELD_F, FIELD_D};
    const int               held = program_slot(s->p, of[kind], coordinate, -1);
    return held < 0 ? -1 - s->k->inputs - s->k->constants : s->output[held];
}

/* Rows are given up when their last reader is written, so readers are counted. */
static void count_readers(differentiation *s)
{
    for (int i = 0; i < s->ops; i++)
        for (int a = 0; a < s->op[i].n; a++)
            if (is_wide(s, i) && is_wide(s, s->op[i].arg[a])) s->op[s->op[i].arg[a]].left++;
    for (int j = 0; j < s->f->n; j++)
        for (int kind = 0; kind < ROW_PARTS; kind++) {
            const int x = forward_part(s, j, kind);
            if (is_wide(s, x)) s->op[x].left++;
        }
}

/* A value that is read once is not stored: its reader uses the rows that it is a combination of. */
static void choose_rows(differentiation *s)
{
    for (int i = 0; i < s->ops; i++)
        s->op[i].kept = is_wide(s, i) && (s->op[i].left != 1 || forward_is_choice(s->op[i].op));
}

differentiation forward_new(codegen *f)
{
    differentiation s = {.f = f, .p = &f->of[AT_RULE][0], .k = f->of[AT_RULE][0].k};
    if (!s.k) return s;
    open_program(&s);
    find_reaches(&s);
    count_readers(&s);
    choose_rows(&s);
    return s;
}

/* A Jacobian by its entries costs their operations and their assembly; by forward differentiation,
 * a call for each row and its blocks, of which each costs 1.75 times as much: pendulums of 9 links
 * break even. */
bool forward_pays(codegen *f)
{
    const program *second = &f->of[AT_RULE][1];
    double         entries = 3.0 * second->root.n, forward = 0;
    if (f->N < SHORTEST || f->phase || f->members || f->linear || !second->k ||
        !f->of[AT_RULE][0].k)
        return false;
    differentiation s = forward_new(f);
    entries += second->k->instructions - s.k->instructions;
    for (int i = 0; i < s.ops; i++)
        if (s.op[i].kept)
            forward += 12 + (double)(end_of(&s, s.op[i].high) - begin_of(s.op[i].low)) / 2;
        else if (depends(&s, i)) forward += is_wide(&s, i) ? 2 + f->N / 4.0 : 2 * f->d;
    return 1.75 * forward < entries || second->k->instructions * f->points[AT_RULE] > WRITTEN_MOST;
}
