/* stiff_sundials.c - IDA and ARKODE with the stiff problems: y' = g as it is, dense Jacobians by
 * differences, begun anew at every jump. */
#include "bench.h"
#include "stiff.h"
#include "sundials_room.h"

#include <arkode/arkode_arkstep.h>
#include <ida/ida.h>
#include <math.h>

enum { STEPS_MOST = 1000000 };
static const double SMALL = 1e-6; /* what an absolute tolerance is relative to */

typedef struct {
    const stiff_problem *p;
    double               after; /* the last jump */
} course;

static room begin(const stiff_problem *p)
{
    double start[STIFF_MOST];
    p->start(start);
    return room_new(p->size, start);
}

static void finish(room *r, const stiff_problem *p, double *y)
{
    memcpy(y, N_VGetArrayPointer(r->y), (size_t)p->size * sizeof *y);
    room_free(r);
}

static int rhs(double t, N_Vector y, N_Vector dy, void *self)
{
    const course *on = self;
    on->p->rhs(t, on->after, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

/* y' - g = 0 */
static int residual(double t, N_Vector y, N_Vector dy, N_Vector out, void *self)
{
    rhs(t, y, out, self);
    N_VLinearSum(1, dy, -1, out, out);
    return 0;
}

/* The next time at which the right-hand side may jump, or the end. */
static double next_end(const course *on)
{
    const double jump = on->p->every > 0 ? on->after + on->p->every : on->p->until;
    return jump > on->p->until * (1 - 1e-9) ? on->p->until : jump;
}

double by_ida(const stiff_problem *p, double tolerance, double *y, long *steps)
{
    room     r = begin(p);
    course   on = {p, 0};
    void    *ida = IDACreate(r.cx);
    N_Vector dy = N_VClone(r.y);
    int      good = 1;
    double   t = 0;
    long     made = 0;
    *steps = 0;
    rhs(0, r.y, dy, &on);
    IDAInit(ida, residual, 0, r.y, dy), IDASetUserData(ida, &on);
    IDASStolerances(ida, tolerance, tolerance * SMALL), IDASetLinearSolver(ida, r.ls, r.J);
    IDASetMaxNumSteps(ida, STEPS_MOST);
    const double begin = seconds();
    while (good && on.after < p->until) {
        const double end = next_end(&on);
        IDASetStopTime(ida, end);
        good = IDASolve(ida, end, &t, r.y, dy, IDA_NORMAL) >= 0;
        IDAGetNumSteps(ida, &made), *steps += made;
        on.after = end;
        if (end >= p->until) break;
        rhs(end, r.y, dy, &on);
        IDAReInit(ida, end, r.y, dy);
    }
    const double spent = seconds() - begin;
    IDAFree(&ida), N_VDestroy(dy), finish(&r, p, y);
    return good ? spent : -1;
}

double by_arkode(const stiff_problem *p, double tolerance, double *y, long *steps)
{
    room   r = begin(p);
    course on = {p, 0};
    void  *ark = ARKStepCreate(NULL, rhs, 0, r.y, r.cx);
    int    good = 1;
    double t = 0;
    long   made = 0;
    *steps = 0;
    ARKStepSetUserData(ark, &on), ARKStepSStolerances(ark, tolerance, tolerance * SMALL);
    ARKStepSetOrder(ark, 5), ARKStepSetLinearSolver(ark, r.ls, r.J);
    /* as its own example of Robertson is set */
    ARKStepSetNonlinConvCoef(ark, 1e-7), ARKStepSetMaxNonlinIters(ark, 8);
    ARKStepSetMaxErrTestFails(ark, 20), ARKStepSetPredictorMethod(ark, 1);
    ARKStepSetMaxNumSteps(ark, STEPS_MOST);
    const double begin = seconds();
    while (good && on.after < p->until) {
        const double end = next_end(&on);
        ARKStepSetStopTime(ark, end);
        good = ARKStepEvolve(ark, end, r.y, &t, ARK_NORMAL) >= 0;
        ARKStepGetNumSteps(ark, &made), *steps += made;
        on.after = end;
        if (end < p->until) ARKStepReInit(ark, NULL, rhs, end, r.y);
    }
    const double spent = seconds() - begin;
    ARKStepFree(&ark), finish(&r, p, y);
    return good ? spent : -1;
}
