/* petsc.c - PETSc in the contest: the midpoint rule (theta) by Newton with a dense LU, on the
 * equations of first order. */
#include "problem.h"

#include <petscts.h>
#include <stdlib.h>
#include <string.h>

static PetscErrorCode rhs(TS ts, PetscReal t, Vec at, Vec rate, void *of)
{
    const PetscScalar *y;
    PetscScalar       *dy;
    (void)ts;
    VecGetArrayRead(at, &y), VecGetArray(rate, &dy);
    ((const problem *)of)->rhs(t, y, dy);
    VecRestoreArrayRead(at, &y), VecRestoreArray(rate, &dy);
    return 0;
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Mat J, Mat P, void *of)
{
    const problem     *p = of;
    const PetscScalar *y;
    PetscScalar       *a;
    double             Fq[4], Fv[4];
    (void)ts, (void)t, (void)P;
    VecGetArrayRead(at, &y);
    p->slopes(y, y + p->n, Fq, Fv);
    VecRestoreArrayRead(at, &y);
    MatDenseGetArray(J, &a);
    memset(a, 0, (size_t)(p->size * p->size) * sizeof *a);
    for (int i = 0; i < p->n; i++) { /* by columns */
        a[(p->n + i) * p->size + i] = 1;
        for (int j = 0; j < p->n; j++) {
            a[j * p->size + p->n + i] = Fq[i * p->n + j];
            a[(p->n + j) * p->size + p->n + i] = Fv[i * p->n + j];
        }
    }
    MatDenseRestoreArray(J, &a);
    MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY), MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY);
    return 0;
}

static void finish(void)
{
    PetscFinalize();
}

static int begin_once(void)
{
    PetscBool begun = PETSC_FALSE;
    char      name[] = "bench", quiet[] = "-no_signal_handler", *words[] = {name, quiet, NULL},
         **argv = words;
    int argc = 2;
    if (PetscInitialized(&begun)) return 0;
    if (!begun && (PetscInitialize(&argc, &argv, NULL, NULL) || atexit(finish))) return 0;
    return 1;
}

static void settings(TS ts)
{
    SNES           snes;
    SNESLineSearch search;
    KSP            ksp;
    PC             pc;
    TSSetType(ts, TSTHETA), TSThetaSetTheta(ts, 0.5), TSThetaSetEndpoint(ts, PETSC_FALSE);
    TSGetSNES(ts, &snes), SNESGetKSP(snes, &ksp), KSPGetPC(ksp, &pc);
    KSPSetType(ksp, KSPPREONLY), PCSetType(pc, PCLU);
    SNESGetLineSearch(snes, &search), SNESLineSearchSetType(search, SNESLINESEARCHBASIC);
    SNESSetTolerances(snes, 1e-12, 1e-12, 1e-9, 20, 100000);
}

static int midpoint(const problem *p, double h, double until, double *y, double *cpu)
{
    long         steps = whole_steps(h, until);
    TS           ts;
    Vec          x;
    Mat          J;
    PetscScalar *a;
    if (!begin_once()) return 0;
    VecCreateSeq(PETSC_COMM_SELF, p->size, &x),
        MatCreateSeqDense(PETSC_COMM_SELF, p->size, p->size, NULL, &J);
    VecGetArray(x, &a), memcpy(a, p->start, (size_t)p->size * sizeof *a), VecRestoreArray(x, &a);
    TSCreate(PETSC_COMM_SELF, &ts), TSSetProblemType(ts, TS_NONLINEAR);
    TSSetRHSFunction(ts, NULL, rhs, (void *)p), TSSetRHSJacobian(ts, J, J, jacobian, (void *)p);
    settings(ts);
    TSSetTimeStep(ts, until / (double)steps), TSSetMaxSteps(ts, (PetscInt)steps),
        TSSetMaxTime(ts, 2 * until);
    TSSetExactFinalTime(ts, TS_EXACTFINALTIME_STEPOVER), TSSetSolution(ts, x), TSSetUp(ts);
    double begin = cpu_seconds();
    int    good = !TSSolve(ts, x);
    *cpu = cpu_seconds() - begin;
    VecGetArray(x, &a), memcpy(y, a, (size_t)p->size * sizeof *a), VecRestoreArray(x, &a);
    TSDestroy(&ts), VecDestroy(&x), MatDestroy(&J);
    return good;
}

const contestant *petsc(race r, int k)
{
    static const contestant theta = {"PETSc theta", midpoint, 1, 1};
    return r == MIDPOINT_STEPS && !k ? &theta : NULL;
}
