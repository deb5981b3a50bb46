/* writing.h - how equations are written: as text, LaTeX or MathML. */
#ifndef MODEL_PRINT_WRITING_H
#define MODEL_PRINT_WRITING_H

#include "model/naming.h"

typedef struct {
    const char *open, *close;
} enclosure;

typedef struct {
    const char *open, *close, *line, *end_of_line;
    const char *next_line;              /* within an equation that is broken at a sum        */
    const char *rate_open, *rate_close; /* d/dt ( ... ) */
    const char *momentum_open, *momentum_close, *equals, *at_least, *at_most, *zero;
    const char *plus, *minus, *bracket_open, *bracket_close;
    const char *where;                    /* before the definitions of names                 */
    enclosure   words;                    /* around what is said between equations           */
    enclosure   text;                     /* around words in an equation,                    */
    const char *space;                    /* and behind them                                 */
    const char *head_end;                 /* behind what a term of an equation is called     */
    const char *lagrangian, *hamiltonian; /* L, H                                            */
    int         most;   /* characters of a line, as text has them                            */
    int         left;   /* of a left side                                                    */
    int         indent; /* before a further line; where sides are aligned, the left column   */
    bool        aligned;
    void (*print)(const graph *g, expr e, expr_namer namer, void *self, text *out);
    void (*feed)(const compiled *c, feed_kind from, int index, text *out);
    void (*place)(span at, text *out);                   /* a file and a line in it  */
    void (*name)(const char *path, bool dot, text *out); /* of a let, or of its rate */
    bool multipliers, energy; /* named behind relations; L or H before the equations */
} writing;

extern const writing writing_plain, writing_latex, writing_mathml;

#endif
