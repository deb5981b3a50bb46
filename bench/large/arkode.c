/* arkode.c - ARKODE with KLU and the large implicit problems: the midpoint tableau, fixed steps,
 * the exact sparse Jacobian of the equations of first order, with the unknowns of a site side by
 * side. The ladder is declared linear and constant, so that it is factored once. */
#include "../bench.h"
#include "large.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct {
    event              e;
    int                n; /* sites; y = (x_0, v_0, x_1, v_1, ...) */
    SUNContext         cx;
    N_Vector           y;
    SUNMatrix          J;
    SUNLinearSolver    ls;
    ARKodeButcherTable table;
    void              *ark;
    long               k;
    double             iterations;
} solver;

/* x' = v, v' = F(x)/m. */
static int springs_rhs(double t, N_Vector at, N_Vector rate, void *self)
{
    const int     n = ((solver *)self)->n;
    const double *y = N_VGetArrayPointer(at);
    double       *dy = N_VGetArrayPointer(rate), left = 0;
    (void)t;
    for (int i = 0; i < n; i++) {
        double right = i < n - 1 ? pull(y[2 * i + 2] - y[2 * i]) : 0;
        dy[2 * i] = y[2 * i + 1], dy[2 * i + 1] = (right - left) / mass_of(i, n), left = right;
    }
    return 0;
}

/* The charge of a capacitor, x' = i_k - i_{k+1}; the current of a coil, i' = x_{k-1} - x_k - R i.
 */
static int ladder_rhs(double t, N_Vector at, N_Vector rate, void *self)
{
    const int     n = ((solver *)self)->n;
    const double *y = N_VGetArrayPointer(at);
    double       *dy = N_VGetArrayPointer(rate);
    for (int k = 0; k < n; k++) {
        dy[2 * k] = y[2 * k + 1] - (k < n - 1 ? y[2 * k + 3] : 0);
        dy[2 * k + 1] = (k ? y[2 * k - 2] : sin(t)) - y[2 * k] - RESISTANCE * y[2 * k + 1];
    }
    return 0;
}

/* Columns: of x_i the equations of v_{i-1}, v_i, v_{i+1}; of v_i that of x_i. The diagonal is there
 * even where it is 0: I - gamma J then has the places of J, and nothing is moved. */
static int springs_jacobian(double t, N_Vector at, N_Vector fy, SUNMatrix J, void *self, N_Vector a,
                            N_Vector b, N_Vector c)
{
    const int     n = ((solver *)self)->n;
    const double *y = N_VGetArrayPointer(at);
    sunindextype *start = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J), e = 0;
    double       *value = SM_DATA_S(J), soft = 0;
    (void)t, (void)fy, (void)a, (void)b, (void)c;
    for (int i = 0; i < n; i++) {
        double stiff = i < n - 1 ? stiffness(y[2 * i + 2] - y[2 * i]) : 0;
        start[2 * i] = e;
        if (i) row[e] = 2 * i - 1, value[e++] = soft / mass_of(i - 1, n);
        row[e] = 2 * i, value[e++] = 0;
        row[e] = 2 * i + 1, value[e++] = -(soft + stiff) / mass_of(i, n);
        if (i < n - 1) row[e] = 2 * i + 3, value[e++] = stiff / mass_of(i + 1, n);
        start[2 * i + 1] = e, row[e] = 2 * i, value[e++] = 1, row[e] = 2 * i + 1, value[e++] = 0;
        soft = stiff;
    }
    start[2 * n] = e;
    return 0;
}

static int ladder_jacobian(double t, N_Vector at, N_Vector fy, SUNMatrix J, void *self, N_Vector a,
                           N_Vector b, N_Vector c)
{
    const int     n = ((solver *)self)->n;
    sunindextype *start = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J), e = 0;
    double       *value = SM_DATA_S(J);
    (void)t, (void)at, (void)fy, (void)a, (void)b, (void)c;
    for (int k = 0; k < n; k++) {
        start[2 * k] = e, row[e] = 2 * k, value[e++] = 0;
        row[e] = 2 * k + 1, value[e++] = -1;
        if (k < n - 1) row[e] = 2 * k + 3, value[e++] = 1;
        start[2 * k + 1] = e;
        if (k) row[e] = 2 * k - 2, value[e++] = -1;
        row[e] = 2 * k, value[e++] = 1;
        row[e] = 2 * k + 1, value[e++] = -RESISTANCE;
    }
    start[2 * n] = e;
    return 0;
}

static void *start(const event *e)
{
    double half[1] = {0.5}, one[1] = {1};
    if (e->which == SPRINGS_VERLET || e->compensated) return NULL;
    solver   *s = calloc(1, sizeof *s);
    const int ladder = e->which == LADDER_MIDPOINT;
    if (!s) exit(1);
    s->e = *e, s->n = ladder ? e->n : e->n + 1;
    SUNContext_Create(NULL, &s->cx);
    s->y = N_VNew_Serial(2 * s->n, s->cx);
    N_VConst(0, s->y);
    if (!ladder) {
        double *x = doubles(s->n);
        chain_start(s->n, x);
        for (int i = 0; i < s->n; i++) N_VGetArrayPointer(s->y)[2 * i] = x[i];
        free(x);
    }
    s->J = SUNSparseMatrix(2 * s->n, 2 * s->n, 6 * s->n, CSC_MAT, s->cx);
    s->ls = SUNLinSol_KLU(s->y, s->J, s->cx);
    s->table = ARKodeButcherTable_Create(1, 2, 0, half, half, one, NULL);
    s->ark = ARKStepCreate(NULL, ladder ? ladder_rhs : springs_rhs, 0, s->y, s->cx);
    ARKStepSetUserData(s->ark, s), ARKStepSStolerances(s->ark, 1e-10, 1e-10);
    ARKStepSetTables(s->ark, 2, 0, s->table, NULL), ARKStepSetFixedStep(s->ark, step_of(e->which));
    ARKStepSetLinearSolver(s->ark, s->ls, s->J),
        ARKStepSetJacFn(s->ark, ladder ? ladder_jacobian : springs_jacobian);
    if (ladder) ARKStepSetLinear(s->ark, 0);
    ARKStepSetMaxNonlinIters(s->ark, 20), ARKStepSetMaxNumSteps(s->ark, 1000000000);
    return s;
}

static double advance(void *self, long steps)
{
    solver *s = self;
    double  t = 0;
    long    before = 0, after = 0;
    ARKStepGetNumNonlinSolvIters(s->ark, &before);
    double begin = seconds();
    for (long k = 0; k < steps; k++, s->k++)
        if (ARKStepEvolve(s->ark, 1e9, s->y, &t, ARK_ONE_STEP) < 0) return -1;
    double spent = seconds() - begin;
    ARKStepGetNumNonlinSolvIters(s->ark, &after);
    s->iterations = (double)(after - before) / (double)steps;
    return spent;
}

static void look(void *self, double *x)
{
    const solver *s = self;
    for (int i = 0; i < s->n; i++) x[i] = N_VGetArrayPointer(s->y)[2 * i];
}

static void stop(void *self)
{
    solver *s = self;
    ARKStepFree(&s->ark), ARKodeButcherTable_Free(s->table), SUNLinSolFree(s->ls),
        SUNMatDestroy(s->J);
    N_VDestroy(s->y), SUNContext_Free(&s->cx);
    free(s);
}

static double iterations(void *self)
{
    return ((solver *)self)->iterations;
}

const runner *arkode(int k)
{
    static const runner klu = {.name = "ARKODE + KLU",
                               .start = start,
                               .advance = advance,
                               .look = look,
                               .stop = stop,
                               .iterations = iterations};
    return k ? NULL : &klu;
}
