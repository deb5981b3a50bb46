/* inside.h - the inside of a tangent.                                       theory.md [TANGENT] */
#ifndef MECH_TANGENT_INSIDE_H
#define MECH_TANGENT_INSIDE_H

#include "mech/equations/row_changes.h"
#include "mech/stepper/stepper.h"
#include "mech/tangent/tangent.h"

typedef struct end_moves end_moves; /* tangent/moves.c */

struct tangent {
    /* the steps that are differentiated, and J at the solution of each curve */
    stepper              *st;
    solver               *lu;     /* of J                                   */
    const int            *column; /* whose pattern has these                 */
    double                t, h;   /* of the step, whatever it is made of    */
    int                   count;
    const step_direction *along;
    double               *out; /* dq, dp of each: of the part that is next */
    /* residual, change of the unknowns, and changes at one point */
    double     *r, *dy, *dq, *dp;
    row_changes row;
    double     *end_slope; /* n of each: of the curve at its end  */
    int         slopes;
    double     *dy_h;        /* dy/dh, of the energy principle           */
    double      slope;       /* and dS/dh with it                        */
    bool        first, anew; /* is the step one of these?           */
    end_moves  *moves;       /* NULL: nothing moves along directions without inertia */
    bool        failed;
};

/* tangent/energy.c: through a step whose length the energy decides. */
void energy_linearise(tangent *tg);
void energy_change(tangent *tg, const step_direction *along, double *out);

/* tangent.c: dq and dp through the equations of one part; dv of the curve at its end. */
void tangent_part(tangent *tg, const step_direction *along, double *dq, double *dp, double *dv);

/* tangent/moves.c: of steps that move the state along directions without inertia: made, linearised
 * at the end of a curve, and for direction c: through the curve and its moves, or through the move
 * at the end alone; dv is the change of the slope. Then dp of what is reported, from dq and dp of
 * the present state. */
dal_status end_moves_new(tangent *tg, text *why);
bool       end_moves_linearise(tangent *tg);
void       end_moves_part(tangent *tg, int c, double *dq, double *dp, double *dv);
void       end_moves_end(tangent *tg, int c, double *dq, double *dp, const double *dv);
dal_status end_moves_report(tangent *tg, int count, const step_direction *along, double *pairs);
void       end_moves_free(end_moves *s);

#endif
