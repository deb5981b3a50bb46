/* typeset.h - expressions as a paper sets them: fractions, roots, cases, in the words of LaTeX or
 * MathML. */
#ifndef EXPR_TYPESET_H
#define EXPR_TYPESET_H

#include "expr/printer.h"

/* What stands around the arguments of a function; powers go behind a name that is a name. */
typedef struct {
    const char *name, *open, *close;
} dress;

typedef struct {
    const char *open, *close;                   /* brackets                                */
    const char *plus, *minus, *sign, *not;      /* a + b, a - b, -a                        */
    const char *times, *dot, *comma;            /* a b, 2 . 3                              */
    const char *fraction[3];                    /* before, between, behind                 */
    const char *base[2], *bracketed[2];         /* around what is raised to a power        */
    const char *raise[2];                       /* around the power                        */
    const char *name_raised;                    /* before a function's name with a power   */
    const char *cases[4];                       /* before, "if", "otherwise ...", behind   */
    const char *less, *at_most, *equal, *unequal, *and, *or;
    const char *rest;                           /* for what is left out                    */
    size_t      most;                           /* characters, about                       */
    const dress *dress;                         /* by operation; a name alone has brackets */
    void (*decimal)(text *out, const char *digits, int exponent, bool has_exponent);
    const char *half;                           /* a format for sign, numerator, denominator */
} dialect;

void typeset(const graph *g, expr e, expr_namer namer, void *self, const dialect *as, text *out);

#endif
