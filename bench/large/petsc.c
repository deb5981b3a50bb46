/* petsc.c - PETSc with the large problems: its velocity Verlet, and its midpoint rule (theta) by
 * Newton with LU.
 *
 * The unknowns of a site stand side by side in blocks of two and keep their order, in which
 * elimination fills in nothing; Newton takes whole steps and stops as the loops by hand do; once
 * more with a Jacobian kept for three iterations. The matrix of the ladder is factored once. */
#include "../bench.h"
#include "large.h"

#include <math.h>
#include <petscts.h>
#include <stdlib.h>

typedef struct {
    event     e;
    PetscInt  n;    /* sites                                              */
    int       kept; /* the Jacobian is made anew in each third iteration only */
    TS        ts;
    Vec       y, r;
    Mat       J;
    PetscReal iterations;
} solver;

static void good(PetscErrorCode code)
{
    if (code) fprintf(stderr, "bench: PETSc fails with %d\n", (int)code), exit(1);
}

static void finish(void)
{
    good(PetscFinalize());
}

static void begin_once(void)
{
    PetscBool begun = PETSC_FALSE;
    char      name[] = "bench", quiet[] = "-no_signal_handler", *words[] = {name, quiet, NULL},
         **argv = words;
    int argc = 2;
    good(PetscInitialized(&begun));
    if (begun) return;
    good(PetscInitialize(&argc, &argv, NULL, NULL));
    atexit(finish);
}

/* Verlet: y = (x_0, ..., v_0, ...), in two halves. --------------------------------------------- */

static PetscErrorCode drift(TS ts, PetscReal t, Vec v, Vec dx, void *self)
{
    (void)ts, (void)t, (void)self;
    return VecCopy(v, dx);
}

static PetscErrorCode kick(TS ts, PetscReal t, Vec at, Vec dv, void *self)
{
    const PetscInt     n = ((solver *)self)->n;
    const PetscScalar *x;
    PetscScalar       *a;
    (void)ts, (void)t;
    VecGetArrayRead(at, &x), VecGetArray(dv, &a);
    a[0] = 2 * pull(x[1] - x[0]);
    for (PetscInt i = 1; i < n - 1; i++) a[i] = pull(x[i + 1] - x[i]) - pull(x[i] - x[i - 1]);
    a[n - 1] = -2 * pull(x[n - 1] - x[n - 2]);
    VecRestoreArrayRead(at, &x), VecRestoreArray(dv, &a);
    return 0;
}

static void set_verlet(solver *s)
{
    IS x, v;
    good(ISCreateStride(PETSC_COMM_SELF, s->n, 0, 1, &x)),
        good(ISCreateStride(PETSC_COMM_SELF, s->n, s->n, 1, &v));
    good(TSSetType(s->ts, TSBASICSYMPLECTIC)),
        good(TSBasicSymplecticSetType(s->ts, TSBASICSYMPLECTICVELVERLET));
    good(TSRHSSplitSetIS(s->ts, "position", x)), good(TSRHSSplitSetIS(s->ts, "momentum", v));
    good(TSRHSSplitSetRHSFunction(s->ts, "position", NULL, drift, s));
    good(TSRHSSplitSetRHSFunction(s->ts, "momentum", NULL, kick, s));
    good(ISDestroy(&x)), good(ISDestroy(&v));
}

/* Midpoint: y = (x_0, v_0, x_1, v_1, ...), F(t, y, y') = 0. ------------------------------------ */

static PetscErrorCode springs(TS ts, PetscReal t, Vec at, Vec rate, Vec out, void *self)
{
    const PetscInt     n = ((solver *)self)->n;
    const PetscScalar *y, *dy;
    PetscScalar       *f, left = 0;
    (void)ts, (void)t;
    VecGetArrayRead(at, &y), VecGetArrayRead(rate, &dy), VecGetArray(out, &f);
    for (PetscInt i = 0; i < n; i++) {
        PetscScalar right = i < n - 1 ? pull(y[2 * i + 2] - y[2 * i]) : 0;
        f[2 * i] = dy[2 * i] - y[2 * i + 1];
        f[2 * i + 1] = dy[2 * i + 1] - (right - left) / mass_of((int)i, (int)n), left = right;
    }
    VecRestoreArrayRead(at, &y), VecRestoreArrayRead(rate, &dy), VecRestoreArray(out, &f);
    return 0;
}

static PetscErrorCode ladder(TS ts, PetscReal t, Vec at, Vec rate, Vec out, void *self)
{
    const PetscInt     n = ((solver *)self)->n;
    const PetscScalar *y, *dy;
    PetscScalar       *f;
    (void)ts;
    VecGetArrayRead(at, &y), VecGetArrayRead(rate, &dy), VecGetArray(out, &f);
    for (PetscInt k = 0; k < n; k++) {
        f[2 * k] = dy[2 * k] - y[2 * k + 1] + (k < n - 1 ? y[2 * k + 3] : 0);
        f[2 * k + 1] =
            dy[2 * k + 1] - (k ? y[2 * k - 2] : sin(t)) + y[2 * k] + RESISTANCE * y[2 * k + 1];
    }
    VecRestoreArrayRead(at, &y), VecRestoreArrayRead(rate, &dy), VecRestoreArray(out, &f);
    return 0;
}

/* dF/dy + shift dF/dy', by blocks of a site: below, diagonal, above. */
static void blocks_of(const solver *s, PetscInt i, PetscReal shift, const PetscScalar *y,
                      PetscScalar *b)
{
    PetscScalar *below = b, *own = b + 4, *above = b + 8;
    for (int k = 0; k < 12; k++) b[k] = 0;
    own[0] = shift, own[1] = -1;
    if (s->e.which == LADDER_MIDPOINT) {
        own[2] = 1, own[3] = shift + RESISTANCE, below[2] = -1, above[1] = 1;
        return;
    }
    const PetscScalar m = mass_of((int)i, (int)s->n),
                      soft = i ? stiffness(y[2 * i] - y[2 * i - 2]) : 0,
                      stiff = i < s->n - 1 ? stiffness(y[2 * i + 2] - y[2 * i]) : 0;
    own[2] = (soft + stiff) / m, own[3] = shift, below[2] = -soft / m, above[2] = -stiff / m;
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Vec rate, PetscReal shift, Mat J, Mat P,
                               void *self)
{
    const solver      *s = self;
    const PetscScalar *y;
    (void)ts, (void)t, (void)rate, (void)P;
    VecGetArrayRead(at, &y);
    for (PetscInt i = 0; i < s->n; i++) {
        PetscScalar b[12];
        blocks_of(s, i, shift, y, b);
        for (PetscInt k = -1; k <= 1; k++) {
            PetscInt j = i + k;
            if (j >= 0 && j < s->n)
                MatSetValuesBlocked(J, 1, &i, 1, &j, b + 4 * (k + 1), INSERT_VALUES);
        }
    }
    VecRestoreArrayRead(at, &y);
    MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY), MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY);
    return 0;
}

static void set_newton(solver *s)
{
    SNES           snes;
    SNESLineSearch search;
    KSP            ksp;
    PC             pc;
    good(TSGetSNES(s->ts, &snes)), good(SNESGetKSP(snes, &ksp)), good(KSPGetPC(ksp, &pc));
    good(KSPSetType(ksp, KSPPREONLY)), good(PCSetType(pc, PCLU)),
        good(PCFactorSetMatOrderingType(pc, MATORDERINGNATURAL));
    if (s->e.which == LADDER_MIDPOINT) {
        good(SNESSetType(snes, SNESKSPONLY));
        good(SNESSetLagJacobian(snes, -2)), good(SNESSetLagJacobianPersists(snes, PETSC_TRUE));
        good(SNESSetLagPreconditioner(snes, -2)),
            good(SNESSetLagPreconditionerPersists(snes, PETSC_TRUE));
    } else {
        good(SNESGetLineSearch(snes, &search)),
            good(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
        good(SNESSetTolerances(snes, 1e-12, 1e-12, 1e-9, 20, 100000));
        if (s->kept) {
            good(SNESSetLagJacobian(snes, 3)), good(SNESSetLagJacobianPersists(snes, PETSC_TRUE));
            good(SNESSetLagPreconditioner(snes, 1)),
                good(SNESSetLagPreconditionerPersists(snes, PETSC_TRUE));
        }
    }
}

static void set_midpoint(solver *s)
{
    const int is_ladder = s->e.which == LADDER_MIDPOINT;
    good(TSSetType(s->ts, TSTHETA)), good(TSThetaSetTheta(s->ts, 0.5)),
        good(TSThetaSetEndpoint(s->ts, PETSC_FALSE));
    good(MatCreateSeqBAIJ(PETSC_COMM_SELF, 2, 2 * s->n, 2 * s->n, 3, NULL, &s->J));
    good(TSSetIFunction(s->ts, s->r, is_ladder ? ladder : springs, s));
    good(TSSetIJacobian(s->ts, s->J, s->J, jacobian, s));
    set_newton(s);
}

/* A contestant. -------------------------------------------------------------------------------- */

static void *begin(const event *e, int kept)
{
    if (e->compensated) return NULL;
    begin_once();
    solver   *s = calloc(1, sizeof *s);
    const int verlet = e->which == SPRINGS_VERLET;
    if (!s) exit(1);
    s->e = *e, s->kept = kept, s->n = e->which == LADDER_MIDPOINT ? e->n : e->n + 1;
    good(VecCreateSeq(PETSC_COMM_SELF, 2 * s->n, &s->y)), good(VecDuplicate(s->y, &s->r)),
        good(VecSet(s->y, 0));
    if (e->which != LADDER_MIDPOINT) {
        PetscScalar *y;
        double      *x = doubles(s->n);
        chain_start((int)s->n, x);
        good(VecGetArray(s->y, &y));
        for (PetscInt i = 0; i < s->n; i++) y[verlet ? i : 2 * i] = x[i];
        good(VecRestoreArray(s->y, &y));
        free(x);
    }
    good(TSCreate(PETSC_COMM_SELF, &s->ts)), good(TSSetProblemType(s->ts, TS_NONLINEAR));
    if (verlet) set_verlet(s);
    else set_midpoint(s);
    good(TSSetTimeStep(s->ts, step_of(e->which))), good(TSSetMaxTime(s->ts, 1e9)),
        good(TSSetSolution(s->ts, s->y));
    good(TSSetExactFinalTime(s->ts, TS_EXACTFINALTIME_STEPOVER)), good(TSSetUp(s->ts));
    return s;
}

static void *start(const event *e)
{
    return begin(e, 0);
}
static void *start_kept(const event *e)
{
    return e->which == SPRINGS_MIDPOINT ? begin(e, 1) : NULL;
}

static double advance(void *self, long steps)
{
    solver  *s = self;
    PetscInt before, after, made;
    good(TSGetSNESIterations(s->ts, &before)), good(TSGetStepNumber(s->ts, &made));
    good(TSSetMaxSteps(s->ts, made + (PetscInt)steps));
    double begin = seconds();
    good(TSSolve(s->ts, s->y));
    double spent = seconds() - begin;
    good(TSGetSNESIterations(s->ts, &after));
    s->iterations = (PetscReal)(after - before) / (PetscReal)steps;
    return spent;
}

static void look(void *self, double *x)
{
    const solver      *s = self;
    const PetscScalar *y;
    good(VecGetArrayRead(s->y, &y));
    for (PetscInt i = 0; i < s->n; i++) x[i] = y[s->e.which == SPRINGS_VERLET ? i : 2 * i];
    good(VecRestoreArrayRead(s->y, &y));
}

static void stop(void *self)
{
    solver *s = self;
    good(TSDestroy(&s->ts)), good(VecDestroy(&s->y)), good(VecDestroy(&s->r)),
        good(MatDestroy(&s->J));
    free(s);
}

static double iterations(void *self)
{
    return ((solver *)self)->iterations;
}

#define PETSC .advance = advance, .look = look, .stop = stop, .iterations = iterations

const runner *petsc(int k)
{
    static const runner all[] = {{.name = "PETSc", .start = start, PETSC},
                                 {.name = "PETSc, Jacobian kept", .start = start_kept, PETSC}};
    return k < 2 ? &all[k] : NULL;
}
