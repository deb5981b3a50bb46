/* fields.h - every number that an evaluation of a small system yields, as one graph, from which
 * code for this system alone is generated.
 *
 * A root is one entry of one field: L_q of coordinate 3, L_qq of (3, 5), A of (relation,
 * coordinate). Entries that are zero have none. */
#ifndef MODEL_FIELDS_H
#define MODEL_FIELDS_H

#include "kernel/kernel.h"
#include "model/compile.h"

typedef enum {
    FIELD_L, /* Lambda and its derivatives in t, */
    FIELD_LT,
    FIELD_LTT,
    FIELD_LQ, /* its gradient in (q, w), */
    FIELD_LW,
    FIELD_LQT, /* in t */
    FIELD_LWT,
    FIELD_LQQ, /* and its Hessian */
    FIELD_LQW,
    FIELD_LWW,
    FIELD_F, /* forces and their derivatives */
    FIELD_FT,
    FIELD_FQ,
    FIELD_FW,
    FIELD_D, /* that part of them which is damping */
    FIELD_DQ,
    FIELD_DW,
    FIELD_E, /* relations: e = A v + beta, */
    FIELD_A,
    FIELD_G,    /* g of the holonomic ones, */
    FIELD_EQ,   /* de/dq, */
    FIELD_CURV, /* sum_a lam_a dA_a/dq, */
    FIELD_ET,   /* de/dt */
    /* fields_outputs: outputs, then momenta of symmetries; what each part has of the energy */
    FIELD_COLUMN,
    FIELD_PART,
    FIELDS
} field_name;

/* What variable k of the graph is. */
typedef enum {
    READ_PARAMETER,
    READ_LAM,
    READ_INPUT,
    READ_TIME,
    READ_Q,
    READ_W,
    READ_V,
    READ_P, /* outputs only */
    READ_ENERGY,
    READ_RATE, /* q'', q''', ... of a curve that is shot: codegen/shooting.c */
    READS
} read_from;
typedef struct {
    read_from from;
    int       index; /* coordinate, row, parameter or input */
} field_variable;

typedef struct {
    field_name of;
    int        row, column; /* coordinate or relation; column -1: the field is a vector */
    expr       value;
    bool       varies; /* depends on t, q, w, v, lam or an input; not on parameters alone */
    unsigned   reads;  /* what it depends on, as a set of 1 << read_from                   */
} field_root;

typedef struct {
    graph                 g;
    int                   roots, variables;
    const field_root     *root; /* by field, then row, then column */
    const field_variable *variable;
    int                   inputs; /* of the model, read or not */
} fields;

/* NULL: the system is too large for that. */
const fields *fields_new(mem *m, const compiled *c, int most_nodes);

/* The same of the outputs, and of the energies of parts if an output holds one. */
const fields *fields_outputs(mem *m, const compiled *c, int most_nodes);

/* A program for some roots. */
const kernel *fields_kernel(mem *m, const fields *f, const field_root *const *root, int count);

#endif
