/* gsl.c - the GNU Scientific Library in the contest. */
#include "problem.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

static int rhs(double t, const double y[], double dy[], void *of)
{
    ((const problem *)of)->rhs(t, y, dy);
    return GSL_SUCCESS;
}

static int jacobian(double t, const double y[], double *J, double dt[], void *of)
{
    const problem *p = of;
    double         Fq[4], Fv[4];
    (void)t;
    p->slopes(y, y + p->n, Fq, Fv);
    memset(J, 0, (size_t)(p->size * p->size) * sizeof *J);
    memset(dt, 0, (size_t)p->size * sizeof *dt);
    for (int i = 0; i < p->n; i++) {
        J[i * p->size + p->n + i] = 1;
        for (int j = 0; j < p->n; j++) {
            J[(p->n + i) * p->size + j] = Fq[i * p->n + j];
            J[(p->n + i) * p->size + p->n + j] = Fv[i * p->n + j];
        }
    }
    return GSL_SUCCESS;
}

static int run(const problem *p, const gsl_odeiv2_step_type *type, double h, double tolerance,
               double until, double *y, double *cpu)
{
    gsl_odeiv2_system  sys = {rhs, p->slopes ? jacobian : NULL, (size_t)p->size, (void *)p};
    long               steps = tolerance > 0 ? 0 : whole_steps(h, until);
    gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(
        &sys, type, 1e-3, tolerance > 0 ? tolerance : 1e-12, tolerance > 0 ? tolerance : 1e-12);
    double             t = 0;
    gsl_set_error_handler_off();
    memcpy(y, p->start, (size_t)p->size * sizeof *y);
    double begin = cpu_seconds();
    int    bad = tolerance > 0 ? gsl_odeiv2_driver_apply(d, &t, until, y) : 0;
    double error[MOST];
    /* a driver would refuse for its error */
    for (long k = 0; k < steps && !bad; k++, t += until / (double)steps)
        bad = gsl_odeiv2_step_apply(d->s, t, until / (double)steps, y, error, NULL, NULL, &sys);
    *cpu = cpu_seconds() - begin;
    gsl_odeiv2_driver_free(d);
    return !bad;
}

static int rk2imp(const problem *p, double h, double until, double *y, double *cpu)
{
    return run(p, gsl_odeiv2_step_rk2imp, h, 0, until, y, cpu);
}
static int rk8pd(const problem *p, double tolerance, double until, double *y, double *cpu)
{
    return run(p, gsl_odeiv2_step_rk8pd, 0, tolerance, until, y, cpu);
}

const contestant *gsl(race r, int k)
{
    static const contestant all[RACES] = {
        [MIDPOINT_STEPS] = {"GSL rk2imp", rk2imp, 1, 0},
        [ACCURACY] = {"GSL rk8pd", rk8pd, 0, 0},
    };
    return k || !all[r].name ? NULL : &all[r];
}
