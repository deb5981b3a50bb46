/* equation_lines.h - a graph in which equations are written: sums that the programs never form, and
 * names for what the user has named. */
#ifndef MODEL_PRINT_EQUATION_LINES_H
#define MODEL_PRINT_EQUATION_LINES_H

#include "expr/fold.h"
#include "model/model.h"
#include "model/print/writing.h"

typedef struct { /* a let, or its rate, as a variable of the page */
    const named_let *of;
    bool             rate, used;
    expr             value; /* EXPR_NONE: nothing that would be shorter by its name */
} page_name;

typedef struct {
    const compiled *c;
    const derived  *term; /* whose variables these are; NULL: those of the merged program */
    const writing  *as;
    graph           g;
    int             first; /* variables below are those of the program; */
    int             rows;  /* then come multipliers, then names         */
    page_name      *name;
    int             names, lets; /* those behind the lets are ours */
    const char     *prefix;      /* of our names                   */
    expr_named     *known; /* those of the names that have a value, the shorter ones first */
    folding         fold;
    text           *out;
} page;

/* Variables of the merged program, multipliers and the lets of the model; lets may be NULL. */
void page_init(page *p, const compiled *c, const let_list *lets, const writing *as, text *out);

/* Variables of the first instance of a term. */
void page_init_term(page *p, const compiled *c, const derived *term, const writing *as, text *out);

/* e with names for what has one. Sums for which a line is too short, `used` characters of it being
 * taken, get names of their own. */
expr page_folded(page *p, expr e, int used);
int  page_width(page *p, expr e);               /* characters, as text         */
void page_print(page *p, expr e);               /* in one line                 */
void page_print_sum(page *p, expr e, int used); /* broken between its terms where a line is full;
                                                   `used`: what stands before it in the first */
int  page_left(const page *p, int width);       /* what a left side of that width takes of a line */
void page_definitions(page *p);                 /* of the names that were used */

#endif
