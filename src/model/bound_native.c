/* bound_native.c - the programs of a bound as compiled code: chosen, emitted as one text, built. */
#include "model/bound.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"

#include <stdio.h>

/* gcc's time grows with the square of a function's length: about 3 seconds for the longest. */
enum { LONGEST = 6000, LONGEST_TOGETHER = 20000 };

typedef struct { /* a program that serves a request, and where its code is noted */
    const kernel   *k;
    int             instances;
    kernel_scalar **scalar; /* NULL: it has lanes */
    kernel_lanes  **lanes;
} wanted;
typedef vec(wanted) wanted_list;

/* Not in the list yet; NULL programs have nothing to compile. */
static bool is_new(const wanted_list *list, const kernel *k)
{
    for (int i = 0; i < list->n; i++)
        if (list->at[i].k == k) return false;
    return k;
}

/* Adds the programs that serve a request, each once. */
static void collect(mem *m, bound *b, unsigned want, wanted_list *list)
{
    const compiled *c = b->c;
    for (int k = 0; k < c->merged.bundles; k++)
        if (c->merged.plan[want % WANTS] >> k & 1 && is_new(list, c->merged.bundle[k].k))
            vec_push(m, *list, (wanted){c->merged.bundle[k].k, 1, &b->merged_code[k], NULL});
    for (int s = 0; s < c->shapes; s++)
        for (int k = 0; k < c->shape[s].batches; k++)
            if (c->shape[s].plan[want % WANTS] >> k & 1 && is_new(list, c->shape[s].batch[k].k))
                vec_push(m, *list,
                         (wanted){c->shape[s].batch[k].k, c->shape[s].d->instances, NULL,
                                  &b->shape_reg[s].code[k]});
}

/* Calls of the C library in a program. */
static int calls_in(const kernel *k)
{
    int calls = 0;
    for (int i = 0; i < k->instructions; i++) {
        const expr_op op = k->code[i].op;
        calls += (op >= OP_EXP && op <= OP_TANH) || op == OP_POW;
    }
    return calls;
}

/* Measured: a scalar interpreter takes about 1.5 ns for an operation, a batched one 0.3 ns, and
 * there 7 ns more for a sine. */
bound_costs bound_cost(mem *m, bound *b, const unsigned *want, int n)
{
    bound_costs sum = {.compile_seconds = 0.045};
    wanted_list list = {0};
    for (int i = 0; i < n; i++) collect(m, b, want[i], &list);
    for (int i = 0; i < list.n; i++) {
        double operations = list.at[i].k->instructions, twice = list.at[i].lanes ? 2 : 1;
        if (operations > LONGEST) continue;
        sum.interpreter_ns += operations * list.at[i].instances * (list.at[i].scalar ? 1.5 : 0.3);
        if (!list.at[i].scalar) sum.call_ns += 7.0 * calls_in(list.at[i].k) * list.at[i].instances;
        sum.written += operations * list.at[i].instances;
        sum.compile_seconds += twice * operations * (1e-4 + 6e-8 * operations);
    }
    vec_drop(m, list);
    return sum;
}

/* One text with all functions: s0, s1, ... for scalars, b0, b1, ... for lanes, by place in the
 * list. */
static int emit(const wanted_list *list, text *out)
{
    int  written = 0, operations = 0;
    char word[16];
    emit_c_prologue(out);
    for (int i = 0; i < list->n; i++) {
        const wanted *w = &list->at[i];
        if (w->k->instructions > LONGEST || operations > LONGEST_TOGETHER) continue;
        snprintf(word, sizeof word, "%c%d", w->scalar ? 's' : 'b', i);
        if (w->scalar) emit_c_scalar(out, w->k, word);
        else emit_c_batch(out, w->k, word);
        operations += w->k->instructions, written++;
    }
    return written;
}

/* Functions that the library has not got (too long, not written) stay with the interpreter. */
static void note_code(const wanted_list *list, const native_library *lib)
{
    char word[16];
    for (int i = 0; i < list->n; i++) {
        const wanted *w = &list->at[i];
        snprintf(word, sizeof word, "%c%d", w->scalar ? 's' : 'b', i);
        native_function f = native_symbol(lib, word);
        if (f && w->scalar) *w->scalar = (kernel_scalar *)f;
        if (f && w->lanes) *w->lanes = (kernel_lanes *)f;
    }
}

bool bound_native(mem *m, bound *b, const unsigned *want, int n, text *why)
{
    mem        *brief = mem_child(m);
    wanted_list list = {0};
    text        c = text_new(brief);
    for (int i = 0; i < n; i++) collect(brief, b, want[i], &list);
    int written = emit(&list, &c);
    if (list.n && !written)
        text_printf(why, "the programs are too long: native code has at most %d operations in one",
                    LONGEST);
    native_library *lib = written ? native_build(m, c.at, c.n, why) : NULL;
    if (lib) note_code(&list, lib);
    mem_free(brief);
    return lib || !list.n;
}
