/* inside.h - the inside of a tangent.                                       theory.md [TANGENT] */
#ifndef MECH_TANGENT_INSIDE_H
#define MECH_TANGENT_INSIDE_H

#include "mech/equations/row_changes.h"
#include "mech/stepper/stepper.h"
#include "mech/tangent/tangent.h"

typedef struct algebraic_move algebraic_move; /* tangent/algebraic.c            */
typedef struct primary_move   primary_move;   /* tangent/primary.c              */
typedef struct ends_change    ends_change;    /* tangent/symmetric_projection.c */

struct tangent {
    /* the steps that are differentiated, and J at the solution of each curve */
    stepper              *st;
    solver               *lu;   /* of J                                   */
    double                t, h; /* of the step, whatever it is made of    */
    int                   count;
    const step_direction *along;
    double               *out; /* dq, dp of each: of the part that is next */
    /* residual, change of the unknowns, and changes at one point */
    double         *r, *dy, *dq, *dp;
    row_changes     row;
    double         *end_slope; /* n of each: of the curve at its end  */
    int             slopes;
    double         *U; /* before the step                         */
    size_t          entries;
    double         *dy_h;        /* dy/dh, of the energy principle           */
    double          slope;       /* and dS/dh with it                        */
    bool            first, anew; /* is the step one of these?           */
    primary_move   *primary;     /* NULL: momenta are not projected         */
    ends_change    *ends;        /* NULL: not at both ends of a step        */
    algebraic_move *algebraic;   /* NULL: nothing moves along U             */
    algebraic_move *follow;      /* where forces hold velocities of others  */
    bool            failed;
};

/* tangent/energy.c: through a step whose length the energy decides. */
void energy_linearise(tangent *tg);
void energy_change(tangent *tg, const step_direction *along, double *out);

/* tangent/algebraic.c: made, linearised at the end of a step, and for each direction: dq becomes
 * that after the move; dv is the change of the slope. */
dal_status algebraic_move_new(tangent *tg, algebraic_move **out, const free_moves *a, coupled *of,
                              text *why);
bool       algebraic_move_linearise(tangent *tg, algebraic_move *s);
void       algebraic_move_change(tangent *tg, algebraic_move *s, const part_direction *d,
                                 const double *dv, double *dq, double *dp);
void       algebraic_move_free(algebraic_move *s);

/* tangent.c: dq and dp through the equations of one part; dv of the curve at its end. */
void tangent_part(tangent *tg, const step_direction *along, double *dq, double *dp, double *dv);

/* tangent/primary.c: the same for momenta that are functions of positions, which move q and p. */
dal_status primary_move_new(tangent *tg, primary_move **out, mem *m, text *why);
bool       primary_move_linearise(tangent *tg, primary_move *s, double t);
void primary_move_change(tangent *tg, primary_move *s, const part_direction *d, const double *dv,
                         double *dq, double *dp);
void primary_move_free(primary_move *s);

/* Its pieces: the place and the move; B u there; what the move gains, by U; and of a move with
 * which a step begins what p gains if it stays. */
bool primary_move_put(tangent *tg, primary_move *s, double t, const double *q, const double *move);
void primary_move_push(const tangent *tg, const primary_move *s, const double *u, double *to);
const double *primary_move_needs(tangent *tg, primary_move *s, const part_direction *d,
                                 const double *dv, const double *dq, const double *dp);
void primary_move_begin(tangent *tg, primary_move *s, const part_direction *d, const double *dq,
                        double *dp);

/* tangent/symmetric_projection.c: of one part that begins and ends with a move. */
dal_status ends_change_new(tangent *tg, text *why);
bool       ends_linearise(tangent *tg);
void ends_change_part(tangent *tg, const step_direction *along, double *dq, double *dp, double *dv);
void ends_change_free(ends_change *e);

#endif
