/* naming.h - variables of derived expressions by the names the user gave them. */
#ifndef MODEL_NAMING_H
#define MODEL_NAMING_H

#include "model/shape.h"

typedef struct { /* one instance of a derived element; self of naming_variable */
    const model   *md;
    const derived *d;
    int            instance;
} naming;

/* "x", "x'", "p(x)", "t", "cell[3].R", "lambda(rod)"; LaTeX: "x", "\dot{x}", "p_{x}", ... */
void naming_feed(const model *md, const int *relation_of, feed_kind from, int index, text *out);
void naming_latex(const model *md, const int *relation_of, feed_kind from, int index, text *out);
void naming_variable(void *self, int variable, text *out);
void naming_text_latex(const char *path, text *out); /* "arm.th[2]": \mathrm{arm}{.}\mathrm{th}_{2} */

/* " at chain.dal:17", or nothing */
void naming_place(span at, text *out);

#endif
