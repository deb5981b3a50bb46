/* explain.c - explains a failed step in the names of the system. */
#include "linalg/null_vector.h"
#include "mech/degenerate/degenerate.h"
#include "mech/solve/newton.h"

#include <math.h>

void say_coordinate(const dal_system *sys, int i, text *out)
{
    if (sys->coordinate_name) sys->coordinate_name(sys->self, i, out);
    else text_printf(out, "coordinate %d", i + 1);
}

/* In the order of equations.h: momentum rows, relations, then the velocity rows of stage
 * momenta. */
static void say_equation(const equations *eq, int k, text *out)
{
    if (k < eq->lam || eq->shot) {
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

/* The row whose residual is largest beside what it sums. Passes leave no sums behind. */
static int worst_row(newton *nw, const double *y)
{
    int    worst = 0;
    double most = -1;
    if (nw->eq->rows || !nw->recorded)
        equations_evaluate(nw->eq, y, nw->recorded ? nw->trial : nw->r);
    equations_row_sizes(nw->eq, y, nw->natural);
    for (int k = 0; k < nw->eq->size; k++) {
        double ratio = fabs(nw->r[k]) / (nw->natural[k] + 1e-300);
        if (!(ratio <= most)) most = ratio, worst = k;
        if (!(fabs(nw->r[k]) <= 1e300)) return k;
    }
    return worst;
}

/* The largest residual before each correction. */
static void say_history(const newton *nw, text *out)
{
    int shown = nw->iterations < NEWTON_HISTORY ? nw->iterations : NEWTON_HISTORY;
    text_add(out, "; residuals");
    for (int k = 0; k < shown; k++) text_printf(out, " %.1e", nw->residual[k]);
    if (shown < nw->iterations) text_add(out, " ...");
}

/* Asks the system at every point of the curve; false: it does not know. */
static bool say_nonfinite_source(const equations *eq, text *out)
{
    const dal_system *sys = eq->sys;
    const samples    *set[] = {&eq->rule, &eq->force, &eq->control, &eq->gauss};
    for (int k = 0; sys->nonfinite_source && k < 4; k++)
        for (int i = 0; set[k]->point && i < set[k]->count; i++)
            if (sys->nonfinite_source(sys->self, &set[k]->point[i], out)) return true;
    return false;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

/* A direction of stage momenta, at the first stage that has a part in it. */
static void say_momenta(const equations *eq, mem *m, const double *P, text *out)
{
    double *p = mem_resize(m, NULL, sizeof *p * (size_t)eq->n);
    int     i = 0;
    while (i < eq->s - 1 && !(largest(P + i * eq->phase, eq->phase) > 1e-6)) i++;
    for (int j = 0; j < eq->n; j++) p[j] = 0;
    for (int j = 0; j < eq->phase; j++) p[eq->phase_list[j]] = P[i * eq->phase + j];
    direction_print(eq->sys, p, true, out);
    mem_drop(m, p);
}

/* What moves along a null vector: positions at the end of the step or within it, momenta, or the
 * reaction of the relation with the largest part in it. */
static void say_null_vector(const equations *eq, mem *m, const double *u, text *out)
{
    const double *end = u + (eq->d - 1) * eq->n;
    int           most = eq->lam;
    text_add(out, ", and nothing determines ");
    if (largest(end, eq->n) > 1e-6) direction_print(eq->sys, end, false, out);
    else if (largest(u + eq->P, eq->size - eq->P) > 1e-6) say_momenta(eq, m, u + eq->P, out);
    else if (largest(u, eq->lam) > 1e-6) text_add(out, "the curve between its ends");
    else {
        for (int k = eq->lam; k < eq->P; k++)
            if (fabs(u[k]) > fabs(u[most])) most = k;
        text_add(out, "the reaction of ");
        say_equation(eq, most, out);
    }
}

/* Rank and null direction of the Jacobian, in the user's names. Eliminated ties count as what they
 * were: each a coordinate and a relation, at every node. */
static bool say_rank(const equations *eq, mem *m, text *out)
{
    const int size = equations_extent(eq), behind = size - eq->size,
              tied = 2 * eq->d * eq->sys->tied;
    double *full = mem_resize(m, NULL, sizeof(double) * (size_t)size * (size_t)size);
    double *null = mem_resize(m, NULL, sizeof(double) * (size_t)size * (size_t)size);
    for (int k = 0; k < size * size; k++) full[k] = 0;
    for (int row = 0; row < size; row++)
        for (int k = eq->J.start[row]; k < eq->J.start[row + 1]; k++)
            full[row * size + eq->J.column[k]] = eq->values[k];
    int rank = dense_rank_scaled(m, full, size, size, 0, null);
    if (rank < size) {
        text_printf(out, ": they have rank %d of %d", rank - behind + tied, eq->size + tied);
        say_null_vector(eq, m, null, out);
    }
    mem_drop(m, full), mem_drop(m, null);
    return rank < size;
}

/* The null direction alone, of a Jacobian that is too large for its rank. */
static bool say_direction(const equations *eq, mem *m, text *out)
{
    double    *null = mem_resize(m, NULL, sizeof(double) * (size_t)equations_extent(eq));
    const bool found = null_vector(m, &eq->J, eq->values, null);
    if (found) say_null_vector(eq, m, null, out);
    mem_drop(m, null);
    return found;
}

/* Advice. stepped: earlier steps had solutions, so the failure is due to this state and not to the
 * system. */
static const char *advice(const equations *eq, bool found, bool stepped)
{
    const double *x = eq->rule.x[0];
    const bool    inner = eq->s == eq->d && x[0] > 0 && x[eq->s - 1] < 1;
    if (!found) return "; try a smaller step, or another scheme";
    if (stepped && (inner || (eq->phase && eq->s == eq->d)))
        return "; earlier steps could be solved: inertia or stiffness may vanish "
               "near this state; a smaller step shows where";
    if (eq->phase && eq->s == eq->d)
        return "; no scheme can solve this: H does not determine the velocity that "
               "belongs to a momentum; write the system with a Lagrangian instead";
    if (inner)
        return "; another scheme does not help: if nothing depends on it, as on a mean that "
               "the model leaves free, fix it (constraint x' = 0 for one x of it); else give it "
               "inertia, stiffness or resistance, or start elsewhere (an angle at a pole has none: "
               "Cartesian coordinates with a holonomic constraint have no pole)";
    if (eq->phase && eq->s > eq->d)
        return "; a scheme with as many points as the degree of its curve, such as "
               "midpoint or gauss(2), may work";
    return "; gauss(s), such as midpoint or gauss(2), can handle directions "
           "without inertia";
}

enum { RANK_MOST = 200 }; /* unknowns for which a rank is computed for a message */

static dal_status say_singular(newton *nw, mem *m, const history *before, text *why)
{
    const equations *eq = nw->eq;
    text_add(why, "the equations of the step are singular");
    if (blowup_explain(eq, before, why)) return DAL_SINGULAR;
    const bool found = eq->size <= RANK_MOST ? say_rank(eq, m, why) : say_direction(eq, m, why);
    text_add(why, advice(eq, found, before && before->count));
    return DAL_SINGULAR;
}

/* Not so where a derivative has no value, as that of sqrt(x'^2 + y'^2) at rest. */
static bool finite_jacobian(const equations *eq)
{
    for (int k = 0; k < eq->J.start[equations_extent(eq)]; k++)
        if (!isfinite(eq->values[k])) return false;
    return true;
}

static dal_status say_astray(text *why)
{
    text_add(why, "the step ends far from where the steps before it lead, and smaller parts of it end "
                  "elsewhere: near a dead point, where relations lose rank, the motion may take "
                  "more than one way; try a smaller step");
    return DAL_DIVERGED;
}

static dal_status say_unmet(const newton *nw, text *why)
{
    text_add(why, "what Newton's iteration has found does not satisfy ");
    say_equation(nw->eq, nw->unmet, why);
    text_printf(why, ", which is off by %.2g of its terms", nw->unmet_by);
    text_add(why, nw->eq->redundant
                      ? "; it contradicts the relations from which it followed at the start"
                      : "; relations may lose rank near this state; try a smaller step");
    return DAL_DIVERGED;
}

/* What is said first is the surest: singular, not finite, then no convergence with its worst
 * row. */
dal_status newton_explain(newton *nw, mem *m, const double *y, const history *before, bool *open,
                          text *why)
{
    const equations *eq = nw->eq;
    *open = false;
    text_printf(why, "t = %.10g: ", eq->t);
    if (nw->singular && finite_jacobian(eq)) return say_singular(nw, m, before, why);
    if (nw->singular || nw->not_finite) {
        text_add(why, "a value is not finite");
        text nonfinite_source = text_new(m);
        if (say_nonfinite_source(eq, &nonfinite_source))
            text_printf(why, ": %s", text_str(&nonfinite_source));
        text_drop(&nonfinite_source);
        if (!blowup_explain(eq, before, why))
            text_add(why, "; a smaller step or another start may keep the motion away from it");
        return DAL_DIVERGED;
    }
    if (nw->astray) return say_astray(why);
    if (nw->unmet >= 0) return say_unmet(nw, why);
    text_printf(why, "Newton stopped after %d iteration%s; the worst equation is ", nw->iterations,
                nw->iterations == 1 ? "" : "s");
    say_equation(eq, worst_row(nw, y), why);
    say_history(nw, why);
    if (inertia_explain(eq, m, before, why) || blowup_explain(eq, before, why)) return DAL_DIVERGED;
    *open = !eq->sys->jumps;
    if (eq->sys->jumps)
        text_add(why, "; a step that ends at a discontinuity, such as dry friction at rest, may have "
                      "no solution: smooth it, with tanh(v/0.01) instead of sign(v)");
    return DAL_DIVERGED;
}
