/* along.h - inside the compiler: the derivative of what elements yield, in one direction.
 *
 *     d y = sum_k (d y/d u_k) d u_k        over the variables u_k that move
 *
 * The expressions are derived exactly, once per kind of term as always; directions are numbers,
 * so that one program serves them all. What is made so is an element again and can be derived
 * again. */
#ifndef MODEL_ALONG_H
#define MODEL_ALONG_H

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
} along_programs;

/* The elements of a model, each derived: as many as there are. */
derived *along_elements(mem *m, const derived *of, int count, const movement *how);

/* Programs for all that they yield. */
along_programs along_compile(mem *m, const derived *of, int count);
void           along_run(const along_programs *p, const sources *from, const sys_change *out);
void           along_run_into(const along_programs *p, const sources *from, results *out);

#endif
