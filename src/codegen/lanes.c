/* lanes.c - the step of many ensemble members at once: the same text as for one, over vectors
 * (step/lanes.h). Operations other than arithmetic are made member by member.
 *
 * A member that has converged keeps its solution while others go on, so its result does not depend
 * on the other members of the block. A member whose iteration fails is dropped, and has to be run
 * by itself. */
#include "codegen/inside.h"

enum { UNKNOWNS_MOST = 16, WRITTEN_MOST = 6000 }; /* compilers take long for more */

/* Elimination is written out for all lanes, so it counts as operations too. */
bool lanes_fit(const codegen *f)
{
    int written = f->N * f->N * f->N;
    for (point_set set = 0; set < SETS; set++)
        if (f->points[set] && f->of[set][1].k)
            written += f->points[set] * f->of[set][1].k->instructions;
    return f->N <= UNKNOWNS_MOST && written <= WRITTEN_MOST;
}

/* As many as stand in a vector of the processor. */
static const char width_text[] = "#if defined __AVX512F__\n#define LANES 8\n"
                                 "#elif defined __AVX__\n#define LANES 4\n"
                                 "#else\n#define LANES 2\n#endif\n\n";

static const char *const name_of[OP_COUNT] = {
#define OP(name, arity, symbol, value, text) [OP_##name] = "each_" #name,
#include "expr/ops.def"
#undef OP
};

/* Sine and cosine have vector forms (step/circle.h); others go member by member. */
static const char *function_of(expr_op op)
{
    return op == OP_SIN ? "sine_of" : op == OP_COS ? "cosine_of" : name_of[op];
}

void lanes_operation(codegen *f, expr_op op, const char *const *arg)
{
    if (op <= OP_NEG) {
        write_operation(&f->w, op, arg[0], arg[1], arg[2]);
        return;
    }
    for (int k = 0; k < operands_of(op); k++)
        text_printf(&f->w.out, "%s%sREAL(%s)", k ? "" : function_of(op), k ? ", " : "(", arg[k]);
    text_add(&f->w.out, ")");
}

/* Only functions that some program calls are written. */
static void mark_operations(const program *p, bool *used)
{
    for (int i = 0; p->k && i < p->k->instructions; i++) used[p->k->code[i].op] = true;
}

/* An operation of up to three arguments, member by member. */
static void operation_write(codegen *f, expr_op op)
{
    static const char *const arguments[] = {"", "real a", "real a, real b",
                                            "real a, real b, real c"};
    text_printf(&f->w.out,
                "WITHIN real %s(%s)\n{\nreal o;\nfor (int l = 0; l < LANES; l++) o[l] = ",
                function_of(op), arguments[operands_of(op)]);
    write_operation(&f->w, op, "a[l]", "b[l]", "c[l]");
    text_add(&f->w.out, ";\nreturn o;\n}\n\n");
}

void lanes_write(codegen *f)
{
    bool used[OP_COUNT] = {0};
    text_add(&f->w.out, width_text);
    verbatim(f, "lanes.h");
    verbatim(f, "lane_state.h");
    mark_operations(&f->constant, used);
    for (point_set set = 0; set < SETS; set++)
        for (int second = 0; second < 2; second++) mark_operations(&f->of[set][second], used);
    if (used[OP_SIN] || used[OP_COS]) verbatim(f, "circle.h");
    for (expr_op op = OP_POW; op < OP_COUNT; op++)
        if (used[op] && op != OP_SIN && op != OP_COS) operation_write(f, op);
}
