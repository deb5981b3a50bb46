/* emit_c.h - a kernel as C text: C99, one statement per operation, numbered names only.
 *
 *     const double t0 = (x[0] * x[1]);
 *     const double t1 = sin(t0);                 emit_c_statements
 *     const double t2 = (t1 + 0x3p-1);
 *     t2                                         emit_c_root, to be put where it is wanted
 *
 * Operations appear where they are first needed, so that few values are live at a time; constants
 * are hexadecimal and exact. The operations are those of the interpreters, one by one, so that,
 * compiled without contraction, they give the same bits. */
#ifndef KERNEL_EMIT_C_H
#define KERNEL_EMIT_C_H

#include "kernel/kernel.h"

typedef struct {                /* how things are called; what is NULL is as in the example above */
    const char *before, *after; /* input 7 is read as before7after: "x[" and "]" */
    const char *local;          /* the operations are local0, local1, ...: "t"   */
    const char *indent;         /* before a statement: four blanks               */
    bool        single;         /* float instead of double, and sinf for sin     */
    const char *real;           /* what operations are, if not that: a type      */
} emit_style;

typedef struct emission emission;

/* Gets ready to write k; lives in m. */
const emission *emit_c_open(mem *m, const kernel *k, const emit_style *s);

/* The operations as statements, and, after them, the value of a root as an expression. */
void emit_c_statements(const emission *e, text *out);
void emit_c_root(const emission *e, int root, text *out);
/* its sign is the factor's */
void emit_c_scaled_root(const emission *e, int root, const char *factor, text *out);
void emit_c_number(text *out, double x, bool single);
bool emit_c_is_arithmetic(const emission *e); /* only + - * /: inputs may then be vectors */

/* The interpreters' own forms, of which only the registers of roots are written:
 *     void NAME(double *reg)                  as kernel_run
 *     void NAME(double *reg, int count)       as kernel_run_batch */
void emit_c_scalar(text *out, const kernel *k, const char *name);
void emit_c_batch(text *out, const kernel *k, const char *name);

/* What the text of a product begins with, "" for any other operation. gcc before 12.3 contracts
 * vectors of alternating a*b - c and a*b + c wherever the processor can, -ffp-contract=off or not;
 * not across a barrier to reassociation, which costs no instruction and keeps the vectors. */
const char *emit_c_barrier(expr_op op);
#define EMIT_C_ROUNDED                                                                             \
    "#if defined __GNUC__ && !defined __clang__ && __GNUC__ == 12 && __GNUC_MINOR__ < 3\n"         \
    "#define ROUNDED(product) __builtin_assoc_barrier(product)\n"                                  \
    "#else\n#define ROUNDED(product) (product)\n#endif\n"

/* The beginning of a text: that macro, and the functions of libm, in place of <math.h>. */
void emit_c_prologue(text *out);

#endif
