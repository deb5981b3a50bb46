/* print.c - a program as text: its constants, its instructions, its outputs. */
#include "kernel/kernel.h"

static const char *const operator_text[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = text,
#include "expr/ops.def"
#undef OP
};

/* the operator's C text with registers for %a, %b, %c */
static void print_value(const char *format, const instruction *i, text *out)
{
    for (const char *s = format; *s; s++) {
        if (*s != '%') {
            text_add_bytes(out, s, 1);
            continue;
        }
        s++;
        text_printf(out, "r%d", *s == 'a' ? i->a : *s == 'b' ? i->b : i->c);
    }
}

void kernel_print(const kernel *k, text *out)
{
    text_printf(out,
                "%d inputs, %d constants, %d registers, %d instructions, %d outputs\n",
                k->inputs, k->constants, k->registers, k->instructions, k->outputs);
    for (int i = 0; i < k->constants; i++) {
        text_printf(out, "r%d = ", k->inputs + i);
        text_number(out, k->constant[i]);
        text_add(out, "\n");
    }
    text_add(out, "\n");
    for (const instruction *i = k->code, *end = i + k->instructions; i < end; i++) {
        text_printf(out, "r%d = ", i->to);
        print_value(operator_text[i->op], i, out);
        text_add(out, "\n");
    }
    text_add(out, "\n");
    for (int i = 0; i < k->outputs; i++) text_printf(out, "out %d = r%d\n", i, k->out[i]);
}
