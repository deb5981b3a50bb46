/* c_text.c - assembles C text. */
#include "codegen/c_text.h"

#include "base/plain.h"
#include "kernel/emit_c.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seventeen digits read back as the same double, nine as the same float; negative numbers in
 * brackets, since "--" is another operator. */
const char *write_number(writer *w, double x)
{
    char digits[40];
    if (w->single) x = (double)(float)x;
    if (isnan(x)) return w->single ? "NAN" : "(double)NAN";
    if (isinf(x))
        return x > 0 ? (w->single ? "HUGE_VALF" : "HUGE_VAL")
                     : (w->single ? "(-HUGE_VALF)" : "(-HUGE_VAL)");
    plain_snprintf(digits, sizeof digits, w->single ? "%.9g" : "%.17g", x);
    bool        whole = !strpbrk(digits, ".e");
    const char *tail = w->single ? (whole ? ".0f" : "f") : (whole ? ".0" : "");
    return mem_printf(w->m, x < 0 || (x == 0 && signbit(x)) ? "(%s%s)" : "%s%s", digits, tail);
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Word by word, so that `i` in `int` stays. */
const char *write_with(writer *w, const char *body, const char *word, const char *by)
{
    const size_t length = strlen(word);
    text         t = text_new(w->m);
    for (const char *at = body; *at;) {
        const char *begin = at;
        while (*at && in_word(*at)) at++;
        if (at == begin) at++;
        if ((size_t)(at - begin) == length && !strncmp(begin, word, length)) text_add(&t, by);
        else text_add_bytes(&t, begin, (size_t)(at - begin));
    }
    return text_str(&t);
}

/* A loop of one turn is no loop, and none leaves no text. */
const char *write_loop(writer *w, const char *var, int count, const char *body)
{
    if (count > 1)
        return mem_printf(w->m, "for (int %s = 0; %s < %d; %s++) { %s }\n", var, var, count, var,
                          body);
    return count ? mem_printf(w->m, "%s\n", write_with(w, body, var, "0")) : "";
}

const char *write_sum(writer *w, const char *var, int first, int end, const char *body)
{
    return mem_printf(w->m, "for (int %s = %d; %s < %d; %s++) {\n%s}\n", var, first, var, end, var,
                      body);
}

/* At least one number, as C has no empty arrays. */
void write_table(writer *w, const char *name, const double *x, int count)
{
    text_printf(&w->out, "static const number %s[%d] = {", name, count > 0 ? count : 1);
    for (int k = 0; k < count; k++)
        text_printf(&w->out, "%s%s", k ? (k % 4 ? ", " : ",\n    ") : "\n    ",
                    write_number(w, x[k]));
    text_add(&w->out, count > 0 ? "};\n" : "0};\n");
}

void write_size(writer *w, const char *name, int size)
{
    text_printf(&w->out, "#define %s %d\n", name, size);
}

void write_indices(writer *w, const char *name, const int *x, int count)
{
    text_printf(&w->out, "static const short %s[%d] = {", name, count);
    for (int k = 0; k < count; k++)
        text_printf(&w->out, "%s%d", k ? (k % 20 ? ", " : ",\n    ") : "\n    ", x[k]);
    text_add(&w->out, "};\n");
}

static const char *const operation_text[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = text,
#include "expr/ops.def"
#undef OP
};

/* Truth values are int in C; reals may be float. */
static bool is_truth(expr_op op)
{
    return op == OP_SIGN || (op >= OP_LT && op <= OP_NOT);
}

void write_operation(writer *w, expr_op op, const char *a, const char *b, const char *c)
{
    const char *const arg[] = {a, b, c};
    text_add(&w->out, is_truth(op) ? "(real)" : emit_c_barrier(op));
    /* %a, %b, %c of ops.def are the operands */
    for (const char *s = operation_text[op]; *s; s++) {
        if (*s == '%') text_add(&w->out, arg[*++s - 'a']);
        else text_add_bytes(&w->out, s, 1);
    }
}

void write_finish(writer *w, const char *body)
{
    static const char *const function[] = {"pow",  "sqrt", "exp",  "log",  "sin",   "cos",
                                           "tan",  "asin", "acos", "atan", "atan2", "sinh",
                                           "cosh", "tanh", "fabs", "floor"};
    for (size_t k = 0; w->single && k < sizeof function / sizeof *function; k++)
        body = write_with(w, body, function[k], mem_printf(w->m, "%sf", function[k]));
    text_add(&w->out, body);
}

const char *write_lanes_sum(writer *to, const char *array, int lanes)
{
    text t = text_new(to->m);
    int  w = lanes;
    for (; w % 2 == 0; w /= 2)
        text_printf(&t, "for (int i = 0; i < %d; i++) %s[i] += %s[%d + i];\n", w / 2, array, array,
                    w / 2);
    for (int i = 1; i < w; i++) text_printf(&t, "%s[0] += %s[%d];\n", array, array, i);
    return text_str(&t);
}

void write_lanes(text *t, int lanes, const char *body)
{
    text_printf(t, "for (int i = 0; i < %d; i++) %s\n", lanes, body);
}
