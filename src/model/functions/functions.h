/* functions.h - systems made of a caller's functions: the system interface, filled in from values
 * on the caller's own patterns. What all simulations share is kept apart from what each one
 * needs. */
#ifndef MODEL_FUNCTIONS_FUNCTIONS_H
#define MODEL_FUNCTIONS_FUNCTIONS_H

#include "model/model.h"
#include "model/system.h"

/* A pattern as the caller numbers it, and where its entries are in K or A. */
typedef struct {
    int  count;
    int *row, *column;
    int *place;     /* NULL: both number alike                      */
    int *of_column; /* entries of column j: by_column[of_column[j] .. of_column[j+1] - 1] */
    int *by_column;
} entries;

/* Columns that share no row, in groups: the columns of a group can be moved at once. */
typedef struct {
    int  groups;
    int *start, *column;
} colouring;

typedef struct {
    dal_callbacks given; /* with copies of all it points to */
    dal_system    sys;   /* all but self                    */
    entries       hessian, force, curvature, relations;
    colouring     motion, relation; /* for the derivatives that are missing */
} functions;

/* NULL: a sentence in `why` says what is wrong with what was given. */
functions *functions_new(mem *m, const dal_callbacks *given, text *why);

/* One simulation of it. Both arrays are read at each evaluation, and must outlive the system. */
dal_system *functions_bind(mem *m, const functions *of, const double *parameter,
                           const double *input);

/* Names of what it has, given or made ("q1", "constraint 2"), and back; -1: there is none. m lends
 * work space. */
void functions_name(const functions *of, member_kind kind, int index, text *out);
int  functions_find(const functions *of, mem *m, member_kind kind, const char *word);

/* Inside: one simulation's room. --------------------------------------------------------------- */

typedef struct { /* what an evaluation by the caller fills */
    double *Lq, *Lw, *f, *Lqt, *Lwt, *ft;
    double *field[F_DQ]; /* by the caller's entries */
    double *e, *et, *A, *eq, *g;
} buffers;

typedef struct {
    dal_system       sys;
    const functions *of;
    const double    *parameter, *input;
    buffers          room, plus, minus;
    double          *q, *w;         /* a point that is moved */
    bool             side_known[2]; /* constant derivatives in w, in q: made for ...  */
    double          *known_for;     /* ... these parameters                           */
} bound_functions;

/* Calls the caller's function; `into` may be one of the buffers or point into results. */
int functions_call(const bound_functions *b, unsigned want, const sys_point *at,
                   const buffers *into, dal_evaluation *out);

buffers buffers_new(mem *m, const functions *fs);

/* functions/vary.c */
sys_variation *functions_vary(void *self, mem *m);

/* differences.c: groups of columns, and the derivatives in `lacking` by central differences.
 * Values go to b->room (by the caller's entries), L_t and L_tt to *out. */
colouring colour_columns(mem *m, int n, const entries *a, const entries *b);
int       differences_take(bound_functions *b, unsigned lacking, const sys_point *at,
                           dal_evaluation *out);

#endif
