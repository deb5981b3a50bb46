/* sundials.c - SUNDIALS in the contest: KINSOL and ARKODE make the midpoint step, CVODE and ARKODE
 * run to an accuracy, and IDA takes the sleigh with its constraint and multiplier (index 2). */
#include "problem.h"
#include "sundials_room.h"

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <kinsol/kinsol.h>
#include <math.h>

static int rhs(double t, N_Vector y, N_Vector dy, void *of)
{
    ((const problem *)of)->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int jacobian(double t, N_Vector y, N_Vector fy, SUNMatrix J, void *of, N_Vector a,
                    N_Vector b, N_Vector c)
{
    const problem *p = of;
    const double  *x = N_VGetArrayPointer(y);
    double         Fq[4], Fv[4];
    (void)t, (void)fy, (void)a, (void)b, (void)c;
    p->slopes(x, x + p->n, Fq, Fv);
    SUNMatZero(J);
    for (int i = 0; i < p->n; i++) {
        SM_ELEMENT_D(J, i, p->n + i) = 1;
        for (int j = 0; j < p->n; j++) {
            SM_ELEMENT_D(J, p->n + i, j) = Fq[i * p->n + j];
            SM_ELEMENT_D(J, p->n + i, p->n + j) = Fv[i * p->n + j];
        }
    }
    return 0;
}

/* KINSOL. -------------------------------------------------------------------------------------- */

/* The equations of one midpoint step, v_0 - z/h + (h/2) F(q + z/2, z/h) = 0, with their exact
 * Jacobian. */

typedef struct {
    const problem *p;
    double         h, q[2], v[2];
} one_step;

static void at_middle(const one_step *s, const double *z, double *q, double *v)
{
    for (int i = 0; i < s->p->n; i++) q[i] = s->q[i] + z[i] / 2, v[i] = z[i] / s->h;
}

static int step_residual(N_Vector z, N_Vector r, void *self)
{
    const one_step *s = self;
    double          q[2], v[2], F[2];
    at_middle(s, N_VGetArrayPointer(z), q, v);
    s->p->force(q, v, F);
    for (int i = 0; i < s->p->n; i++) N_VGetArrayPointer(r)[i] = s->v[i] - v[i] + s->h / 2 * F[i];
    return 0;
}

static int step_jacobian(N_Vector z, N_Vector r, SUNMatrix J, void *self, N_Vector a, N_Vector b)
{
    const one_step *s = self;
    const int       n = s->p->n;
    double          q[2], v[2], Fq[4], Fv[4];
    (void)r, (void)a, (void)b;
    at_middle(s, N_VGetArrayPointer(z), q, v);
    s->p->slopes(q, v, Fq, Fv);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            SM_ELEMENT_D(J, i, j) =
                s->h / 4 * Fq[i * n + j] + Fv[i * n + j] / 2 - (i == j ? 1 / s->h : 0);
    return 0;
}

static int kinsol_steps(one_step *s, void *kin, N_Vector z, N_Vector one, long steps)
{
    double *x = N_VGetArrayPointer(z), q[2], v[2], F[2];
    for (int i = 0; i < s->p->n; i++) x[i] = s->h * s->v[i];
    for (long k = 0; k < steps; k++) {
        if (KINSol(kin, z, KIN_NONE, one, one) < 0) return 0;
        at_middle(s, x, q, v);
        s->p->force(q, v, F);
        for (int i = 0; i < s->p->n; i++) s->q[i] += x[i], s->v[i] = v[i] + s->h / 2 * F[i];
    }
    return 1;
}

static int kinsol_midpoint(const problem *p, double h, double until, double *y, double *cpu)
{
    long     steps = whole_steps(h, until);
    one_step s = {.p = p, .h = until / (double)steps};
    room     r = room_new(p->n, p->start);
    N_Vector one = N_VClone(r.y);
    void    *kin = KINCreate(r.cx);
    N_VConst(1, one);
    memcpy(s.q, p->start, (size_t)p->n * sizeof *y),
        memcpy(s.v, p->start + p->n, (size_t)p->n * sizeof *y);
    KINInit(kin, step_residual, r.y), KINSetUserData(kin, &s);
    KINSetLinearSolver(kin, r.ls, r.J), KINSetJacFn(kin, step_jacobian),
        KINSetMaxSetupCalls(kin, 1);
    KINSetFuncNormTol(kin, 1e-12), KINSetScaledStepTol(kin, 1e-12), KINSetPrintLevel(kin, 0);
    double begin = cpu_seconds();
    int    good = kinsol_steps(&s, kin, r.y, one, steps);
    *cpu = cpu_seconds() - begin;
    memcpy(y, s.q, (size_t)p->n * sizeof *y), memcpy(y + p->n, s.v, (size_t)p->n * sizeof *y);
    KINFree(&kin), N_VDestroy(one), room_free(&r);
    return good;
}

/* ARKODE with the midpoint tableau and fixed steps. -------------------------------------------- */

static int arkode_midpoint(const problem *p, double h, double until, double *y, double *cpu)
{
    double             half[1] = {0.5}, one[1] = {1}, t = 0;
    long               steps = whole_steps(h, until);
    room               r = room_new(p->size, p->start);
    ARKodeButcherTable table = ARKodeButcherTable_Create(1, 2, 0, half, half, one, NULL);
    void              *ark = ARKStepCreate(NULL, rhs, 0, r.y, r.cx);
    ARKStepSetUserData(ark, (void *)p), ARKStepSStolerances(ark, 1e-12, 1e-12);
    ARKStepSetTables(ark, 2, 0, table, NULL), ARKStepSetFixedStep(ark, until / (double)steps);
    ARKStepSetLinearSolver(ark, r.ls, r.J), ARKStepSetJacFn(ark, jacobian);
    ARKStepSetMaxNonlinIters(ark, 20), ARKStepSetMaxNumSteps(ark, steps + 10),
        ARKStepSetStopTime(ark, until);
    double begin = cpu_seconds();
    int    good = ARKStepEvolve(ark, until, r.y, &t, ARK_NORMAL) >= 0;
    *cpu = cpu_seconds() - begin;
    memcpy(y, N_VGetArrayPointer(r.y), (size_t)p->size * sizeof *y);
    ARKStepFree(&ark), ARKodeButcherTable_Free(table), room_free(&r);
    return good;
}

/* To an accuracy. ------------------------------------------------------------------------------ */

static int cvode_adams(const problem *p, double tolerance, double until, double *y, double *cpu)
{
    double t = 0;
    room   r = room_new(p->size, p->start);
    void  *cv = CVodeCreate(CV_ADAMS, r.cx);
    CVodeInit(cv, rhs, 0, r.y), CVodeSetUserData(cv, (void *)p),
        CVodeSStolerances(cv, tolerance, tolerance);
    CVodeSetLinearSolver(cv, r.ls, r.J), CVodeSetMaxNumSteps(cv, 100000000),
        CVodeSetStopTime(cv, until);
    if (p->slopes) CVodeSetJacFn(cv, jacobian);
    double begin = cpu_seconds();
    int    good = CVode(cv, until, r.y, &t, CV_NORMAL) >= 0;
    *cpu = cpu_seconds() - begin;
    memcpy(y, N_VGetArrayPointer(r.y), (size_t)p->size * sizeof *y);
    CVodeFree(&cv), room_free(&r);
    return good;
}

static int arkode_erk8(const problem *p, double tolerance, double until, double *y, double *cpu)
{
    double t = 0;
    room   r = room_new(p->size, p->start);
    void  *ark = ERKStepCreate(rhs, 0, r.y, r.cx);
    ERKStepSetUserData(ark, (void *)p), ERKStepSStolerances(ark, tolerance, tolerance);
    ERKStepSetTableNum(ark, ARKODE_FEHLBERG_13_7_8), ERKStepSetMaxNumSteps(ark, 100000000);
    ERKStepSetStopTime(ark, until);
    double begin = cpu_seconds();
    int    good = ERKStepEvolve(ark, until, r.y, &t, ARK_NORMAL) >= 0;
    *cpu = cpu_seconds() - begin;
    memcpy(y, N_VGetArrayPointer(r.y), (size_t)p->size * sizeof *y);
    ERKStepFree(&ark), room_free(&r);
    return good;
}

/* The sleigh with its constraint: unknowns x, y, th, their velocities and the multiplier of the
 * runner. */
static int sleigh_residual(double t, N_Vector at, N_Vector rate, N_Vector out, void *unused)
{
    const double *z = N_VGetArrayPointer(at), *d = N_VGetArrayPointer(rate);
    double       *r = N_VGetArrayPointer(out), c = cos(z[2]), s = sin(z[2]), w = z[5], lam = z[6];
    (void)t, (void)unused;
    for (int i = 0; i < 3; i++) r[i] = d[i] - z[3 + i];
    r[3] = d[3] - 0.3 * (s * d[5] + c * w * w) + lam * s; /* d/dt (x' - a s th') = -lam s */
    r[4] = d[4] + 0.3 * (c * d[5] - s * w * w) - lam * c;
    r[5] = 0.49 * d[5] + 0.3 * (c * d[4] - s * d[3]);
    r[6] = -s * z[3] + c * z[4];
    return 0;
}

static int ida_index2(const problem *p, double tolerance, double until, double *y, double *cpu)
{
    const double start[7] = {0, 0, 0, 0.2, 0, 1, 0.2 - 0.3 * 0.3 * 0.2 / 0.49};
    double rates[7] = {0.2, 0, 1, 0.3, 0.2, -0.3 / 0.49 * 0.2, 0}, id[7] = {1, 1, 1, 1, 1, 1, 0},
           t = 0;
    if (p != &sleigh) return 0;
    room     r = room_new(7, start);
    N_Vector rate = N_VMake_Serial(7, rates, r.cx), kind = N_VMake_Serial(7, id, r.cx);
    void    *ida = IDACreate(r.cx);
    IDAInit(ida, sleigh_residual, 0, r.y, rate), IDASStolerances(ida, tolerance, tolerance);
    IDASetId(ida, kind), IDASetSuppressAlg(ida, 1), IDASetLinearSolver(ida, r.ls, r.J);
    IDASetMaxNumSteps(ida, 10000000), IDASetStopTime(ida, until);
    double begin = cpu_seconds();
    int    good = IDASolve(ida, until, &t, r.y, rate, IDA_NORMAL) >= 0;
    *cpu = cpu_seconds() - begin;
    memcpy(y, N_VGetArrayPointer(r.y), 3 * sizeof *y);
    IDAFree(&ida), N_VDestroy(rate), N_VDestroy(kind), room_free(&r);
    return good;
}

const contestant *sundials(race r, int k)
{
    static const contestant steps[] = {{"KINSOL", kinsol_midpoint, 1, 0},
                                       {"ARKODE midpoint", arkode_midpoint, 1, 0}};
    static const contestant accuracy[] = {{"CVODE Adams", cvode_adams, 0, 0},
                                          {"ARKODE erk8", arkode_erk8, 0, 0},
                                          {"IDA index 2", ida_index2, 0, 0}};
    if (r == MIDPOINT_STEPS && k < 2) return &steps[k];
    return r == ACCURACY && k < 3 ? &accuracy[k] : NULL;
}
