/* analyse.h - what kind of system a model is: facts for `check`, and for refusing nonsense.
 *
 * Most facts follow from the form of the expressions and hold everywhere; ranks and null directions
 * are those at the start. */
#ifndef MODEL_ANALYSE_ANALYSE_H
#define MODEL_ANALYSE_ANALYSE_H

#include "model/compile.h"

typedef struct { /* a place where the equations are not smooth in the state */
    span        at;
    const char *what; /* the expression, of the first instance */
    int         part; /* in which that stands                  */
} kink;

typedef struct { /* relations of whose rows another one is made */
    int n, *from;
} relation_sum;

typedef struct {            /* relations whose rows follow from other rows */
    int           n, *relation;
    relation_sum *made_of;   /* from which                              */
    bool          redundant; /* they do so along the motion, and agree  */
} dependencies;

typedef struct { /* a velocity constraint that can be integrated */
    int         relation;
    const char *leaf; /* what it keeps, "x - r*theta"; NULL: cannot be named */
} disguise;

typedef struct {             /* velocity constraints of the text, by Frobenius' theorem */
    int       disguises;     /* holonomic in disguise */
    disguise *disguised;
    int       nonholonomics, *nonholonomic;
    int       combinations; /* of rows that are not all integrable: as many at most are */
} integrability;

typedef struct { /* a combination of coordinates */
    int     n;
    int    *coordinate;
    double *weight;
} direction;

typedef struct { /* what it is made of */
    int coordinates, hamiltonian, states, parameters, outputs, parts;
    int inputs;                       /* that no part is given    */
    int elements, instances;          /* kinds of term, and terms     */
    int constraints, holonomic, ties; /* relations, by kind           */
    int connections;                  /* of them written with connect */
} model_counts;

typedef struct {           /* which coordinates meet */
    int entries;           /* of K                                        */
    int bandwidth;         /* largest |i - j| of an entry of K            */
    int ordered_bandwidth; /* the same in a good order                    */
    int components;        /* systems that neither K nor a relation joins */
} model_coupling;

typedef struct analysis {
    model_counts   count;
    model_coupling coupling;

    /* its form */
    bool  linear;                /* the equations are linear in the state                     */
    bool  constant_coefficients; /* and their matrices depend on neither time nor inputs      */
    bool  separable;             /* T(v) - V(q) with constant inertia, or T(p) + V(q)         */
    bool  autonomous;            /* nothing depends on time or an input                       */
    bool  forced;
    bool  conservative;          /* no forces, no time: energy is conserved                   */
    bool  rheonomic;             /* some relation moves by itself: it is affine in velocities */
    bool  moving;                /* and depends on time or an input                           */
    bool  constant_inertia, diagonal_inertia;
    bool  velocity_forces;       /* some force depends on a velocity                          */
    bool  explicit_trapezoid;    /* the trapezoidal rule needs no solver                      */
    int   cyclics, *cyclic;      /* coordinates that nothing depends on: p(x) is conserved    */
    int   undetermineds, *undetermined; /* coordinates that no equation determines            */
    int   opens, *open;          /* ends of parts that nothing meets, so that they are idle   */
    int   kinks;                 /* what is not smooth in the state                           */
    kink *kink;

    /* at the start                                                 theory.md [DEGENERATE] */
    bool finite;        /* the numbers below could be computed                                */
    bool ranked;        /* and were; false: a large system that is not plainly regular        */
    bool inertia_known; /* false: U is known, but not the rank of L_vv alone                  */
    int  inertia_rank, inertia_size;   /* of L_vv, over the Lagrangian coordinates            */
    int  momentum_rank, momentum_size; /* of H_pp, over the Hamiltonian ones                  */
    int  negatives, *negative;         /* coordinates of negative L_vv or H_pp, on the diagonal */
    bool metric;                       /* L is nothing but kinetic, with energies of both signs */
    int  overcoupled[2];               /* two whose coupling exceeds what both have; 0, 0: none */
    int  relation_rank;                /* of A                                                */
    dependencies dependent;
    const integrability *velocity;     /* NULL: there are none, not asked, or not known       */
    int  idles, *idle;                 /* relations whose derivatives all vanish at the start */
    int  null_dimension;               /* of U = ker L_vv and ker A                           */
    int  resisted;                     /* rank of U^T f_v U                                   */
    int  nulls;                        /* directions of U, at most NULLS_MOST of them         */
    direction *null;

    /* declared symmetries: relative change of L along each; above SYMMETRY_BROKEN it is none */
    int     symmetries;
    double *symmetry_defect;
    double *symmetry_off; /* finite ones: how far the start is from its image; NULL: there are none */
} analysis;

enum { NULLS_MOST = 16 };
#define SYMMETRY_BROKEN 1e-7

/* Facts of a system at a point; v and lam of the point may be NULL. Lives in m. */
const analysis *analyse(mem *m, const compiled *c, bound *b, const sys_point *start);

/* The same in two parts: what follows from the form of the expressions, and with it what holds at a
 * point. */
const analysis *analyse_form(mem *m, const compiled *c);
const analysis *analyse_at(mem *m, const compiled *c, const analysis *form, bound *b,
                           const sys_point *start);

/* Which velocity constraints are holonomic in disguise; NULL: there are none, or it cannot be told. */
const integrability *analyse_integrability(mem *m, const compiled *c, bound *b,
                                           const sys_point *start);

/* Coordinates on which nothing depends and nothing acts; returns how many. */
int analyse_cyclic(mem *m, const compiled *c, int **list);

/* Names every expression of the text that is not smooth in the state, in its first instance. */
void analyse_kinks(mem *m, const compiled *c, analysis *a);

typedef struct { /* where to show it, and beside it where it stands if that is elsewhere */
    span        at;
    const char *beside;
} kink_place;
kink_place kink_place_of(mem *m, const kink *k, const model *md);

/* Warnings and errors that follow from the facts: a coordinate that nothing determines, dependent
 * relations, symmetries that are none. Returns the status of the errors. */
dal_status analysis_report(const analysis *a, const compiled *c, diags *ds);
/* What is not smooth, where steps pass over it. */
void analysis_report_kinks(const analysis *a, const model *md, diags *ds);

void analysis_print(const analysis *a, const compiled *c, text *out);
void analysis_print_direction(const direction *d, const model *md, text *out); /* "qC - 2*qR" */

#endif
