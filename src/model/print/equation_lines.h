/* equation_lines.h - a graph in which equations are written: sums that the programs never form, and
 * names for what the user has named. */
#ifndef MODEL_PRINT_EQUATION_LINES_H
#define MODEL_PRINT_EQUATION_LINES_H

#include "expr/fold.h"
#include "model/model.h"
#include "model/print/writing.h"

enum { OURS_MOST = 32 }; /* names that we give to long sums */

typedef struct { /* a let, or its rate, as a variable of the page */
    const named_let *of;
    bool             rate, used;
    expr             value;   /* as it stands in equations; EXPR_NONE: it cannot */
    expr             defined; /* with velocities, where momenta stand for them   */
} page_name;

typedef struct { /* entry `which` of a source, of numbers the number itself */
    feed_kind from;
    double    which;
    int       variable;
} thing_read;

typedef struct {
    const compiled *c;
    const writing  *as;
    graph           g;
    vec(load) variable;      /* what those below `first` read */
    thing_read *read;        /* the same, sorted, and         */
    int         reads;       /* each thing once               */
    int         given;       /* of them are read by what is printed; the others by lets */
    int         first, rows; /* then come multipliers, then names                       */
    page_name  *name;
    int         names, lets; /* those behind the lets are ours */
    const char *prefix;      /* of our names                   */
    expr_named *known;       /* those of the names that have a value, the shorter ones first */
    folding     fold;
    const char *margin; /* before definitions */
    text       *out;
} page;

/* Variables of a program or of a term, multipliers of `rows`, and the lets that are made of them;
 * lets may be NULL. */
void page_init(page *p, const compiled *c, const load *variable, int n, int rows,
               const let_list *lets, const writing *as, text *out);
load load_of_slot(const compiled *c, const slot *s, int instance);
expr page_variable(page *p, load v);         /* that reads what v does; EXPR_NONE: none does */
expr page_velocity(page *p, int coordinate); /* a Hamiltonian one; EXPR_NONE: it reads more */
void page_name_variable(void *self, int variable, text *out);
void page_name_plain(void *self, int variable, text *out); /* as text, in any writing */

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
