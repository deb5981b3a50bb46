/* start.h - a consistent start: velocities from momenta and momenta from velocities; relations are
 * checked, and what is free is moved as little as possible where they are violated. */
#ifndef MECH_START_START_H
#define MECH_START_START_H

#include "base/diag.h"
#include "model/model.h" /* the bits GIVEN_Q .. FREE_P */
#include "model/system.h"

typedef struct {
    double               t;
    double              *q, *v, *p; /* n each: the start as given, completed in place            */
    const unsigned char *given;   /* per coordinate, of the bits in model.h; NULL: q and v given */
    bool                 project; /* whatever was given may move (--project-start)              */
    bool                 moved;   /* out: something was moved to satisfy the relations          */
    int                  violates; /* out: the row of the relation that fails; -1: none */
} start;

/* Fails with one sentence in `why` that names the relation and the size of its violation. p is
 * L_w(t,q,v) for Lagrangian coordinates; v is -Lambda_w = H_p for Hamiltonian ones. */
dal_status start_complete(mem *m, dal_system *sys, start *s, text *why);

/* Do the holonomic relations hold at q? Otherwise the sentence in `why` names one. */
bool start_holds(mem *m, dal_system *sys, double t, const double *q, text *why);

#endif
