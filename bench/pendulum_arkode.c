/* pendulum_arkode.c - ARKODE's midpoint rule with the pendulum of n links: a' = w, w' from the
 * tensions T of the rods,
 *
 *     u_i = (sin th_i, -cos th_i),  m x_i'' = m g + T_{i+1} u_{i+1} - T_i u_i,  u_i.(x_i'' -
 * x_{i-1}'') = -w_i^2,
 *
 * a tridiagonal system, so that a right-hand side takes O(n). */
#include "links.h"
#include "problem.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double g = 9.81;

/* -T_{i-1} c_{i-1} + 2 T_i - T_{i+1} c_i = w_i^2, where c_i = u_i.u_{i+1}; of the first rod T_1 and
 * g cos th_1 more. */
static void tensions(int n, const double *s, const double *c, const double *w, double *T)
{
    double upper[LINKS], before = 0;
    for (int i = 0; i < n; i++) {
        double lower = i ? c[i - 1] * c[i] + s[i - 1] * s[i] : 0,
               next = i < n - 1 ? c[i] * c[i + 1] + s[i] * s[i + 1] : 0;
        double pivot = 1 / ((i ? 2 : 1) - lower * (i ? upper[i - 1] : 0));
        T[i] = before = (w[i] * w[i] + (i ? 0 : g * c[0]) + lower * before) * pivot;
        upper[i] = next * pivot;
    }
    for (int i = n - 2; i >= 0; i--) T[i] += upper[i] * T[i + 1];
}

static int rhs(double t, N_Vector at, N_Vector rate, void *links)
{
    const int     n = *(const int *)links;
    const double *th = N_VGetArrayPointer(at), *w = th + n;
    double       *dth = N_VGetArrayPointer(rate), *dw = dth + n, s[LINKS], c[LINKS], T[LINKS];
    (void)t;
    for (int i = 0; i < n; i++) s[i] = sin(th[i]), c[i] = cos(th[i]), dth[i] = w[i];
    tensions(n, s, c, w, T);
    for (int i = 0; i < n; i++) { /* across the rod: n_i = (cos th_i, sin th_i) */
        dw[i] = i ? T[i - 1] * (c[i] * s[i - 1] - s[i] * c[i - 1]) : -g * s[0];
        if (i < n - 1) dw[i] += T[i + 1] * (c[i] * s[i + 1] - s[i] * c[i + 1]);
    }
    return 0;
}

double pendulum_by_arkode(int n, double h, long steps, double *th)
{
    double     half[1] = {0.5}, one[1] = {1}, t = 0;
    SUNContext cx;
    SUNContext_Create(NULL, &cx);
    N_Vector           y = N_VNew_Serial(2 * n, cx);
    SUNMatrix          J = SUNDenseMatrix(2 * n, 2 * n, cx);
    SUNLinearSolver    ls = SUNLinSol_Dense(y, J, cx);
    ARKodeButcherTable table = ARKodeButcherTable_Create(1, 2, 0, half, half, one, NULL);
    for (int i = 0; i < n; i++) N_VGetArrayPointer(y)[i] = 0.5, N_VGetArrayPointer(y)[n + i] = 0;
    void *ark = ARKStepCreate(NULL, rhs, 0, y, cx);
    ARKStepSetUserData(ark, &n), ARKStepSStolerances(ark, 1e-10, 1e-10);
    ARKStepSetTables(ark, 2, 0, table, NULL), ARKStepSetFixedStep(ark, h);
    ARKStepSetLinearSolver(ark, ls, J), ARKStepSetMaxNonlinIters(ark, 20),
        ARKStepSetMaxNumSteps(ark, steps + 10);
    double begin = cpu_seconds();
    for (long k = 0; k < steps; k++)
        if (ARKStepEvolve(ark, 1e9, y, &t, ARK_ONE_STEP) < 0) break;
    double spent = cpu_seconds() - begin;
    for (int i = 0; i < n; i++) th[i] = N_VGetArrayPointer(y)[i];
    ARKStepFree(&ark), ARKodeButcherTable_Free(table), SUNLinSolFree(ls), SUNMatDestroy(J),
        N_VDestroy(y);
    SUNContext_Free(&cx);
    return spent;
}
