/* naming.h - variables of derived expressions by the names the user gave them. */
#ifndef MODEL_NAMING_H
#define MODEL_NAMING_H

#include "model/shape.h"

typedef struct { /* one instance of a derived element; self of naming_variable */
    const compiled *c;
    const derived  *d;
    int             instance;
} naming;
void naming_variable(void *self, int variable, text *out);

/* "x", "x'", "p(x)", "t", "cell[3].R", "lambda(rod)"; in LaTeX x, \dot{x}, p_{x}, t, ... */
void naming_feed(const compiled *c, feed_kind from, int index, text *out);
void naming_feed_latex(const compiled *c, feed_kind from, int index, text *out);
void naming_feed_mathml(const compiled *c, feed_kind from, int index, text *out);
/* arm.th[2] -> \mathrm{arm}{.}\mathrm{th}_{2}; accent: NULL or "\dot" over the last word */
void naming_path_latex(const char *path, const char *accent, text *out);
void naming_path_mathml(const char *path, bool dot, text *out);

/* Parts of a word of a path: "theta" is a letter, and so is "θ"; of tip_x and m12 the first letters
 * are the stem, before an index. */
const char *greek_letter(const char *word, size_t n); /* "θ", or NULL */
size_t      naming_stem(const char *word, size_t n);  /* its length   */

/* " at chain.dal:17", or nothing */
void naming_place(span at, text *out);

#endif
