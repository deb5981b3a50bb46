/* machine.h - blocks of ensemble members by the virtual machine: the steps of fuse/lanes.c without
 * a compiler. Every operation of a step is a loop over the members of a block; those of the system
 * are programs of the batched machine.
 *
 * A member that has converged keeps its solution while others go on, so its result does not depend
 * on the other members of the block. A member whose iteration fails is dropped, and has to be run
 * by itself. */
#ifndef MECH_ENSEMBLE_MACHINE_H
#define MECH_ENSEMBLE_MACHINE_H

#include "mech/ensemble/lanes.h"
#include "mech/stepper/stepper.h"
#include "model/members.h"

enum { LANE_UNKNOWNS = 12 }; /* of a step at most */

/* Not with relations, Hamiltonian coordinates, a rule of their own for forces or terms of many
 * instances, nor if it is too large. */
bool lane_machine_fits(const stepper *st, const compiled *c);

/* Numbers for each block; the stepper, of which only constant data are read, may be shared by
 * threads. */
lane_machine *lane_machine_new(mem *m, const stepper *st, const compiled *c);

/* As lane_steps. */
long lane_machine_steps(lane_machine *k, lane_state *s, long count);

/* Inside. Unknown nu of coordinate j is number j*d + nu, entry i of lane l at i*LANES + l. ----- */

typedef struct {
    double h, *cw, *cq; /* b l', h b l by point and row   */
    double *l, *slope;  /* l, l'/h by point and column    */
} lane_coefficients;

struct lane_machine {
    const equations  *eq;
    const scheme     *sch;
    int               n, d, N;
    bool              plain, direct; /* direct: each unknown is divided out */
    members_eval     *of;
    unsigned          residual, jacobian; /* requests */
    lane_coefficients c;
    int               side;
    double           *X; /* differences along the curve; NULL: degree one */
    double           *y, *r, *delta, *scale, *J, *q, *v, *dp;
    double           *J0;  /* where it never changes: for the present length */
    double           *was; /* the state at the beginning of the step         */
    double            eta[LANES], last[LANES], work[LANES];
    bool              active[LANES];
    double            fine[LANES]; /* 1, or 0: its correction is no good; a number, for vectors */
    sys_values        out;
};

static inline double *entry(double *x, int i)
{
    return x + (size_t)i * LANES;
}

/* ensemble/machine_rows.c */
void lane_rows_tune(lane_machine *k, double h);
void lane_rows_residual(lane_machine *k, const lane_state *s, double t, bool with_jacobian);
void lane_rows_finish(lane_machine *k, const lane_state *s, double t); /* dp, and the work */

/* ensemble/machine_solve.c: delta = -J^-1 r, and whether J is fine; J is lost */
void lane_solve(lane_machine *k);

#endif
