/* emit_c.c - turns registers back into values, written in the order in which the roots need them:
 * the compiler then allocates its own registers. */
#include "kernel/emission.h"

#include <math.h>

typedef struct {
    int         arity;
    const char *text;
} op_row;

static const op_row op_rows[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = {(arity) < 0 ? 2 : (arity), text},
#include "expr/ops.def"
#undef OP
};

/* Text that begins with a name, but for those that processors have instructions for. */
bool op_is_call(expr_op op)
{
    const char *t = op_rows[op].text;
    return t && *t != '(' && op != OP_SQRT && op != OP_ABS && op != OP_FLOOR;
}

/* Only products can be contracted with what follows. */
const char *emit_c_barrier(expr_op op)
{
    return op == OP_MUL ? "ROUNDED" : "";
}

/* From registers to values. -------------------------------------------------------------------- */

/* Registers are used again, so that a name stands for the instruction that wrote it last. */
static operand value_of(const kernel *k, const int *writer, int reg)
{
    return reg < k->inputs + k->constants ? register_operand(reg) : writer[reg];
}

/* Operands become steps; the kernel's order is a valid one, but not the one that is written. */
static void trace_values(mem *m, emission *e)
{
    const kernel *k = e->k;
    int          *writer = mem_array(m, k->registers + 1, int);
    for (int i = 0; i < k->instructions; i++) {
        const instruction *in = &k->code[i];
        const int          reg[3] = {in->a, in->b, in->c};
        step              *s = &e->step[i];
        s->op = in->op, s->n = op_rows[s->op].arity;
        for (int j = 0; j < s->n && j < 3; j++) s->arg[j] = value_of(k, writer, reg[j]);
        writer[in->to] = i;
    }
    for (int j = 0; j < k->outputs; j++) e->root[j] = value_of(k, writer, k->out[j]);
}

/* Each root's operations before the next root's, arguments first: a walk with a stack of our own.
 */
static void order_operations(mem *m, emission *e)
{
    int *stack = mem_array(m, e->steps + 1, int), *next = mem_array(m, e->steps + 1, int);
    /* next[s]: arguments looked at so far, one more than there are once it is placed */
    int  n = 0;
    for (int j = 0; j < e->k->outputs; j++) {
        int depth = 0;
        if (is_step(e->root[j]) && !next[e->root[j]]) stack[depth++] = e->root[j];
        while (depth) {
            int         s = stack[depth - 1];
            const step *x = &e->step[s];
            if (next[s] == x->n) {
                next[s]++, depth--;
                e->name[s] = n, e->order[n++] = s;
                continue;
            }
            operand a = x->arg[next[s]++];
            if (is_step(a) && !next[a]) stack[depth++] = a;
        }
    }
    e->steps = n;
}

/* What a caller leaves open is as in the example of emit_c.h. */
static void complete_style(emit_style *s)
{
    if (!s->before) s->before = "x[";
    if (!s->after) s->after = "]";
    if (!s->local) s->local = "t";
    if (!s->indent) s->indent = "    ";
    if (!s->real) s->real = s->single ? "float" : "double";
}

const emission *emit_c_open(mem *m, const kernel *k, const emit_style *s)
{
    emission *e = mem_array(m, 1, emission);
    mem      *brief = mem_child(m);
    e->k = k, e->steps = k->instructions;
    if (s) e->style = *s;
    complete_style(&e->style);
    e->step = mem_array(m, k->instructions + 1, step);
    e->order = mem_array(m, k->instructions + 1, int);
    e->name = mem_array(m, k->instructions + 1, int);
    e->root = mem_array(m, k->outputs + 1, operand);
    trace_values(brief, e);
    order_operations(brief, e);
    mem_free(brief);
    return e;
}

/* Text. ---------------------------------------------------------------------------------------- */

/* An integer times a power of two; printf's %a would follow the locale in its point. */
static void hexadecimal(text *out, double x, const char *end)
{
    int                exponent;
    unsigned long long mantissa = (unsigned long long)ldexp(frexp(fabs(x), &exponent), 53);
    for (exponent -= 53; mantissa && mantissa % 2 == 0; exponent++) mantissa /= 2;
    if (!mantissa) exponent = 0;
    text_printf(out, signbit(x) ? "(-0x%llxp%d%s)" : "0x%llxp%d%s", mantissa, exponent, end);
}

/* Exact: small whole numbers in decimal, all others in hexadecimal. */
void emit_c_number(text *out, double x, bool single)
{
    const char *end = single ? "f" : "";
    if (single) x = (double)(float)x;
    if (isnan(x)) text_printf(out, "(0.0%s / 0.0%s)", end, end);
    else if (isinf(x)) text_printf(out, "(%s1.0%s / 0.0%s)", x < 0 ? "-" : "", end, end);
    else if (x == floor(x) && fabs(x) < 1e6 && !(x == 0 && signbit(x)))
        text_printf(out, x < 0 ? "(%d.0%s)" : "%d.0%s", (int)x, end);
    else hexadecimal(out, x, end);
}

void emit_c_operand(const emission *e, operand x, text *out)
{
    const emit_style *s = &e->style;
    int               reg = operand_register(x);
    if (is_step(x)) text_printf(out, "%s%d", s->local, e->name[x]);
    else if (reg < e->k->inputs) text_printf(out, "%s%d%s", s->before, reg, s->after);
    else emit_c_number(out, e->k->constant[reg - e->k->inputs], s->single);
}

void emit_c_operation(const emission *e, int s, text *out)
{
    const step *x = &e->step[s];
    const char *from = op_rows[x->op].text;
    text_add(out, emit_c_barrier(x->op));
    for (const char *at = from; *at; at++) {
        if (*at == '%') emit_c_operand(e, x->arg[*++at - 'a'], out);
        /* a name before the bracket: a function, which has an f in single precision */
        else if (*at == '(' && at > from && at[-1] != '(' && at[-1] != ' ' && e->style.single)
            text_add(out, "f(");
        else text_add_bytes(out, at, 1);
    }
}

void emit_c_statements(const emission *e, text *out)
{
    for (int i = 0; i < e->steps; i++) {
        text_printf(out, "%sconst %s %s%d = ", e->style.indent, e->style.real, e->style.local, i);
        emit_c_operation(e, e->order[i], out);
        text_add(out, ";\n");
    }
}

bool emit_c_is_arithmetic(const emission *e)
{
    bool only = true;
    for (int i = 0; i < e->steps; i++) {
        const expr_op op = e->step[e->order[i]].op;
        only &= op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV || op == OP_NEG;
    }
    return only;
}

void emit_c_root(const emission *e, int root, text *out)
{
    emit_c_operand(e, e->root[root], out);
}

/* Multiplication by a power of two is exact, before or after another: so such factors are combined
 * and moved out of loops. */
static bool is_power_of_two(const emission *e, operand x)
{
    int       exponent;
    const int reg = is_step(x) ? -1 : operand_register(x);
    return reg >= e->k->inputs && fabs(frexp(e->k->constant[reg - e->k->inputs], &exponent)) == 0.5;
}

/* A sign goes to the factor and a power of two beside it, where they cost nothing. */
void emit_c_scaled_root(const emission *e, int root, const char *factor, text *out)
{
    const operand x = e->root[root];
    const bool    negative = is_step(x) && e->step[x].op == OP_NEG;
    if (is_step(x) && e->step[x].op == OP_MUL && is_power_of_two(e, e->step[x].arg[0])) {
        text_printf(out, "%s * ", factor);
        emit_c_operand(e, e->step[x].arg[0], out);
        text_add(out, " * ");
        emit_c_operand(e, e->step[x].arg[1], out);
        return;
    }
    text_printf(out, negative ? "-%s * " : "%s * ", factor);
    emit_c_operand(e, negative ? e->step[x].arg[0] : x, out);
}

/* Names of functions are what the operators' texts begin with. */
void emit_c_prologue(text *out)
{
    text_add(out, EMIT_C_ROUNDED);
    for (int op = 0; op < OP_COUNT; op++) {
        const char *t = op_rows[op].text;
        if (!t || *t == '(') continue;
        for (; *t != '('; t++) {
            if (t == op_rows[op].text) text_add(out, "double ");
            text_add_bytes(out, t, 1);
        }
        text_add(out, op_rows[op].arity == 2 ? "(double, double);\n" : "(double);\n");
    }
}

/* Functions. ----------------------------------------------------------------------------------- */

/* Inputs and constants that are roots are in their registers already. */
void emit_c_scalar(text *out, const kernel *k, const char *name)
{
    mem            *m = mem_child(out->m);
    const emission *e = emit_c_open(m, k, &(emit_style){.before = "reg["});
    text_printf(out, "void %s(double *reg)\n{\n", name);
    emit_c_statements(e, out);
    for (int j = 0; j < k->outputs; j++) {
        if (!is_step(e->root[j])) continue;
        text_printf(out, "    reg[%d] = ", k->out[j]);
        emit_c_root(e, j, out);
        text_add(out, ";\n");
    }
    text_add(out, "}\n");
    mem_free(m);
}
