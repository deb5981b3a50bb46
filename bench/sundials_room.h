/* sundials_room.h - what every solver of SUNDIALS needs: a state and a dense linear solver. */
#ifndef BENCH_SUNDIALS_ROOM_H
#define BENCH_SUNDIALS_ROOM_H

#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct {
    SUNContext      cx;
    N_Vector        y;
    SUNMatrix       J;
    SUNLinearSolver ls;
} room;

static inline room room_new(int size, const double *start)
{
    room r;
    SUNContext_Create(NULL, &r.cx);
    r.y = N_VNew_Serial(size, r.cx);
    r.J = SUNDenseMatrix(size, size, r.cx);
    r.ls = SUNLinSol_Dense(r.y, r.J, r.cx);
    memcpy(N_VGetArrayPointer(r.y), start, (size_t)size * sizeof *start);
    return r;
}

static inline void room_free(room *r)
{
    SUNLinSolFree(r->ls), SUNMatDestroy(r->J), N_VDestroy(r->y), SUNContext_Free(&r->cx);
}

#endif
