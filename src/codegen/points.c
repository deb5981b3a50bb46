/* points.c - kernels as C functions that evaluate all sample points of a curve, one lane each: a
 * plain loop over straight-line code, which compilers vectorise. */
#include "codegen/inside.h"

#include <stdio.h>
#include <string.h>

void program_init(codegen *f, program *p, const char *title, int lanes)
{
    (void)f;
    *p = (program){.name = title, .lanes = lanes};
}

void program_add(codegen *f, program *p, const field_root *root)
{
    vec_push(f->w.m, p->root, root);
}

/* Functions that need a call for each lane; sines and cosines do not (angles.c). */
static bool is_call(const codegen *f, expr_op op)
{
    if (op == OP_SIN || op == OP_COS) return f->members || f->w.single;
    return op == OP_POW || (op >= OP_EXP && op <= OP_TANH);
}

/* Equal roots, as those of a symmetric matrix, are computed and kept once. */
void program_make(codegen *f, program *p)
{
    mem *m = f->w.m;
    vec(const field_root *) once = {0};
    int *slot_of = mem_resize(m, NULL, (size_t)(f->f->g.nodes.n + 1) * sizeof *slot_of);
    for (int e = 0; e < f->f->g.nodes.n; e++) slot_of[e] = -1;
    p->slot = mem_array(m, p->root.n + 1, int);
    for (int k = 0; k < p->root.n; k++) {
        int *at = &slot_of[p->root.at[k]->value];
        if (*at < 0) {
            *at = once.n;
            vec_push(m, once, p->root.at[k]);
        }
        p->slot[k] = *at;
    }
    mem_drop(m, slot_of);
    p->slots = once.n;
    if (!once.n) return;
    p->k = fields_kernel(m, f->f, once.at, once.n);
    for (int i = 0; i < p->k->instructions; i++) p->calls |= is_call(f, p->k->code[i].op);
    f->operations += p->k->instructions;
}

/* Where an entry stands among the results. */
int program_slot(const program *p, field_name of, int row, int col)
{
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        if (r->of == of && r->row == row && r->column == col) return p->slot[k];
    }
    return -1;
}

static const char *const argument[READS] = {
    [READ_PARAMETER] = "par", [READ_LAM] = "lam", [READ_INPUT] = "u", [READ_TIME] = "t",
    [READ_Q] = "q",           [READ_W] = "w",     [READ_V] = "v",     [READ_P] = "p",
    [READ_ENERGY] = "energy", [READ_RATE] = "a",
};

/* The same at all points, so not kept by lane. */
static bool is_still(read_from from)
{
    return from == READ_PARAMETER || from == READ_INPUT;
}

/* How a variable is read in lane i. */
const char *program_variable(codegen *f, const program *p, int k)
{
    const field_variable v = f->f->variable[k];
    if (v.from == READ_INPUT && f->follows) return inputs_variable(f, p, k);
    if (is_still(v.from) || (p->lanes == 1))
        return mem_printf(f->w.m, "%s[%d]", argument[v.from], v.index);
    if (!v.index) return mem_printf(f->w.m, "%s[i]", argument[v.from]);
    return mem_printf(f->w.m, "%s[%d + i]", argument[v.from], v.index * p->lanes);
}

/* arity -1 in ops.def: sums and products of any number, which kernels make in pairs */
int operands_of(expr_op op)
{
    static const signed char arity[OP_COUNT] = {
#define OP(title, count, symbol, value, text) [OP_##title] = count,
#include "expr/ops.def"
#undef OP
    };
    return arity[op] < 0 ? 2 : arity[op];
}

/* Outputs may be inputs themselves. */
bool program_reads(const program *p, int variable)
{
    const kernel *k = p->k;
    for (int i = 0; i < k->instructions; i++) {
        const int arg[] = {k->code[i].a, k->code[i].b, k->code[i].c};
        for (int a = 0; a < operands_of(k->code[i].op) && a < 3; a++)
            if (arg[a] == variable) return true;
    }
    for (int i = 0; i < k->outputs; i++)
        if (k->out[i] == variable) return true;
    return false;
}

/* The sources that the program reads, as a set of 1 << read_from. */
static unsigned reads(const codegen *f, const program *p)
{
    unsigned set = 0;
    for (int v = 0; v < p->k->inputs; v++)
        if (program_reads(p, v)) set |= 1u << f->f->variable[v].from;
    return set;
}

/* Straight-line code: x0, x1, ... in the order of the instructions, results into o. */
static void write_code(codegen *f, const program *p)
{
    const kernel *k = p->k;
    const char  **reg = mem_array(f->w.m, k->registers + 1, const char *);
    for (int r = 0; r < k->inputs; r++) reg[r] = program_variable(f, p, r);
    for (int r = 0; r < k->constants; r++) reg[k->inputs + r] = write_number(&f->w, k->constant[r]);
    for (int i = 0; i < k->instructions; i++) {
        const instruction *at = &k->code[i];
        text_printf(&f->w.out, "        const real x%d = ", i);
        if (f->members)
            lanes_operation(f, at->op, (const char *const[]){reg[at->a], reg[at->b], reg[at->c]});
        else write_operation(&f->w, at->op, reg[at->a], reg[at->b], reg[at->c]);
        text_add(&f->w.out, ";\n");
        reg[at->to] = mem_printf(f->w.m, "x%d", i);
    }
    for (int i = 0; i < k->outputs; i++)
        text_printf(&f->w.out,
                    p->lanes > 1 ? "        o[%d + i] = REAL(%s);\n"
                                 : "        o[%d] = REAL(%s);\n",
                    i * p->lanes, reg[k->out[i]]);
}

/* Sines by increments need the last angles and their sines from call to call. */
static bool keeps_angles(const codegen *f, const program *p)
{
    return p->near && angles_fit(f, p);
}

/* In the order of read_from, as program_passed passes them. */
const char *program_arguments(codegen *f, const program *p)
{
    const unsigned used = reads(f, p);
    text           t = text_new(f->w.m);
    for (read_from from = 0; from < READS; from++)
        if (used >> from & 1) text_printf(&t, "const real *%s, ", argument[from]);
    if (keeps_angles(f, p)) text_add(&t, "real *near, ");
    return text_str(&t);
}

/* A program without results is no function; its callers know that too. */
void program_write(codegen *f, const program *p)
{
    if (!p->k) return;
    if (angles_fit(f, p)) verbatim(f, "circle.h");
    text_printf(&f->w.out, "static inline void %s(%sreal *RESTRICT o)\n{\n", p->name,
                program_arguments(f, p));
    if (angles_fit(f, p)) {
        angles_write(f, p);
        text_add(&f->w.out, "}\n\n");
        return;
    }
    if (p->lanes > 1) text_printf(&f->w.out, "    for (int i = 0; i < %d; i++) {\n", p->lanes);
    write_code(f, p);
    text_add(&f->w.out, p->lanes > 1 ? "    }\n}\n\n" : "}\n\n");
}

/* Without Hamiltonian coordinates w is v, so v is passed for it. */
const char *program_passed(codegen *f, const program *p, point_set set)
{
    static const char letter[] = "RFKGS";
    const unsigned    used = reads(f, p);
    text              t = text_new(f->w.m);
    for (read_from from = 0; from < READS; from++) {
        if (!(used >> from & 1)) continue;
        const bool same = from == READ_W && !f->phase;
        if (from == READ_INPUT && f->follows) text_printf(&t, "%s, ", inputs_passed(f, set));
        else if (is_still(from)) text_printf(&t, "%s, ", argument[from]);
        else text_printf(&t, "%s%c, ", same ? "v" : argument[from], letter[set]);
    }
    if (keeps_angles(f, p)) text_printf(&t, "near%c, ", letter[set]);
    return text_str(&t);
}

/* The call, in a scope that has the points as tX, qX, wX, vX, lamX, and results oX. */
const char *program_call(codegen *f, const program *p, point_set set)
{
    static const char letter[] = "RFKGS";
    if (!p->k) return "";
    return mem_printf(f->w.m, "%s(%so%c);\n", p->name, program_passed(f, p, set), letter[set]);
}
