/* printer.h - printing with a stack of pieces instead of recursion; shared by infix, LaTeX and
 * MathML.
 *
 * To lay out an expression is to say of which pieces it consists: texts, and expressions with the
 * loosest binding that may stand there without brackets. */
#ifndef EXPR_PRINTER_H
#define EXPR_PRINTER_H

#include "expr/graph.h"

typedef enum {
    OR,
    AND,
    NOT,
    COMPARISON,
    SUM,
    TERM,
    UNARY,
    POWER,
    PRIMARY
} binding; /* loosest first */

typedef struct {
    enum { WORDS, NUMBER, EXPRESSION } kind;
    union {
        const char *words;
        double      number;
        struct {
            expr    e;
            binding at;     /* what binds looser stands in brackets */
            bool    unsign; /* without its minus sign               */
        };
    };
} piece;

typedef struct printer printer;

/* What infix, LaTeX and MathML do differently. Variables, sums and brackets are laid out alike. */
typedef struct {
    binding (*binding_of)(const graph *g, expr e);
    void (*lay_out)(printer *p, expr e, bool unsign); /* unsign: without its minus sign */
    void (*number)(printer *p, double x);
    const void *self;
    const char *open, *close; /* brackets                                                        */
    const char *plus, *minus; /* between the terms of a sum                                      */
    const char *rest; /* for each expression left out at the end; NULL: "..." for all            */
    size_t      most; /* characters after which expressions are left out                         */
} layout;

struct printer {
    const graph  *g;
    expr_namer    namer;
    void         *self;
    text         *out;
    const layout *as;
    vec(piece) stack;
};

/* Prints e; what would grow beyond `most` characters is left out. */
enum { PRINT_MOST = 20000 };
void print_as(const layout *as, const graph *g, expr e, expr_namer namer, void *self, text *out);

/* How tightly an operation binds that every layout writes alike; all others are PRIMARY. */
binding binding_of_operator(expr_op op);

/* For lay_out: the pieces, from left to right. */
void put_words(printer *p, const char *words);
void put_number(printer *p, double x);
void put(printer *p, expr e, binding at);
void put_signed(printer *p, expr e, binding at, bool unsign); /* unsign: the minus was printed */

/* fraction.c: the factors above and below the line of a product or quotient, ones left out. False:
 * nothing stands below it, or there are too many. */
enum { FACTORS_MOST = 24 };
typedef struct {
    int  overs, unders;
    expr over[FACTORS_MOST], under[FACTORS_MOST];
} fraction;
bool fraction_of(const graph *g, expr e, fraction *out);

#endif
