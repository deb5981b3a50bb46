/* language.h - what outlives the elaborator in a model: its numbers can be computed again. */
#ifndef LANG_LANGUAGE_H
#define LANG_LANGUAGE_H

#include "lang/world.h"

typedef struct { /* a parameter that sizes depend on, and its value when the model was made */
    int    parameter;
    double value;
} built;

typedef struct {
    lang      *l;
    vec(built) built;
    vec(let_place) lets; /* that the first instances of its terms are made of */
} language;

/* override.c: reads "NAME=VALUE" texts in the system that runs, into w->set or w->begin. */
void overrides_read(world *w, lang *l, const source *texts, int n, bool starts);

/* override.c: an expression for a setting, read in the system that runs; NULL if it is none.
 * record: `times` may stand before it. */
ast *setting_read(world *w, lang *l, const source *of, bool record, bool *times);

/* values.c: a model that is made as the language sees it, with a copy of the language that may be
 * written to, to read further texts in it. */
lang *world_again(world *w, const model *md, const overrides *over, diags *ds, mem *m);

/* values.c: model_functions.evaluate. */
dal_status language_evaluate(const model *md, const overrides *over, diags *ds, mem *m,
                             values *out);

/* revalue.c: model_functions.vary. */
dal_status language_vary(const model *md, varying *of, diags *ds, mem *m, values *out);

/* express.c: model_functions.express. */
dal_status language_express(const model *md, const overrides *over, const source *words, diags *ds,
                            model *into, mem *m, element *out);

/* lets.c: model_functions.lets. */
void language_lets(const model *md, const overrides *over, mem *m, let_list *out);

#endif
