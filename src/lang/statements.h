/* statements.h - the statement that is being made: what those who make terms, relations and the
 * rest of it share. */
#ifndef LANG_STATEMENTS_H
#define LANG_STATEMENTS_H

#include "lang/elaborate.h"

typedef struct { /* in one part, at one point of its loops */
    elaborator  *e;
    const stmt  *st;
    element_kind kind;
    place        at;
    int          owner;
    int          target;
    ast_shape    shape;     /* of what is made                            */
    int          component; /* of a vector, the one that is being made    */
    int          sums; /* of which a term is being made */
} job;

/* A factor or a sign between the statement and the term of a sum inside it, innermost first. */
typedef struct factor factor;
struct factor {
    const factor *outer;
    const env    *v;
    const ast    *product; /* its ref is where the term stands; NULL: the term is subtracted */
};

/* terms.c: a statement that failed is not tried again. */
void job_failed(const job *j);

/* The sheet of one component of a vector, without what only the others are made of: so it has the
 * shape that the same statement has of numbers. */
sheet *component_sheet(const job *j, sheet *s, expr *root);

/* An empty sheet for one instance; and what was written on it, roots of `term`, as an instance of
 * an element. */
void job_begin(const job *j);
void job_finish(const job *j, const void *term, expr *root, const int *target, int roots);

/* The component of what x is, or of all terms of a, times what stands before it. */
void add_term(const job *j, const void *term, quantity x, const factor *f);
void add_terms(job *j, const env *v, const ast *a, const factor *f);

/* relations.c */
void make_relation(job *j, const env *v);
void check_velocity_relation(const job *j, expr root, const ast *of); /* of: where it stands */
void check_position_relation(const job *j, expr root);

/* events.c */
void make_event(job *j, const env *v);

/* slip.c: on the sheet, the velocities that a contact rubs with, one or two; 0: it failed. */
int emit_slips(const job *j, const env *v, expr slip[2]);

#endif
