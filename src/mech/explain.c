/* explain.c - a step that failed, told in the names of the system. */
#include "mech/newton.h"

#include <math.h>

static void say_coordinate(const dal_system *sys, int i, text *out)
{
    if (sys->coordinate_name) sys->coordinate_name(sys->self, i, out);
    else text_printf(out, "coordinate %d", i + 1);
}

static void say_equation(const equations *eq, int k, text *out)
{
    if (k < eq->lam) {
        text_add(out, "the equation of ");
        say_coordinate(eq->sys, k % eq->n, out);
    } else if (k < eq->P) {
        int a = (k - eq->lam) % eq->relations;
        text_add(out, "relation '");
        if (eq->sys->relation_name) eq->sys->relation_name(eq->sys->self, a, out);
        else text_printf(out, "%d", a + 1);
        text_add(out, "'");
    } else {
        text_add(out, "the velocity of ");
        say_coordinate(eq->sys, eq->phase_list[(k - eq->P) % eq->phase], out);
    }
}

/* The row whose residual is largest beside what it sums. */
static int worst_row(newton *nw, const double *y)
{
    int    worst = 0;
    double most = -1;
    equations_row_sizes(nw->eq, y, nw->natural);
    for (int k = 0; k < nw->eq->size; k++) {
        double ratio = fabs(nw->r[k]) / (nw->natural[k] + 1e-300);
        if (!(ratio <= most)) most = ratio, worst = k;
        if (!(fabs(nw->r[k]) <= 1e300)) return k;
    }
    return worst;
}

static void say_history(const newton *nw, text *out)
{
    int shown = nw->iterations < NEWTON_HISTORY ? nw->iterations : NEWTON_HISTORY;
    text_add(out, "; residuals");
    for (int k = 0; k < shown; k++) text_printf(out, " %.1e", nw->residual[k]);
    if (shown < nw->iterations) text_add(out, " ...");
}

static bool say_culprit(const equations *eq, text *out)
{
    const dal_system *sys = eq->sys;
    const samples    *set[] = {&eq->rule, &eq->force, &eq->control, &eq->gauss};
    for (int k = 0; sys->culprit && k < 4; k++)
        for (int i = 0; i < set[k]->count; i++)
            if (sys->culprit(sys->self, &set[k]->point[i], out)) return true;
    return false;
}

/* "x - 0.5*y", the largest weight being 1; nothing if all are negligible */
static void say_direction(const equations *eq, const double *weight, const char *before, text *out)
{
    double most = 0;
    for (int i = 0; i < eq->n; i++)
        if (fabs(weight[i]) > fabs(most)) most = weight[i];
    if (fabs(most) < 1e-6) return;
    text_add(out, before);
    const char *plus = "", *minus = "-";
    for (int i = 0; i < eq->n; i++) {
        double c = weight[i] / most;
        if (fabs(c) < 1e-3) continue;
        text_add(out, c < 0 ? minus : plus);
        if (fabs(fabs(c) - 1) > 1e-3) text_printf(out, "%.3g*", fabs(c));
        say_coordinate(eq->sys, i, out);
        plus = " + ", minus = " - ";
    }
}

/* The direction that the Jacobian does not see, in the user's coordinates. */
static void say_null_direction(const equations *eq, mem *m, text *out)
{
    const int size = eq->size;
    double   *full = mem_resize(m, NULL, sizeof(double) * (size_t)size * (size_t)size);
    double   *null = mem_resize(m, NULL, sizeof(double) * (size_t)size * (size_t)size);
    for (int k = 0; k < size * size; k++) full[k] = 0;
    for (int row = 0; row < size; row++)
        for (int k = eq->J.start[row]; k < eq->J.start[row + 1]; k++)
            full[row * size + eq->J.column[k]] = eq->values[k];
    int rank = dense_rank_scaled(m, full, size, size, 0, null);
    if (rank < size) {
        text_printf(out, ": they have rank %d of %d", rank, size);
        say_direction(eq, null + (eq->d - 1) * eq->n, ", and nothing determines ", out);
    }
    mem_drop(m, full), mem_drop(m, null);
}

enum { RANK_MOST = 200 }; /* unknowns for which a rank is computed for a message */

static dal_status say_singular(newton *nw, mem *m, text *why)
{
    const equations *eq = nw->eq;
    text_add(why, "the equations of the step are singular");
    if (eq->size <= RANK_MOST) say_null_direction(eq, m, why);
    const double *x = eq->rule.x[0];
    const bool    inner = eq->s == eq->d && x[0] > 0 && x[eq->s - 1] < 1;
    text_add(why, inner ? "; give it inertia, stiffness, resistance or a relation, or start elsewhere"
                  : eq->phase && eq->s > eq->d
                      ? "; a scheme with as many points as its degree, gauss(s), may do"
                      : "; gauss(s) sees directions without inertia that end points do not");
    return DAL_SINGULAR;
}

dal_status newton_explain(newton *nw, mem *m, const double *y, text *why)
{
    const equations *eq = nw->eq;
    text_printf(why, "t = %.10g: ", eq->t);
    if (nw->singular) return say_singular(nw, m, why);
    if (nw->not_finite) {
        text_add(why, "a value is not finite");
        text culprit = text_new(m);
        if (say_culprit(eq, &culprit)) text_printf(why, ": %s", text_str(&culprit));
        text_drop(&culprit);
        text_add(why, "; a smaller step may keep the motion away from it");
        return DAL_DIVERGED;
    }
    text_printf(why, "Newton stopped after %d iterations; the worst equation is ", nw->iterations);
    say_equation(eq, worst_row(nw, y), why);
    say_history(nw, why);
    text_printf(why, "; try a smaller step than %.3g, or another scheme", fabs(eq->h));
    return DAL_DIVERGED;
}
