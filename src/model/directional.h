/* directional.h - inside the compiler: directional derivatives of what elements yield.
 *
 *     d y = sum_k (d y/d u_k) d u_k        over the variables u_k that move
 *
 * Expressions are differentiated exactly, once per kind of term. The direction is numerical input,
 * so one program serves all directions. The result is an element again and can be differentiated
 * again. */
#ifndef MODEL_DIRECTIONAL_H
#define MODEL_DIRECTIONAL_H

#include "model/bound.h"

typedef struct {
    feed_kind how[FEEDS];  /* by which variables of a kind move; 0: they do not            */
    bool      time_runs;   /* t moves by 1                                                 */
    sink      into[SINKS]; /* what a yield becomes; 0: nothing. A, as a reaction: times lam */
} movement;

typedef struct {
    int      count;
    shape   *shape;
    double **reg;
} directional_programs;

/* The elements of a model, each differentiated. */
derived *directional_elements(mem *m, const derived *of, int count, const movement *how);

/* Programs for all that they yield. */
directional_programs directional_compile(mem *m, const derived *of, int count);
void directional_run(const directional_programs *p, const sources *from, const sys_change *out);
void directional_run_into(const directional_programs *p, const sources *from, results *out);

#endif
